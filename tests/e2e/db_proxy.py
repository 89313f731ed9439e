#!/usr/bin/env python3
"""A way to a database for tests, which may hang.

    db_proxy.py LISTEN TO

Two paths of sockets: what comes to the first goes on to the second. After SIGUSR1 nothing passes any more on the connections
that are there, in either direction, and none of them is closed. New ones work.
"""
import os
import signal
import socket
import sys
import threading

generation = 0


def hang(_signal, _frame):
    global generation
    generation += 1


def copy(source, sink, began):
    while data := source.recv(65536):
        if began != generation:
            threading.Event().wait()
        sink.sendall(data)
    sink.shutdown(socket.SHUT_WR)


def main():
    listen, to = sys.argv[1:]
    signal.signal(signal.SIGUSR1, hang)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(listen + ".new")
    listener.listen()
    os.rename(listen + ".new", listen)
    while True:
        client = listener.accept()[0]
        server = socket.socket(socket.AF_UNIX)
        server.connect(to)
        for ends in (client, server), (server, client):
            threading.Thread(target=copy, args=(*ends, generation), daemon=True).start()


if __name__ == "__main__":
    main()
