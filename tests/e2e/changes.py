#!/usr/bin/env python3
"""changes.py: lists of changes, as an agent makes them, and the documents that they lead to.

    changes.py list OLD NEW REVISION    the changes from one document to another
    changes.py digest DOCUMENT          the digest of its objects
    changes.py churn URL KEY TOKEN STEPS
        pushes a cluster that changes at random to `changes`, as changes, and to `whole`, whole;
        prints each difference in what is answered and shown, and at last how often it was which

A document here is lists of one kind one after another, without blanks, as the agent writes them."""
import gzip
import hashlib
import json
import random
import sys
import urllib.error
import urllib.request

CHANGES = "application/vnd.loadline.changes+json"


def dump(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def read(text):
    """A document as [kind, API version, [object...]]..., where an object is its text."""
    lists, at, decoder = [], 0, json.JSONDecoder()
    while text[at:].strip():
        value, at = decoder.raw_decode(text, at)
        lists.append([value["kind"][:-4], value["apiVersion"], [dump(item) for item in value["items"]]])
    return lists


def write(lists):
    return "".join(
        f'{{"kind":"{kind}List","apiVersion":"{version}","items":[{",".join(items)}]}}' for kind, version, items in lists
    )


def digest(lists):
    each = (hashlib.sha256(f"{kind}\n{version}\n{text}".encode()).digest() for kind, version, items in lists for text in items)
    return hashlib.sha256(b"".join(sorted(each))).hexdigest()


def name_of(text):
    metadata = json.loads(text)["metadata"]
    return metadata.get("namespace", ""), metadata["name"]


def objects(lists):
    return {(kind, version, *name_of(text)): text for kind, version, items in lists for text in items}


def changes(old, new, revision):
    before, after = objects(old), objects(new)
    changed = {}
    for (kind, version, *_), text in ((key, text) for key, text in after.items() if before.get(key) != text):
        changed.setdefault((kind, version), []).append(text)
    removed = [
        {"kind": kind, "apiVersion": version, **({"namespace": namespace} if namespace else {}), "name": name}
        for kind, version, namespace, name in before
        if (kind, version, namespace, name) not in after
    ]
    listed = write([kind, version, items] for (kind, version), items in changed.items()).replace("]}{", "]},{")
    return f'{{"base":"{revision}","digest":"{digest(new)}","objects":[{listed}],"removed":{dump(removed)}}}'


# ---- a cluster that changes


def pod(number, restarts, phase="Running"):
    return dump(
        {
            "metadata": {
                "name": f"web-{number:04}",
                "namespace": f"team-{number % 5}",
                "uid": f"u{number}",
                "labels": {"app": f"web-{number % 7}"},
                "creationTimestamp": "2026-01-01T00:00:00Z",
                "resourceVersion": str(1000 + restarts),
            },
            "spec": {"nodeName": f"n{number % 3}", "containers": [{"name": "web", "image": f"nginx:1.{number % 9}"}]},
            "status": {
                "phase": phase,
                "containerStatuses": [
                    {"name": "web", "ready": phase == "Running", "restartCount": restarts, "image": "nginx", "imageID": "x"}
                ],
            },
        }
    )


def deployment(number, ready):
    return dump(
        {
            "metadata": {"name": f"web-{number}", "namespace": f"team-{number % 5}", "uid": f"d{number}"},
            "spec": {
                "replicas": 3,
                "selector": {"matchLabels": {"app": f"web-{number}"}},
                "template": {
                    "metadata": {"labels": {"app": f"web-{number}"}},
                    "spec": {"containers": [{"name": "web", "image": f"nginx:{number}"}]},
                },
            },
            "status": {"replicas": 3, "readyReplicas": ready, "availableReplicas": ready},
        }
    )


def node(number, ready):
    conditions = [{"type": "Ready", "status": "True" if ready else "False"}]
    return dump({"metadata": {"name": f"n{number}"}, "status": {"conditions": conditions, "allocatable": {"cpu": "4"}}})


def cluster():
    pods = [pod(number, 0) for number in range(300)]
    return [
        ["Pod", "v1", pods[:100]],
        ["Pod", "v1", pods[100:]],
        ["Deployment", "apps/v1", [deployment(number, 3) for number in range(7)]],
        ["Secret", "v1", []],
        ["Node", "v1", [node(number, True) for number in range(3)]],
    ]


def lists_of(lists, kind):
    return [items for name, _, items in lists if name == kind]


def churn_once(dice, lists, number):
    """One step: some change in place, some go, some come behind the last of their kind."""
    lists = [[kind, version, list(items)] for kind, version, items in lists]
    pods = lists_of(lists, "Pod")
    for items in pods:
        for at in dice.sample(range(len(items)), min(len(items), dice.randrange(4))):
            place = int(json.loads(items[at])["metadata"]["name"][4:])
            items[at] = pod(place, number, dice.choice(["Running", "Running", "Pending", "Failed"]))
        gone = dice.choice([0, 0, 1, 2, 5])
        where = dice.choice([0, len(items) - gone, dice.randrange(len(items))])
        if len(items) - gone > 3:
            del items[where : where + gone]
    pods[-1].extend(pod(1000 + 10 * number + i, 0) for i in range(dice.randrange(12)))
    lists_of(lists, "Deployment")[0][dice.randrange(7)] = deployment(9000 + number, dice.randrange(4))
    nodes = lists_of(lists, "Node")[0]
    place = dice.randrange(3)
    nodes[place] = node(int(json.loads(nodes[place])["metadata"]["name"][1:]), dice.random() < 0.5)
    return lists


def in_place(old, new):
    """What the server makes of the changes: what is another object now does not stand in its place."""
    before, after = objects(old), objects(new)
    result = [[k, v, [after[k, v, *name_of(t)] for t in items if (k, v, *name_of(t)) in after]] for k, v, items in old]
    for kind, version, items in new:
        last = [listed for k, v, listed in result if (k, v) == (kind, version) and listed]
        for text in items:
            if (kind, version, *name_of(text)) not in before:
                last[-1].append(text)
    return result


class Server:
    def __init__(self, url, key, token):
        self.url, self.key, self.token = url, key, token

    def ask(self, path, body=None, headers=()):
        request = urllib.request.Request(self.url + path, body, dict(headers))
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def push(self, name, text, when, content_type="application/json"):
        headers = {"X-API-Key": self.key, "X-Cluster-Id": name, "X-Snapshot-Time": when, "Content-Type": content_type}
        headers["X-Want-Revision"] = "1"
        status, answer = self.ask("/ingest", gzip.compress(text.encode(), 1), {**headers, "Content-Encoding": "gzip"})
        return status, json.loads(answer)

    def get(self, path):
        return self.ask(path, headers={"Authorization": f"Bearer {self.token}"})[1]

    def shown(self, name):
        """What the cluster is known for, but for its name and when it was asked."""
        report = json.loads(self.get(f"/api/export?clusterId={name}&format=json"))
        for member in ("cluster", "generated_at"):
            report.pop(member, None)
        copy = self.get(f"/api/cluster?id={name}").replace(f'"id":"{name}"', "", 1)
        return dump(report).replace(f'"{name}"', '""'), copy.replace(f'"{name}"', '""')


def without_revision(answer):
    return {key: value for key, value in answer.items() if key != "revision"}


def churn(url, key, token, steps):
    server, dice = Server(url, key, token), random.Random(steps)
    told = {"changes": 0, "whole": 0, "same": 0}
    lists, revision = cluster(), None
    for number in range(int(steps)):
        when = f"2026-01-02T00:{number:02}:00Z"
        new = in_place(lists, churn_once(dice, lists, number))
        status, answer = 409, {"code": "send_whole"}
        if revision:
            status, answer = server.push("changes", changes(lists, new, revision), when, CHANGES)
        told["changes"] += status == 200
        if status == 409 and answer["code"] == "send_whole":
            status, answer = server.push("changes", write(new), when)
            told["whole"] += 1
        expected = server.push("whole", write(new), when)
        if (status, without_revision(answer)) != (expected[0], without_revision(expected[1])):
            print(f"step {number}: {status} {answer}, and whole {expected}")
        if number % 4 == 3 and server.shown("changes") != server.shown("whole"):
            print(f"step {number}: another snapshot, ledger or report is shown")
        if number % 4 == 1:  # what is stored already keeps its revision, once it has become an addition or a new base
            for second in ("01Z", "02Z"):
                before, answer = answer, server.push("changes", write(new), when.replace("00Z", second))[1]
                server.push("whole", write(new), when.replace("00Z", second))
            told["same"] += answer["revision"] == before["revision"]
        lists, revision = new, answer["revision"]
    if server.get("/api/score-history?clusterId=changes") != server.get("/api/score-history?clusterId=whole"):
        print("another history")
    print(", ".join(f"{number} {how}" for how, number in told.items()))


def main():
    command, *arguments = sys.argv[1:]
    if command == "churn":
        churn(*arguments)
    elif command == "digest":
        print(digest(read(open(arguments[0], encoding="utf-8").read())))
    else:
        old, new = (read(open(name, encoding="utf-8").read()) for name in arguments[:2])
        print(changes(old, new, arguments[2]))


if __name__ == "__main__":
    main()
