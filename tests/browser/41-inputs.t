#!/usr/bin/python3 -B
"""What the dashboard is given by others than the server: links that somebody has shared, and what stands in the
browser's storage. Whatever is in them, the page says something sensible, stays usable, and goes nowhere else.
LOADLINE_TEST_LONG: each link, not only every fourth."""
import json
import os
import time

from browser import Browser
from snapshots import bad, good
from stack import quoted, shared
from tap import empty, is_, main, ok, within

stack = shared()
browser = Browser(stack.url)
ada, eve = stack.account(), stack.account()
ada.push("production", bad())
eve.push("secret-of-eve", good())
eve.push("production", good())
decision = ada.validate("production", source="ci").json["decision_id"]
theirs = eve.validate("secret-of-eve", source="ci").json["decision_id"]

NAMES = ["__proto__", "constructor", "-hasOwnProperty"]
TIMES = ["-1", "0001-01-01T00:00:00Z", "+275760-09-13T00:00:00Z", "-271821-04-20T00:00:00Z", "9" * 400]
TEXTS = ["<img src=x onerror=alert(1)>", "\u202e\u0000", "%", "x" * 20000]
LINKS = [f"#/{quoted(text)}" for text in (*NAMES, *TEXTS)]
LINKS += ["#", "#/", "#//", "#/clusters/", "#/clusters//pods", "#/clusters/%", "#/clusters/%ff", "#/clusters/..%2F..%2Fapi", "#/clusters/production/pods/more",
          "#?", "#/clusters?=&=&&", "javascript:alert(1)", "#/gate/..", f"#/gate/{theirs}", "#/gate/0", "#/clusters/secret-of-eve", "#/clusters/secret-of-eve/pods",
          "#/gate?check=secret-of-eve", "#/gate?cluster=secret-of-eve", "#/alerts?cluster=secret-of-eve", "#/alerts/ended?cluster=secret-of-eve",
          "#/alerts/silences?cluster=secret-of-eve", "#/clusters/production?since=2037-01-01T00:00:00Z&until=2001-01-01T00:00:00Z"]
LINKS += [f"#/settings/{name}" for name in NAMES] + [f"#/alerts/{name}" for name in NAMES] + [f"#/clusters/production/{name}" for name in NAMES]
LINKS += [f"#/clusters/{quoted(text)}" for text in (*NAMES, *TEXTS)]
for name in NAMES:
    LINKS += [f"#/clusters?sort={name}&decision={name}", f"#/clusters/production/pods?sort={name}&only={name}", f"#/clusters/production?range={name}&group={name}&category={name}",
              f"#/gate?decision={name}", f"#/settings/audit?action={name}", f"#/alerts/deliveries?state={name}", f"#/clusters/production/logs?level={name}"]
for at in TIMES:
    LINKS += [f"#/clusters/production?since={quoted(at)}", f"#/clusters/production?until={quoted(at)}", f"#/clusters/production?from={quoted(at)}&to=2037-01-01T00:00:00Z",
              f"#/clusters/production?from=2001-01-01T00:00:00Z&to={quoted(at)}", f"#/gate?from={quoted(at)}&to={quoted(at)}", f"#/settings/audit?from={quoted(at)}",
              f"#/alerts/ended?from={quoted(at)}", f"#/clusters/production/logs?from={quoted(at)}&to={quoted(at)}"]
for number in ("-1", "1e9", "NaN", "9" * 400):
    LINKS += [f"#/clusters?page={number}", f"#/clusters/production/pods?page={number}"]
for text in TEXTS:
    LINKS += [f"#/clusters?q={quoted(text)}", f"#/clusters/production?q={quoted(text)}&risk={quoted(text)}&namespace={quoted(text)}", f"#/gate?check={quoted(text)}&image={quoted(text)}",
              f"#/gate?cursor={quoted(text)}&source={quoted(text)}", f"#/clusters/production/logs?pod={quoted(text)}&q={quoted(text)}", f"#/settings/audit?cursor={quoted(text)}&actor={quoted(text)}"]

if not os.environ.get("LOADLINE_TEST_LONG"):
    LINKS = LINKS[::4]


def a_page_that_is_none():
    browser.sign_in(ada, "#/clusters?page=second")
    ok("a page that is no number is the first", within(10, lambda: browser.all("row", "production")), browser.text("main"))
    browser.sign_out()


