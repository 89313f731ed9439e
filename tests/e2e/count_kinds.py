#!/usr/bin/env python3
"""count_kinds.py FILE: how many objects of each kind a snapshot has (a List, gzip or plain), or an answer
of GET /api/cluster, as one line of JSON. An object that a snapshot has twice is one."""
import gzip
import json
import sys


def load(path):
    with open(path, "rb") as file:
        packed = file.read(2) == b"\x1f\x8b"
    with (gzip.open if packed else open)(path, "rb") as file:
        return json.load(file)


def main():
    document = load(sys.argv[1])
    seen = {}
    if "items" in document:
        for item in document["items"]:
            meta = item["metadata"]
            seen.setdefault(item["kind"], set()).add((meta.get("namespace"), meta["name"]))
    else:
        for name, items in document.items():
            if isinstance(items, list) and items and name != "risks":
                seen[items[0]["kind"]] = items
    print(json.dumps({kind: len(items) for kind, items in sorted(seen.items())}))


main()
