#!/usr/bin/python3 -B
"""issuer.py DIR PORT: an issuer of OpenID Connect at https://127.0.0.1:PORT, for one client: discovery, keys,
authorization code with PKCE, and tokens that are signed for real (by the openssl command).

DIR has cert.pem and key.pem of TLS; it makes rsa.pem, ec.pem and stranger.pem, which is in no set of keys. What it says
and does otherwise stands in DIR/say.json, which is read for each token:

    {"claims": {...}, "without": [...], "alg": "RS256" | "ES256" | "none" | "HS256", "key": "stranger", "kid": "...",
     "tamper": true, "status": 500,
     "at": {"/keys": {"status": 500, "wait": 20, "drip": 0.5, "body": "[", "bytes": 300000, "headers": {...}}}}

at: what becomes of a request to a path. drip: seconds before each byte; bytes: so many blanks.
DIR/asked has a line for each request."""
import base64
import hashlib
import hmac
import http.server
import json
import os
import secrets
import ssl
import subprocess
import sys
import threading
import time
import urllib.parse

DIR, PORT = sys.argv[1], int(sys.argv[2])
ISSUER = f"https://127.0.0.1:{PORT}"
CLIENT, SECRET = "loadline", "s3cret/with+signs"
codes = {}
lock = threading.Lock()


def text(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def openssl(*arguments, given=None):
    return subprocess.run(["openssl", *arguments], input=given, check=True, capture_output=True).stdout


def file(name):
    return os.path.join(DIR, name)


def make_keys():
    for name in ("rsa", "stranger"):
        openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", file(f"{name}.pem"))
    openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", file("ec.pem"))
    modulus = openssl("rsa", "-in", file("rsa.pem"), "-noout", "-modulus").decode().strip().split("=")[1]
    point = openssl("pkey", "-in", file("ec.pem"), "-pubout", "-outform", "DER")[-64:]
    return {"keys": [
        {"kty": "RSA", "kid": "one", "use": "sig", "alg": "RS256", "n": text(bytes.fromhex(modulus)), "e": "AQAB"},
        {"kty": "EC", "kid": "two", "use": "sig", "crv": "P-256", "x": text(point[:32]), "y": text(point[32:])},
        {"kty": "oct", "kid": "three", "k": text(b"everybody knows this")}]}


def raw_pair(der):
    """The two numbers of an ECDSA signature, 32 bytes each."""
    at, numbers = 2, []
    for _ in range(2):
        length = der[at + 1]
        numbers.append(int.from_bytes(der[at + 2:at + 2 + length], "big").to_bytes(32, "big"))
        at += 2 + length
    return b"".join(numbers)


def sign(signed, alg, key):
    if alg == "none":
        return b""
    if alg == "HS256":
        return hmac.digest(b"everybody knows this", signed, "sha256")
    signature = openssl("dgst", "-sha256", "-sign", file(f"{key}.pem"), given=signed)
    return raw_pair(signature) if alg == "ES256" else signature


def token(login, say):
    now = int(time.time())
    claims = {"iss": ISSUER, "aud": CLIENT, "sub": "ada", "nonce": login["nonce"], "iat": now, "exp": now + 300,
              "email": "ada@x.example", "email_verified": True} | say.get("claims", {})
    for name in say.get("without", []):
        del claims[name]
    alg = say.get("alg", "RS256")
    key = say.get("key", {"ES256": "ec"}.get(alg, "rsa"))
    kid = say.get("kid", {"ES256": "two", "HS256": "three"}.get(alg, "one"))
    signed = ".".join(text(json.dumps(part).encode()) for part in ({"alg": alg, "kid": kid, "typ": "JWT"}, claims))
    signature = sign(signed.encode(), alg, key)
    if say.get("tamper"):
        head, _ = signed.split(".")
        signed = f"{head}.{text(json.dumps(claims | {'sub': 'somebody else'}).encode())}"
    return f"{signed}.{text(signature)}"


class Issuer(http.server.BaseHTTPRequestHandler):
    def say(self):
        try:
            with open(file("say.json")) as opened:
                return json.load(opened)
        except FileNotFoundError:
            return {}

    def answer(self, status, value, **headers):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        for name, header in headers.items():
            self.send_header(name, header)
        self.end_headers()
        self.wfile.write(body)

    def misbehave(self, path):
        how = self.say().get("at", {}).get(path)
        if how is None:
            return False
        time.sleep(how.get("wait", 0))
        body = how.get("body", "{}").encode() + b" " * how.get("bytes", 0)
        self.send_response(how.get("status", 200))
        for name, header in how.get("headers", {}).items():
            self.send_header(name, header)
        self.end_headers()
        for piece in (body[i:i + 1] for i in range(len(body))) if "drip" in how else [body]:
            time.sleep(how.get("drip", 0))
            self.wfile.write(piece)
            self.wfile.flush()
        return True

    def do_GET(self):
        path, _, query = self.path.partition("?")
        self.note(path)
        if self.misbehave(path):
            return
        if path == "/.well-known/openid-configuration":
            self.answer(200, {"issuer": self.say().get("issuer", ISSUER), "authorization_endpoint": f"{ISSUER}/authorize",
                              "token_endpoint": f"{ISSUER}/token", "jwks_uri": f"{ISSUER}/keys"})
        elif path == "/keys":
            self.answer(200, KEYS)
        elif path == "/authorize":
            self.authorize({name: values[0] for name, values in urllib.parse.parse_qs(query).items()})
        else:
            self.answer(404, {})

    def authorize(self, asked):
        right = {"response_type": "code", "client_id": CLIENT, "code_challenge_method": "S256"}
        if any(asked.get(name) != value for name, value in right.items()) or "openid" not in asked["scope"].split():
            self.answer(400, {"error": "invalid_request"})
            return
        code = secrets.token_urlsafe(16)
        with lock:
            codes[code] = asked
        back = urllib.parse.urlencode({"code": code, "state": asked["state"], "iss": ISSUER})
        self.answer(302, {}, Location=f"{asked['redirect_uri']}?{back}")

    def do_POST(self):
        self.note(self.path)
        form = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        given = {name: values[0] for name, values in urllib.parse.parse_qs(form).items()}
        say = self.say()
        if self.misbehave(self.path):
            return
        user = ":".join(map(urllib.parse.quote_plus, (CLIENT, SECRET)))
        with lock:
            login = codes.pop(given.get("code"), None)
        challenge = text(hashlib.sha256(given.get("code_verifier", "").encode()).digest())
        if self.headers.get("Authorization") != "Basic " + base64.b64encode(user.encode()).decode():
            self.answer(401, {"error": "invalid_client"})
        elif "status" in say:
            self.answer(say["status"], {}, **say.get("headers", {}))
        elif (not login or given.get("grant_type") != "authorization_code" or login["code_challenge"] != challenge
              or login["redirect_uri"] != given.get("redirect_uri")):
            self.answer(400, {"error": "invalid_grant"})
        else:
            self.answer(200, {"token_type": "Bearer", "access_token": "none", "id_token": token(login, say)})

    def note(self, path):
        with lock, open(file("asked"), "a") as opened:
            opened.write(f"{self.command} {path}\n")

    def log_message(self, *arguments):
        pass


KEYS = make_keys()
server = http.server.ThreadingHTTPServer(("127.0.0.1", PORT), Issuer)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(file("cert.pem"), file("key.pem"))
server.socket = context.wrap_socket(server.socket, server_side=True)
server.serve_forever()
