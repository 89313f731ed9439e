#!/usr/bin/python3 -B
"""Where alerts go: a channel with a test message on a real receiver, a rule, a silence with one click, what was
sent, and sending it again."""
from browser import Browser
from snapshots import bad, good
from stack import Receiver, shared
from tap import is_, main, ok, within

stack = shared()
receiver = Receiver()
browser = Browser(stack.url)
ada = stack.account()
ada.push("production", good())


def a_channel_is_made_and_tested():
    browser.sign_in(ada, "#/alerts")
    browser.click("link", "Channels")
    browser.click("button", "New channel")
    browser.choose("Type", "Webhook")
    browser.fill("Name", "pager")
    browser.fill("URL", f"{receiver.url}/ok/pager")
    browser.click("button", "Make the channel")
    ok("its secret is shown once", browser.shows("whsec_"), browser.text())
    browser.click("checkbox", "I have saved it")
    browser.click("button", "Done")
    ok("and then no more", browser.gone("whsec_"))
    browser.click("button", "Send a test to pager")
    ok("a test arrives at the receiver", within(15, lambda: len(receiver.received("/ok/pager")) == 1))
    ok("and its answer is shown", browser.shows("The receiver answered 200", 15), browser.text())
    browser.click("button", "Close", exact=True)


def an_answer_that_is_no():
    browser.click("button", "New channel")
    browser.choose("Type", "Slack")
    browser.fill("URL", f"{receiver.url}/status/503/broken")
    browser.click("button", "Make the channel")
    ok("a channel without a name has that of its type and host", browser.row("slack 127.0.0.1"))
    browser.click("button", "Send a test to slack")
    ok("what the receiver refused is shown, too", browser.shows("It did not arrive. The receiver answered 503", 20), browser.text())
    browser.click("button", "Close", exact=True)
    browser.click("button", "Delete slack")
    browser.click("button", "Delete the channel")
    ok("a channel is deleted", within(5, lambda: len(ada.get("/api/notifications/channels")) == 1))


def a_rule_fires():
    browser.click("link", "Rules")
    browser.click("button", "New rule")
    browser.fill("Threshold", "70")
    browser.click("button", "Make the rule")
    ok("a rule is there", within(5, lambda: ada.get("/api/notifications/rules")) and browser.shows("70", selector="main"))
    ada.push("production", bad())
    ok("and fires", within(15, lambda: any("Score Drop" in one["body"] for one in receiver.received("/ok/pager"))), receiver.received())
    browser.click("link", "Firing")
    ok("what fires is listed", browser.row("production"))
    browser.click("link", "Deliveries")
    ok("and what was sent", browser.row("score dropped"))


def a_silence_with_one_click():
    browser.click("link", "Silences")
    browser.choose("Cluster", "production")
    browser.click("button", "Mute for 1 h")
    silences = within(5, lambda: ada.get("/api/notifications/silences"))
    is_("one cluster is silent", [one["clusterId"] for one in silences], ["production"])
    browser.click("button", "End", inside=browser.row("production"))
    ok("and not any more when that is ended", within(5, lambda: not ada.get("/api/notifications/silences")))


def an_alert_that_is_over():
    browser.click("link", "Ended")
    ok("nothing has ended yet", browser.shows("No alert has ended yet"), browser.text("main"))
    ada.push("production", good())
    stack.sql(f"UPDATE loadline.alert_state SET clear_since = clear_since - INTERVAL 2 MINUTE, since = since - INTERVAL 1 HOUR WHERE tenant_id = '{ada.tenant}'")
    ada.push("production", good())
    row = browser.row("Score below 70", seconds=20)
    for part in ("production", "recovered", "58 min"):
        ok(f"an alert that is over has {part}", part in row.text, row.text)
    browser.click("link", "On the chart", inside=row)
    ok("and can be seen on the chart", within(5, lambda: browser.place.startswith("/clusters/production?from=")), browser.place)
    browser.go("#/alerts")
    ok("it fires no more", browser.shows("No alerts are firing"), browser.text("main"))
    browser.click("link", "Alerts that are over")
    browser.row("Score below 70")
    browser.go("#/alerts/ended?from=2037-01-01T00:00:00Z")
    ok("filters narrow them", browser.shows("No alert fits"), browser.text("main"))


def sent_again():
    browser.click("link", "Deliveries")
    before = len(receiver.received("/ok/pager"))
    browser.click("button", "Send again")
    ok("a delivery is sent again", within(15, lambda: len(receiver.received("/ok/pager")) > before))


def rotated_and_disabled():
    browser.click("link", "Channels")
    browser.click("button", "Rotate the secret of pager")
    browser.click("button", "Make a new secret")
    ok("a new secret", browser.shows("whsec_"), browser.text())
    browser.click("checkbox", "I have saved it")
    browser.click("button", "Done")
    browser.click("button", "Disable pager")
    ok("a channel is disabled", within(5, lambda: not ada.get("/api/notifications/channels")[0]["enabled"]))
    browser.click("button", "Enable pager")
    ok("and enabled", within(5, lambda: ada.get("/api/notifications/channels")[0]["enabled"]))


main(a_channel_is_made_and_tested, an_answer_that_is_no, a_rule_fires, a_silence_with_one_click, an_alert_that_is_over, sent_again, rotated_and_disabled, browser.clean)
