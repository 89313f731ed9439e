#!/bin/bash
# Three MariaDB nodes that replicate with Galera, two web hosts in front of them: nodes are killed, frozen and
# cut off, workers, web servers and notifiers are killed, while several clients push, two of them to one cluster through
# both hosts. LOADLINE_GALERA_SECONDS says how long (default 300), LOADLINE_GALERA_KILLS how many kills it goes on for
# (default 300, in at most three times as long). LOADLINE_GALERA_SEED repeats a run's order of events.
# shellcheck disable=SC2154 # outbox.sh and lib.sh set them
. "$(dirname "$0")/../e2e/lib.sh"
. tests/e2e/outbox.sh
. tests/e2e/promises.sh
. tests/chaos/kills.sh
. tests/galera/nodes.sh
PATH=$PATH:/usr/sbin
seconds=${LOADLINE_GALERA_SECONDS:-300} seed=${LOADLINE_GALERA_SEED:-$(date +%s)}
kills=${LOADLINE_GALERA_KILLS:-300}
RANDOM=$((seed % 32768))
diag "LOADLINE_GALERA_SEED=$seed LOADLINE_GALERA_SECONDS=$seconds LOADLINE_GALERA_KILLS=$kills; load average $(cut -d' ' -f1-3 /proc/loadavg)"

if ! [ -e /usr/lib/galera/libgalera_smm.so ]; then
    echo "1..0 # SKIP galera-4 is not installed: apt-get install galera-4 rsync"
    exit 0
fi
trap 'kill "${receivers[@]}" 2>/dev/null; nodes_stop; clean_up' EXIT
nodes_start || { echo "Bail out! the nodes do not start"; exit 1; }
is "three nodes are one group" "$(node_sql 1 "SHOW STATUS LIKE 'wsrep_cluster_size'" | cut -f2)" 3

# ---- accounts, as scripts/accounts has them, for hosts that come over TCP
# option_files DIR NODE...: with the nodes in that order.
option_files() {
    local dir=$1 list='' i
    shift
    for i; do list+=${list:+,}127.0.0.1:${node_port[i]}; done
    mkdir -p "$dir"
    printf '[loadline]\nuser=loadline\npassword=one\nhost=%s\n[mariadb-client]\ndatabase=loadline\n' "$list" >"$dir/db.cnf"
    sed -i '/^\[mariadb-client/i database=loadline\ndefault-character-set=utf8mb4' "$dir/db.cnf"
    sed 's/user=loadline/user=loadline_maintain/; s/password=one/password=two/' "$dir/db.cnf" >"$dir/maintain.cnf"
    printf '[client]\nuser=loadline_admin\npassword=three\nprotocol=tcp\nhost=%s\ndefault-character-set=utf8mb4\n[mariadb-client]\ndatabase=loadline\n' "$list" >"$dir/admin.cnf"
}
option_files "$scratch/east" 1 2 3
option_files "$scratch/west" 2 3 1
scripts/accounts --host 127.0.0.1 "$scratch/east" >"$scratch/accounts.sql"
node_sql 1 "$(cat "$scratch/accounts.sql")"

# ---- two web hosts
limits=(--set signup_limit=0/600 --set key_fail_limit=0/60 --set webhook_allow=127.0.0.0/8 --set webhook_allow_http=1)
own_stack --database "$scratch/east" --workers maintain=1 "${limits[@]}"
east=$base_url east_dir=$stack_dir
own_stack --database "$scratch/west" --workers maintain=1 "${limits[@]}"
west=$base_url west_dir=$stack_dir
stack_dir=$east_dir base_url=$east
account "Galera Test"
LOADLINE_CONF=$stack_dir/loadline.conf "$build/bin/loadline-admin" plan "$tenant" professional >/dev/null
is "an account that was made on one host is known to the other" \
    "$(curl -s -o /dev/null -w '%{http_code}' "$west/api/clusters" -H "Authorization: Bearer $token")" 200

