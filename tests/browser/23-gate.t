#!/usr/bin/python3 -B
"""The gate: every decision with who asked, for what, the score and the risks of that moment, and why; and whether a
deploy would pass now."""
import time

from browser import Browser
from snapshots import bad, good
from stack import shared
from tap import is_, main, ok, within

stack = shared()
browser = Browser(stack.url)
ada = stack.account()
ada.push("production", good())
ada.push("staging", bad())


def decisions():
    ada.validate("production", resource="deployment/cart", namespace="shop", image="registry.example.com/cart:1.5.0", user="zoe", source="github")
    blocked = ada.validate("staging", resource="deployment/cart", namespace="shop", image="cart:latest", user="yan", source="jenkins").json
    browser.sign_in(ada, "#/gate")
    row = browser.row("staging")
    for part in ("BLOCK", str(blocked["csc_score"]), "deployment/cart", "yan", "jenkins"):
        ok(f"a decision has {part}", part.lower() in row.text.lower(), row.text)
    ok("and what it meant, in a word", "refused" in row.text and "allowed" in browser.row("zoe").text, row.text)
    ada.validate("production", source="by hand")
    ok("who names no deploy has asked about the cluster", "no deploy named" in browser.row("by hand").text, browser.row("by hand").text)
    times = [cell.text.split("\n")[0] for cell in browser.driver.find_elements("css selector", "main tbody th time span:first-child")]
    ok("times of the same minute can be told apart", len(times) == 3 and len(set(times)) == len({one["decided_at"][:19] for one in ada.get("/api/decisions")}), times)
    browser.find("link", inside=browser.row("staging")).click()
    ok("and why", browser.shows(blocked["reasons"][0]), browser.text("main"))
    worst = max(blocked["risks"], key=lambda risk: risk["impact"])
    ok("with the risks of that moment", browser.shows(worst["message"]), browser.text("main"))
    ok("ages in them are those of that snapshot", browser.shows("count back from the snapshot"), browser.text("main"))
    browser.click("link", worst["message"][:40])
    ok("a risk that is still there leads to the cluster's", within(5, lambda: browser.place == f"/clusters/staging?risk={worst['id']}"), browser.place)
    ok("which is open", browser.shows(worst["recommendation"], selector=".risk-body"), browser.text("main")[:800])
    browser.driver.back()
    ada.push("staging", good())
    browser.driver.refresh()
    ok("the risks of that moment stay", browser.shows(worst["message"]), browser.text("main"))
    time.sleep(0.5)
    is_("but one that is gone leads nowhere", browser.all("link", worst["message"][:40]), [])
    browser.driver.back()
    ok("what it said stays, also when the cluster is well again", "BLOCK" in browser.row("staging").text)


def filters():
    bar = browser.find("search", "Filters")
    browser.choose("Cluster", "production", inside=bar)
    ok("of one cluster", within(5, lambda: browser.all("row", "zoe") and not browser.all("row", "yan")), browser.text("main"))
    ok("which is in the address", "cluster=production" in browser.place, browser.place)
    browser.click("button", "Clear filters")
    browser.click("button", "BLOCK", exact=True)
    ok("of one kind", within(5, lambda: browser.all("row", "yan") and not browser.all("row", "zoe")), browser.text("main"))
    browser.driver.back()
    ok("the Back button takes a filter away", within(5, lambda: browser.all("row", "yan") and browser.all("row", "zoe")), browser.text("main"))
    browser.fill("From (source)", "github\n")
    ok("from one source", within(5, lambda: browser.all("row", "zoe") and not browser.all("row", "yan")), browser.text("main"))


def would_it_pass():
    before = len(ada.get("/api/decisions"))
    browser.go("#/gate")
    question = browser.find("region", "Would a deploy pass now?")
    browser.choose("Cluster", "production", inside=question)
    browser.fill("Namespace", "shop", inside=question)
    browser.fill("Resource", "deployment/cart", inside=question)
    browser.fill("Image", "cart:latest", inside=question)
    browser.click("button", "Ask the gate", inside=question)
    ok("would a deploy pass now", browser.shows("Yes: a deploy would pass now"), browser.text("main"))
    answer = ada.get("/api/gate?clusterId=production&namespace=shop&resource=deployment/cart&image=cart:latest")
    ok("with the reasons", all(reason in browser.text("main") for reason in answer["reasons"][:2]), browser.text("main"))
    ok("how the target is", browser.shows("Target: ") and browser.shows(answer["target_state"]), browser.text("main"))
    concern = next(risk for risk in answer["target_risks"] if risk["concerns"] != "change")
    ok("and what concerns it", browser.shows(concern["message"]) and browser.shows("What concerns the target"), browser.text("main"))
    browser.click("button", "Ask it in CI")
    ok("and the command for CI, about the same change", browser.shows(f'--resource deployment/cart'), browser.text("main"))
    ok("in curl, too", browser.shows(f"{stack.url}/api/validate"), browser.text("main"))
    is_("asking is not a decision", len(ada.get("/api/decisions")), before)


def became():
    one = ada.validate("production", user="wim").json["decision_id"]
    report = {"decision_id": one, "outcome": "rolled_back", "note": "too <slow>"}
    is_("an outcome", stack.request("POST", "/api/decisions/outcome", report, {"X-API-Key": ada.key}).status, 200)
    browser.go(f"#/gate/{one}")
    ok("a decision says what became of it", browser.shows("it was rolled back, as the job told") and browser.shows("too <slow>"), browser.text("main"))
    browser.go("#/gate")
    ok("the list, too", within(5, lambda: "it was rolled back" in browser.row("wim").text), browser.text("main"))
    ok("and how often it was right", browser.shows("Was it right?"), browser.text("main"))


def overridden():
    browser.go("#/gate")
    browser.click("button", "Override the gate")
    form = browser.find("dialog", "Override the gate")
    browser.choose("Cluster", "staging", inside=form)
    browser.fill("Reason", "hotfix <b>now</b>", inside=form)
    browser.click("button", "Override", exact=True, inside=form)
    ok("an override is shown", browser.shows("hotfix <b>now</b>"), browser.text("main"))
    answer = ada.validate("staging", user="xena").json
    is_("and told by the gate", (answer["overridden"], answer["override"]["reason"]), (True, "hotfix <b>now</b>"))
    browser.driver.refresh()
    ok("its decision says so", "overridden" in browser.row("xena").text, browser.row("xena").text)
    browser.click("button", "End the override of staging")
    ok("it can be ended", within(5, lambda: not ada.get("/api/overrides") and not browser.all("region", "Overridden now")), browser.text("main"))


main(decisions, filters, would_it_pass, became, overridden, browser.clean)
