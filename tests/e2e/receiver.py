#!/usr/bin/env python3
"""A receiver of alerts for tests: HTTP on 127.0.0.1, with the manners that its paths name.

    receiver.py --log FILE --port-file FILE [--tls CERTIFICATE_AND_KEY] [--files DIR] [--late SECONDS]

To its first connection it does not listen for --late: with TLS nothing is asked meanwhile.

Every request becomes a line of JSON in the log before it is answered: time, path, headers (lower
case), body. The first segments of a path say what happens; the rest only tells requests apart.

    /ok/...              200
    /status/CODE/...     CODE, always
    /flaky/CODE/N/...    CODE for the first N requests of this path, then 200
    /later/SECONDS/...   429 with Retry-After: SECONDS for the first request of this path, then 200
    /moved/...           301 to /ok/moved
    /slow/SECONDS/...    200 after so long
    /leaves/SECONDS/...  410 after so long
    /hang/...            nothing, for a minute
    /cut/...             closes the connection without an answer
    /big/...             200 and 100 MB
    /says/NAME/...       200 and the file NAME of --files, as text/plain
    /refuses/NAME/...    400 and the same
"""
import argparse
import collections
import http.server
import json
import os
import ssl
import threading
import time


class Receiver(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    lock = threading.Lock()
    seen = collections.Counter()
    log = None
    files = "."
    late = 0.0

    def setup(self):
        super().setup()
        with self.lock:
            late, Receiver.late = Receiver.late, 0.0
        time.sleep(late)

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        entry = {"time": time.time(), "path": self.path, "body": body,
                 "headers": {name.lower(): value for name, value in self.headers.items()}}
        with self.lock:
            self.seen[self.path] += 1
            count = self.seen[self.path]
            self.log.write(json.dumps(entry) + "\n")
            self.log.flush()
        manner, *arguments = self.path.strip("/").split("/")
        getattr(self, "be_" + manner)(count, *arguments)

    def answer(self, status, length=0, **headers):
        self.send_response(status)
        self.send_header("Content-Length", str(length))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def be_ok(self, count, *rest):
        self.answer(200)

    def be_status(self, count, code, *rest):
        self.answer(int(code))

    def be_flaky(self, count, code, n, *rest):
        self.answer(int(code) if count <= int(n) else 200)

    def be_later(self, count, seconds, *rest):
        if count > 1:
            self.answer(200)
        else:
            self.answer(429, Retry_After=seconds)

    def be_moved(self, count, *rest):
        self.answer(301, Location="/ok/moved")

    def be_slow(self, count, seconds, *rest):
        time.sleep(float(seconds))
        self.answer(200)

    def be_leaves(self, count, seconds, *rest):
        time.sleep(float(seconds))
        self.answer(410)

    def be_hang(self, count, *rest):
        time.sleep(60)
        self.close_connection = True

    def be_cut(self, count, *rest):
        self.close_connection = True

    def be_big(self, count, *rest):
        self.answer(200, length=100 << 20)
        try:
            for _ in range(100):
                self.wfile.write(bytes(1 << 20))
        except OSError:
            pass
        self.close_connection = True

    def be_says(self, count, name, *rest):
        self.send_file(200, name)

    def be_refuses(self, count, name, *rest):
        self.send_file(400, name)

    def send_file(self, status, name):
        with open(os.path.join(self.files, os.path.basename(name)), "rb") as file:
            text = file.read()
        self.answer(status, length=len(text), Content_Type="text/plain; charset=utf-8")
        self.wfile.write(text)

    def log_message(self, *arguments):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def handle_error(self, request, client_address):
        """A client that goes away, or does not trust us, is what tests are about."""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--log", required=True)
    parser.add_argument("--port-file", required=True)
    parser.add_argument("--tls")
    parser.add_argument("--files", default=".")
    parser.add_argument("--late", type=float, default=0.0)
    arguments = parser.parse_args()
    Receiver.files = arguments.files
    Receiver.late = arguments.late
    Receiver.log = open(arguments.log, "a", encoding="utf-8")
    server = Server(("127.0.0.1", 0), Receiver)
    if arguments.tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(arguments.tls)
        context.set_alpn_protocols(["h2", "http/1.1"])  # whoever offers HTTP/2 gets it, and no answer
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    with open(arguments.port_file + ".new", "w", encoding="ascii") as file:
        file.write(f"{server.server_port}\n")
    os.rename(arguments.port_file + ".new", arguments.port_file)
    server.serve_forever()


if __name__ == "__main__":
    main()
