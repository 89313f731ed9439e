#!/bin/bash
# loadline-score: formats, exit status, complaints; and the worked example of docs/scoring.md.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

score=$build/bin/loadline-score
example=tests/fixtures/worked-example.json
time=2026-11-21T10:00:00Z

run() { # run ARGUMENT...: fills out, err and status
    out=$("$score" "$@" 2>"$scratch/err")
    status=$?
    err=$(cat "$scratch/err")
}

# ---- the worked example, as the page prints it ----
shown=$(sed -n '/^    >   jq/,/^$/{/^    >/d;/^$/d;s/^    //p}' docs/scoring.md)
program=$(sed -n "s/^    >   jq -r '\(.*\)'$/\1/p" docs/scoring.md)
is "docs/scoring.md shows what the scorer says" \
    "$("$score" --format json --time $time $example | jq -r "$program")" "$shown"

# ---- the same bytes, whatever the order, the form and the packing ----
expected=$("$score" --format json --time $time $example)
points=$(jq .csc_score <<<"$expected") exact=$(jq .score_exact <<<"$expected")
jq '.items |= reverse' $example >"$scratch/reversed.json"
jq -c '.items[]' $example >"$scratch/stream.json"
jq '[.items[] | .collection = (.kind | ascii_downcase + "s" | sub("ys$"; "ies"))] | group_by(.collection) |
    map({(.[0].collection): map(del(.collection, .kind, .apiVersion))}) | add' $example >"$scratch/collections.json"
for form in reversed stream; do
    is "$form: the same bytes" "$("$score" --format json --time $time "$scratch/$form.json")" "$expected"
done
is "gzip, from standard input: the same bytes" "$(gzip -c $example | "$score" --format json --time $time -)" "$expected"
is "another locale: the same bytes" "$(LC_ALL=de_DE.UTF-8 "$score" --format json --time $time $example)" "$expected"
run --format json --time $time "$scratch/collections.json"
is "collections without kinds are read" "$(jq -r .coverage.by_check.\"privileged-container\".failed <<<"$out")" 1

