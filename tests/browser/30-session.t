#!/usr/bin/python3 -B
"""The session of a tab: refreshed before it ends, once for two tabs; what happens when it is over, and when an
admin of the company or the person elsewhere ends it."""
import time

from browser import Browser
from snapshots import good
from stack import Stack
from tap import is_, main, ok, within

LIFETIME = 10
stack = Stack("--set", f"session_lifetime={LIFETIME}")
browser = Browser(stack.url)
ada = stack.account()
ada.push("production", good())


def tokens():
    return stack.sql(f"SELECT COUNT(*) FROM loadline.sessions JOIN loadline.users USING (user_id) WHERE email = '{ada.email}'")


def refreshes():
    # Of the database: the page's own session does not count as a reader of the audit trail.
    return int(stack.sql(f"SELECT COUNT(*) FROM loadline.audit WHERE tenant_id = '{ada.tenant}' AND action = 'session_refreshed'"))


def stored():
    return browser.js("return JSON.stringify(sessionStorage)")


def two_tabs_and_one_session():
    browser.sign_in(ada, "#/clusters")
    ok("signed in", browser.shows("production"))
    is_("nothing is kept beyond the tab but the theme",
        browser.js("return [Object.keys(localStorage).filter((key) => key !== 'loadline-theme').length, document.cookie]"), [0, ""])
    first = browser.driver.current_window_handle
    before = stored()
    browser.driver.switch_to.new_window("tab")
    browser.open("#/clusters")
    ok("another tab of this browser is signed in, too", browser.shows("production"))
    is_("with the same session", stored(), before)
    is_("nothing was refreshed yet", refreshes(), 0)
    ok("before it ends it is refreshed", within(LIFETIME, lambda: refreshes() > 0))
    ok("in this tab", within(5, lambda: stored() != before))
    second, after = browser.driver.current_window_handle, stored()
    browser.driver.switch_to.window(first)
    ok("and in the other one", within(5, lambda: stored() == after))
    is_("once for both", refreshes(), 1)
    time.sleep(LIFETIME * 1.1)
    ok("a lifetime later nobody was signed out", browser.signed_in() and browser.shows("production"))
    ok("it was refreshed again", refreshes() >= 2)
    browser.click("button", "Sign out")
    ok("who signs out in one tab", browser.find("heading", "Sign in"))
    browser.driver.switch_to.window(second)
    ok("is signed out in the other", browser.find("heading", "Sign in"))
    is_("and nothing is left", browser.js("return sessionStorage.length"), 0)
    browser.driver.close()
    browser.driver.switch_to.window(first)


def waiting():
    """How many wait until a refresh is over."""
    return browser.js("return navigator.locks.query().then((all) => all.pending.filter((one) => one.name === 'loadline-session').length)")


def as_whom():
    return browser.js("return JSON.parse(sessionStorage.getItem('loadline-session') ?? '{}').email")


def two_people_in_one_browser():
    """Each tab goes on as who has signed in there, also when the session of the other one lasts longer."""
    browser.expect("401")
    bob = stack.account("Another")
    bob.push("elsewhere", good())
    browser.open("#/signin")
    browser.find("heading", "Sign in")
    first = browser.driver.current_window_handle
    browser.driver.switch_to.new_window("tab")
    browser.sign_in(bob, "#/clusters")
    ok("somebody else is signed in in another tab", browser.shows("elsewhere"))
    second = browser.driver.current_window_handle
    browser.driver.switch_to.window(first)
    browser.fill("E-mail", ada.email)
    browser.fill("Password", ada.password)
    browser.click("button", "Sign in")
    ok("and ada in this one", browser.shows("production"))
    before = stored()
    ok("her session is refreshed", within(LIFETIME * 2, lambda: stored() != before))
    is_("and hers still", as_whom(), ada.email)
    time.sleep(LIFETIME)
    is_("a lifetime later as well", as_whom(), ada.email)
    # A refused request and the next refresh wait for one another: the refresh comes when there is no session any more.
    browser.js("""return new Promise((granted) => {
        navigator.locks.request('loadline-session', () => new Promise((resolve) => { window.goOn = resolve; granted(); })); });""")
    browser.js("""const { token } = JSON.parse(sessionStorage.getItem('loadline-session'));
        import('/js/core/session.js').then((session) => session.refused(token));""")
    ok("her session is to be refreshed", within(LIFETIME, lambda: waiting() == 2))
    stack.sql(f"DELETE s FROM loadline.sessions s JOIN loadline.users u USING (user_id) WHERE u.email = '{ada.email}'")
    browser.js("window.goOn()")
    ok("when it is ended she has to sign in", browser.find("heading", "Sign in", seconds=20))
    ok("and nobody waits any more", within(5, lambda: waiting() == 0))
    ok("and sees nothing of the other", "elsewhere" not in browser.text() and as_whom() is None, browser.text())
    browser.driver.switch_to.window(second)
    is_("who goes on", as_whom(), bob.email)
    browser.click("button", "Sign out")
    browser.find("heading", "Sign in")
    browser.driver.close()
    browser.driver.switch_to.window(first)


