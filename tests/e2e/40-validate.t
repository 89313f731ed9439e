#!/bin/bash
# The gate: decisions, freshness, findings about the change, and what it refuses.
. "$(dirname "$0")/lib.sh"
unset -f jq # that which keeps the order of members
. tests/e2e/cluster.sh
stack
account Example

cluster 3 1 '(.items[] | select(.kind == "Deployment") | .metadata.generation) = 3' >"$scratch/rolling.json"
cluster 2 2 >"$scratch/good.json"
push production "$scratch/good.json"
score=$(json .csc_score) risks=$(json .risks)

validate production
is "an answer" "$status" 200
is "its members" "$(json 'keys | join(" ")')" \
    "categories cluster_id csc_score decision decision_id message overridden reasons risks risks_total scope score_time snapshot_age_seconds"
is "the score is the cluster's" "$(json .csc_score)" "$score"
is "the risks are the cluster's" "$(json '.risks_total')" "$risks"
is "a risk's members" "$(json '.risks[0] | keys - ["container", "absorbed_by"] | join(" ")')" \
    "category check count first_seen frameworks id impact message namespace recommendation resource scope severity"
is "costliest first" "$(json -c '[.risks[].impact] == ([.risks[].impact] | sort | reverse)')" true
ok "the impacts explain the score" jq -e '([.risks[].impact] | add) as $lost | (100 - $lost - .csc_score) | . < 1 and . > -1' "$scratch/body"
ok "the categories too" jq -e '(100 - ([.categories[].lost] | add) - .csc_score) | . < 1 and . > -1' "$scratch/body"
is "what is said of a category" "$(json -c '.categories | map_values(map_values(type))' | sort -u)" \
    "$(jq -nc '[("policy", "runtime", "history", "health") | {(.): {lost: "number", hazard: "number", checks: "number", evaluated: "number"}}] | add')"
is "the message is the verdict" "$(json .message)" \
    "$(sql "SELECT IF(verdict = '', 'Cluster production scores $score: $(json .decision), $risks active risks.', verdict) FROM clusters WHERE tenant_id = '$tenant'")"
is "of the whole cluster" "$(json .scope) $(json '.reasons | map(select(contains("namespaces shown"))) | length')" "cluster 0"
like "reasons" "$(json '.reasons[0]')" "^The score is $score: "
below "it is fresh" "$(json .snapshot_age_seconds)" 30
id=$(json .decision_id)
is "it is kept" "$(sql "SELECT decision, csc_score, risks_total, findings FROM decisions WHERE decision_id = '$id'" | tr '\t' ' ')" \
    "$(json '"\(.decision) \(.csc_score) \(.risks_total) []"')"
json -c '.risks[]' >"$scratch/shown"
# kept DECISION: the risks of the cluster that it showed
kept() {
    sql "SELECT r.risks FROM decisions d JOIN decision_risks r USING (cluster, risks_hash) WHERE d.decision_id = '$1'"
}
is "with its risks" "$(kept "$id" | sed 's/\\n/\n/g; s/\\\\/\\/g' | jq -c .)" "$(cat "$scratch/shown")"

validate production '{"resource":"deployment/api","namespace":"shop","action":"update","image":"registry.example.com/api:1.5.0","user":"Zoë 🚢","source":"ci","more":[1,{"a":null}]}'
is "all members" "$status $(json '[.risks[] | select(.scope == "change")] | length')" "200 0"
is "are kept" "$(sql "SELECT resource, namespace, action, image, requested_by, source FROM decisions WHERE decision_id = '$(json .decision_id)'" | tr '\t' '|')" \
    "deployment/api|shop|update|registry.example.com/api:1.5.0|Zoë 🚢|ci"
post /api/validate '{}' -H "X-API-Key: $api_key" -H 'X-Cluster-Id: production'
is "the cluster from the header" "$status" 200
post /api/validate '{"cluster_id":"production","cluster_id":"nowhere"}' -H "X-API-Key: $api_key"
is "of two members the last counts" "$status $(json .code)" "404 unknown_cluster"

# ---- decisions at their borders
while read -r points decision; do
    sql "UPDATE clusters SET score = $points WHERE tenant_id = '$tenant'"
    validate production
    is "$points is $decision" "$(json '"\(.csc_score) \(.decision)"')" "$points $decision"
