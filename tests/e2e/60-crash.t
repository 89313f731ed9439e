#!/bin/bash
# Workers, lighttpd and mariadbd are killed in the middle of pushes: what was acknowledged is there,
# whole, and nothing is there by half.
. "$(dirname "$0")/lib.sh"
own_stack
account "Crash Test"

pushers=3 seconds=${LOADLINE_CRASH_SECONDS:-10}
began=$(($(date +%s) - 3600))
jq -nc '{apiVersion: "v1", kind: "List", items: [
    range(40) | {apiVersion: "apps/v1", kind: "Deployment", metadata: {name: "web-\(.)", namespace: "shop"},
        spec: {replicas: 2, template: {spec: {containers: [{name: "web", image: "web:latest"}]}}},
        status: {replicas: 2, availableReplicas: (. % 3)}}]}' | gzip >"$scratch/snapshot.gz"

# pusher N: pushes to a cluster of its own, each with a time of its own; notes times acknowledged.
pusher() {
    local at=$began answer
    while [ ! -e "$scratch/stop" ]; do
        at=$((at + 1))
        answer=$(curl -s -m 20 -o /dev/null -w '%{http_code}' -H "X-API-Key: $api_key" -H "X-Cluster-Id: crash-$1" \
            -H 'Content-Type: application/json' -H 'Content-Encoding: gzip' \
            -H "X-Snapshot-Time: $(date -ud "@$at" +%Y-%m-%dT%H:%M:%SZ)" \
            --data-binary "@$scratch/snapshot.gz" "$base_url/ingest")
        echo "$answer" >>"$scratch/answers"
        [ "$answer" != 200 ] || echo "$at" >>"$scratch/acknowledged-$1"
    done
}

for n in $(seq $pushers); do pusher "$n" & done
# enough: of answers of either kind
enough() {
    [ "$(grep -sc 200 "$scratch/answers")" -ge 20 ] && grep -qsv 200 "$scratch/answers"
}
end=$(($(date +%s) + seconds)) last=$(($(date +%s) + $(patient 60)))
kills=0
while [ "$(date +%s)" -lt $end ] || { ! enough && [ "$(date +%s)" -lt $last ]; }; do
    for comm in ingest.fcgi mariadbd ingest.fcgi lighttpd; do
        sleep 0.$((RANDOM % 9 + 1))
        victim=$(pids_of $comm | head -1)
        [ -z "$victim" ] || kill -9 "$victim" || continue
        kills=$((kills + 1))
    done
done
touch "$scratch/stop"
wait
diag "answers: $(sort "$scratch/answers" | uniq -c | tr -s ' \n' ' '); kills: $kills"
ok "the stack is healthy again" within "$(patient 20)" curl -sf "$base_url/health"
ok "something was acknowledged between the kills" [ "$(grep -c 200 "$scratch/answers")" -ge 20 ]
ok "and something was not" grep -qv 200 "$scratch/answers"

for n in $(seq $pushers); do
    request GET "/api/score-history?clusterId=crash-$n" -H "Authorization: Bearer $token"
    json '.[].timestamp | sub("\\.[0-9]+Z$"; "Z") | fromdate' | sort >"$scratch/points"
    empty "cluster $n: every acknowledged push has its point" "$(sort "$scratch/acknowledged-$n" | comm -23 - "$scratch/points")"
    # A push that was cut off may have been stored; then it is the last one sent, and whole.
    last=$(tail -1 "$scratch/acknowledged-$n")
    ok "cluster $n: the summary is not older than the last acknowledged push" \
        [ "$(sql "SELECT UNIX_TIMESTAMP(taken_at) DIV 1 FROM clusters WHERE name = 'crash-$n'")" -ge "$last" ]
done
is "summary, snapshot and newest point are of one push everywhere" "$(sql "
    SELECT c.name FROM clusters c
    LEFT JOIN snapshots s ON s.cluster = c.cluster AND s.taken_at = c.taken_at AND s.received_at = c.received_at
    LEFT JOIN briefs b ON b.cluster = c.cluster
    LEFT JOIN score_history h ON h.cluster = c.cluster AND h.taken_at = c.taken_at AND h.score = c.score
    WHERE s.cluster IS NULL OR h.cluster IS NULL OR b.cluster IS NULL
       OR c.risks <> (SELECT COUNT(*) FROM risks r WHERE r.cluster = c.cluster AND r.closed_at IS NULL)
       OR c.taken_at <> (SELECT MAX(taken_at) FROM score_history m WHERE m.cluster = c.cluster)")" ""
is "the steps tell every point once" "$(sql "
    SELECT c.name FROM clusters c
    WHERE (SELECT COUNT(*) FROM score_history h WHERE h.cluster = c.cluster) <>
          (SELECT SUM(points) FROM score_rollup r WHERE r.cluster = c.cluster)
       OR c.newest_at <> (SELECT MAX(last_at) FROM score_rollup l WHERE l.cluster = c.cluster)
       OR NOT EXISTS (SELECT * FROM ledgers g WHERE g.cluster = c.cluster AND g.taken_at = c.ledger_base AND g.base_at IS NULL)")" ""
is "no cluster was made twice" "$(sql "SELECT COUNT(*) FROM clusters WHERE name LIKE 'crash-%'")" $pushers
is "the plan's count is that of the clusters" "$(sql "SELECT clusters FROM tenants WHERE tenant_id = '$tenant'")" \
    "$(sql "SELECT COUNT(*) FROM clusters WHERE tenant_id = '$tenant'")"

request POST /api/validate -H "X-API-Key: $api_key" --data-binary '{"cluster_id":"crash-1"}' -H 'Content-Type: application/json'
is "the gate answers" "$status" 200
done_testing
