#!/usr/bin/python3 -B
"""What the page does when something is not as it should be: a cluster that is deleted while it is open, a server that
goes away and comes back, a view that nothing has arrived for, a tab that nobody looks at, entries that are all but the
same, and items that say little."""
import json
import time

from browser import Browser
from snapshots import bad, good, moment
from stack import Stack
from tap import is_, main, ok, within

stack = Stack()
browser = Browser(stack.url)
ada = stack.account()
ada.push("production", good())
ada.push("staging", good())


def a_cluster_is_deleted_while_it_is_open():
    browser.expect("404")
    browser.faster(20)
    browser.sign_in(ada, "#/clusters/staging")
    ok("a cluster is open", browser.shows("staging", selector="main"))
    ada.ask("DELETE", "/api/clusters?id=staging")
    ok("when it is deleted the page says so", browser.shows("There is no such cluster", 20, "main"), browser.text("main"))
    browser.click("link", "To the clusters")
    ok("and it is not in the list", browser.shows("production") and browser.gone("staging", selector="main"))


def a_page_that_does_not_jump():
    """News arrive while somebody reads: focus, scroll position and what is open stay."""
    browser.size(1280, 400)
    browser.go("#/clusters/production")
    search = browser.field("Search", inside=browser.find("search", "Risks"))
    browser.js("arguments[0].scrollIntoView({ block: 'center' })", search)
    search.send_keys("a")
    at = browser.js("return Math.round(arguments[0].getBoundingClientRect().top)", search)
    ada.push("production", bad())
    ok("news arrive", browser.shows("workloads is unavailable", 20), browser.text("main"))
    ok("also in the card above", browser.shows("Opened", 20, ".changes .group summary"), browser.text(".changes"))
    time.sleep(0.3)
    moved = browser.js("return Math.round(arguments[0].getBoundingClientRect().top)", search) - at
    ok("what is read has not moved", abs(moved) <= 1, f"{moved} px")
    is_("the field has the focus and what was typed", browser.js("return document.activeElement.value"), "a")
    browser.cdp("Emulation.clearDeviceMetricsOverride")


def nobody_looks():
    browser.go("#/clusters")
    browser.shows("production")
    first = browser.driver.current_window_handle
    browser.driver.minimize_window()
    is_("a tab is hidden", browser.js("return document.visibilityState"), "hidden")
    time.sleep(0.5)
    browser.read_logs()
    before = len(browser.requests)
    time.sleep(3)
    browser.read_logs()
    is_("a hidden tab asks for nothing", browser.requests[before:], [])
    browser.driver.set_window_rect(0, 0, 1280, 1000)
    browser.driver.switch_to.window(first)
    ok("and does when it is seen again", within(10, lambda: browser.read_logs() or len(browser.requests) > before))


def unchanged_answers_are_not_sent_again():
    answers = browser.wait_js("""const done = arguments[0], real = window.fetch, seen = [];
        window.fetch = async (...given) => { const answer = await real(...given); seen.push(answer.status); return answer; };
        setTimeout(() => { window.fetch = real; done(seen); }, 900);""")
    ok("a poll that finds nothing new is a 304", 304 in answers and all(one == 304 for one in answers), answers)


def shown_lines():
    return browser.js("return document.querySelectorAll('.log-lines li').length")


def older_lines_that_could_not_be_read():
    browser.expect("503")
    lines = [{"message": f"line {i}", "level": "INFO"} for i in range(250)]
    is_("more lines than a page has", ada.push_logs("production", "shop", "api-0", "api", lines).status, 200)
    browser.go("#/clusters/production/logs")
    ok("the newest are there", within(10, lambda: shown_lines() == 200), shown_lines())
    browser.js("""const real = window.fetch;
        window.fetch = async (...given) => {
            if (!String(given[0]).includes("cursor=")) return real(...given);
            window.fetch = real;
            throw new TypeError("no answer"); };""")
    browser.click("button", "Show older lines")
    ok("a page of older ones that does not come is said not to", browser.shows("could not be read", selector="main"), browser.text("main"))
    browser.click("button", "Try again")
    ok("trying again brings it", within(10, lambda: shown_lines() == 250), shown_lines())
    ok("and nothing says that it failed", browser.gone("could not be read", selector="main"), browser.text("main")[:500])
    ada.push_logs("production", "shop", "many-0", "many", [{"message": f"line {i}", "level": "INFO"} for i in range(450)])
    browser.go("#/clusters/production/logs?pod=many-0")
    ok("more of another pod", within(10, lambda: shown_lines() == 200), shown_lines())
    older = browser.button("Show older lines")
    browser.js("arguments[0].click(); arguments[0].click()", older)
    ok("two clicks bring a page", within(10, lambda: shown_lines() > 200))
    browser.click("button", "Show older lines")
    ok("and the next one the rest, no line twice", within(10, lambda: shown_lines() == 450), shown_lines())


