#!/bin/bash
# loadline-maintain while the database refuses rows of one table after another, gives transactions up, kills its connections or
# loses them, and while it is killed itself: nothing is lost or counted twice, what it ends with says whether something was
# left, and the next run leaves what one leaves that nothing happened to.
# shellcheck disable=SC2034,SC2119,SC2154 # refusals.sh and cuts.sh set and read them, arm takes arguments
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
own_stack --workers notify=0
. tests/e2e/refusals.sh
export LOADLINE_CONF=$stack_dir/loadline.conf
socket=$(readlink -f "$stack_dir/sock/mariadb.sock")
root() {
    mariadb --no-defaults --socket="$socket" --batch --skip-column-names loadline -e "$1"
}
# maintain: without rests; sets ended, its status, and said
maintain() {
    "$build/bin/loadline-maintain" --hurry >"$scratch/said" 2>&1
    ended=$? said=$(cat "$scratch/said")
}

# ---- two tenants, of whose rows in every table some are to go and some to stay
cluster 2 1 >"$scratch/c.json"
tenants=()
for name in one two; do
    account "$name"
    tenants+=("$tenant")
    push c "$scratch/c.json"
    validate c
    ask POST /api/notifications/channels '{"type":"webhook","webhookUrl":"https://hooks.example.com/x"}'
    push gone "$scratch/c.json"
    sql "$quietly INSERT INTO audit (tenant_id, at, audit_id, actor, address, action, subject, result, noted_at) SELECT '$tenant',
        UTC_TIMESTAMP(3) - INTERVAL age DAY, UUID(), 'a', 'b', 'c', seq, 'e', UTC_TIMESTAMP(3) - INTERVAL age DAY FROM seq_1_to_10,
        (SELECT 402 AS age UNION SELECT 401 UNION SELECT 399 UNION SELECT 3) AS ages"
