#!/bin/bash
# What became of decisions: reported by the pipeline, told by the snapshots that follow, and how often SAFE, WARN and BLOCK
# were right.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
stack
account Example
outcome=/api/decisions/outcome
unset GITHUB_ACTIONS GITHUB_STEP_SUMMARY GITHUB_OUTPUT GITLAB_CI
export LOADLINE_URL=$base_url LOADLINE_API_KEY=$api_key

# version FILE VERSION REPLICAS [JQ FILTER of the Deployment]: deployment shop/api of that version, rolled out
version() {
    cluster "$3" "$3" '.items |= map(if .kind == "Deployment" then '"${4:-.}"' else . end) | .items += [
        {apiVersion: "apps/v1", kind: "ReplicaSet", metadata: {name: "api-old", namespace: "shop", uid: "rs-old",
            annotations: {"deployment.kubernetes.io/revision": (if "'"$2"'" == "old" then "3" else "1" end)},
            ownerReferences: [{apiVersion: "apps/v1", kind: "Deployment", name: "api", uid: "uid-api", controller: true}]}, spec: {replicas: 0}, status: {replicas: 0}},
        {apiVersion: "apps/v1", kind: "ReplicaSet", metadata: {name: "api-'"$2"'-new", namespace: "shop", uid: "rs-new",
            annotations: {"deployment.kubernetes.io/revision": "2"},
            ownerReferences: [{apiVersion: "apps/v1", kind: "Deployment", name: "api", uid: "uid-api", controller: true}]}, spec: {replicas: 0}, status: {replicas: 0}}]' >"$scratch/$1"
}
version old.json old 2
version new.json v2 2
version rolling.json v2 2 '.status.updatedReplicas = 1'
version stuck.json v2 2 '.status.updatedReplicas = 1 | .status.conditions = [{type: "Progressing", status: "False", reason: "ProgressDeadlineExceeded"}]'

# ask_gate CLUSTER: a decision about deployment/api there; sets id
ask_gate() {
    validate "$1" '{"resource":"deploy/api","namespace":"shop"}'
    id=$(json .decision_id)
}

# back ID MINUTES: as if the decision, and what was seen since, were so much older
back() {
    sql "UPDATE loadline.decisions SET decided_at = decided_at - INTERVAL $2 MINUTE, started_at = started_at - INTERVAL $2 MINUTE WHERE decision_id = '$1'"
}

# became ID: what is known
became() {
    get "/api/decisions?id=$1"
    json -c 'if .outcome then [.outcome.outcome, .outcome.by] else null end'
}

# waits ID: is it still looked for?
waits() {
    sql "SELECT watched, started_at IS NOT NULL FROM loadline.decisions WHERE decision_id = '$1'" | xargs
}

# ---- told by snapshots
push good "$scratch/old.json"
ask_gate good
is "nothing is known at first" "$(became "$id") $(waits "$id")" "null 1 0"
push good "$scratch/old.json"
is "nothing has happened" "$(became "$id") $(waits "$id")" "null 1 0"
push good "$scratch/rolling.json"
is "a rollout has begun" "$(became "$id") $(waits "$id")" "null 1 1"
push good "$scratch/new.json"
is "it is through, and has to hold" "$(became "$id") $(waits "$id")" "null 1 1"
back "$id" 11
push good "$scratch/new.json"
is "it does" "$(became "$id") $(waits "$id")" '["success","inferred"] 0 1'
push good "$scratch/old.json"
is "and stays a success, whatever comes" "$(became "$id")" '["success","inferred"]'

push good "$scratch/old.json"
ask_gate good
push good "$scratch/rolling.json"
push good "$scratch/stuck.json"
is "a rollout that its controller gives up is a failure" "$(became "$id")" '["failure","inferred"]'

push back "$scratch/old.json"
ask_gate back
first=$id
ask_gate back
push back "$scratch/new.json"
push back "$scratch/old.json"
is "a rollout that is undone was rolled back" "$(became "$id")" '["rolled_back","inferred"]'
is "who asked before waits no more" "$(became "$first") $(waits "$first")" "null 0 0"