def refusing(what, status):
    """From now on the page gets this status for such requests."""
    browser.js("""const real = window.refused ?? window.fetch;
        window.refused = real;
        window.fetch = (...given) => (arguments[0] && String(given[0]).includes(arguments[0])
            ? Promise.resolve(new Response("{}", { status: arguments[1] })) : real(...given));""".replace("arguments[0]", json.dumps(what)).replace("arguments[1]", str(status)))


def a_part_that_cannot_be_read():
    """The server answers, but not to everything: what is shown of that part is said to be old, and comes again."""
    browser.go("#/clusters/production/pods")
    browser.row("cart")
    refusing("api/cluster?", 500)
    ok("pods that could not be read again are said to be old", browser.shows("Not up to date since", 20, "main"), browser.text("main")[:500])
    ok("and are still there", browser.all("row", "cart"))
    browser.go("#/clusters/production")
    refusing("", 0)
    browser.find("search", "Risks")
    refusing("api/cluster?", 500)
    ok("so are risks", browser.shows("Not up to date since", 20, "main"), browser.text("main")[:500])
    refusing("", 0)
    ok("until they are read", browser.gone("Not up to date since", 20, "main"), browser.text("main")[:500])
    refusing("api/risks?", 503)
    browser.click("button", "Since 1 hour ago")
    ok("what changed cannot be read", browser.shows("The server answered 503", 10, ".changes"), browser.text(".changes"))
    refusing("", 0)
    ok("and is when there are answers again", browser.gone("The server answered 503", 20, ".changes")
       and browser.shows("since is too early", 10, ".changes"), browser.text(".changes"))


def entries_that_share_a_key():
    """morph() keeps each of them, in order, and each element stays what it was."""
    drawn = browser.wait_js("""const done = arguments[0];
        import("/js/core/dom.js").then(({ h, morph }) => {
            const list = document.createElement("ul"), said = [];
            let first = [];
            for (const keys of ["aab", "aab", "baaa", "aba", "a"]) {
                morph(list, [...keys].map((key, i) => h("li", { key }, key + i)));
                said.push([...list.children].map((one) => one.textContent).join(" "));
                first = first.length ? first : [...list.children];
            }
            done([...said, list.firstChild === first[0]]);
        }, (error) => done(String(error)));""")
    is_("entries that share a key are all drawn, each time", drawn,
        ["a0 a1 b2", "a0 a1 b2", "b0 a1 a2 a3", "a0 b1 a2", "a0", True])


def lines_that_are_all_but_the_same():
    at = moment(5)
    long = "x" * 200
    for namespace in ("other", "shop"):
        ada.push_logs("production", namespace, "twin-0", "twin", [{"timestamp": at, "message": long + end} for end in ("one", "two")])
    browser.go("#/clusters/production/logs?pod=twin-0")
    ok("lines of two namespaces are there", within(10, lambda: shown_lines() == 4), shown_lines())
    browser.js("document.querySelectorAll('.log-lines li').forEach((one) => { one.before = one.textContent; })")
    ada.push_logs("production", "shop", "twin-0", "twin", [{"timestamp": at, "message": long + "news"}])
    ok("when news arrive", browser.shows("news", selector=".log-lines"), browser.text(".log-lines"))
    is_("all are still there", shown_lines(), 5)
    is_("and each is what it was", browser.js("""return [...document.querySelectorAll('.log-lines li')]
        .filter((one) => one.before === one.textContent).length"""), 4)