done
# The trail is chained but for what has come last.
echo "audit_days = 0" >>"$LOADLINE_CONF"
maintain
sed -i '/^audit_days/d' "$LOADLINE_CONF"
is "the trail is chained" "$ended $(sql "SELECT COUNT(*) FROM audit_chain")" "0 80"
for tenant in "${tenants[@]}"; do
    id=$(sql "SELECT cluster FROM clusters WHERE name = 'c' AND tenant_id = '$tenant'")
    gone=$(sql "SELECT cluster FROM clusters WHERE name = 'gone' AND tenant_id = '$tenant'")
    for age in 1 2 8 9; do
        then="UTC_TIMESTAMP(3) - INTERVAL $age DAY"
        sql "$quietly
            INSERT INTO score_history SELECT '$id', TIMESTAMPADD(SECOND, seq * 70, DATE($then)), '$tenant', seq, seq * 100, 1, seq, 1, 2 FROM seq_1_to_100;
            INSERT INTO score_chunks VALUES ('$id', DATE($then) + INTERVAL 12 HOUR, '$tenant', 1, '');
            INSERT INTO score_hours VALUES ('$id', DATE($then) + INTERVAL 12 HOUR, '$tenant', 1, 1, $then, 1, 1, $then, 1, 1, 1, 2);
            INSERT INTO decisions (cluster, decided_at, decision_id, tenant_id, key_id, decision, csc_score, score_time, risks_total, resource, namespace, action, image, requested_by, source, findings, risks_hash, message, reasons) SELECT cluster, $then, UUID(), tenant_id, key_id, decision, csc_score, score_time, risks_total, resource, namespace, action, image, requested_by, source, findings, $age, message, reasons FROM decisions WHERE cluster = '$id' ORDER BY decided_at DESC LIMIT 1;
            INSERT INTO decision_risks SELECT cluster, $age, tenant_id, risks, NULL FROM decision_risks WHERE cluster = '$id' LIMIT 1;
            INSERT INTO decision_risks SELECT cluster, $age + 100, tenant_id, risks, UTC_TIMESTAMP(3) - INTERVAL 2 HOUR FROM decision_risks WHERE cluster = '$id' LIMIT 1;
            INSERT INTO ledgers SELECT cluster, $then - INTERVAL 4 DAY, tenant_id, NULL, check_set, score_exact, body, formula FROM ledgers WHERE cluster = '$id' AND base_at IS NULL ORDER BY taken_at DESC LIMIT 1;
            INSERT INTO risks (cluster, risk_id, tenant_id, check_id, severity, namespace, resource, container, message, content, first_seen, closed_at)
                VALUES ('$id', LPAD('$age', 16, '0'), '$tenant', 'x', 'low', '', 'x', '', '', 0, $then, $then - INTERVAL 4 DAY);
            INSERT INTO logs (cluster, at, nanos, line, tenant_id, stream, severity, level, position, message) VALUES ('$id', $then, 0, 0, '$tenant', 0, 0, '', 0, '');
            INSERT INTO log_errors VALUES ('$id', $then, '', 'x', 0, '$tenant', 1);
            INSERT INTO log_streams VALUES ('$id', $age, '$tenant', '', 'x', '', '', 0, $then);
            INSERT INTO pushes VALUES ('$id', UNHEX(MD5('$age')), '$tenant', $then + INTERVAL 36 HOUR, UNHEX(MD5('x')), '');
            INSERT INTO overrides (cluster, until, override_id, tenant_id, namespace, reason, created_by, created_at) VALUES ('$id', $then, UUID(), '$tenant', '', '', '', $then);
            INSERT INTO deploys (cluster, at, deploy_id, tenant_id, kind, namespace, name, event, images, configuration) VALUES ('$id', $then, UUID(), '$tenant', 'Deployment', '', 'x', 'started', '[]', '[]');
            INSERT INTO ended_alerts (cluster, ended_at, alert_id, tenant_id, rule_id, subject, since, recovered) VALUES ('$id', $then, UUID(), '$tenant', UUID(), '', $then, 1);
            INSERT INTO outbox (delivery_id, tenant_id, channel_id, event, title, body, created_at, position, state) VALUES (UUID(), '$tenant', UUID(), 'sent', '', '', $then, 0, 'sent');
            INSERT INTO silences (silence_id, tenant_id, until, reason, created_by, created_at) VALUES (UUID(), '$tenant', $then, '', '', $then);
            INSERT INTO exemptions (exemption_id, tenant_id, check_id, namespace, resource, reason, owner, expires_at, created_by, created_at, changed_at)
                VALUES (UUID(), '$tenant', 'host-pid', '', '', '', '', $then - INTERVAL 393 DAY, '', $then, $then);
            INSERT INTO sessions (token_hash, tenant_id, user_id, created_at, expires_at) SELECT UNHEX(SHA2(UUID(), 256)), '$tenant', UUID(), $then, $then + INTERVAL 2 DAY - INTERVAL 1 HOUR;
            INSERT INTO rate_limit VALUES ('login', UUID(), $then + INTERVAL 1 HOUR, 1);
            INSERT INTO known_addresses VALUES ('$tenant', UUID(), 'x', $then - INTERVAL 83 DAY);
            INSERT INTO links (link_id, tenant_id, user_id, kind, created_at, expires_at) VALUES (UUID(), '$tenant', UUID(), 'email', $then, $then + INTERVAL 2 DAY - INTERVAL 1 HOUR);
            INSERT INTO oidc_logins VALUES (UNHEX(SHA2(UUID(), 256)), '', '', $then + INTERVAL 2 DAY - INTERVAL 1 HOUR);"
    done
    sql "$quietly UPDATE audit SET noted_at = noted_at - INTERVAL 1 HOUR WHERE noted_at > UTC_TIMESTAMP(3) - INTERVAL 30 MINUTE;
        UPDATE score_history SET taken_at = taken_at - INTERVAL 2 HOUR WHERE cluster = '$id' AND taken_at > UTC_TIMESTAMP(3) - INTERVAL 1 HOUR;"
    roll_up "$id"