# hides FILE MORE: the rollout as one list a kind, of which Deployments are left out, and as MORE says
hides() {
    (jq -c '{kind: "NodeList", apiVersion: "v1", items: [.items[] | select(.kind == "Node")]}' "$scratch/new.json" && printf '%s' "$2") >"$scratch/$1"
}
hides lacks.json ''
hides forbidden.json '{"kind":"DeploymentList","apiVersion":"apps/v1","reason":"Forbidden"}'
hides gone.json '{"kind":"DeploymentList","apiVersion":"apps/v1","items":[]}'
while IFS='|' read -r file during after; do
    push hidden "$scratch/old.json"
    ask_gate hidden
    push hidden "$scratch/$file.json"
    push hidden "$scratch/new.json"
    is "$file before it began" "$(became "$id") $(waits "$id")" "null 1 1"
    push hidden "$scratch/$file.json"
    is "$file meanwhile" "$(became "$id") $(waits "$id")" "null $during"
    back "$id" 11
    push hidden "$scratch/new.json"
    is "$file, and it is well again" "$(became "$id")" "$after"
done <<END_OF_ROWS
lacks|1 1|["success","inferred"]
forbidden|1 1|["success","inferred"]
gone|0 1|null
END_OF_ROWS
push hidden "$scratch/old.json"
ask_gate hidden
push hidden "$scratch/new.json"
back "$id" $((24 * 60 + 1))
push hidden "$scratch/lacks.json"
is "it is not looked for after a day" "$(became "$id") $(waits "$id")" "null 0 1"
ask DELETE '/api/clusters?id=hidden'

# unsure NAME IMAGE MORE: a workload of shop of which the snapshots never tell that all pods follow its template
unsure() {
    cluster 2 2 '.items += [('"$3"') | .metadata += {name: "x", namespace: "shop", uid: "uid-x-'"$2"'"}
        | (.spec | if .jobTemplate then .jobTemplate.spec.template.spec elif .template then .template.spec else . end) |= {containers: [{name: "x", image: "x:'"$2"'"}]}]' >"$scratch/$1.json"
}
while IFS='|' read -r what resource object; do
    unsure before 1 "$object | .spec.paused = false"
    unsure after 2 "$object"
    push unsure "$scratch/before.json"
    validate unsure "{\"resource\":\"$resource\",\"namespace\":\"shop\"}"
    id=$(json .decision_id)
    push unsure "$scratch/after.json"
    back "$id" 11
    push unsure "$scratch/after.json"
    is "$what is no success" "$(became "$id") $(waits "$id")" "null 1 1"
    back "$id" 50
    push unsure "$scratch/after.json"
    is "$what: nobody knows" "$(became "$id") $(waits "$id")" "null 0 1"
done <<'END_OF_ROWS'
a rollout that is paused before its first pod|deployment/x|{apiVersion: "apps/v1", kind: "Deployment", metadata: {generation: 1}, spec: {replicas: 2, paused: true, template: {}}, status: {observedGeneration: 1, replicas: 2, readyReplicas: 2, availableReplicas: 2}}
a Rollout at its first step|rollout/x|{apiVersion: "argoproj.io/v1alpha1", kind: "Rollout", spec: {replicas: 2, template: {}}, status: {replicas: 2, updatedReplicas: 1, readyReplicas: 2, availableReplicas: 2}}
a Deployment without a status|deployment/x|{apiVersion: "apps/v1", kind: "Deployment", spec: {replicas: 2, template: {}}}
a Job that has failed|job/x|{apiVersion: "batch/v1", kind: "Job", spec: {template: {}}, status: {failed: 1, conditions: [{type: "Failed", status: "True", reason: "BackoffLimitExceeded"}]}}
a CronJob that has not run|cronjob/x|{apiVersion: "batch/v1", kind: "CronJob", spec: {schedule: "0 0 * * *", jobTemplate: {}}}
a Pod that is not ready|pod/x|{apiVersion: "v1", kind: "Pod", spec: {}, status: {phase: "Running", conditions: [{type: "Ready", status: "False"}]}}
END_OF_ROWS
ask DELETE '/api/clusters?id=unsure'

push none "$scratch/old.json"
ask_gate none
back "$id" 61
push none "$scratch/new.json"
is "what changes an hour later is another change" "$(became "$id") $(waits "$id")" "null 0 0"
for more in '{}' '{"resource":"service/api","namespace":"shop"}' '{"resource":"","namespace":"shop"}'; do
    validate none "$more"
    is "$more: nothing to look for" "$(waits "$(json .decision_id)")" "0 0"
