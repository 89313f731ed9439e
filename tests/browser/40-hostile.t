#!/usr/bin/python3 -B
"""What a cluster, who asks the gate, or a member writes into a name or a message is text: it is shown as it is, runs
nothing, becomes no element and no link, and does not break the page."""
import json

from browser import Browser
from snapshots import app, event, moment, node
from stack import Receiver, quoted, shared
from tap import empty, is_, main, ok, within
from views import SIGNED_IN, visit

MARKUP = "<img src=x onerror=\"document.title='owned'\">"
SCRIPT = "javascript:alert(1)"
BIDI = "\u202egnp.exe\u2066\u200f\u0000".replace("\u0000", "")
LONG = "w" * 253
HUGE = "0123456789abcdef" * 65536  # a megabyte
CLUSTER = "a/b:c_d.e-" + "x" * 118

stack = shared()
receiver = Receiver()
browser = Browser(stack.url)
ada = stack.account(f"{MARKUP} {BIDI}")


def spoiled(objects, text):
    """The same with `text` wherever the API server of a cluster that lies could have put it."""
    spoil = json.loads(json.dumps(objects))
    for each in spoil:
        meta = each["metadata"]
        meta["name"] += text
        meta["labels"] = {**meta.get("labels", {}), text: text}
        meta["annotations"] = {text: text, "kubernetes.io/change-cause": text}
        if "namespace" in meta:
            meta["namespace"] += text
        if each["kind"] == "Node":
            del meta["creationTimestamp"]
        if each["kind"] == "Event":
            each["count"] = 20762
        for container in each.get("spec", {}).get("containers", []) + each.get("spec", {}).get("template", {}).get("spec", {}).get("containers", []):
            container["image"] = f"{text}/{text}:{text}"
            container["name"] = text
        if each["kind"] == "Node":
            each["spec"]["providerID"] = text
            each["metadata"]["labels"]["topology.kubernetes.io/region"] = text
            each["status"]["nodeInfo"] = {"kubeletVersion": text, "osImage": text, "containerRuntimeVersion": text}
        for status in each.get("status", {}).get("containerStatuses", []):
            for state in status["state"].values():
                state["reason"] = text
                state["message"] = text
    return spoil


def everything_hostile():
    objects = [node()]
    for i, text in enumerate((MARKUP, SCRIPT, BIDI, LONG)):
        objects += spoiled([node(f"n{i}", ready=False), *app(f"app-{i}", available=0), event(f"app-{i}", "Failed", text)], text)
    objects += app("huge", available=0, message=HUGE) + [event("huge", "Failed", HUGE)]
    answer = ada.push(CLUSTER, objects)
    is_("a push", answer.status, 200)
    ada.push_logs(CLUSTER, "shop", "app-0", MARKUP, [{"message": text, "level": text[:32]} for text in (MARKUP, SCRIPT, BIDI, LONG, HUGE)])
    for text in (MARKUP, SCRIPT, BIDI, LONG):
        is_("a decision", ada.validate(CLUSTER, resource=f"deployment/{text}", namespace=text, action=text, image=text, user=text, source=text).status, 200)
        is_("a key", ada.ask("POST", "/api/keys", {"name": text[:200], "scope": "cicd"}).status, 201)
        is_("a channel", ada.ask("POST", "/api/notifications/channels",
                                 {"type": "webhook", "name": text[:200], "webhookUrl": f"{receiver.url}/status/500/{quoted(text)}"}).status, 201)
        is_("a silence", ada.ask("POST", "/api/notifications/silences", {"until": moment(-86400), "reason": text}).status, 201)
    for channel in ada.get("/api/notifications/channels"):
        ada.ask("POST", "/api/notifications/channels/test", {"id": channel["id"]})
    for local in ("<img/src=x/onerror=alert(1)>", "\"><b>", "x" * 60):
        ada.ask("POST", "/api/members", {"email": f"{local}@example.com", "password": "correct-horse", "role": "member"})


# Of texts and of what the mouse or a screen reader gets: where characters are that nobody sees.
UNMARKED = """
    const unseen = /[\\u061c\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff]/, found = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) if (unseen.test(texts.currentNode.data)) found.push(`${texts.currentNode.parentElement.tagName}: ${escape(texts.currentNode.data)}`);
    for (const e of document.querySelectorAll("[title], [aria-label]")) if (unseen.test(e.title + e.ariaLabel)) found.push(`${e.tagName}: ${escape(e.title + e.ariaLabel)}`);
    return found.slice(0, 5).join("\\n");"""


