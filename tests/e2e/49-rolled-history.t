#!/bin/bash
# Five-minute steps of a history: one is added up when the next one begins, by maintenance when none does, and a point that
# comes late is added to its own. Whatever the order in which points come, steps tell what the points tell.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
own_stack --workers maintain=0 --set signup_limit=0/600
export LOADLINE_CONF=$stack_dir/loadline.conf
account Example
cluster 3 3 >"$scratch/up.json"
cluster 3 1 >"$scratch/down.json"
cluster 5 4 >"$scratch/more.json"
files=(up down more)

base=$((($(date +%s) / 3600 - 30) * 3600))
at() {
    date -ud "@$((base + $1))" +%Y-%m-%dT%H:%M:%SZ
}
# see NAME SECONDS [FILE]: a push of a time so many seconds after the base
see() {
    push "$1" "$scratch/${3-${files[$(($2 / 7 % 3))]}}.json" -H "X-Snapshot-Time: $(at "$2")"
}
# rows NAME: when the steps begin that are rows, in seconds after the base, with their points
rows() {
    sql "SET time_zone = '+00:00'; SELECT UNIX_TIMESTAMP(step_at) DIV 1 - $base, points FROM score_rollup JOIN clusters USING (cluster)
         WHERE name = '$1' ORDER BY step_at" | tr '\t' ' '
}
rolled() {
    sql "SET time_zone = '+00:00'; SELECT IFNULL(UNIX_TIMESTAMP(rolled_to) DIV 1 - $base, '-') FROM clusters WHERE name = '$1'"
}
# What the API tells of points, in steps of so many seconds, and what it tells as such steps.
of_points() {
    get "/api/score-history?clusterId=$1"
    json -c --argjson step "$2" 'map(. + {at: (.timestamp[0:19] + "Z" | fromdate)}) | group_by(.at / $step | floor)
        | map([(.[0].at / $step | floor * $step), length, (map(.score) | min), .[-1].score, (map(.nodes) | min), (map(.pods) | min), (map(.risks) | max)])[]'
}
of_steps() {
    get "/api/score-history?clusterId=$1&step=$2"
    json -c 'map([(.timestamp[0:19] + "Z" | fromdate), .points, .score, .last, .nodes, .pods, .risks])[]'
}
# told NAME WHAT: for several steps the same
told() {
    local step
    for step in 60 300 900 3600 7200; do
        of_points "$1" "$step" >"$scratch/points"
        of_steps "$1" "$step" >"$scratch/steps"
        empty "$2: steps of $step s" "$(diff "$scratch/points" "$scratch/steps" | head -5)"
    done
}

# ---- in order
for second in 10 70 299; do see one "$second"; done
is "the step that is not over is no row" "$(rows one) | $(rolled one)" " | 0"
told one "within the first step"
see one 300
is "the next one makes it one" "$(rows one) | $(rolled one)" "0 3 | 300"
told one "in the second step"
see one 1203
is "what lies between has no row" "$(rows one | tr '\n' '|') $(rolled one)" "0 3|300 1| 1200"
see one 1000
see one 150
is "late ones are added to their step" "$(rows one | tr '\n' '|') $(rolled one)" "0 4|300 1|900 1| 1200"
told one "with late ones"
see one 1230
see one 1210
is "the open step takes them in any order" "$(rows one | tr '\n' '|') $(rolled one)" "0 4|300 1|900 1| 1200"

# ---- none comes any more
"$build/bin/loadline-maintain" >"$scratch/maintain.log" 2>&1
is "maintenance makes a row of the last step" "$? $(rows one | tail -1)" "0 1200 3"
is "and packs its points" "$(sql "SELECT COUNT(*) FROM score_history JOIN clusters USING (cluster) WHERE name = 'one'")" 0
told one "packed"
see one 1250
see one 9000
told one "after that"

# ---- programs of before: every point is in the rows, and rolled_to is NULL
for second in 10 310 320; do see old "$second"; done
sql "UPDATE clusters SET rolled_to = NULL WHERE name = 'old'"
roll_up "$(sql "SELECT cluster FROM clusters WHERE name = 'old'")"
is "as they leave it" "$(rows old | tr '\n' '|') $(rolled old)" "0 1|300 2| -"
told old "of before"
see old 340
is "the step that they have begun stays theirs" "$(rows old | tr '\n' '|') $(rolled old)" "0 1|300 3| -"
see old 605
is "the next one is open" "$(rows old | tr '\n' '|') $(rolled old)" "0 1|300 3| 600"
told old "of both"
sql "UPDATE clusters SET rolled_to = NULL, packed_to = FROM_UNIXTIME($base + 7200) WHERE name = 'old'"
roll_up "$(sql "SELECT cluster FROM clusters WHERE name = 'old'")"
see old 4000
is "before what is packed no step is open" "$(rolled old)" "-"

# ---- the scores of the fleet
begin=$(($(date +%s) / 300 * 300 - 3600))
push fleet "$scratch/down.json" -H "X-Snapshot-Time: $(date -ud "@$begin" +%Y-%m-%dT%H:%M:%SZ)"
lowest=$(json .csc_score)
push fleet "$scratch/up.json" -H "X-Snapshot-Time: $(date -ud "@$((begin + 1))" +%Y-%m-%dT%H:%M:%SZ)"
get '/api/clusters?include=history'
is "an open step is among the scores" "$(json '.[] | select(.name == "fleet") | .history | map(numbers) | unique | length')" 1
is "by its lowest" "$(json '.[] | select(.name == "fleet") | .history | map(numbers)[0]')" "$lowest"

# ---- in any order, and maintenance now and then
RANDOM=7
for round in 1 2 3; do
    for _ in {1..25}; do see any $((RANDOM % 5000 + round * 1500)); done
    [ "$round" != 2 ] || "$build/bin/loadline-maintain" >>"$scratch/maintain.log" 2>&1
    told any "in any order, $round"
done
is "each point is told once" "$(sql "SELECT COUNT(*) FROM clusters c WHERE name IN ('one', 'any') AND
    (SELECT SUM(points) FROM $told_points t WHERE t.cluster = c.cluster) <>
    (SELECT COUNT(*) FROM score_history h WHERE h.cluster = c.cluster) + (SELECT IFNULL(SUM(points), 0) FROM score_chunks k WHERE k.cluster = c.cluster)")" 0
done_testing
