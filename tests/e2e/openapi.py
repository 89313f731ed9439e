#!/usr/bin/env python3
"""openapi.py: makes every request that /openapi.json describes, and compares the answers with it. Prints TAP.

  openapi.py URL METRICS_TOKEN SNAPSHOT

Examples of the document are what is sent. What an example cannot know (ids, tokens, codes) stands in wanted(), and in
ORDER what has to be there before. A new route needs a line here only when it has such members."""
import base64
import gzip
import hashlib
import hmac
import json
import re
import struct
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

url, metrics_token, snapshot = sys.argv[1:4]
tests = failed = 0
state = {}


def ok(good, what, *why):
    global tests, failed
    tests += 1
    failed += not good
    print(("ok " if good else "not ok ") + f"{tests} - {what}")
    for line in () if good else why:
        print("# " + str(line)[:600])
    return good


def call(method, path, headers=None, body=None):
    data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    request = urllib.request.Request(url + path, data=data, method=method, headers=headers or {})
    if data is not None and not request.has_header("Content-type"):
        request.add_header("Content-Type", "application/json")
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as answer:
        return answer.code, answer.headers, answer.read()


def code_of(secret, step=0):
    """A code of the second factor (RFC 6238). A step counts once."""
    key = base64.b32decode(secret + "=" * (-len(secret) % 8))
    digest = hmac.new(key, struct.pack(">Q", int(time.time()) // 30 + step), hashlib.sha1).digest()
    at = digest[-1] & 15
    return "%06d" % ((struct.unpack(">I", digest[at:at + 4])[0] & 0x7FFFFFFF) % 1000000)


def later(days):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 86400 * days))


# What makes something comes before what changes it, and that before what removes it.
FIRST = ["POST /ingest", "POST /ingest/logs", "POST /api/validate", "POST /api/members", "POST /api/notifications/channels",
         "POST /api/notifications/channels/test"]
LAST = ["DELETE /api/sessions", "POST /api/links", "POST /api/links/accept",
        "POST /api/auth/second-factor", "POST /api/auth/second-factor/confirm",
        "POST /api/auth/second-factor/recovery", "DELETE /api/auth/second-factor",
        "DELETE /api/sessions/others", "DELETE /api/sessions/member", "DELETE /api/members",
        "POST /api/auth/password", "POST /api/auth/refresh", "DELETE /api/clusters", "POST /api/auth/logout"]
RANK = {"POST": 1, "PATCH": 3, "GET": 2, "DELETE": 4}
# Where the stack of the test has no such thing, the described answer is this error.
ELSE = {"POST /api/auth/oidc": "no_oidc", "POST /api/auth/oidc/finish": "no_oidc",
        "POST /api/notifications/deliveries/replay": "still_queued"}
# Further bodies, whose answers have other members.
DEPLOYMENT = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "cart"}, "spec": {"selector": {"matchLabels": {"app": "cart"}},
              "template": {"metadata": {"labels": {"app": "cart"}}, "spec": {"containers": [{"name": "cart", "image": "cart:1"}]}}}}
OTHERS = {"POST /api/validate": {"the cluster alone": {"cluster_id": "shop"},
                                 "a manifest": {"cluster_id": "shop", "manifest": DEPLOYMENT, "baseline": "last_safe"}},
          "POST /api/members": {"with a password": {"email": "other@openapi.example", "role": "member", "password": "correct-horse-5"}},
          "POST /api/notifications/channels": {"one that is not signed": {"type": "slack", "webhookUrl": "https://hooks.openapi.example/"}},
          "POST /api/notifications/rules": {"for all": {"condition": "degraded_app", "clusterId": None, "channelIds": None}},
          "PATCH /api/notifications/rules": {"for all": {"clusterId": None, "channelIds": None}}}


def order(name):
    method, path = name.split()
    for place, names in ((0, FIRST), (2, LAST)):
        if name in names:
            return place, names.index(name), ""
    return 1, RANK[method], path


