#!/usr/bin/env python3
"""forecast.py: asks the gate what a manifest will do, applies it to a real cluster, pushes, and tells what became of it.

    forecast.py MANIFESTS [ONLY]

MANIFESTS is a JSON array of what the cluster was made of, as a client writes it. Each change is undone by the next one, of
which the gate is asked, too. ONLY: a regular expression of changes to try. A line of JSON each on standard output:

    name, predicted, after  the exact scores
    said                    the checks of findings about the change
    refused                 the API server's reason for not taking it
    stuck                   what did not come up
    differences             [told or true, new or gone, check, namespace, resource, container] of risks that only one of the two has

From the environment: LOADLINE_URL, LOADLINE_API_KEY, LOADLINE_TOKEN (a session), LOADLINE_CLUSTER, and for the API server
KUBE_PORT, KUBE_TOKEN, KUBE_CA. PUSH is a command that pushes the cluster once.
"""
import copy
import http.client
import json
import os
import re
import shlex
import ssl
import subprocess
import sys
import time
import urllib.parse
import urllib.request

SETTLE_S = 30
STUCK_S = 6
GROUPS = {"Deployment": "deployments", "StatefulSet": "statefulsets", "DaemonSet": "daemonsets"}
PLURALS = {"NetworkPolicy": "networkpolicies", "Ingress": "ingresses", "StorageClass": "storageclasses", "PriorityClass": "priorityclasses"}


class Kube:
    def __init__(self):
        context = ssl.create_default_context(cafile=os.environ["KUBE_CA"])
        self.connection = http.client.HTTPSConnection("127.0.0.1", int(os.environ["KUBE_PORT"]), context=context, timeout=30)
        self.headers = {"Authorization": "Bearer " + os.environ["KUBE_TOKEN"]}

    def ask(self, method, path, body=None, kind="application/json"):
        data = json.dumps(body).encode() if body is not None else None
        self.connection.request(method, path, data, dict(self.headers, **{"Content-Type": kind}))
        answer = self.connection.getresponse()
        return answer.status, json.loads(answer.read())

    def path(self, thing):
        version, meta = thing["apiVersion"], thing["metadata"]
        plural = PLURALS.get(thing["kind"], thing["kind"].lower() + "s")
        where = "namespaces/%s/" % meta["namespace"] if "namespace" in meta else ""
        return "/%s/%s/%s%s/%s" % ("apis" if "/" in version else "api", version, where, plural, urllib.parse.quote(meta["name"]))

    def apply(self, thing):
        status, answer = self.ask("PATCH", self.path(thing) + "?fieldManager=test&force=true", thing, "application/apply-patch+yaml")
        return None if status in (200, 201) else answer.get("message", str(status))

    def delete(self, thing):
        self.ask("DELETE", self.path(thing))

    def unsettled(self):
        """What is not as it is wanted, in words."""
        wrong = []
        for kind, plural in GROUPS.items():
            for one in self.ask("GET", "/apis/apps/v1/" + plural)[1]["items"]:
                status, name = one.get("status", {}), "%s/%s" % (kind.lower(), one["metadata"]["name"])
                if kind == "DaemonSet":
                    wanted = status.get("desiredNumberScheduled", 0)
                    have = [status.get(n, 0) for n in ("updatedNumberScheduled", "numberAvailable", "currentNumberScheduled")]
                else:
                    wanted = one["spec"]["replicas"]
                    have = [status.get(n, 0) for n in ("replicas", "updatedReplicas", "readyReplicas", "availableReplicas")]
                if status.get("observedGeneration", 0) < one["metadata"]["generation"] or any(n != wanted for n in have):
                    wrong.append("%s wants %d, has %s" % (name, wanted, have))
        pods = self.ask("GET", "/api/v1/pods")[1]["items"]
        return wrong + ["pod/%s is going" % pod["metadata"]["name"] for pod in pods if "deletionTimestamp" in pod["metadata"]]

    def settle(self, seconds):
        end = time.monotonic() + seconds
        quiet = 0
        while time.monotonic() < end:
            wrong = self.unsettled()
            quiet = 0 if wrong else quiet + 1
            if quiet == 2:
                return []
            time.sleep(0.15)
        return wrong


