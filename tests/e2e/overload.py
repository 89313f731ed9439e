#!/usr/bin/env python3
"""overload: pushes at a rate that does not depend on the answers, by clients that give up.

    overload.py --url URL --key KEY... --body FILE... --seconds S (--rate R | --clients N) [--clusters N]
                [--give-up SECONDS] [--settle SECONDS] [--log FILE] [--name PREFIX] [--back SECONDS] [--pause SECONDS]

--key       of several, clusters take turns with them, too

--rate      pushes a second, at even times, each on a connection of its own; a client takes no notice of what
            it is told. --clients in its place: so many push one after the other, as fast as they are answered
--clusters  PREFIX-0, PREFIX-1, ... take turns (default 20)
--give-up   a client closes its connection after so many seconds without an answer (default 10)
--settle    the rate of what is accepted is measured after so many seconds (default 0)
--log       a line a push, as soon as it has ended: cluster, X-Snapshot-Time, status (0: gave up or was cut),
            milliseconds, Retry-After, code, and when (of the monotonic clock, which all processes share)
--back      snapshots are of so many seconds ago (default 1): clocks are not quite the same, and a time ahead of
            the server's counts as its now
--pause     the body comes so many seconds behind the head, as over a slow network (default 0)

Every push has a time of its own, so that its point of the history can be told from any other. Prints one line of
JSON: sent, accepted, refused, gave_up, other, accepted_a_second (of those that were accepted while pushes were
still sent), and of accepted and refused p50 and p99 in ms.
"""
import argparse
import collections
import json
import re
import selectors
import socket
import time
import urllib.parse


def percentile(values, part):
    return round(sorted(values)[min(len(values) - 1, int(len(values) * part))]) if values else None


class Push:
    """One that is under way: what is still to be sent, and what has come."""
    __slots__ = "cluster", "moment", "began", "connection", "rest", "later", "answer"