receiver plain
ask POST /api/notifications/channels "{\"type\":\"webhook\",\"name\":\"hook\",\"webhookUrl\":\"$plain/ok/hook\"}"
ask POST /api/notifications/rules '{"condition":"degraded_app"}'
is "alerts go to a receiver" "$status" 201

# ---- load, and what breaks
mkdir "$scratch/load"
python3 tests/e2e/load.py "$scratch/load" $((3 * seconds + 120)) "$api_key" "$east" "$west" >"$scratch/load/said" 2>&1 &
load=$!

declare -A done_deeds=()
# Each leaves three synced nodes behind.
await_all() {
    local i
    for i in 1 2 3; do
        node_await "$i" || return 1
    done
}
# host: one of the two web hosts is that of which processes are killed.
host() {
    stack_dir=$east_dir
    [ $((RANDOM % 2)) = 0 ] || stack_dir=$west_dir
}
deed() {
    local one=$((RANDOM % 3 + 1)) other
    other=$((one % 3 + 1))
    host
    case $1 in
    worker) kill_some ingest.fcgi 2 ;;
    server) kill_some lighttpd 1 ;;
    kill) node_kill $one; pause 3; node_again $one ;;
    stop) node_stop $one; pause 2; node_again $one ;;
    whole) node_kill $one; rm -f "$nodes_dir/$one/data/grastate.dat"; pause 1; node_again $one ;;
    freeze) kill -STOP "${node_pid[one]}"; pause 8; kill -CONT "${node_pid[one]}"; await_all ;;
    isolate) node_isolate $one; pause 8; node_rejoin $one; await_all ;;
    two) node_kill $one; node_kill $other; pause 2; node_reunite ;;
    esac
}
began_at=$(date +%s)
until enough "$seconds" "$kills" "$began_at"; do
    for name in worker kill isolate server freeze stop worker two whole; do
        ! enough "$seconds" "$kills" "$began_at" || break
        sleep 0.$((RANDOM % 9 + 1))
        deed $name || diag "$name: not as it was afterwards"
        done_deeds[$name]=$((${done_deeds[$name]:-0} + 1))
    done
done
stack_dir=$east_dir
kill $load
wait $load
diag "$(for name in "${!done_deeds[@]}"; do printf '%s: %d; ' "$name" "${done_deeds[$name]}"; done) killed: $killed in $(($(date +%s) - began_at)) s, load average $(cut -d' ' -f1-3 /proc/loadavg)"
ok "as much was killed as was asked for ($killed)" [ "$killed" -ge "$kills" ]
diag "$(grep '^figures' "$scratch/load/said")"
empty "no promise was broken" "$(grep -v '^figures' "$scratch/load/said")"
await_all
diag "what the programs said of the database: $(cat "$scratch"/stack*/log/*.log | sed -n 's/.*database statement=\([^ ]*\).*code=\([0-9]*\) error=\(.*\)/\2 \1 \3/p' |
    sort | uniq -c | sort -rn | head -40)"

# ---- afterwards
sort -u "$scratch/load/acknowledged" >"$scratch/wanted"
diag "acknowledged pushes: $(wc -l <"$scratch/wanted")"
for i in 1 2 3; do
    promises "node $i" "$scratch/wanted" node_ask $i
done
for table in clusters snapshots snapshot_bases snapshot_additions score_history score_rollup score_chunks score_hours risks briefs ledgers decisions; do
    is "the nodes agree about $table" \
        "$(for i in 1 2 3; do node_ask $i "CHECKSUM TABLE loadline.$table EXTENDED" | cut -f2; done | sort -u | wc -l)" 1
done

# ---- alerts
all_sent() {
    [ "$(node_ask 1 "SELECT COUNT(*) FROM loadline.outbox WHERE state = 'queued'")" = 0 ]
}
ok "every alert is delivered in the end" within "$(patient 60)" all_sent
promises_of_alerts node_ask 1

for host in "$east" "$west"; do
    is "$host is well again" "$(curl -s -o /dev/null -w '%{http_code}' "$host/health")" 200
done
done_testing
