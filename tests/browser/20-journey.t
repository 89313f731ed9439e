#!/usr/bin/python3 -B
"""Somebody new: signs up, pushes a first snapshot, sees it arrive, and finds out why the score is what it is and
why it moved."""
import random
import re
from datetime import datetime, timedelta

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from browser import Browser
from snapshots import bad, good, moment
from stack import Somebody, shared
from tap import is_, main, ok, within

stack = shared()
browser = Browser(stack.url)
ada = Somebody(stack, f"ada-{random.randrange(10**9)}@example.com", "correct-horse-battery")


def number(text):
    """Of a text for people: a real minus sign, a plus."""
    return float(text.replace("\u2212", "-").replace("+", "") or "0")


def sign_up():
    browser.open("")
    browser.find("heading", "Sign in")
    ok("who is not signed in reads what this is", browser.shows("Kubernetes"), browser.text())
    browser.click("link", "Sign up")
    browser.fill("Company", "Ada & Söhne")
    browser.fill("E-mail", ada.email)
    browser.fill("Password", ada.password)
    browser.click("button", "Sign up")
    ok("the API key is shown", within(10, lambda: re.search(r"\bll_[\w-]{43}\b", browser.text())), browser.text())
    ada.key = re.search(r"\bll_[\w-]{43}\b", browser.text()).group()
    browser.cdp("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"], origin=stack.url)
    browser.click("button", "Copy")
    ok("and can be copied", within(5, lambda: browser.wait_js("navigator.clipboard.readText().then(arguments[0], String)") == ada.key),
       browser.wait_js("navigator.clipboard.readText().then(arguments[0], (e) => arguments[0](String(e)))"))
    ada.login()
    is_("it is the key of the account", [key["prefix"] for key in ada.get("/api/keys")][:1], [ada.key[: len(ada.get("/api/keys")[0]["prefix"])]])
    ok("nobody goes on before it is saved", not browser.button("Go on").is_enabled())
    browser.click("checkbox", "I have saved it")
    browser.click("button", "Go on")
    ok("then the key is gone from the page", browser.gone(ada.key))
    ok("and how to push a first snapshot is shown", browser.shows("/ingest") and browser.shows("X-API-Key"), browser.text())
    ok("with this address", stack.url in browser.text(), browser.text())
    browser.go("#/gate")
    ok("the gate says that there is nothing to ask about yet", browser.shows("There is no cluster to ask about yet"), browser.text("main"))
    browser.click("link", "push the first snapshot")
    ok("and leads back", browser.shows("Push the first snapshot"), browser.text("main"))


def the_first_snapshot_arrives():
    browser.js("window.notReloaded = true")
    is_("a push", ada.push("production", good()).status, 200)
    ok("is seen without a reload", browser.shows("production", 30))
    ok("really without", browser.js("return window.notReloaded === true"))
    score = str(ada.get("/api/clusters")[0]["cscScore"])
    row = browser.row("production").text
    ok("its row has the score", score in row, row)
    ok("and the decision in a word", "SAFE" in row, row)
    is_("titles say where one is", browser.title, "Clusters · Loadline")
    browser.go("#/clusters/production")
    ok("why there is no line yet is said", browser.shows("There is one point in this range"), browser.text("main"))
    browser.go("#/clusters")


