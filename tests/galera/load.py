"""load.py DIRECTORY SECONDS API_KEY TOKEN BASE_URL...: pushes while others break things, and checks.

Pushers send snapshots to several web hosts at once. Two of them write one cluster, each of the others
a cluster of its own. Every push has a time of its own; a push that got no answer, or 503, is sent
again with the same time and the same bytes, to the next host, until it is acknowledged or given up.
After an acknowledged push the gate of another host is asked: its snapshot must not be older.

Writes DIRECTORY/acknowledged (lines "cluster seconds"), DIRECTORY/answers (status codes with counts), and
prints a line for each promise that was broken and, at the end, the figures.
"""
import collections
import gzip
import http.client
import json
import random
import sys
import threading
import time
import urllib.parse

directory, seconds, api_key, token, *base_urls = sys.argv[1:]
hosts = [urllib.parse.urlsplit(url).netloc for url in base_urls]
end = time.time() + float(seconds)
began = int(time.time()) - 7200
PUSHERS = 6
GIVE_UP = 60
lock = threading.Lock()
answers = collections.Counter()
acknowledged = []
newest = {}  # cluster: time of its last acknowledged push
broken = []
slowest = collections.defaultdict(float)
silent = {"since": time.time(), "longest": 0.0}


def stamp(at):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at))


def snapshot(step):
    deployments = [
        {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": f"web-{n}", "namespace": "shop"},
         "spec": {"replicas": 2, "template": {"spec": {"containers": [{"name": "web", "image": "web:latest"}]}}},
         "status": {"replicas": 2, "availableReplicas": (n + step) % 3}} for n in range(40)]
    return gzip.compress(json.dumps({"apiVersion": "v1", "kind": "List", "items": deployments}).encode(), 1)


bodies = [snapshot(step) for step in range(6)]


def ask(host, method, path, body, headers, timeout):
    """The status, or what went wrong, and the answer."""
    began_at = time.time()
    try:
        connection = http.client.HTTPConnection(host, timeout=timeout)
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read()
    except (OSError, http.client.HTTPException) as error:
        return type(error).__name__, b""
    finally:
        with lock:
            slowest[path] = max(slowest[path], time.time() - began_at)


def note(status):
    with lock:
        answers[str(status)] += 1
        if status == 200:
            silent["longest"] = max(silent["longest"], time.time() - silent["since"])
            silent["since"] = time.time()


def check_gate(host, cluster):
    with lock:
        at_least = newest.get(cluster)
    if at_least is None:
        return
    body = json.dumps({"cluster_id": cluster})
    status, answer = ask(host, "POST", "/api/validate", body,
                         {"X-API-Key": api_key, "Content-Type": "application/json"}, 20)
    with lock:
        answers[f"gate {status}"] += 1
    if status == 200 and json.loads(answer)["score_time"][:19] < stamp(at_least)[:19]:
        broken.append(f"{cluster}: the gate of {host} judges {json.loads(answer)['score_time']}, "
                      f"{stamp(at_least)} was acknowledged")
    if status == 500:
        broken.append(f"{cluster}: the gate of {host} answers 500")


def push(cluster, at, turn):
    headers = {"X-API-Key": api_key, "X-Cluster-Id": cluster, "Content-Type": "application/json",
               "Content-Encoding": "gzip", "X-Snapshot-Time": stamp(at)}
    give_up = time.time() + GIVE_UP
    while time.time() < give_up:
        host = hosts[turn % len(hosts)]
        status, _ = ask(host, "POST", "/ingest", bodies[at % len(bodies)], headers, 20)
        note(status)
        if status == 200:
            with lock:
                acknowledged.append((cluster, at))
                newest[cluster] = max(newest.get(cluster, 0), at)
            return turn
        if status == 500:
            broken.append(f"{cluster}: a push is answered 500")
        elif status not in (503, 502, 504, 429) and isinstance(status, int):
            broken.append(f"{cluster}: a push is answered {status}")
            return turn
        turn += 1
        time.sleep(random.uniform(0.05, 0.3))
    broken.append(f"{cluster}: a push was not acknowledged in {GIVE_UP} s")
    return turn


def pusher(n):
    cluster = "shared" if n < 2 else f"own-{n}"
    at, turn = began + n % 2, n
    while time.time() < end:
        at += 2
        turn = push(cluster, at, turn)
        check_gate(hosts[(turn + 1) % len(hosts)], cluster)


threads = [threading.Thread(target=pusher, args=(n,)) for n in range(PUSHERS)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
with open(directory + "/acknowledged", "w") as file:
    file.writelines(f"{cluster} {at}\n" for cluster, at in acknowledged)
for line in list(dict.fromkeys(broken))[:20]:
    print("broken:", line)
print("figures:", ", ".join(f"{name}: {count}" for name, count in sorted(answers.items())),
      f"longest time without an acknowledged push: {silent['longest']:.1f} s",
      *(f"slowest {path}: {took:.1f} s" for path, took in sorted(slowest.items())), sep="; ")