done
validate none '{"resource":"deployment/new","namespace":"shop","action":"create"}'
id=$(json .decision_id)
is "one that is to be made is looked for" "$(waits "$id")" "1 0"
jq -c '.items |= map(if .metadata.name == "api" then .metadata.name = "new" else . end)' "$scratch/new.json" >"$scratch/made.json"
push none "$scratch/made.json"
is "and found" "$(waits "$id")" "1 1"

# ---- reported
# report ID [OUTCOME [JSON to add]]
report() {
    post $outcome "$(jq -nc --arg id "$1" --arg outcome "${2:-success}" --argjson more "${3:-{\}}" '{decision_id: $id, outcome: $outcome} + $more')" -H "X-API-Key: $api_key"
}
report "$id" failure '{"note":"503 from https://ci:hunter2@registry.example.com"}'
is "a report" "$status $(json -c '[.decision_id, .cluster_id, .outcome, .note]')" "200 [\"$id\",\"none\",\"failure\",\"503 from https://ci:[redacted]@registry.example.com\"]"
at=$(json .reported_at)
is "is in the audit trail" "$(audited outcome_reported | sed 's/(SAFE)/(X)/; s/(WARN)/(X)/')" "none (X): failure"
is "and listed with the decision" "$(became "$id") $(json .outcome.note)" '["failure","reported"] 503 from https://ci:[redacted]@registry.example.com'
report "$id" failure '{"note":"503 from https://ci:hunter2@registry.example.com"}'
is "the same again is the same" "$status $(json .reported_at)" "200 $at"
get '/api/audit?action=outcome_reported'
is "and is no other entry" "$(json length)" 1
back "$id" 20
push none "$scratch/made.json"
is "what is reported stays" "$(became "$id") $(waits "$id")" '["failure","reported"] 0 1'
report "$id" rolled_back
is "until another report" "$(became "$id") $(json .outcome.note)" '["rolled_back","reported"] null'
report "$first"
for _ in 1 2 3 4; do
    curl -sS -o /dev/null -w '%{http_code}\n' "$base_url$outcome" -H "X-API-Key: $api_key" -H 'Content-Type: application/json' \
        -d "{\"decision_id\":\"$first\",\"outcome\":\"failure\"}" &
done >"$scratch/raced"
wait
get '/api/audit?action=outcome_reported'
is "four at once are one" "$(sort -u "$scratch/raced") $(json length)" "200 4"

while IFS='|' read -r what code document; do
    post $outcome "$document" -H "X-API-Key: $api_key"
    # shellcheck disable=SC2086 # words
    refused "$what" $code
done <<END_OF_ROWS
nothing|400 missing_field decision_id|{}
no outcome|400 missing_field outcome|{"decision_id":"$id"}
one that is none|400 invalid_field outcome|{"decision_id":"$id","outcome":"Success"}
an id that is none|400 invalid_field decision_id|{"decision_id":"x","outcome":"success"}
one that nobody has|404 unknown_decision|{"decision_id":"00000000-0000-4000-8000-000000000000","outcome":"success"}
a note too long|400 invalid_field note|{"decision_id":"$id","outcome":"success","note":"$(printf 'x%.0s' {1..501})"}
a note that is no text|400 invalid_field note|{"decision_id":"$id","outcome":"success","note":[]}
END_OF_ROWS
report "$id" success "{\"note\":\"$(printf 'x%.0s' {1..500})\"}"
is "the longest note" "$status" 200
request POST $outcome -H "Authorization: Bearer $token" -d '{}'
is "a session is no key" "$status" 401
ask POST /api/keys '{"name":"agent","scope":"agent"}'
post $outcome '{}' -H "X-API-Key: $(json .apiKey)"
refused "nor may an agent" 403 forbidden_scope
ask POST /api/keys '{"name":"bound","scope":"cicd","clusters":["good"]}'
post $outcome "{\"decision_id\":\"$id\",\"outcome\":\"success\"}" -H "X-API-Key: $(json .apiKey)"
refused "nor a key of other clusters" 403 forbidden_cluster
is "which is in the audit trail" "$(sql "SELECT CONCAT_WS(' ', actor, subject, result) FROM loadline.audit WHERE action = 'access_refused' AND actor = 'bound' AND tenant_id = '$tenant'")" \
    "bound POST $outcome: cluster none forbidden_cluster"

