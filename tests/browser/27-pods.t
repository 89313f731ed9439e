#!/usr/bin/python3 -B
"""Pods as kubectl shows them, on the page and in the export: status, restarts, how many containers are ready, and which
of them need a look."""
from browser import Browser
from snapshots import node
from stack import shared
from tap import is_, main, ok

WAITS = {"waiting": {"reason": "PodInitializing"}}
RUNS = {"running": {"startedAt": "2026-11-01T00:00:00Z"}}
WELL = {"terminated": {"exitCode": 0, "reason": "Completed"}}
READY = [{"type": "Ready", "status": "True"}]


def waits(reason):
    return {"waiting": {"reason": reason}}


def ended(**how):
    return {"terminated": how}


def status(name, state, restarts=0, ready=False, **more):
    return {"name": name, "state": state, "restartCount": restarts, "ready": ready, **more}


def pod(name, phase, states, init=(), sidecars=(), conditions=(), deleted=False, **more):
    """One whose containers are named as their states are."""
    return {"apiVersion": "v1", "kind": "Pod",
            "metadata": {"name": name, "namespace": "shop", **({"deletionTimestamp": "2026-11-01T00:00:00Z"} if deleted else {})},
            "spec": {"nodeName": "n1", "containers": [{"name": name, "image": "i"} for name in ("main", "helper")],
                     "initContainers": [{"name": one["name"], "image": "i", **({"restartPolicy": "Always"} if one["name"] in sidecars else {})}
                                        for one in init]},
            "status": {"phase": phase, "conditions": list(conditions), "initContainerStatuses": list(init), "containerStatuses": states, **more}}


UP = [status("main", RUNS, ready=True), status("helper", RUNS, 2, ready=True)]
WAITING = [status("main", WAITS), status("helper", WAITS)]
DOWN = "⚠ "
# What the page says of each: whether it needs a look, status, containers that are ready, restarts.
PODS = [
    (pod("a-init-crash", "Pending", WAITING, [status("i", waits("CrashLoopBackOff"), 7)]), DOWN, "Init:CrashLoopBackOff", "0 of 2", 7),
    (pod("b-init-error", "Pending", WAITING, [status("i", ended(exitCode=1, reason="Error"), 1)]), DOWN, "Init:Error", "0 of 2", 1),
    (pod("c-init-code", "Pending", WAITING, [status("i", ended(exitCode=3), 1)]), DOWN, "Init:ExitCode:3", "0 of 2", 1),
    (pod("d-init-signal", "Pending", WAITING, [status("i", ended(exitCode=137, signal=9), 1)]), DOWN, "Init:Signal:9", "0 of 2", 1),
    (pod("e-init-second", "Pending", WAITING, [status("i", WELL, 3), status("j", RUNS, 1)]), DOWN, "Init:1/2", "0 of 2", 4),
    (pod("f-init-waits", "Pending", WAITING, [status("i", WAITS)]), DOWN, "Init:0/1", "0 of 2", 0),
    (pod("g-sidecar-starts", "Pending", WAITING, [status("s", RUNS, 4, started=False)], "s"), DOWN, "Init:0/1", "0 of 3", 4),
    (pod("h-sidecar", "Running", UP, [status("i", WELL, 9), status("s", RUNS, 4, ready=True, started=True)], "s", READY), "", "Running", "3 of 3", 6),
    (pod("i-sidecar-unready", "Running", UP, [status("s", RUNS, 4, started=True)], "s"), DOWN, "Running", "2 of 3", 6),
    (pod("j-again", "Running", UP, [status("i", RUNS, 9)], "", [{"type": "Initialized", "status": "True"}]), DOWN, "Init:0/1", "2 of 2", 2),
    (pod("k-helper-done", "Running", [status("main", RUNS), status("helper", WELL)]), DOWN, "Completed", "0 of 2", 0),
    (pod("l-helper-done", "Running", [status("main", RUNS, ready=True), status("helper", WELL)]), DOWN, "NotReady", "1 of 2", 0),
    (pod("m-helper-done", "Running", [status("main", RUNS, ready=True), status("helper", WELL)], conditions=READY), DOWN, "Running", "1 of 2", 0),
    (pod("n-done", "Succeeded", [status("main", WELL), status("helper", WELL)]), "", "Completed", "0 of 2", 0),
    (pod("o-done-deleted", "Succeeded", [status("main", WELL), status("helper", WELL)], deleted=True), "", "Completed", "0 of 2", 0),
    (pod("p-failed", "Failed", [status("main", ended(exitCode=4)), status("helper", WELL)]), DOWN, "ExitCode:4", "0 of 2", 0),
    (pod("q-deleted", "Running", UP, deleted=True), DOWN, "Terminating", "2 of 2", 2),
    (pod("r-lost", "Running", UP, deleted=True, reason="NodeLost"), DOWN, "Unknown", "2 of 2", 2),
    (pod("s-gated", "Pending", [], conditions=[{"type": "PodScheduled", "status": "False", "reason": "SchedulingGated"}]),
     DOWN, "SchedulingGated", "0 of 2", 0),
    (pod("t-evicted", "Failed", [], reason="Evicted"), DOWN, "Evicted", "0 of 2", 0),
    (pod("u-pending", "Pending", []), DOWN, "Pending", "0 of 2", 0),
]

stack = shared()
browser = Browser(stack.url)
ada = stack.account()


def on_the_page():
    is_("a push", ada.push("pods", [node(), *(one[0] for one in PODS)]).status, 200)
    browser.sign_in(ada, "#/clusters/pods/pods")
    browser.row("a-init-crash")
    rows = browser.js("""return [...document.querySelectorAll("main tbody tr")].map((row) => ["Name", "Status", "Ready", "Restarts"]
        .map((label) => row.querySelector(`[data-label="${label}"]`).textContent).join("|"))""")
    wanted = [f"{one['metadata']['name']}|{look}{word}|{ready}|{restarts}" for one, look, word, ready, restarts in PODS]
    is_("as many as there are", len(rows), len(wanted))
    for got, expected in zip(rows, wanted):
        is_(expected, got, expected)


def in_the_export():
    """`reason` is what kubectl shows in place of the phase."""
    rows = {one["name"]: one for one in ada.get("/api/export?clusterId=pods&format=json")["pods"]}
    for one, _, word, ready, restarts in PODS:
        row = rows[one["metadata"]["name"]]
        is_(f"{row['name']} in the export", (row["reason"] or row["status"], f"{row['ready']} of {row['containers']}", row["restarts"]),
            (word, ready, restarts))


def what_needs_a_look():
    browser.choose("Show", "what needs a look")
    ok("those that are well are left out", browser.gone("n-done", selector="main") and browser.gone("h-sidecar", selector="main"), browser.text("main"))
    ok("those that are down are not", browser.shows("k-helper-done", selector="main"), browser.text("main"))


main(on_the_page, in_the_export, what_needs_a_look, browser.clean)
