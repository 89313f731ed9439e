#!/usr/bin/python3 -B
"""Files that the dashboard saves: each report of a cluster and the audit trail's CSV is downloaded by the browser, read
from the disk, and compared with what the API answers to curl. Hostile names are in all of them. What the person sees
when a download fails: the server refuses, is away, or breaks off in the middle."""
import csv
import io
import json
import os
import re

from browser import Browser
from snapshots import app, bad, node
from stack import Stack, quoted
from tap import empty, is_, main, ok, within

MARKUP = "<img src=x onerror=\"document.title='owned'\">"
FORMULA = "=HYPERLINK(\"http://127.0.0.1:9/\")"
BIDI = "\u202egnp.exe\u2066"
CLUSTER = "a/b:c_d.e-" + "x" * 118

stack = Stack()
browser = Browser(stack.url)
ada = stack.account(f"{FORMULA} {MARKUP}")
DOWNLOADS = f"{browser.profile}/downloads"


def hostile():
    """Names as a cluster that lies has them."""
    objects = [node()]
    for text in (MARKUP, FORMULA, BIDI, "w" * 253, "line\nbreak,\"quoted\"\r\t;end"):
        objects += app(text, available=0, namespace=text, image=f"registry.example.com/{text}:latest", reason=text, message=text)
    return objects


def files():
    """Names of what has been saved completely. The browser reserves a name with an empty file, and renames what it
    has written under another name over that: an empty file is not saved yet."""
    if not os.path.isdir(DOWNLOADS):
        return []
    return sorted(one.name for one in os.scandir(DOWNLOADS)
                  if not one.name.startswith(".") and not one.name.endswith(".crdownload") and one.stat().st_size)


def saved(click):
    """Clicks, and gives the name and the bytes of the file that comes of it."""
    before = files()
    click()
    name = within(15, lambda: [one for one in files() if one not in before])
    if not name:
        return "", b""
    with open(f"{DOWNLOADS}/{name[0]}", "rb") as file:
        return name[0], file.read()


def timeless(body):
    """When a report was made is another moment in each of two."""
    body = re.sub(rb'("logged_time": ?)\d+', rb"\1", body)
    return re.sub(rb'("generated_at": ?"|^report,.*?)\d{4}-\d\d-\d\dT[\d:.]+Z', rb"\1", body, flags=re.M)


def report(form):
    answer = ada.ask("GET", f"/api/export?clusterId={quoted(CLUSTER)}&format={form}")
    return answer.body, re.search('filename="([^"]+)"', answer.headers["content-disposition"]).group(1)


def each_report():
    is_("a push", ada.push(CLUSTER, hostile()).status, 200)
    browser.sign_in(ada, f"#/clusters/{quoted(CLUSTER)}")
    browser.click("button", "Export", exact=True)
    for form, title in (("json", "JSON"), ("csv", "CSV"), ("ocsf", "OCSF"), ("sarif", "SARIF")):
        dialog = browser.find("dialog", "Export")
        name, body = saved(lambda title=title, dialog=dialog: browser.click("button", title, inside=dialog))
        wanted, given = report(form)
        is_(f"{form}: the file has the name that the server gives", re.sub(r"\d{8}T\d{6}Z", "", name), re.sub(r"\d{8}T\d{6}Z", "", given))
        ok(f"{form}: and what the API answers, to the byte", timeless(body) == timeless(wanted) and len(body) > 1000,
           f"{len(body)} bytes, {len(wanted)} wanted\n{body[:300]!r}\n{wanted[:300]!r}")
        ok(f"{form}: the dialog says so", browser.shows(f"Saved as {name}", selector="dialog"), browser.text("dialog"))
        check(form, body.decode(), len(ada.get(f"/api/cluster?id={quoted(CLUSTER)}&include=risks")["risks"]))
    browser.click("button", "Close", inside=browser.find("dialog", "Export"))
    exports = [one["subject"] for one in ada.get("/api/audit?action=export")]
    is_("each of them is in the audit trail, and so is each of curl's", len(exports), 8)


def check(form, text, risks):
    """A reader of the format gets the hostile names back, and all risks."""
    if form == "csv":
        names = [row["name"] for row in csv.DictReader(io.StringIO(text, newline="")) if row["record"] == "deployment"]
        ok("csv: a formula is none", f"'{FORMULA}" in names and FORMULA not in names, names)
        ok("csv: all names are there", MARKUP in names and any("line" in one for one in names) and len(names) == 5, names)
    elif form == "json":
        names = [one["name"] for one in json.loads(text)["deployments"]]
        ok("json: all names are there", {MARKUP, FORMULA, BIDI, "w" * 253} < set(names), names)
    elif form == "ocsf":
        lines = [json.loads(line) for line in text.splitlines()]
        is_("ocsf: a line a risk", len(lines), risks)
    else:
        results = json.loads(text)["runs"][0]["results"]
        is_("sarif: a result a risk", len(results), risks)