# ---- the script
for shell in dash "bash --posix" "busybox sh"; do
    # shellcheck disable=SC2086 # a shell and its applet
    $shell scripts/gate --outcome rolled_back --decision "$id" --note 'a "quoted" \ note' >"$scratch/said" 2>&1
    is "$shell: it reports" "$? $(cat "$scratch/said")" "0 gate: rolled_back is kept for decision $id"
done
is "what it says" "$(became "$id") $(json .outcome.note)" '["rolled_back","reported"] a "quoted" \ note'
while IFS='|' read -r what expected options; do
    # shellcheck disable=SC2086 # words
    dash scripts/gate $options --on-error pass --retries 0 >"$scratch/said" 2>&1
    is "$what" "$?" "$expected"
done <<END_OF_ROWS
an outcome that is none|4|--outcome good --decision $id
no decision|4|--outcome success
a cluster as well|4|--outcome success --decision $id production
a decision without an outcome|4|production --decision $id
one that nobody has|4|--outcome success --decision 00000000-0000-4000-8000-000000000000
END_OF_ROWS
LOADLINE_URL=http://127.0.0.1:$(free_port) dash scripts/gate --outcome success --decision "$id" --retries 0 >/dev/null 2>&1
is "nobody there" "$?" 3

# ---- how often they were right
calibration=/api/decisions/calibration
sql "UPDATE loadline.decisions SET decision = 'SAFE', outcome = '', outcome_by = '' WHERE tenant_id = '$tenant';
     UPDATE loadline.decisions SET outcome = 'success', outcome_by = 'inferred' WHERE tenant_id = '$tenant' LIMIT 5;
     UPDATE loadline.decisions SET outcome = 'failure', outcome_by = 'reported', decision = 'BLOCK' WHERE tenant_id = '$tenant' AND outcome = '' LIMIT 1"
n=$(sql "SELECT COUNT(*) FROM loadline.decisions WHERE tenant_id = '$tenant'")
get $calibration
is "of each decision" "$(json -c 'map([.decision, .decisions, .known, .success, .failure, .rolled_back, .reported, .failed_percent])')" \
    "[[\"SAFE\",$((n - 1)),5,5,0,0,0,0],[\"WARN\",0,0,0,0,0,0,null],[\"BLOCK\",1,1,0,1,0,1,100]]"
get "$calibration?clusterId=good"
is "of a cluster" "$(json 'map(.decisions) | add')" "$(sql "SELECT COUNT(*) FROM loadline.decisions d JOIN clusters c USING (cluster) WHERE c.name = 'good' AND d.tenant_id = '$tenant'")"
get "$calibration?to=2026-01-01T00:00:00Z"
is "until then there were none" "$(json 'map(.decisions) | add')" 0
get "$calibration?from=x"
refused "a time that is none" 400 invalid_field from
get "$calibration?clusterId=nowhere"
refused "an unknown cluster" 404 unknown_cluster

# pages QUERY: of the database that it takes at least: the server has work of its own, too
pages() {
    local before count="SELECT variable_value FROM information_schema.global_status WHERE variable_name = 'Innodb_buffer_pool_read_requests'"
    for _ in 1 2 3; do
        before=$(sql "$count")
        get "$calibration$1"
        echo $(($(sql "$count") - before))
    done | sort -n | head -1
}
sql "INSERT INTO decisions (cluster, decided_at, decision_id, tenant_id, key_id, decision, csc_score, score_time, risks_total, resource,
        namespace, action, image, requested_by, source, findings, risks_hash, message)
    SELECT c.cluster, UTC_TIMESTAMP(3) - INTERVAL s.seq SECOND, UUID(), c.tenant_id, UUID(), 'WARN', 60, UTC_TIMESTAMP(3), 0, '', 'shop', '', '',
        '', '', '', 0, REPEAT('x', 3000) FROM seq_1_to_5000 s JOIN clusters c ON c.tenant_id = '$tenant' AND c.name = 'good'"
below "5,000 decisions are counted without their rows" "$(pages '')" 500
get $calibration
is "all of them" "$(json '.[1].decisions')" 5000
below "those of a cluster, too" "$(pages '?clusterId=good')" 500
get "$calibration?clusterId=good"
is "all of these" "$(json '.[1].decisions')" 5000

mine=$id
account Other
get $calibration
is "another tenant has none" "$(json 'map(.decisions) | add')" 0
report "$mine"
refused "nor may it report" 404 unknown_decision
done_testing