def a_risk_opens():
    ada.push("production", bad())
    browser.click("link", "production", exact=True)
    ok("the cluster's own view", within(5, lambda: browser.place == "/clusters/production"), browser.place)
    ok("has its name in the title", within(5, lambda: browser.title.startswith("production")), browser.title)
    ok("why it is blocked is the first thing to read", browser.shows("workloads is unavailable"), browser.text("main"))
    worst = ada.get("/api/risks?clusterId=production&limit=1")[0]
    browser.click("button", worst["message"][:40])
    for part in ("message", "recommendation", "check"):
        ok(f"an open risk has its {part}", browser.shows(worst[part], selector=".risk-body"), browser.text("main"))
    ok("its cost", browser.shows(f"{worst['impact']:.2f} points", selector=".risk-body"))
    ok("and since when", browser.shows("First seen", selector=".risk-body"))
    browser.driver.get("about:blank")
    browser.open(f"#/clusters/production?risk={worst['id']}")
    ok("a link to it shows it to others", browser.shows(worst["recommendation"], selector=".risk-body"), browser.text("main"))
    browser.click("link", "Its pods")
    ok("from there to what it is about", browser.row("cart-7d9f8b6c5-0"), browser.text("main"))
    for tab, there in (("Workloads", "orders"), ("Nodes", "n2"), ("Pods", "cart-7d9f8b6c5-1")):
        browser.click("link", tab, inside=browser.find("navigation", "Parts of the cluster"))
        ok(f"and on to the {tab.lower()}", browser.row(there))
    browser.click("link", "Score and risks")
    browser.choose("Severity", "critical", inside=browser.find("search", "Risks"))
    ok("filters are in the address", within(5, lambda: "severity=critical" in browser.place), browser.place)
    browser.click("button", "Clear filters")
    browser.click("button", "By check")
    ok("risks by check", browser.find("button", worst["check"]), browser.text("main"))


def what_changed():
    """The page's own sum must be the difference that the two scores have."""
    ada.push("production", good(), moment(7200))
    ada.push("production", bad(), moment(1800))
    since = moment(3600)
    answer = ada.get(f"/api/risks?clusterId=production&since={since}")
    browser.go(f"#/clusters/production?since={since}")
    change = f"{answer['change']:+.2f}".replace("-", "\u2212")
    ok("the difference of two moments", browser.shows(change, selector=".changes"), (change, browser.text(".changes")))
    rows = [[cell.text for cell in row.find_elements("css selector", "th, td")]
            for row in browser.all("row", inside=browser.find("table", "What the difference is made of"))][1:]
    parts = [number(row[-1]) for row in rows]
    is_("has four parts and a sum", len(parts), 5)
    is_("which is the difference of the scores", f"{parts[-1]:.2f}", f"{answer['change']:.2f}")
    is_("and to which the parts add up", f"{sum(parts[:-1]):.2f}", f"{parts[-1]:.2f}")
    opened = browser.find("button", "Opened", inside=browser.find("region", "What changed"))
    if not browser.js("return arguments[0].parentElement.open", opened):
        opened.click()
    ok("what opened is listed", browser.shows(answer["opened"][0]["message"], selector=".changes"))


def a_dip_in_between():
    """A deploy that went wrong and was rolled back: both ends are well, and the page tells of it all the same."""
    at = moment(5400)
    ada.push("rolled-back", good(), moment(7200))
    ada.push("rolled-back", bad(), at)
    ada.push("rolled-back", good(), moment(1800))
    low = min(one["score"] for one in ada.get("/api/score-history?clusterId=rolled-back"))
    browser.go(f"#/clusters/rolled-back?since={moment(7000)}&until={moment(1000)}")
    ok("the lowest score in between is told", browser.shows(f"In between it was as low as {low} BLOCK", selector=".changes"), browser.text(".changes"))
    when = browser.js("return document.querySelector('.changes .notice time').dateTime")
    is_("and when it was", when[:19], at[:19])
    browser.click("button", "What changed until then")
    ok("one click compares with it", within(5, lambda: f"until={at[:13]}" in browser.place), browser.place)
    ok("with what it had cost", within(5, lambda: number(browser.text(".big-change") or "0") < -20), browser.text(".changes"))
    ok("there it is an end, and no dip", browser.gone("In between", selector=".changes"))
    browser.driver.back()
    ok("Back leads to the moments before", browser.shows("In between", selector=".changes"))
    browser.go(f"#/clusters/rolled-back?since={moment(1000)}&until={moment(7000)}")
    ok("moments in the wrong order are put right", browser.shows("In between", selector=".changes"), browser.text(".changes"))
    browser.driver.back()
    ok("ages in texts are those of the snapshot", browser.shows("count back from the snapshot", selector=".risks"), browser.text(".risks"))
    browser.go(f"#/clusters/production?since={moment(3600)}")


