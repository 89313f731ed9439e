"""A real browser for tests: Debian's Chromium, headless, with a profile of its own.

    browser = Browser(stack.url)
    browser.sign_in(ada)
    browser.button("Create key").click()
    browser.clean()           at the end: nothing on the console, no report of the content security
                              policy, and no request to anybody but the stack

Elements are found as a person would: by their role and accessible name (find.js), or by data-test where
something has no name. Each of these waits for what it is to find, a few seconds at most.
"""
import atexit
import json
import os
import shutil
import tempfile
import time
import urllib.parse

from selenium import webdriver
from selenium.common.exceptions import ElementClickInterceptedException, JavascriptException, StaleElementReferenceException, WebDriverException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.keys import Keys

from tap import diag, empty, within

HERE = os.path.dirname(__file__)
CHROMIUM, DRIVER = "/usr/bin/chromium", "/usr/bin/chromedriver"
AXE = "/usr/local/share/loadline-tests/axe-core/axe.min.js"
FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--force-prefers-reduced-motion",
         "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--window-size=1280,1000"]
WAIT = 10


class NotFound(AssertionError):
    pass


def _read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def _check_prerequisites():
    missing = [path for path in (CHROMIUM, DRIVER) if not os.path.exists(path)]
    if missing:
        print(f"Bail out! {', '.join(missing)} not found: scripts/setup installs what these tests need")
        raise SystemExit(1)


