#!/bin/bash
# A history of a million points: its newest, ranges, steps; a restart of everything in between.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
own_stack --set signup_limit=0/600
account Example
sql "UPDATE tenants SET plan = 'enterprise' WHERE tenant_id = '$tenant'"
LOADLINE_CONF=$stack_dir/loadline.conf "$build/bin/loadline-maintain" --hurry 2>"$scratch/maintain"
cluster 2 2 >"$scratch/c.json"
push c "$scratch/c.json"
id=$(sql "SELECT cluster FROM clusters WHERE tenant_id = '$tenant'")
newest=$(sql "SELECT newest_at FROM clusters WHERE cluster = '$id'")
formula=$(sql "SELECT formula FROM score_history WHERE cluster = '$id'")

# points FROM TO: so many points before the newest, ten seconds apart, of scores that go up and down
points() {
    sql "INSERT INTO score_history (cluster, taken_at, tenant_id, score, score_exact, nodes, pods, risks, formula)
         SELECT '$id', '$newest' - INTERVAL seq * 10 SECOND, '$tenant', (4000 + seq * 7919 % 5000) DIV 100, 4000 + seq * 7919 % 5000,
                3 + seq % 5, 100 + seq % 31, seq % 90, $formula FROM seq_$1_to_$2"
}
history() {
    get "/api/score-history?clusterId=c$1"
}

points 1 8639
roll_up "$id"
history ''
is "8,640 points" "$(json length)" 8640
oldest=$(json '.[0].timestamp')
points 8640 8640
roll_up "$id"
history ''
is "8,641 points: the newest 8,640" "$(json length) $(json '.[0].timestamp')" "8640 $oldest"
history "&to=$(json '.[-2].timestamp')"
is "the oldest is there" "$(json length)" 8640
isnt "and before the others" "$(json '.[0].timestamp')" "$oldest"

points 8641 999999
roll_up "$id"
is "a million points" "$(sql "SELECT COUNT(*) FROM score_history WHERE cluster = '$id'")" 1000000

# ago SECONDS: that time before the newest point, as the API writes it
ago() {
    sql "SELECT DATE_FORMAT('$newest' - INTERVAL $1 SECOND, '%Y-%m-%dT%H:%i:%s.%fZ')" | sed 's/...Z$/Z/'
}
# by_sql FROM TO STEP: what the points of that range say, in seconds before the newest, as CSV
by_sql() {
    local step="TIMESTAMPDIFF(SECOND, '1970-01-01', taken_at) DIV $3 * $3" time='%Y-%m-%dT%H:%i:%s'
    local at="CONCAT(DATE_FORMAT('1970-01-01' + INTERVAL step SECOND, '$time'), '.000Z')"
    [ "$3" != 0 ] || step=taken_at at="CONCAT(SUBSTRING(DATE_FORMAT(step, '$time.%f'), 1, 23), 'Z')"
    sql "SELECT CONCAT_WS(',', $at, score, nodes, pods, risks) FROM (
             SELECT $step AS step, MIN(score) AS score, MIN(nodes) AS nodes, MIN(pods) AS pods, MAX(risks) AS risks FROM score_history
             WHERE cluster = '$id' AND taken_at BETWEEN '$newest' - INTERVAL $1 SECOND AND '$newest' - INTERVAL $2 SECOND
             GROUP BY step ORDER BY step DESC LIMIT 8640) newest ORDER BY step"
}
# agree FROM TO STEP
agree() {
    local parameters
    parameters="from=$(ago "$1")&to=$(ago "$2")"
    [ "$3" = 0 ] || parameters+="&step=$3"
    history "&$parameters&format=csv"
    tail -n +2 "$scratch/body" >"$scratch/answer"
    by_sql "$1" "$2" "$3" >"$scratch/truth"
    ok "from $1 s to $2 s ago, step $3: $(wc -l <"$scratch/truth") points" cmp "$scratch/answer" "$scratch/truth"
}
agree 100000 0 0
agree 5000000 4900000 0
agree 5000017 5000001 0
agree 20000000 9999000 0
agree 600 0 60
agree 1000000 900000 7
agree 9999999 9000003 299
agree 10000000 0 1000
agree 3601 1 300
agree 10000000 0 300
agree 9123456 1234567 300
agree 9123456 1234567 3600
agree 10000000 0 86400
agree 10000000 0 604800
history '&step=3600'
is "a step tells its mean, its last and its worst moment" "$(json -c '.[100] | [.mean, .last, .worst_at, .points, .score]')" "$(
    sql "SELECT CONCAT('[', TRIM(TRAILING '.' FROM TRIM(TRAILING '0' FROM ROUND(SUM(score_exact) / COUNT(*) / 100, 2))), ',',
                SUBSTRING_INDEX(GROUP_CONCAT(score ORDER BY taken_at DESC), ',', 1), ',\"',
                SUBSTRING_INDEX(GROUP_CONCAT(DATE_FORMAT(taken_at, '%Y-%m-%dT%H:%i:%s.') ORDER BY score_exact, taken_at), ',', 1),
                LEFT(DATE_FORMAT('$newest', '%f'), 3), 'Z\",', COUNT(*), ',', MIN(score), ']')
         FROM score_history WHERE cluster = '$id' AND taken_at >= REPLACE('$(json '.[100].timestamp')', 'Z', '') AND taken_at < REPLACE('$(json '.[101].timestamp')', 'Z', '')")"

# took PARAMETERS: milliseconds, the better of two
took() {
    local best=999999 began ms
    for _ in 1 2; do
        began=$(date +%s%N)
        history "$1"
        ms=$((($(date +%s%N) - began) / 1000000))
        best=$((ms < best ? ms : best))
    done
    echo $best
}
below "the newest of a million, ms" "$(took '')" "$(patient 200)"
below "the oldest of a million, ms" "$(took "&to=$(ago 9900000)")" "$(patient 200)"
below "all of them by the hour, ms" "$(took '&step=3600')" "$(patient 300)"
below "all of them by 299 seconds, ms" "$(took '&step=299')" "$(patient 3000)"

history ''
cp "$scratch/body" "$scratch/json"
history '&format=csv'
is "Python reads of the CSV what the JSON says" "$(python3 - "$scratch/json" "$scratch/body" <<'END'
import csv, json, sys
rows = json.load(open(sys.argv[1]))
cells = list(csv.DictReader(open(sys.argv[2], newline="")))
same = cells == [{name: str(value) for name, value in row.items()} for row in rows]
print(len(rows), same, rows == sorted(rows, key=lambda row: row["timestamp"]))
END
)" "8640 True True"

# everything PARAMETERS...: the answers to all of these
everything() {
    for parameters in '' '&format=csv' '&step=3600' '&step=299' '&step=86400&format=csv' "&from=$(ago 5000000)" "&to=$(ago 7777777)&step=60"; do
        history "$parameters"
        md5sum <"$scratch/body"
    done
}
before=$(everything)
scripts/down --dir "$stack_dir"
scripts/up --dir "$stack_dir" --port "$stack_port" --build "$build" --set signup_limit=0/600 --workers maintain=0 >/dev/null
is "after a restart of everything the answers are the same" "$(everything)" "$before"
push c "$scratch/c.json"
history ''
is "and the next point comes after them" "$(json 'length') $(json '.[-2].timestamp')" "8640 $(ago 0)"
done_testing