done <<'END'
100 SAFE
70 SAFE
69 WARN
50 WARN
49 BLOCK
0 BLOCK
END

# ---- freshness
# aged SECONDS SCORE: the latest snapshot is so old and scored so much
aged() {
    sql "UPDATE clusters SET score = $2, taken_at = UTC_TIMESTAMP(3) - INTERVAL $1 SECOND WHERE tenant_id = '$tenant'"
    validate production
}
while read -r seconds points expected; do
    aged "$seconds" "$points"
    is "$points after $seconds s" "$(json '"\(.csc_score) \(.decision) \([.risks[] | select(.check == "snapshot-stale") | .impact] | join(",") | if . == "" then "-" else . end)"')" "$expected"
done <<'END'
240 90 90 SAFE -
310 90 69 WARN 21
310 60 60 WARN 0
1740 90 69 WARN 21
1810 90 49 BLOCK 41
1810 60 49 BLOCK 11
1810 30 30 BLOCK 0
100000 90 49 BLOCK 41
END
is "its scope" "$(json '.risks[] | select(.check == "snapshot-stale") | .scope')" cluster
like "and the reason" "$(json '.reasons[1]')" 'old'
# told VERDICT: the message after that verdict
told() {
    sql "UPDATE clusters SET verdict = '$1' WHERE tenant_id = '$tenant'"
    validate production
    json .message
}
is "why it counts less comes first" "$(told 'SAFE: nothing is down.' | sed 's/is [^:]* old/is OLD/')" \
    "The snapshot is OLD: the score counts 49 at most (it was 90). It said: SAFE: nothing is down."
is "also where there is no verdict" "$(told '' | sed 's/is [^:]* old/is OLD/; s/, .* risks/, N risks/')" \
    "The snapshot is OLD: the score counts 49 at most (it was 90). Cluster production scores 49: BLOCK, N risks."
aged 1810 30
is "not where the age costs nothing" "$(told 'BLOCK: it is all down.')" "BLOCK: it is all down."
aged 10 90
is "nor of a fresh one" "$(told 'SAFE: nothing is down.')" "SAFE: nothing is down."
is "without a verdict it is the score" "$(told '' | sed 's/, .* risks/, N risks/')" "Cluster production scores 90: SAFE, N risks."
sql "UPDATE clusters SET categories = JSON_SET(categories, '\$.policy', JSON_OBJECT('budget', 40, 'lost', 9.1, 'checks', 120, 'evaluated', 63)) WHERE tenant_id = '$tenant'"
validate production
is "categories of before have no budget either" "$(json -c .categories.policy)" '{"lost":9.1,"hazard":0,"checks":120,"evaluated":63}'
aged 100000 90
like "its age" "$(json .snapshot_age_seconds)" '^10000[0-9]$'