class Browser:
    def __init__(self, url, *flags):
        _check_prerequisites()
        self.url = url
        self.profile = tempfile.mkdtemp(prefix="loadline-chromium-")
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        for flag in [*FLAGS, *flags, f"--user-data-dir={self.profile}"]:
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        options.add_experimental_option("perfLoggingPrefs", {"enableNetwork": True, "enablePage": False})
        # Downloads stay in the profile and go with it.
        options.add_experimental_option("prefs", {"download.default_directory": f"{self.profile}/downloads"})
        atexit.register(self.close)
        self.driver = webdriver.Chrome(service=Service(DRIVER), options=options)
        self.driver.get("about:blank")
        self.driver.get_log("performance")  # those of the page that a new browser shows
        self.driver.get_log("browser")
        self.console, self.strangers, self.transferred, self.requests = [], [], {}, []
        self.expected = []

    def close(self):
        if getattr(self, "driver", None):
            driver, self.driver = self.driver, None
            try:
                driver.quit()
            except WebDriverException as error:
                diag(error)
        shutil.rmtree(self.profile, ignore_errors=True)

    # ---- pages

    def open(self, place=""):
        """A place of the dashboard, as a person who enters the address or follows a link sees it."""
        self.driver.get(f"{self.url}/{place}")

    def go(self, place):
        """The same within the page, which is not loaded again."""
        self.js("location.hash = arguments[0]", place)

    def js(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def wait_js(self, script, *arguments):
        return self.driver.execute_async_script(script, *arguments)

    def cdp(self, method, **parameters):
        return self.driver.execute_cdp_cmd(method, parameters)

    @property
    def title(self):
        return self.driver.title

    @property
    def place(self):
        return urllib.parse.urlsplit(self.driver.current_url).fragment

    def text(self, selector="body"):
        return self.js("const e = document.querySelector(arguments[0]); return e ? e.innerText : ''", selector)

    def shows(self, text, seconds=WAIT, selector="body"):
        """Whether the text can be read on the page, soon; blanks and case do not matter."""
        wanted = " ".join(text.split()).lower()
        return within(seconds, lambda: wanted in " ".join(self.text(selector).split()).lower())

    def gone(self, text, seconds=WAIT, selector="body"):
        wanted = " ".join(text.split()).lower()
        return within(seconds, lambda: wanted not in " ".join(self.text(selector).split()).lower())

    # ---- elements

    def all(self, role, name="", exact=False, inside=None):
        try:
            return self.js(FIND, inside, role, name, exact)
        except (StaleElementReferenceException, JavascriptException):
            return []

    def find(self, role, name="", exact=False, inside=None, seconds=WAIT):
        found = within(seconds, lambda: self.all(role, name, exact, inside))
        if not found:
            raise NotFound(f"no {role} named {name!r} at #{self.place}; the page says:\n{self.text('main')[:800]}")
        return found[0]

    def button(self, name, **how):
        return self.find("button", name, **how)

    def link(self, name, **how):
        return self.find("link", name, **how)

    def heading(self, name, **how):
        return self.find("heading", name, **how)

    def field(self, name, **how):
        return self.find("textbox", name, **how)

    def row(self, name, **how):
        return self.find("row", name, **how)

    def marked(self, mark, seconds=WAIT):
        """What has data-test="mark"."""
        selector = f"[data-test='{mark}']"
        found = within(seconds, lambda: self.js("return [...document.querySelectorAll(arguments[0])]", selector))
        if not found:
            raise NotFound(f"nothing has data-test={mark} at #{self.place}; the page says:\n{self.text('main')[:800]}")
        return found[0]

    def click(self, role, name="", **how):
        """Clicks what is there by then, even when the page is being drawn anew."""
        for _ in range(5):
            try:
                return self.find(role, name, **how).click()
            except (StaleElementReferenceException, ElementClickInterceptedException):
                time.sleep(0.05)
        raise NotFound(f"{role} {name!r} is drawn anew all the time")

    def fill(self, name, text, **how):
        field = self.field(name, **how)
        field.clear()
        field.send_keys(text)
        return field

    def choose(self, name, option, **how):
        """An option of a select, by its text."""
        select = self.find("combobox", name, **how)
        chosen = within(WAIT, lambda: self.js("""const [select, text] = arguments;
            const texts = [...select.options].map((o) => o.text.trim().toLowerCase()), wanted = text.toLowerCase();
            const at = texts.findIndex((one) => one.startsWith(wanted));
            const option = select.options[at < 0 ? texts.findIndex((one) => one.includes(wanted)) : at];
            if (!option) return false;
            select.value = option.value;
            select.dispatchEvent(new Event("input", { bubbles: true }));
            select.dispatchEvent(new Event("change", { bubbles: true }));
            return true;""", select, option))
        if not chosen:
            raise NotFound(f"no option {option!r} of {name!r}, but: {select.text!r}")
        return select

    def press(self, *keys):
        self.driver.switch_to.active_element.send_keys(*keys)

    def focused(self):
        """Role, name and text of what has the focus."""
        element = self.driver.switch_to.active_element
        return f"{element.aria_role} {element.accessible_name}"

    # ---- circumstances

    def size(self, width, height=800, mobile=False):
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile)

    def scheme(self, scheme):
        """What the system prefers: light or dark."""
        self.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def on_every_page(self, script):
        """Runs before those of the page."""
        return self.cdp("Page.addScriptToEvaluateOnNewDocument", source=script)["identifier"]

    def faster(self, factor):
        """Timers of a second and more run out sooner: an hour of polling in less than a minute. Not those of 30 s
        and more, which is what the page waits for an answer."""
        return self.on_every_page(f"""{{
            const later = window.setTimeout.bind(window);
            window.setTimeout = (work, ms = 0, ...more) => later(work, ms >= 1000 && ms < 30000 ? ms / {factor} : ms, ...more);
        }}""")

    # ---- what the dashboard has for everybody

    def sign_in(self, who, place=""):
        self.open(place)
        self.fill("E-mail", who.email)
        self.fill("Password", who.password)
        self.press(Keys.ENTER)
        if not within(WAIT, self.signed_in):
            raise NotFound(f"no session of {who.email}; the page says:\n{self.text()[:2000]}")

    def signed_in(self):
        return self.js("return sessionStorage.length > 0")

    def sign_out(self):
        self.js("sessionStorage.clear()")
        self.driver.get("about:blank")

    # ---- what must not be

    def axe(self):
        """What axe-core finds wrong with the page as it is: rule, severity, where."""
        if not AXE_SOURCE:
            return [f"{AXE} is not there: scripts/setup fetches it"]
        if not self.js("return typeof axe === 'object'"):
            self.js(AXE_SOURCE)
        found = self.wait_js("""const done = arguments[arguments.length - 1];
            axe.run(document, { resultTypes: ["violations"] }).then((r) => done(r.violations), (e) => done([{ id: String(e), impact: "", nodes: [] }]))""")
        return [f"{rule['id']} ({rule['impact']}): {node['html'][:160]} {(node['any'] + node['all'] + node['none'] or [{'message': ''}])[0]['message'][:200]}"
                for rule in found for node in rule["nodes"] or [{"html": "", "any": [], "all": [], "none": []}]]

    def expect(self, *refusals):
        """From now on: refusals of the server that a test provokes. Chromium reports each of them on the
        console; such a line is no fault of the page. "401" or "/api/keys 403"."""
        self.expected += refusals

    def read_logs(self):
        """Takes what the browser has logged since the last time."""
        for entry in self.driver.get_log("browser"):
            if not self._is_expected(entry):
                self.console.append(f"{entry['level']} {entry['source']}: {entry['message']}")
        for entry in self.driver.get_log("performance"):
            self._read_network(json.loads(entry["message"])["message"])

    def _is_expected(self, entry):
        if entry["source"] != "network":
            return False
        for refusal in self.expected:
            path, _, status = refusal.rpartition(" ")
            if path in entry["message"] and (f"status of {status} " in entry["message"] or f"net::{status}" in entry["message"]):
                return True
        return False

    def _read_network(self, message):
        parameters = message["params"]
        if message["method"] == "Network.requestWillBeSent":
            url = parameters["request"]["url"]
            if url.startswith((f"{self.url}/", f"blob:{self.url}/")):
                self.requests.append((parameters["request"]["method"], url[len(self.url):]))
            elif not url.startswith(("about:", "data:", "chrome:", "chrome-extension:")):
                self.strangers.append(url)
        elif message["method"] == "Network.loadingFinished":
            self.transferred[parameters["requestId"]] = parameters["encodedDataLength"]

    def clean(self):
        """The tests that end each file."""
        for window in self.driver.window_handles:
            self.driver.switch_to.window(window)
            self.read_logs()
        empty("the console and the reports of the content security policy are empty", "\n".join(self.console))
        empty("nothing was asked of anybody else", "\n".join(sorted(set(self.strangers))))


FIND = _read(os.path.join(HERE, "find.js"))
AXE_SOURCE = _read(AXE) if os.path.exists(AXE) else ""
