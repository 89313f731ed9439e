#!/usr/bin/python3 -B
"""What was deployed to a cluster: the timeline, with what the gate said and what became of it."""
from browser import Browser
from snapshots import app, good, moment, node
from stack import shared
from tap import is_, main, ok, within

stack = shared()
browser = Browser(stack.url)
ada = stack.account()
HOSTILE = "registry.example.com/<b>cart</b>:2.0.0"


def timeline():
    ada.push("production", good(), moment(3000))
    browser.sign_in(ada, "#/clusters/production")
    browser.click("link", "Deploys")
    ok("nothing yet", browser.shows("Nothing was deployed yet"), browser.text("main"))
    is_("the tab is in the address", browser.place, "/clusters/production/deploys")
    decision = ada.validate("production", resource="deployment/cart", namespace="shop").json
    ada.push("production", [node("n1"), node("n2")] + app("cart", image=HOSTILE, available=1) + app("front", replicas=3, hard=True) + app("orders", hard=True))
    ok("a rollout", browser.shows("Rollout started", seconds=20), browser.text("main"))
    row = browser.row("Rollout started")
    for part in ("deployment/cart", "shop", HOSTILE, decision["decision"]):
        ok(f"with {part}", part.lower() in row.text.lower(), row.text)
    ok("what is scaled", "replicas: 2 → 3" in browser.row("deployment/front").text, browser.row("deployment/front").text)
    stack.request("POST", "/api/decisions/outcome", {"decision_id": decision["decision_id"], "outcome": "failure"}, {"X-API-Key": ada.key})
    browser.driver.refresh()
    ok("what became of it", within(5, lambda: "it failed" in browser.row("Rollout started").text), browser.text("main"))
    browser.click("link", decision["decision"], inside=browser.row("Rollout started"))
    ok("leads to the decision", within(5, lambda: browser.place == f"/gate/{decision['decision_id']}"), browser.place)
    browser.driver.back()


def filters():
    browser.choose("What happened", "Changed")
    ok("of one kind", within(5, lambda: browser.all("row", "deployment/front") and not browser.all("row", "deployment/cart")), browser.text("main"))
    ok("which is in the address", "event=changed" in browser.place, browser.place)
    browser.fill("Workload", "deployment/none\n")
    ok("none is like that", browser.shows("No deploy fits"), browser.text("main"))


main(timeline, filters, browser.clean)
