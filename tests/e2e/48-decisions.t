#!/bin/bash
# GET /api/decisions: what the gate said, with the score and the risks of that moment.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
stack
account Example
cluster 2 2 >"$scratch/good.json"
cluster 3 0 '(.items[] | select(.kind == "Deployment") | .spec.template.spec.containers[0].image) = "api"' >"$scratch/bad.json"

# decisions PARAMETERS
decisions() {
    get "/api/decisions?$1"
}

decisions ''
is "none yet" "$status $(json -c .)" "200 []"
push a "$scratch/good.json"
validate a '{"resource":"deployment/api","namespace":"shop","action":"update","image":"api:latest","user":"Zoë 🚢","source":"ci"}'
cp "$scratch/body" "$scratch/first"
first=$(json .decision_id)
push a "$scratch/bad.json"
push b "$scratch/bad.json"
validate a
second=$(json .decision_id)
cp "$scratch/body" "$scratch/second"
validate b
third=$(json .decision_id) third_decision=$(json .decision)

decisions ''
is "newest first" "$(json '[.[].id] | join(" ")')" "$third $second $first"
is "members" "$(json '.[0] | keys | join(" ")')" \
    "action cluster_id csc_score decided_at decision id image key_id key_name message namespace outcome override reasons resource risks risks_total score_time source user"
is "what was not said" "$(json -c '.[0] | [.resource, .namespace, .action, .image, .user, .source]')" '[null,null,null,null,null,null]'
is "the score then" "$(json -c '[.[] | [.id, .csc_score, .decision]] | .[1:]')" \
    "$(jq -sc '[.[] | [.decision_id, .csc_score, .decision]]' "$scratch/second" "$scratch/first")"
is "a list shows the costliest risks only" "$(json '.[1].risks | length') $(json '.[1].risks_total > 3')" "3 true"

decisions "id=$first"
is "one is told whole" "$(json -c '[.risks[].id]')" "$(jq -c '[.risks[].id]' "$scratch/first")"
is "as it was answered" "$(json -c '[.csc_score, .decision, .risks_total, .score_time]')" \
    "$(jq -c '[.csc_score, .decision, .risks_total, .score_time]' "$scratch/first")"
is "with the findings about the change" "$(json '.risks[0] | "\(.check) \(.scope)"')" "change-mutable-tag change"
is "and what was asked" "$(json -c '[.cluster_id, .resource, .namespace, .action, .image, .user, .source]')" \
    '["a","deployment/api","shop","update","api:latest","Zoë 🚢","ci"]'
is "by which key" "$(json '.key_id | length')" 36
isnt "which has a name" "$(json .key_name)" null

is "what the caller was told" "$(json -c '[.message, .reasons]')" "$(jq -c '[.message, .reasons]' "$scratch/first")"
sql "UPDATE loadline.decisions SET message = '', reasons = '' WHERE decision_id = '$first'"
decisions "id=$first"
is "which one of before this was kept does not say" "$(json -c '[.message, .reasons]')" '[null,[]]'

decisions clusterId=b
is "of a cluster" "$(json '[.[].id] | join(" ")')" "$third"
decisions "decision=$third_decision"
is "of a kind" "$(json "all(.[]; .decision == \"$third_decision\") and (map(.id) | index(\"$third\") != null)")" true
decisions "clusterId=a&decision=$(jq -r .decision "$scratch/first")"
is "of both" "$(json "map(.id) | index(\"$first\") != null and index(\"$third\") == null")" true
decisions source=ci
is "of who asked" "$(json '[.[].id] | join(" ")')" "$first"
decisions 'source=ci%20'
is "exactly as it was said" "$(json -c .)" "[]"
decisions 'source=ci%20&clusterId=a'
is "in a cluster as well" "$(json -c .)" "[]"
decisions "source=ci&clusterId=b"
is "not there" "$(json -c .)" "[]"
decisions "source=ci&decision=$(jq -r .decision "$scratch/first")&clusterId=a"
is "of all three" "$(json '[.[].id] | join(" ")')" "$first"
decisions "source=$(printf 'x%.0s' {1..513})"
refused "a source too long" 400 invalid_field source
decisions "to=2026-01-01T00:00:00Z"
is "until then there were none" "$(json -c .)" "[]"
decisions "from=2100-01-01T00:00:00Z"
is "nor after" "$(json -c .)" "[]"

# ---- pages: 30 decisions, many at the same moment
tenant_id=$(sql "SELECT tenant_id FROM loadline.decisions WHERE decision_id = '$first'")
sql "INSERT INTO loadline.decisions (cluster, decided_at, decision_id, tenant_id, key_id, decision, csc_score, score_time, risks_total, resource, namespace,
        action, image, requested_by, source, findings, risks_hash, message, reasons) SELECT cluster, '2026-03-17 12:00:00.000' + INTERVAL seq DIV 10 SECOND, UUID(), tenant_id, key_id,
        IF(seq % 3, 'SAFE', 'BLOCK'), csc_score, score_time, risks_total, resource, namespace, action, image, requested_by, source, findings, risks_hash, message, reasons
     FROM loadline.decisions, seq_1_to_30 WHERE decision_id = '$first'"
