#!/usr/bin/env python3
"""only_changes.py URL KEY STATE CLUSTERS COUNT whole|changes SNAPSHOT.gz...: pushes clusters that go through these
snapshots, one after the other; keeps in STATE where they are. Prints the bytes of a push."""
import gzip
import http.client
import itertools
import json
import sys

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
    headers = {"X-API-Key": key, "X-Cluster-Id": cluster, "Content-Type": content_type, "Content-Encoding": "gzip", "X-Want-Revision": "1"}
    connection.request("POST", "/ingest", body, headers)
    answer = connection.getresponse()
    text = answer.read()
    if answer.status != 200:
        sys.exit(f"{answer.status} {text.decode()}")
    return json.loads(text)["revision"]


def main():
    url, key, state_name, clusters, count, how, *names = sys.argv[1:]
    documents = [lists_of(name) for name in names]
    rounds = len(documents)
    whole = [gzip.compress(write(lists).encode(), 1) for lists in documents]
    rest = [changes(documents[at - 1], documents[at], "")[len('{"base":"') :] for at in range(rounds)]
    try:
        with open(state_name, encoding="utf-8") as file:
            state = json.load(file)
    except FileNotFoundError:
        state = {}
    connection = http.client.HTTPConnection(url.removeprefix("http://"))
    sent = 0
    for number, cluster in zip(range(int(count)), itertools.cycle(f"{how}-{n}" for n in range(int(clusters)))):
        at, revision = state.get(cluster, [-1, ""])
        at = (at + 1) % rounds
        if how == "whole" or not revision:
            body, content_type = whole[at], "application/json"
        else:
            body, content_type = gzip.compress(f'{{"base":"{revision}{rest[at]}'.encode(), 1), CHANGES
        state[cluster] = [at, push(connection, key, cluster, body, content_type)]
        sent += len(body)
    with open(state_name, "w", encoding="utf-8") as file:
        json.dump(state, file)
    print(sent // int(count))


main()
