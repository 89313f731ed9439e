#!/bin/bash
# What is new since a moment: the last SAFE decision, a decision, a time; and what the gate makes of it.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
stack
account Example
unset GITHUB_ACTIONS GITHUB_STEP_SUMMARY GITHUB_OUTPUT GITLAB_CI
export LOADLINE_URL=$base_url LOADLINE_API_KEY=$api_key
cluster 2 2 >"$scratch/good.json"
cluster 3 0 >"$scratch/bad.json"

# new: what the last answer says of what is new
new() {
    json -c '[.score_new, .decision_new, .baseline.risks_total]'
}

push never "$scratch/bad.json"
validate never '{"baseline":"last_safe"}'
is "a cluster that was never SAFE has no baseline" "$status $(json -c '[.baseline.asked, .baseline.time, .baseline.decision_id]')" '200 ["last_safe",null,null]'
is "so that all is new" "$(json '.score_new == .csc_score and .decision_new == .decision')" true
bad_id=$(json .decision_id) bad_decision=$(json .decision)
isnt "which is bad" "$bad_decision" SAFE

# also where it has many decisions and others have many SAFE ones the server reads few
while read -r cluster decision; do
    sql "INSERT INTO decisions (cluster, decided_at, decision_id, tenant_id, key_id, decision, csc_score, score_time,
            risks_total, resource, namespace, action, image, requested_by, source, findings, risks_hash)
        SELECT $cluster, decided_at - INTERVAL seq SECOND, UUID(), tenant_id, key_id, $decision, csc_score, score_time,
            risks_total, resource, namespace, action, image, requested_by, source, findings, risks_hash
        FROM decisions JOIN seq_1_to_2000 WHERE decision_id = '$bad_id'"
done <<END
cluster decision
'00000000-0000-4000-8000-000000000000' 'SAFE'
END
# the statement decision_last_of
last_of="SELECT decision_id AS id, score_time FROM decisions WHERE tenant_id = '$tenant' AND cluster = (SELECT cluster
    FROM clusters WHERE tenant_id = '$tenant' AND name = 'never') AND decision = '%s' ORDER BY decided_at DESC LIMIT 1"
for decision in SAFE "$bad_decision"; do
    # shellcheck disable=SC2059 # the statement is the format
    read=$(sql "$(printf "$last_of" "$decision"); SHOW STATUS LIKE 'Handler_read%'" |
        awk '/^Handler_read/ { n += $2 } END { print n }')
    ok "the last one is found at once: $decision ($read rows)" [ "$read" -lt 10 ]
done

push a "$scratch/good.json"
validate a
good_id=$(json .decision_id)
is "a good one" "$(json .decision)" SAFE
is "an answer without a baseline says nothing of it" "$(json 'has("baseline") or has("decision_new")')" false
validate a '{"baseline":"last_safe"}'
is "nothing is new" "$(new)" '[100,"SAFE",0]'
safe_id=$(json .decision_id)
push a "$scratch/bad.json"
validate a '{"baseline":"last_safe"}'
is "since the last decision that was SAFE" "$(json .baseline.decision_id)" "$safe_id"
is "what is down is new" "$(json '.decision_new != "SAFE" and .score_new < 70 and .score_new >= .csc_score and (.baseline.time < .score_time)')" true
is "the new ones are told" "$(json '.baseline.risks_total > 0 and (.baseline.risks | map(.impact) | min) > 0')" true
json -c '[.baseline.risks[].id]' >"$scratch/fresh"
get "/api/decisions?id=$safe_id"
is "and none of them was there then" "$(jq -c --slurpfile fresh "$scratch/fresh" '[.risks[].id] - ([.risks[].id] - $fresh[0])' "$scratch/body")" "[]"
validate a "{\"baseline\":\"$good_id\"}"
is "the same since a decision" "$(json '[.baseline.decision_id, (.score_new < 70)] | map(tostring) | join(" ")')" "$good_id true"
last=$(get '/api/decisions?clusterId=a&limit=1' && json '.[0].id')
validate a "{\"baseline\":\"$last\"}"
is "since the last one nothing is" "$(json -c '[.decision_new, .score_new]') $(json .decision)" "[\"SAFE\",100] $bad_decision"
validate a "{\"baseline\":\"$(date -ud '1 minute' +%FT%TZ)\"}"
is "nor since a time" "$(new)" '[100,"SAFE",0]'
get "/api/gate?clusterId=a&baseline=last_safe"
is "a question may have one, too" "$status $(json '.score_new < 70')" "200 true"
yesterday=$(date -ud '1 day ago' +%F)
push day "$scratch/bad.json" -H "X-Snapshot-Time: $(date -ud '3 days ago' +%FT%TZ)"
push day "$scratch/bad.json"
while IFS='|' read -r what asked; do
    get "/api/gate?clusterId=day&baseline=$asked"
    is "$what" "$status $(json .baseline.asked) $(new)" "200 ${yesterday}T00:00:00.000Z [100,\"SAFE\",0]"
