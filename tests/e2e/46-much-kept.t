#!/bin/bash
# A page of what a tenant has much of reads about as many rows as it shows, whatever is asked for: one tenant with a long
# memory must not keep the worker busy. Rows are counted, since time says little on a busy machine.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
own_stack
account Example
cluster 1 1 >"$scratch/one.json"
push shop "$scratch/one.json"
push other "$scratch/one.json"
user=$(sql "SELECT user_id FROM users WHERE tenant_id = '$tenant'")

rows_read() {
    sql "SHOW GLOBAL STATUS WHERE variable_name IN ('Handler_read_next', 'Handler_read_prev')" | awk '{ n += $2 } END { print n }'
}
# few PATH LENGTH ROWS: it shows so many, and reads no more rows
few() {
    local before
    get "$1" # statements are prepared, the session is used
    before=$(rows_read)
    get "$1"
    is "$1 shows" "$status $(json length)" "200 $2"
    below "... and reads rows" $(($(rows_read) - before)) "$3"
}

# ---- the gate, of what is new in a cluster of many risks: none
"$build/tests/bench/bench_generate" 300 compact 0 | gzip -dc >"$scratch/large.json"
push large "$scratch/large.json"
below "there are many risks" 500 "$(sql "SELECT COUNT(*) FROM risks JOIN clusters USING (cluster) WHERE name = 'large'")"
is_told() {
    get "/api/gate?clusterId=large&baseline=$1"
}
for baseline in "$(date -u +%FT%TZ)" last_safe; do
    is_told "$baseline"
    before=$(rows_read)
    is_told "$baseline"
    diag "$baseline: $(json -c '[.score_new, .baseline.risks_total, (.baseline.risks | length)]')"
    below "the gate reads rows for what is new since $baseline" $(($(rows_read) - before)) 400
done

# ---- the audit trail
sql "INSERT INTO audit (tenant_id, at, audit_id, actor_id, actor, address, action, subject, result)
     SELECT '$tenant', '2025-06-01' + INTERVAL seq SECOND, UUID(), '$tenant', 'robot', '', 'decision', 'shop (SAFE)', 'ok'
     FROM seq_1_to_20000"
few '/api/audit?limit=50' 50 500
few '/api/audit?limit=50&actor=nobody' 0 500
few '/api/audit?limit=50&actor=ROBOT' 50 500
few "/api/audit?limit=50&actor=$tenant" 50 500
few "/api/audit?limit=50&actor=$user&action=decision" 0 500
few '/api/audit?limit=50&actor=robot&action=sign_in' 0 500
few '/api/audit?limit=50&action=rule_deleted' 0 500
few '/api/audit?limit=50&action=cluster_created' 3 500

# ---- exemptions, each of which has done something in many clusters
sql "INSERT INTO exemptions (exemption_id, tenant_id, check_id, namespace, resource, reason, owner, expires_at, created_by,
     created_at, changed_at)
     SELECT UUID(), '$tenant', 'host-pid', '', CONCAT('deployment/', seq), 'r', 'o', '2099-01-01', '', '2025-06-01', '2025-06-01'
     FROM seq_1_to_200;
     INSERT INTO exemption_use (cluster, exemption_id, tenant_id, risks, would_cost, counting)
     SELECT c.id, exemption_id, '$tenant', 1, 2, 3 FROM exemptions, (SELECT UUID() AS id FROM seq_1_to_100) c"
few '/api/exemptions?limit=2' 2 2000
is "... with what they have done, added up" "$(json -c '[.[0] | .risks, .wouldCost]')" '[100,2]'

# ---- deliveries, none of them about one of the clusters
sql "INSERT INTO outbox (delivery_id, tenant_id, channel_id, cluster_name, event, title, body, created_at, position, state)
     SELECT UUID(), '$tenant', '$tenant', 'shop', 'score_drop', 't', '{}', '2025-06-01' + INTERVAL seq SECOND, seq, 'sent'
     FROM seq_1_to_20000"
few '/api/notifications/deliveries?limit=50' 50 500
few '/api/notifications/deliveries?limit=50&clusterId=other' 0 500
few '/api/notifications/deliveries?limit=50&state=gave_up' 0 500
few "/api/notifications/deliveries?limit=50&channelId=$user" 0 500

# ---- alerts that fire
sql "INSERT INTO rules (rule_id, tenant_id, kind, enabled, created_at) SELECT '$user', '$tenant', 'degraded_app', 1, NOW();
     INSERT INTO alert_state (cluster, rule_id, subject, tenant_id, since)
     SELECT cluster, '$user', CONCAT('shop/app-', seq), '$tenant', '2025-06-01' + INTERVAL seq DIV 10 SECOND
     FROM clusters, seq_1_to_20000 WHERE name = 'other'"
few '/api/notifications/firing' 1000 5000
is "... the youngest first" "$(json -c '[.[0].app, (map(.since) == (map(.since) | sort | reverse))]')" '["shop/app-20000",true]'
few '/api/notifications/firing?clusterId=shop' 0 500
# counted SQL: of each cluster what fires, after that
counted() {
    sql "$1"
    get /api/clusters
    json -c 'map({(.id): .firingAlerts}) | add | [.other, .shop, .large]'
}
is "alerts are counted by cluster" "$(counted "INSERT INTO alert_state (cluster, rule_id, subject, tenant_id, since, clear_since)
    SELECT cluster, '$user', 'over', tenant_id, NOW(3), NOW(3) FROM clusters WHERE name = 'shop'
    UNION ALL SELECT cluster, UUID(), 'its rule is gone', tenant_id, NOW(3), NULL FROM clusters WHERE name = 'shop'")" '[20000,0,0]'
is "... those of a rule that is off are not" "$(counted "UPDATE rules SET enabled = 0")" '[0,0,0]'
is "... nor of a rule about another cluster" "$(counted "UPDATE rules SET enabled = 1, cluster_name = 'shop'")" '[0,0,0]'
done_testing
