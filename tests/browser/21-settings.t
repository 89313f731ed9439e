#!/usr/bin/python3 -B
"""API keys: made, used, revoked, refused. Members, the password, sessions, the plan, the audit trail and its CSV."""
import os
import re

from browser import Browser
from snapshots import good
from stack import shared
from tap import is_, main, ok, within

stack = shared()
browser = Browser(stack.url)
ada = stack.account()
ada.push("production", good())


def gate(key):
    return stack.request("POST", "/api/validate", {"cluster_id": "production"}, {"X-API-Key": key}).status


def a_key_is_made_used_and_revoked():
    browser.sign_in(ada, "#/settings/keys")
    browser.click("button", "New key")
    browser.fill("Name", "pipeline")
    browser.choose("Scope", "cicd")
    browser.click("button", "Make the key")
    ok("the key is shown once", within(10, lambda: re.search(r"\bll_[\w-]{43}\b", browser.text())), browser.text())
    key = re.search(r"\bll_[\w-]{43}\b", browser.text()).group()
    is_("the gate takes it", gate(key), 200)
    browser.click("checkbox", "I have saved it")
    browser.click("button", "Done")
    ok("then no more", browser.gone(key))
    ok("it is listed, with the moment of its last use", "cicd" in browser.row("pipeline").text)
    browser.click("button", "Revoke pipeline")
    browser.click("button", "Revoke", inside=browser.find("dialog"))
    ok("revoked", within(10, lambda: not browser.all("row", "pipeline")), browser.text("main"))
    is_("the gate refuses it", gate(key), 401)


def a_key_that_is_bound():
    browser.click("button", "New key")
    browser.fill("Name", "bound agent")
    browser.choose("Scope", "agent")
    browser.fill("Only for clusters", "production, staging")
    browser.fill("Only from addresses", "not-an-address")
    browser.click("button", "Make the key")
    ok("an address that is none is refused in words", browser.shows("addresses and ranges only", selector="dialog"), browser.text())
    browser.fill("Only from addresses", "127.0.0.0/8 2001:db8::/32")
    browser.click("button", "Make the key")
    ok("the key is shown", within(10, lambda: re.search(r"\bll_[\w-]{43}\b", browser.text())), browser.text())
    key = re.search(r"\bll_[\w-]{43}\b", browser.text()).group()
    browser.click("checkbox", "I have saved it")
    browser.click("button", "Done")
    row = browser.row("bound agent").text
    ok("it is listed with its clusters and addresses", "production, staging" in row and "127.0.0.0/8, 2001:db8::/32" in row, row)
    push = {"X-API-Key": key, "X-Cluster-Id": "elsewhere"}
    is_("it pushes no other cluster", stack.request("POST", "/ingest", b"{}", push).status, 403)
    ok("a new key is not unused", "unused" not in row, row)
    stack.sql(f"UPDATE loadline.api_keys SET last_used_at = last_used_at - INTERVAL 91 DAY WHERE tenant_id = '{ada.tenant}' AND name = 'bound agent'")
    browser.go("#/settings/plan")
    browser.go("#/settings/keys")
    ok("after 91 days it is", within(10, lambda: "unused" in browser.row("bound agent").text), browser.text("main"))
    browser.click("button", "Key lifetime")
    browser.fill("At most", "30")
    browser.fill("Unless said otherwise", "31")
    browser.click("button", "Save")
    ok("a default above the most is refused in words", browser.shows("must not be more", selector="dialog"), browser.text())
    browser.fill("Unless said otherwise", "7")
    browser.click("button", "Save")
    ok("the lifetime is kept", within(5, lambda: ada.get("/api/keys/lifetime")["longestDays"] == 30), ada.get("/api/keys/lifetime"))
    ada.ask("PATCH", "/api/keys/lifetime", {"defaultDays": 0, "longestDays": 0})