# ---- the change itself
push production "$scratch/good.json"
# findings JSON: checks about the change
findings() {
    validate production "$1"
    json '[.risks[] | select(.scope == "change") | .check] | join(" ")'
}
is "mutable tag: latest" "$(findings '{"image":"nginx:latest"}')" change-mutable-tag
is "mutable tag: none" "$(findings '{"image":"registry.example.com:5000/nginx"}')" change-mutable-tag
is "a version" "$(findings '{"image":"nginx:1.27.3"}')" ""
is "a digest" "$(findings "{\"image\":\"nginx@sha256:$(printf 'a%.0s' {1..64})\"}")" ""
is "found" "$(findings '{"resource":"deployment/api","namespace":"shop"}')" ""
is "found by a short name" "$(findings '{"resource":"deploy/api","namespace":"shop"}')" ""
is "found by plural and group" "$(findings '{"resource":"Deployments.apps/api","namespace":"shop"}')" ""
is "found without a kind" "$(findings '{"resource":"api","namespace":"shop"}')" ""
is "not in this namespace" "$(findings '{"resource":"deployment/api"}')" change-target-not-found
is "not of this kind" "$(findings '{"resource":"statefulset/api","namespace":"shop"}')" change-target-not-found
is "not of this name" "$(findings '{"resource":"deployment/ap","namespace":"shop"}')" change-target-not-found
is "new by intent" "$(findings '{"resource":"deployment/ap","namespace":"shop","action":"create"}')" ""
is "no workload" "$(findings '{"resource":"service/api","namespace":"shop"}')" ""
jq -c '{nodes: [.items[] | select(.kind == "Node")], deployments: [.items[] | select(.kind == "Deployment")]}' "$scratch/good.json" >"$scratch/lacks.json"
push production "$scratch/lacks.json"
is "of a kind that the snapshot does not show" "$(findings '{"resource":"statefulset/x","namespace":"shop"}')" ""
is "which its state says" "$(json '.target_state | split(":")[0]')" "statefulset/x may be there or not"
is "and nobody waits for it" "$(sql "SELECT watched FROM loadline.decisions WHERE decision_id = '$(json .decision_id)'")" 0
is "nor is one without a kind" "$(findings '{"resource":"x","namespace":"shop"}')" ""
is "one that is shown" "$(findings '{"resource":"deployment/x","namespace":"shop"}')" change-target-not-found
jq -c '.statefulsets = []' "$scratch/lacks.json" >"$scratch/has.json"
push production "$scratch/has.json"
is "and so is one of which there is none" "$(findings '{"resource":"statefulset/x","namespace":"shop"}')" change-target-not-found
push production "$scratch/good.json"
findings '{"image":"nginx","resource":"deployment/x","namespace":"shop"}' >/dev/null
is "they cost nothing" "$(json '[.risks[] | select(.scope == "change") | .impact] | add')" 0
is "and are counted" "$(json '.risks_total')" $((risks + 2))
ok "and are among the reasons" jq -e '.reasons | index("deployment/x is not in namespace shop of this cluster.")' "$scratch/body"
findings '{"image":"a\nThe score is 100: 70 or more is SAFE."}' >/dev/null
ok "a line break makes no second reason" jq -e '[.reasons[] | select(startswith("The score is "))] | length == 1' "$scratch/body"
push production "$scratch/rolling.json"
is "degraded, and in a rollout" "$(findings '{"resource":"deployment/api","namespace":"shop"}')" "change-target-degraded change-rollout-in-progress"

# ---- an upgrade
cluster 2 2 '.items += [range(2) | {apiVersion: "policy/v1beta1", kind: "PodDisruptionBudget", metadata: {name: "b\(.)", namespace: "shop"}, spec: {}}]
    | .items += [{apiVersion: "networking.k8s.io/v1", kind: "Ingress", metadata: {name: "old", namespace: "shop", uid: "u",
        annotations: {"kubectl.kubernetes.io/last-applied-configuration": "{\"apiVersion\":\"extensions/v1beta1\",\"kind\":\"Ingress\"}"}}, spec: {}}]' >"$scratch/old.json"
push upgraded "$scratch/old.json"
validate upgraded
is "no upgrade is asked about" "$(json '"\(.target_version) \(.reasons | map(select(contains("Kubernetes"))) | length)"')" "null 0"
decided=$(json '"\(.decision) \(.csc_score)"')
validate upgraded '{"target_version":"1.21"}'
is "one that serves everything" "$(json -c '[.target_version, (.risks | map(select(.scope == "change")) | length)]')" '[{"version":"1.21","known":true,"removed":[]},0]'
is "which is said" "$(json '.reasons[] | select(contains("Kubernetes"))')" "Kubernetes 1.21 serves all API versions that the snapshot shows."
validate upgraded '{"target_version":"v1.22.3-gke.1"}'
is "one that does not" "$(json -c '.target_version')" \
    '{"version":"v1.22.3-gke.1","known":true,"removed":[{"kind":"Ingress","api_version":"extensions/v1beta1","removed_in":"1.22","replacement":"networking.k8s.io/v1","objects":1,"namespace":"shop","resource":"ingress/old"}]}'
validate upgraded '{"target_version":"1.34","resource":"deployment/api","namespace":"shop"}'
is "a later one" "$(json -c '.target_version.removed | map([.removed_in, .kind, .objects, .resource])')" '[["1.22","Ingress",1,"ingress/old"],["1.25","PodDisruptionBudget",2,"poddisruptionbudget/b0"]]'
is "is a finding about the change, which costs nothing" "$(json '.risks[] | select(.scope == "change") | "\(.check) \(.severity) \(.impact) \(.resource)"')" "change-api-version-removed high 0 deployment/api"
is "and a reason" "$(json '.reasons[] | select(contains("Kubernetes"))')" \
    "Kubernetes 1.34 does not serve 2 API versions in use: extensions/v1beta1 Ingress (1 object, as shop/ingress/old), policy/v1beta1 PodDisruptionBudget (2 objects, as shop/poddisruptionbudget/b0)."