class Gate:
    def __init__(self):
        self.url, self.cluster = os.environ["LOADLINE_URL"], os.environ["LOADLINE_CLUSTER"]

    def ask(self, path, body=None, **headers):
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(self.url + path, data, dict(headers, **{"Content-Type": "application/json"}))
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def forecast(self, thing):
        return self.ask("/api/validate", {"cluster_id": self.cluster, "namespace": "shop", "manifest": thing},
                        **{"X-API-Key": os.environ["LOADLINE_API_KEY"]})

    def push(self):
        subprocess.run(shlex.split(os.environ["PUSH"]), check=True, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL, timeout=120)

    def risks(self):
        """Those that count, and the exact score."""
        session = {"Authorization": "Bearer " + os.environ["LOADLINE_TOKEN"]}
        name = urllib.parse.quote(self.cluster)
        cluster = self.ask("/api/cluster?id=%s&include=risks" % name, **session)
        score = self.ask("/api/clusters?id=" + name, **session)[0]["scoreExact"]
        return {key(r) for r in cluster["risks"] if "exempt" not in r}, score


def key(risk):
    return risk["check"], risk.get("namespace"), risk["resource"], risk.get("container")


def container(thing):
    return thing["spec"]["template"]["spec"]["containers"][0]


def pod_spec(thing):
    return thing["spec"]["template"]["spec"]


def secure(thing):
    return container(thing).setdefault("securityContext", {})


# What is done to a workload; each gets a copy.
WORKLOADS = {
    "tag latest": lambda t: container(t).update(image=container(t)["image"].rsplit(":", 1)[0] + ":latest"),
    "no tag": lambda t: container(t).update(image=container(t)["image"].rsplit(":", 1)[0]),
    "image by digest": lambda t: container(t).update(image=container(t)["image"].rsplit(":", 1)[0] + "@sha256:" + "ab" * 32),
    "another tag": lambda t: container(t).update(image=container(t)["image"].rsplit(":", 1)[0] + ":9.9.9"),
    "image of another registry": lambda t: container(t).update(image="docker.io/evil/miner:1"),
    "privileged": lambda t: secure(t).update(privileged=True, allowPrivilegeEscalation=True),
    "root": lambda t: secure(t).update(runAsUser=0, runAsNonRoot=False),
    "capability": lambda t: secure(t).update(capabilities={"add": ["SYS_ADMIN"]}),
    "writable": lambda t: secure(t).update(readOnlyRootFilesystem=False),
    "host network": lambda t: pod_spec(t).update(hostNetwork=True),
    "host pid": lambda t: pod_spec(t).update(hostPID=True),
    "host path": lambda t: (pod_spec(t).setdefault("volumes", []).append({"name": "host", "hostPath": {"path": "/var/run/docker.sock"}}),
                            container(t).setdefault("volumeMounts", []).append({"name": "host", "mountPath": "/host"})),
    "no resources": lambda t: container(t).pop("resources", None),
    "limits below requests' double": lambda t: container(t).update(resources={"requests": {"cpu": "10m", "memory": "16Mi"}, "limits": {"cpu": "20m", "memory": "4Gi"}}),
    "no probes": lambda t: [container(t).pop(p, None) for p in ("livenessProbe", "readinessProbe", "startupProbe")],
    "same probes": lambda t: container(t).update({p: {"httpGet": {"path": "/", "port": 80}} for p in ("livenessProbe", "readinessProbe")}),
    "credential": lambda t: container(t).setdefault("env", []).append({"name": "API_TOKEN", "value": "hunter2-Xk29fjQ8sLw0"}),
    "missing config": lambda t: container(t).setdefault("envFrom", []).append({"configMapRef": {"name": "nowhere", "optional": True}}),
    "mounts the token": lambda t: pod_spec(t).update(automountServiceAccountToken=True),
    "priority": lambda t: pod_spec(t).update(priorityClassName="system-node-critical") if t["metadata"]["namespace"] == "kube-system" else pod_spec(t).update(terminationGracePeriodSeconds=1),
    "one node": lambda t: pod_spec(t).update(nodeSelector={"kubernetes.io/os": "linux"}),
    "a port of another name": lambda t: [port.update(name="other") for port in container(t).get("ports", [])],
    "one more container": lambda t: pod_spec(t)["containers"].append({
        "name": "more", "image": "registry.example.com/more:latest", "resources": {"requests": {"cpu": "1", "memory": "1Gi"}}}),
    "a label of pods": lambda t: t["spec"]["template"]["metadata"]["labels"].update(tier="inner"),
    "a label": lambda t: t["metadata"].setdefault("labels", {}).update(team="blue"),
    "exempt": lambda t: t["metadata"].setdefault("annotations", {}).update({"loadline.io/exempt": "run-as-root-allowed: test"}),
}
REPLICAS = {"0 replicas": 0, "1 replica": 1, "7 replicas": 7}
STUCK = {
    "more than a node has": lambda t: container(t).update(resources={"requests": {"cpu": "1000"}, "limits": {"cpu": "1000"}}),
}
REFUSED = {
    "another selector": lambda t: t["spec"]["selector"].update(matchLabels={"app": "other"}),
    "selector and labels": lambda t: (t["spec"]["selector"].update(matchLabels={"app": "other"}),
                                      t["spec"]["template"]["metadata"].update(labels={"app": "other"})),
}


