#!/bin/bash
# loadline-score for CI and for auditors: baselines, filters, summaries, JUnit, HTML, places in SARIF, when it
# fails, its configuration file, and exemptions that end.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
command -v python3 >/dev/null || skip_all "there is no python3"

score=$build/bin/loadline-score
example=tests/fixtures/worked-example.json
time=(--time 2026-11-21T10:00:00Z)

run() { # run ARGUMENT...: fills out, err and status
    out=$("$score" "${time[@]}" "$@" 2>"$scratch/err")
    status=$?
    err=$(cat "$scratch/err")
}

# jq FILTER of the last output
of() {
    jq -r "$1" <<<"$out"
}

# ---- a baseline
run --format json $example
cp <(printf %s "$out") "$scratch/now.json"
risks=$(of '.risks | length')
jq '.risks |= .[2:]' "$scratch/now.json" >"$scratch/old.json"
run --format json --baseline "$scratch/now.json" $example
is "nothing new: 0" "$status $(of '"\(.baseline.new) \(.baseline.gone) \([.risks[] | select(.new)] | length)"')" "0 0 0 0"
run --format json --baseline "$scratch/old.json" $example
is "two new risks: 1" "$status $(of '"\(.baseline.new) \(.baseline.gone) \([.risks[] | select(.new)] | length)"')" "1 2 0 2"
run --format json --baseline "$scratch/old.json" --fail-on critical $example
is "none of them critical: 0" "$status" 0
run --format json --baseline "$scratch/old.json" --fail-below 1 $example
is "the score decides when that is said: 0" "$status" 0
jq 'del(.items[] | select(.metadata.name == "payment"))' $example >"$scratch/less.json"
run --format json --baseline "$scratch/now.json" "$scratch/less.json"
is "what is gone is counted" "$(of '.baseline.gone > 0')" true
run --baseline "$scratch/old.json" $example
like "text tells it" "$out" 'Against the baseline: 2 new risks, 0 gone\.'
run --format sarif --baseline "$scratch/old.json" $example
is "SARIF tells it" "$(of '[.runs[0].results[].baselineState] | "\(map(select(. == "new")) | length) \(unique | join(" "))"')" "2 new unchanged"
for bad in '{}' '[]' '' '{"risks":' '{"risks":[]} x' '{"risks":[]}{"risks":[]}' '{"risks":["a"]}'; do
    printf '%s' "$bad" >"$scratch/bad.json"
    run --baseline "$scratch/bad.json" $example
    is "no baseline: $bad" "$status ${err%%:*} $(wc -l <"$scratch/err")" "2 loadline-score 1"
done

# ---- when it fails
worst=$(jq -r '[.risks[].severity] | map({critical: 0, high: 1, medium: 2, low: 3}[.]) | min | ["critical", "high", "medium", "low"][.]' "$scratch/now.json")
run --fail-on "$worst" $example
is "--fail-on $worst: 1" "$status" 1
run --fail-on low --include 'check=no-such-*' $example
is "what is not shown does not fail" "$status" 0
# Manifests that no cluster has seen have no status to show.
jq -c '.items |= map(select(.kind | IN("Deployment", "Service", "Namespace")) | del(.status, .metadata.uid, .metadata.creationTimestamp, .metadata.resourceVersion, .metadata.generation, .metadata.managedFields))' etc/sample/shop.json >"$scratch/manifests.json"
jq -c '.items |= map(select(.kind == "Deployment") | del(.status))' etc/sample/shop.json >"$scratch/blind.json"
run --include check=insufficient-evidence --format json "$scratch/manifests.json"
is "manifests are too little for a good score" "$status $(jq -c '[.risks[] | [.check, .severity]]' <<<"$out")" '0 [["insufficient-evidence","critical"]]'
run --include check=insufficient-evidence --fail-on critical "$scratch/manifests.json"
is "... which --fail-on does not count" "$status" 0
run --fail-below 70 "$scratch/manifests.json"
is "... and --fail-below does" "$status" 1
run --include check=insufficient-evidence --fail-on critical "$scratch/blind.json"
is "of a snapshot --fail-on counts it" "$status" 1
run --fail-on none $example
is "no severity: 2" "$status" 2

# ---- filters and summaries
run --format json --include namespace=shop --exclude 'check=image-*' $example
is "--include and --exclude" "$(of '[.risks[] | select(.namespace != "shop" or (.check | startswith("image-")))] | length')" 0
is "... say how much they leave out" "$(of '.left_out + (.risks | length)')" "$risks"
is "... and leave the score" "$(of .score_exact)" "$(jq .score_exact "$scratch/now.json")"
jq '(.items[] | select(.metadata.name == "payment") | .metadata.labels.squad) = "pay" |
    .items += [{apiVersion: "v1", kind: "Namespace", metadata: {name: "shop", labels: {squad: "shops"}}}]' $example >"$scratch/owned.json"
