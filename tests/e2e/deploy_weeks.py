#!/usr/bin/env python3
"""deploy_weeks.py URL KEY TOKEN SCORER DIRECTORY: two weeks of deploys, of which the score knows (deploys_in_score = on).

Pushes a cluster every hour: to `weeks` whole, to `changes` as changes. Nothing in the snapshots shows what was
deployed before, so it has to come from the deploys that were stored. Afterwards each score is compared with that of
loadline-score --deploys, with what has really happened, and with the other cluster's. Prints each difference, and at
last how often there was what."""
import json
import random
import subprocess
import sys
import time

from changes import CHANGES, Server, changes, dump, read, write

HOUR = 3600
DAY, HOURS = 24 * HOUR, 14 * 24
FREQUENT, BACK, IMAGE, TEMPLATE = "rollout-frequent", "rollback-detected", "recent-image-change", "recent-template-change"
CREATED = "2026-01-01T00:00:00Z"


def moment(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


class Workload:
    """What it has in force, and what has become of it: (time, with another image, rolled back)."""

    def __init__(self, resource, image):
        self.resource, self.image, self.config = resource, image, 0
        self.previous, self.since, self.happened = None, 0, []

    def put(self, at, image, config):
        if (image, config) == (self.image, self.config):
            return
        back = (image, config) == self.previous
        self.happened.append((at, image != self.image, back))
        self.previous = None if back else (self.image, self.config)
        self.image, self.config, self.since = image, config, at

    def expected(self, at):
        """The checks that fail, by what has really happened."""
        past = [one for one in self.happened if at - 7 * DAY <= one[0] < at]
        today = [one for one in past if one[0] >= at - DAY]
        failed = {FREQUENT} if len(today) >= 5 else set()
        if past and past[-1][2]:
            failed.add(BACK)
        if today and today[-1][0] > at - DAY:  # younger than a day
            failed.add(IMAGE if today[-1][1] else TEMPLATE)
        return failed


def document(web, api, db):
    def pods(image):
        return {"containers": [{"name": "c", "image": f"registry.example.com/{image}"}]}

    def controller(name, image, revision, status):
        return {"metadata": {"name": name, "namespace": "shop", "uid": f"uid-{name}", "generation": revision, "creationTimestamp": CREATED},
                "spec": {"replicas": 2, "selector": {"matchLabels": {"app": name}}, "template": {"metadata": {"labels": {"app": name}}, "spec": pods(image)}},
                "status": {"observedGeneration": revision, "replicas": 2, "readyReplicas": 2, "availableReplicas": 2, "updatedReplicas": 2, **status}}

    # Of the Deployments one has no ReplicaSet, and the other one only that in force: revisionHistoryLimit is 0.
    revision = f"db-{db.image.split(':')[1]}-{db.config}"
    owner = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "api", "uid": "uid-api", "controller": True}
    replica_set = {"metadata": {"name": f"api-{api.image.split(':')[1]}", "namespace": "shop", "uid": f"uid-{api.image}", "ownerReferences": [owner],
                                "creationTimestamp": moment(api.since) if api.since else CREATED,
                                "annotations": {"deployment.kubernetes.io/revision": str(len(api.happened) + 7)}},
                   "spec": {"replicas": 2, "template": {"spec": pods(api.image)}}, "status": {"replicas": 2, "readyReplicas": 2}}
    node = {"metadata": {"name": "n1", "creationTimestamp": CREATED}, "status": {"conditions": [{"type": "Ready", "status": "True"}], "allocatable": {"cpu": "4"}}}
    return [["Node", "v1", [dump(node)]],
            ["Deployment", "apps/v1", [dump(controller("api", api.image, len(api.happened) + 1, {})), dump(controller("web", web.image, len(web.happened) + 1, {}))]],
            ["ReplicaSet", "apps/v1", [dump(replica_set)]],
            ["StatefulSet", "apps/v1", [dump(controller("db", db.image, len(db.happened) + 1, {"currentRevision": revision, "updateRevision": revision}))]]]


def happen(dice, at, hours, web, api, db):
    """web is deployed each hour on two days, api at random, and db is rolled back and then left alone for long."""
    if hours // 24 in (2, 8) and hours % 24 < 9:
        web.put(at, f"web:{hours}", 0)
    if dice.random() < 0.05:
        api.put(at, f"api:{dice.randrange(4)}" if not api.previous or dice.random() < 0.5 else api.previous[0], 0)
    deeds = {24: ("db:2", 0), 30: ("db:1", 0), 12 * 24: ("db:1", 1), 13 * 24 + 20: ("db:1", 0)}
    if hours in deeds:
        db.put(at, *deeds[hours])


