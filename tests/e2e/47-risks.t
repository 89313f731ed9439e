#!/bin/bash
# GET /api/risks: the ledger of any moment is the scorer's, and the points of every difference add up.
. "$(dirname "$0")/lib.sh"
unset -f jq # that which keeps the order of members
. tests/e2e/cluster.sh
own_stack --set signup_limit=0/600
account Example

# at N: the time of the Nth snapshot; between: five seconds later
at() {
    date -ud "2026-03-17 23:58:00 UTC + $(($1 * 10 + ${2:-0})) seconds" +%Y-%m-%dT%H:%M:%SZ
}
# risks PARAMETERS: of cluster c
risks() {
    get "/api/risks?clusterId=c$1"
}
# push_at N FILE: the scorer, whom ledgers.py asks, knows no snapshots of before
push_at() {
    sql "UPDATE loadline.clusters SET shown = '' WHERE tenant_id = '$tenant'"
    push "${cluster:-c}" "$2" -H "X-Snapshot-Time: $(at "$1")"
    mkdir -p "$scratch/${cluster:-c}"
    cp "$2" "$scratch/${cluster:-c}/$(at "$1")"
}
# ledgers CLUSTER: what is wrong with those of its moments
ledgers() {
    # shellcheck disable=SC2046 # times
    python3 tests/e2e/ledgers.py "$base_url" "$token" "$1" "$build/bin/loadline-score" "$scratch/$1" $(ls "$scratch/$1")
}
# all_pages PARAMETERS: follows the links; the bodies, one after another
all_pages() {
    local path="/api/risks?clusterId=c$1"
    while [ -n "$path" ]; do
        get "$path"
        cat "$scratch/body"
        path=$(header Link | sed -n 's/^<\(.*\)>; rel="next"$/\1/p')
    done
}

# ---- a sequence over midnight: synthetic ones, then real ones
cluster 2 2 >"$scratch/0"
cluster 2 1 >"$scratch/1"
cluster 3 0 >"$scratch/2"
cluster 2 2 '(.items[] | select(.kind == "Deployment") | .spec.template.spec.containers[0]) += {securityContext: {privileged: true}}' >"$scratch/3"
cluster 2 2 '.items += [range(30) | {apiVersion: "apps/v1", kind: "Deployment", metadata: {name: "d\(.)", namespace: "n\(. % 3)"},
    spec: {replicas: 1, template: {spec: {containers: [{name: "x", image: "x:latest"}]}}}, status: {replicas: 1, availableReplicas: (. % 2)}}]' >"$scratch/4"
