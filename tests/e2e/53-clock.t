#!/bin/bash
# A clock that jumped ahead and back: what was taken in that future is not believed, neither before nor once its time
# has come, and does not keep the next snapshots from being the latest.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
own_stack --set metrics_token=0123456789abcdef
account Example
cluster 3 3 | gzip -n >"$scratch/good.json.gz"
cluster 3 0 | gzip -n >"$scratch/bad.json.gz"

# shifted SECONDS [CLUSTER]: as if a clock that was ahead by that had stored all that the cluster has
shifted() {
    local id
    id=$(sql "SELECT cluster FROM clusters WHERE name = '${2-c}' AND tenant_id = '$tenant'")
    sql "SET @s = $1;
         UPDATE clusters SET received_at = received_at + INTERVAL @s SECOND, taken_at = taken_at + INTERVAL @s SECOND,
             newest_at = newest_at + INTERVAL @s SECOND, ledger_base = ledger_base + INTERVAL @s SECOND WHERE cluster = '$id';
         UPDATE snapshots SET received_at = received_at + INTERVAL @s SECOND, taken_at = taken_at + INTERVAL @s SECOND WHERE cluster = '$id';
         UPDATE ledgers SET taken_at = taken_at + INTERVAL @s SECOND WHERE cluster = '$id' ORDER BY taken_at DESC;
         UPDATE score_history SET taken_at = taken_at + INTERVAL @s SECOND WHERE cluster = '$id' ORDER BY taken_at DESC"
    roll_up "$id"
}
age() {
    curl -s "$base_url/metrics" -H 'Authorization: Bearer 0123456789abcdef' | sed -n "s/^loadline_cluster_snapshot_age_seconds{.*cluster=\"$1\"} //p"
}
listed() {
    get /api/clusters
    json ".[] | select(.id == \"$1\") | \"\\(.decision) \\(.status)\""
}

floor() {
    header "$1" | cut -d. -f1
}

# ---- nobody pushes any more
push c "$scratch/good.json.gz"
validate c
is "a snapshot of now" "$status $(json .decision)" "200 SAFE"
shifted 7200
is "two hours ahead: the list does not believe it" "$(listed c)" "BLOCK disconnected"
ok "... its age is not negative" [ "$(age c | cut -d. -f1)" -ge 1800 ]
validate c
is "... nor does the gate" "$(json .decision) $(json '.risks | map(.check) | index("snapshot-stale") != null')" "BLOCK true"
ok "... and its age is not negative" [ "$(json .snapshot_age_seconds)" -ge 1800 ]
# Its time has come: the clocks of both are two hours later.
sql "UPDATE clusters SET taken_at = taken_at - INTERVAL 2 HOUR, received_at = received_at - INTERVAL 2 HOUR WHERE name = 'c'"
validate c
is "once its time has come it is not new" "$(json .decision)" BLOCK
push c "$scratch/good.json.gz"
validate c
is "the next push is believed" "$status $(json .decision) $(json '.snapshot_age_seconds < 10')" "200 SAFE true"

# ---- maintenance looks, too
push m "$scratch/good.json.gz"
shifted 7200 m
LOADLINE_CONF=$stack_dir/loadline.conf "$build/bin/loadline-maintain" --hurry >/dev/null 2>&1
is "maintenance marks what is ahead" "$(sql "SELECT taken_at < UTC_TIMESTAMP(3) - INTERVAL 30 MINUTE, received_at <= UTC_TIMESTAMP(3) FROM clusters WHERE name = 'm'")" "1	1"

# ---- a clock that is a little ahead is none that is wrong
push a "$scratch/good.json.gz"
shifted 200 a
validate a
is "200 seconds ahead is now" "$(json .decision) $(json .snapshot_age_seconds)" "SAFE 0"

# ---- pushes go on
account Example
push c "$scratch/good.json.gz"
shifted 7200
push c "$scratch/bad.json.gz"
bad=$(json .csc_score)
get '/api/risks?clusterId=c'
is "the next snapshot is the latest" "$(floor X-Score-Exact)" "$bad"
is "... for the gate, too" "$(validate c; json .csc_score)" "$bad"
is "... and for the history" "$(sql "SELECT newest_at <= UTC_TIMESTAMP(3), newest_at = taken_at FROM clusters WHERE name = 'c' AND tenant_id = '$tenant'")" "1	1"
is "what was taken in that future is kept" "$(sql "SELECT COUNT(*) FROM score_history h JOIN clusters c USING (cluster) WHERE name = 'c' AND c.tenant_id = '$tenant'")" 2
# Four minutes before that future: in the last five minutes it used to be believed again.
id=$(sql "SELECT cluster FROM clusters WHERE name = 'c' AND tenant_id = '$tenant'")
ghost=$(sql "SELECT MAX(taken_at) FROM score_history WHERE cluster = '$id'")
sql "SET @s = TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(3) + INTERVAL 4 MINUTE, '$ghost');
     UPDATE score_history SET taken_at = taken_at - INTERVAL @s MICROSECOND WHERE cluster = '$id' AND taken_at = '$ghost';
     UPDATE ledgers SET taken_at = taken_at - INTERVAL @s MICROSECOND WHERE cluster = '$id' AND taken_at = '$ghost'"
push c "$scratch/good.json.gz"
good=$(json .csc_score)
is "shortly before its time the next one is the latest, too" "$(validate c; json .csc_score)" "$good"
for _ in 1 2 3; do push c "$scratch/bad.json.gz"; done
get '/api/risks?clusterId=c'
is "... and so on" "$(floor X-Score-Exact)" "$bad"
get "/api/risks?clusterId=c&at=$(date -u +%FT%T.%3NZ)"
is "... whatever moment is asked for" "$status $(floor X-Score-Exact)" "200 $bad"
done_testing
