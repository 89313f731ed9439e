#!/usr/bin/env python3
"""overload: pushes at a rate that does not depend on the answers, by clients that give up.

    overload.py --url URL --key KEY... --body FILE... --seconds S (--rate R | --clients N) [--clusters N]
                [--give-up SECONDS] [--settle SECONDS] [--log FILE] [--name PREFIX] [--back SECONDS]

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

Every push has a time of its own, so that its point of the history can be told from any other. Prints one line of
JSON: sent, accepted, refused, gave_up, other, accepted_a_second (of those that were accepted while pushes were
still sent), and of accepted and refused p50 and p99 in ms.
"""
import argparse
import asyncio
import datetime
import json
import re
import time
import urllib.parse


def percentile(values, part):
    return round(sorted(values)[min(len(values) - 1, int(len(values) * part))]) if values else None


class Load:
    def __init__(self, options):
        self.options = options
        self.address = urllib.parse.urlsplit(options.url)
        self.bodies = [open(name, "rb").read() for name in options.body]
        self.pushes, self.in_time, self.end = [], 0, time.monotonic() + options.seconds
        self.last = 0
        self.log = open(options.log, "w", buffering=1) if options.log else None

    def moment(self):
        """A millisecond that no other push has."""
        self.last = max(self.last + 1, int((time.time() - self.options.back) * 1000))
        moment = datetime.datetime.fromtimestamp(self.last / 1000, datetime.timezone.utc)
        return moment.strftime("%Y-%m-%dT%H:%M:%S.") + "%03dZ" % (self.last % 1000)

    async def talk(self, request):
        reader, writer = await asyncio.open_connection(self.address.hostname, self.address.port, limit=1 << 20)
        try:
            writer.write(request)
            return await reader.read(-1)
        finally:
            writer.close()

    async def push(self, number):
        options = self.options
        cluster = "%s-%d" % (options.name, number % options.clusters)
        body = self.bodies[number // options.clusters % len(self.bodies)]
        moment = self.moment()
        head = ("POST /ingest HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-API-Key: %s\r\nX-Cluster-Id: %s\r\n"
                "X-Snapshot-Time: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
                % (options.key[number % options.clusters % len(options.key)], cluster, moment, len(body)))
        began = time.monotonic()
        try:
            answer = await asyncio.wait_for(self.talk(head.encode() + body), options.give_up)
        except (OSError, asyncio.TimeoutError):
            answer = b""
        status = int(answer[9:12]) if answer.startswith(b"HTTP/1.1 ") else 0
        self.in_time += status == 200 and self.end - self.options.seconds + self.options.settle <= time.monotonic() <= self.end
        retry = re.search(rb"(?im)^Retry-After: *(\d+)", answer)
        code = re.search(rb'"code": ?"(\w+)"', answer)
        self.pushes.append((cluster, moment, status, (time.monotonic() - began) * 1000,
                            int(retry[1]) if retry else 0, code[1].decode() if code else "-"))
        if self.log:
            self.log.write("%s\t%s\t%d\t%.0f\t%d\t%s\t%.3f\n" % (*self.pushes[-1], time.monotonic()))

    async def at_rate(self):
        tasks, began = [], time.monotonic()
        for number in range(int(self.options.rate * self.options.seconds)):
            await asyncio.sleep(max(0, began + number / self.options.rate - time.monotonic()))
            tasks.append(asyncio.create_task(self.push(number)))
        await asyncio.gather(*tasks)

    async def by_clients(self):
        numbers = iter(range(1 << 30))

        async def client():
            while time.monotonic() < self.end:
                await self.push(next(numbers))
        await asyncio.gather(*[client() for _ in range(self.options.clients)])

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
    parser.add_argument("--log")
    parser.add_argument("--name", default="load")
    options = parser.parse_args()
    load = Load(options)
    asyncio.run(load.by_clients() if options.clients else load.at_rate())
    load.report()


main()
