"""A stack for tests in the browser, and its API as an agent, CI or a script would use it.

    stack = shared()          that of this run (tests/browser/run), or one of our own when run alone
    stack = Stack("--set", "session_lifetime=20")   always one of our own, stopped at exit
    ada = stack.account()     somebody new with a tenant, an API key and a session
    ada.push("production", cluster(...))
"""
import atexit
import gzip
import http.client
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import urllib.parse

from tap import diag, within

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
BUILD = os.path.abspath(os.environ.get("LOADLINE_BUILD", os.path.join(ROOT, "build", "release")))
SERVER = os.environ.get("LOADLINE_TEST_SERVER", "lighttpd")
# No limits that tests would run into, and receivers of alerts on this machine.
OPTIONS = ["--server", SERVER, "--workers", "maintain=0"]
for setting in ("signup_limit=0/600", "login_fail_limit=0/300", "login_limit=0/300", "key_fail_limit=0/60", "password_wait=60", "password_cost=10",
                "webhook_allow=127.0.0.0/8", "webhook_allow_http=1"):
    OPTIONS += ["--set", setting]
# Whoever ends a test ends what it has started, too.
for each in (signal.SIGTERM, signal.SIGHUP):
    signal.signal(each, lambda number, frame: sys.exit(128 + number))


def bail_out(why):
    diag(why)
    print("Bail out!", why.splitlines()[0])
    sys.exit(1)


class Answer:
    """Of a request: status, headers (by lower-case names), the body, and as JSON where it is that."""

    def __init__(self, response):
        self.status = response.status
        self.headers = {name.lower(): value for name, value in response.getheaders()}
        self.body = response.read()

    @property
    def json(self):
        return json.loads(self.body)