is "the decision is the cluster's score" "$(json '"\(.decision) \(.csc_score)"')" "$decided"
decision=$(json .decision_id)
get "/api/decisions?id=$decision"
is "it is kept" "$(json '.reasons | map(select(startswith("Kubernetes 1.34 does not"))) | length')" 1
get '/api/gate?clusterId=upgraded&targetVersion=1.25'
is "to look at, too" "$(json '.target_version.removed | length')" 2
sql "UPDATE briefs SET packed = NULL, api_use = NULL, reasons = CONCAT('as it was', CHAR(10)) WHERE tenant_id = '$tenant';
    UPDATE clusters SET brief_hash = brief_hash + 65536 WHERE tenant_id = '$tenant'" # whoever writes one gives it a name
validate upgraded '{"target_version":"1.34"}'
is "of a snapshot of before nobody knows" "$(json -c '.target_version') $(json '.reasons[-2:] | map(select(contains("after the next push"))) | length')" '{"version":"1.34","known":false,"removed":[]} 1'
is "the rest of it is read" "$(json '.reasons | map(select(. == "as it was")) | length')" 1
push upgraded "$scratch/good.json"
validate upgraded '{"target_version":"1.34"}'
is "a push without them" "$(json -c '.target_version')" '{"version":"1.34","known":true,"removed":[]}'
for strange in 1.15 1.99; do
    validate upgraded "{\"target_version\":\"$strange\"}"
    is "a release of which nothing is known: $strange" "$(json -c '[.target_version.known, (.reasons | map(select(test("Kubernetes '$strange' .* is not known: .* 1[.]16 to 1[.]"))) | length)]')" "[false,1]"
done
for bad in '"34"' '"latest"' '"0.9"' '"9.99"' '"1.34 x"' 1.34 '["1.34"]' '"1."'; do
    validate upgraded "{\"target_version\":$bad}"
    refused "target version $bad" 400 invalid_field target_version
done
get '/api/gate?clusterId=upgraded&targetVersion=x'
refused "nor as a parameter" 400 invalid_field targetVersion
for none in null '""'; do
    validate upgraded "{\"target_version\":$none}"
    is "target version $none is none" "$status $(json .target_version)" "200 null"
done

# ---- as lines of text
push production "$scratch/good.json"
text() {
    post /api/validate "{\"cluster_id\":\"production\",\"image\":\"x\\ny\\tz\"$1}" -H "X-API-Key: $api_key" -H 'Accept: text/plain'
}
text ''
is "text" "$status $(header Content-Type) $(header Vary)" "200 text/plain; charset=utf-8 Accept"
ok "what is said stays in its line" grep -qF $'reasons.1\tThe image x?y?z has no fixed version' "$scratch/body"
# A value as the text has it: control characters are "?", null is empty.
is "the lines are the answer" "$(grep -v '^json'$'\t' "$scratch/body")" \
    "$(sed -n $'s/^json\t//p' "$scratch/body" | jq -r '. as $all | paths(type | . != "object" and . != "array")
        | . as $path | "\(map(tostring) | join("."))\t\($all | getpath($path) | if . == null then "" else tostring end | gsub("[\u0000-\u001f]"; "?"))"')"
is "which is last" "$(tail -n 1 "$scratch/body" | cut -f1)" json
id=$(sed -n $'s/^decision_id\t//p' "$scratch/body")
is "it is kept" "$(sql "SELECT COUNT(*) FROM decisions WHERE decision_id = '$id'")" 1
text ',"target_version":"1.34"'
is "an empty list has no line" "$(grep -c '^target_version\.removed' "$scratch/body")" 0
text ',"target_version":1'
refused "an error is JSON" 400 invalid_field target_version
post /api/validate '{"cluster_id":"production"}' -H "X-API-Key: $api_key" -H 'Accept: application/json, text/plain, */*'
is "a browser's library gets JSON" "$status $(header Content-Type) $(json .decision)" "200 application/json SAFE"
request GET '/api/gate?clusterId=production' -H "Authorization: Bearer $token" -H 'Accept: text/plain'
like "GET /api/gate as text" "$body" $'^decision\tSAFE\n'

