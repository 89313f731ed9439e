#!/bin/bash
# loadline-maintain killed at any moment, several of it at once, beside pushes, and with a database that
# dies; and the step from tables that were partitioned.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
own_stack --set signup_limit=0/600
export LOADLINE_CONF=$stack_dir/loadline.conf
maintain=$build/bin/loadline-maintain
cluster 2 1 >"$scratch/c.json"

asked() {
    sql "$1" | tr '\t' ' '
}

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
    "$maintain" >>"$scratch/killed" 2>&1 &
    victim=$!
    sleep 0.0$((RANDOM % 90 + 10))
    kill -9 $victim 2>/dev/null && kills=$((kills + 1))
    wait $victim 2>/dev/null
done
"$maintain" --hurry 2>"$scratch/after"
is "killed a dozen times, the next run does the rest" "$? $(kept)" "0 0 50000"
# ---- together
fill 30000
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
touch "$scratch/stop"
wait
is "no push was refused meanwhile" "$(sort "$scratch/pushes" | uniq -c | awk '{print $2}' | xargs)" 200
below "points of pushes that were answered and are missing" $(($(wc -l <"$scratch/pushes") - $(asked "SELECT COUNT(*) FROM score_history h JOIN clusters c USING (cluster) WHERE c.name = 'pushed'"))) 1

# ---- the database dies meanwhile
database_dies() {
    kill -9 "$(pids_of mariadbd)"
    wait $!
    ok "the database is back ($1)" within "$(patient 30)" sql "SELECT 1"
}
fill 30000
for n in 1 2 3; do
    "$maintain" >"$scratch/orphaned" 2>&1 &
    sleep 0.$((RANDOM % 4 + 1))
    database_dies "$n"
done
is "the tables are whole" "$(asked "CHECK TABLE ledgers, score_history, score_rollup, decisions" | grep -v ' OK$')" ""
within "$(patient 10)" "$maintain" --hurry
is "and the next run does the rest" "$? $(kept)" "0 0 30000"

# ---- tables of before were partitioned by day; the database dies while they become whole
partitioned() {
    echo "ALTER TABLE $1 PARTITION BY RANGE COLUMNS ($2) (PARTITION p_past VALUES LESS THAN ('$(date -ud '6 days ago' +%F)'),
        PARTITION p_week VALUES LESS THAN ('$(date -ud '5 days ago' +%F)'), PARTITION p_future VALUES LESS THAN (MAXVALUE));"
}
fill 60000
sql "$(partitioned score_history taken_at) $(partitioned ledgers taken_at) $(partitioned logs at) $(partitioned log_errors minute)
     UPDATE schema_migrations SET state = 'applying', applied_at = NULL WHERE name = '0023_whole_tables.sql'"
rows=$(sql "SELECT COUNT(*) FROM score_history")
partitions() {
    sql "SELECT COUNT(partition_name) FROM information_schema.partitions WHERE table_schema = 'loadline'"
}
is "tables as they were" "$(partitions)" 12
for n in 1 2 3; do
    scripts/migrate --defaults-file "$stack_dir/admin.cnf" >"$scratch/migrate" 2>&1 &
    sleep 0.$((RANDOM % 50 + 10))
    database_dies "migration $n"
done
ok "the migration comes to its end" scripts/migrate --defaults-file "$stack_dir/admin.cnf"
is "every row is there, and no table has parts" "$(sql "SELECT COUNT(*) FROM score_history") $(partitions)" "$rows 0"
done_testing
