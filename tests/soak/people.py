#!/usr/bin/env python3
"""people: what everybody else does while clusters push: gates, sign-ins, dashboards, logs, clusters that go.

    people.py --url URL --seconds S --accounts FILE --pause SECONDS --log FILE

FILE has a line of JSON for each tenant: email, password, key, clusters. One request follows the other, with a pause
between them. Who is told that a session has ended signs in again. --log gets a line a request: kind, status (0: no
answer), milliseconds, and when (of the monotonic clock). Prints one line of JSON: of each kind its answers with
counts, p50 and p99 in ms.
"""
import argparse
import collections
import http.client
import itertools
import json
import random
import select
import time
import urllib.parse

# What a round consists of: kind, method, path; {c} is a cluster. Sign-ins and clusters that go come now and then.
ROUND = [
    ("gate", "POST", "/api/validate"),
    ("clusters", "GET", "/api/clusters"),
    ("gate", "POST", "/api/validate"),
    ("cluster", "GET", "/api/cluster?id={c}&include=deployments,risks"),
    ("health", "GET", "/health"),
    ("gate", "POST", "/api/validate"),
    ("history", "GET", "/api/score-history?clusterId={c}"),
    ("risks", "GET", "/api/risks?clusterId={c}"),
    ("gate", "POST", "/api/validate"),
    ("logs", "POST", "/ingest/logs"),
    ("decisions", "GET", "/api/decisions"),
    ("firing", "GET", "/api/notifications/firing"),
    ("gate", "POST", "/api/validate"),
    ("deliveries", "GET", "/api/notifications/deliveries"),
    ("lines", "GET", "/api/logs?cluster={c}"),
    ("export", "GET", "/api/export?clusterId={c}&format=csv"),
    ("audit", "GET", "/api/audit?limit=20"),
]
SIGN_IN_EVERY, GONE_EVERY = 4, 40  # rounds


class People:
    def __init__(self, options):
        self.options = options
        self.address = urllib.parse.urlsplit(options.url)
        with open(options.accounts) as file:
            self.accounts = [json.loads(line) for line in file]
        self.log = open(options.log, "w", buffering=1)
        self.said, self.took = collections.defaultdict(collections.Counter), collections.defaultdict(list)
        self.random = random.Random(1)

    def ask(self, kind, method, path, headers, body=None):
        connection = http.client.HTTPConnection(self.address.hostname, self.address.port, timeout=20)
        began, status, answer = time.monotonic(), 0, b""
        try:
            connection.request(method, path, json.dumps(body) if body is not None else None,
                               {"Content-Type": "application/json", **headers})
            response = connection.getresponse()
            status, answer = response.status, response.read()
        except (OSError, http.client.HTTPException):
            pass
        finally:
            connection.close()
        took = (time.monotonic() - began) * 1000
        self.said[kind][status] += 1
        self.took[kind].append(took)
        self.log.write("%s\t%d\t%.0f\t%.3f\n" % (kind, status, took, time.monotonic()))
        return status, answer

    def sign_in(self, account):
        status, answer = self.ask("sign-in", "POST", "/api/auth/login", {},
                                  {"email": account["email"], "password": account["password"]})
        if status == 200:
            account["token"] = json.loads(answer)["token"]

    def as_person(self, account, kind, method, path):
        for _ in range(2):
            if "token" not in account:
                self.sign_in(account)
            status, _ = self.ask(kind, method, path, {"Authorization": "Bearer " + account.get("token", "-")})
            if status != 401:
                return
            account.pop("token", None)

    def lines(self, cluster):
        """Of pods that come and go, as those of real workloads do."""
        now = time.time() - self.options.back
        pod = "web-%d-7d9f8b6c5-%s" % (self.random.randrange(8), "".join(self.random.choices("bcdfghjklm", k=5)))
        return {"namespace": "shop", "pod": pod, "container": "web", "lines": [
            {"timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now - n)), "level": "ERROR" if n % 9 == 0 else "INFO",
             "message": "request %d of %s took %d ms" % (self.random.randrange(1 << 30), cluster, n)} for n in range(30)]}

    def step(self, account, kind, method, path):
        cluster = self.random.choice(account["clusters"])
        key = {"X-API-Key": account["key"], "X-Cluster-Id": cluster}
        if kind == "gate":
            self.ask(kind, method, path, key, {"cluster_id": cluster, "resource": "deployment/web-1",
                                               "image": "web:%d" % self.random.randrange(100), "source": "soak"})
        elif kind == "logs":
            self.ask(kind, method, path, key, self.lines(cluster))
        else:
            self.as_person(account, kind, method, path.format(c=cluster))

    def work(self):
        end = time.monotonic() + self.options.seconds
        for number in itertools.count(1):
            account = self.accounts[number % len(self.accounts)]
            if number % SIGN_IN_EVERY == 0:
                self.sign_in(account)
            if number % GONE_EVERY == 0:
                self.as_person(account, "gone", "DELETE", "/api/clusters?id=" + self.random.choice(account["clusters"]))
            for kind, method, path in ROUND:
                if time.monotonic() >= end:
                    return
                self.step(account, kind, method, path)
                select.select([], [], [], self.options.pause)  # time.sleep does not work under a clock that is moved

    def report(self):
        said = {}
        for kind, times in self.took.items():
            times.sort()
            said[kind] = {"answers": dict(self.said[kind]),
                          **{"p%d" % p: round(times[len(times) * p // 100]) for p in (50, 99)}}
        print(json.dumps(said))


def main():
    parser = argparse.ArgumentParser()
    for name in "url", "accounts", "log":
        parser.add_argument("--" + name, required=True)
    for name in "seconds", "pause":
        parser.add_argument("--" + name, type=float, required=True)
    parser.add_argument("--back", type=float, default=0)
    people = People(parser.parse_args())
    people.work()
    people.report()


main()
