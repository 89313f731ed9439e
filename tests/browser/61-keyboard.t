#!/usr/bin/python3 -B
"""With the keyboard alone: sign in, open a cluster, open a risk, pick a moment of the chart, mute alerts, sign out. The
focus can always be seen, and goes where one is."""
from selenium.webdriver.common.keys import Keys

from browser import Browser
from snapshots import bad, good, moment
from stack import shared
from tap import empty, main, ok, within

stack = shared()
browser = Browser(stack.url)
ada = stack.account()
ada.push("production", good(), moment(7200))
ada.push("production", bad())
unseen = set()


def tab_to(role, name, most=80):
    """Tab by tab, until that has the focus."""
    for _ in range(most):
        browser.press(Keys.TAB)
        element = browser.driver.switch_to.active_element
        seen = browser.js("""const e = arguments[0], s = getComputedStyle(e), box = e.getBoundingClientRect();
            return (s.outlineStyle !== "none" && parseFloat(s.outlineWidth) > 0 || s.boxShadow !== "none") && box.width > 0
                && box.bottom > 0 && box.top < innerHeight""", element)
        if not seen and element.tag_name != "body":
            unseen.add(browser.js("return arguments[0].outerHTML.slice(0, 100)", element))
        if element in browser.all(role, name):
            return True
    return False


def the_whole_way():
    browser.open("")
    browser.find("heading", "Sign in")
    browser.js("document.body.tabIndex = -1; document.body.focus(); document.body.removeAttribute('tabindex')")
    browser.press(Keys.TAB)
    ok("the first stop leads past the navigation", "Skip" in browser.focused(), browser.focused())
    ok("to the form", tab_to("textbox", "E-mail"))
    browser.press(ada.email, Keys.TAB)
    browser.press(ada.password, Keys.ENTER)
    ok("signed in", browser.row("production"))
    ok("the focus is in the view, which the screen reader then reads", within(5, lambda: browser.js("return document.getElementById('main').contains(document.activeElement)")))
    ok("to the cluster", tab_to("link", "production"))
    browser.press(Keys.ENTER)
    ok("which opens", within(5, lambda: browser.place.startswith("/clusters/production")))
    browser.shows("workloads is unavailable")
    worst = ada.get("/api/risks?clusterId=production&limit=1")[0]
    ok("to its costliest risk", tab_to("button", worst["message"][:30]))
    browser.press(Keys.ENTER)
    ok("which opens", browser.shows(worst["recommendation"]))
    empty("the focus could always be seen", "\n".join(sorted(unseen)))


def a_dialog():
    browser.go("#/settings/keys")
    ok("to a button that opens a dialog", browser.button("New key") and tab_to("button", "New key"))
    browser.press(Keys.ENTER)
    ok("the dialog has the focus", within(5, lambda: browser.js("return !!document.activeElement.closest('dialog')")))
    for _ in range(12):
        browser.press(Keys.TAB)
    ok("and keeps it", browser.js("return document.activeElement === document.body || !!document.activeElement.closest('dialog')"))
    browser.press(Keys.ESCAPE)
    ok("Escape closes it", within(5, lambda: not browser.all("dialog")))
    ok("and the focus is back", "New key" in browser.focused(), browser.focused())


def a_button_that_waits():
    """It cannot be pressed while the server is asked; who has pressed it is where one was, all the same."""
    browser.go("#/alerts")
    ok("to a button that asks the server", browser.button("Mute for 4 h") and tab_to("button", "Mute for 4 h"))
    browser.press(Keys.ENTER)
    ok("which is done", browser.shows("Muted all clusters until"))
    ok("the focus is on it again", within(5, lambda: "Mute for 4 h" in browser.focused()), browser.focused())


main(the_whole_way, a_dialog, a_button_that_waits, browser.clean)
