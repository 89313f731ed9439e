#!/usr/bin/python3 -B
"""The second factor: turned on with an app, asked for at the sign-in, required of everybody, turned off."""
import base64
import hmac
import os
import re
import struct
import time

from browser import Browser
from stack import Somebody, shared
from tap import empty, is_, main, ok, within

stack = shared()
browser = Browser(stack.url)
ada = stack.account()
grace = Somebody(stack, f"grace-{os.getpid()}@example.com", "battery-staple-1")
secret, recovery = "", []


def code(steps=0):
    at = struct.pack(">Q", int(time.time()) // 30 + steps)
    mac = hmac.digest(base64.b32decode(secret), at, "sha1")
    return f"{(int.from_bytes(mac[mac[-1] & 15:][:4], 'big') & 0x7fffffff) % 1000000:06}"


def forget():
    stack.sql("UPDATE loadline.second_factors SET last_step = 0")


def set_up(who):
    """From the password to the recovery codes."""
    global secret, recovery
    browser.fill("Password", "not-the-password")
    browser.click("button", "Go on")
    ok("another password is refused in words", browser.shows("This is not your password", selector="dialog"), browser.text())
    browser.fill("Password", who.password)
    browser.click("button", "Go on")
    ok("the key is shown", within(10, lambda: re.search(r"\b[A-Z2-7]{32}\b", browser.text())), browser.text())
    secret = re.search(r"\b[A-Z2-7]{32}\b", browser.text()).group()
    ok("as a square for cameras", browser.js("return document.querySelector('dialog svg.qr').getBoundingClientRect().width > 100"))
    empty("axe finds nothing wrong with it", "\n".join(browser.axe()))
    browser.fill("Code that the app shows", "000000")
    browser.click("button", "Turn it on")
    ok("a wrong code is refused in words", browser.shows("The code is wrong", selector="dialog"), browser.text())
    browser.fill("Code that the app shows", code())
    browser.click("button", "Turn it on")
    ok("recovery codes are shown", browser.shows("Your recovery codes"), browser.text())
    recovery = re.findall(r"\b[a-z2-7]{4}(?:-[a-z2-7]{4}){3}\b", browser.text("dialog"))
    is_("ten of them", len(recovery), 10)
    browser.click("checkbox", "I have saved it")
    browser.click("button", "Done")
    ok("then no more", browser.gone(recovery[0]))


def sign_in(who, *codes):
    browser.sign_out()
    browser.open("#/signin")
    browser.fill("E-mail", who.email)
    browser.fill("Password", who.password)
    browser.click("button", "Sign in")
    ok("the code is asked for", browser.shows("Your second factor"), browser.text())
    ok("and nobody is signed in", not browser.signed_in())
    for one in codes:
        browser.fill("Code", one)
        browser.click("button", "Sign in")
        within(10, lambda: browser.signed_in() or "The code is wrong" in browser.text())
    ok("then they are", within(10, browser.signed_in), browser.text())


def it_is_turned_on():
    browser.expect("/api/auth/second-factor 401", "/api/auth/second-factor/confirm 401")
    browser.sign_in(ada, "#/settings/second-factor")
    ok("it is off", browser.shows("the password alone signs you in"))
    ok("who has none requires none", browser.shows("Turn on your own first"))
    browser.click("button", "Turn it on")
    set_up(ada)
    ok("it is on", browser.shows("You have 10 recovery codes left"), browser.text())


def it_is_asked_for():
    browser.expect("/api/auth/login 401")
    forget()
    sign_in(ada, "000000", code())
    sign_in(ada, recovery[0])
    browser.go("#/settings/second-factor")
    ok("a recovery code is good once", browser.shows("You have 9 recovery codes left"), browser.text())


def everybody_needs_one():
    ada.token = browser.js("return JSON.parse(sessionStorage.getItem('loadline-session')).token")
    ada.ask("POST", "/api/members", {"email": grace.email, "password": grace.password, "role": "operator"})
    browser.click("button", "Require it of everybody")
    browser.click("button", "Require it", inside=browser.find("dialog"))
    ok("it is required", browser.shows("Everybody has to have a second factor"), browser.text())
    browser.go("#/settings/members")
    ok("members are listed with theirs", "off" in browser.row(grace.email).text and "on" in browser.row(ada.email).text)
    browser.sign_out()
    browser.sign_in(grace, "#/alerts")
    ok("who has none sets one up first", browser.shows("Set up a second factor"), browser.text())
    is_("there", browser.place, "/second-factor")
    empty("axe finds nothing wrong with it", "\n".join(browser.axe()))
    browser.go("#/clusters")
    ok("and does nothing else", within(5, lambda: browser.place == "/second-factor"), browser.place)
    browser.click("button", "Set it up")
    set_up(grace)
    ok("then the page goes on", within(10, lambda: browser.place == "/clusters"), browser.place)


def it_is_turned_off():
    browser.expect("/api/auth/second-factor 403", "403")
    forget()
    browser.go("#/settings/second-factor")
    browser.click("button", "Turn it off")
    browser.fill("Password", grace.password)
    browser.fill("Code", code())
    browser.click("button", "Turn it off", inside=browser.find("dialog"))
    ok("where it is required the page leads to a new one", browser.shows("Set up a second factor", seconds=30), browser.text())


main(it_is_turned_on, it_is_asked_for, everybody_needs_one, it_is_turned_off, browser.clean)