done
# One cluster was deleted some hours ago, and the tenant of another is gone.
sql "$quietly DELETE FROM clusters WHERE cluster = '$gone'; UPDATE tenants SET clusters = clusters - 1 WHERE tenant_id = '$tenant';
    INSERT INTO deleted_clusters VALUES ('$gone', '$tenant', UTC_TIMESTAMP(3) - INTERVAL 3 HOUR)"
account Gone
push c "$scratch/c.json"
sql "$quietly DELETE FROM tenants WHERE tenant_id = '$tenant'"

# ---- what there is, put back each time
tables=$(root "SELECT table_name FROM information_schema.tables WHERE table_schema = 'loadline' AND table_name NOT LIKE 'test\_%' AND table_name <> 'schema_migrations' ORDER BY table_name")
columns() {
    root "SELECT GROUP_CONCAT(CONCAT('\`', column_name, '\`') ORDER BY ordinal_position) FROM information_schema.columns
        WHERE table_schema = 'loadline' AND table_name = '$1' AND is_generated = 'NEVER'"
}
put_back="SET @quiet = 1;"
root "CREATE DATABASE kept"
for table in $tables; do
    list=$(columns "$table")
    root "CREATE TABLE kept.$table AS SELECT $list FROM $table"
    put_back+="DELETE FROM $table; INSERT INTO $table ($list) SELECT $list FROM kept.$table;"
done
put_back() {
    root "START TRANSACTION; $put_back COMMIT; DELETE FROM test_touched"
}
# state: what is left; when a set was marked, or a cluster's rest was noted, is of the run
state() {
    root "CHECKSUM TABLE $(grep -vx 'decision_risks\|deleted_clusters' <<<"$tables" | paste -sd, ) EXTENDED;
        SELECT cluster, risks_hash, unused_since IS NULL FROM decision_risks ORDER BY cluster, risks_hash; SELECT cluster FROM deleted_clusters ORDER BY cluster"
}
# points: each that there is, of rows and packed
points() {
    root "SELECT SUM(n) FROM (SELECT COUNT(*) AS n FROM score_history UNION ALL SELECT SUM(points) FROM score_chunks) AS p"
}
# usual: what a run leaves that nothing happens to; hours begin and days end meanwhile
usual() {
    put_back
    maintain
    [ "$ended" = 0 ] || diag "$said"
    wanted=$(state) wanted_points=$(points)
}
# is_usual: sets found to what is left. When that differs, rows may have grown too old since `usual`: it runs again then
is_usual() {
    found=$(state)
    [ "$found" != "$wanted" ] || return 0
    usual
    [ "$found" = "$wanted" ]
}
# made_whole WHAT: after some runs, the last of which came to its end
made_whole() {
    is_usual || wrong+=("$1: $(diff <(echo "$found") <(echo "$wanted") | head -4 | xargs)")
}
# left_nothing WHAT: a run that ends with 0 has done all
left_nothing() {
    [ "$ended" = 1 ] || is_usual || wrong+=("$1: it says that nothing was left, and $(diff <(echo "$found") <(echo "$wanted") | head -4 | xargs)")
}
usual
is "a run" "$ended" 0
mapfile -t pairs < <(touched)
diag "what it writes: ${pairs[*]}"
"$build/bin/loadline-admin" audit-verify >"$scratch/verify" 2>&1
is "the trail is whole then" "$? $(grep -c BROKEN "$scratch/verify")" "0 0"
missing=()
for pair in audit_chain/INSERT audit_chain/DELETE audit/DELETE score_chunks/INSERT score_hours/INSERT decision_risks/UPDATE decision_risks/DELETE \
    deleted_clusters/INSERT deleted_clusters/DELETE clusters/UPDATE clusters/DELETE snapshots/DELETE outbox/DELETE sessions/DELETE silences/DELETE \
    exemptions/DELETE rate_limit/DELETE known_addresses/DELETE links/DELETE oidc_logins/DELETE \
    $(sed -n 's/^PRUNE(\([a-z_]*\), .*/\1\/DELETE/p' lib/store/prunes.def); do
    printf '%s\n' "${pairs[@]}" | grep -qx "${pair/\// }" || missing+=("$pair")
