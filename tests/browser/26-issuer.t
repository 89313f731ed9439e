#!/usr/bin/python3 -B
"""Signing in by an issuer of OpenID Connect: there and back, and what the page says when that fails."""
import os
import random
import subprocess

from browser import Browser
from stack import ROOT, Stack
from tap import empty, is_, main, ok, within

stack = Stack()
ada = stack.account()
directory, port = f"{stack.directory}/issuer", random.randrange(20000, 32000)
issuer = f"https://127.0.0.1:{port}"
os.mkdir(directory)
subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1", "-addext",
                "subjectAltName=IP:127.0.0.1", "-keyout", f"{directory}/key.pem", "-out", f"{directory}/cert.pem"],
               check=True, capture_output=True)
with open(f"{directory}/secret", "w") as secret:
    secret.write("s3cret/with+signs\n")
process = subprocess.Popen(["python3", "-B", f"{ROOT}/tests/e2e/issuer.py", directory, str(port)])
stack.down()
for setting in (f"oidc_issuer={issuer}", "oidc_client=loadline", f"oidc_secret={directory}/secret", f"oidc_ca={directory}/cert.pem",
                f"public_url={stack.url}"):
    stack.options += ("--set", setting)
stack.up()
browser = Browser(stack.url)
browser.cdp("Security.setIgnoreCertificateErrors", ignore=True)


def there_and_back():
    browser.open("#/signin?next=/settings/sessions")
    browser.click("button", f"Sign in by 127.0.0.1:{port}")


def nobody_without_an_invitation():
    browser.expect("/api/auth/oidc/finish 403")
    within(60, lambda: os.path.exists(f"{directory}/ec.pem"))
    there_and_back()
    ok("who was not invited is told so", browser.shows("ask an admin of your company to invite you", seconds=30), browser.text())
    ok("the code is out of the address", "code=" not in browser.driver.current_url, browser.driver.current_url)
    empty("axe finds nothing wrong with it", "\n".join(browser.axe()))


def who_was_invited_is_in():
    ada.ask("POST", "/api/members", {"email": "ada@x.example", "role": "operator"})
    there_and_back()
    ok("who was is in", within(30, browser.signed_in), browser.text())
    ok("where the page was to lead", within(10, lambda: browser.place == "/settings/sessions"), browser.place)
    ok("with the role that was given", browser.shows("operator"), browser.text())


def what_this_tab_has_not_begun():
    browser.sign_out()
    browser.driver.get(f"{stack.url}/?code=abc&state=lls_0000000000000000000000000000000000000000000")
    ok("what this tab has not begun it does not end", browser.shows("This tab has not begun that sign-in"), browser.text())
    ok("and nobody is signed in", not browser.signed_in())


def only_the_issuer():
    browser.read_logs()
    is_("the page went to the issuer and to nobody else", [one for one in browser.strangers if not one.startswith(f"{issuer}/")], [])
    browser.strangers = []
    process.terminate()
    process.wait()


main(nobody_without_an_invitation, who_was_invited_is_in, what_this_tab_has_not_begun, only_the_issuer, browser.clean)