run --format json --owner-label squad --summary owner --summary namespace "$scratch/owned.json"
is "owners, by the object's label or the namespace's" "$(of '[.by_owner[].owner] | sort | join(",")')" ",pay,shops"
is "a sum is that of its risks" "$(of '.by_owner[] | select(.owner == "pay") | "\(.lost) \(.risks)"')" \
    "$(of '[.risks[] | select(.owner == "pay")] | "\(map(.impact) | add * 100 | round / 100) \(length)"')"
is "all sums are all risks" "$(of '[.by_namespace[].risks] | add')" "$(of '.risks | length')"
run --format json --owner-label squad --include owner=pay "$scratch/owned.json"
is "--include owner" "$(of '[.risks[].owner] | unique | join(",")')" pay
run --owner-label squad --summary owner "$scratch/owned.json"
like "text has the sums" "$out" $'\n''  lost  risks  worst     by owner'$'\n'
for bad in check shop=x 'namespaces=a' = check= check=privilegd-container check=Privileged-Container 'check=privileged-container '; do
    for option in --include --exclude; do
        run $option "$bad" $example
        is "no filter: $option $bad" "$status $err" \
            "2 loadline-score: $option: \"$bad\" is not check= and a check (see --list-checks), or check=, namespace= or owner= and a pattern"
    done
done
printf 'exclude = check=nope\n' >"$scratch/misspelt.conf"
run --config "$scratch/misspelt.conf" $example
like "nor is one in a file" "$status $err" '^2 loadline-score: .*misspelt\.conf:1: exclude: "check=nope" is not check= and a check'
run --format json --include check=image-tag-mutable --include 'check=privileged-containe?' --include namespace=nobody $example
is "checks that there are, patterns, and namespaces that nobody has are taken" "$status" 0

