#!/usr/bin/env python3
"""others: what everybody else sees while pushes come: /health, the gate and logins, one after the other.

    others.py --url URL --seconds S --key KEY --cluster ID --email E --password P

Prints one line of JSON: p50 and p99 in ms of each, and how many had another answer than 200.
"""
import argparse
import http.client
import json
import time
import urllib.parse


def main():
    parser = argparse.ArgumentParser()
    for name in "url", "seconds", "key", "cluster", "email", "password":
        parser.add_argument("--" + name, required=True)
    options = parser.parse_args()
    address = urllib.parse.urlsplit(options.url)
    kinds = {"health": ("GET", "/health", None),
             "gate": ("POST", "/api/validate", {"cluster_id": options.cluster}),
             "login": ("POST", "/api/auth/login", {"email": options.email, "password": options.password})}
    took, failed, end, turn = {name: [] for name in kinds}, 0, time.monotonic() + float(options.seconds), 0
    while time.monotonic() < end:
        for name, (method, path, body) in kinds.items():
            if name == "login" and turn % 8:
                continue
            connection = http.client.HTTPConnection(address.hostname, address.port, timeout=30)
            began = time.monotonic()
            connection.request(method, path, json.dumps(body) if body else None,
                               {"X-API-Key": options.key, "Content-Type": "application/json"})
            failed += connection.getresponse().status != 200
            took[name].append((time.monotonic() - began) * 1000)
            connection.close()
        turn += 1
        time.sleep(0.1)
    said = {"failed": failed}
    for name, times in took.items():
        times.sort()
        said[name + "_p50"], said[name + "_p99"] = (round(times[int(len(times) * part)], 1) for part in (0.5, 0.99))
    print(json.dumps(said))


main()
