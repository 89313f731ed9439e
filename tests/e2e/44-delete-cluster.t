#!/bin/bash
# DELETE /api/clusters: the cluster is gone at once, then everything of it, whoever pushes meanwhile and
# whoever is killed.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
own_stack --set signup_limit=0/600 --set login_fail_limit=0/300 --set key_fail_limit=0/60
account Example
cluster 2 1 >"$scratch/c.json"

delete() {
    request DELETE "/api/clusters?id=$1" -H "Authorization: Bearer $token"
}
# tables: those with rows of clusters, as the database says
tables() {
    sql "SELECT table_name FROM information_schema.columns WHERE table_schema = 'loadline' AND column_name = 'cluster'
         AND table_name NOT IN ('clusters', 'deleted_clusters') ORDER BY table_name"
}
# rows ID: how many rows there are of that cluster, a table a line
rows() {
    local table
    for table in $(tables) clusters; do
        echo "$table $(sql "SELECT COUNT(*) FROM $table WHERE cluster = '$1'")"
    done | grep -v ' 0$'
}
id_of() {
    sql "SELECT cluster FROM clusters WHERE tenant_id = '$tenant' AND name = '$1'"
}

is "every table of clusters is in the list" "$(sed -n 's/^CLUSTER_TABLE(\(.*\))$/\1/p' lib/store/cluster_tables.def | sort)" "$(tables | sort)"

# ---- everything of it
push a "$scratch/c.json"
check=$(get '/api/risks?clusterId=a' && json '.[0].check')
ask POST /api/exemptions "{\"check\":\"$check\",\"clusterId\":\"a\",\"reason\":\"r\",\"owner\":\"o\",\"expires\":\"$(date -ud '2 days' +%F)\"}"
is "something of it is exempt" "$status" 201
for name in a b c; do push $name "$scratch/c.json"; done
push d "$scratch/c.json"
is "three clusters are what the plan allows" "$status $(json .code)" "403 plan_limit"
push a "$scratch/c.json" -H 'Idempotency-Key: once'
cluster 3 1 >"$scratch/more.json"
push a "$scratch/more.json"
validate a
is "a decision" "$status" 200
post /ingest/logs '{"namespace": "shop", "pod": "api-0", "container": "api", "lines": [{"message": "m", "level": "ERROR"}]}' \
    -H "X-API-Key: $api_key" -H 'X-Cluster-Id: a'
is "a line of its log" "$status $(json .accepted)" "200 1"
cluster_a=$(id_of a) cluster_b=$(id_of b)
ask POST /api/overrides "{\"clusterId\":\"a\",\"reason\":\"r\",\"until\":\"$(date -ud '1 day' +%FT%TZ)\"}"
is "an override of it" "$status" 201
sql "INSERT INTO alert_state (cluster, rule_id, subject, tenant_id, since) VALUES ('$cluster_a', UUID(), 'x', '$tenant', NOW(3))"
sql "INSERT INTO owed_ends (cluster, rule_id, channel_id, tenant_id) VALUES ('$cluster_a', UUID(), UUID(), '$tenant')"
sql "INSERT INTO ended_alerts (cluster, ended_at, alert_id, rule_id, subject, tenant_id, since, recovered)
     VALUES ('$cluster_a', NOW(3), UUID(), UUID(), 'x', '$tenant', NOW(3), 1)"
roll_up "$cluster_a"
sql "INSERT INTO score_chunks (cluster, hour_at, tenant_id, points, body) SELECT cluster, NOW(3) - INTERVAL 2 HOUR, tenant_id, 1, '' FROM clusters WHERE cluster = '$cluster_a';
     INSERT INTO score_hours SELECT cluster, step_at, tenant_id, points, score_min, worst_at, score_sum, score_last, last_at, nodes_min, pods_min, risks_max, formula FROM score_rollup WHERE cluster = '$cluster_a'"
sql "INSERT INTO snapshot_additions SELECT cluster, 1, tenant_id, base, chunks, body FROM snapshot_bases WHERE cluster = '$cluster_a'"
empty "there is something of it in each of them" "$(for table in $(tables); do
    [ "$(sql "SELECT COUNT(*) FROM $table WHERE cluster = '$cluster_a'")" != 0 ] || echo "$table"
done)"
sql "INSERT INTO outbox (delivery_id, tenant_id, channel_id, cluster_name, event, title, body, created_at, position, state)
     VALUES (UUID(), '$tenant', UUID(), 'a', 'e', 't', 'b', NOW(3), 1, 'queued'), (UUID(), '$tenant', UUID(), 'a', 'e', 't', 'b', NOW(3), 2, 'sent'),
            (UUID(), '$tenant', UUID(), 'b', 'e', 't', 'b', NOW(3), 3, 'queued')"
before_b=$(rows "$cluster_b")
delete a
is "deleted" "$status $(json -c .)" '200 {"status":"deleted","id":"a"}'
empty "there is nothing of it" "$(rows "$cluster_a")"
is "all of another cluster" "$(rows "$cluster_b")" "$before_b"
is "its deliveries go too" "$(sql "SELECT cluster_name, state FROM outbox WHERE tenant_id = '$tenant' ORDER BY position" | xargs)" "b queued"
get /api/clusters
is "it is not listed" "$(json -c 'map(.id)')" '["b","c"]'
get '/api/exemptions?include=ended'
is "what was accepted of it ends" "$(json -c 'map([.clusterId, .state, .endedBy])')" '[["a","ended","the cluster was deleted"]]'
for path in cluster?id export?clusterId score-history?clusterId; do
    get "/api/$path=a"
    is "$path" "$status $(json .code)" "404 unknown_cluster"
