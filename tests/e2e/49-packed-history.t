#!/bin/bash
# The score history packed by maintenance: every answer is to the byte what it was, also when maintenance is killed, and
# for points that come late.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
own_stack --set signup_limit=0/600
export LOADLINE_CONF=$stack_dir/loadline.conf
maintain=$build/bin/loadline-maintain
account Example
sql "UPDATE tenants SET plan = 'enterprise' WHERE tenant_id = '$tenant'"
cluster 2 2 >"$scratch/c.json"
push c "$scratch/c.json"
id=$(sql "SELECT cluster FROM clusters WHERE name = 'c'")
base=$((($(date +%s) / 3600 - 1) * 3600)) # an hour that is over and settled ends here
# ago SECONDS [MILLISECONDS]: a time so long before that
ago() {
    date -ud "@$((base - $1))" "+%Y-%m-%dT%H:%M:%S.$(printf %03d "${2:-0}")Z"
}
history() {
    get "/api/score-history?clusterId=c$1"
}
late() {
    push c "$scratch/c.json" -H "X-Snapshot-Time: $1"
}
# count: how many points are rows, and how many are packed
count() {
    sql "SELECT (SELECT COUNT(*) FROM score_history WHERE cluster = '$id'), (SELECT IFNULL(SUM(points), 0) FROM score_chunks WHERE cluster = '$id')" | tr '\t' ' '
}
# hours: where an hour does not say what its five-minute steps say
hours() {
    sql "SELECT h.hour_at FROM score_hours h JOIN (SELECT cluster, TIMESTAMPDIFF(HOUR, '1970-01-01', step_at) AS hour, SUM(points) AS points,
             MIN(score_min) AS low, SUM(score_sum) AS total, MAX(last_at) AS last, MIN(nodes_min) AS nodes, MIN(pods_min) AS pods, MAX(risks_max) AS risks
             FROM score_rollup GROUP BY cluster, hour) s
         ON s.cluster = h.cluster AND h.hour_at = '1970-01-01' + INTERVAL s.hour HOUR
         WHERE h.points <> s.points OR score_min <> low OR score_sum <> total OR last_at <> last OR nodes_min <> nodes OR pods_min <> pods OR risks_max <> risks
         UNION SELECT step_at FROM score_rollup r JOIN clusters c USING (cluster) WHERE step_at < packed_to AND NOT EXISTS
             (SELECT * FROM score_hours h WHERE h.cluster = r.cluster AND h.hour_at <= r.step_at AND h.hour_at > r.step_at - INTERVAL 1 HOUR)"
}


# ---- points of three days, 20 to 40 seconds apart, and some of a year ago, by two formulas; and pushes that came late
cluster 2 0 >"$scratch/down.json"
from_base="FROM_UNIXTIME($base) - INTERVAL"
sql "SET time_zone = '+00:00';
     INSERT INTO score_history (cluster, taken_at, tenant_id, score, score_exact, nodes, pods, risks, formula)
     SELECT '$id', $from_base (seq * 30000 + seq * 7919 % 10000) * 1000 MICROSECOND, '$tenant',
            (4000 + seq * 7919 % 5000) DIV 100, 4000 + seq * 7919 % 5000, 3 + seq DIV 100 % 5, 100 + seq % 31, seq % 90, 2 FROM seq_1_to_9000;
     INSERT INTO score_history (cluster, taken_at, tenant_id, score, score_exact, nodes, pods, risks, formula)
     SELECT '$id', $from_base 26000000 + seq * 100 SECOND, '$tenant', 70, 6950 + seq % 10, 3, 10, seq % 90, 1 FROM seq_1_to_300"
push c "$scratch/down.json" -H "X-Snapshot-Time: $(ago 200000)"
push c "$scratch/c.json" -H "X-Snapshot-Time: $(ago 100000)"
roll_up "$id"
total=9303

questions() {
    local range
    for range in '' '&format=csv' '&step=60' '&step=299' '&step=900' '&step=3600' '&step=7200&format=csv' '&step=604800' \
        "&from=$(ago 200000 1)&to=$(ago 100000 999)" "&to=$(ago 230000)" "&from=$(ago 150000)&to=$(ago 140000)&step=7" \
        "&from=$(ago 227777)&to=$(ago 23456)&step=3600" "&from=$(ago 7201)&to=$(ago 3599)&step=3600" \
        "&to=$(ago 25900000)" "&to=$(ago 26012345)&step=1000"; do
        echo "/api/score-history?clusterId=c$range"
    done
    for range in "at=$(ago 150000)" "at=$(ago 199999)" "at=$(ago 3700)" "since=$(ago 150000)"; do
        echo "/api/risks?clusterId=c&$range"
    done
}
# answers: of each question the sum of its answer
answers() {
    questions | while read -r question; do
        get "$question"
        echo "$status $question $(md5sum <"$scratch/body")"
    done
}
answers >"$scratch/before"
is "there is an answer to each question" "$(cut -c -4 "$scratch/before" | sort -u)" "200 "
is "nothing is packed" "$(count)" "$total 0"

# ---- packing, killed at any moment
same=0 whole=0
for n in 1 2 3 4 5 6; do
    "$maintain" >"$scratch/killed" 2>&1 &
    sleep 0.$((RANDOM % 15 + 5))
    kill -9 $! 2>/dev/null
    wait $! 2>/dev/null
    read -r rows packed <<<"$(count)"
    whole=$((whole + (rows + packed == total)))
    [ $((n % 3)) != 0 ] || ! answers | cmp -s - "$scratch/before" || same=$((same + 1))