def signing_out_while_it_is_refreshed():
    """The new token comes when nobody wants it any more: nobody is signed in by it, and it is ended, too."""
    browser.expect("401")
    browser.sign_in(ada, "#/clusters")
    browser.row("production")
    browser.js("""const real = window.fetch; window.fetch = async (...given) => {
        const answer = await real(...given);
        if (String(given[0]).includes("auth/refresh")) { window.refreshed = (await answer.clone().json()).token;
            await new Promise((go) => { window.goOn = go; }); }
        return answer; };""")
    token = within(LIFETIME * 2, lambda: browser.js("return window.refreshed"))
    ok("a refresh is under way", token)
    browser.click("button", "Sign out")
    browser.find("heading", "Sign in")
    browser.js("window.goOn()")
    time.sleep(1)
    ok("who has signed out stays signed out", browser.all("heading", "Sign in") and browser.js("return sessionStorage.length") == 0, browser.text())
    is_("the token that came too late is worth nothing", stack.request("POST", "/api/auth/verify", {"token": token}).status, 401)


def what_was_told_is_gone_after_signing_out():
    """Notices name clusters, keys and members: the next one at this screen reads none of them."""
    browser.expect("401")
    browser.sign_in(ada, "#/clusters")
    browser.row("production")
    browser.js("""return import("/js/parts/dialog.js").then((dialog) => {
        dialog.notify("The cluster production cannot be deleted.", "bad");
        dialog.notify("The key ci is revoked.");
        const button = document.createElement("button");
        button.onclick = (event) => dialog.perform(event, () => new Promise((resolve) => { window.goOn = () => resolve("The cluster production is deleted."); }));
        button.click();
    });""")
    ok("somebody is told something", browser.shows("cannot be deleted", selector="#notices"))
    browser.click("button", "Sign out")
    browser.find("heading", "Sign in")
    browser.js("window.goOn()")
    within(1, lambda: browser.text("#notices"))
    is_("after signing out nothing of it is left", browser.js("return [...document.querySelectorAll('#notices, #alarm')].map((one) => one.textContent).join('')"), "")


def a_session_that_is_over():
    browser.expect("401")
    browser.sign_in(ada, "#/clusters/production/risks?category=policy")
    ok("after the sign-in one is where one wanted to be", within(5, lambda: browser.place == "/clusters/production/risks?category=policy"), browser.place)

    def forgotten():
        """What a refresh that is under way makes meanwhile, too."""
        stack.sql(f"DELETE s FROM loadline.sessions s JOIN loadline.users u USING (user_id) WHERE u.email = '{ada.email}'")
        return browser.all("heading", "Sign in")

    # The page asks again after ten seconds, and after twenty when a question before that has had no answer.
    ok("a session that the server does not know any more leads to the sign-in page", within(45, forgotten), browser.text())
    ok("which says why", browser.shows("session"), browser.text())
    ok("nothing of what was seen is left on the page", "production" not in browser.text("main"), browser.text("main"))
    is_("nor in the tab", browser.js("return sessionStorage.length"), 0)
    browser.fill("E-mail", ada.email)
    browser.fill("Password", ada.password)
    browser.click("button", "Sign in")
    ok("signing in again leads back", within(5, lambda: browser.place == "/clusters/production/risks?category=policy"), browser.place)


def a_session_near_its_end():
    """A token that lasts as long as its session is not refreshed again and again."""
    browser.go("#/clusters")
    browser.row("production")
    browser.js("""const one = JSON.parse(sessionStorage.getItem("loadline-session")); one.ends = one.expires;
        sessionStorage.setItem("loadline-session", JSON.stringify(one)); location.reload();""")
    browser.row("production")
    before = refreshes()
    ok("at the end of the session the sign-in page is there", browser.find("heading", "Sign in", seconds=30), browser.text())
    is_("and nobody has asked for another token", refreshes(), before)
    browser.sign_in(ada, "#/clusters")


def a_wrong_password():
    browser.sign_out()
    browser.open("#/signin")
    browser.fill("E-mail", ada.email)
    browser.fill("Password", "not-the-password")
    browser.click("button", "Sign in")
    ok("is refused in words", browser.shows("password", selector="[role=alert]"), browser.text())
    is_("and nobody is signed in", browser.js("return sessionStorage.length"), 0)


main(two_tabs_and_one_session, two_people_in_one_browser, signing_out_while_it_is_refreshed, what_was_told_is_gone_after_signing_out, a_session_that_is_over, a_session_near_its_end, a_wrong_password, browser.clean)