def state():
    """The page's own words, where it stands still; None while it reads."""
    return browser.js("""const main = document.getElementById("main");
        return main && main.querySelector("h1") && !main.querySelector(".loading") ? document.body.innerText.slice(0, 20000) : null""")


def links_of_others():
    # The server refuses what is no time, no page, or not ours; an address of 20,000 letters may be too long for it.
    browser.expect("400", "404", "409", "414", "431", "ERR_CONNECTION_RESET")
    browser.on_every_page("window.alert = window.confirm = () => { document.title = 'owned'; };"
                          "window.addEventListener('error', (e) => { window.broken = String(e.message); });"
                          "window.addEventListener('unhandledrejection', (e) => { window.broken = String(e.reason); });")
    browser.sign_in(ada, "#/clusters")
    wrong = []
    for place in LINKS:
        browser.js("window.broken = ''; location.hash = arguments[0].startsWith('#') ? arguments[0] : '#/clusters'; if (!arguments[0].startsWith('#')) location.hash = '#' + arguments[0];", place)
        said = within(10, state)
        name = place if len(place) < 120 else f"{place[:100]} ({len(place)} letters)"
        if not said:
            wrong.append(f"{name}: nothing is drawn: {browser.text('main')[:200]}")
        elif "made a mistake" in said or "does not answer" in said or browser.js("return window.broken"):
            wrong.append(f"{name}: {browser.js('return window.broken')} {said[:200]}")
        elif "function " in said or "[object" in said or "Invalid Date" in said or "NaN" in said.replace("page=NaN", ""):
            wrong.append(f"{name}: words of a program: {said[:300]}")
        elif browser.title == "owned" or not browser.js("return location.origin === arguments[0]", stack.url):
            wrong.append(f"{name}: it ran")
        elif browser.js("return document.documentElement.scrollWidth > innerWidth"):
            wrong.append(f"{name}: it widens the page")
        browser.read_logs()
    empty(f"each of {len(LINKS)} links shows something sensible", wrong)
    browser.js("location.hash = '#/clusters'")
    ok("and the page is as good as new", browser.row("production"))
    empty("nothing of another company was seen", "".join(word for word in ("secret-of-eve",) if browser.all("row", word)))


def where_signing_in_leads():
    browser.sign_out()
    for aim in ("https://127.0.0.2/", "//127.0.0.2/", "/\\127.0.0.2", "javascript:alert(1)", "/signin?next=%2Fsignin", "/__proto__", "%", "/" + "x" * 20000):
        browser.open(f"#/signin?next={quoted(aim)}&reason=constructor")
        browser.driver.refresh()
        browser.field("E-mail")
        said = browser.text()
        browser.fill("E-mail", ada.email)
        browser.fill("Password", ada.password)
        browser.press("\ue007")
        ok(f"signing in stays here: {aim[:40]}", within(10, lambda: browser.signed_in() and browser.driver.current_url.startswith(stack.url + "/") and state()),
           browser.driver.current_url[:200])
        ok("and no word of a program is said", "function" not in said and "native code" not in said, said)
        browser.sign_out()


def kept():
    return browser.js("return sessionStorage.getItem('loadline-session')")


