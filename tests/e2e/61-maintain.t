#!/bin/bash
# loadline-maintain: what plans promise is kept, and the rest goes.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
own_stack --set signup_limit=0/600
same_day "$(patient 60)"
cluster 2 1 >"$scratch/c.json"

# maintain [options]: without rests; sets said and status
maintain() {
    status=0
    said=$(LOADLINE_CONF=$stack_dir/loadline.conf "$build/bin/loadline-maintain" --hurry "$@" 2>&1) || status=$?
}
# asked SQL: what the database of the programs says, a row a line, columns separated by one blank
asked() {
    sql "$1" | tr '\t' ' '
}

maintain --help
is "help" "$status $(head -1 <<<"$said")" "0 Usage: loadline-maintain [OPTION]..."
for bad in --wrong extra; do
    maintain "$bad"
    is "$bad" "$status" 2
done

declare -A tenant_of token_of
for name in trial professional enterprise; do
    account "$name"
    sql "UPDATE tenants SET plan = '$name' WHERE tenant_id = '$tenant'"
    tenant_of[$name]=$tenant token_of[$name]=$token
    push c "$scratch/c.json"
    validate c
done
# ---- what plans keep: points and what is beside them, so many days ago
ages='1 6 8 89 91 399 401'
for owner in "${tenant_of[@]}"; do
    id=$(sql "SELECT cluster FROM clusters WHERE tenant_id = '$owner'")
    for age in $ages; do
        then="NOW(3) - INTERVAL $age DAY"
        echo "INSERT INTO score_history SELECT cluster, $then, tenant_id, score, score_exact, nodes, pods, risks, formula FROM score_history WHERE cluster = '$id' ORDER BY taken_at DESC LIMIT 1;
              INSERT INTO decisions (cluster, decided_at, decision_id, tenant_id, key_id, decision, csc_score, score_time, risks_total, resource, namespace, action, image, requested_by, source, findings, risks_hash, message, reasons) SELECT cluster, $then, UUID(), tenant_id, key_id, decision, csc_score, score_time, risks_total, resource, namespace, action, image, requested_by, source, findings, $age, message, reasons FROM decisions WHERE cluster = '$id' ORDER BY decided_at DESC LIMIT 1;
              INSERT INTO decision_risks SELECT cluster, $age, tenant_id, risks, NULL FROM decision_risks WHERE cluster = '$id' LIMIT 1;
              INSERT INTO ledgers SELECT cluster, $then, tenant_id, NULL, check_set, score_exact, body, formula FROM ledgers WHERE cluster = '$id' AND base_at IS NULL ORDER BY taken_at DESC LIMIT 1;
              INSERT INTO risks (cluster, risk_id, tenant_id, check_id, severity, namespace, resource, container, message, content, first_seen, closed_at)
                  VALUES ('$id', LPAD('$age', 16, '0'), '$owner', 'x', 'low', '', 'x', '', '', 0, $then, $then);
              INSERT INTO logs (cluster, at, nanos, line, tenant_id, stream, severity, level, position, message) VALUES ('$id', $then, 0, 0, '$owner', 0, 0, '', 0, '');
              INSERT INTO deploys (cluster, at, deploy_id, tenant_id, kind, namespace, name, event, images, configuration) VALUES ('$id', $then, UUID(), '$owner', 'Deployment', '', 'x', 'started', '[]', '[]');
              INSERT INTO ended_alerts (cluster, ended_at, alert_id, tenant_id, rule_id, subject, since, recovered) VALUES ('$id', $then, UUID(), '$owner', UUID(), '', $then, 1);
              INSERT INTO outbox (delivery_id, tenant_id, channel_id, event, title, body, created_at, position, state) VALUES
                  (UUID(), '$owner', UUID(), 'sent', '', '', $then, 0, 'sent'), (UUID(), '$owner', UUID(), 'queued', '', '', $then, 0, 'queued');"
    done
done | sql "$(cat)"
for owner in "${tenant_of[@]}"; do
    roll_up "$(sql "SELECT cluster FROM clusters WHERE tenant_id = '$owner'")"
done