def the_audit_trail():
    ada.ask("POST", "/api/keys", {"name": FORMULA, "scope": "cicd"})
    browser.go("#/settings/audit?action=key_created")
    browser.row("key_created")
    name, body = saved(lambda: browser.click("button", "Download CSV"))
    wanted = ada.ask("GET", "/api/audit?action=key_created&format=csv").body
    is_("the audit trail has the name that the server gives", name[-4:], ".csv")
    is_("and what the API answers, narrowed as the page is", body, wanted)
    rows = list(csv.reader(io.StringIO(body.decode(), newline="")))
    ok("a formula is none there either", any(cell.startswith(f"'{FORMULA}") for row in rows for cell in row), rows)
    browser.go("#/settings/audit")
    browser.row("sign_in")
    browser.fill("Who", "nobody@example.com\n")
    ok("no entry fits", browser.shows("No entry fits"))
    name, body = saved(lambda: browser.click("button", "Download CSV"))
    is_("a trail without entries is its header", body.decode().count("\n"), 1)
    browser.field("Who").send_keys(" \n")
    ok("a blank more narrows nothing, and the list is there again", browser.gone("Loading the audit trail") and browser.shows("No entry fits"),
       browser.text("main"))


def a_long_trail():
    """More than the API answers at once is one file."""
    stack.sql(f"""INSERT INTO loadline.audit (tenant_id, at, audit_id, noted_at, actor, address, action, subject, result)
        SELECT '{ada.tenant}', NOW(3) - INTERVAL seq SECOND, UUID(), NOW(3), '', '', 'sign_out', CONCAT('no. ', seq), 'ok'
        FROM loadline.seq_1_to_2100""")
    browser.go("#/settings/audit?action=sign_out")
    browser.row("sign_out")
    _, body = saved(lambda: browser.click("button", "Download CSV"))
    rows = list(csv.reader(io.StringIO(body.decode(), newline="")))
    is_("it has a header and all entries, the newest first", [rows[0][0], *(row[5] for row in rows[1:])], ["timestamp", *(f"no. {i}" for i in range(1, 2101))])


def refused():
    """Whom the server refuses is told in words, and no file comes of it."""
    browser.expect("404", "403")
    there = files()
    ada.push("short-lived", bad())
    browser.go("#/clusters/short-lived")
    browser.heading("short-lived")
    browser.click("button", "Export", exact=True)
    ada.ask("DELETE", "/api/clusters?id=short-lived")
    browser.click("button", "CSV", inside=browser.find("dialog", "Export"))
    ok("of a cluster that is gone", browser.shows("no such cluster", selector="dialog"), browser.text("dialog"))
    ok("which an assistive technology hears", browser.all("alert", "", inside=browser.find("dialog", "Export")))
    browser.press("\ue00c")
    grace = ada.add("admin")
    browser.go("#/settings/audit")
    browser.row("sign_in")
    me = next(one["id"] for one in ada.get("/api/members") if one["email"] == ada.email)
    grace.ask("PATCH", f"/api/members?id={me}", {"role": "member"})
    browser.click("button", "Download CSV")
    ok("of a role that was taken away: in words", browser.shows("role", selector="#notices"), browser.text())
    ok("and it is not offered any more", within(10, lambda: not browser.all("button", "Download CSV")), browser.text("main"))
    grace.ask("PATCH", f"/api/members?id={me}", {"role": "admin"})
    is_("no file comes of a refusal", files(), there)


def broken_off():
    """The head of an answer has come, its end never does."""
    there = files()
    browser.go(f"#/clusters/{quoted(CLUSTER)}")
    browser.click("button", "Export", exact=True)
    browser.js("""const real = window.fetch;
        window.fetch = async (...given) => {
            const answer = await real(...given);
            return String(given[0]).includes("api/export") ? new Response(new ReadableStream({
                start(pipe) { pipe.enqueue(new Uint8Array(1000)); setTimeout(() => pipe.error(new TypeError("network error")), 50); },
            }), { headers: answer.headers }) : answer; };""")
    browser.click("button", "JSON", inside=browser.find("dialog", "Export"))
    ok("an answer that breaks off is said to be so", browser.shows("broke off", selector="dialog"), browser.text("dialog"))
    is_("and half a file is none", files(), there)


def the_server_is_away():
    browser.expect("ERR_CONNECTION_REFUSED", "503", "ERR_EMPTY_RESPONSE", "ERR_CONNECTION_RESET")
    there = files()
    browser.open("")
    browser.driver.refresh()
    browser.go(f"#/clusters/{quoted(CLUSTER)}")
    browser.click("button", "Export", exact=True)
    stack.down()
    dialog = browser.find("dialog", "Export")
    browser.click("button", "SARIF", inside=dialog)
    ok("a server that is away is told in the dialog", browser.shows("does not answer", 20, "dialog"), browser.text("dialog"))
    ok("the button can be pressed again", within(5, lambda: browser.button("SARIF", inside=dialog).is_enabled()))
    is_("no file comes of it", files(), there)
    stack.up()
    ok("when it is back", browser.gone("does not answer", 90, "#banner"), browser.text("#banner"))
    name, _ = saved(lambda: browser.click("button", "SARIF", inside=dialog))
    ok("the same button saves it", name.endswith(".sarif"), name)
    empty("and what failed before is not said any more", "does not answer" in browser.text("dialog") and browser.text("dialog"))


main(each_report, the_audit_trail, a_long_trail, refused, broken_off, the_server_is_away, browser.clean)
