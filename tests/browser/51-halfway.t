#!/usr/bin/python3 -B
"""Answers that begin and never end: the server, or what stands in front of it, stalls in the middle of one or closes
the connection. The page says so as when nobody answers, asks less and less often, and shows what comes afterwards."""
from browser import Browser
from halfway import Halfway
from snapshots import bad, good
from stack import shared
from tap import is_, main, ok, within

stack = shared()
front = Halfway(stack.url)
browser = Browser(front.url)
ada = stack.account()
ada.push("production", good())
# What the page waits for an answer is two seconds here, and polls come soon.
browser.on_every_page("""{
    const later = window.setTimeout.bind(window);
    window.setTimeout = (work, ms = 0, ...more) => later(work, ms === 30000 ? 2000 : ms >= 1000 && ms < 30000 ? ms / 20 : ms, ...more);
}""")


def failing(fail):
    """The list of clusters, whose next answers fail."""
    ada.push("production", good())
    browser.open("#/clusters")
    ok("the list is there", browser.shows("SAFE", selector="main"), browser.text())
    fail("/api/clusters")
    ada.push("production", bad())
    ok("a failing answer is met", within(20, lambda: front.met))


def and_well_again():
    ok("what was there can still be read", browser.shows("SAFE", selector="main"), browser.text("main"))
    front.heal()
    ok("afterwards the page has what is new", browser.shows("BLOCK", 60, "main"), browser.text("main"))
    ok("and says so no longer", browser.gone("does not answer", 60), browser.text())


def an_answer_that_stalls():
    browser.sign_in(ada, "#/clusters")
    failing(front.stall)
    ok("is said to be none, and since when", browser.shows("does not answer since", 20, "#banner"), browser.text())
    ok("it is asked again", within(20, lambda: front.met > 1))
    and_well_again()


def an_answer_that_is_cut():
    browser.expect("ERR_CONTENT_LENGTH_MISMATCH", "ERR_CONNECTION_RESET")
    failing(front.cut)
    ok("is said to be none", browser.shows("does not answer since", 20, "#banner"), browser.text())
    ok("and is not the page's mistake", "made a mistake" not in browser.text(), browser.text())
    and_well_again()


def the_first_answer_is_cut():
    front.cut("/api/clusters")
    browser.open("")
    browser.driver.refresh()
    ok("a list that never came says why", browser.shows("broke off in the middle", 20, "main"), browser.text("main"))
    front.heal()
    ok("and comes when all is well", browser.shows("production", 60, "main"), browser.text("main"))


def a_body_that_is_no_json():
    """As a cut that nobody notices would leave it, and as whatever stands in front may answer."""
    said = browser.wait_js("""const done = arguments[0], real = window.fetch;
        window.fetch = async (...given) => (String(given[0]).includes("half") ? new Response('[{"id": "produ') : real(...given));
        import("/js/core/http.js").then(async ({ request }) => {
            const said = await request("/api/half").then(() => "an answer", (error) => `${error.name} ${error.status} ${error.code}`);
            window.fetch = real;
            done(said);
        });""")
    is_("half a text is no answer", said, "Error 0 broken_off")


def who_leaves():
    """A view that is left gives up what it waits for, also in the middle of an answer, and nobody is blamed."""
    ok("the page has its answers again", browser.gone("does not answer", 60), browser.text())
    said = browser.wait_js("""const done = arguments[0], real = window.fetch, stop = new AbortController();
        window.fetch = async (target, ask) => (!target.includes("half") ? real(target, ask) : new Response(new ReadableStream({ start(pipe) {
            pipe.enqueue(new Uint8Array(10));
            ask.signal.addEventListener("abort", () => pipe.error(ask.signal.reason));
            setTimeout(() => stop.abort(), 20);
        } })));
        import("/js/core/http.js").then(async ({ isAbort, request }) => {
            const asked = (signal) => request("/api/half", { signal }).then(() => "an answer", isAbort);
            const said = [await asked(stop.signal), await asked(stop.signal)];
            window.fetch = real;
            done([...said, document.getElementById("banner").textContent]);
        });""")
    is_("what is given up ends as such, and so does what was before it began", said, [True, True, ""])


def a_chart_that_comes_late():
    """What draws it is asked for once more, and no package is blamed that is there."""
    browser.expect("/vendor/dygraph.min.js 503")
    front.refuse("/vendor/dygraph.min.js")
    browser.open("")
    browser.driver.refresh()
    browser.go("#/clusters/production")
    ok("a chart that could not be loaded is said to be so", browser.shows("The chart could not be loaded", selector="section.history"), browser.text("section.history"))
    ok("its package is not said to be missing", "libjs-dygraphs" not in browser.text("main"))
    front.heal()
    ok("the chart comes when it can", within(20, lambda: browser.js("return document.querySelectorAll('.plot canvas').length")), browser.text("section.history"))
    ok("and nothing says that it could not", browser.gone("could not be loaded", selector="section.history"), browser.text("section.history"))


main(an_answer_that_stalls, an_answer_that_is_cut, the_first_answer_is_cut, a_body_that_is_no_json, who_leaves, a_chart_that_comes_late, browser.clean)
front.server.shutdown()