def wanted(name):
    """Members that no example can know."""
    path = name.split()[1]
    if name == "POST /api/auth/verify" or name == "POST /api/auth/refresh":
        return {"token": state["token"]}
    if path in ("/api/links", "/api/links/accept"):
        return {"token": state["POST /api/members"]["invitation"].split("/")[-1]}
    if name == "POST /ingest/logs":
        return {"lines": [{"timestamp": later(0), "message": "it failed", "level": "ERROR"}]}
    if name == "POST /api/auth/oidc/finish":
        return {"state": "s", "code": "c", "verifier": "v"}
    if path.startswith("/api/auth/second-factor"):
        if path.endswith("confirm"):
            return {"code": code_of(state["secret"])}
        if path.endswith("recovery"):
            return {"code": state["POST /api/auth/second-factor/confirm"]["recoveryCodes"][0]}
        return {"code": state["POST /api/auth/second-factor/recovery"]["recoveryCodes"][0]} if name.startswith("DELETE") else {}
    if name in ("POST /api/notifications/silences", "POST /api/overrides"):
        return {"until": later(1)}
    if name == "POST /api/decisions/outcome":
        return {"decision_id": state["POST /api/validate"]["decision_id"]}
    if path == "/api/exemptions" and name[:3] != "GET":
        found = {"expires": later(7)[:10]}
        return found if name.startswith("POST") else {**found, "id": state["POST /api/exemptions"]["id"]}
    if name == "DELETE /api/sessions":
        return {"id": next(s["id"] for s in state["GET /api/sessions"] if not s["current"])}
    if path == "/api/sessions/member":
        return {"id": state["POST /api/members"]["id"]}
    if path == "/api/notifications/deliveries/replay":
        return {"id": state["POST /api/notifications/channels/test"]["id"]}
    maker = "POST /api/notifications/channels" if "/channels/" in path else "POST " + path
    if state.get(maker) and "id" in state[maker] and name != maker and not name.startswith("GET"):
        return {"id": state[maker]["id"]}
    return {}


def example(member):
    schema = member.get("schema", member)
    return member.get("example", schema.get("example"))