def storage_that_was_tampered_with():
    browser.expect("401", "403")
    browser.sign_in(ada, "#/clusters")
    whole = json.loads(kept())

    def reload_with(text):
        browser.open("#/clusters")
        browser.js("sessionStorage.setItem('loadline-session', arguments[0])", text)
        browser.driver.refresh()

    for what, text in (("nothing", ""), ("no JSON", "{"), ("null", "null"), ("a list", "[]"), ("a number", "7"), ("no token", json.dumps({**whole, "token": None})),
                       ("no role", json.dumps({**whole, "role": "__proto__"})), ("an inherited role", json.dumps({**whole, "role": "constructor"})),
                       ("no time", json.dumps({**whole, "expires": "soon"})), ("a token of nobody", json.dumps({**whole, "token": "llt_" + "x" * 43})),
                       ("a token that is no header", json.dumps({**whole, "token": "a\nb\u20ac"})), ("a megabyte", json.dumps({**whole, "token": "x" * 1000000}))):
        reload_with(text)
        ok(f"{what} in the place of a session leads to the sign-in page", within(10, lambda: browser.all("heading", "Sign in")), browser.text()[:500])
        is_("and is wiped", browser.js("return sessionStorage.length"), 0)
    grace = ada.add("member")
    browser.sign_in(grace, "#/clusters")
    member = json.loads(kept())
    reload_with(json.dumps({**member, "role": "admin", "email": "<b>me</b>" + "x" * 245}))
    browser.row("production")
    ok("a name of 254 letters widens nothing", browser.js("return document.documentElement.scrollWidth <= innerWidth"))
    browser.js("location.hash = '#/settings/members'")
    ok("a role that somebody gives himself is refused", within(10, lambda: json.loads(kept())["role"] == "member"), browser.text())
    ok("and not offered any more", within(5, lambda: not browser.all("button", "New member")), browser.text("main"))
    for what, changes in (("in the past", {"expires": 1}), ("that never ends", {"expires": 1e300, "lifetime": 1e300}), ("of no length", {"lifetime": -5})):
        reload_with(json.dumps({**json.loads(kept()), **changes}))
        ok(f"a session {what} goes on or ends", within(10, lambda: browser.all("row", "production") or browser.all("heading", "Sign in")), browser.text())
        time.sleep(1)
        browser.read_logs()
        asked = [one for one in browser.requests[-200:] if "refresh" in one[1]]
        ok("without asking for a new one all the time", len(asked) < 10, len(asked))
        if not browser.signed_in():
            browser.sign_in(grace, "#/clusters")
    for theme in ("blue", "", "x" * 100000, "<img>", "__proto__"):
        browser.js("localStorage.setItem('loadline-theme', arguments[0])", theme)
        browser.driver.refresh()
        browser.row("production")
        is_(f"a theme that is none is the system's: {theme[:10]}", browser.js("return document.documentElement.dataset.theme || ''"), "")
    browser.js("localStorage.clear()")
    browser.sign_out()


def a_year_with_a_digit_too_many():
    """Chromium lets one type six."""
    forms = [("#/gate", "Override the gate", {"Reason": "hotfix"}, "Override", "/api/overrides"),
             ("#/alerts/silences", "Another time", {}, "Mute", "/api/notifications/silences"),
             ("#/settings/keys", "New key", {"Name": "of another age"}, "Make the key", "/api/keys")]
    keys = len(ada.get("/api/keys"))
    browser.sign_in(ada)
    for place, opener, texts, submit, path in forms:
        browser.go(place)
        browser.click("button", opener)
        dialog = browser.find("dialog")
        for name, text in texts.items():
            browser.fill(name, text, inside=dialog)
        if place == "#/gate":
            browser.choose("Cluster", "production", inside=dialog)
        if place == "#/settings/keys":
            browser.choose("Expires", "at a time", inside=dialog)
        is_(f"{place}: the browser takes no such year", browser.js("""const one = document.querySelector("dialog [type=datetime-local]");
            one.value = "20266-11-28T10:00"; return one.value !== "" && one.validity.rangeOverflow"""), True)
        browser.click("button", submit, inside=dialog, exact=True)
        ok("... and says so itself", browser.gone("This page made a mistake", 1), browser.text("dialog"))
        is_("... and nothing is made", len(ada.get(path)), keys if path == "/api/keys" else 0)
        browser.click("button", "Cancel", inside=dialog)
    browser.sign_out()


def two_tabs_sign_out_at_once():
    browser.sign_in(ada, "#/clusters")
    browser.row("production")
    token = json.loads(kept())["token"]
    first = browser.driver.current_window_handle
    browser.driver.switch_to.new_window("tab")
    browser.open("#/clusters")
    browser.row("production")
    tabs = [browser.driver.current_window_handle, first]
    at = int(time.time() * 1000) + 1500
    for tab in tabs:
        browser.driver.switch_to.window(tab)
        browser.js("const b = [...document.querySelectorAll('button')].find((e) => e.textContent === 'Sign out'); setTimeout(() => b.click(), arguments[0] - Date.now())", at)
    time.sleep(2)
    for tab in tabs:
        browser.driver.switch_to.window(tab)
        ok("both tabs are at the sign-in page", browser.find("heading", "Sign in"))
        is_("with nothing kept", browser.js("return sessionStorage.length"), 0)
    is_("the session is over on the server, too", stack.request("POST", "/api/auth/verify", {"token": token}).status, 401)
    browser.driver.switch_to.window(tabs[0])
    browser.driver.close()
    browser.driver.switch_to.window(first)


main(a_page_that_is_none, links_of_others, where_signing_in_leads, storage_that_was_tampered_with, a_year_with_a_digit_too_many, two_tabs_sign_out_at_once, browser.clean)
