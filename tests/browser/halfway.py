"""What stands in front of a stack and fails in the middle of an answer.

    front = Halfway(stack.url)       the same stack, by front.url
    front.stall("/api/clusters")     answers to this come half, and then nothing more
    front.cut("/api/clusters")       come half, and the connection is closed
    front.refuse("/vendor/x.js")     are 503
    front.heal()                     all is well again, also for those who wait
"""
import http.client
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

HOP_BY_HOP = ("connection", "keep-alive", "transfer-encoding", "content-length")


class Halfway:
    def __init__(self, url):
        self.port = urllib.parse.urlsplit(url).port
        self.path, self.what, self.healed = None, None, threading.Event()
        self.met = 0
        front = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_one(self):
                try:
                    front.answer(self)
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True  # whoever asked waits no longer

            do_GET = do_HEAD = do_POST = do_PATCH = do_DELETE = handle_one

            def log_message(self, *_):  # pylint: disable=arguments-differ
                """Not on the output of a test."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def _fail(self, path, what):
        self.path, self.what, self.met = path, what, 0
        self.healed.clear()

    def stall(self, path):
        self._fail(path, "stall")

    def cut(self, path):
        self._fail(path, "cut")

    def refuse(self, path):
        self._fail(path, "refuse")

    def heal(self):
        self.path = None
        self.healed.set()

    def answer(self, asked):
        """Passes one request on, and its answer back."""
        body = asked.rfile.read(int(asked.headers.get("Content-Length") or 0)) or None
        stack = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        stack.request(asked.command, asked.path, body, dict(asked.headers))
        response = stack.getresponse()
        body = response.read()
        stack.close()
        fails = self.what if self.path and asked.path.split("?")[0] == self.path else None
        self.met += fails is not None
        asked.send_response(503 if fails == "refuse" else response.status)
        for name, value in response.getheaders():
            if name.lower() not in HOP_BY_HOP:
                asked.send_header(name, value)
        asked.send_header("Content-Length", response.getheader("Content-Length", "0") if asked.command == "HEAD" else len(body))
        asked.end_headers()
        if fails in ("stall", "cut") and body:
            asked.wfile.write(body[:len(body) // 2])
            asked.wfile.flush()
            if fails == "stall":
                self.healed.wait(60)
            asked.close_connection = True
        else:
            asked.wfile.write(body)
