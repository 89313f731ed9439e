#!/usr/bin/python3 -B
"""What was deployed to a cluster: the timeline, with what the gate said and what became of it."""
from selenium.webdriver.common.keys import Keys

from browser import Browser
from snapshots import app, good, moment, node
from stack import shared
from tap import empty, is_, main, ok, within

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


def lane():
    return browser.all("button", inside=browser.find("group", "Events on the chart"))


def chart():
    browser.go("/clusters/production")
    button = browser.button("1 rollout started", seconds=20)
    ok("a rollout is a mark below the chart, in words, beside the decision before it", "events: " in button.accessible_name
       and "of the gate" in button.accessible_name, button.accessible_name)
    legend = browser.text(".marker-legend")
    ok("the legend says what the sign means", "D rollout started" in " ".join(legend.split()), legend)
    button.send_keys(Keys.ENTER)
    found = browser.find("dialog", "events around here").text
    ok("a key opens it, with the image as it is written", f"Rollout started: deployment/cart in shop ({HOSTILE})" in found, found)
    browser.press(Keys.ESCAPE)
    ok("Escape closes it", within(5, lambda: not browser.all("dialog")))
    ok("and the focus is back", within(5, lambda: "rollout started" in browser.focused()), browser.focused())
    browser.js("document.querySelector('.as-table').open = true")
    is_("it is in the list, too", browser.text(".marker-list").count("Rollout started: deployment/cart in shop"), 1)
    ok("what is scaled alone is no mark", "deployment/front" not in browser.text(".marker-list"), browser.text(".marker-list"))
    browser.click("link", "Rollout started: deployment/cart")
    ok("which leads to the tab", within(5, lambda: browser.place.startswith("/clusters/production/deploys?")), browser.place)
    ok("narrowed to it", within(5, lambda: browser.all("row", "deployment/cart") and not browser.all("row", "deployment/front")), browser.text("main"))


def many():
    ada.push("busy", good(), moment(3000))
    for i in range(20):
        images = [f"registry.example.com/{name}:1.{i + 1 if i % 5 < 4 else i - 1}.0" for name in ("cart", "front")]
        ada.push("busy", [node("n1"), node("n2")] + app("cart", image=images[0], hard=True) + app("front", image=images[1], hard=True) + app("orders", hard=True),
                 moment(2900 - 140 * i))
    events = [one for one in ada.get("/api/deploys?clusterId=busy&limit=1000") if one["event"] != "changed"]
    counts = {event: sum(one["event"] == event for one in events) for event in ("started", "rolled_back", "finished")}
    ok("many deploys, some of them rolled back", counts["started"] > 20 and counts["rolled_back"] > 4, counts)
    browser.go("/clusters/busy")
    ok("marks that would overlap are one", within(20, lambda: 1 <= len(lane()) <= 4), [one.accessible_name for one in lane()])
    told = " ".join(one.accessible_name for one in lane())
    ok("that says how many there are of each", "rollouts started" in told and "deploys rolled back" in told and "rollouts finished" in told, told)
    ok("and has the sign of the worst", any("D↺" in one.text for one in lane()), [one.text for one in lane()])
    before = len(lane())
    browser.click("button", "1 hour", exact=True)
    ok("a shorter range tells them apart", within(20, lambda: len(lane()) > before + 5), len(lane()))
    ok("the workloads of one snapshot stay together", within(5, lambda: "deployment/cart in shop" in lane()[3].get_attribute("title")
       and "deployment/front in shop" in lane()[3].get_attribute("title")), lane()[3].get_attribute("title"))
    empty("axe finds nothing wrong with it", "\n".join(browser.axe()))


main(timeline, filters, chart, many, browser.clean)
