"""asked.py DIRECTORY SECONDS API_KEY BASE_URL: asks the gate and pushes snapshots and logs, each once and under a name of its
own, from several threads, and notes what was answered.

Writes DIRECTORY/gate, snapshots and logs: lines "NAME STATUS CODE", of which the name is the decision's source, the snapshot's
time in seconds, and the message of the line. STATUS is 0 when the connection broke or nobody answered.
"""
import http.client
import json
import sys
import threading
import time
import urllib.parse

directory, seconds, api_key, base_url = sys.argv[1], float(sys.argv[2]), sys.argv[3], sys.argv[4]
host = urllib.parse.urlsplit(base_url).netloc
end = time.time() + seconds
began = int(time.time()) - 6 * 3600


def ask(path, body, headers):
    connection = http.client.HTTPConnection(host, timeout=30)
    try:
        connection.request("POST", path, json.dumps(body), {"X-API-Key": api_key, "Content-Type": "application/json", **headers})
        answer = connection.getresponse()
        document = json.loads(answer.read() or b"{}")
        return answer.status, document.get("code", "-")
    except (OSError, http.client.HTTPException, ValueError):
        return 0, "-"
    finally:
        connection.close()


def gate(thread, n):
    name = f"source-{thread}-{n}"
    return name, ask("/api/validate", {"cluster_id": "asked", "source": name}, {"X-Cluster-Id": "asked"})


def snapshots(thread, n):
    at = began + n
    deployments = [{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": f"web-{i}", "namespace": "shop"},
                    "spec": {"replicas": 2, "template": {"spec": {"containers": [{"name": "web", "image": "web:latest"}]}}},
                    "status": {"replicas": 2, "availableReplicas": (i + n) % 3}} for i in range(5)]
    stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at))
    return str(at), ask("/ingest", {"apiVersion": "v1", "kind": "List", "items": deployments},
                        {"X-Cluster-Id": f"pushed-{thread}", "X-Snapshot-Time": stamp})


def logs(thread, n):
    name = f"line-{thread}-{n}"
    line = {"timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "message": name, "level": "error"}
    return name, ask("/ingest/logs", {"namespace": "shop", "pod": "api-7d9f8b6c5-x2k4p", "container": "api", "lines": [line]},
                     {"X-Cluster-Id": "asked"})


def run(what, thread, lines):
    n = 0
    while time.time() < end:
        n += 1
        name, (status, code) = what(thread, n)
        if what is snapshots:
            name = f"pushed-{thread} {name}"
        lines.append(f"{name} {status} {code}")


noted = {gate: [], snapshots: [], logs: []}
threads = [threading.Thread(target=run, args=(what, thread, noted[what]))
           for what, count in ((gate, 6), (snapshots, 3), (logs, 2)) for thread in range(count)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
for what, lines in noted.items():
    with open(f"{directory}/{what.__name__}", "w", encoding="utf-8") as file:
        file.writelines(line + "\n" for line in lines)