class Load:
    """One process and no tasks: the clients shall take little of a machine that the server needs."""

    def __init__(self, options):
        self.options = options
        address = urllib.parse.urlsplit(options.url)
        self.address = address.hostname, address.port
        self.bodies = [open(name, "rb").read() for name in options.body]
        self.began = time.monotonic()
        self.pushes, self.in_time, self.end = [], 0, self.began + options.seconds
        self.last, self.started = 0, 0
        self.selector, self.under_way = selectors.DefaultSelector(), {}  # in the order in which they began
        self.paused = collections.deque()  # until when, and what
        self.log = open(options.log, "w", buffering=1) if options.log else None

    def moment(self):
        """A millisecond that no other push has."""
        self.last = max(self.last + 1, int((time.time() - self.options.back) * 1000))
        moment = time.strftime("%Y-%m-%dT%H:%M:%S.", time.gmtime(self.last // 1000))
        return moment + "%03dZ" % (self.last % 1000)

    def start(self):
        options, number, push = self.options, self.started, Push()
        self.started += 1
        push.cluster = "%s-%d" % (options.name, number % options.clusters)
        body = self.bodies[number // options.clusters % len(self.bodies)]
        push.moment = self.moment()
        head = ("POST /ingest HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-API-Key: %s\r\nX-Cluster-Id: %s\r\n"
                "X-Snapshot-Time: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
                % (options.key[number % options.clusters % len(options.key)], push.cluster, push.moment, len(body)))
        push.rest, push.later, push.answer, push.began = [head.encode()], memoryview(body), b"", time.monotonic()
        if not options.pause:
            push.rest, push.later = push.rest + [push.later], None
        push.connection = socket.socket()
        push.connection.setblocking(False)
        push.connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, len(body) + (1 << 16))
        push.connection.connect_ex(self.address)
        self.under_way[push] = None
        self.selector.register(push.connection, selectors.EVENT_WRITE, push)

    def go_on(self, push, events):
        """True when it has ended."""
        if events & selectors.EVENT_READ:
            more = push.connection.recv(1 << 16)
            push.answer += more
            return not more
        sent = push.connection.sendmsg(push.rest)
        while push.rest and sent >= len(push.rest[0]):
            sent -= len(push.rest.pop(0))
        if push.rest:
            push.rest[0] = push.rest[0][sent:]
            return False
        self.selector.modify(push.connection, selectors.EVENT_READ, push)
        if push.later:
            self.paused.append((time.monotonic() + self.options.pause, push))
        return False

    def finish(self, push, answer):
        self.selector.unregister(push.connection)
        push.connection.close()
        del self.under_way[push]
        now, status = time.monotonic(), int(answer[9:12]) if answer.startswith(b"HTTP/1.1 ") else 0
        self.in_time += status == 200 and self.end - self.options.seconds + self.options.settle <= now <= self.end
        retry = re.search(rb"(?im)^Retry-After: *(\d+)", answer) if status != 200 else None
        code = re.search(rb'"code": ?"(\w+)"', answer) if status != 200 else None
        self.pushes.append((push.cluster, push.moment, status, (now - push.began) * 1000,
                            int(retry[1]) if retry else 0, code[1].decode() if code else "-"))
        if self.log:
            self.log.write("%s\t%s\t%d\t%.0f\t%d\t%s\t%.3f\n" % (*self.pushes[-1], now))

    def start_due(self, now):
        """Seconds until the next one is due; None when none will be."""
        options = self.options
        if options.clients:
            while now < self.end and len(self.under_way) < options.clients:
                self.start()
            return None
        total = int(options.rate * options.seconds)
        while self.started < total:
            wait = self.began + self.started / options.rate - now
            if wait > 0:
                return wait
            self.start()
        return None

    def resume_due(self, now):
        """Seconds until the next body is due; None when none is waited for."""
        while self.paused:
            until, push = self.paused[0]
            if until > now:
                return until - now
            self.paused.popleft()
            if push in self.under_way:
                push.rest, push.later = [push.later], None
                self.selector.modify(push.connection, selectors.EVENT_WRITE, push)
        return None

    def run(self):
        give_up = self.options.give_up
        while True:
            now = time.monotonic()
            wait, resume = self.start_due(now), self.resume_due(now)
            while self.under_way and now - (first := next(iter(self.under_way))).began >= give_up:
                self.finish(first, b"")
            if not self.under_way and wait is None and (now >= self.end or not self.options.clients):
                return
            first = next(iter(self.under_way), None)
            patience = first.began + give_up - now if first else give_up
            for key, events in self.selector.select(min(x for x in (patience, wait, resume) if x is not None)):
                try:
                    ended = self.go_on(key.data, events)
                except OSError:  # the connection was cut
                    ended, key.data.answer = True, b""
                if ended:
                    self.finish(key.data, key.data.answer)

    def report(self):
        of = {name: [push for push in self.pushes if test(push[2])] for name, test in {
            "accepted": lambda s: s == 200, "refused": lambda s: s == 503, "gave_up": lambda s: s == 0,
            "other": lambda s: s not in (0, 200, 503)}.items()}
        said = {"sent": len(self.pushes), **{name: len(found) for name, found in of.items()}}
        said["accepted_a_second"] = round(self.in_time / (self.options.seconds - self.options.settle), 2)
        for name in "accepted", "refused":
            took = [push[3] for push in of[name]]
            said[name + "_p50"], said[name + "_p99"] = percentile(took, 0.5), percentile(took, 0.99)
        print(json.dumps(said))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--url", required=True)
    parser.add_argument("--key", nargs="+", required=True)
    parser.add_argument("--body", nargs="+", required=True)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--rate", type=float)
    parser.add_argument("--clients", type=int)
    parser.add_argument("--clusters", type=int, default=20)
    parser.add_argument("--settle", type=float, default=0)
    parser.add_argument("--give-up", type=float, default=10)
    parser.add_argument("--back", type=float, default=1)
    parser.add_argument("--pause", type=float, default=0)
    parser.add_argument("--log")
    parser.add_argument("--name", default="load")
    options = parser.parse_args()
    load = Load(options)
    load.run()
    load.report()


main()
