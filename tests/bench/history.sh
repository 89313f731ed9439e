#!/bin/bash
# Reading 8,640 points of one cluster, of 1,000 clusters with 10,000 points each.
# LOADLINE_BENCH_ROWS: how many rows instead.
# shellcheck source=tests/bench/lib.sh
. "$(dirname "$0")/lib.sh"

rows=${LOADLINE_BENCH_ROWS:-10000000} points=10000
[ -z "$short" ] || rows=20000
clusters=$((rows / points))
[ $clusters -ge 1 ] || give_up "$rows rows are fewer than one cluster's $points"

own_stack
enterprise
administer "INSERT INTO clusters (cluster, tenant_id, name, created_at, received_at, taken_at, score, score_exact)
    SELECT CONCAT('00000000-0000-4000-8000-', LPAD(HEX(seq), 12, '0')), '$tenant', CONCAT('old-', seq), NOW(3), NOW(3), NOW(3), 80, 8000
    FROM seq_0_to_$((clusters - 1))"
began=$SECONDS
for ((cluster = 0; cluster < clusters; cluster++)); do
    printf "INSERT INTO score_history (cluster, taken_at, tenant_id, score, score_exact, nodes, pods, risks)
        SELECT '00000000-0000-4000-8000-%012X', NOW(3) - INTERVAL (%d - seq) * 10 SECOND, '%s',
            70 + seq %% 20, 7000 + seq %% 2000, 34, 1000 + seq %% 10, 40 + seq %% 7 FROM seq_1_to_%d;\n" \
        $cluster $points "$tenant" $points
done | mariadb --defaults-file="$stack_dir/admin.cnf" loadline
note "$((clusters * points)) rows of score_history, filled in $((SECONDS - began)) s"
load --path '/api/score-history?clusterId=old-{n}' --header "Authorization: Bearer $token" --over $clusters --count 20
load --path '/api/score-history?clusterId=old-{n}' --header "Authorization: Bearer $token" --over $clusters --count $((clusters < 500 ? 20 : 500))
figure "score-history of 8,640 points, ms, median" "$load_p50_ms" "<=" 15
figure "score-history of 8,640 points, ms, p99" "$load_p99_ms"