class Stack:
    def __init__(self, *options):
        self.directory = tempfile.mkdtemp(prefix="loadline-browser-")
        self.options = options
        atexit.register(self.close)
        for _ in range(3):
            self.port = random.randrange(20000, 32000)
            if self.up():
                return
            if "is taken" not in self.said:
                break
        bail_out(f"scripts/up failed\n{self.said}")

    def up(self):
        data = os.environ.get("LOADLINE_TEST_DATA")  # an empty database that is there already
        if data and not os.path.exists(f"{self.directory}/stack"):
            os.mkdir(f"{self.directory}/stack", 0o700)
            subprocess.run(["cp", "-a", data, f"{self.directory}/stack/data"], check=True)
        run = subprocess.run([f"{ROOT}/scripts/up", "--dir", f"{self.directory}/stack", "--port", str(self.port),
                              "--build", BUILD, *OPTIONS, *self.options], capture_output=True, text=True, check=False)
        self.said = run.stderr
        self.url = f"http://127.0.0.1:{self.port}"
        return f"base_url={self.url}" in run.stdout

    def down(self):
        subprocess.run([f"{ROOT}/scripts/down", "--dir", f"{self.directory}/stack"], check=False)

    def close(self):
        self.down()
        shutil.rmtree(self.directory, ignore_errors=True)

    def admin_file(self):
        return f"{self.directory}/stack/admin.cnf"

    def sql(self, statement):
        run = subprocess.run(["mariadb", f"--defaults-file={self.admin_file()}", "--batch", "--skip-column-names",
                              "-e", statement], capture_output=True, text=True, check=True)
        return run.stdout.strip()

    def request(self, method, path, body=None, headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", int(self.url.rsplit(":", 1)[1]), timeout=60)
        headers = {"Content-Type": "application/json", **(headers or {})}
        if not isinstance(body, (bytes, type(None))):
            body = json.dumps(body).encode()
        connection.request(method, path, body, headers)
        try:
            return Answer(connection.getresponse())
        finally:
            connection.close()

    def account(self, company="Example"):
        who = Somebody(self, email=f"test-{os.getpid()}-{random.randrange(10**9)}@example.com", password=f"correct-horse-{random.randrange(10**6)}")
        answer = self.request("POST", "/api/auth/signup", {"company": company, "email": who.email, "password": who.password}).json
        who.tenant, who.token, who.key = answer["tenantId"], answer["token"], answer["apiKey"]
        return who


class Shared(Stack):
    """That which tests/browser/run has started, and stops."""

    def __init__(self):  # pylint: disable=super-init-not-called
        self.url = os.environ["LOADLINE_E2E_URL"]
        self.stack_directory = os.environ["LOADLINE_E2E_DIR"]

    def admin_file(self):
        return f"{self.stack_directory}/admin.cnf"


def shared():
    return Shared() if "LOADLINE_E2E_URL" in os.environ else Stack()


class Somebody:
    """A member of a tenant, with a session and (who signed up) an API key."""

    def __init__(self, stack, email, password):
        self.stack, self.email, self.password = stack, email, password
        self.tenant = self.token = self.key = None

    def login(self):
        """A session of our own, beside that of the browser."""
        self.token = self.stack.request("POST", "/api/auth/login", {"email": self.email, "password": self.password}).json["token"]

    def ask(self, method, path, body=None):
        return self.stack.request(method, path, body, {"Authorization": f"Bearer {self.token}"})

    def get(self, path):
        return self.ask("GET", path).json

    def push(self, cluster, items, time=None):
        """A snapshot: a list of objects, or bytes as they are."""
        body = items if isinstance(items, bytes) else json.dumps({"apiVersion": "v1", "kind": "List", "items": items}).encode()
        headers = {"X-API-Key": self.key, "X-Cluster-Id": cluster, "Content-Encoding": "gzip"}
        if time:
            headers["X-Snapshot-Time"] = time
        answer = self.stack.request("POST", "/ingest", gzip.compress(body, 1), headers)
        if answer.status != 200:
            diag(f"push of {cluster}: {answer.status} {answer.body[:300]}")
        return answer

    def push_logs(self, cluster, namespace, pod, container, lines):
        return self.stack.request("POST", "/ingest/logs", {"namespace": namespace, "pod": pod, "container": container, "lines": lines},
                                  {"X-API-Key": self.key, "X-Cluster-Id": cluster})

    def validate(self, cluster, **more):
        return self.stack.request("POST", "/api/validate", {"cluster_id": cluster, **more}, {"X-API-Key": self.key})

    def add(self, role):
        """Somebody more of the same tenant."""
        other = Somebody(self.stack, f"{role}-{random.randrange(10**9)}@example.com", "correct-horse-2")
        self.ask("POST", "/api/members", {"email": other.email, "password": other.password, "role": role})
        other.login()
        other.tenant, other.key = self.tenant, self.key
        return other

    def plan(self, plan):
        """As the operator of the service would set it: more slots for clusters."""
        self.stack.sql(f"UPDATE loadline.tenants SET plan = '{plan}' WHERE tenant_id = '{self.tenant}'")


class Receiver:
    """tests/e2e/receiver.py: what alerts are sent to. Its paths say how it answers: /ok/..., /status/500/..."""

    def __init__(self):
        self.directory = tempfile.mkdtemp(prefix="loadline-receiver-")
        self.log = f"{self.directory}/log"
        port_file = f"{self.directory}/port"
        self.process = subprocess.Popen([sys.executable, f"{ROOT}/tests/e2e/receiver.py", "--log", self.log, "--port-file", port_file])
        atexit.register(self.close)
        if not within(10, lambda: os.path.exists(port_file)):
            bail_out("the receiver of alerts does not start")
        with open(port_file, encoding="ascii") as file:
            self.url = f"http://127.0.0.1:{file.read().strip()}"

    def received(self, path="/"):
        with open(self.log, encoding="utf-8") as file:
            entries = [json.loads(line) for line in file]
        return [entry for entry in entries if entry["path"].startswith(path)]

    def close(self):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.directory, ignore_errors=True)


def quoted(text):
    return urllib.parse.quote(text, safe="")


def slug(text):
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
