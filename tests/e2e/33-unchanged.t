#!/bin/bash
# What a push does not write again: a snapshot that is stored already, risks that are as they were. What is
# stored is the same as if all of it were written anew each time.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
own_stack --workers notify=0 --workers ingest=1 # what it remembers is counted
account Example
cluster 4 4 >"$scratch/good.json"
jq -nc --argjson n 120 '{apiVersion: "v1", kind: "List", items: [range($n) | {apiVersion: "apps/v1", kind: "Deployment",
    metadata: {name: "d\(.)", namespace: "many"}, spec: {replicas: 1, template: {spec: {containers: [{name: "c", image: "nginx"}]}}},
    status: {replicas: 1}}]}' >"$scratch/many.json"

# count NAME: of the server's status
count() {
    sql "SELECT VARIABLE_VALUE FROM information_schema.GLOBAL_STATUS WHERE VARIABLE_NAME = '$1'"
}
# pushed CLUSTER FILE [curl's options]: sets how many statements it took, rows of risks it read, KiB it sent, and how often
# it changed how the connection commits
pushed() {
    local statements read sent
    statements=$(count Com_stmt_execute) read=$(count Rows_sent) sent=$(count Bytes_received) settings=$(count Com_set_option)
    push "$@"
    settings=$(($(count Com_set_option) - settings))
    statements=$(($(count Com_stmt_execute) - statements)) read=$(($(count Rows_sent) - read)) sent=$((($(count Bytes_received) - sent) >> 10))
    took=$statements rows=$read kib=$sent
}
# id CLUSTER
id() {
    sql "SELECT cluster FROM clusters WHERE tenant_id = '$tenant' AND name = '$1'"
}
# risks CLUSTER: all that is stored of them
risks() {
    sql "SELECT risk_id, check_id, category, severity, namespace, resource, container, message, content, first_seen, closed_at,
        places, absorbed_by, exempt_reason, would_cost FROM risks WHERE cluster = '$(id "$1")' ORDER BY risk_id" >"$scratch/risks-$1"
    cksum <"$scratch/risks-$1"
}

# ---- nothing changed
for _ in 1 2 3 4 5 6; do
    push same "$scratch/many.json" # statements are prepared, and the worker knows the cluster
done
same=$(id same)
before=$(sql "SELECT base, SHA2(delta, 256) FROM snapshots WHERE cluster = '$same'; SELECT packed FROM briefs WHERE cluster = '$same'" | cksum)
tag() { request HEAD "/api/cluster?id=same" -H "Authorization: Bearer $token" && header ETag; }
first_tag=$(tag)
pushed same "$scratch/many.json"
diag "$took statements, $rows rows, $kib KiB"
below "a push in which nothing changed: statements" "$took" 7
below "rows that come back" "$rows" 20
below "KiB that are sent" "$kib" 4
is "what it reads first is not committed by itself" "$settings" 0
push same /dev/null
is "and a push that is refused" "$status" 400
altered() {
    sql "SET lock_wait_timeout = 1; ALTER TABLE clusters COMMENT = '$1'; ALTER TABLE api_keys COMMENT = '$1'; ALTER TABLE snapshots COMMENT = '$1'"
}
ok "keeps no table from being altered" altered x
is "it counts" "$(sql "SELECT COUNT(*) FROM score_history WHERE cluster = '$same'")" 7
is "nothing else is another" "$(sql "SELECT base, SHA2(delta, 256) FROM snapshots WHERE cluster = '$same'; SELECT packed FROM briefs WHERE cluster = '$same'" | cksum)" "$before"
is "the snapshot is of this push" "$(sql "SELECT COUNT(*) FROM snapshots s JOIN clusters c USING (cluster)
    WHERE cluster = '$same' AND s.received_at = c.received_at AND s.taken_at = c.taken_at")" 1
isnt "and has a tag of its own" "$(tag)" "$first_tag"

# ---- what is stored is not what the hash says: an earlier release was here, or somebody else
sql "UPDATE snapshots SET body = 'x' WHERE cluster = '$same';
     UPDATE clusters SET received_at = received_at + INTERVAL 1000 MICROSECOND WHERE cluster = '$same'"
push same "$scratch/many.json"
get '/api/cluster?id=same'
is "a copy that an earlier release has stored is not taken for this one" "$status $(json '.deployments | length')" "200 120"
sql "DELETE FROM snapshots WHERE cluster = '$same'"
push same "$scratch/many.json"
get '/api/cluster?id=same'
is "one that is gone is stored" "$status $(json '.deployments | length')" "200 120"

# ---- one thing changed
jq -c '.items[7].spec.template.spec.containers[0].securityContext = {privileged: true}' "$scratch/many.json" >"$scratch/one.json"
pushed same "$scratch/one.json"
diag "$took statements, $rows rows, $kib KiB"
all=$(sql "SELECT COUNT(*) FROM risks WHERE cluster = '$same' AND closed_at IS NULL")
ok "there are many risks" [ "$all" -gt 500 ]
below "a push in which one object changed: rows that come back" "$rows" 250
below "statements" "$took" 20
is "the risk is there" "$(sql "SELECT COUNT(*) FROM risks WHERE cluster = '$same' AND check_id = 'privileged-container' AND resource = 'deployment/d7' AND closed_at IS NULL")" 1
push same "$scratch/many.json"
is "and is closed" "$(sql "SELECT COUNT(*) FROM risks WHERE cluster = '$same' AND check_id = 'privileged-container' AND closed_at IS NOT NULL")" 1

