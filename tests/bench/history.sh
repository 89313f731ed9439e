#!/bin/bash
# Reading 8,640 points of one cluster, of 1,000 clusters with 10,000 points each, as rows and packed; 400 days of another by
# the hour, by five-minute steps and packed; the bytes of a day; and why the score of 1,000 pods moved.
# LOADLINE_BENCH_ROWS: how many rows instead.
# shellcheck source=tests/bench/lib.sh
. "$(dirname "$0")/lib.sh"

rows=${LOADLINE_BENCH_ROWS:-10000000} points=10000 pods=1000
[ -z "$short" ] || rows=20000 pods=100
clusters=$((rows / points))
[ $clusters -ge 1 ] || give_up "$rows rows are fewer than one cluster's $points"

host
enterprise
bearer=(--header "Authorization: Bearer $token")

administer "INSERT INTO clusters (cluster, tenant_id, name, created_at, received_at, taken_at, newest_at, score, score_exact)
    SELECT CONCAT('00000000-0000-4000-8000-', LPAD(HEX(seq), 12, '0')), '$tenant', CONCAT('old-', seq), NOW(3), NOW(3), NOW(3), NOW(3), 80, 8000
    FROM seq_0_to_$((clusters - 1))"
began=$SECONDS
for ((cluster = 0; cluster < clusters; cluster++)); do
    printf "INSERT INTO score_history (cluster, taken_at, tenant_id, score, score_exact, nodes, pods, risks)
        SELECT '00000000-0000-4000-8000-%012X', NOW(3) - INTERVAL (%d - seq) * 10 SECOND, '%s',
            70 + seq %% 20, 7000 + seq %% 2000, 34, 1000 + seq %% 10, 40 + seq %% 7 FROM seq_1_to_%d;\n" \
        $cluster $points "$tenant" $points
done | mariadb --defaults-file="$stack_dir/admin.cnf" loadline
note "$((clusters * points)) rows of score_history, filled in $((SECONDS - began)) s"
administer "$(sed -n '/^INSERT IGNORE INTO score_rollup/,/;$/p' sql/0006_reading.sql | sed 's/ nodes, pods, risks$/&, formula/; s/ AS risks$/&, MIN(formula) AS formula/')"
administer "INSERT IGNORE INTO score_rollup (cluster, step_at, tenant_id, points, score_min, worst_at, score_sum, score_last, last_at, nodes_min, pods_min, risks_max)
    SELECT '00000000-0000-4000-8000-000000000000', at, '$tenant', 30, 7000 + seq % 2000, at, 240000, 8000, at + INTERVAL 290 SECOND, 34, 1000, 40
    FROM (SELECT seq, '1970-01-01' + INTERVAL (UNIX_TIMESTAMP() DIV 300 - seq) * 300 SECOND AS at FROM seq_0_to_115199) AS steps"

# size TABLE...: bytes of the pages that these tables take, for each point
size() {
    local table
    for table; do administer "ALTER TABLE $table FORCE; ANALYZE TABLE $table" >/dev/null; done
    administer "SELECT SUM(data_length) / $((clusters * points)) FROM information_schema.tables
        WHERE table_schema = 'loadline' AND table_name IN ($(printf "'%s'," "$@" | sed 's/,$//'))"
}
# answers KIND [MS MS]: how long they take, and how long points and hours may
answers() {
    local count
    for count in 20 $((clusters < 500 ? 20 : 500)); do
        load --path '/api/score-history?clusterId=old-{n}' "${bearer[@]}" --over $clusters --count $count
    done
    figure "score-history of 8,640 points, $1, ms, median" "$load_p50_ms" ${2:+"<=" "$2"}
    figure "score-history of 8,640 points, $1, ms, p99" "$load_p99_ms"
    load --path '/api/score-history?clusterId=old-0&step=3600' "${bearer[@]}" --count 20
    figure "score-history of 400 days by the hour, $1, ms, median" "$load_p50_ms" ${3:+"<=" "$3"}
}
answers rows
rows_size=$(size score_history)
began=$SECONDS
LOADLINE_CONF=$stack_dir/loadline.conf "$build/bin/loadline-maintain" --hurry 2>"$scratch/maintain.log" || give_up "$(tail -1 "$scratch/maintain.log")"
note "$(grep -o 'packed_points=.*' "$scratch/maintain.log") in $((SECONDS - began)) s"
# A host packs an hour at a time. Ten million rows that went at once are still being cleared away: who reads passes over them.
cleared() { [ "$(administer "SHOW GLOBAL STATUS LIKE 'Innodb_history_list_length'" | cut -f2)" -lt 100 ]; }
began=$SECONDS
within 600 cleared || note "rows that went are not cleared away after $((SECONDS - began)) s"
answers packed 5 40
figure "history of a day of pushes every 10 s, rows, MB" "$(awk "BEGIN { print ($rows_size * 8640) / 1e6 }")"
figure "history of a day of pushes every 10 s, packed, MB" "$(awk "BEGIN { print ($(size score_history score_chunks) * 8640) / 1e6 }")" "<=" 0.1

for variant in 0 1; do
    snapshot $pods compact $variant
    load --method POST --path /ingest --header "X-API-Key: $api_key" --header 'X-Cluster-Id: why' \
        --header 'Content-Type: application/json' --header 'Content-Encoding: gzip' \
        --header "X-Snapshot-Time: $(date -ud "$((10 - variant)) seconds ago" +%Y-%m-%dT%H:%M:%SZ)" --body "$file" --count 1
done
load --path '/api/risks?clusterId=why' "${bearer[@]}" --count 50
figure "risks of $pods pods, a page, ms, median" "$load_p50_ms"
load --path "/api/risks?clusterId=why&since=$(date -ud '9 seconds ago' +%Y-%m-%dT%H:%M:%SZ)" "${bearer[@]}" --count 50
figure "why the score of $pods pods moved, ms, median" "$load_p50_ms"
