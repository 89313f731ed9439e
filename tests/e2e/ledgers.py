"""ledgers.py BASE_URL TOKEN CLUSTER BIN DIRECTORY TIME...: are the ledgers of a cluster the scorer's?

DIRECTORY has a file for each TIME, the snapshot that was pushed for it. Prints a line for each moment
whose risks are not what loadline-score finds in that snapshot, and for each pair of moments whose
points do not add up to the change of the score, to the hundredth.
"""
import json
import re
import subprocess
import sys
import urllib.parse
import urllib.request

base_url, token, cluster, scorer, directory, *times = sys.argv[1:]


def get(path):
    request = urllib.request.Request(base_url + path, headers={"Authorization": "Bearer " + token})
    with urllib.request.urlopen(request) as answer:
        link = re.match(r'<(.*)>; rel="next"$', answer.headers.get("Link", ""))
        return json.load(answer), answer.headers, link and link.group(1)


def pages(**parameters):
    path = "/api/risks?" + urllib.parse.urlencode({"clusterId": cluster, "limit": 1000, **parameters})
    while path:
        body, headers, path = get(path)
        yield body, headers


def hundredths(points):
    return round(points * 100)


def impacts(risks):
    return sorted((risk["id"], hundredths(risk["impact"])) for risk in risks)


def scored(time):
    command = [scorer, "--format", "json", "--time", time, directory + "/" + time]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def check_moment(time, truth):
    risks = []
    for body, headers in pages(at=time):
        risks += body
    if impacts(risks) != impacts(truth["risks"]):
        print(f"{time}: {len(risks)} risks, not the {len(truth['risks'])} that the scorer finds")
    if hundredths(float(headers["X-Score-Exact"])) != hundredths(truth["score_exact"]):
        print(f"{time}: {headers['X-Score-Exact']} is not {truth['score_exact']}")
    if headers["X-Score-Time"] != time.replace("Z", ".000Z"):
        print(f"{time}: is told of {headers['X-Score-Time']}")


def check_pair(since, at, truth):
    entries = {"opened": [], "resolved": [], "changed": []}
    for body, _ in pages(since=since, at=at):
        for kind in entries:
            entries[kind] += body[kind]
    listed = {
        "opened": [-hundredths(risk["impact"]) for risk in entries["opened"]],
        "resolved": [hundredths(risk["impact"]) for risk in entries["resolved"]],
        "changed": [hundredths(e["before"]) - hundredths(e["after"]) for e in entries["changed"]],
        "unchanged": [],
    }
    change = hundredths(truth[at]["score_exact"]) - hundredths(truth[since]["score_exact"])
    sums = body["sums"]
    problems = [
        hundredths(body["change"]) != change,
        sum(hundredths(sums[kind]["points"]) for kind in sums) != change,
        any(hundredths(sums[kind]["points"]) != sum(listed[kind]) for kind in sums),
        any(sums[kind]["count"] != len(entries[kind]) for kind in entries),
        hundredths(body["from"]["score_exact"]) + sum(map(hundredths, body["from"]["lost"].values())) != 10000,
        hundredths(body["to"]["score_exact"]) + sum(map(hundredths, body["to"]["lost"].values())) != 10000,
        body["check_set_changed"],
    ]
    if any(problems):
        print(f"{since} to {at}: {problems}")


truth = {time: scored(time) for time in times}
for time in times:
    check_moment(time, truth[time])
for i, since in enumerate(times):
    for at in times[i:]:
        check_pair(since, at, truth)