done
is "killed, each point is there once" $whole 6
is "and the answers are what they were" $same 2
kill -9 "$(pids_of mariadbd)"
ok "the database comes back" within "$(patient 30)" sql "SELECT 1"
"$maintain" --hurry >"$scratch/1" 2>&1 &
"$maintain" --hurry >"$scratch/2" 2>&1 &
wait $! && wait
is "two at once pack the rest, all but the newest" "$(count)" "1 $((total - 1))"
is "the answers are what they were" "$(answers | diff - "$scratch/before")" ""
is "hours say what their steps say" "$(hours)" ""
below "bytes of a point, in hundredths" "$(sql "SELECT SUM(LENGTH(body)) * 100 DIV SUM(points) FROM score_chunks WHERE cluster = '$id'")" 900
"$maintain" --hurry >"$scratch/again" 2>&1
is "another run finds nothing to pack" "$? $(grep -c packed_ "$scratch/again")" "0 0"

# ---- points that come late, into an hour that is packed
push c "$scratch/c.json" -H "X-Snapshot-Time: $(ago 50000 123)"
is "one is taken" "$status" 200
score=$(json .csc_score)
is "and is a row" "$(count)" "2 $((total - 1))"
history "&from=$(ago 50000 123)&to=$(ago 50000 123)"
is "it is told" "$(json length) $(json '.[0].score')" "1 $score"
is "its hour has it" "$(hours)" ""
history "&from=$(ago 49999)&to=$(ago 49000)"
next=$(json '.[0].timestamp')
get "/api/risks?clusterId=c&at=$(ago 50000 123)"
its=$(json -c 'map(.id)')
get "/api/risks?clusterId=c&at=$next"
isnt "the next point, which is packed, has the risks of before" "$(json -c 'map(.id)')" "$its"

history "&from=$(ago 40000)&to=$(ago 39000)"
taken=$(json '[.[].timestamp | select(.[20:23] < "990")][3]')
for after in 1 2; do
    push c "$scratch/$([ $after = 1 ] && echo c || echo down).json" -H "X-Snapshot-Time: $taken"
    history "&from=$(ago 40000)&to=$(ago 39000)"
    is "one of the millisecond of a packed one lands right behind it ($after)" "$status $(json --arg t "$taken" "[.[].timestamp | select(. > \$t)][$((after - 1))]")" \
        "200 $(date -ud "$taken" +%Y-%m-%dT%H:%M:%S).$(printf %03d $((10#${taken:20:3} + after)))Z"
done
is "both are there" "$(count)" "4 $((total - 1))"
is "in their hour, too" "$(hours)" ""

# A program of before adds to the steps and knows of no hours.
sql "INSERT INTO score_history SELECT cluster, FROM_UNIXTIME($base - 60000), tenant_id, 1, 100, 1, 1, 99, 2 FROM clusters WHERE cluster = '$id';
     UPDATE score_rollup SET points = points + 1, score_min = 100, score_sum = score_sum + 100, nodes_min = 1, pods_min = 1, risks_max = 99,
         worst_at = FROM_UNIXTIME($base - 60000) WHERE cluster = '$id' AND FROM_UNIXTIME($base - 60000) BETWEEN step_at AND step_at + INTERVAL 299 SECOND"
isnt "what a program of before adds is not in the hour yet" "$(hours)" ""
answers | grep -v 'step=\(3600\|7200\|604800\)' >"$scratch/late"
"$maintain" --hurry >"$scratch/late.log" 2>&1
is "maintenance packs late points with the others" "$? $(count)" "0 1 $((total + 3))"
is "the hours are right again" "$(hours)" ""
is "and the answers what they were" "$(answers | grep -v 'step=\(3600\|7200\|604800\)' | diff - "$scratch/late")" ""

# ---- retention
echo 'history_days = 2' >>"$LOADLINE_CONF"
history "&from=$(ago 160000)&to=$(ago 0)"
md5sum <"$scratch/body" >"$scratch/kept"
"$maintain" --hurry >"$scratch/retention" 2>&1
is "chunks go when all of their points may" "$(sql "SELECT MIN(hour_at) BETWEEN NOW() - INTERVAL 49 * 60 + 6 MINUTE AND NOW() - INTERVAL 47 HOUR FROM score_chunks WHERE cluster = '$id'")" 1
history "&from=$(ago 160000)&to=$(ago 0)"
is "and no other point does" "$(md5sum <"$scratch/body")" "$(cat "$scratch/kept")"
is "hours stay as long as the plan says" "$(sql "SELECT MIN(hour_at) < NOW() - INTERVAL 299 DAY FROM score_hours WHERE cluster = '$id'")" 1

# ---- a chunk that cannot be read
history '&step=3600'
md5sum <"$scratch/body" >"$scratch/steps"
sql "UPDATE score_chunks SET body = 'x' WHERE cluster = '$id' AND hour_at = FROM_UNIXTIME($((base - 50400)))"
history "&from=$(ago 50400)&to=$(ago 46800)"
is "a chunk that cannot be read" "$status $(json .code)" "500 internal"
like "is logged with its hour" "$(cat "$(log_of history)")" "points=$(ago 50400) problem=\"they cannot be read\""
history '&step=3600'
is "hours are told all the same" "$(md5sum <"$scratch/body")" "$(cat "$scratch/steps")"
push c "$scratch/c.json" -H "X-Snapshot-Time: $(ago 49000)"
is "late points are taken" "$status" 200
push d "$scratch/c.json"
push d "$scratch/c.json" -H "X-Snapshot-Time: $(ago 49000)"
"$maintain" --hurry >"$scratch/broken" 2>&1
is "maintenance tells of it, and packs the others" "$? $(sql "SELECT SUM(points) FROM score_chunks JOIN clusters USING (cluster) WHERE name = 'd'")" "1 1"
done_testing