def edited(thing, edit):
    thing = copy.deepcopy(thing)
    edit(thing)
    return thing


def new(kind, version, name, namespace="shop", **rest):
    return dict({"apiVersion": version, "kind": kind, "metadata": {"name": name, "namespace": namespace}}, **rest)


def changes(things):
    """(name, as it is or None, as it will be)"""
    by = {(t["kind"], t["metadata"].get("namespace"), t["metadata"]["name"]): t for t in things}
    deployments = [t for t in things if t["kind"] == "Deployment" and t["metadata"]["namespace"] == "shop"]
    for i, (what, edit) in enumerate(WORKLOADS.items()):
        for one in (deployments[i % len(deployments)], deployments[(i + 3) % len(deployments)]):
            yield "%s: deployment/%s" % (what, one["metadata"]["name"]), one, edited(one, edit)
    for what in ("privileged", "tag latest", "host network", "credential", "no resources"):
        for key in (("DaemonSet", "shop", "log-collector"), ("StatefulSet", "shop", "postgres"), ("Deployment", "kube-system", "coredns")):
            yield "%s: %s/%s" % (what, key[0].lower(), key[2]), by[key], edited(by[key], WORKLOADS[what])
    for what, n in REPLICAS.items():
        for one in deployments[:4]:
            yield "%s: deployment/%s" % (what, one["metadata"]["name"]), one, edited(one, lambda t: t["spec"].update(replicas=n))
    for what, edit in list(REFUSED.items()) + list(STUCK.items()):
        for one in deployments[:2]:
            yield "%s: deployment/%s" % (what, one["metadata"]["name"]), one, edited(one, edit)
    services = [t for t in things if t["kind"] == "Service" and t["metadata"]["namespace"] == "shop"]
    for one in services[:4]:
        name = one["metadata"]["name"]
        yield "selects nothing: service/" + name, one, edited(one, lambda t: t["spec"].update(selector={"app": "nowhere"}))
        yield "another port: service/" + name, one, edited(one, lambda t: t["spec"].update(ports=[{"port": 81, "targetPort": "nowhere"}]))
    yield "a node port: service/" + services[0]["metadata"]["name"], services[0], edited(services[0], lambda t: t["spec"].update(type="NodePort"))
    for one in [t for t in things if t["kind"] == "PodDisruptionBudget"]:
        name = one["metadata"]["name"]
        yield "no disruption: pdb/" + name, one, edited(one, lambda t: (t["spec"].pop("minAvailable", None), t["spec"].update(maxUnavailable=0)))
        yield "selects nothing: pdb/" + name, one, edited(one, lambda t: t["spec"].update(selector={"matchLabels": {"app": "nowhere"}}))
    policy = by["NetworkPolicy", "shop", "default-deny"]
    yield "lets all in: networkpolicy", policy, edited(policy, lambda t: t.update(spec={"podSelector": {}, "policyTypes": ["Ingress"], "ingress": [{}]}))
    role = by["Role", "shop", "checkout-config"]
    yield "all rights: role", role, edited(role, lambda t: t.update(rules=[{"apiGroups": ["*"], "resources": ["*"], "verbs": ["*"]}]))
    yield "reads secrets: role", role, edited(role, lambda t: t.update(rules=[{"apiGroups": [""], "resources": ["secrets"], "verbs": ["get", "list"]}]))
    ingress = by["Ingress", "shop", "shop"]
    yield "without TLS: ingress", ingress, edited(ingress, lambda t: t["spec"].pop("tls"))
    yield "a service that is not there: ingress", ingress, edited(
        ingress, lambda t: t["spec"]["rules"][0]["http"]["paths"][0]["backend"].update(service={"name": "nowhere", "port": {"number": 80}}))
    config = by["ConfigMap", "shop", "shop-config"]
    yield "a credential: configmap", config, edited(config, lambda t: t.update(data={"password": "hunter2-Xk29fjQ8sLw0"}))
    account = by["ServiceAccount", "shop", "default"]
    yield "mounts no token: serviceaccount/default", account, edited(account, lambda t: t.update(automountServiceAccountToken=False))
    namespace = by["Namespace", None, "shop"]
    for level in ("privileged", "baseline", "restricted"):
        yield level + " is enforced: namespace", namespace, edited(
            namespace, lambda t: t["metadata"].setdefault("labels", {}).update({"pod-security.kubernetes.io/enforce": level}))
    yield "a quota", None, new("ResourceQuota", "v1", "all", spec={"hard": {"pods": "1000"}})
    yield "a limit range", None, new("LimitRange", "v1", "all", spec={"limits": [{"type": "Container", "default": {"memory": "1Gi"}}]})
    yield "a new service", None, new("Service", "v1", "fresh", spec={"selector": {"app": "nothing"}, "ports": [{"port": 80}]})
    yield "a new budget", None, new("PodDisruptionBudget", "policy/v1", "fresh", spec={"maxUnavailable": 0, "selector": {}})
    yield "a new deployment", None, new("Deployment", "apps/v1", "fresh", spec={
        "replicas": 2, "selector": {"matchLabels": {"app": "fresh"}}, "template": {
            "metadata": {"labels": {"app": "fresh"}}, "spec": {"containers": [{"name": "c", "image": "registry.example.com/fresh:1"}]}}})
    yield "a new privileged deployment", None, new("Deployment", "apps/v1", "fresh", spec={
        "replicas": 1, "selector": {"matchLabels": {"app": "fresh"}}, "template": {
            "metadata": {"labels": {"app": "fresh"}}, "spec": {"hostNetwork": True, "containers": [
                {"name": "c", "image": "fresh", "securityContext": {"privileged": True}}]}}})
    yield "a new account with all rights", None, {
        "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding", "metadata": {"name": "fresh"},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "cluster-admin"},
        "subjects": [{"kind": "ServiceAccount", "name": "cart", "namespace": "shop"}]}
    yield "a quota of one pod", None, new("ResourceQuota", "v1", "small", "limited", spec={"hard": {"limits.memory": "1Gi"}})
    for what, where, resources in (("beyond the quota", "limited", {"limits": {"memory": "2Gi"}}), ("within the quota", "limited", {"limits": {"memory": "64Mi"}}),
                                   ("privileged in a restricted namespace", "restricted", {})):
        one = new("Deployment", "apps/v1", "odd", where, spec={
            "replicas": 1, "selector": {"matchLabels": {"app": "odd"}}, "template": {"metadata": {"labels": {"app": "odd"}}, "spec": {
                "containers": [{"name": "c", "image": "registry.example.com/odd:1", "resources": resources,
                                "securityContext": {"privileged": where == "restricted"}}]}}})
        yield what, None, one
    yield "a new namespace", None, {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "fresh"}}  # last: it is long in going