# left TABLE COLUMN TENANT [CONDITION]: ages in days of what is left
left() {
    asked "SELECT DISTINCT DATEDIFF(NOW(), $2) FROM $1 WHERE tenant_id = '$3' AND $2 < NOW() - INTERVAL 1 HOUR ${4-} ORDER BY 1" | xargs
}
# counted: what the last run has removed, or would: "table rows", a line each
counted() {
    sed -En 's/^([a-z_]+): ([0-9]+) rows are to go$/\1 \2/p; s/.* table=([a-z_]+) rows=([0-9]+)$/\1 \2/p' <<<"$said" | sort
}
before=$(asked "SELECT COUNT(*) FROM score_history")
maintain --dry-run
to_go=$(counted)
like "a dry run counts" "$to_go" 'score_history [0-9]+'
is "and removes nothing" "$(asked "SELECT COUNT(*) FROM score_history")" "$before"
maintain
is "a run" "$status" 0
is "removes just that" "$(counted)" "$to_go"
maintain --dry-run
is "then nothing is left to do, which is said" "$status $said" "0 nothing is to go"
for table in "score_chunks hour_at" "score_rollup step_at" "score_hours hour_at" "decisions decided_at" "deploys at" "ended_alerts ended_at"; do
    read -r table column <<<"$table"
    is "$table of each plan" "$(left "$table" "$column" "${tenant_of[trial]}") | $(left "$table" "$column" "${tenant_of[professional]}") | $(left "$table" "$column" "${tenant_of[enterprise]}")" \
        "1 6 | 1 6 8 89 | 1 6 8 89 91 399"
done
is "ledgers, two days longer" "$(left ledgers taken_at "${tenant_of[trial]}") | $(left ledgers taken_at "${tenant_of[professional]}")" "1 6 8 | 1 6 8 89 91"
is "risks that are closed, three" "$(left risks closed_at "${tenant_of[trial]}") | $(left risks closed_at "${tenant_of[professional]}")" "1 6 8 | 1 6 8 89 91"
is "logs" "$(left logs at "${tenant_of[enterprise]}")" "1 6"
is "deliveries" "$(left outbox created_at "${tenant_of[professional]}" "AND state = 'sent'")" "1 6 8 89"
is "but not those that wait" "$(left outbox created_at "${tenant_of[professional]}" "AND state = 'queued'")" "$ages"
is "a set of risks without a decision is marked" "$(asked "SELECT GROUP_CONCAT(risks_hash ORDER BY risks_hash) FROM decision_risks
    WHERE tenant_id = '${tenant_of[trial]}' AND unused_since IS NOT NULL")" "8,89,91,399,401"
maintain
is "and stays for now" "$(asked "SELECT COUNT(*) FROM decision_risks WHERE tenant_id = '${tenant_of[trial]}' AND unused_since IS NOT NULL")" 5
sql "UPDATE decision_risks SET unused_since = NOW(3) - INTERVAL 2 HOUR WHERE unused_since IS NOT NULL AND risks_hash <> 8"
maintain
is "an hour later it goes" "$(asked "SELECT GROUP_CONCAT(risks_hash) FROM decision_risks WHERE tenant_id = '${tenant_of[trial]}' AND unused_since IS NOT NULL")" 8
trial_id=$(sql "SELECT cluster FROM clusters WHERE tenant_id = '${tenant_of[trial]}'")
token=${token_of[trial]}
get '/api/score-history?clusterId=c'
is "the API shows what is left" "$(json 'length')" "$(asked "SELECT (SELECT COUNT(*) FROM score_history WHERE cluster = '$trial_id') + (SELECT SUM(points) FROM score_chunks WHERE cluster = '$trial_id')")"

# A gate that comes back to a marked set takes it up again, or still counts on it: then it stays for the decision's sake.
account Gate
push g "$scratch/c.json"
validate g
sql "DELETE FROM decisions WHERE tenant_id = '$tenant'"
maintain
is "marked" "$(asked "SELECT unused_since IS NULL FROM decision_risks WHERE tenant_id = '$tenant'")" 0
validate g
sql "UPDATE decision_risks SET unused_since = NOW(3) - INTERVAL 2 HOUR WHERE tenant_id = '$tenant' AND unused_since IS NOT NULL"
maintain
is "what a decision refers to again stays" "$(asked "SELECT COUNT(*) FROM decision_risks WHERE tenant_id = '$tenant'")" 1
sql "UPDATE decision_risks SET unused_since = NOW(3) WHERE tenant_id = '$tenant'"
for pid in $(pids_of validate.fcgi); do kill -9 "$pid"; done
within 20 eval 'validate g; [ "$status" = 200 ]'
is "a worker that does not know the set takes it up again" "$(asked "SELECT unused_since IS NULL FROM decision_risks WHERE tenant_id = '$tenant'")" 1

