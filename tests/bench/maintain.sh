#!/bin/bash
# Maintenance of 10 million rows while 300 clusters push: 30 pushes a second. Half of the rows are of a
# tenant whose plan does not keep them, and a quarter is older than any plan keeps.
# LOADLINE_BENCH_ROWS: how many rows instead.
# shellcheck source=tests/bench/lib.sh
. "$(dirname "$0")/lib.sh"

rows=${LOADLINE_BENCH_ROWS:-10000000} points=10000 pods=1000 clusters=300 rate=30 seconds=30
[ -z "$short" ] || rows=40000 pods=100 clusters=20 rate=10 seconds=2
each=$((rows / points / 4)) # clusters of each quarter of the rows
[ $each -ge 1 ] || give_up "$rows rows are fewer than $((4 * points))"

host
account "Trial"
trial=$tenant
enterprise
today=$(date -u +%F)
maintain --hurry

# fill QUARTER TENANT TIME: so many clusters with points that end there
fill() {
    local cluster id
    for ((cluster = $1 * each; cluster < ($1 + 1) * each; cluster++)); do
        printf -v id '00000000-0000-4000-8000-%012X' $cluster
        echo "INSERT INTO clusters (cluster, tenant_id, name, created_at) VALUES ('$id', '$2', 'old-$cluster', NOW(3));
            INSERT INTO score_history (cluster, taken_at, tenant_id, score, score_exact, nodes, pods, risks)
            SELECT '$id', '$3' - INTERVAL seq SECOND, '$2', 70, 7000, 34, 1000, 40 FROM seq_1_to_$points;"
    done | mariadb --defaults-file="$stack_dir/admin.cnf" loadline
}
began=$SECONDS
fill 0 "$tenant" "$(date -ud '420 days ago' +%F) 23:00:00"
fill 1 "$tenant" "$(date -ud '20 days ago' +%F) 23:00:00"
fill 2 "$trial" "$(date -ud '20 days ago' +%F) 23:00:00"
fill 3 "$trial" "$today 00:00:00"
note "$((4 * each * points)) rows of score_history, filled in $((SECONDS - began)) s"

bodies=()
for variant in 0 1 2 3; do
    snapshot $pods compact $variant
    bodies+=(--body "$file")
done
push=(--method POST --path /ingest --close --header "X-API-Key: $api_key" --header 'X-Cluster-Id: busy-{n}' --over "$clusters"
    --header 'Content-Type: application/json' --header 'Content-Encoding: gzip' "${bodies[@]}")
load "${push[@]}" --clients 4 --count $clusters
load "${push[@]}" --clients 128 --rate $rate --seconds $seconds
figure "push p99 without maintenance, ms" "$load_p99_ms"

began=$(date +%s%N)
maintain &
maintenance=$!
load "${push[@]}" --clients 128 --rate $rate --seconds $seconds
still=no
! kill -0 $maintenance 2>/dev/null || still=yes
figure "push p99 beside maintenance, ms" "$load_p99_ms" "<=" 500
figure "push at the most, ms" "$load_max_ms"
wait $maintenance || exit 1
ms=$((($(date +%s%N) - began) / 1000000))
note "maintenance was still at it when the pushes ended: $still"
note "$(grep -oE 'table=score_history .*' "$scratch/maintain.log" | tr '\n' ' ')"
figure "maintenance of $((4 * each * points)) rows, s" "$(divide $ms 1000)"
left=$(administer "SELECT SUM(taken_at < NOW(3) - INTERVAL 8 DAY AND tenant_id = '$trial'), SUM(taken_at < NOW(3) - INTERVAL 401 DAY) FROM score_history" | tr '\t' ' ')
[ "$left" = "0 0" ] || give_up "rows are left that nobody keeps: $left"