done
empty "there is no table that it leaves out" "${missing[*]}"

# ---- rows are refused
wrong=()
for pair in "${pairs[@]}"; do
    for how in '' busy; do
        put_back
        root "DELETE FROM test_refused; INSERT INTO test_refusing VALUES ('${pair% *}', '${pair#* }', $([ -n "$how" ] && echo 1 || echo 0))"
        maintain
        refused=$(root "DELETE FROM test_refusing; SELECT COUNT(*) FROM test_refused")
        [ "$refused" -gt 0 ] || wrong+=("$pair $how: no row was refused")
        [ "$ended" = 1 ] || [ "$how" = busy ] || wrong+=("$pair: it ends with $ended")
        [ -n "$how" ] || grep -q 'error=.*refused' "$scratch/said" || wrong+=("$pair: the log says nothing")
        # What has nothing to do with that table is done all the same.
        left=$(root "SELECT (SELECT COUNT(*) FROM oidc_logins WHERE expires_at < UTC_TIMESTAMP()) +
            (SELECT COUNT(*) FROM logs WHERE at < UTC_TIMESTAMP() - INTERVAL 8 DAY) + (SELECT COUNT(*) FROM audit WHERE noted_at < UTC_TIMESTAMP() - INTERVAL 400 DAY)")
        [ "$left" = 0 ] || [[ "$pair" =~ ^(oidc_logins|logs|audit)" DELETE" ]] || wrong+=("$pair $how: $left rows of other tables are left")
        "$build/bin/loadline-admin" audit-verify >"$scratch/verify" 2>&1 || wrong+=("$pair $how: $(grep BROKEN "$scratch/verify" | head -1)")
        left_nothing "$pair $how"
        maintain
        [ "$ended" = 0 ] || wrong+=("$pair $how: the next run ends with $ended")
        made_whole "$pair $how"
    done
done
empty "whichever row is refused, the next run makes it whole" "$(printf '%s\n' "${wrong[@]}")"

# ---- connections are cut
. tests/e2e/cuts.sh
usual
sever before 100000
put_back
maintain
sever_no_more
diag "a run is $seen commands"
wrong=() n=0 ways=(before half after kill)
while n=$((n + 1 + RANDOM % ${LOADLINE_TEST_STEPS:-12})) && [ "$n" -lt "$seen" ]; do
    commands=$seen way=${ways[RANDOM % 4]}
    put_back
    sever "$way" "$n"
    maintain
    sever_no_more
    was=$cuts seen=$commands
    [ "$was" = 1 ] || continue
    "$build/bin/loadline-admin" audit-verify >"$scratch/verify" 2>&1 || wrong+=("$way $n: $(grep BROKEN "$scratch/verify" | head -1)")
    [ "$(points)" -ge "$wanted_points" ] || wrong+=("$way $n: points are lost")
    left_nothing "$way $n"
    maintain
    [ "$ended" = 0 ] || wrong+=("$way $n: the next run ends with $ended: $(grep -m1 error "$scratch/said")")
    made_whole "$way $n"
done
empty "wherever its connection is lost, the next run makes it whole" "$(printf '%s\n' "${wrong[@]}")"

# ---- it is killed, or loses connections again and again
wrong=()
for n in $(seq "${LOADLINE_TEST_KILLS:-15}"); do
    put_back
    "$build/bin/loadline-maintain" --hurry >"$scratch/said" 2>&1 &
    victim=$!
    sleep "0.0$((RANDOM % 90 + 10))"
    kill -9 "$victim"
    wait "$victim" 2>/dev/null
    "$build/bin/loadline-admin" audit-verify >"$scratch/verify" 2>&1 || wrong+=("killed $n: $(grep BROKEN "$scratch/verify" | head -1)")
    sever_often 1
    for _ in 1 2 3; do
        maintain
    done
    sever_no_more
    maintain
    [ "$ended" = 0 ] || wrong+=("killed $n: the last run ends with $ended")
    made_whole "killed $n"
done
empty "killed at any moment, the next runs make it whole" "$(printf '%s\n' "${wrong[@]}")"
done_testing