def moments_are_picked_on_the_chart():
    chart = browser.find("img", "Chart of the score")
    browser.js("arguments[0].scrollIntoView({ block: 'center' })", chart)
    before = browser.place
    ActionChains(browser.driver).move_to_element_with_offset(chart, -200, 0).click().perform()
    ok("a click on the chart compares that moment", within(5, lambda: browser.place != before and "since=" in browser.place), browser.place)
    ActionChains(browser.driver).key_down(Keys.SHIFT).move_to_element_with_offset(chart, 200, 0).click().key_up(Keys.SHIFT).perform()
    ok("Shift and click sets the end", within(5, lambda: "until=" in browser.place), browser.place)
    browser.click("button", "1 hour", exact=True)
    ok("another range is in the address", within(5, lambda: "range=1h" in browser.place), browser.place)
    ActionChains(browser.driver).move_to_element_with_offset(chart, -100, 0).click_and_hold().move_by_offset(150, 0).release().perform()
    ok("dragging zooms", within(5, lambda: "from=" in browser.place and "to=" in browser.place), browser.place)
    browser.driver.back()
    ok("and Back zooms out", within(5, lambda: "from=" not in browser.place), browser.place)
    browser.click("button", "As a table")
    ok("the same is there as a table", browser.find("table", "Score history"))


def back_and_forward():
    browser.go("#/clusters")
    browser.heading("Clusters")
    browser.click("link", "production", exact=True)
    within(5, lambda: browser.place.startswith("/clusters/production"))
    browser.driver.back()
    ok("back", within(5, lambda: browser.place == "/clusters") and browser.heading("Clusters"))
    browser.driver.forward()
    ok("and forward", within(5, lambda: browser.place.startswith("/clusters/production")))
    browser.go("#/no/such/page")
    ok("what is not there is said to be so", browser.shows("no such page"))


def a_risk_is_accepted():
    ada.push("production", bad())
    worst = ada.get("/api/risks?clusterId=production&limit=1")[0]
    browser.open(f"#/clusters/production?risk={worst['id']}")
    browser.click("button", "Accept for a time")
    browser.fill("Reason", "needs the device")
    browser.fill("Owner", "platform team")
    browser.click("button", "Accept the risk", inside=browser.find("dialog"))
    accepted = within(5, lambda: ada.get("/api/exemptions"))
    is_("it is accepted for what it is about", [(one["check"], one["clusterId"], one["resource"], one["state"]) for one in accepted],
        [(worst["check"], "production", worst["resource"], "pending")])
    last = datetime.fromisoformat(accepted[0]["expires"].replace("Z", "+00:00")) - timedelta(days=1)
    last_day = f"{last:%b} {last.day}, {last.year}"
    ada.push("production", bad())
    browser.driver.get("about:blank")
    browser.open(f"#/clusters/production?risk={worst['id']}")
    ok("then it says what it would cost, and why", browser.shows("It would cost", selector=".risk-body")
       and browser.shows(f"needs the device (platform team), until the end of {last_day}", selector=".risk-body"), browser.text("main"))
    ok("and cannot be accepted twice", not browser.all("button", "Accept for a time"))
    browser.open("#/settings/exemptions")
    ok("it is listed, with what it would cost", "exempt" in browser.row(worst["check"]).text, browser.text("main"))
    ok("and its last day, as it was chosen", last_day in browser.row(worst["check"]).text, browser.row(worst["check"]).text)
    browser.click("button", "End the exemption", inside=browser.row(worst["check"]))
    browser.click("button", "End", inside=browser.find("dialog"))
    ok("and ended", within(5, lambda: not ada.get("/api/exemptions")), browser.text("main"))


main(sign_up, the_first_snapshot_arrives, a_risk_opens, what_changed, a_dip_in_between, moments_are_picked_on_the_chart, back_and_forward, a_risk_is_accepted, browser.clean)
