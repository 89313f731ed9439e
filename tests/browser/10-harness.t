#!/usr/bin/python3 -B
"""What the other tests rely on would be seen if it were there: a line on the console, a breach of the content
security policy, a request to a stranger, a fault that axe-core knows; and names of elements are Chromium's own."""
from browser import Browser
from stack import shared
from tap import empty, is_, main, ok, within

stack = shared()
browser = Browser(stack.url)


def logs():
    browser.console.clear()
    browser.strangers.clear()
    browser.read_logs()
    return "\n".join(browser.console)


def breaches_are_seen():
    browser.open("#/signin")
    browser.find("heading")
    empty("a page without faults", logs())
    ok("is shorter than nothing was asked for", len(browser.requests) > 3, browser.requests)
    browser.js("console.warn('of the test')")
    ok("a line on the console", "of the test" in logs())
    browser.js("document.body.setAttribute('style', 'color: red')")
    ok("inline style", "Content Security Policy" in logs())
    browser.js("try { document.body.innerHTML += '<p>'; } catch { /* refused */ }")
    ok("text that would become HTML", "TrustedHTML" in logs())
    browser.wait_js("const done = arguments[0]; fetch('http://127.0.0.2:1/').then(done, () => done())")
    ok("a request to a stranger is refused", "violates" in logs())
    browser.js("setTimeout(() => { throw new Error('of the test'); })")
    ok("an exception that nobody catches", within(5, lambda: "of the test" in logs()))
    browser.wait_js("const done = arguments[0]; fetch('/api/keys').then(done, done)")
    ok("a refusal", "status of 401" in logs())
    browser.expect("/api/keys 401")
    browser.wait_js("const done = arguments[0]; fetch('/api/keys').then(done, done)")
    empty("but for one that is expected", logs())


def strangers_are_seen():
    stranger = f"{stack.url.rpartition(':')[0]}:1/"
    browser.driver.execute_script("location.href = arguments[0]", stranger)
    ok("a page of a stranger is noted", within(5, lambda: logs() or stranger in browser.strangers), browser.strangers)


def axe_finds_what_is_wrong():
    browser.open("#/signin")
    browser.find("heading")
    browser.js("""const image = document.createElement("img"); image.src = "favicon.svg"; document.getElementById("main").append(image);""")
    ok("an image without a name", any(found.startswith("image-alt (critical)") for found in browser.axe()), browser.axe())


def names_are_the_browsers():
    browser.open("#/signup")
    wrong = []
    for role in ("button", "link", "textbox", "heading", "combobox"):
        browser.find("heading")
        for element in browser.all(role):
            name = element.accessible_name
            if element not in browser.all(role, name):
                wrong.append(f"{role} {name}")
    empty("elements are found by the names that the browser gives them", wrong)
    is_("and not by others", browser.all("button", "no such name"), [])


main(breaches_are_seen, axe_finds_what_is_wrong, names_are_the_browsers, strangers_are_seen)
