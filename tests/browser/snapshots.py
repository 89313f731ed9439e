"""Small clusters, as kubectl prints them: lists of objects for Somebody.push()."""
import datetime


def moment(seconds_ago=0):
    time = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(seconds=seconds_ago)
    return time.strftime("%Y-%m-%dT%H:%M:%S.") + f"{time.microsecond // 1000:03d}Z"


def _meta(name, namespace, **more):
    return {"name": name, "namespace": namespace, "uid": f"uid-{namespace}-{name}", "creationTimestamp": moment(86400)[:19] + "Z", **more}


def node(name="n1", ready=True):
    return {"apiVersion": "v1", "kind": "Node",
            "metadata": {"name": name, "creationTimestamp": moment(8640000)[:19] + "Z", "labels": {"topology.kubernetes.io/region": "eu-central-1"}},
            "spec": {"providerID": "aws:///eu-central-1a/i-1"},
            "status": {"conditions": [{"type": "Ready", "status": "True" if ready else "False"}],
                       "nodeInfo": {"kubeletVersion": "v1.31.2", "osImage": "Debian 12", "containerRuntimeVersion": "containerd://1.7"},
                       "allocatable": {"cpu": "4", "memory": "8Gi", "pods": "110"}}}


def hardened(image):
    """A container that checks of policy have little to say about."""
    return {"name": "main", "image": image, "imagePullPolicy": "IfNotPresent",
            "resources": {"requests": {"cpu": "100m", "memory": "64Mi"}, "limits": {"cpu": "1", "memory": "128Mi"}},
            "readinessProbe": {"httpGet": {"path": "/", "port": 80}}, "livenessProbe": {"httpGet": {"path": "/alive", "port": 80}},
            "securityContext": {"runAsNonRoot": True, "allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True,
                                "capabilities": {"drop": ["ALL"]}, "seccompProfile": {"type": "RuntimeDefault"}}}


def app(name, replicas=2, available=2, namespace="shop", image="registry.example.com/app:1.4.1", hard=False, reason=None, message=None):
    """A Deployment and its pods. Those that are not available wait for `reason` with `message`."""
    container = hardened(image) if hard else {"name": "main", "image": image}
    spec = {"containers": [container], **({"automountServiceAccountToken": False} if hard else {})}
    objects = [{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": _meta(name, namespace, generation=2),
                "spec": {"replicas": replicas, "selector": {"matchLabels": {"app": name}},
                         "template": {"metadata": {"labels": {"app": name}}, "spec": spec}},
                "status": {"observedGeneration": 2, "replicas": replicas, "updatedReplicas": replicas,
                           "readyReplicas": available, "availableReplicas": available}}]
    owner = {"apiVersion": "apps/v1", "kind": "Deployment", "name": name, "uid": f"uid-{namespace}-{name}", "controller": True}
    objects.append({"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": _meta(f"{name}-7d9f8b6c5", namespace, ownerReferences=[owner]),
                    "spec": {"replicas": replicas, "selector": {"matchLabels": {"app": name}},
                             "template": {"metadata": {"labels": {"app": name}}, "spec": spec}},
                    "status": {"replicas": replicas, "readyReplicas": available, "availableReplicas": available}})
    owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": f"{name}-7d9f8b6c5", "uid": f"uid-{namespace}-{name}-7d9f8b6c5", "controller": True}
    for i in range(replicas):
        up = i < available
        state = {"running": {"startedAt": moment(3600)[:19] + "Z"}} if up else {"waiting": {"reason": reason or "CrashLoopBackOff", "message": message or "back-off 5m0s restarting failed container"}}
        objects.append({"apiVersion": "v1", "kind": "Pod",
                        "metadata": _meta(f"{name}-7d9f8b6c5-{i}", namespace, labels={"app": name}, ownerReferences=[owner]),
                        "spec": {**spec, "nodeName": "n1"},
                        "status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True" if up else "False"}],
                                   "containerStatuses": [{"name": "main", "image": image, "ready": up, "restartCount": 0 if up else 7, "state": state}]}})
    return objects


def event(name, reason, message, namespace="shop", kind="Pod"):
    return {"apiVersion": "v1", "kind": "Event", "metadata": _meta(f"{name}.1", namespace), "type": "Warning", "reason": reason, "message": message,
            "count": 3, "firstTimestamp": moment(600)[:19] + "Z", "lastTimestamp": moment(60)[:19] + "Z",
            "involvedObject": {"kind": kind, "name": name, "namespace": namespace}}


def good():
    """A cluster that is well but for the odd point."""
    objects = [node("n1"), node("n2")]
    for name in ("cart", "front", "orders"):
        objects += app(name, hard=True)
    return objects


def bad():
    """The same after a deploy that went wrong: cart is unavailable."""
    objects = [node("n1"), node("n2")] + app("cart", available=0, image="registry.example.com/cart:latest")
    for name in ("front", "orders"):
        objects += app(name, hard=True)
    return objects