for parameters in '' decision=BLOCK source=ci clusterId=a 'source=ci&decision=SAFE' 'clusterId=a&decision=SAFE'; do
    decisions "limit=1000&$parameters"
    json -r '.[].id' >"$scratch/whole"
    path="/api/decisions?limit=4&$parameters"
    while [ -n "$path" ]; do
        get "$path"
        json -r '.[].id'
        path=$(header Link | sed -n 's/^<\(.*\)>; rel="next"$/\1/p')
    done >"$scratch/pages"
    is "pages of 4: $parameters" "$(cat "$scratch/pages")" "$(cat "$scratch/whole")"
done
is "all of them" "$(sql "SELECT COUNT(*) FROM loadline.decisions WHERE tenant_id = '$tenant_id'")" 33

# ---- what a job sends by mistake
validate a '{"resource":"deployment/hunter --password hunter2","namespace":"token=hunter2","action":"PGPASSWORD=hunter2 psql","image":"https://ci:hunter2@registry.example.com/api:latest","user":"curl -u ci:hunter2 https://example.com","source":"Authorization: Bearer hunter2hunter2"}'
is "a secret is not answered" "$status $(grep -c hunter2 "$scratch/body")" "200 0"
decisions "id=$(json .decision_id)"
is "nor kept, and the rest is" "$(json -c '[.resource, .namespace, .action, .image, .user, .source]')" \
    '["deployment/hunter --password [redacted]","token=[redacted]","PGPASSWORD=[redacted] psql","https://ci:[redacted]@registry.example.com/api:latest","curl -u ci:[redacted] https://example.com","Authorization: Bearer [redacted]"]'
for table in decisions decision_risks audit; do
    is "in $table" "$(mariadb-dump --defaults-file="$stack_dir/admin.cnf" loadline "$table" 2>/dev/null | grep -c hunter2)" 0
done
many=$(printf 'pwd=x %.0s' {1..85})
validate a "{\"user\":\"$many\"}"
is "what gets longer by it is kept, too" "$status $(json .decision_id | wc -c)" "200 37"
decisions "id=$(json .decision_id)"
is "as far as there is room" "$(json -j .user | wc -c) $(json .user | grep -c '=x')" "512 0"
get "/api/gate?clusterId=a&image=https%3A%2F%2Fci%3Ahunter2%40registry.example.com%2Fapi%3Alatest"
is "a question answers none either" "$status $(grep -c hunter2 "$scratch/body")" "200 0"

# ---- refusals
decisions 'limit=1000' && all=$(json -c 'map(.id)')
for parameter in source from to decision; do
    decisions "limit=1000&$parameter="
    is "an empty $parameter counts as left out" "$status $(json -c 'map(.id)')" "200 $all"
done
decisions 'limit='
is "so does an empty limit" "$status" 200
for bad in decision=safe limit=0 limit=1001 from=x to=x cursor=x id=x id= clusterId= cursor=; do
    decisions "$bad"
    refused "$bad" 400 invalid_field "${bad%%=*}"
done
decisions 'clusterId=a%20b'
refused "a bad cluster" 400 invalid_field clusterId
decisions clusterId=nowhere
refused "an unknown one" 404 unknown_cluster
decisions id=00000000-0000-4000-8000-000000000000
refused "an unknown id" 404 unknown_decision
request GET /api/decisions -H "X-API-Key: $api_key"
is "an API key" "$status" 401

# ---- a cluster is deleted, and its many decisions are not all removed yet
cluster_a=$(sql "SELECT cluster FROM loadline.clusters WHERE tenant_id = '$tenant_id' AND name = 'a'")
sql "INSERT INTO loadline.deleted_clusters (cluster, tenant_id, deleted_at) VALUES ('$cluster_a', '$tenant_id', NOW(3));
     DELETE FROM loadline.clusters WHERE cluster = '$cluster_a'"
for parameters in '' "decision=$third_decision"; do
    decisions "limit=1&$parameters"
    is "those that are left fill no page: $parameters" "$(json -c 'map(.id)')" "[\"$third\"]"
done
is "the newest are its" "$(sql "SELECT cluster = '$cluster_a' FROM loadline.decisions WHERE tenant_id = '$tenant_id' ORDER BY decided_at DESC LIMIT 1")" 1
account Other
decisions ''
is "another tenant has none" "$status $(json -c .)" "200 []"
decisions "id=$first"
refused "and finds none" 404 unknown_decision
decisions clusterId=a
refused "nor the cluster" 404 unknown_cluster
done_testing