jq -c '.items[-1].status.availableReplicas = 0' "$scratch/4" >"$scratch/5"
jq -c 'del(.items[-1])' "$scratch/4" >"$scratch/6"
real=()
for file in "$shared"/snapshots/*.json.gz; do
    [ ! -s "$file" ] || [ "$(stat -c %s "$file")" -gt 200000 ] || real+=("$file")
done
sequence=("$scratch"/{0,1,2,3,4,5,5,6,0,3,1,2,6} "${real[@]:0:5}" "$scratch/4")
for n in "${!sequence[@]}"; do
    push_at "$n" "${sequence[n]}"
done
last=${#sequence[@]}

empty "each moment's risks are what the scorer finds, and of each pair the points add up" "$(ledgers c)"
get "/api/score-history?clusterId=c"
is "the history has a point for each" "$(json length)" "$last"
[ ${#real[@]} -gt 0 ] || skip "the same of real clusters" "there is no $shared/snapshots"

risks "&since=$(at 0)&at=$(at 3)"
is "a privileged container opened" "$(json '[.opened[] | select(.check == "privileged-container") | .resource] | join(" ")')" "deployment/api"
is "with its words" "$(json '[.opened[] | select(.message == "" or .recommendation == "")] | length')" 0
risks "&since=$(at 3)&at=$(at 0)"
refused "backwards" 400 invalid_field since
risks "&since=$(at 4)&at=$(at 5)"
is "what moved a little is told as changed" "$(json '.sums | [.opened.count, .resolved.count] | map(. <= 1) | all')" true
risks "&since=$(at 5)&at=$(at 6)"
is "the same snapshot again changes nothing" "$(json -c '[.change, .check_set_changed, .opened, .resolved, .changed]')" '[0,false,[],[],[]]'
is "and needs no ledger of its own" "$(sql "SELECT COUNT(*) FROM loadline.ledgers WHERE taken_at = '2026-03-17 23:59:00'")" 0
is "a ledger is told by what differs from the day's whole one" \
    "$(sql "SELECT d.base_at, LENGTH(d.body) * 10 < LENGTH(whole.body) FROM loadline.ledgers d JOIN loadline.ledgers whole ON whole.taken_at = d.base_at
        WHERE d.taken_at = '2026-03-17 23:58:50'")" "2026-03-17 23:58:40.000	1"
is "and after midnight there is a new one" "$(sql "SELECT base_at IS NULL FROM loadline.ledgers WHERE taken_at >= '2026-03-18' ORDER BY taken_at LIMIT 1")" 1

# ---- pages and filters
risks "&limit=1000"
cp "$scratch/body" "$scratch/now"
is "now is the latest snapshot" "$(header X-Score-Time)" "$(at $((last - 1)) | sed 's/Z/.000Z/')"
is "costliest first" "$(json '[.[].impact] == ([.[].impact] | sort | reverse)')" true
exact_scores() {
    local n
    for ((n = 0; n < last; n++)); do
        risks "&at=$(at "$n")&limit=1"
        header X-Score-Exact
    done
}
is "the exact score has two decimals at each moment" "$(exact_scores | grep -cxE '[0-9]{1,3}\.[0-9]{2}')" "$last"
like "the check set has a number" "$(header X-Check-Set)" '^[0-9a-f]{16}$'
is "pages of 7 are the whole" "$(all_pages '&limit=7' | jq -sc add | md5sum)" "$(jq -c . "$scratch/now" | md5sum)"
risks "&limit=7"
next=$(header Link | sed -n 's/^<\(.*\)>; rel="next"$/\1/p')
push_at $((last + 1)) "$scratch/0"
get "$next"
is "a page is of the same moment as the one before" "$(json -c '[.[].id]')" "$(jq -c '[.[7:14][].id]' "$scratch/now")"
# other_words PRIVILEGED: one outage, beside which all else costs little, so that many risks cost the same; PRIVILEGED
# changes what is said of some of them, and how severe they are
other_words() {
    jq -nc --argjson privileged "$1" '{kind: "List", apiVersion: "v1", items: [range(6) | {apiVersion: "apps/v1", kind: "Deployment",
        metadata: {name: "d\(.)", namespace: "shop"}, spec: {replicas: 2, template: {spec: {containers: [
            {name: "c", image: "x:1"} + if $privileged then {securityContext: {privileged: true}} else {} end]}}},
        status: {replicas: 2, availableReplicas: (if . == 0 then 0 else 2 end)}}]}'
}
other_words false >"$scratch/plain"
other_words true >"$scratch/privileged"
push words "$scratch/plain"
get "/api/risks?clusterId=words&limit=1000"
cp "$scratch/body" "$scratch/words"
is "of those that cost the same the least id is first" "$(json 'map([-.impact, .id]) | . == sort')" true
path="/api/risks?clusterId=words&limit=5"
for ((n = 0; n < 100; n++)); do
    [ -n "$path" ] || break
    get "$path"
    cat "$scratch/body"
    path=$(header Link | sed -n 's/^<\(.*\)>; rel="next"$/\1/p')
    [ "$n" != 1 ] || push words "$scratch/privileged"
done >"$scratch/pages"
is "pages are the whole of that moment, also when what is said of risks changes meanwhile" \
    "$(jq -s 'add | map([.id, .impact])' "$scratch/pages" | md5sum)" "$(jq 'map([.id, .impact])' "$scratch/words" | md5sum)"
is "though others are more severe now" "$(jq -sc --slurpfile before "$scratch/words" 'add | map({(.id): .severity}) | add == ($before[0] | map({(.id): .severity}) | add)' "$scratch/pages")" false
is "pages of a difference are the whole" \
    "$(all_pages "&since=$(at 4)&at=$(at 7)&limit=2" | jq -sc 'map(.opened[], .resolved[], .changed[].risk) | map(.id) | sort')" \
    "$(all_pages "&since=$(at 4)&at=$(at 7)&limit=1000" | jq -sc 'map(.opened[], .resolved[], .changed[].risk) | map(.id) | sort')"
# narrowed PARAMETERS JQ: the filter gives what jq selects
narrowed() {
    risks "&limit=1000&at=$(at $((last - 1)))&$1"
    is "$1" "$(json -c . | md5sum)" "$(jq -c "map(select($2))" "$scratch/now" | md5sum)"
}
narrowed severity=high '.severity == "high"'
narrowed category=health '.category == "health"'
narrowed check=image-tag-mutable '.check == "image-tag-mutable"'
narrowed namespace=n1 '.namespace == "n1"'
narrowed 'namespace=n1&severity=medium' '.namespace == "n1" and .severity == "medium"'
narrowed namespace=nowhere false
narrowed check=no-such-check false
all_pages "&at=$(at $((last - 1)))&namespace=n1&limit=3" | jq -sc add >"$scratch/pages"
is "pages of a filter" "$(md5sum <"$scratch/pages")" "$(jq -c 'map(select(.namespace == "n1"))' "$scratch/now" | md5sum)"

# ---- refusals
risks "&at=$(at 0 -1)"
refused "before the first" 404 no_ledger at
like "the first is named" "$(json .error)" '2026-03-17T23:58:00.000Z'
risks "&since=$(at 0 -1)"
refused "since before the first" 404 no_ledger since
for bad in severity=High category=x limit=0 limit=1001 at=yesterday since=1 cursor=x cursor=1..y cursor=...0123456789abcdef \
    "cursor=$(date +%s)000..0123456789abcdef" "cursor=$(date +%s)000..x.0123456789abcdef" "cursor=$(date +%s)000..1.0123456789abcdeg" \
    "cursor=9223372036854775807..1.0123456789abcdef" "check=$(printf %065d 0)"; do
    risks "&$bad"
    refused "$bad" 400 invalid_field "${bad%%=*}"
done
get /api/risks
refused "no cluster" 400 missing_field clusterId
get '/api/risks?clusterId=a%20b'
refused "a bad one" 400 invalid_field clusterId
get '/api/risks?clusterId=nowhere'
refused "an unknown one" 404 unknown_cluster
sql "INSERT INTO loadline.clusters (cluster, tenant_id, name, created_at) VALUES (UUID(), '$tenant', 'new', UTC_TIMESTAMP(3))"
get '/api/risks?clusterId=new'
refused "one never scored" 409 no_snapshot
request GET '/api/risks?clusterId=c' -H "X-API-Key: $api_key"
is "an API key" "$status" 401
request POST '/api/risks?clusterId=c' -H "Authorization: Bearer $token" -d '{}'
is "POST" "$status $(header Allow)" "405 GET, HEAD"
owner_token=$token owner_key=$api_key
account Other
risks ''
refused "another tenant" 404 unknown_cluster
token=$owner_token api_key=$owner_key

# ---- snapshots that come late: each moment has its own ledger all the same
cluster=late
for n in 0 2 4 6 8; do push_at "1$n" "$scratch/0"; done
push_at 15 "$scratch/4"
push_at 13 "$scratch/3"
push_at 17 "$scratch/0"
push_at 19 "$scratch/0"
empty "snapshots out of order" "$(ledgers late)"
get "/api/risks?clusterId=late&limit=1000"
is "the latest is the one that arrived last" "$(header X-Score-Time)" "$(at 19 | sed 's/Z/.000Z/')"
# Two at the same millisecond: one after the other.
push_at 20 "$scratch/0"
push_at 20 "$scratch/3"
get "/api/risks?clusterId=late&check=privileged-container"
is "two at once" "$(header X-Score-Time) $(json length)" "$(at 20 | sed 's/Z/.001Z/') 1"
get "/api/risks?clusterId=late&check=privileged-container&at=$(at 20)"
is "the first of them" "$(header X-Score-Time) $(json length)" "$(at 20 | sed 's/Z/.000Z/') 0"
# What is older than the latest is history only: the gate, the list and the snapshot stay.
shown() {
    request POST /api/validate -H "X-API-Key: $api_key" -H 'Content-Type: application/json' -d '{"cluster_id":"late"}'
    json -c '[.score_time, .risks_total, .categories]'
    get "/api/cluster?id=late&include=deployments,risks"
    json -c .
    get /api/clusters
    json -c '.[] | select(.id == "late") | del(.status)'
}
shown >"$scratch/shown"
push_at 11 "$scratch/4"
is "an older snapshot is taken" "$status" 200
empty "and nothing but the history moves" "$(shown | diff "$scratch/shown" -)"
get "/api/risks?clusterId=late&at=$(at 11)"
is "which it does" "$(header X-Score-Time)" "$(at 11 | sed 's/Z/.000Z/')"
push_at 11 "$scratch/3"
is "... another one of the same millisecond" "$status" 200
empty "... passes by nothing that was taken meanwhile" "$(shown | diff "$scratch/shown" -)"
get "/api/risks?clusterId=late&at=$(at 11 | sed 's/Z/.002Z/')"
is "... but stands right behind the other" "$(header X-Score-Time)" "$(at 11 | sed 's/Z/.001Z/')"
push_at 20 "$scratch/4"
get "/api/risks?clusterId=late"
is "of three at once the last is the latest" "$(header X-Score-Time)" "$(at 20 | sed 's/Z/.002Z/')"
# A clock that was a day ahead does not stop the world for that day.
sql "UPDATE clusters SET newest_at = UTC_TIMESTAMP(3) + INTERVAL 1 DAY WHERE tenant_id = '$tenant' AND name = 'late'"
push_at 21 "$scratch/0"
get "/api/risks?clusterId=late"
is "one of a future that never was is no obstacle" "$(header X-Score-Time)" "$(at 21 | sed 's/Z/.000Z/')"
cluster=c

# ---- a formula that is not the one of before
risks "&since=$(at 4)&at=$(at 7)"
is "the same formula needs no words" "$(json -c '[.formula, .from.formula == .to.formula]')" '[null,true]'
cp "$scratch/body" "$scratch/same"
sql "UPDATE loadline.ledgers SET formula = 1 WHERE taken_at < '2026-03-17 23:58:50'"
risks "&since=$(at 4)&at=$(at 7)"
is "another one is named" "$(json -c '[.formula.from, .formula.to, .from.formula, .to.formula]')" "[1,$(jq .to.formula "$scratch/same"),1,$(jq .to.formula "$scratch/same")]"
like "in a sentence" "$(json .formula.message)" '^The score is made by another formula \(version [0-9]+, it was 1\)'
is "all else is told as before, to the hundredth" "$(json -c 'del(.formula, .from.formula, .from.score)')" "$(jq -c 'del(.from.formula, .from.score)' "$scratch/same")"
is "a score of then is rounded as it was then" "$(json '.from.score == (.from.score_exact | round)')" true
risks "&at=$(at 4)"
is "a list says which it is" "$(header X-Score-Formula)" 1
risks "&since=$(at 0)&at=$(at 3)"
is "two of before are of one formula" "$(json -c '[.formula, .from.formula, .to.formula]')" '[null,1,1]'
sql "UPDATE loadline.ledgers SET formula = $(jq .to.formula "$scratch/same")"

# ---- all of it again after a restart, under other rules
for n in 3 5; do risks "&at=$(at $n)&limit=1000" && cp "$scratch/body" "$scratch/before-$n"; done
scripts/down --dir "$stack_dir"
scripts/up --dir "$stack_dir" --port "$stack_port" --build "$build" --set signup_limit=0/600 --set trusted_registries=example.com --workers maintain=0 >/dev/null
for n in 3 5; do
    risks "&at=$(at $n)&limit=1000"
    is "the same after a restart ($n)" "$(md5sum <"$scratch/body")" "$(md5sum <"$scratch/before-$n")"
done
push_at $((last + 2)) "$scratch/0"
risks "&since=$(at $((last + 1)))"
is "other rules are told apart" "$(json .check_set_changed)" true
is "and the points add up over them" "$(json 'def h: . * 100 | round; ([.sums[].points | h] | add) == (.change | h) and (.change | h) < 0')" true
risks "&since=$(at 4)&at=$(at 5)"
is "older ones were under the same" "$(json .check_set_changed)" false
done_testing