def conforms(value, schema, where="$"):
    """What is wrong with the value, a sentence each."""
    if "$ref" in schema:
        prefix, _, name = schema["$ref"].rpartition("/")
        if prefix != "#/components/schemas" or name not in document["components"]["schemas"]:
            return [f"{where}: there is no {schema['$ref']}"]
        schema = document["components"]["schemas"][name]
    if "oneOf" in schema:
        wrong = [conforms(value, one, where) for one in schema["oneOf"]]
        return [] if wrong.count([]) == 1 else sum(wrong, [f"{where} is as {wrong.count([])} of oneOf"])
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    names = {dict: "object", list: "array", str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}
    kind = names[type(value)]
    if types and kind not in types and not (kind == "integer" and "number" in types):
        return [f"{where} is {kind}, and not {' or '.join(types)}"]
    wrong = []
    if "enum" in schema and value not in schema["enum"]:
        wrong.append(f"{where} is {value!r}, and not one of {schema['enum']}")
    if isinstance(value, dict):
        wrong += [f"{where}.{name} is missing" for name in schema.get("required", []) if name not in value]
        for name, part in schema.get("properties", {}).items():
            if name in value:
                wrong += conforms(value[name], part, f"{where}.{name}")
        others = [name for name in value if name not in schema.get("properties", {})]
        if "additionalProperties" in schema:
            wrong += sum((conforms(value[name], schema["additionalProperties"], f"{where}.{name}") for name in others), [])
        elif "properties" in schema:
            wrong += [f"{where}.{name} is not described" for name in others]
    if isinstance(value, list) and "items" in schema:
        for item in value:
            wrong += conforms(item, schema["items"], where + "[]")
    if isinstance(value, str):
        shapes = {"uuid": r"[0-9a-f-]{36}$", "date-time": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$", "email": r"[^ ]+@[^ ]+$"}
        shape = shapes.get(schema.get("format"))
        if shape and not re.match(shape, value):
            wrong.append(f"{where} is no {schema['format']}: {value!r}")
    return wrong


def shape(value):
    """An answer in the words of openapi.def, for who describes a new route."""
    if isinstance(value, list):
        every = [item for item in value if isinstance(item, dict)]
        first = {k: next((i[k] for i in every if i[k] is not None), None) for k in (every or [{}])[0] if all(k in i for i in every)}
        return "[" + shape(first)[1:-1] + "]"
    words = []
    for name, part in value.items():
        kind = {dict: ":object", bool: ":boolean", int: ":integer", float: ":number", type(None): "?"}.get(type(part), "")
        if isinstance(part, list):
            kind = ":[object]" if part and isinstance(part[0], dict) else ":[string]"
        if isinstance(part, str) and re.match(r"\d{4}-\d\d-\d\dT", part):
            kind = ":date-time"
        if isinstance(part, str) and re.match(r"[0-9a-f]{8}-[0-9a-f]{4}-", part):
            kind = ":uuid"
        words.append(name + kind)
    return "{" + " ".join(words) + "}"


def request_of(name, operation):
    """Path with query, headers and body, of what the document says."""
    known, query, headers, body = wanted(name), {}, {}, None
    for parameter in operation.get("parameters", []):
        value = known.get(parameter["name"], example(parameter))
        if value is not None:
            (headers if parameter["in"] == "header" else query)[parameter["name"]] = str(value)
    if "requestBody" in operation:
        schema = operation["requestBody"]["content"]["application/json"]["schema"]
        body = {}
        for member, part in schema.get("properties", {}).items():
            value = known.get(member, example(part))
            if value is not None:
                body[member] = value
        if name == "POST /ingest":
            body = gzip.compress(open(snapshot, "rb").read())
            headers["Content-Encoding"] = "gzip"
    for scheme in operation["security"]:
        if "session" in scheme:
            headers["Authorization"] = "Bearer " + state["token"]
        if "apiKey" in scheme:
            headers["X-API-Key"] = state["apiKey"]
    if name == "GET /metrics":
        headers["Authorization"] = "Bearer " + metrics_token
    path = name.split()[1]
    return path + ("?" + urllib.parse.urlencode(query) if query else ""), headers, body


def remember(name, value):
    if isinstance(value, dict) and "token" in value and name in ("POST /api/auth/login", "POST /api/auth/refresh", "POST /api/auth/password"):
        state["token"] = value["token"]
    if name == "POST /api/auth/second-factor":
        state["secret"] = value["secret"].replace(" ", "")
    state[name] = value


def check_answer(name, operation, status, headers, body):
    expected = next(int(s) for s in operation["responses"] if s.startswith("2"))
    if name in ELSE:
        answer = json.loads(body)
        wrong = conforms(answer, document["components"]["schemas"]["Error"])
        return ok(answer.get("code") == ELSE[name] and not wrong, f"{name}: the error {ELSE[name]}, as described", status, body, wrong)
    if not ok(status == expected, f"{name}: {expected}", f"it is {status}", body[:300]):
        return False
    content = operation["responses"][str(expected)]["content"]
    kind = headers.get_content_type()
    if kind == "application/json":
        remember(name, json.loads(body))
    if not ok(kind in content, f"{name}: a type that is described", f"{kind} is not among {list(content)}",
              "say in cgi-bin/openapi.def: " + (shape(json.loads(body)) if kind == "application/json" else kind)):
        return False
    if kind == "application/json":
        value = json.loads(body)
        wrong = conforms(value, content[kind].get("schema", {}))
        ok(not wrong, f"{name}: the answer is as described", *wrong, "the answer: " + shape(value))
    return True


def check_required(name, operation, path, headers, body):
    """Without a member that is required, the answer is 400 and names it."""
    for parameter in operation.get("parameters", []):
        if parameter["required"] and parameter["in"] == "query":
            bare = path.split("?")[0]
            pairs = [p for p in urllib.parse.parse_qsl(path.partition("?")[2]) if p[0] != parameter["name"]]
            status, _, answer = call(name.split()[0], bare + "?" + urllib.parse.urlencode(pairs), headers,
                                     body if not isinstance(body, dict) else {k: v for k, v in body.items() if k != parameter["name"]})
            field = json.loads(answer).get("field")
            ok((status, field) == (400, parameter["name"]), f"{name}: {parameter['name']} is required", status, answer)
    if isinstance(body, dict):
        required = operation["requestBody"]["content"]["application/json"]["schema"].get("required", [])
        for member in required:
            status, _, answer = call(name.split()[0], path, headers, {k: v for k, v in body.items() if k != member})
            ok((status, json.loads(answer).get("field")) == (400, member), f"{name}: {member} is required", status, answer)


def check_formats(name, operation, path, headers, body):
    """Each value of format gives a type that is described."""
    for parameter in operation.get("parameters", []):
        for value in parameter["schema"].get("enum", []) if parameter["name"] == "format" else []:
            other = re.sub(r"format=\w+", "format=" + value, path)
            status, answer, _ = call(name.split()[0], other, headers, body)
            expected = operation["responses"]["200"]["content"]
            ok(status == 200 and answer.get_content_type() in expected, f"{name}: format={value}", status, answer.get_content_type(), list(expected))


def check_others(name, operation, path, headers, body):
    """What is not required may be left out, and what makes another answer is described as well."""
    method, _, bare = name.partition(" ")
    expected = next(int(s) for s in operation["responses"] if s.startswith("2"))
    content = operation["responses"][str(expected)]["content"]
    parameters = {p["name"]: p["required"] for p in operation.get("parameters", [])}
    given = dict(urllib.parse.parse_qsl(path.partition("?")[2]))
    least = {key: value for key, value in given.items() if parameters[key]}
    asked = [(what, given, headers, document) for what, document in OTHERS.get(name, {}).items()]
    if method == "GET":
        asked.append(("what is required alone", least, headers, body))
        if parameters.get("id") is False:
            first = json.loads(call(method, bare, headers)[2])[0]
            asked.append(("one of them", {**least, "id": first["id"]}, headers, body))
        if "since" in parameters:
            # Of a full second: the snapshot may be of this one, and later than its beginning.
            asked.append(("since", {**least, "since": later(1)}, headers, body))
    if "text/plain" in content and len(content) > 1:
        asked.append(("as text", given, {**headers, "Accept": "text/plain"}, body))
    for what, query, sent, document_sent in asked:
        status, answer, text = call(method, bare + ("?" + urllib.parse.urlencode(query) if query else ""), sent, document_sent)
        kind = answer.get_content_type()
        wrong = conforms(json.loads(text), content[kind].get("schema", {})) if kind == "application/json" and status == expected else []
        if what in OTHERS.get(name, {}):
            wrong += conforms(document_sent, operation["requestBody"]["content"]["application/json"]["schema"], "the body")
        ok(status == expected and kind in content and not wrong, f"{name}: {what}: as described", status, kind, *wrong, text[:300])


def check_parameters(name, operation, path, headers, body):
    """A parameter that exists refuses what it cannot be."""
    for parameter in operation.get("parameters", []):
        schema = parameter["schema"]
        if parameter["in"] == "query" and (schema["type"] == "integer" or "enum" in schema or schema.get("format")):
            bare, _, query = path.partition("?")
            pairs = [p for p in urllib.parse.parse_qsl(query) if p[0] != parameter["name"]] + [(parameter["name"], "no such")]
            status, _, answer = call(name.split()[0], bare + "?" + urllib.parse.urlencode(pairs), headers, body)
            ok(status == 400 and json.loads(answer).get("field") == parameter["name"],
               f"{name}: {parameter['name']} is {schema.get('format', schema['type'])}", status, answer)


def formats(part):
    """Every "format" of the document."""
    if isinstance(part, dict):
        return [value for key, value in part.items() if key == "format"] + sum(map(formats, part.values()), [])
    return sum(map(formats, part), []) if isinstance(part, list) else []


def check_type(name, operation, path, headers, body):
    """Where a body is read, one of another type or encoding is refused."""
    if "415" in operation["responses"]:
        wrong = {"Content-Encoding": "br"} if name.split()[1].startswith("/ingest") else {"Content-Type": "text/plain"}
        status, _, answer = call(name.split()[0], path, {**headers, **wrong}, b"{}")
        ok(status == 415, f"{name}: a body of a wrong type is 415", status, answer)


def conflicts_of_docs():
    """The errors of status 409 that docs/api.md tells of each request."""
    found, name = {}, None
    for part in re.split(r"^(##[^#\n].*|###[^#\n].*)$", open("docs/api.md").read(), flags=re.M):
        heading = re.match(r"##+ (.*)", part)
        if heading:
            name = heading[1] if re.match(r"(GET|POST|PATCH|DELETE) /\S*$", heading[1]) else None
        elif name:
            for codes in re.findall(r"409\s((?:`\w+`(?:,\s|\sand\s|[^`.;]*,\s)?)+)", part):
                found.setdefault(name, set()).update(re.findall(r"`(\w+)`", codes))
    return found


def check_late():
    """A snapshot of yesterday that comes late: when its risks opened is not known."""
    yesterday = later(-1)
    for cluster_time in ({}, {"X-Snapshot-Time": yesterday}):
        call("POST", "/ingest", {"X-API-Key": state["apiKey"], "X-Cluster-Id": "late", **cluster_time}, open(snapshot, "rb").read())
    path = "/api/risks"
    status, _, body = call("GET", f"{path}?clusterId=late&at={yesterday}", {"Authorization": "Bearer " + state["token"]})
    wrong = conforms(json.loads(body), document["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]["schema"])
    ok(status == 200 and b"first_seen" not in body and not wrong, "GET /api/risks: of a snapshot that came late: as described", status, *wrong, body[:300])


status, headers, body = call("GET", "/openapi.json")
document = json.loads(body)
ok(status == 200 and document["openapi"] == "3.1.0", "GET /openapi.json", status)
ok(set(formats(document)) == {"uuid", "date-time", "email", "password"}, "no format is empty", set(formats(document)))
account = {"company": "Example", "email": "you@openapi.example", "password": "correct-horse-8"}
status, _, body = call("POST", "/api/auth/signup", body=account)
assert status == 201, body
state.update({key: json.loads(body)[key] for key in ("token", "apiKey")})
call("POST", "/api/auth/login", body={"email": account["email"], "password": account["password"]})

check_late()

operations = {f"{method.upper()} {path}": operation for path, methods in document["paths"].items() for method, operation in methods.items()}
described = {name: set(re.findall(r"[a-z]+(?:_[a-z]+)+", operation["responses"]["409"]["description"]))
             for name, operation in operations.items() if "409" in operation["responses"]}
ok(described == conflicts_of_docs(), "409 is described where docs/api.md tells of it, with its codes",
   *[f"{name}: {described.get(name)}, docs: {codes}" for name, codes in {**described, **conflicts_of_docs()}.items() if described.get(name) != conflicts_of_docs().get(name)])
ok(all("431" in operation["responses"] for operation in operations.values()), "each request can have too large a header")
for name in sorted(operations, key=order):
    operation = operations[name]
    try:
        path, headers, body = request_of(name, operation)
        if ELSE.get(name) != "no_oidc":
            check_required(name, operation, path, headers, body)
            check_parameters(name, operation, path, headers, body)
            check_formats(name, operation, path, headers, body)
            check_type(name, operation, path, headers, body)
        if check_answer(name, operation, *call(name.split()[0], path, headers, body)) and name not in ELSE:
            check_others(name, operation, path, headers, body)
        if operation["security"]:
            bare = {k: v for k, v in headers.items() if k not in ("Authorization", "X-API-Key")}
            status, _, answer = call(name.split()[0], path, bare, body)
            ok(status == 401, f"{name}: wants its credential", status, answer)
    except (LookupError, StopIteration, ValueError) as problem:
        ok(False, f"{name}: could be asked", repr(problem), "say in tests/e2e/openapi.py, wanted() or ORDER, what it needs")
print(f"1..{tests}")
sys.exit(1 if failed else 0)
