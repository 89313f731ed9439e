#!/usr/bin/env python3
"""only_changes.py URL KEY STATE CLUSTERS COUNT whole|changes SNAPSHOT.gz...: pushes clusters that go through these
snapshots, one after the other; keeps in STATE where they are. Prints the bytes of a push."""
import gzip
import http.client
import itertools
import json
import sys
import time

sys.path.insert(0, "tests/e2e")
from changes import CHANGES, changes, dump, write  # noqa: E402


def lists_of(name):
    with gzip.open(name) as file:
        items = json.load(file)["items"]
    kinds = {}
    for item in items:
        kinds.setdefault((item["kind"], item["apiVersion"]), []).append(dump(item))
    return [[kind, version, texts] for (kind, version), texts in kinds.items()]


def push(connection, key, cluster, body, content_type):
    """Comes back when it is told to, as an agent does."""
    headers = {"X-API-Key": key, "X-Cluster-Id": cluster, "Content-Type": content_type, "Content-Encoding": "gzip", "X-Want-Revision": "1"}
    for _ in range(20):
        connection.request("POST", "/ingest", body, headers)
        answer = connection.getresponse()
        text = answer.read()
        if answer.status == 200:
            return json.loads(text)["revision"]
        if answer.status != 503:
            break
        connection.close()  # it opens again by itself
        time.sleep(int(answer.headers["Retry-After"]))
    sys.exit(f"{answer.status} {text.decode()}")


class Pushes:
    """What is to be pushed, and how far each cluster is."""

    def __init__(self, names, state):
        documents = [lists_of(name) for name in names]
        self.whole = [gzip.compress(write(lists).encode(), 1) for lists in documents]
        self.rest = [changes(documents[at - 1], documents[at], "")[len('{"base":"') :] for at in range(len(documents))]
        self.state = state

    def next(self, connection, key, cluster, is_whole):
        """Pushes the next snapshot of that cluster; the bytes of its body."""
        at, revision = self.state.get(cluster, [-1, ""])
        at = (at + 1) % len(self.whole)
        if is_whole or not revision:
            body, content_type = self.whole[at], "application/json"
        else:
            body, content_type = gzip.compress(f'{{"base":"{revision}{self.rest[at]}'.encode(), 1), CHANGES
        self.state[cluster] = [at, push(connection, key, cluster, body, content_type)]
        return len(body)


def main():
    url, key, state_name, clusters, count, how, *names = sys.argv[1:]
    try:
        with open(state_name, encoding="utf-8") as file:
            state = json.load(file)
    except FileNotFoundError:
        state = {}
    pushes = Pushes(names, state)
    connection = http.client.HTTPConnection(url.removeprefix("http://"))
    sent = 0
    for _, cluster in zip(range(int(count)), itertools.cycle(f"{how}-{n}" for n in range(int(clusters)))):
        sent += pushes.next(connection, key, cluster, how == "whole")
    with open(state_name, "w", encoding="utf-8") as file:
        json.dump(state, file)
    print(sent // int(count))


if __name__ == "__main__":
    main()
