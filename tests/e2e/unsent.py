#!/usr/bin/env python3
"""unsent: requests whose body never comes to its end, straight to a program's socket.

    unsent.py --socket PATH --key KEY --count N [--seconds S]

Speaks FastCGI. Prints a line for each: the status of the answer, or 000 when there is none S seconds (default 20)
after all were sent.
"""
import argparse
import socket
import struct
import time


def record(kind, content=b""):
    return struct.pack(">BBHHBx", 1, kind, 1, len(content), 0) + content


def request(key, number):
    variables = {"REQUEST_METHOD": "POST", "REQUEST_URI": "/ingest", "SERVER_PROTOCOL": "HTTP/1.1",
                 "REMOTE_ADDR": "127.0.0.1", "CONTENT_LENGTH": "1000000", "CONTENT_TYPE": "application/json",
                 "HTTP_X_API_KEY": key, "HTTP_X_CLUSTER_ID": "unsent-%d" % number}
    pairs = b"".join(struct.pack(">BB", len(name), len(value)) + (name + value).encode()
                     for name, value in variables.items())
    return record(1, struct.pack(">HB5x", 1, 0)) + record(4, pairs) + record(4) + record(5, b'{"items": [' + 4000 * b" ")


def status(connection, end):
    """Closes with the end of the answer, as a web server does."""
    answer = b""
    try:
        while struct.pack(">BBH", 1, 3, 1) not in answer:
            connection.settimeout(max(0.01, end - time.monotonic()))
            more = connection.recv(65536)
            if not more:
                return "000"
            answer += more
    except OSError:
        return "000"
    connection.close()
    at = answer.find(b"Status: ")
    return answer[at + 8:at + 11].decode() if at >= 0 else "000"


def main():
    parser = argparse.ArgumentParser()
    for name in "socket", "key":
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--seconds", type=float, default=20)
    options = parser.parse_args()
    connections = []
    for number in range(options.count):
        connections.append(socket.socket(socket.AF_UNIX))
        connections[-1].settimeout(options.seconds)
        connections[-1].connect(options.socket)
        connections[-1].sendall(request(options.key, number))
    end = time.monotonic() + options.seconds
    for connection in connections:
        print(status(connection, end))


main()
