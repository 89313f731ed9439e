#!/bin/bash
# A history whose points lie close together, far apart, and not at all for days: the newest are told whatever lies between
# them, as rows, while they are being packed, and packed.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
own_stack --set signup_limit=0/600
export LOADLINE_CONF=$stack_dir/loadline.conf
account Example
sql "UPDATE tenants SET plan = 'enterprise' WHERE tenant_id = '$tenant'"
cluster 2 2 >"$scratch/c.json"
push c "$scratch/c.json"
id=$(sql "SELECT cluster FROM clusters WHERE name = 'c'")
base=$((($(date +%s) / 3600 - 1) * 3600))

# points COUNT EVERY BEGIN: so many points, so many seconds apart, the newest so many before the base
points() {
    sql "SET time_zone = '+00:00';
         INSERT INTO score_history (cluster, taken_at, tenant_id, score, score_exact, nodes, pods, risks, formula)
         SELECT '$id', FROM_UNIXTIME($base - $3) - INTERVAL seq * $2 SECOND, '$tenant', (4000 + seq * 7919 % 5000) DIV 100,
                4000 + seq * 7919 % 5000, 3 + seq % 5, 100 + seq % 31, seq % 90, 2 FROM seq_1_to_$1"
}
points 100 1 0
points 200 60 11000
points 3000 10 500000
points 1 1 600000
points 1 1 3000000
points 3000 3 3100000
points 4000 900 4000000
roll_up "$id"
is "so many points" "$(sql "SELECT COUNT(*) FROM score_history WHERE cluster = '$id'")" 10303

# truth TO: the newest until so many seconds before the base, as CSV
truth() {
    sql "SET time_zone = '+00:00';
         SELECT CONCAT_WS(',', CONCAT(SUBSTRING(DATE_FORMAT(taken_at, '%Y-%m-%dT%H:%i:%s.%f'), 1, 23), 'Z'), score, nodes, pods, risks) FROM (
             SELECT * FROM score_history WHERE cluster = '$id' AND taken_at <= FROM_UNIXTIME($base - $1) ORDER BY taken_at DESC LIMIT 8640) n
         ORDER BY taken_at"
}
told() {
    get "/api/score-history?clusterId=c&format=csv&to=$(date -ud "@$((base - $1))" +%Y-%m-%dT%H:%M:%SZ)"
    tail -n +2 "$scratch/body"
}
ends=(-7200 0 50 11000 400000 520000 700000 3100000 3105000 5000000 7650000)
for end in "${ends[@]}"; do
    truth "$end" >"$scratch/truth.$end"
    told "$end" >"$scratch/told"
    ok "until $end s ago: $(wc -l <"$scratch/truth.$end") points" cmp "$scratch/told" "$scratch/truth.$end"
done
is "some ends have all, some as many as there may be" "$(wc -l "$scratch"/truth.* | awk '{ print ($1 == 8640) }' | sort -u | tr '\n' ' ')" "0 1 "

# ---- a point moves from the rows to a chunk: whoever reads meanwhile sees it once
"$build/bin/loadline-maintain" >"$scratch/maintain.log" 2>&1 &
maintain=$!
reads=0 wrong=0
while kill -0 "$maintain" 2>/dev/null; do
    for end in -7200 700000; do
        told "$end" | cmp -s - "$scratch/truth.$end" || wrong=$((wrong + 1))
        reads=$((reads + 1))
    done
done
wait "$maintain"
diag "$reads answers while maintenance packed"
is "read while it is packed, each is what it was" "$((reads > 0)) $wrong" "1 0"
LOADLINE_CONF=$stack_dir/loadline.conf "$build/bin/loadline-maintain" --hurry >>"$scratch/maintain.log" 2>&1
is "all but the newest are packed" "$(sql "SELECT (SELECT COUNT(*) FROM score_history WHERE cluster = '$id'), SUM(points) FROM score_chunks WHERE cluster = '$id'")" "1	10302"
for end in "${ends[@]}"; do
    told "$end" >"$scratch/told"
    ok "packed, until $end s ago" cmp "$scratch/told" "$scratch/truth.$end"
done
done_testing
