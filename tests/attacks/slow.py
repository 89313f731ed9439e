#!/usr/bin/env python3
"""slow.py PORT COUNT KIND GAP SECONDS: clients that take their time, and what they do to others.

COUNT connections from 127.0.0.2 and up, 500 an address, each sends half a request (KIND: header, body, or nothing at
all: silent) and then a byte every GAP seconds. A connection that the server closes is replaced while --again is given.
Meanwhile /health is asked once a second from 127.0.0.1. After SECONDS it prints a line of JSON:

  health     answers to /health with 200        failed     no answer, or another
  worst_ms   the slowest of them                open       slow connections that still stand
  closed     how many the server has closed     oldest_s   the longest that any of them stood, seconds"""
import argparse
import json
import resource
import selectors
import socket
import time
import urllib.request

STARTS = {
    "header": b"GET /health HTTP/1.1\r\nHost: x\r\nX-Slow: ",
    "body": b"POST /api/auth/verify HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 16000\r\n\r\n",
    "silent": b"",
}


class Crowd:
    def __init__(self, options):
        self.options, self.selector = options, selectors.DefaultSelector()
        self.made = self.closed = 0
        self.oldest = 0.0
        self.born, self.due = {}, {}

    def add(self):
        client = socket.socket()
        client.setblocking(False)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        client.bind((f"127.0.0.{2 + self.made // 500 % 200}", 0))
        client.connect_ex(("127.0.0.1", self.options.port))
        self.made += 1
        self.born[client], self.due[client] = time.monotonic(), 0.0
        self.selector.register(client, selectors.EVENT_READ)

    def drop(self, client):
        self.closed += 1
        self.oldest = max(self.oldest, time.monotonic() - self.born[client])
        self.selector.unregister(client)
        del self.born[client], self.due[client]
        client.close()
        if self.options.again:
            self.add()

    def listen(self, wait):
        for key, _ in self.selector.select(wait):
            try:
                gone = not key.fileobj.recv(65536)
            except BlockingIOError:
                continue
            except OSError:
                gone = True
            if gone:
                self.drop(key.fileobj)

    def send(self):
        now = time.monotonic()
        for client in [client for client, due in self.due.items() if due <= now]:
            try:
                client.send(STARTS[self.options.kind] if not self.due[client] else b"x" if self.options.kind != "silent" else b"")
                self.due[client] = now + self.options.gap
            except BlockingIOError:
                self.due[client] = 0.0  # not connected yet
            except OSError:
                self.drop(client)


def ask(port):
    begin = time.monotonic()
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=30) as answer:
            good = answer.status == 200
    except OSError:
        good = False
    return good, round((time.monotonic() - begin) * 1000)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("port", type=int)
    parser.add_argument("count", type=int)
    parser.add_argument("kind", choices=STARTS)
    parser.add_argument("gap", type=float)
    parser.add_argument("seconds", type=float)
    parser.add_argument("--again", action="store_true")
    options = parser.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    crowd, answers = Crowd(options), []
    end, asked = time.monotonic() + options.seconds, 0.0
    for _ in range(options.count):
        crowd.add()
    while time.monotonic() < end:
        crowd.send()
        crowd.listen(0.1)
        if time.monotonic() - asked >= 1:
            answers.append(ask(options.port))
            asked = time.monotonic()
    open_ages = [time.monotonic() - born for born in crowd.born.values()]
    print(json.dumps({
        "health": sum(good for good, _ in answers), "failed": sum(not good for good, _ in answers),
        "worst_ms": max(ms for _, ms in answers), "open": len(open_ages), "closed": crowd.closed,
        "oldest_s": round(max([crowd.oldest, *open_ages]), 1)}))


main()
