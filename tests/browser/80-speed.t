#!/usr/bin/python3 -B
"""How fast the page is, in figures, on what is much: the first view, what is transferred, 8,640 points, 2,000 risks,
500 clusters, and an hour of polling. Limits stretch when this machine is busy with something else."""
import time

import bulk
from browser import Browser
from snapshots import good
from stack import Stack
from tap import below, main, note, ok, patient, within

stack = Stack()
browser = Browser(stack.url, "--enable-precise-memory-info")
ada = stack.account()
ada.plan("enterprise")

# When an element that fits a selector can first be seen: ms since the navigation began.
FIRST_SEEN = """window.firstSeen = {};
const look = () => { for (const [name, selector] of Object.entries(SELECTORS)) {
    if (!(name in window.firstSeen) && document.querySelector(selector)) {
        requestAnimationFrame(() => setTimeout(() => { window.firstSeen[name] ??= performance.now(); }));
    } } };
new MutationObserver(look).observe(document, { childList: true, subtree: true, attributes: true });"""


def seen(name, seconds=20):
    return within(seconds, lambda: browser.js("return window.firstSeen && window.firstSeen[arguments[0]]", name))


def cold(place):
    """Opens a place as if for the first time: nothing is in the cache."""
    browser.driver.get("about:blank")
    browser.cdp("Network.clearBrowserCache")
    browser.transferred.clear()
    browser.read_logs()
    browser.open(place)


def best_of(times, measure):
    return min(measure() for _ in range(times))


def first_view():
    ada.push("production", good())
    browser.on_every_page("const SELECTORS = { signin: 'form input[type=password]', clusters: 'main tbody tr' };" + FIRST_SEEN)

    def sign_in_page():
        cold("#/signin")
        return seen("signin")
    below("the sign-in page can be used after, ms", best_of(3, sign_in_page), patient(500))
    browser.sign_in(ada, "#/clusters")

    def list_of_clusters():
        cold("#/clusters")
        return seen("clusters")
    below("the list of clusters after, ms", best_of(3, list_of_clusters), patient(500))


def transferred():
    """The whole dashboard: every view once, with an empty cache."""
    from views import SIGNED_IN, visit
    cold("#/clusters")
    for _, place, wanted in SIGNED_IN:
        visit(browser, place, wanted)
    browser.read_logs()
    files = browser.js("""return performance.getEntriesByType("resource").filter((e) => !new URL(e.name).pathname.startsWith("/api/"))
        .concat(performance.getEntriesByType("navigation")).map((e) => [e.transferSize, new URL(e.name).pathname])""")
    for size, name in sorted(files)[-5:]:
        note(f"{size / 1000:.1f} kB {name}")
    below(f"transferred for all views ({len(files)} files), kB", sum(size for size, _ in files) / 1000, 300)


def many_points():
    bulk.history(stack, "production", 9000)
    # Each time the chart is given its rows: how many, and how long it takes.
    browser.on_every_page("""{ let real; Object.defineProperty(window, "Dygraph", { configurable: true, get: () => real, set: (made) => {
        const update = made.prototype.updateOptions;
        made.prototype.updateOptions = function (options, ...more) {
            const began = performance.now(), answer = update.call(this, options, ...more);
            window.lastGraph = this;
            if (options.file) { (window.drawn ??= []).push([options.file.length, performance.now() - began]); }
            return answer; };
        real = made; } }); }""")

    def draw():
        cold("#/clusters/production?range=24h&points=all")
        within(20, lambda: browser.js("return (window.drawn || []).length"))
        return browser.js("return window.drawn[0]")
    points, ms = min((draw() for _ in range(3)), key=lambda pair: pair[1])
    ok("all points of a day are drawn", points >= 8600, points)
    below(f"{points} points are drawn in, ms", ms, patient(150))
    frames = browser.wait_js("""const done = arguments[arguments.length - 1], graph = window.lastGraph, [from, to] = graph.xAxisExtremes(), spent = [];
        let i = 0; const step = () => { const began = performance.now(); const part = (to - from) * (0.2 + 0.6 * Math.abs(Math.sin(i / 5)));
            graph.updateOptions({ dateWindow: [from, from + part] }); spent.push(performance.now() - began);
            if (++i < 60) requestAnimationFrame(step); else done(spent.sort((a, b) => a - b)); }; requestAnimationFrame(step);""")
    note(f"zoom: median {frames[30]:.1f} ms a frame, worst {frames[-1]:.1f}")
    below("a frame of zooming takes, ms (60 frames a second are 16)", frames[54], patient(16))


def many_risks():
    ada.push("risky", bulk.risky(94))
    browser.go("#/clusters/risky")
    field = browser.field("Search", inside=browser.find("search", "Risks", seconds=30))
    browser.js("arguments[0].scrollIntoView({ block: 'center' })", field)
    browser.js("""window.strokes = []; new PerformanceObserver((list) => list.getEntries().forEach((e) => { if (e.name === "input" || e.name === "keydown") window.strokes.push(e.duration); }))
        .observe({ type: "event", durationThreshold: 16, buffered: false });
        arguments[0].addEventListener("input", () => { const began = performance.now(); requestAnimationFrame(() => setTimeout(() => window.strokes.push(performance.now() - began))); }, true);""", field)
    for letter in "app-07":
        field.send_keys(letter)
        time.sleep(0.05)
    strokes = sorted(browser.js("return window.strokes"))
    count = browser.js("return document.querySelector('.risks .page-head .muted').textContent")
    note(f"{count}; {len(strokes)} figures of strokes: {', '.join(f'{one:.0f}' for one in strokes)} ms")
    below("a keystroke of the filter takes, ms", strokes[-1], patient(50))


def many_clusters():
    bulk.clusters(stack, ada, "production", 500)

    def first():
        cold("#/clusters")
        return seen("clusters")
    below("the first view of 500 clusters, ms", best_of(3, first), patient(1000))


def an_hour():
    """Polled every 10 s for an hour: as many polls as that in less time, with an answer that changes now and then."""
    browser.driver.get("about:blank")
    browser.faster(200)
    browser.open("#/clusters/production")
    browser.shows("production")

    def memory():
        browser.cdp("HeapProfiler.collectGarbage")
        browser.read_logs()
        return browser.js("return performance.memory.usedJSHeapSize") / 1e6, browser.cdp("Performance.getMetrics")

    browser.cdp("Performance.enable")
    figures = []
    asked = 0
    browser.read_logs()
    began = len(browser.requests)
    for _ in range(6):
        ada.push("production", good())
        time.sleep(3)
        heap, metrics = memory()
        nodes = next(m["value"] for m in metrics["metrics"] if m["name"] == "Nodes")
        listeners = next(m["value"] for m in metrics["metrics"] if m["name"] == "JSEventListeners")
        figures.append((heap, nodes, listeners))
        asked = len(browser.requests) - began
    note(f"{asked} requests; heap MB, nodes, listeners: " + "; ".join(f"{h:.2f} {n:.0f} {l:.0f}" for h, n, l in figures))
    ok("an hour of polls was made", asked >= 360, asked)
    ok("memory is flat", figures[-1][0] - figures[1][0] < 1.0, figures)
    ok("and so are nodes and listeners", figures[-1][1] - figures[1][1] < 200 and figures[-1][2] - figures[1][2] < 20, figures)


# Rows of bulk.py have no risks of their moment: the page asks what changed since then, and is refused.
browser.expect("/api/risks 404")
main(first_view, transferred, many_points, many_risks, many_clusters, an_hour, browser.clean)
