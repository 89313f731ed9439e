#!/usr/bin/env python3
"""apiserver.py: a Kubernetes API server that lists and watches objects of a file, and can be made to misbehave.

    apiserver.py --port PORT [--tls CERT KEY] [--tokens FILE] SNAPSHOT

SNAPSHOT is a List as kubectl prints it. FILE holds the tokens that count, a line each; it is read for each request.
Everything below /_control is for the test, wants no token, and is POSTed as JSON:

    put      {object}           creates or replaces an object
    delete   {object}           deletes the one of that kind, namespace and name
    log      {namespace, pod, container, previous, base64}    what a container has logged, or its run before that
    faults   {name: value}      sets what is named, of:
        forbidden   [plural]    403
        throttle    N           so many lists and watches are answered 429 with Retry-After: 1
        fail        N           so many are answered 503
        cut         N           so many lists are cut in the middle
        slow        seconds     between pieces of a list
        page_gone   N           so many requests with continue= are answered 410
        page_refused [STATUS, N]   requests with continue= are answered so, until their kind was listed anew N times
        endless     [plural]    lists that never end: the tokens of the first three pages come again and again
        unserved    [plural]    not told of by discovery, and 404
        groups_away [group]     of these discovery is answered 503
        odd         N           so many lists are answered 200 with something that is no list
        unwatched   [plural]    403 to who watches them; they may be listed
        too_old     [plural]    whose watches always begin at a version that is too old
        log_endless [pod]       whose logs never end, whatever was asked for
        log_fail    N           so many logs are answered 503
        log_cut     [pod]       whose logs are cut in the middle of their second line
        log_silent  [pod]       of whose logs no more than the header comes
    compact  {}                 what happened so far is gone: a watch from before gets 410
    drop     {}                 ends all watches, in the middle of a line

GET /_control/asked is what was asked for, a line each; /_control/watching how many watches are open;
/_control/marked how many bookmarks were sent.
"""
import argparse
import base64
import json
import ssl
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit

PLURALS = {"Ingress": "ingresses", "NetworkPolicy": "networkpolicies", "StorageClass": "storageclasses",
           "PriorityClass": "priorityclasses", "Endpoints": "endpoints", "PodMetrics": "pods", "NodeMetrics": "nodes"}
