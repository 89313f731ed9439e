"""Every view of the dashboard: where it is, and what can be read there once it is drawn."""
from browser import NotFound
from stack import quoted
from tap import within

# (name, place, what is there when it is drawn); {id} is the cluster.
SIGNED_OUT = [
    ("sign-in", "#/signin", "Sign in"),
    ("sign-up", "#/signup", "Sign up"),
    ("forgot", "#/forgot", "A new password"),
    ("link", "#/link/lli_none", "This link does not work"),
]
SIGNED_IN = [
    ("clusters", "#/clusters", "{id}"),
    ("cluster", "#/clusters/{id}", "{id}"),
    ("workloads", "#/clusters/{id}/workloads", "{id}"),
    ("pods", "#/clusters/{id}/pods", "{id}"),
    ("nodes", "#/clusters/{id}/nodes", "{id}"),
    ("events", "#/clusters/{id}/events", "{id}"),
    ("deploys", "#/clusters/{id}/deploys", "{id}"),
    ("logs", "#/clusters/{id}/logs", "{id}"),
    ("gate", "#/gate", "Gate"),
    ("firing", "#/alerts", "Firing"),
    ("channels", "#/alerts/channels", "Channels"),
    ("rules", "#/alerts/rules", "Rules"),
    ("ended", "#/alerts/ended", "Ended"),
    ("silences", "#/alerts/silences", "Silences"),
    ("deliveries", "#/alerts/deliveries", "Deliveries"),
    ("keys", "#/settings/keys", "API keys"),
    ("members", "#/settings/members", "Members"),
    ("password", "#/settings/password", "Password"),
    ("second-factor", "#/settings/second-factor", "Second factor"),
    ("sessions", "#/settings/sessions", "Sessions"),
    ("exemptions", "#/settings/exemptions", "Exemptions"),
    ("plan", "#/settings/plan", "Plan"),
    ("audit", "#/settings/audit", "Audit"),
]


def visit(browser, place, wanted, cluster="production"):
    """Goes there and waits until it is drawn and nothing is being loaded."""
    browser.go(place.format(id=quoted(cluster)))
    drawn = within(10, lambda: browser.js("""
        const main = document.getElementById("main");
        return main && main.querySelector("h1") && main.innerText.toLowerCase().includes(arguments[0].toLowerCase())
            && !main.querySelector(".loading, [aria-busy=true]")""", wanted.format(id=cluster)))
    if not drawn:
        raise NotFound(f"{place} is not drawn with {wanted!r}; it says:\n{browser.text('main')[:800]}")
