"""load.py [--login EMAIL:PASSWORD] [--rude] DIRECTORY SECONDS API_KEY BASE_URL...: pushes while others break
things, and checks.

Pushers send snapshots to several web hosts at once. Two of them write one cluster, each of the others
a cluster of its own. Every push has a time of its own; a push that got no answer, or 503, is sent
again with the same time and the same bytes, to the next host, until it is acknowledged or given up.
After an acknowledged push the gate of another host is asked: its snapshot must not be older.

--login  somebody signs in again and again as well
--rude   some clients go away: in the middle of a push, before its answer, or after sending it byte by byte

SIGTERM ends it early, in order.

Writes DIRECTORY/acknowledged (lines "cluster seconds"), and prints a line for each promise that was broken and,
at the end, the figures: answers with counts, the slowest of each path.
"""
import argparse
import collections
import gzip
import http.client
import json
import random
import signal
import socket
import threading
import time
import urllib.parse

parser = argparse.ArgumentParser()
parser.add_argument("--login")
parser.add_argument("--rude", action="store_true")
parser.add_argument("directory")
parser.add_argument("seconds", type=float)
parser.add_argument("api_key")
parser.add_argument("base_urls", nargs="+")
given = parser.parse_args()
directory, api_key = given.directory, given.api_key
hosts = [urllib.parse.urlsplit(url).netloc for url in given.base_urls]
end = time.time() + given.seconds
# Far enough back that no push is of the future, even for a host whose clock an hour was taken from.
began = int(time.time()) - 12 * 3600


def finish(*_):
    global end
    end = time.time()


signal.signal(signal.SIGTERM, finish)
PUSHERS = 6
# Seconds after which a push that nobody acknowledges is a broken promise. A MariaDB that starts while its disk is full looks
# at it again after a minute.
GIVE_UP = 90
PATIENCE = 20  # seconds that a client waits for an answer: there must be one, if only 503
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


def ask(host, method, path, body, headers):
    """The status, or what went wrong, and the answer."""
    began_at = time.time()
    try:
        connection = http.client.HTTPConnection(host, timeout=PATIENCE)
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read()
    except TimeoutError:
        broken.append(f"{path}: no answer in {PATIENCE} s")
        return "TimeoutError", b""
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
                         {"X-API-Key": api_key, "Content-Type": "application/json"})
    with lock:
        answers[f"gate {status}"] += 1
    if status == 200 and json.loads(answer)["score_time"][:19] < stamp(at_least)[:19]:
        broken.append(f"{cluster}: the gate of {host} judges {json.loads(answer)['score_time']}, "
                      f"{stamp(at_least)} was acknowledged")
    if status == 500:
        broken.append(f"{cluster}: the gate of {host} answers 500")


def push_headers(cluster, at):
    return {"X-API-Key": api_key, "X-Cluster-Id": cluster, "Content-Type": "application/json",
            "Content-Encoding": "gzip", "X-Snapshot-Time": stamp(at)}


def push(cluster, at, turn):
    headers = push_headers(cluster, at)
    give_up = time.time() + GIVE_UP
    while time.time() < give_up:
        host = hosts[turn % len(hosts)]
        status, answer = ask(host, "POST", "/ingest", bodies[at % len(bodies)], headers)
        note(status)
        if status == 200:
            with lock:
                acknowledged.append((cluster, at))
                newest[cluster] = max(newest.get(cluster, 0), at)
            return turn
        if status == 500:
            broken.append(f"{cluster}: a push is answered 500: {answer.decode(errors='replace')}")
        elif status not in (503, 502, 504, 429) and isinstance(status, int):
            broken.append(f"{cluster}: a push is answered {status}: {answer.decode(errors='replace')}")
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


def sign_in():
    email, password = given.login.split(":", 1)
    body = json.dumps({"email": email, "password": password})
    while time.time() < end:
        status, _ = ask(random.choice(hosts), "POST", "/api/auth/login", body, {"Content-Type": "application/json"})
        with lock:
            answers[f"sign-in {status}"] += 1
        if isinstance(status, int) and status not in (200, 429, 502, 503, 504):
            broken.append(f"a sign-in is answered {status}")
        time.sleep(random.uniform(0.2, 0.6))


def go_away():
    """Pushes of which nobody waits for the end: they may be stored or not, but not by half."""
    at = began
    while time.time() < end:
        at += 1
        body = bodies[at % len(bodies)]
        head = "".join(f"{name}: {value}\r\n" for name, value in push_headers("rude", at).items())
        sent = f"POST /ingest HTTP/1.1\r\nHost: x\r\n{head}Content-Length: {len(body)}\r\n\r\n".encode() + body
        host, port = random.choice(hosts).split(":")
        try:
            with socket.create_connection((host, int(port)), PATIENCE) as connection:
                how = at % 3
                if how == 0:
                    connection.sendall(sent[:random.randrange(len(sent))])
                elif how == 1:
                    connection.sendall(sent)
                else:
                    for place in range(0, len(sent), 1 + len(sent) // 20):
                        connection.sendall(sent[place:place + 1 + len(sent) // 20])
                        time.sleep(0.1)
        except OSError:
            pass
        time.sleep(random.uniform(0.1, 0.5))


threads = [threading.Thread(target=pusher, args=(n,)) for n in range(PUSHERS)]
threads += [threading.Thread(target=sign_in)] if given.login else []
threads += [threading.Thread(target=go_away)] if given.rude else []
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