def one_step(kube, gate, name, thing, before):
    """Asks, applies, pushes; (line, risks after)."""
    answer = gate.forecast(thing)
    line = {"name": name, "predicted": answer["predicted_score_exact"], "before": answer["score_exact"],
            "said": sorted({r["check"] for r in answer["risks"] if r.get("scope") == "change"})}
    line["refused"] = kube.apply(thing)
    if line["refused"]:
        return line, before
    line["stuck"] = kube.settle(STUCK_S if line["said"] else SETTLE_S)
    gate.push()
    after, line["after"] = gate.risks()
    told = {way: {key(one["risk"]) for one in answer[way + "_risks"] if not one["changed"] and "exempt" not in one["risk"]}
            for way in ("new", "resolved")}
    true = {"new": after - before, "resolved": before - after}
    line["differences"] = [["told", way, *one] for way in told for one in sorted(told[way] - true[way], key=str)] + \
        [["true", way, *one] for way in told for one in sorted(true[way] - told[way], key=str)]
    return line, after


def main():
    with open(sys.argv[1]) as file:
        things = json.load(file)
    only = re.compile(sys.argv[2] if len(sys.argv) > 2 else "")
    kube, gate = Kube(), Gate()
    gate.push()
    risks, _ = gate.risks()
    for name, now, will in changes(things):
        if not only.search(name):
            continue
        line, risks = one_step(kube, gate, name, will, risks)
        print(json.dumps(line), flush=True)
        if now and not line["refused"]:
            line, risks = one_step(kube, gate, "undone: " + name, now, risks)
            print(json.dumps(line), flush=True)
        elif not line["refused"]:
            kube.delete(will)
            kube.settle(SETTLE_S)
            time.sleep(0.5)
            gate.push()
            risks, _ = gate.risks()


if __name__ == "__main__":
    main()
