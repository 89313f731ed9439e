#!/bin/bash
# loadline-maintain killed at any moment, several of it at once, beside pushes, beside whoever holds a
# table, and with a database that dies.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
own_stack --set signup_limit=0/600
same_day "$(patient 60)"
export LOADLINE_CONF=$stack_dir/loadline.conf
maintain=$build/bin/loadline-maintain
cluster 2 1 >"$scratch/c.json"

asked() {
    sql "$1" | tr '\t' ' '
}
# days: the partitions of ledgers
days() {
    asked "SELECT partition_name FROM information_schema.partitions
           WHERE table_schema = 'loadline' AND table_name = 'ledgers' ORDER BY partition_ordinal_position" | xargs
}
# What a killed maintain has begun the server brings to an end, under the lock of whoever changes tables. Only
# the server's own administrator sees other people's connections.
none_is_at_tables() {
    [ "$(mariadb --no-defaults --socket="$stack_dir/sock/mariadb.sock" --batch --skip-column-names \
        -e "SELECT COUNT(*) FROM information_schema.processlist WHERE user = 'loadline_maintain'")" = 0 ]
}
# neglect: its days are gone, as if maintenance had never run. First waits until no killed one is at the
# table: a split that comes after this would begin with a later day than today.
neglect() {
    local now
    within "$(patient 10)" none_is_at_tables
    now=$(days)
    [ "$now" = p_future ] || sql "ALTER TABLE ledgers REORGANIZE PARTITION ${now// /,} INTO (PARTITION p_future VALUES LESS THAN (MAXVALUE))"
}

"$maintain" 2>"$scratch/first"

# ---- killed, beside pushes
account Busy
push busy "$scratch/c.json"
busy=$(sql "SELECT cluster FROM clusters WHERE name = 'busy'")
# fill ROWS: so many points that are too old, and as many that are not
fill() {
    sql "DELETE FROM score_history WHERE cluster = '$busy';
         INSERT INTO score_history SELECT '$busy', NOW(3) - INTERVAL 8 DAY - INTERVAL seq SECOND, '$tenant', 50, 5000, 1, 1, 1, 2 FROM seq_1_to_$1;
         INSERT INTO score_history SELECT '$busy', NOW(3) - INTERVAL 5 DAY - INTERVAL seq SECOND, '$tenant', 50, 5000, 1, 1, 1, 2 FROM seq_1_to_$1"
}
# kept: how many are there that are too old, and that are not
kept() {
    asked "SELECT SUM(taken_at < NOW(3) - INTERVAL 7 DAY), SUM(taken_at >= NOW(3) - INTERVAL 7 DAY) FROM score_history WHERE cluster = '$busy'"
}
pusher() {
    while [ ! -e "$scratch/stop" ]; do
        curl -s -m 20 -o /dev/null -w '%{http_code}\n' -H "X-API-Key: $api_key" -H 'X-Cluster-Id: pushed' --data-binary "@$scratch/c.json" "$base_url/ingest" >>"$scratch/pushes"
    done
}
fill 50000
pusher &
kills=0
while [ $kills -lt 12 ]; do
    [ $((kills % 2)) -eq 1 ] || neglect
    "$maintain" >>"$scratch/killed" 2>&1 &
    victim=$!
    sleep 0.0$((RANDOM % 90 + 10))
    kill -9 $victim 2>/dev/null && kills=$((kills + 1))
    wait $victim 2>/dev/null
done
within "$(patient 10)" none_is_at_tables
"$maintain" --hurry 2>"$scratch/after"
is "killed a dozen times, the next run does the rest" "$? $(kept)" "0 0 50000"
is "partitions too" "$(days | wc -w)" 16
# ---- together
fill 30000
neglect
for n in 1 2 3; do
    "$maintain" --hurry >"$scratch/together-$n" 2>&1 &
    pids[n]=$!
done
statuses=
for n in 1 2 3; do
    wait "${pids[n]}"
    statuses+=$?
done
is "three at once" "$(kept)" "0 30000"
is "all of them end well" "$statuses" 000
is "nothing is split twice" "$(days | wc -w)" 16
touch "$scratch/stop"
wait
is "no push was refused meanwhile" "$(sort "$scratch/pushes" | uniq -c | awk '{print $2}' | xargs)" 200
below "points of pushes that were answered and are missing" $(($(wc -l <"$scratch/pushes") - $(asked "SELECT COUNT(*) FROM score_history h JOIN clusters c USING (cluster) WHERE c.name = 'pushed'"))) 1

# ---- somebody holds a table
neglect
(sql "START TRANSACTION; SELECT COUNT(*) FROM ledgers; SELECT SLEEP(4); COMMIT" >/dev/null) &
holder=$!
sleep 0.3
"$maintain" --hurry >"$scratch/waiting" 2>&1 &
waiting=$!
sleep 0.3
began=$(date +%s%N)
push busy "$scratch/c.json"
below "a push waits a second at most, ms" $((($(date +%s%N) - began) / 1000000)) "$(patient 2500)"
is "and is taken" "$status" 200
wait $holder
wait $waiting
is "the table is changed when it is free" "$(days | wc -w)" 16

# ---- the database dies meanwhile
fill 30000
for n in 1 2 3; do
    neglect
    "$maintain" >"$scratch/orphaned" 2>&1 &
    sleep 0.$((RANDOM % 4 + 1))
    kill -9 "$(pids_of mariadbd)"
    wait $!
    ok "the database is back ($n)" within "$(patient 30)" sql "SELECT 1"
done
is "the tables are whole" "$(asked "CHECK TABLE ledgers, score_history, score_rollup, decisions" | grep -v ' OK$')" ""
within "$(patient 10)" "$maintain" --hurry
is "and the next run does the rest" "$? $(kept) $(days | wc -w)" "0 0 30000 16"
done_testing