# A cluster that has long been silent: its history goes, its latest score and what that is made of stay.
push silent "$scratch/c.json" -H "X-Snapshot-Time: $(date -ud '30 days ago' +%Y-%m-%dT%H:%M:%SZ)"
maintain
get '/api/score-history?clusterId=silent'
is "no history" "$(json -c .)" "[]"
get '/api/risks?clusterId=silent'
ok "but risks" [ "$status" = 200 ] && [ "$(json length)" -gt 0 ]
is "whose impacts explain the score" "$(json '[.[].impact * 100 | round] | add + '"$(asked "SELECT score_exact FROM clusters WHERE name = 'silent'")")" 10000

# Points may go sooner than the plan says; the steps tell them.
sed -i '$a history_days = 50' "$stack_dir/loadline.conf"
maintain
is "history_days" "$(left score_chunks hour_at "${tenant_of[enterprise]}") | $(left score_rollup step_at "${tenant_of[enterprise]}")" "1 6 8 | 1 6 8 89 91 399"
scripts/down --dir "$stack_dir"
scripts/up --dir "$stack_dir" --port "$stack_port" --build "$build" --set signup_limit=0/600 --set history_days=50 --workers maintain=0 >/dev/null
token=${token_of[enterprise]}
get '/api/score-history?clusterId=c'
is "older ones are steps" "$(json -c 'map(select(.points)) | [length, .[0].points]') $(json 'map(select(.points | not)) | length > 3')" "[3,1] true"

sql "UPDATE tenants SET plan = 'trial'"

# ---- what belongs to nobody
account Gone
push gone "$scratch/c.json"
gone=$(sql "SELECT cluster FROM clusters WHERE name = 'gone'")
sql "DELETE FROM tenants WHERE tenant_id = '$tenant'; INSERT INTO sessions (token_hash, tenant_id, user_id, created_at, expires_at) VALUES (REPEAT('x', 32), UUID(), UUID(), NOW(3), NOW(3) - INTERVAL 1 SECOND);
     INSERT INTO rate_limit VALUES ('login', 'x', NOW(3) - INTERVAL 2 DAY, 1), ('session', 'y', NOW(3) - INTERVAL 1 HOUR, 60);
     INSERT INTO silences (silence_id, tenant_id, until, reason, created_by, created_at) VALUES (UUID(), '${tenant_of[trial]}', NOW(3) - INTERVAL 8 DAY, '', '', NOW(3)), (UUID(), '${tenant_of[trial]}', NOW(3) - INTERVAL 6 DAY, '', '', NOW(3));
     INSERT INTO exemptions (exemption_id, tenant_id, check_id, namespace, resource, reason, owner, expires_at, created_by, created_at, changed_at, ended_at)
     SELECT UUID(), '${tenant_of[trial]}', 'host-pid', '', '', '', '', NOW(3) - INTERVAL expired DAY, '', NOW(3), NOW(3), NOW(3) - INTERVAL ended DAY
     FROM (SELECT 1000 AS expired, NULL AS ended UNION SELECT 300, NULL UNION SELECT -9, 1000 UNION SELECT -9, 300 UNION SELECT -9, NULL) AS ends;
     INSERT INTO audit (tenant_id, at, audit_id, actor_id, actor, address, action, subject, result) SELECT tenant_id, NOW(3) - INTERVAL 1000 DAY, UUID(), actor_id, actor, address, action, subject, result FROM audit LIMIT 2"
sed -i '$a login_limit = 60/7200' "$stack_dir/loadline.conf"
maintain --dry-run
to_go=$(counted)
is "a dry run tells of these too" "$(grep -E '^(audit|exemptions|rate_limit|sessions|silences)' <<<"$to_go" | xargs)" "audit 2 exemptions 2 rate_limit 1 sessions 1 silences 1"
like "and of clusters" "$said" 'what is left of 1 deleted cluster is to go'
is "and leaves them" "$(asked "SELECT COUNT(*) FROM clusters WHERE name = 'gone'")" 1
maintain
is "which go" "$(counted)" "$to_go"
is "rows of a tenant that is gone" "$(for table in snapshots snapshot_bases snapshot_additions briefs risks ledgers score_history score_rollup score_chunks score_hours; do
    asked "SELECT COUNT(*) FROM $table WHERE cluster = '$gone'"; done | sort -u)" 0
is "sessions that are over, counters of attempts" "$(asked "SELECT (SELECT COUNT(*) FROM sessions WHERE expires_at < NOW(3)) + (SELECT COUNT(*) FROM rate_limit WHERE since < NOW(3) - INTERVAL 1 DAY)")" 0
is "but not one whose window is open" "$(asked "SELECT class FROM rate_limit WHERE subject = 'y'")" session

done_testing