def no_view_is_harmed():
    # Every handler that text could bring along would say so.
    browser.on_every_page("window.alert = window.confirm = () => { document.title = 'owned'; };")
    browser.sign_in(ada, "#/clusters")
    for name, place, wanted in SIGNED_IN:
        visit(browser, place, wanted, CLUSTER)
        empty(f"{name}: no element comes from text", browser.js("""return [...document.querySelectorAll("img, iframe, object, embed, script:not([src]), b > img")]
            .map((e) => e.outerHTML.slice(0, 200)).join("\\n")"""))
        empty(f"{name}: no link leads to what is no address", browser.js("""return [...document.querySelectorAll("[href], [src], [action]")]
            .filter((e) => !/^(#|blob:|[\\w./-]+$|[\\w./-]+[?#]|https?:)/.test(e.getAttribute("href") || e.getAttribute("src") || e.getAttribute("action") || ""))
            .map((e) => e.outerHTML.slice(0, 200)).join("\\n")"""))
        ok(f"{name}: nothing ran", browser.title != "owned")
        empty(f"{name}: no text hides or turns what stands beside it", browser.js(UNMARKED))
        wide = browser.js("return document.documentElement.scrollWidth - innerWidth")
        ok(f"{name}: a name of 253 letters does not widen the page", wide <= 0, f"by {wide} px")
        size = browser.js("return document.getElementById('main').textContent.length")
        ok(f"{name}: a megabyte is not all put on the page", size < 600000, f"{size} letters")


def no_word_of_ours_is_broken():
    """Beside such names numbers and words of the dashboard stay whole."""
    found = []
    for name, place, wanted in SIGNED_IN:
        visit(browser, place, wanted, CLUSTER)
        found += [f"{name}: {one}" for one in browser.js("""
            const broken = [];
            for (const cell of document.querySelectorAll(".table td")) {
                if (!cell.matches(".number") && cell.querySelector("bdi, .foreign, code")) continue;
                const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
                while (texts.nextNode()) for (const word of texts.currentNode.data.matchAll(/[^\\s-]+/g)) {
                    const range = document.createRange();
                    range.setStart(texts.currentNode, word.index);
                    range.setEnd(texts.currentNode, word.index + word[0].length);
                    if (new Set([...range.getClientRects()].map((r) => Math.round(r.top))).size > 1) broken.push(word[0]);
                }
            }
            return [...new Set(broken)]""")]
    empty("no word of ours is broken", found)


def nor_on_a_phone():
    """Names of 128 and 253 letters at 320 px: nothing sticks out, and no table hides its end."""
    browser.size(320, 640)
    found = []
    for name, place, wanted in [*SIGNED_IN, ("a risk", "#/clusters/{id}?group=workload", "{id}"), ("a question", "#/gate?check={id}", "Gate")]:
        visit(browser, place, wanted, CLUSTER)
        found += [f"{name}: {one}" for one in browser.js("""return [
            ...(document.documentElement.scrollWidth > innerWidth ? [`the page is ${document.documentElement.scrollWidth - innerWidth} px too wide`] : []),
            ...[...document.querySelectorAll(".table:not(.small-table)")].filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => `cut off: ${e.textContent.slice(0, 60)}`),
            ...[...document.querySelectorAll("main button, main a.button, main select")].filter((e) => e.checkVisibility() && e.getBoundingClientRect().right > innerWidth + 1)
                .map((e) => `out of reach: ${e.textContent.slice(0, 60)}`)]""")]
    empty("no view is wider than a phone", found)
    browser.size(1280, 1000)


def what_is_hostile_is_readable():
    browser.go(f"#/clusters/{quoted(CLUSTER)}/pods")
    ok("markup is shown as it is", browser.shows("<img src=x onerror="), browser.text("main")[:2000])
    ok("what hides is marked", browser.shows("\ufffdgnp.exe\ufffd"), browser.text("main")[:2000])
    visit(browser, "#/clusters/{id}?q=gnp", "{id}", CLUSTER)
    ok("a risk opens", within(10, lambda: browser.js("""
        document.querySelectorAll("#main details").forEach((one) => { one.open = true; });
        return document.querySelector(".risk-body")""")))
    empty("no risk hides or turns what it says", browser.js(UNMARKED))
    browser.go("#/alerts/channels")
    browser.click("button", f"Change \ufffdgnp")
    ok("a dialog is open", browser.find("dialog"))
    empty("its title neither", browser.js(UNMARKED))


main(everything_hostile, no_view_is_harmed, no_word_of_ours_is_broken, nor_on_a_phone, what_is_hostile_is_readable, browser.clean)
