#!/usr/bin/env python3
"""churn.py: so many changes a second at a Kubernetes API server, for so long.

    churn.py SECONDS RATE

Labels of the Deployments, ConfigMaps and Pods of the namespace shop change; one in ten makes a ConfigMap or deletes one. On
standard output: how many changes were taken, and how many were refused. KUBE_PORT, KUBE_TOKEN and KUBE_CA tell where.
"""
import http.client
import itertools
import json
import os
import ssl
import sys
import threading
import time

CLIENTS = 4
seconds, rate = float(sys.argv[1]), float(sys.argv[2])
taken, refused = [0] * CLIENTS, [0] * CLIENTS


def ask(connection, method, path, body=None, kind="application/json"):
    connection.request(method, path, json.dumps(body) if body else None,
                       {"Authorization": "Bearer " + os.environ["KUBE_TOKEN"], "Content-Type": kind})
    answer = connection.getresponse()
    return answer.status, json.loads(answer.read() or b"{}")


def connect():
    context = ssl.create_default_context(cafile=os.environ["KUBE_CA"])
    return http.client.HTTPSConnection("127.0.0.1", int(os.environ["KUBE_PORT"]), context=context, timeout=30)


def paths():
    connection = connect()
    for path in ("/apis/apps/v1/namespaces/shop/deployments", "/api/v1/namespaces/shop/configmaps", "/api/v1/namespaces/shop/pods"):
        for one in ask(connection, "GET", path + "?limit=100")[1]["items"]:
            yield path + "/" + one["metadata"]["name"]


def client(which, targets):
    connection, began, made = connect(), time.monotonic(), []
    for n in itertools.count():
        due = began + (n * CLIENTS + which) / rate
        if due > began + seconds:
            return
        time.sleep(max(0, due - time.monotonic()))
        maps = "/api/v1/namespaces/shop/configmaps"
        if n % 10 == 9 and len(made) > 20:
            status, _ = ask(connection, "DELETE", maps + "/" + made.pop(0))
        elif n % 10 == 9:
            made.append("churn-%d-%d" % (which, n))
            status, _ = ask(connection, "POST", maps, {"metadata": {"name": made[-1]}, "data": {"text": "x" * (n % 4000)}})
        else:
            status, _ = ask(connection, "PATCH", targets[n % len(targets)], {"metadata": {"labels": {"churn": "%d-%d" % (which, n)}}},
                            "application/merge-patch+json")
        counts = taken if status < 300 else refused
        counts[which] += 1


everything = list(paths())
threads = [threading.Thread(target=client, args=(i, everything[i::CLIENTS])) for i in range(CLIENTS)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(sum(taken), sum(refused))
