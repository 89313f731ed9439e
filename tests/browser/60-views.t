#!/usr/bin/python3 -B
"""Every view, light and dark, on a wide screen and on a phone: axe-core finds nothing, nothing sticks out at the side,
and there is one heading to begin with. And views that are empty, loading, or may not be seen."""
from browser import Browser, NotFound
from snapshots import bad, event, good, moment
from stack import Receiver, shared
from tap import empty, is_, main, ok
from views import SIGNED_IN, SIGNED_OUT, visit

stack = shared()
receiver = Receiver()
browser = Browser(stack.url)
ada = stack.account()
nobody = stack.account()


def something_of_everything():
    for hours in (72, 48, 26, 5, 2, 1):
        ada.push("production", good(), moment(hours * 3600))
    ada.ask("POST", "/api/notifications/rules", {"condition": "score_drop", "threshold": 70})
    ada.ask("POST", "/api/notifications/channels", {"type": "webhook", "name": "pager", "webhookUrl": f"{receiver.url}/ok/pager"})
    ada.ask("POST", "/api/notifications/channels", {"type": "slack", "name": "broken", "webhookUrl": f"{receiver.url}/status/500/broken"})
    ada.push("production", bad() + [event("cart-7d9f8b6c5-0", "BackOff", "Back-off restarting failed container")], moment(30))
    ada.push("staging", good(), moment(3000))
    ada.push_logs("production", "shop", "cart-7d9f8b6c5-0", "main", [{"message": "cannot reach checkout", "level": "ERROR"}])
    ada.validate("production", resource="deployment/cart", namespace="shop", image="cart:latest", user="zoe", source="github")
    ada.ask("POST", "/api/notifications/silences", {"until": moment(-7200), "reason": "new nodes", "clusterId": "staging"})
    ada.add("operator")
    ada.add("member")


def look(name):
    headings = browser.js("return document.querySelectorAll('main h1').length")
    wide = browser.js("return document.documentElement.scrollWidth - innerWidth")
    found = browser.axe()
    if headings != 1:
        found.append(f"{headings} headings of the first level")
    if wide > 0:
        found.append(f"the page is {wide} px too wide: " + browser.js("""return [...document.querySelectorAll("body *")]
            .filter((e) => e.getBoundingClientRect().right > innerWidth + 1).map((e) => e.tagName + "." + e.className).slice(0, 5).join(", ")"""))
    found += browser.js("""return innerWidth > 700 ? [] : [...document.querySelectorAll(".table:not(.small-table)")]
        .filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => `${e.textContent.slice(0, 40)}: cut off by ${e.scrollWidth - e.clientWidth} px`)""")
    return [f"{name}: {one}" for one in found]


def look_at(name, place, wanted, cluster):
    try:
        visit(browser, place, wanted, cluster)
    except NotFound as error:
        return [f"{name}: {error}"]
    return look(name)


SIZES = [("wide", 1280, 900), ("phone", 320, 640)]
SCHEMES = ["light", "dark"]


def views_for_everybody():
    for size, width, height in SIZES:
        browser.size(width, height)
        for scheme in SCHEMES:
            browser.scheme(scheme)
            found = []
            for name, place, wanted in SIGNED_OUT:
                found += look_at(name, place, wanted, "production")
            empty(f"signed out, {scheme}, {size}", found)


def views_of_a_member(who, what, cluster, data=True):
    browser.sign_in(who, "#/clusters")
    for size, width, height in SIZES:
        browser.size(width, height)
        for scheme in SCHEMES:
            browser.scheme(scheme)
            found = []
            for name, place, wanted in SIGNED_IN:
                found += look_at(name, place, wanted if data else wanted.replace("{id}", ""), cluster)
            empty(f"{what}, {scheme}, {size}", found)


def with_data():
    browser.open("")
    views_for_everybody()
    views_of_a_member(ada, "with data", "production")