# ---- SARIF: where the object stands
tests/e2e/to_yaml.py documents <$example >"$scratch/all.yaml"
run --format sarif "$scratch/all.yaml"
wrong=$(jq -r '.runs[0].results[] | select(.properties.impact >= 0) | [.locations[0].logicalLocations[0].fullyQualifiedName, .locations[0].physicalLocation.region.startLine] | @tsv' <<<"$out" |
    while IFS=$'\t' read -r name line; do
        [ "$line" != 1 ] || continue
        object=$(cut -d/ -f"$([ "${name%%/*}" = shop ] && echo 3 || echo 2)" <<<"$name")
        sed -n "$line,/^---/p" "$scratch/all.yaml" | grep -qE "^  name: \"?$object\"?\$" || echo "$name is not at line $line"
    done)
empty "each result names the line of its object" "$wrong"
is "... most have one" "$(of '[.runs[0].results[] | .locations[0].physicalLocation.region.startLine] | (map(select(. > 1)) | length) > length / 2')" true
tests/e2e/to_yaml.py tree "$scratch/tree" <$example
run --format sarif "$scratch/tree"
like "... and its file" "$(of '.runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri')" '/tree/.*\.yaml$'
mkdir "$scratch/files"
for name in a b c; do
    printf 'apiVersion: v1\nkind: Pod\nmetadata: {name: %s}\nspec: {hostPID: true, containers: [{name: c, image: "x:1"}]}\n' $name >"$scratch/files/$name.yaml"
done
run --format sarif --include check=host-pid "$scratch/files"
is "the first object of a file is in this file, not in the one before it" "$(of '[.runs[0].results[] | .locations[0] |
    "\(.logicalLocations[0].fullyQualifiedName) \(.physicalLocation | "\(.artifactLocation.uri | sub(".*/"; "")):\(.region.startLine)")"] | sort | join(" ")')" \
    "pod/a a.yaml:1 pod/b b.yaml:1 pod/c c.yaml:1"

# ---- what does not fit, and what is not taken
python3 -c 'import json, sys
json.dump({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p" * int(sys.argv[2])},
           "spec": {"hostPID": True, "containers": [{"name": "c", "image": "x:1"}]}}, open(sys.argv[1], "w"))' "$scratch/long.json" 3000000
for format in text json junit html; do
    run --format $format --include check=host-pid "$scratch/long.json"
    is "$format: a name of 3 MB is no fault of the output, and half a document is not written" "$status $err$out" \
        "2 loadline-score: the report is cut: what it says of one risk is longer than 1 MiB"
done
is "a full disk is" "$("$build/bin/loadline-score" --format json $example 2>&1 >/dev/full)" \
    "loadline-score: cannot write: No space left on device"

# ---- JUnit and HTML, of names that would be markup
evil='</td><script>alert(1)</script>&"'"'"
jq --arg evil "$evil" '(.items[] | select(.metadata.name == "payment") | .metadata.name) = $evil' $example >"$scratch/evil.json"
run --format junit "$scratch/evil.json"
printf '%s' "$out" >"$scratch/junit.xml"
is "JUnit: XML, and its figures agree" "$(python3 -c '
import sys, xml.etree.ElementTree as tree
root = tree.parse(sys.argv[1]).getroot()
cases = root.findall(".//testcase")
count = lambda tag: sum(case.find(tag) is not None for case in cases)
print(int(root.get("tests")) == len(cases), int(root.get("failures")) == count("failure"), int(root.get("skipped")) == count("skipped"),
      count("failure") > 0, len(root.findall("testsuite")), any(sys.argv[2] in (f.text or "") for f in root.iter("failure")))
' "$scratch/junit.xml" "$evil")" "True True True True 4 True"
run --format junit --baseline "$scratch/now.json" $example
is "... with a baseline nothing old fails" "$(grep -c '<failure' <<<"$out")" 0
run --format html --summary namespace "$scratch/evil.json"
is "HTML: no script, and nothing from elsewhere" "$(grep -ciE '<script|src=|href=|url\(|@import|javascript:' <<<"$out")" 0
like "... what is text stays text" "$out" '&lt;/td&gt;&lt;script&gt;alert\(1\)&lt;/script&gt;&amp;&quot;&#39;'
is "... a row a risk" "$(grep -c '<tr><td class="n">.*<details>' <<<"$out")" "$("$score" "${time[@]}" --format json "$scratch/evil.json" | jq '.risks | length')"
is "... and its tags are closed" "$(python3 -c '
import sys, html.parser
class P(html.parser.HTMLParser):
    stack, bad = [], 0
    def handle_starttag(self, tag, attrs):
        if tag not in ("meta", "br"): self.stack.append(tag)
    def handle_endtag(self, tag):
        self.bad += not self.stack or self.stack.pop() != tag
p = P(); p.feed(sys.stdin.read()); print(p.bad, len(p.stack))' <<<"$out")" "0 0"

# ---- the configuration file
conf() { printf '%b' "$1" >"$scratch/score.conf"; }
conf '# ours\nformat = json\nfail-on = low\nexclude = check=image-*\nexclude = namespace=default\npartial = yes\n'
run --config "$scratch/score.conf" $example
is "options from a file" "$status $(of '"\(.scope) \([.risks[] | select(.check | startswith("image-"))] | length)"')" "1 namespaces 0"
sed -n '/^## Options in a file/,/^## /{s/^    /    /p}' docs/score.md >"$scratch/shown.conf"
printf 'exemptions: []\n' >"$scratch/exemptions.yaml"
(cd "$scratch" && "$OLDPWD/$build/bin/loadline-score" --config shown.conf "$OLDPWD/$example" >"$scratch/out" 2>&1)
is "what the document shows is taken as it stands there, indented" "$? $(wc -l <"$scratch/shown.conf") $(head -c 9 "$scratch/out")" "1 5 CSC score"
printf '\tformat = json\n    partial = yes\n' >"$scratch/indented.conf"
run --config "$scratch/indented.conf" $example
is "a line that is indented is one of its own" "$status $(of .scope)" "0 namespaces"
run --config "$scratch/score.conf" --format text $example
like "what follows on the command line counts" "$out" '^CSC score'
while IFS='|' read -r text complaint; do
    conf "$text"
    run --config "$scratch/score.conf" $example
    is "a file that says ${text%%\\*}: 2" "$status" 2
    like "... and why" "$err" "^loadline-score: $scratch/score\.conf:$complaint\$"
done <<'END'
nothing = 1\n|1: nothing: there is no such option
# ours\n\ntop = many\n|3: top: "many" is not a number of checks.*
partial = perhaps\n|1: partial: "perhaps" is not yes or no.*
[a]\ntop = 1\n|2: top: there are no sections
format = json\ntop\n|2: this is not a "name = value" line
END
conf "partial = yes\n# $(printf '%0300d' 0) fail-below = 100\n"
run --config "$scratch/score.conf" $example
like "a line that is too long is not read as two" "$status $err" "^2 loadline-score: $scratch/score\.conf:2: the line is longer than [0-9]* bytes"
conf "config = $scratch/score.conf\n"
run --config "$scratch/score.conf" $example
like "a file that names itself" "$status $err" '^2 .*cannot name another one'
run --config /nonexistent $example
like "no such file" "$status $err" '^2 loadline-score: /nonexistent: No such file'

run --baseline /nonexistent $example
like "no such baseline" "$status $err" '^2 loadline-score: /nonexistent: No such file'

# ---- exemptions
check=privileged-container
cat >"$scratch/exempt.yaml" <<END
exemptions:
- check: $check
  namespace: shop
  workload: deployment/checkout
  reason: needs the device
  owner: platform team
  expires: 2027-03-31
- check: host-pid
  reason: nobody has it
  owner: platform team
  expires: 2027-03-31
END
cost=$(jq --arg check $check '[.risks[] | select(.check == $check) | .impact] | add' "$scratch/now.json")
run --format json --verbose --exemption-file "$scratch/exempt.yaml" $example
is "an exempt finding costs nothing, and what it would cost is said" \
    "$(of ".risks[] | select(.check == \"$check\") | \"\(.impact) \(.would_cost) \(.exempt); \(.exemption_owner), \(.exemption_expires)\"")" \
    "0 $cost needs the device; platform team, 2027-04-01T00:00:00.000Z"
for workload in deploy/checkout Deployment/checkout deployments.apps/checkout checkout; do
    sed "s|workload: .*|workload: $workload|" "$scratch/exempt.yaml" >"$scratch/spelt.yaml"
    run --format json --exemption-file "$scratch/spelt.yaml" $example
    is "a workload as kubectl takes it: $workload" "$(of ".risks[] | select(.check == \"$check\") | .exempt")" "needs the device"
done
run --format json --verbose --exemption-file "$scratch/exempt.yaml" $example
like "--verbose names what has no use" "$err" 'exempt\.yaml: the exemption of host-pid \(nobody has it\) has no use'
run --exemption-file "$scratch/exempt.yaml" $example
like "text lists it" "$out" "would cost  exempt"$'\n'" +$cost  $check  shop/deployment/checkout: needs the device \(platform team, until 2027-04-01"
run --format sarif --exemption-file "$scratch/exempt.yaml" $example
is "SARIF suppresses it, from outside" "$(of '[.runs[0].results[].suppressions[]?] | map("\(.kind) \(.justification)") | join(",")')" "external needs the device"
time=(--time 2027-03-31T23:59:59Z)
run --format json --exemption-file "$scratch/exempt.yaml" $example
is "it is good on its last day" "$(of ".risks[] | select(.check == \"$check\") | .exempt")" "needs the device"
time=(--time 2027-04-01T00:00:00Z)
run --format json --exemption-file "$scratch/exempt.yaml" $example
is "then it counts again and says so" "$(of ".risks[] | select(.check == \"$check\") | \"\(.impact > 0) \(.exempt) \(.exemption_expired)\"")" "true null needs the device"
run --exemption-file "$scratch/exempt.yaml" $example
like "... in text, too" "$out" 'exemptions that have expired'
time=(--time 2026-11-21T10:00:00Z)
while IFS='|' read -r what text complaint; do
    printf '%b' "$text" >"$scratch/bad.yaml"
    run --exemption-file "$scratch/bad.yaml" $example
    is "exemptions with $what: 2" "$status" 2
    like "... with the line and why" "$err" "^loadline-score: $scratch/bad\.yaml:$complaint"
done <<'END'
an unknown check|exemptions:\n- check: nothing\n|2: there is no such check
no reason|exemptions:\n- check: host-pid\n  owner: a\n  expires: 2027-01-01\n|2: an exemption must have
no end|exemptions:\n- check: host-pid\n  owner: a\n  reason: b\n|2: an exemption must have
a day that is none|exemptions:\n- check: host-pid\n  expires: 2027-02-30\n|3: expires must be
a member too many|exemptions:\n- check: host-pid\n  until: never\n|3: an exemption has
a truth for a text|exemptions:\n- check: host-pid\n  owner: y\n|3: the members of an exemption are texts
an empty namespace|exemptions:\n- check: host-pid\n  namespace: ""\n|3: namespace must not be empty
an empty workload|exemptions:\n- check: host-pid\n  workload: ""\n|3: workload must be a kind and a name
a workload without a name|exemptions:\n- check: host-pid\n  workload: deployment/\n|3: workload must be a kind and a name
a workload with a blank|exemptions:\n- check: host-pid\n  workload: deployment a\n|3: workload must be a kind and a name
no list|check: host-pid\n|1: it wants a list
texts for objects|exemptions: [host-pid]\n|1: an exemption is an object
a list of lists|exemptions:\n- [check]\n|2: an exemption is an object
a second document|exemptions: []\n---\nexemptions:\n- check: host-pid\n|3: a second document
something beside|exemptions: []\nexemption:\n- check: host-pid\n|3: it wants a list of exemptions: .*, and nothing else
broken YAML|exemptions: [\n|2: did not find
END
printf -- '---\n# none yet\nexemptions: []\n---\n' >"$scratch/none.yaml"
run --exemption-file "$scratch/none.yaml" $example
is "no exemptions, and nothing behind them" "$status" 0
done_testing