done <<END
a day alone|$yesterday
a time without an offset|${yesterday}T00:00:00
one whose plus has become a blank|${yesterday}T01:00:00+01:00
END

# ---- with a manifest: what will be new
privileged='{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"p","namespace":"shop"},"spec":{"selector":{"matchLabels":{"app":"p"}},"template":{"metadata":{"labels":{"app":"p"}},"spec":{"hostPID":true,"containers":[{"name":"p","image":"p:1","securityContext":{"privileged":true}}]}}}}'
validate a "{\"baseline\":\"$last\",\"manifest\":$privileged}"
is "with a manifest it is what will be new" "$status $(json '.baseline.risks | map(.resource) | unique | join(" ")')" "200 deployment/p"
is "and costs what it costs alone" "$(json '.score_new > .predicted_score and .score_new < 100')" true

# ---- an old snapshot is no better for it
sql "UPDATE clusters SET taken_at = taken_at - INTERVAL 10 MINUTE WHERE tenant_id = '$tenant' AND name = 'a'"
validate a "{\"baseline\":\"$last\"}"
is "an old snapshot counts less" "$(json -c '[.score_new <= 69, .decision_new]')" '[true,"WARN"]'
sql "UPDATE clusters SET taken_at = taken_at + INTERVAL 10 MINUTE WHERE tenant_id = '$tenant' AND name = 'a'"

# ---- refusals
for baseline in x LAST_SAFE last_safe2 2026-13-01T00:00:00Z; do
    validate a "{\"baseline\":\"$baseline\"}"
    refused "$baseline" 400 invalid_field baseline
done
validate a "{\"baseline\":\"$(date -ud '4 minutes' +%FT%TZ)\"}"
is "a clock that is a little ahead" "$status $(new)" '200 [100,"SAFE",0]'
for ahead in '6 minutes' '1 year'; do
    validate a "{\"baseline\":\"$(date -ud "$ahead" +%FT%TZ)\"}"
    refused "$ahead ahead, since which nothing could be new" 400 invalid_field baseline
done
get "/api/gate?clusterId=a&baseline=$(date -ud '2 days' +%F)"
refused "the day after tomorrow" 400 invalid_field baseline
validate a '{"baseline":7}'
refused "a number" 400 invalid_field baseline
validate a "{\"baseline\":\"$(printf 'x%.0s' {1..513})\"}"
refused "too long" 400 invalid_field baseline
validate a '{"baseline":"2020-01-01T00:00:00Z"}'
refused "before anything is kept" 404 no_ledger
validate a '{"baseline":"00000000-0000-4000-8000-000000000000"}'
refused "a decision that nobody has" 404 unknown_decision
validate a "{\"baseline\":\"$bad_id\"}"
refused "one of another cluster" 404 unknown_decision
get '/api/gate?clusterId=a&baseline=x'
refused "a question" 400 invalid_field baseline

# ---- the script
for shell in dash "bash --posix" "busybox sh"; do
    # shellcheck disable=SC2086 # a shell and its applet
    $shell scripts/gate a --on new --baseline "$last" --fail-on WARN >"$scratch/said" 2>&1
    is "$shell: nothing new lets it pass" "$?" 0
    like "$shell: it says so" "$(cat "$scratch/said")" $'^SAFE  score 100 of 100 for what is new\n'
    # shellcheck disable=SC2086 # a shell and its applet
    $shell scripts/gate a --on new --fail-on WARN >"$scratch/said" 2>&1
    like "$shell: what is new since the last SAFE does not" "$?" '^[12]$'
    like "$shell: which is told" "$(cat "$scratch/said")" $'\nNew since 20[0-9T:.-]*Z: [A-Z]*, score [0-9]* of 100; all in all [A-Z]*, [0-9]*\n +[0-9.]+  new  '
done
dash scripts/gate a --on later >/dev/null 2>&1
is "--on what is not" "$?" 4
dash scripts/gate a --baseline x --on-error pass >/dev/null 2>&1
is "a baseline that is none" "$?" 4
dash scripts/gate a --baseline "$last" --on now --fail-on WARN >/dev/null 2>&1
isnt "--on now is what is now" "$?" 0

mine=$good_id
account Other
push a "$scratch/bad.json"
validate a "{\"baseline\":\"$mine\"}"
refused "another tenant's decision" 404 unknown_decision
validate a '{"baseline":"last_safe"}'
is "nor is it the last SAFE one" "$(json .baseline.time)" null
done_testing
