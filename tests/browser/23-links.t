#!/usr/bin/python3 -B
"""A member is invited by a link and chooses a password; a link that is dead, and a signup that is closed, are said
in words."""
import os
import re

from browser import Browser
from stack import Somebody, Stack
from tap import empty, is_, main, ok, within

stack = Stack("--set", "signup=closed")
browser = Browser(stack.url)
ada = stack.account("Ada & Söhne")
grace = Somebody(stack, f"grace-{os.getpid()}@example.com", "battery-staple-1")
invitation = ""


def an_admin_invites():
    global invitation
    browser.sign_in(ada, "#/settings/members")
    browser.click("button", "New member")
    browser.fill("E-mail", grace.email)
    browser.choose("Role", "operator")
    browser.click("button", "Add", inside=browser.find("dialog"))
    ok("the link is shown", within(10, lambda: re.search(r"#/link/lli_[\w-]{43}", browser.text())), browser.text())
    invitation = re.search(r"http\S+#/link/lli_[\w-]{43}", browser.text()).group()
    ok("of this address", invitation.startswith(f"{stack.url}/"), invitation)
    empty("axe finds nothing wrong with it", "\n".join(browser.axe()))
    browser.click("checkbox", "I have saved it")
    browser.click("button", "Done")
    ok("then no more", browser.gone(invitation))
    ok("who has not come yet is marked", "invited" in browser.row(grace.email).text)


def who_is_invited_chooses_a_password():
    browser.sign_out()
    browser.driver.get(invitation)
    ok("the page says who invites whom", browser.shows("Ada & Söhne") and browser.shows(grace.email), browser.text())
    ok("the token is out of the address", "lli_" not in browser.driver.current_url, browser.driver.current_url)
    empty("axe finds nothing wrong with it", "\n".join(browser.axe()))
    browser.fill("Password", grace.password, exact=True)
    browser.fill("Password, again", "battery-staple-2")
    browser.click("button", "Set the password")
    ok("the two must be the same", browser.shows("not the same"))
    browser.fill("Password, again", grace.password)
    browser.click("button", "Set the password")
    ok("it is set", browser.shows("has a new password"), browser.text())
    browser.click("link", "Sign in")
    browser.fill("E-mail", grace.email)
    browser.fill("Password", grace.password)
    browser.click("button", "Sign in")
    ok("and lets in", within(10, browser.signed_in))
    is_("with the role", [one["role"] for one in ada.get("/api/members") if one["email"] == grace.email], ["operator"])


def a_link_that_was_used():
    browser.expect("/api/links 404")
    browser.driver.get("about:blank")
    browser.driver.get(invitation)
    ok("does not work, also for who is signed in", browser.shows("This link does not work"), browser.text())
    empty("axe finds nothing wrong with it", "\n".join(browser.axe()))
    empty("no token was asked for in an address", "\n".join(url for _, url in browser.requests if "lli_" in url))


def signup_is_closed():
    browser.sign_out()
    browser.open("#/signup")
    ok("is said in words", browser.shows("Signup is closed") and browser.shows("invite you"), browser.text())
    empty("axe finds nothing wrong with it", "\n".join(browser.axe()))


def without_mail():
    browser.open("#/signin")
    ok("a new password is not offered, and the page says whom to ask", browser.shows("Who runs this service can make you a link"), browser.text())
    empty("by no link", [a for a in browser.js("return [...document.querySelectorAll('a')].map(a => a.hash)") if "forgot" in a])
    empty("axe finds nothing wrong with it", "\n".join(browser.axe()))
    browser.go("#/forgot")
    ok("nor is it where an address leads there", browser.shows("sends no mail. Who runs this service"), browser.text())
    empty("axe finds nothing wrong with that", "\n".join(browser.axe()))


def a_password_by_mail():
    stack.down()
    stack.options += ("--set", "public_url=https://loadline.example", "--set", "mail_program=/bin/true", "--set", "mail_from=loadline@example.com")
    ok("the service sends mail now", stack.up(), stack.said)
    browser.open("")
    browser.open("#/signin")
    browser.click("link", "Forgot your password?")
    browser.fill("E-mail", grace.email)
    browser.click("button", "Mail me a link")
    ok("with mail a link is on its way", browser.shows("is on its way"), browser.text())


main(an_admin_invites, who_is_invited_chooses_a_password, a_link_that_was_used, signup_is_closed, without_mail,
     a_password_by_mail, browser.clean)