SUMMARIES = {
    "pods": [{"name": "p0", "namespace": "shop", "status": "Running"},
             {"name": "p1", "namespace": "shop", "status": "Running", "ready": "1/2", "restarts": 3, "node": "n1"},
             {"name": "p2", "namespace": "shop", "phase": "Pending", "reason": "ImagePullBackOff", "ready": False, "restartCount": "0"},
             {"name": "p3", "namespace": "shop", "status": "CrashLoopBackOff", "reason": "Error", "ready": "0/1", "nodeName": "n2"},
             {"name": "p4", "namespace": "shop", "status": "Running", "ready": True},
             {"name": "p5", "namespace": "shop", "status": "Running", "conditions": {"Ready": "False"}},
             {"name": "p6", "namespace": "shop"}],
    "nodes": [{"name": "n1", "status": "Ready"}, {"name": "n2", "status": "NotReady,SchedulingDisabled"}, {"name": "n3", "ready": True},
              {"name": "n4", "ready": "True", "status": "Unknown"}, {"name": "n5", "conditions": {"Ready": True, "DiskPressure": "true"}},
              {"name": "n6", "conditions": [{"type": "Ready", "status": "False"}]}, {"name": "n7"}, {"name": "n8", "status": "fine"}],
    "deployments": [{"name": "d1", "namespace": "shop", "replicas": 2, "readyReplicas": 2, "image": "registry.example.com/app:1"},
                    {"name": "d2", "namespace": "shop", "replicas": "3", "availableReplicas": 1},
                    {"name": "d3", "namespace": "shop", "ready": "2/2"}, {"name": "d4", "namespace": "shop", "replicas": 2, "ready": True},
                    {"name": "d5", "namespace": "shop", "replicas": 2}, {"name": "d6", "namespace": "shop", "readyReplicas": 1},
                    {"name": "d7", "namespace": "shop", "ready": False}, {"name": "d8", "namespace": "shop"}],
    "daemonsets": [{"name": "e1", "namespace": "shop", "replicas": 2, "readyReplicas": 2}],
}
TABLES = [
    ("pods", ("Name", "Namespace", "Status", "Ready", "Restarts", "Node"), [
        "p0|shop|Running|||", "p1|shop|⚠ Running|1 of 2|3|n1", "p2|shop|⚠ ImagePullBackOff|no|0|", "p3|shop|⚠ CrashLoopBackOff|0 of 1||n2",
        "p4|shop|Running|yes||", "p5|shop|⚠ Running|no||", "p6|shop||||"]),
    ("nodes", ("Name", "Status"), [
        "n1|Ready", "n2|⚠ NotReady, cordoned", "n3|Ready", "n4|⚠ NotReady", "n5|⚠ Ready, DiskPressure", "n6|⚠ NotReady", "n7|", "n8|"]),
    ("workloads", ("Name", "Namespace", "Kind", "Ready", "Images"), [
        "d1|shop|Deployment|2 of 2|registry.example.com/app:1", "d2|shop|Deployment|⚠ 1 of 3|", "d3|shop|Deployment|2 of 2|",
        "d4|shop|Deployment|2 of 2|", "d5|shop|Deployment|? of 2|", "d6|shop|Deployment|1|", "d7|shop|Deployment|⚠ no|", "d8|shop|Deployment||",
        "e1|shop|DaemonSet|2 of 2|"]),
]


def cells(columns):
    return browser.js("""return [...document.querySelectorAll("main tbody tr")].map((row) => arguments[0].map((label) =>
        row.querySelector(`[data-label="${label}"]`).textContent).join("|"))""", columns)


def items_that_say_little():
    """Without metadata: what stands at their top level is shown, and nothing made up."""
    is_("a push", ada.push("summaries", json.dumps(SUMMARIES).encode()).status, 200)
    for tab, columns, expected in TABLES:
        browser.go(f"#/clusters/summaries/{tab}")
        browser.row(expected[0].split("|")[0])
        is_(f"{tab} that are summaries", cells(columns), expected)
        browser.click("button", "Name", inside=browser.find("table"))
        ok(f"{tab}: sorting keeps each row", within(5, lambda: cells(columns) == expected[::-1]), cells(columns))
    browser.go("#/clusters/summaries/pods?namespace=shop&q=p1")
    ok("they are found by name and namespace", within(5, lambda: len(cells(("Name",))) == 1), cells(("Name",)))


def the_server_goes_and_comes_back():
    browser.expect("ERR_CONNECTION_REFUSED", "503", "ERR_EMPTY_RESPONSE", "ERR_CONNECTION_RESET")
    browser.go("#/clusters")
    browser.shows("production")
    stack.down()
    ok("a server that is away is said to be", browser.shows("does not answer", 20), browser.text())
    ok("what was there can still be read", "production" in browser.text("main"))
    stack.up()
    ok("when it is back, so is the page", browser.gone("does not answer", 90), browser.text())
    ada.push("production", good())
    ok("with what is new", browser.shows("SAFE", 20), browser.text("main"))


main(a_cluster_is_deleted_while_it_is_open, a_page_that_does_not_jump, nobody_looks, unchanged_answers_are_not_sent_again,
     older_lines_that_could_not_be_read, a_part_that_cannot_be_read, entries_that_share_a_key, lines_that_are_all_but_the_same, items_that_say_little, the_server_goes_and_comes_back, browser.clean)