# ---- its time ----
dated='{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","uid":"1","creationTimestamp":"2026-03-17T10:00:00Z","deletionTimestamp":"2099-01-01T00:00:00Z"},"status":{"phase":"Running","startTime":"2026-03-17T11:00:00Z"}}'
run --format json - <<<"$dated"
is "a file is as old as its newest time" "$(jq -r '.time + " " + .time_source' <<<"$out")" "2026-03-17T11:00:00.000Z snapshot"
run --format json --time $time - <<<"$dated"
is "unless told otherwise" "$(jq -r '.time + " " + .time_source' <<<"$out")" "2026-11-21T10:00:00.000Z option"
run --format json - <<<'{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"}}'
is "a manifest is of now" "$(jq -r .time_source <<<"$out")" clock
run --format json - <<<"${dated//2026-03-17T11/2098-03-17T11}"
is "so is a file of tomorrow" "$(jq -r .time_source <<<"$out")" clock
run - <<<"$dated"
like "in words" "$out" 'Judged as of 2026-03-17T11:00:00Z, its newest time\.'
run --verbose - <<<"$dated"
like "--verbose names whose it is" "$err" '^time of the snapshot: 2026-03-17T11:00:00Z, told by Pod p$'
node='{"apiVersion":"v1","kind":"Node","metadata":{"name":"n"},"status":{"conditions":[{"type":"Ready","status":"True","lastHeartbeatTime":"2026-03-17T10:30:00Z"}]}}'
added='{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"added\u001b[31m","namespace":"shop","creationTimestamp":"2026-06-01T00:00:00Z"}}'
run --format json - <<<"$dated$added"
is "pods alone do not say when they were looked at" "$(jq -r .time <<<"$out")" "2026-06-01T00:00:00.000Z"
run --format json - <<<"$dated$node$added"
is "with a heartbeat, what was added later does not count" "$(jq -r '.time + " " + .time_source' <<<"$out")" "2026-03-17T11:00:00.000Z snapshot"
run --verbose - <<<"$dated$node$added"
like "in words" "$out" 'Judged as of 2026-03-17T11:00:00Z, when its nodes were looked at; it has later times too\.'
is "--verbose names both" "$(grep -v '^read ' <<<"$err")" "time of the snapshot: 2026-03-17T11:00:00Z, told by Pod p
later, so not of the same look: 2026-06-01T00:00:00Z, told by ConfigMap shop/added?[31m"
run --verbose --time $time - <<<"$dated$node$added"
is "... but not of a time that was told" "$(grep -v '^read ' <<<"$err")" ""

# ---- exit status ----
run --time $time $example
is "scored: 0" $status 0
like "... with the score in words" "$out" "^CSC score $points of 100: SAFE"
run --time $time - <<<'{"apiVersion":"v1","kind":"Service","metadata":{"name":"s"},"spec":{}}'
like "a score of little says so" "$out" 'Only [0-9]+ of [0-9]+ checks found something to judge'
run --time $time - <<<'{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"containers":[{"name":"c"}]}}'
like "one pod is one pod" "$out" '; 1 pod, 0 nodes\)'
run --time $time - <<<'YAML: no'
like "a file without objects" "$err" "no Kubernetes object in it"
run --time $time --fail-below "$points" $example
is "not below: 0" $status 0
run --time $time --fail-below $((points + 1)) $example
is "below: 1" $status 1
for bad in '' '{}' '[]' '{"kind":"List","items":[]}' 'nonsense' '{"kind":"Pod"' 'null'; do
    printf '%s' "$bad" >"$scratch/bad.json"
    run "$scratch/bad.json"
    is "bad input ($bad): 2" $status 2
    like "... and one line on stderr" "$err" '^loadline-score: [^'$'\n'']+$'
    is "... and nothing on stdout" "$out" ""
done
run /dev/null
is "an empty file says so" "$err" "loadline-score: /dev/null: it is empty: what was to print it has printed nothing"
mkdir "$scratch/nothing"
run "$scratch/nothing"
is "... and a directory without files" "$err" "loadline-score: $scratch/nothing: no Kubernetes object in it"
run - <<<'{"apiVersion":"example.com/v1","kind":"Gadget","metadata":{"name":"g"}}'
is "a file of other kinds names them" "$status $err" "2 loadline-score: -: no object of a kind that a check reads in it, but Gadget (1)"
gzip -c $example | head -c 200 >"$scratch/cut.gz"
run "$scratch/cut.gz"
is "a cut gzip: 2" $status 2
like "... says so" "$err" 'cut'
is "zstd, from standard input: the same bytes" "$(zstd -qc $example | "$score" --format json --time $time -)" "$expected"
zstd -qc $example | head -c 200 >"$scratch/cut.zst"
run "$scratch/cut.zst"
is "a cut zstd: 2" "$status $err" "2 loadline-score: $scratch/cut.zst: the zstd stream is cut: its end is missing"
run /nonexistent
is "no such file: 2" $status 2
like "... says so" "$err" 'No such file'
for usage in "" "--fail-below 101 x" "--fail-below x x" "--time yesterday x" "--format yaml x" "--explain nothing" "--nothing"; do
    # shellcheck disable=SC2086
    run $usage
    is "usage ($usage): 2" $status 2
done

# ---- what the API would not take ----
cat >"$scratch/misfits.yaml" <<'END'
apiVersion: apps/v1
kind: Deployment
metadata: {name: cart, namespace: shop, labels: {version: 1.0}}
spec:
  replicas: three
  template:
    spec:
      containers: {}
---
apiVersion: v1
kind: Service
metadata: null
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {replicas: -5}
---
apiVersion: batch/v1
kind: Job
metadata: {generateName: migrate-}
END
run --format json --time $time "$scratch/misfits.yaml"
is "values that count as left out: scored" "$status $(jq -r '.csc_score | type' <<<"$out")" "0 number"
is "... and named, with their places" "${err//"$scratch/"/}" "loadline-score: misfits.yaml:3: Deployment shop/cart: metadata.labels.version is a number, where a string belongs; it counts as left out
loadline-score: misfits.yaml:5: Deployment shop/cart: spec.replicas is \"three\", where a whole number belongs; it counts as left out
loadline-score: misfits.yaml:8: Deployment shop/cart: spec.template.spec.containers is an object, where a list belongs; it counts as left out
loadline-score: misfits.yaml:10: Service: metadata.name is missing
loadline-score: misfits.yaml:14: Deployment web: spec.replicas is below 0; it counts as 0"
run --time $time $example
is "what the API takes is not" "$err" ""
jq -nc 'range(25) | {apiVersion: "v1", kind: "Pod", metadata: {name: "p\(.)"}, spec: {hostNetwork: "no"}}' >"$scratch/misfits.json"
run --time $time "$scratch/misfits.json"
is "of many the first 20" "$(wc -l <<<"$err") $(tail -1 <<<"$err")" "21 loadline-score: 5 more values like that; --verbose names them"
like "... with line and column of JSON" "$err" "^loadline-score: $scratch/misfits.json:1:[0-9]+: Pod p0: spec.hostNetwork is a string, where true or false belongs; it counts as left out"
run --verbose --time $time "$scratch/misfits.json"
is "--verbose names all" "$(grep -c ' Pod p[0-9]*: spec.hostNetwork is ' <<<"$err")" 25
jq -nc '{apiVersion: "v1", kind: "Pod", metadata: {name: "a\u001b[31m"}, spec: {hostNetwork: "no"}}' >"$scratch/misfits.json"
run "$scratch/misfits.json"
is "... and names cannot steer the terminal" "$(LC_ALL=C grep -c $'\x1b' <<<"$err")" 0

# ---- formats and help ----
run --format sarif --time $time $example
is "SARIF: version" "$(jq -r .version <<<"$out")" 2.1.0
is "SARIF: a result a risk" "$(jq '.runs[0].results | length' <<<"$out")" "$(jq '.risks | length' <<<"$expected")"
is "SARIF: every rule index points at its rule" \
    "$(jq '.runs[0] as $r | [$r.results[] | select($r.tool.driver.rules[.ruleIndex].id != .ruleId)] | length' <<<"$out")" 0
lacking=$(jq -r '.runs[] | (select(.tool.driver.name | not) | "driver.name"),
    (.tool.driver.rules[] | select((.id and .shortDescription.text and .help.text and .defaultConfiguration.level) | not) | "rule"),
    (.results[] | (select((.message.text and .ruleId and (.level | IN("error", "warning", "note"))) | not) | "result"),
        (.locations[] | select((.physicalLocation.artifactLocation.uri and .logicalLocations[0].fullyQualifiedName) | not) | "location"),
        (.suppressions[]? | select(.kind | IN("inSource", "external") | not) | "suppression"))' <<<"$out")
is "SARIF: what its schema requires is there" "$lacking" ""
is "SARIF: risk ids are told apart" "$(jq '[.runs[0].results[].partialFingerprints[]] | length == (unique | length)' <<<"$out")" true
cp $example "$scratch/a file: 50%.json"
(cd "$scratch" && "$OLDPWD/$score" --format sarif --time $time "a file: 50%.json") >"$scratch/sarif"
is "SARIF: the file's name as a URI" "$(jq -r '.runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri' "$scratch/sarif")" \
    "a%20file%3A%2050%25.json"
run --explain container-crash-loop
like "--explain tells what it weighs" "$out" $'\n''  weighs      a workload with it is down, by 20 % at least'$'\n'
run --explain privileged-container
like "... and what posture costs" "$out" $'\n''  weighs      5 of posture, when every object that is asked has it'$'\n'
run --list-checks
is "--list-checks: a line a check" "$(wc -l <<<"$out")" "$(grep -c '^CHECK(' lib/score/checks.def)"
run --list-checks $example
is "... and of no file" "$status $err" "2 loadline-score: no FILE is wanted with --list-checks and --explain"
run --help
like "--help" "$out" '^Usage: loadline-score'
jq '.items[2].metadata.name = "a\u001b[31mb\u009b1mc\n"' $example >"$scratch/escapes.json"
run --top 99 --time $time "$scratch/escapes.json"
is "names cannot steer the terminal" "$(LC_ALL=C grep -c $'[\x01-\x09\x0b-\x1f\x7f]\|\xc2[\x80-\x9f]' <<<"$out")" 0
like "... and are shown without what would" "$out" 'a\?\[31mb\?\?1mc\?'
printf '{"kind":"List","a\x5cu001b[1mb":{"c":[}}' >"$scratch/escapes.json"
run "$scratch/escapes.json"
is "... nor can keys in a complaint" "$(LC_ALL=C grep -c $'\x1b' <<<"$err")" 0
jq '.items[2].metadata.name = "a\u202eb\u2066c\u200fd\u200be"' $example >"$scratch/escapes.json"
run --top 99 --time $time "$scratch/escapes.json"
like "... nor can they turn the text round, or hide in it" "$out" 'a\?\?\?b\?\?\?c\?\?\?d\?\?\?e'

# ---- work without end ----
awk 'BEGIN { for (i = 0; i < 12000; i++) {
    printf "{\"kind\":\"Pod\",\"metadata\":{\"name\":\"p%d\",\"namespace\":\"a\",\"labels\":{\"i\":\"%d\"}}}", i, i
    printf "{\"kind\":\"NetworkPolicy\",\"metadata\":{\"name\":\"n%d\",\"namespace\":\"a\"},\"spec\":{\"podSelector\":{}}}", i } }' |
    "$score" - >"$scratch/out" 2>"$scratch/err" && status=0 || status=$?
