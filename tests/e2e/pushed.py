#!/usr/bin/env python3
"""pushed.py: takes the pushes of an agent, and notes them.

    pushed.py --port PORT --log FILE --mood FILE

A line of JSON a push, of lines of logs as well: its path, when it came and was answered, how many others were under way, how
it was answered, its objects and the names of its kinds. The mood is "ok", "slow SECONDS", "later SECONDS" (429 with
Retry-After), "fail" (503), "moved" (301) or "aside" (302, to another path of the same host).
"""
import argparse
import gzip
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

parser = argparse.ArgumentParser()
parser.add_argument("--port", type=int, required=True)
parser.add_argument("--log", required=True)
parser.add_argument("--mood", required=True)
options = parser.parse_args()
lock = threading.Lock()
busy = 0


def documents(text):
    decoder, at = json.JSONDecoder(), 0
    while at < len(text):
        document, at = decoder.raw_decode(text, at)
        yield document


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_POST(self):
        global busy
        begun = time.time()
        with lock:
            others, busy = busy, busy + 1
        body = self.rfile.read(int(self.headers["Content-Length"]))
        body = (gzip.decompress(body) if self.headers["Content-Encoding"] == "gzip" else body).decode()
        with open(options.mood) as file:
            mood, _, seconds = file.read().strip().partition(" ")
        portal = mood == "portal" and seconds in ("", self.path)
        if mood == "slow":
            time.sleep(float(seconds))
        status = {"later": 429, "fail": 503, "moved": 301, "aside": 302}.get(mood, 200)
        lists = list(documents(body))
        with lock:
            busy -= 1
            with open(options.log, "a") as file:
                print(json.dumps({"begun": begun, "ended": time.time(), "others": others, "status": status, "text": body, "path": self.path,
                                  "key": self.headers["Idempotency-Key"], "kinds": [one.get("kind") for one in lists],
                                  "objects": sum(len(one.get("items", [])) for one in lists)}), file=file)
        self.send_response(status)
        if mood == "later":
            self.send_header("Retry-After", seconds)
        if mood == "moved":
            self.send_header("Location", "https://moved.example.com" + self.path + "?state=planted")
        if mood == "aside":
            self.send_header("Location", "/login?state=planted")
        taken = {"status": "ok", "csc_score": 73, "decision": "SAFE", "verdict": "SAFE", "risks": 0}
        if self.path == "/ingest/logs":
            taken = {"status": "ok", "accepted": len(lists[0]["lines"]), "duplicates": 0, "skipped": 0}
        answer = b"<!DOCTYPE html><title>Sign in</title>" if portal else json.dumps(taken if status == 200 else {}).encode()
        self.send_header("Content-Type", "text/html" if portal else "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)


server = ThreadingHTTPServer(("127.0.0.1", options.port), Handler)
server.daemon_threads = True
server.serve_forever()
