#!/usr/bin/env python3
"""questions.py DIR: clusters and manifests that make the gate's forecast work, for 21-costly-questions.t.

    DIR/CLUSTER.json        what is pushed before
    DIR/CLUSTER:NAME.json   a manifest to ask about then, of 50 objects or of 1 MiB
"""
import json
import os
import sys

NOW = "2026-01-01T00:00:00Z"
MANY = {f"label{i}": "value" for i in range(1000)}


def thing(version, kind, name, spec=None, **meta):
    whole = {"apiVersion": version, "kind": kind, "metadata": dict({"name": name, "namespace": "ns1"}, **meta)}
    return dict(whole, spec=spec) if spec is not None else whole


def fifty(make):
    return [make(i) for i in range(50)]


def template(labels, containers):
    return {"metadata": {"labels": labels}, "spec": {"containers": containers}}


def deployment(name, containers, replicas=1, labels=None, **more):
    labels = labels or {"app": name}
    spec = {"replicas": replicas, "selector": {"matchLabels": {"app": labels["app"]}}, "template": template(labels, containers)}
    spec["template"]["spec"].update(more)
    return thing("apps/v1", "Deployment", name, spec, uid="d-" + name)


def pods(name, containers, n, labels=None):
    """Those of a Deployment, with the ReplicaSet between."""
    owner = {"apiVersion": "apps/v1", "controller": True}
    yield thing("apps/v1", "ReplicaSet", name + "-x", {"replicas": n, "selector": {"matchLabels": {"app": name}}}, uid="r-" + name,
                ownerReferences=[dict(owner, kind="Deployment", name=name, uid="d-" + name)])
    for i in range(n):
        pod = thing("v1", "Pod", f"{name}-x-{i}", {"containers": containers, "nodeName": f"n{i % 100}"}, uid=f"p-{name}-{i}",
                    labels=labels or {"app": name}, ownerReferences=[dict(owner, kind="ReplicaSet", name=name + "-x", uid="r-" + name)])
        pod["status"] = {"phase": "Running", "startTime": NOW, "conditions": [{"type": "Ready", "status": "True"}]}
        yield pod


def large():
    """10,000 pods of 500 Deployments, all in one namespace."""
    for node in range(100):
        yield {"apiVersion": "v1", "kind": "Node", "metadata": {"name": f"n{node}"},
               "status": {"conditions": [{"type": "Ready", "status": "True"}], "allocatable": {"cpu": "64", "memory": "256Gi", "pods": "250"}}}
    for i in range(500):
        name, labels = f"a{i}", {"app": f"a{i}", "common": "x", "tier": f"t{i % 5}", "team": f"team{i % 7}"}
        containers = [{"name": "c", "image": f"registry.example.com/a{i}:1", "resources": {"requests": {"cpu": "10m", "memory": "16Mi"}}}]
        yield deployment(name, containers, 20, labels)
        yield from pods(name, containers, 20, labels)


def named(n, **more):
    return [dict({"name": f"c{i}"}, **more) for i in range(n)]


def annotated():
    return thing("v1", "ConfigMap", "annotated", annotations={f"k8s.io/{i:x}": "" for i in range(52000)})


def repeated(members):
    """metadata with a member again and again, which JSON writers do not do."""
    return '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"repeated","namespace":"ns1",%s}}' % ",".join(members)


def selecting(version, kind, selector):
    return fifty(lambda i: thing(version, kind, f"s{i}", selector))


common = {"matchLabels": {"common": "x"}}
one = [{"name": "c", "image": "x:1"}]
CLUSTERS = {
    "large": list(large()),
    "annotated": [annotated()] + list(pods("a", one, 1)),
    "wide": [deployment("wide", named(30000))] + list(pods("a", one, 1)),
    "shared": [deployment("shared", named(200))] + list(pods("shared", named(200), 200)),
    "repeated": repeated(['"labels":{}'] * 60000),
}
MANIFESTS = {
    "large:small": [thing("v1", "ConfigMap", "x")],
    "large:wide": [deployment("a1", named(30000, image="x"))],
    "large:labels": fifty(lambda i: deployment(f"d{i}", one, 1000000, dict(MANY, app=f"d{i}"))),
    "large:expressions": selecting("networking.k8s.io/v1", "NetworkPolicy", {"policyTypes": ["Ingress"], "podSelector": {"matchExpressions": [
        {"key": "common", "operator": "NotIn", "values": [f"z{i}"]} for i in range(280)]}}),
    "large:peers": selecting("networking.k8s.io/v1", "NetworkPolicy", {"policyTypes": ["Ingress"], "podSelector": common, "ingress": [
        {"from": [{"podSelector": common}] * 300}]}),
    "large:budgets": selecting("policy/v1", "PodDisruptionBudget", {"minAvailable": 1, "selector": {"matchExpressions": [
        {"key": "common", "operator": "In", "values": ["x"] + [f"y{i}" for i in range(2500)]}]}}),
    "large:services": selecting("v1", "Service", {"selector": {"common": "x"}, "ports": [{"port": i, "name": f"p{i}"} for i in range(1, 500)]}),
    "large:rules": fifty(lambda i: {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": {"name": f"r{i}"},
                                    "rules": [{"apiGroups": ["*"], "resources": ["*"], "verbs": ["*"]}] * 350}),
    "large:ingresses": selecting("networking.k8s.io/v1", "Ingress", {"rules": [{"host": f"h{i}.x", "http": {"paths": [
        {"path": "/", "pathType": "Prefix", "backend": {"service": {"name": f"a{i}", "port": {"number": 80}}}}]}} for i in range(140)]}),
    "large:secrets": fifty(lambda i: deployment(f"e{i}", [{"name": "c", "image": "x", "env": [
        {"name": f"TOKEN{j}", "value": f"hunter2Xk29fjQ8sL{j}"} for j in range(300)]}])),
    "large:spread": fifty(lambda i: deployment(f"f{i}", one, 10, topologySpreadConstraints=[
        {"topologyKey": "x", "maxSkew": 1, "whenUnsatisfiable": "DoNotSchedule", "labelSelector": common}] * 130)),
    "large:nodes": fifty(lambda i: {"apiVersion": "v1", "kind": "Node", "metadata": {"name": f"n{i}", "labels": MANY}}),
    "large:deep": '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x","namespace":"ns1"},"y":[%s]}' % ",".join(["[" * 50 + "]" * 50] * 10000),
    "large:same": [thing("v1", "Other", "same")] * 50,
    "annotated:annotated": [annotated()],
    "wide:wide": [deployment("wide", named(30000))],
    "shared:changed": [deployment("shared", named(200, resources={"requests": {"cpu": "1m"}}))],
    "repeated:repeated": repeated([f'"a{i:x}":1' for i in range(90000)]),
}


def write(name, content):
    with open(os.path.join(sys.argv[1], name + ".json"), "w", encoding="ascii") as file:
        file.write(content if isinstance(content, str) else json.dumps(content, separators=(",", ":")))


for name, objects in CLUSTERS.items():
    write(name, objects if isinstance(objects, str) else {"apiVersion": "v1", "kind": "List", "items": objects})
for name, objects in MANIFESTS.items():
    write(name, objects)