is "selectors against pods, more than can be: 2" $status 2
like "... and says what took most" "$(cat "$scratch/err")" 'too complex: holding labels of pods against selectors of NetworkPolicies'
awk 'BEGIN { for (i = 0; i < 12000; i++) {
    printf "{\"kind\":\"Deployment\",\"metadata\":{\"name\":\"d%d\",\"namespace\":\"a\"},\"spec\":{\"template\":{\"metadata\":{\"labels\":{\"a\":\"b\"}}}}}", i
    printf "{\"kind\":\"Service\",\"metadata\":{\"name\":\"s%d\",\"namespace\":\"a\"},\"spec\":{\"selector\":{\"a\":\"b\"}}}", i } }' |
    "$score" - >"$scratch/out" 2>"$scratch/err" && status=0 || status=$?
is "services against workloads: 2" $status 2

# ---- what the snapshot shows ----
is "the whole cluster, unless said" "$(jq -r .scope <<<"$expected")" cluster
run --format json --partial --time $time $example
is "--partial: JSON has the scope" "$status $(jq -r .scope <<<"$out")" "0 namespaces"
run --partial --time $time $example
like "... and text" "$out" '^CSC score [^'$'\n'']*; namespaces shown only\)'
run --time $time $example
is "... which else says nothing of it" "$(grep -c 'shown only' <<<"$out")" 0
run --help
like "... and --help knows it" "$out" '--partial'
is "JSON names the formula" "$(jq -c '[.formula, (.hazard | type), (.verdict | type)]' <<<"$expected")" \
    "[$(sed -n 's/.* SCORE_FORMULA = \([0-9]*\) .*/\1/p' lib/score/score.h),\"number\",\"string\"]"