class Pushes:
    def __init__(self, server):
        self.server, self.revision, self.sent, self.whole = server, None, None, 0
        self.all = []

    def one(self, at, lists, expected):
        text = write(lists)
        status, answer = self.server.push("weeks", text, moment(at))
        changed = (409, {})
        if self.revision:
            changed = self.server.push("changes", changes(self.sent, lists, self.revision), moment(at), CHANGES)
        if changed[0] == 409:
            changed = self.server.push("changes", text, moment(at))
            self.whole += 1
        self.sent, self.revision = lists, changed[1].get("revision")
        risks = json.loads(self.server.get("/api/risks?clusterId=weeks&limit=1000")) if len(self.all) % 6 == 0 else None
        told = [{name: one.get(name) for name in ("csc_score", "decision", "verdict", "risks")} for one in (answer, changed[1])]
        if (status, changed[0]) != (200, 200) or told[0] != told[1]:
            print(f"{moment(at)}: {status} {answer}, as changes {changed}")
        self.all.append((at, text, told[0], risks, expected))


def score(scorer, deploys, at, snapshot, text):
    with open(snapshot, "w", encoding="utf-8") as file:
        file.write(text)
    run = subprocess.run([scorer, "--deploys", deploys, "--format", "json", "--time", moment(at), snapshot], capture_output=True, text=True, check=False)
    if run.returncode:
        sys.exit(f"loadline-score: {run.stderr}")
    return run.stdout


def members(risks):
    return sorted(dump([one[name] for name in ("id", "check", "severity", "resource", "message", "impact")]) for one in risks)


def compare(scorer, directory, pushes, deploys):
    counts = dict.fromkeys((FREQUENT, BACK, IMAGE, TEMPLATE), 0)
    for at, text, answer, risks, expected in pushes.all:
        report = json.loads(score(scorer, deploys, at, f"{directory}/weeks.json", text))
        again = {**{name: report[name] for name in ("csc_score", "decision", "verdict")}, "risks": len(report["risks"])}
        failed = {resource: {one["check"] for one in report["risks"] if one["resource"] == resource and one["check"] in counts} for resource in expected}
        if again != answer:
            print(f"{moment(at)}: the server says {answer}, loadline-score {again}")
        if failed != expected:
            print(f"{moment(at)}: {failed} fail, and should {expected}")
        if risks is not None and members(risks) != members(report["risks"]):
            print(f"{moment(at)}: other risks: {members(risks)} {members(report['risks'])}")
        for check in counts:
            counts[check] += sum(check in checks for checks in failed.values())
    return counts


def main(url, key, token, scorer, directory):
    server, dice = Server(url, key, token), random.Random(7)
    web, api, db = Workload("deployment/web", "web:0"), Workload("deployment/api", "api:0"), Workload("statefulset/db", "db:1")
    pushes, start = Pushes(server), int(time.time()) // HOUR * HOUR - HOURS * HOUR
    for hours in range(HOURS + 1):
        at = start + hours * HOUR
        if hours:
            happen(dice, at, hours, web, api, db)
        pushes.one(at, document(web, api, db), {one.resource: one.expected(at) for one in (web, api, db)})
    events = json.loads(server.get("/api/deploys?clusterId=weeks&limit=1000"))
    with open(f"{directory}/deploys.json", "w", encoding="utf-8") as file:
        json.dump(events, file)
    counts = compare(scorer, directory, pushes, f"{directory}/deploys.json")
    same = True
    for _ in range(5):
        dice.shuffle(events)
        with open(f"{directory}/shuffled.json", "w", encoding="utf-8") as file:
            file.write(json.dumps(events[:40]) + json.dumps(events[30:], indent=1))
        for at, text, *_ in pushes.all[50::60]:
            same &= score(scorer, f"{directory}/deploys.json", at, f"{directory}/weeks.json", text) == score(
                scorer, f"{directory}/shuffled.json", at, f"{directory}/weeks.json", text)
    assert read(pushes.all[-1][1]) == pushes.sent
    print(f"{len(pushes.all)} pushes, {pushes.whole} whole, {sum(len(one.happened) for one in (web, api, db))} changes, {counts}, "
          f"{'the same' if same else 'not the same'} in any order")


main(*sys.argv[1:])