# ---- the hundred costliest
jq -nc '{apiVersion: "v1", kind: "List", items: [range(80) | {apiVersion: "apps/v1", kind: "Deployment", metadata: {name: "d\(.)", namespace: "many"},
    spec: {replicas: 1, template: {spec: {containers: [{name: "c", image: "nginx"}]}}}}]}' >"$scratch/many.json"
push many "$scratch/many.json"
total=$(json .risks)
validate many '{"image":"nginx"}'
is "a hundred risks" "$(json '.risks | length')" 100
is "of all" "$(json .risks_total)" $((total + 1))
# as_answered: the decision that is kept of the answer has its risks
as_answered() {
    cp "$scratch/body" "$scratch/answered"
    get "/api/decisions?id=$(json .decision_id)"
    is "$1" "$(json -c .risks)" "$(jq -c .risks "$scratch/answered")"
    cp "$scratch/answered" "$scratch/body"
}
as_answered "which are kept"
exempts=$(jq -nc '{check: "run-as-root-allowed", clusterId: "many", reason: "known", owner: "ada", expires: $day}' --arg day "$(date -u -d '1 month' +%F)")
request POST /api/exemptions -H "Authorization: Bearer $token" -H 'Content-Type: application/json' -d "$exempts"
push many "$scratch/many.json"
validate many '{}'
hidden=$(json '[.risks[] | select(.exempt)] | length')
validate many '{"image":"nginx"}'
is "what is found takes no place of an exempt one" "$(json '.risks | length') $(json '[.risks[] | select(.exempt)] | length')" "100 $hidden"
ok "of which there are some" [ "$hidden" -gt 0 ]
as_answered "with exempt ones, too"

# ---- refusals
before=$(sql "SELECT COUNT(*) FROM decisions WHERE tenant_id = '$tenant'")
validate nowhere
refused "unknown cluster" 404 unknown_cluster
sql "INSERT INTO clusters (cluster, tenant_id, name, created_at) VALUES (UUID(), '$tenant', 'new', UTC_TIMESTAMP(3))"
validate new
refused "never scored" 409 no_snapshot
post /api/validate '{}' -H "X-API-Key: $api_key"
refused "no cluster" 400 missing_field cluster_id
post /api/validate '{"cluster_id":""}' -H "X-API-Key: $api_key"
refused "an empty one" 400 missing_field cluster_id
for id in 'a b' 'a\u0000' "$(printf 'a%.0s' {1..129})"; do
    post /api/validate "{\"cluster_id\":\"$id\"}" -H "X-API-Key: $api_key"
    refused "cluster $(head -c 10 <<<"$id")" 400 invalid_field cluster_id
done
for field in cluster_id resource namespace action image user source; do
    for value in 1 true '[]' '{}' '"a\u0000b"' "\"$(printf 'a%.0s' {1..513})\""; do
        validate production "{\"$field\":$value}"
        refused "$field: $(head -c 10 <<<"$value")" 400 invalid_field "$field"
    done
done
validate production "{\"user\":\"$(printf 'a%.0s' {1..512})\"}"
is "512 bytes are good" "$status" 200
post /api/validate '{"cluster_id":"production"' -H "X-API-Key: $api_key"
refused "half a document" 400 bad_json
post /api/validate '["production"]' -H "X-API-Key: $api_key"
refused "a list" 400 bad_json
request POST /api/validate -d 'cluster_id=production' -H "X-API-Key: $api_key"
refused "a form" 415 not_json
post /api/validate '{"cluster_id":"production"}' -H "X-API-Key: $api_key" -H 'Content-Encoding: gzip'
refused "a compressed question" 415 unsupported_encoding
is "and what would do" "$(header Accept-Encoding)" identity
post /api/validate "$(printf '%65537s' '{}')" -H "X-API-Key: $api_key"
refused "64 KiB and one" 413 too_large
request GET '/api/validate?cluster_id=production' -H "X-API-Key: $api_key"
is "GET" "$status $(header Allow)" "405 POST"
is "refusals are no decisions" "$(sql "SELECT COUNT(*) FROM decisions WHERE tenant_id = '$tenant'")" $((before + 1))
done_testing