run --top 1 --time $time $example
like "--top" "$out" "$(jq '[.risks[].check] | unique | length - 1' <<<"$expected") more checks failed"

# ---- policy by option ----
jq '.items[2].metadata.annotations = {"loadline.io/exempt": "privileged-container, host-pid: needs the device"}' \
    $example >"$scratch/exempt.json"
run --format json --time $time "$scratch/exempt.json"
is "exemptions are off by default" "$(jq -r .score_exact <<<"$out")" "$exact"
run --format json --time $time --exemptions "$scratch/exempt.json"
is "an exempted finding costs nothing" \
    "$(jq -r '.risks[] | select(.check == "privileged-container") | "\(.impact) \(.exempt)"' <<<"$out")" "0 needs the device"
is "... and what it hid pays for itself" \
    "$(jq -r '.risks[] | select(.check == "privilege-escalation-allowed") | .impact > 0' <<<"$out")" true
for form in "privileged-container:" "privileged-container" ": because" "Privileged-Container: because" "*: because"; do
    jq --arg form "$form" '.items[2].metadata.annotations = {"loadline.io/exempt": $form}' $example >"$scratch/exempt.json"
    run --format json --time $time --exemptions "$scratch/exempt.json"
    is "no exemption: $form" "$(jq -r .score_exact <<<"$out")" "$exact"
done
for place in https://registry.example.com a.example.com,b.example.com '*.example.com' bitnami; do
    run --trusted-registry "$place" $example
    like "no image can be from $place" "$status $err" "^2 loadline-score: --trusted-registry: .* is not a place such as"
done
run --format json --time $time --trusted-registry registry.example.com $example
is "a trusted registry" "$(jq -r '.coverage.by_check."image-registry-untrusted".failed' <<<"$out")" 0
run --format json --time $time --trusted-registry other.example.com $example
is "all registries but the trusted ones" "$(jq -r '.coverage.by_check."image-registry-untrusted".failed' <<<"$out")" 4
# ---- colours: for a terminal that has them, and nobody who wants none
# colored VARIABLE=VALUE...: whether it colours what it says to a terminal
colored() {
    env -u NO_COLOR TERM=xterm "$@" python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' \
        "$score" --time $time $example </dev/null >"$scratch/terminal"
    grep -qF $'\e[' "$scratch/terminal" && echo yes || echo no
}
is "a terminal has colours" "$(colored)" yes
is "one that is dumb has none" "$(colored TERM=dumb)" no
is "nor has who wants none" "$(colored NO_COLOR=1)" no
is "an empty NO_COLOR wants nothing" "$(colored NO_COLOR=)" yes
is "a file has none" "$("$score" --time $time $example | grep -cF $'\e[')" 0
done_testing