def quantities():
    """CPU and memory as people say them."""
    browser.size(1280, 900)
    visit(browser, "#/clusters/{id}/nodes", "n1")
    row = browser.row("n1").text
    for part in ("4 8 GiB", "v1.31.2"):
        ok(f"a node has {part}", part in row, row)
    is_("quantities, and what is none", browser.wait_js("""const done = arguments[0]; import("/js/views/cluster/kube.js").then(({ cpuWords, memoryWords }) => done([
        ...["3920m", "4", "1000m", "x", "", "9".repeat(30) + "m"].map(cpuWords),
        ...["15074036Ki", "8Gi", "1073741824", "1023", "1e9", "", "9".repeat(30) + "Ki"].map(memoryWords)]))"""),
        ["3.92", "4", "1", "x", "", "9" * 30 + "m", "14.4 GiB", "8 GiB", "1 GiB", "1023 B", "1e9", "", "9" * 30 + "Ki"])


def columns_and_copies():
    """Numbers stand below their headings, and what is copied is not below its button."""
    browser.size(1280, 900)
    browser.scheme("light")
    crooked = []
    for place, wanted in (("#/clusters", "production"), ("#/clusters/{id}/pods", "cart"), ("#/clusters/{id}/events", "BackOff"), ("#/clusters/{id}", "What changed")):
        visit(browser, place, wanted)
        crooked += browser.js("""const right = (cell) => { const range = document.createRange(); range.selectNodeContents(cell);
                return Math.max(...[...range.getClientRects()].filter((r) => r.width > 1).map((r) => r.right)); };
            return [...document.querySelectorAll("main th[scope=col].number")].map((th) => {
                const cell = th.closest("table").querySelector(`tbody tr > :nth-child(${th.cellIndex + 1})`);
                return cell && cell.checkVisibility() && cell.textContent && Math.abs(right(th) - right(cell)) > 1.5 ? `${th.textContent}: ${right(th)} ${right(cell)}` : ""; }).filter(Boolean)""")
    empty("headings of numbers end where the numbers do", crooked)
    worst = ada.get("/api/risks?clusterId=production&limit=1")[0]["id"]
    for width in (360, 1280):
        browser.size(width, 740)
        visit(browser, "#/clusters/{id}?risk=" + worst, "What to do")
        visit(browser, "#/gate", "Gate")
        browser.click("button", "Ask it in CI")
        empty(f"at {width} px no button lies over what it copies", browser.js("""return [...document.querySelectorAll(".copyable")].filter((e) => {
            const a = e.querySelector("pre").getBoundingClientRect(), b = e.querySelector("button").getBoundingClientRect();
            return a.width && a.right > b.left + 1 && a.left < b.right && a.bottom > b.top + 1 && a.top < b.bottom; }).map((e) => e.textContent.slice(0, 80))"""))


def what_stands_apart():
    """A chip is not part of the word before it, a button not of the banner above, and the head of the page is whole."""
    stack.sql(f"UPDATE loadline.clusters SET received_at = UTC_TIMESTAMP(3) - INTERVAL 5 MINUTE WHERE tenant_id = '{ada.tenant}'")
    ada.ask("POST", "/api/overrides", {"clusterId": "production", "reason": "a hotfix", "until": moment(-3600)})
    browser.size(1280, 900)
    visit(browser, "#/clusters", "late")
    is_("the chip stands beside the time", browser.js("""return [...document.querySelectorAll("td .tag.stale")]
        .filter((e) => e.getBoundingClientRect().left - e.parentElement.querySelector("time").getBoundingClientRect().right < 2).length"""), 0)
    visit(browser, "#/gate", "Overridden")
    gap = browser.js("""const banner = document.querySelector("[aria-label='Overridden now']").getBoundingClientRect();
        return [...document.querySelectorAll("button")].find((e) => e.textContent.startsWith("Override the gate")).getBoundingClientRect().top - banner.bottom""")
    ok("the button stands below the banner", gap >= 8, f"{gap} px")
    browser.size(360, 740)
    visit(browser, "#/gate", "Gate")
    heads = browser.js("""const middle = (e) => { const r = e.getBoundingClientRect(); return (r.top + r.bottom) / 2; };
        return [document.querySelector(".brand"), document.querySelector(".theme"), document.querySelector(".account button")].map(middle)""")
    ok("at 360 px the head of the page is one line above its places", max(heads) - min(heads) < 6, heads)


def without_data():
    browser.expect("404")
    browser.sign_out()
    views_of_a_member(nobody, "empty", "nothing-here", data=False)


main(something_of_everything, with_data, quantities, columns_and_copies, what_stands_apart, without_data, browser.clean)