done
validate a
is "the gate does not know it" "$status $(json .code)" "404 unknown_cluster"
delete a
is "a second time" "$status $(json .code)" "404 unknown_cluster"
get '/api/audit?action=cluster_deleted'
is "it is in the audit trail, once" "$(json -c 'map([.subject, .result])')" '[["a","ok"]]'

# ---- the slot is free, and the name
is "a slot is free" "$(sql "SELECT clusters FROM tenants WHERE tenant_id = '$tenant'")" 2
push a "$scratch/c.json"
is "a push makes a new cluster" "$status $([ "$(id_of a)" != "$cluster_a" ] && echo new)" "200 new"
get '/api/score-history?clusterId=a'
is "without the old one's history" "$(json length)" 1
push d "$scratch/c.json"
is "and the slot is taken again" "$status" 403

# ---- who may
for role in operator member; do
    sql "UPDATE users SET role = '$role' WHERE tenant_id = '$tenant'"
    delete a
    is "$role" "$status $(json .code)" "403 forbidden_role"
done
sql "UPDATE users SET role = 'admin' WHERE tenant_id = '$tenant'"
request DELETE '/api/clusters?id=a'
is "nobody" "$status" 401
request DELETE '/api/clusters?id=a' -H "X-API-Key: $api_key"
is "an agent" "$status" 401
mine=("$token" "$tenant" "$api_key")
account "Somebody Else"
delete a
is "somebody else's" "$status $(json .code)" "404 unknown_cluster"
token=${mine[0]} tenant=${mine[1]} api_key=${mine[2]}
delete 'a%20b'
is "a bad name" "$status $(json .code) $(json .field)" "400 invalid_field id"
delete ''
is "an empty one" "$status $(json .field)" "400 id"
request DELETE /api/clusters -H "Authorization: Bearer $token"
is "none" "$status $(json .code) $(json .field)" "400 missing_field id"
is "it is still there" "$(id_of a | wc -l)" 1
while IFS='|' read -r what document expected code field; do
    ask DELETE /api/clusters "$document"
    refused "in the body: $what" "$expected" "$code" "$field"
done <<'END2'
a bad name|{"id":"a b"}|400|invalid_field|id
a number|{"id":7}|400|invalid_field|id
none|{}|400|missing_field|id
no object|[]|400|bad_json|
one that is not there|{"id":"nowhere"}|404|unknown_cluster|
END2
ask DELETE '/api/clusters?id=nowhere' '{"id":"c"}'
refused "the parameter counts when there are both" 404 unknown_cluster
ask DELETE /api/clusters '{"id":"c"}'
is "as for all other things the id may be in the body" "$status $(json -c .)" '200 {"status":"deleted","id":"c"}'
push c "$scratch/c.json"

# ---- racing with pushes
pusher() {
    while [ ! -e "$scratch/stop" ]; do
        curl -s -m 20 -o /dev/null -w '%{http_code}\n' -H "X-API-Key: $api_key" -H "X-Cluster-Id: a" \
            --data-binary "@$scratch/c.json" "$base_url/ingest" >>"$scratch/pushes"
    done
}
pusher & pusher &
for ((i = 0; i < 25; i++)); do
    curl -s -m 20 -o /dev/null -w '%{http_code}\n' -X DELETE -H "Authorization: Bearer $token" "$base_url/api/clusters?id=a" >>"$scratch/deletes"
done
touch "$scratch/stop"
wait
diag "pushes: $(sort "$scratch/pushes" | uniq -c | xargs); deletions: $(sort "$scratch/deletes" | uniq -c | xargs)"
is "each push is stored" "$(sort -u "$scratch/pushes")" 200
empty "each deletion deletes, or there is nothing to delete" "$(grep -vx '200\|404' "$scratch/deletes")"
is "the count is that of the clusters" "$(sql "SELECT clusters FROM tenants WHERE tenant_id = '$tenant'")" \
    "$(sql "SELECT COUNT(*) FROM clusters WHERE tenant_id = '$tenant'")"
empty "nothing is left of those that are gone" "$(for table in $(tables); do
    sql "SELECT DISTINCT '$table', cluster FROM $table WHERE cluster NOT IN (SELECT cluster FROM clusters)"
done)"
delete a
push a "$scratch/c.json"
is "after all that it can be pushed" "$status" 200

# ---- a long history, and killed in between
cluster_a=$(id_of a)
sql "INSERT INTO score_history (cluster, taken_at, tenant_id, score, score_exact, nodes, pods, risks)
     SELECT '$cluster_a', '2026-01-01' + INTERVAL seq SECOND, '$tenant', 50, 5000, 1, 1, 1 FROM seq_1_to_300000"
delete a
is "300,000 points" "$status" 200
below "the answer does not wait for all of them, ms" \
    "$(grep 'method="DELETE" path="/api/clusters" status=200' "$(log_of clusters)" | tail -1 | grep -o ' ms=[0-9]*' | cut -d= -f2)" "$(patient 2500)"
get /api/clusters
is "gone at once" "$(json -c 'map(.id)')" '["b","c"]'
is "what is left is remembered" "$(sql "SELECT COUNT(*) FROM deleted_clusters WHERE cluster = '$cluster_a'")" 1
done_testing
