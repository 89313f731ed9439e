#!/usr/bin/python3 -B
"""Member, operator, admin: what a role may not do is not offered to it, and the server refuses it anyway."""
from browser import Browser
from snapshots import good, moment
from stack import shared
from tap import empty, is_, main, ok, within
from views import SIGNED_IN, visit

stack = shared()
browser = Browser(stack.url)
admin = stack.account()
admin.push("production", good())
admin.ask("POST", "/api/notifications/rules", {"condition": "degraded_app"})
people = {"admin": admin, "operator": admin.add("operator"), "member": admin.add("member")}

EXEMPTION = {"check": "host-pid", "clusterId": "production", "reason": "{role}", "owner": "us", "expires": moment(-86400)}
admin.ask("POST", "/api/exemptions", EXEMPTION)

# What each of them finds: (place, role and name of the element, lowest role that is offered it, the same as a request)
OFFERS = [
    ("#/settings/keys", "button", "New key", "admin", ("POST", "/api/keys", {"name": "x", "scope": "cicd"}, 201)),
    ("#/settings/members", "button", "New member", "admin",
     ("POST", "/api/members", {"email": "{role}@of.example.com", "password": "correct-horse", "role": "member"}, 201)),
    ("#/settings/audit", "button", "Download CSV", "admin", ("GET", "/api/audit?format=csv", None, 200)),
    ("#/alerts/channels", "button", "New channel", "operator",
     ("POST", "/api/notifications/channels", {"type": "slack", "name": "x", "webhookUrl": "https://127.0.0.1/{role}"}, 201)),
    ("#/alerts/rules", "button", "New rule", "operator", ("POST", "/api/notifications/rules", {"condition": "degraded_app"}, 201)),
    ("#/alerts/silences", "button", "Mute for 1 h", "operator", ("POST", "/api/notifications/silences", {"until": moment(-86400)}, 201)),
    ("#/gate", "button", "Override the gate", "operator",
     ("POST", "/api/overrides", {"clusterId": "production", "reason": "{role}", "until": moment(-86400)}, 201)),
    ("#/settings/exemptions", "button", "End the exemption", "operator", ("POST", "/api/exemptions", EXEMPTION, 201)),
    ("#/clusters/production", "button", "Delete the cluster", "admin", ("DELETE", "/api/clusters?id=production", None, 200)),
]
RANK = {"member": 1, "operator": 2, "admin": 3}


def request(who, role, method, path, body):
    if body:
        body = {name: value.format(role=role) for name, value in body.items()}
    return who.ask(method, path, body).status


def each_role():
    for role in ("member", "operator", "admin"):
        who = people[role]
        browser.sign_in(who, "#/clusters")
        browser.find("row", "production")
        for place, kind, name, lowest, (method, path, body, status) in OFFERS:
            if "production" in path and RANK[role] >= RANK[lowest]:
                status = None  # not done: the others want the cluster
            visit(browser, place, "")
            menu = browser.all("button", "Manage")
            if menu:
                menu[0].click()
            offered = within(5, lambda: browser.all(kind, name)) if RANK[role] >= RANK[lowest] else browser.all(kind, name)
            is_(f"{role} at {place}: {name}", bool(offered), RANK[role] >= RANK[lowest])
            if status:
                is_(f"{role}: {method} {path}", request(who, role, method, path, body), status if RANK[role] >= RANK[lowest] else 403)
        browser.sign_out()


def every_view_says_something_to_a_member():
    browser.sign_in(people["member"], "#/clusters")
    silent = []
    for name, place, _ in SIGNED_IN:
        visit(browser, place, "")
        if not browser.js("return document.querySelector('main h1') !== null"):
            silent.append(name)
        browser.read_logs()
    empty("every view has a heading, also where a role may not look", silent)
    # The page does not ask for what it knows to be refused: clean() would see the 403 on the console.


def a_role_that_is_taken_away():
    operator = people["operator"]
    browser.sign_out()
    browser.sign_in(operator, "#/alerts/channels")
    browser.button("New channel")
    members = admin.get("/api/members")
    admin.ask("PATCH", f"/api/members?id={next(m['id'] for m in members if m['email'] == operator.email)}", {"role": "member"})
    browser.expect("403")
    browser.go("#/alerts/rules")
    browser.go("#/alerts/channels")
    ok("is not offered any more, as soon as the server refuses", within(20, lambda: not browser.all("button", "New channel")), browser.text("main"))


main(each_role, every_view_says_something_to_a_member, a_role_that_is_taken_away, browser.clean)