# Of each kind that is served in any case: there may be none.
ALWAYS = [("v1", kind) for kind in (
    "Pod", "ReplicationController", "Service", "ServiceAccount", "ConfigMap", "Secret", "ResourceQuota", "LimitRange",
    "PersistentVolumeClaim", "PersistentVolume", "Namespace", "Node", "Event", "Endpoints")] + [
    ("apps/v1", kind) for kind in ("Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "ControllerRevision")] + [
    ("batch/v1", "Job"), ("batch/v1", "CronJob"), ("autoscaling/v2", "HorizontalPodAutoscaler"),
    ("policy/v1", "PodDisruptionBudget"), ("discovery.k8s.io/v1", "EndpointSlice"),
    ("networking.k8s.io/v1", "Ingress"), ("networking.k8s.io/v1", "NetworkPolicy"),
    ("storage.k8s.io/v1", "StorageClass"), ("scheduling.k8s.io/v1", "PriorityClass"),
    ("coordination.k8s.io/v1", "Lease")] + [
    ("rbac.authorization.k8s.io/v1", kind) for kind in ("Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding")]


def plural_of(kind):
    return PLURALS.get(kind, kind.lower() + "s")


class State:
    def __init__(self):
        self.lock = threading.Condition()
        self.version = 1000
        self.compacted = 0
        self.objects = {}  # (apiVersion, kind) -> {(namespace, name): object}
        self.events = []  # (version, (apiVersion, kind), type, object)
        self.faults = {"forbidden": [], "throttle": 0, "fail": 0, "cut": 0, "slow": 0, "page_gone": 0, "unserved": [],
                       "groups_away": [], "endless": [], "log_endless": [], "log_fail": 0, "log_cut": [], "log_silent": [],
                       "odd": 0, "page_refused": None, "unwatched": [], "too_old": []}
        self.lists = {}  # place -> how often its first page was asked for
        self.logs = {}  # (namespace, pod, container, previous) -> bytes
        self.asked = []
        self.watching = 0
        self.marked = 0
        self.dropped = 0

    def put(self, thing, told=True):
        place = thing["apiVersion"], thing["kind"]
        meta = thing["metadata"]
        key = meta.get("namespace", ""), meta["name"]
        with self.lock:
            self.version += 1
            meta["resourceVersion"] = str(self.version)
            known = self.objects.setdefault(place, {})
            kind = "MODIFIED" if key in known else "ADDED"
            known[key] = thing
            if told:
                self.events.append((self.version, place, kind, thing))
                self.lock.notify_all()

    def delete(self, thing):
        place = thing["apiVersion"], thing["kind"]
        key = thing["metadata"].get("namespace", ""), thing["metadata"]["name"]
        with self.lock:
            gone = self.objects[place].pop(key)
            self.version += 1
            gone["metadata"]["resourceVersion"] = str(self.version)
            self.events.append((self.version, place, "DELETED", gone))
            self.lock.notify_all()

    def has(self, fault):
        """Is it one of so many?"""
        with self.lock:
            if not self.faults[fault]:
                return False
            self.faults[fault] -= 1
            return True

    def places(self):
        with self.lock:
            return sorted(set(ALWAYS) | set(self.objects))


STATE = State()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    tokens = None

    def log_message(self, *_):
        pass

    def answer(self, status, body, headers=()):
        data = body if isinstance(body, bytes) else json.dumps(body, separators=(",", ":")).encode() + b"\n"
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def status(self, code, reason, message, headers=()):
        self.answer(code, {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": message,
                           "reason": reason, "code": code}, headers)

    # ---- for the test

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
        verb = self.path.rsplit("/", 1)[1]
        if verb == "put":
            STATE.put(body)
        elif verb == "delete":
            STATE.delete(body)
        elif verb == "log":
            with STATE.lock:
                STATE.logs[body["namespace"], body["pod"], body["container"], body["previous"]] = base64.b64decode(body["base64"])
        elif verb == "faults":
            with STATE.lock:
                STATE.faults.update(body)
        elif verb == "compact":
            with STATE.lock:
                STATE.version += 1
                STATE.compacted = STATE.version
                STATE.events.clear()
                STATE.dropped += 1
                STATE.lock.notify_all()
        elif verb == "drop":
            with STATE.lock:
                STATE.dropped += 1
                STATE.lock.notify_all()
        self.answer(200, {"version": STATE.version})

    def control(self, what):
        with STATE.lock:
            text = "\n".join(STATE.asked) if what == "asked" else str(STATE.marked if what == "marked" else STATE.watching)
        self.answer(200, text.encode())

    # ---- discovery

    def groups(self):
        names = {}
        for version, _ in STATE.places():
            if "/" in version:
                group, one = version.split("/")
                names.setdefault(group, []).append(one)
        self.answer(200, {"kind": "APIGroupList", "apiVersion": "v1", "groups": [
            {"name": group, "versions": [{"groupVersion": group + "/" + v, "version": v} for v in sorted(set(versions))],
             "preferredVersion": {"groupVersion": group + "/" + max(versions), "version": max(versions)}}
            for group, versions in sorted(names.items())]})

    def resources(self, version):
        if version.split("/")[0] in STATE.faults["groups_away"]:
            self.status(503, "ServiceUnavailable", "the server is currently unable to handle the request")
            return
        metrics = version.startswith("metrics.k8s.io/")
        found = [{"name": plural_of(kind), "singularName": "", "namespaced": True, "kind": kind,
                  "verbs": ["get", "list"] if metrics else ["get", "list", "watch"]}
                 for place, kind in STATE.places() if place == version and plural_of(kind) not in STATE.faults["unserved"]]
        if not found:
            self.status(404, "NotFound", "the server could not find the requested resource")
            return
        extra = [{"name": found[0]["name"] + "/status", "singularName": "", "namespaced": True, "kind": found[0]["kind"],
                  "verbs": ["get", "patch", "update"]}]
        self.answer(200, {"kind": "APIResourceList", "groupVersion": version, "resources": extra + found})

    # ---- objects

    def find(self, parts):
        """(place, namespace or None) of a path."""
        version = parts[1] if parts[0] == "api" else "/".join(parts[1:3])
        rest = parts[2:] if parts[0] == "api" else parts[3:]
        namespace = None
        if rest[0] == "namespaces" and len(rest) == 3:
            namespace, rest = rest[1], rest[2:]
        for place in STATE.places():
            if place[0] == version and plural_of(place[1]) == rest[0]:
                return place, namespace, rest[0]
        return None, None, rest[0]

    def log(self, namespace, pod, query):
        """What a container has logged, as the kubelet tells it."""
        container, previous = query["container"][0], query.get("previous") == ["true"]
        with STATE.lock:
            text = STATE.logs.get((namespace, pod, container, previous))
            known = (namespace, pod) in STATE.objects.get(("v1", "Pod"), {})
        if "pods/log" in STATE.faults["forbidden"]:
            self.status(403, "Forbidden", 'pods "%s" is forbidden: User "agent" cannot get resource "pods/log"' % pod)
        elif STATE.has("log_fail"):
            self.status(503, "ServiceUnavailable", "the kubelet is away")
        elif not known:
            self.status(404, "NotFound", 'pods "%s" not found' % pod)
        elif pod in STATE.faults["log_endless"]:
            self.send_response(200)
            self.end_headers()
            self.close_connection = True
            line = time.strftime("%Y-%m-%dT%H:%M:%S.000000000Z ERROR again\n", time.gmtime())
            while True:  # until the other end has had enough
                self.wfile.write(line.encode() * 1000)
        elif pod in STATE.faults["log_cut"] + STATE.faults["log_silent"]:
            self.send_response(200)
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            self.close_connection = True
            if pod in STATE.faults["log_cut"]:
                first, second = text.split(b"\n")[:2]
                self.chunk(first + b"\n" + second[:-1])
            while pod in STATE.faults["log_silent"]:
                time.sleep(0.2)
        elif text is None:
            self.status(400, "BadRequest", 'previous terminated container "%s" in pod "%s" not found' % (container, pod))
        else:
            lines = text.splitlines(keepends=True) if "sinceTime" not in query else [
                line for line in text.splitlines(keepends=True) if line[:19].decode("latin-1") >= query["sinceTime"][0][:19]]
            self.answer(200, b"".join(lines[-int(query["tailLines"][0]):])[:int(query["limitBytes"][0])])

    def endless(self, place, query):
        """One more page of a list that has no end."""
        page = int(query["continue"][0]) if "continue" in query else 0
        item = {"metadata": {"name": "again%d" % page, "namespace": "x", "resourceVersion": "1"}}
        self.answer(200, {"kind": place[1] + "List", "apiVersion": place[0], "items": [item],
                          "metadata": {"resourceVersion": "1", "continue": str(page % 3 + 1)}})

    def listing(self, place, namespace, query):
        limit, offset = int(query.get("limit", ["0"])[0]), 0
        with STATE.lock:
            version = STATE.version
            known = STATE.objects.get(place, {})
            items = [known[key] for key in sorted(known) if namespace in (None, key[0])]
            lists = STATE.lists[place] = STATE.lists.get(place, 0) + ("continue" not in query)
        if "continue" in query:
            refused = STATE.faults["page_refused"]
            if refused and lists <= refused[1]:
                self.status(refused[0], "Refused", "continue key is not valid")
                return
            token, offset = query["continue"][0].split("+/=")
            version, offset = int(token), int(offset)
            if STATE.has("page_gone"):
                self.status(410, "Expired", "The provided continue parameter is too old")
                return
        page = items[offset:offset + limit] if limit else items
        meta = {"resourceVersion": str(version)}
        if limit and offset + limit < len(items):
            meta["continue"] = "%d+/=%d" % (version, offset + limit)
            meta["remainingItemCount"] = len(items) - offset - limit
        custom = "." in place[0] and not place[0].split("/")[0].endswith(".k8s.io")
        if not custom:  # as the API server: kinds of its own do not say in a list what they are
            page = [{k: v for k, v in item.items() if k not in ("kind", "apiVersion")} for item in page]
        front = {"kind": place[1] + "List", "apiVersion": place[0], "metadata": meta}
        whole = {"apiVersion": place[0], "items": page, "kind": place[1] + "List", "metadata": meta} if custom else \
            dict(front, items=page)
        self.send_list(json.dumps(whole, separators=(",", ":")).encode() + b"\n")

    def send_list(self, data):
        cut, slow = STATE.has("cut"), STATE.faults["slow"]
        if not cut and not slow:
            self.answer(200, data)
            return
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        for i in range(0, len(data) // 2 if cut else len(data), 1 + len(data) // 40):
            self.wfile.write(data[i:min(i + 1 + len(data) // 40, len(data) // 2 if cut else len(data))])
            self.wfile.flush()
            time.sleep(slow)
        self.close_connection = cut

    def chunk(self, data):
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()

    def event(self, kind, thing):
        data = json.dumps({"type": kind, "object": thing}, separators=(",", ":")).encode() + b"\n"
        self.chunk(data[:len(data) // 2])  # in pieces, as they come
        self.chunk(data[len(data) // 2:])

    def watch(self, place, namespace, query):
        since = int(query["resourceVersion"][0])
        if since > STATE.version:  # of another life
            self.status(504, "Timeout", "Timeout: Too large resource version: %d, current: %d" % (since, STATE.version))
            return
        end = time.monotonic() + int(query.get("timeoutSeconds", ["60"])[0])
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        with STATE.lock:
            dropped = STATE.dropped
            STATE.watching += 1
        try:
            self.follow(place, namespace, since, end, dropped)
        finally:
            with STATE.lock:
                STATE.watching -= 1

    def follow(self, place, namespace, since, end, dropped):
        marked = time.monotonic()
        while time.monotonic() < end:
            with STATE.lock:
                gone = since < STATE.compacted or plural_of(place[1]) in STATE.faults["too_old"]
                fresh = [e for e in STATE.events if e[0] > since and e[1] == place] if not gone else []
                version = STATE.version  # that a bookmark may name: what comes while it waits is not sent yet
                if not fresh and not gone and dropped == STATE.dropped:
                    STATE.lock.wait(0.2)
                ended = dropped != STATE.dropped
            if gone:
                self.event("ERROR", {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
                                     "message": "too old resource version", "reason": "Expired", "code": 410})
                break
            for one, _, kind, thing in fresh:
                since = one
                if namespace in (None, thing["metadata"].get("namespace")):
                    self.event(kind, thing)
            if ended:
                self.chunk(b'{"type":"MODIFIED","object":{"kind":"')
                self.close_connection = True
                self.connection.close()
                return
            if not fresh and time.monotonic() - marked > 1:
                marked, since = time.monotonic(), max(since, version)
                self.event("BOOKMARK", {"kind": place[1], "apiVersion": place[0],
                                        "metadata": {"resourceVersion": str(version), "creationTimestamp": None}})
                with STATE.lock:
                    STATE.marked += 1
        self.chunk(b"")

    def is_allowed(self):
        if not self.tokens:
            return True
        with open(self.tokens) as file:
            return self.headers.get("Authorization", "") in ["Bearer " + line.strip() for line in file if line.strip()]

    def do_GET(self):
        target = urlsplit(self.path)
        parts, query = [unquote(part) for part in target.path.strip("/").split("/")], parse_qs(target.query)
        if parts[0] == "_control":
            self.control(parts[1])
            return
        with STATE.lock:
            STATE.asked.append(self.path)
        if not self.is_allowed():
            self.status(401, "Unauthorized", "Unauthorized")
        elif STATE.has("fail"):
            self.status(503, "ServiceUnavailable", "etcd has no leader")
        elif parts == ["apis"]:
            self.groups()
        elif parts[0] in ("api", "apis") and len(parts) == (2 if parts[0] == "api" else 3):
            self.resources("/".join(parts[1:]))
        elif len(parts) == 7 and parts[4] == "pods" and parts[6] == "log":
            self.log(parts[3], parts[5], query)
        else:
            self.objects(parts, query)

    def objects(self, parts, query):
        place, namespace, name = self.find(parts)
        if not place or name in STATE.faults["unserved"]:
            self.status(404, "NotFound", "the server could not find the requested resource")
        elif name in STATE.faults["forbidden"]:
            self.status(403, "Forbidden", '%s is forbidden: User "agent" cannot list resource' % name)
        elif STATE.has("throttle"):
            self.status(429, "TooManyRequests", "too many requests", [("Retry-After", "1")])
        elif "watch" in query and name in STATE.faults["unwatched"]:
            self.status(403, "Forbidden", '%s is forbidden: User "agent" cannot watch resource' % name)
        elif "watch" in query:
            self.watch(place, namespace, query)
        elif STATE.has("odd"):
            self.answer(200, {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success"})
        elif name in STATE.faults["endless"]:
            self.endless(place, query)
        else:
            self.listing(place, namespace, query)


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, *_):
        pass  # the agent hangs up whenever it likes


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--tls", nargs=2)
    parser.add_argument("--tokens")
    parser.add_argument("snapshot")
    options = parser.parse_args()
    with open(options.snapshot) as file:
        for thing in json.load(file)["items"]:
            STATE.put(thing, told=False)
    Handler.tokens = options.tokens
    server = Server(("127.0.0.1", options.port), Handler)
    if options.tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*options.tls)
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    server.serve_forever()


if __name__ == "__main__":
    main()
