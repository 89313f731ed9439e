#!/bin/bash
# Reading 8,640 points of one cluster, of 1,000 clusters with 10,000 points each; 400 days of another by
# the hour; and why the score of 1,000 pods moved.
# LOADLINE_BENCH_ROWS: how many rows instead.
# shellcheck source=tests/bench/lib.sh
. "$(dirname "$0")/lib.sh"

rows=${LOADLINE_BENCH_ROWS:-10000000} points=10000 pods=1000
[ -z "$short" ] || rows=20000 pods=100
clusters=$((rows / points))
[ $clusters -ge 1 ] || give_up "$rows rows are fewer than one cluster's $points"

own_stack
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
for count in 20 $((clusters < 500 ? 20 : 500)); do
    load --path '/api/score-history?clusterId=old-{n}' "${bearer[@]}" --over $clusters --count $count
done
figure "score-history of 8,640 points, ms, median" "$load_p50_ms" "<=" 15
figure "score-history of 8,640 points, ms, p99" "$load_p99_ms"

administer "INSERT INTO score_rollup (cluster, step_at, tenant_id, points, score_min, worst_at, score_sum, score_last, last_at, nodes_min, pods_min, risks_max)
    SELECT '00000000-0000-4000-8000-000000000000', at, '$tenant', 30, 7000 + seq % 2000, at, 240000, 8000, at + INTERVAL 290 SECOND, 34, 1000, 40
    FROM (SELECT seq, '1970-01-01' + INTERVAL (UNIX_TIMESTAMP() DIV 300 - seq) * 300 SECOND AS at FROM seq_0_to_115199) AS steps"
load --path '/api/score-history?clusterId=old-0&step=3600' "${bearer[@]}" --count 20
figure "score-history of 400 days by the hour, ms, median" "$load_p50_ms"

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