# ---- one that is older than the latest: risks that are known are not sent again
early=$(date -ud '10 minutes ago' +%FT%TZ)
pushed same "$scratch/many.json" -H "X-Snapshot-Time: $early"
diag "$took statements, $rows rows, $kib KiB"
below "a push that comes late: KiB that are sent" "$kib" 64
is "it counts" "$(sql "SELECT COUNT(*) FROM score_history WHERE cluster = '$same' AND taken_at = '$early'")" 1
jq -c '.items[9].spec.template.spec.containers[0].securityContext = {privileged: true}' "$scratch/many.json" >"$scratch/other.json"
push same "$scratch/other.json" -H "X-Snapshot-Time: ${early/Z/.500Z}"
is "a risk that was never seen is noted, and is closed" "$(sql "SELECT first_seen = '${early/Z/.500}', closed_at IS NOT NULL FROM risks
    WHERE cluster = '$same' AND check_id = 'privileged-container' AND resource = 'deployment/d9'" | xargs)" "1 1"

# ---- warm and cold: with what is remembered of the risks, and without
clock=$(date -ud '3 hours ago' +%s)
# both FILE: the same push to two clusters, of which one remembers nothing
both() {
    local time
    clock=$((clock + ${2-10}))
    time=$(date -ud "@$clock" +%FT%TZ)
    push warm "$1" -H "X-Snapshot-Time: $time"
    [ "$status" = 200 ] || echo "warm: $status $body"
    sql "UPDATE briefs b JOIN clusters c USING (cluster) SET b.risk_hashes = NULL WHERE c.name = 'cold'"
    push cold "$1" -H "X-Snapshot-Time: $time"
    [ "$status" = 200 ] || echo "cold: $status $body"
}
# open CLUSTER: what the gate is told and people see
shown() {
    get "/api/risks?clusterId=$1&limit=1000"
    json -cS 'map({id, message, impact, first_seen})' | cksum
    get "/api/gate?clusterId=$1"
    json -cS '[.risks[] | select(.check != "snapshot-stale") | {id, message, impact, first_seen}]' | cksum
}
differ=''
for seed in $(seq 14); do
    jq -c --argjson seed "$seed" '.items |= ([to_entries[] | select((.key * 7919 + $seed * 104729) % 31 > ($seed % 5)) |
        if (.key * 31 + $seed) % (3 + $seed % 40) == 0 then .value.spec.template.spec.containers[0].securityContext = {privileged: true}
        elif (.key + $seed) % 53 == 0 then .value.status = {replicas: 1, availableReplicas: 0, updatedReplicas: 1} else . end | .value])' \
        "$scratch/many.json" >"$scratch/churned.json"
    both "$scratch/churned.json" $((seed % 4 == 0 ? 301 : 10)) >>"$scratch/refused"
    [ $((seed % 3)) -ne 0 ] || both "$scratch/churned.json" 10 >>"$scratch/refused" # the same again, later
    [ $((seed % 4)) -ne 2 ] || both "$scratch/one.json" -4 >>"$scratch/refused"     # another one, before it
    [ $((seed % 4)) -ne 2 ] || clock=$((clock + 4))
    [ "$(risks warm)" = "$(risks cold)" ] && [ "$(shown warm)" = "$(shown cold)" ] || differ+="$seed "
done
empty "all pushes are taken" "$(cat "$scratch/refused")"
empty "a cluster that remembers has the rows and answers of one that does not" "$differ"
isnt "which have changed meanwhile" "$(sql "SELECT COUNT(DISTINCT first_seen) > 3, SUM(closed_at IS NOT NULL) > 10 FROM risks WHERE cluster = '$(id warm)'" | xargs)" "0 0"

# ---- what is remembered is of another moment
warm=$(id warm)
risk=$(sql "SELECT MIN(risk_id) FROM risks WHERE cluster = '$warm' AND closed_at IS NULL")
sql "UPDATE risks SET closed_at = first_seen WHERE cluster = '$warm' AND risk_id = '$risk';
     UPDATE clusters SET brief_hash = brief_hash + 65536 WHERE cluster = '$warm'"
both "$scratch/churned.json"
is "then all risks are read" "$(sql "SELECT COUNT(*) FROM risks WHERE cluster = '$warm' AND risk_id = '$risk' AND closed_at IS NULL")" 1
for bad in "''" "'x'" "REPEAT('x', 2055)" "REPEAT('x', 2057)"; do
    sql "UPDATE briefs SET risk_hashes = $bad WHERE cluster = '$warm'"
    push warm "$scratch/many.json"
    is "hashes that are $bad" "$status $(sql "SELECT risks - (SELECT COUNT(*) FROM risks r WHERE r.cluster = c.cluster AND closed_at IS NULL)
        FROM clusters c WHERE cluster = '$warm'")" "200 0"
    push warm "$scratch/one.json"
done
sql "UPDATE briefs SET packed = CONCAT(packed, 'x') WHERE cluster = '$warm'"
validate warm
refused "a summary that cannot be read" 500 internal
push warm "$scratch/many.json"
validate warm
is "is replaced by the next push" "$status" 200
done_testing