def members():
    grace = f"grace-{os.getpid()}@example.com"
    browser.click("link", "Members")
    browser.click("button", "New member")
    browser.fill("E-mail", grace)
    browser.fill("First password", "correct-horse-3")
    browser.choose("Role", "member")
    browser.click("button", "Add", inside=browser.find("dialog"))
    ok("a member is there", "member" in browser.row(grace).text)
    browser.click("button", f"Change the role of {grace}")
    browser.choose("Role", "operator")
    browser.click("button", "Save")
    ok("with another role", within(5, lambda: "operator" in [one["role"] for one in ada.get("/api/members")]), ada.get("/api/members"))
    browser.click("button", f"Remove {grace}")
    browser.click("button", "Remove", inside=browser.find("dialog"))
    ok("and removed", within(5, lambda: len(ada.get("/api/members")) == 1))


def the_password():
    browser.click("link", "Password")
    browser.fill("Current password", "wrong-horse-9")
    browser.fill("New password", "battery-staple-1")
    browser.fill("New password, again", "battery-staple-1")
    browser.click("button", "Change the password")
    ok("a wrong one is refused in words", browser.shows("not your current password", selector="main"), browser.text("main"))
    ok("and the session goes on", browser.signed_in())
    browser.fill("Current password", ada.password)
    browser.click("button", "Change the password")
    ok("the right one is taken", within(10, lambda: stack.request("POST", "/api/auth/login", {"email": ada.email, "password": "battery-staple-1"}).status == 200))
    ada.password = "battery-staple-1"
    ada.login()


def signed_in_by(agent):
    body = {"email": ada.email, "password": ada.password}
    return stack.request("POST", "/api/auth/login", body, {"User-Agent": agent}).json["token"]


def alive(token):
    return stack.request("POST", "/api/auth/verify", {"token": token}).status


def sessions():
    """Another session is listed and ended; ending this one signs out."""
    elsewhere = signed_in_by("Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0")
    hostile = signed_in_by("<img src=x onerror=alert(1)>")
    browser.go("#/settings/sessions")
    ok("another one is there by the name of its browser", browser.row("Firefox on Linux"), browser.text("main"))
    ok("and this one", "Chrome" in browser.row("this one").text, browser.text("main"))
    ok("what a program says of itself is text", browser.row("<img src=x") and not browser.js("return document.querySelectorAll('main img').length"))
    browser.click("button", "End Firefox on Linux at 127.0.0.1")
    browser.click("button", "End the session", inside=browser.find("dialog"))
    ok("it is ended", within(10, lambda: alive(elsewhere) == 401))
    ok("and not listed any more", within(10, lambda: not browser.all("row", "Firefox on Linux")), browser.text("main"))
    browser.click("button", "End all others")
    browser.click("button", "End the others", inside=browser.find("dialog"))
    ok("all others are", within(10, lambda: alive(hostile) == 401))
    ada.login()
    ok("this one goes on", browser.signed_in() and browser.row("this one"))
    grace = ada.add("operator")
    browser.go("#/settings/members")
    browser.click("button", f"Sign out {grace.email}")
    browser.click("button", "End the sessions", inside=browser.find("dialog"))
    ok("an admin signs a member out", within(10, lambda: alive(grace.token) == 401))
    browser.go("#/settings/sessions")
    browser.click("button", "Sign out here")
    ok("ending this one signs out", browser.find("heading", "Sign in"))
    ada.login()
    browser.sign_in(ada, "#/settings/plan")


def plan_and_audit():
    browser.click("link", "Plan")
    ok("the plan", browser.shows("trial", selector="main"))
    ok("and its slots", browser.shows("1 of 3", selector="main"), browser.text("main"))
    browser.click("link", "Audit")
    ok("the audit trail has the key", browser.row("key_revoked"))
    browser.click("button", "Download CSV")
    folder = f"{browser.profile}/downloads"
    ok("and comes as CSV", within(10, lambda: os.path.isdir(folder) and [name for name in os.listdir(folder) if name.endswith(".csv")]))


browser.expect("/api/keys 400", "/api/keys/lifetime 400")
browser.expect("/api/auth/password 401", "/api/auth/password 403", "/api/auth/password 400")
main(a_key_is_made_used_and_revoked, a_key_that_is_bound, members, the_password, sessions, plan_and_audit, browser.clean)
