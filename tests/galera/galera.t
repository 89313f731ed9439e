#!/bin/bash
# Three MariaDB nodes that replicate with Galera, two web hosts in front of them: nodes are killed, frozen and
# cut off while several clients push, two of them to one cluster through both hosts. LOADLINE_GALERA_SECONDS
# says how long (default 300). LOADLINE_GALERA_SEED repeats a run's order of events.
# shellcheck disable=SC2154 # outbox.sh and lib.sh set them
. "$(dirname "$0")/../e2e/lib.sh"
. tests/e2e/outbox.sh
. tests/galera/nodes.sh
PATH=$PATH:/usr/sbin
seconds=${LOADLINE_GALERA_SECONDS:-300} seed=${LOADLINE_GALERA_SEED:-$(date +%s)}
RANDOM=$((seed % 32768))
diag "LOADLINE_GALERA_SEED=$seed LOADLINE_GALERA_SECONDS=$seconds"

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
scripts/accounts "$scratch/east" | sed "s/@localhost/@'127.0.0.1'/" >"$scratch/accounts.sql"
node_sql 1 "$(cat "$scratch/accounts.sql")"

# ---- two web hosts
limits=(--set signup_limit=0/600 --set key_fail_limit=0/60 --set webhook_allow=127.0.0.0/8 --set webhook_allow_http=1)
own_stack --database "$scratch/east" --workers maintain=1 "${limits[@]}"
east=$base_url east_dir=$stack_dir
own_stack --database "$scratch/west" --workers maintain=1 "${limits[@]}"
west=$base_url
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
python3 tests/galera/load.py "$scratch/load" "$seconds" "$api_key" "$token" "$east" "$west" >"$scratch/load/said" 2>&1 &
load=$!

deeds=0
declare -A done_deeds=()
# Each leaves three synced nodes behind.
await_all() {
    local i
    for i in 1 2 3; do
        node_await "$i" || return 1
    done
}
deed() {
    local one=$((RANDOM % 3 + 1)) other
    other=$((one % 3 + 1))
    case $1 in
    worker) for victim in $(pids_of ingest.fcgi | shuf -n 2); do kill -9 "$victim"; done ;;
    kill) node_kill $one; sleep 3; node_again $one ;;
    stop) node_stop $one; sleep 2; node_again $one ;;
    whole) node_kill $one; rm -f "$nodes_dir/$one/data/grastate.dat"; sleep 1; node_again $one ;;
    freeze) kill -STOP "${node_pid[one]}"; sleep 8; kill -CONT "${node_pid[one]}"; await_all ;;
    isolate) node_isolate $one; sleep 8; node_rejoin $one; await_all ;;
    two) node_kill $one; node_kill $other; sleep 2; node_reunite ;;
    esac
}
end=$(($(date +%s) + seconds))
while [ "$(date +%s)" -lt $end ]; do
    for name in worker kill isolate worker freeze stop worker two whole; do
        [ "$(date +%s)" -lt $end ] || break
        sleep 0.$((RANDOM % 9 + 1))
        deed $name || diag "$name: not as it was afterwards"
        deeds=$((deeds + 1)) done_deeds[$name]=$((${done_deeds[$name]:-0} + 1))
    done
done
wait $load
diag "$(for name in "${!done_deeds[@]}"; do printf '%s: %d; ' "$name" "${done_deeds[$name]}"; done)"
diag "$(grep '^figures' "$scratch/load/said")"
empty "no promise was broken" "$(grep -v '^figures' "$scratch/load/said")"
await_all
diag "what the programs said of the database: $(cat "$scratch"/stack*/log/*.log | sed -n 's/.*database statement=\([^ ]*\).*code=\([0-9]*\) error=\(.*\)/\2 \1 \3/p' |
    sort | uniq -c | sort -rn | head -40)"

# ---- afterwards
sort -u "$scratch/load/acknowledged" >"$scratch/wanted"
diag "acknowledged pushes: $(wc -l <"$scratch/wanted")"
for i in 1 2 3; do
    node_ask $i "SELECT c.name, UNIX_TIMESTAMP(h.taken_at) DIV 1 FROM loadline.score_history h
        JOIN loadline.clusters c USING (cluster)" | tr '\t' ' ' | sort >"$scratch/stored"
    empty "node $i: every acknowledged push has its point" "$(comm -23 "$scratch/wanted" "$scratch/stored" | head -5)"
    empty "node $i: once" "$(uniq -d "$scratch/stored" | head -5)"
    is "node $i: summary, snapshot and newest point are of one push everywhere" "$(node_ask $i "USE loadline;
        SELECT c.name FROM clusters c
        LEFT JOIN snapshots s ON s.cluster = c.cluster AND s.taken_at = c.taken_at AND s.received_at = c.received_at
        LEFT JOIN briefs b ON b.cluster = c.cluster
        LEFT JOIN score_history h ON h.cluster = c.cluster AND h.taken_at = c.taken_at AND h.score = c.score
        WHERE s.cluster IS NULL OR h.cluster IS NULL OR b.cluster IS NULL
           OR c.risks <> (SELECT COUNT(*) FROM risks r WHERE r.cluster = c.cluster AND r.closed_at IS NULL)
           OR c.taken_at <> (SELECT MAX(taken_at) FROM score_history m WHERE m.cluster = c.cluster)")" ""
    is "node $i: the steps tell every point once" "$(node_ask $i "USE loadline;
        SELECT c.name FROM clusters c
        WHERE (SELECT COUNT(*) FROM score_history h WHERE h.cluster = c.cluster) <>
              (SELECT SUM(points) FROM score_rollup r WHERE r.cluster = c.cluster)
           OR c.newest_at <> (SELECT MAX(last_at) FROM score_rollup l WHERE l.cluster = c.cluster)
           OR NOT EXISTS (SELECT * FROM ledgers g WHERE g.cluster = c.cluster AND g.taken_at = c.ledger_base AND g.base_at IS NULL)")" ""
    is "node $i: the plan's count is that of the clusters" "$(node_ask $i "SELECT clusters FROM loadline.tenants WHERE tenant_id = '$tenant'")" 5
done
for table in clusters snapshots score_history score_rollup risks briefs ledgers decisions; do
    is "the nodes agree about $table" \
        "$(for i in 1 2 3; do node_ask $i "CHECKSUM TABLE loadline.$table EXTENDED" | cut -f2; done | sort -u | wc -l)" 1
done

# ---- alerts
all_sent() {
    [ "$(node_ask 1 "SELECT COUNT(*) FROM loadline.outbox WHERE state = 'queued'")" = 0 ]
}
ok "every alert is delivered in the end" within "$(patient 60)" all_sent
node_ask 1 "SELECT delivery_id FROM loadline.outbox WHERE state = 'sent'" | sort >"$scratch/sent"
received /ok/hook | jq -r '.headers["webhook-id"]' | sort >"$scratch/arrived"
received /ok/hook | jq -c '[.headers["webhook-id"], .body]' | sort -u | jq -r '.[0]' | uniq -d >"$scratch/differ"
diag "alerts sent: $(wc -l <"$scratch/sent"), arrived twice: $(uniq -d "$scratch/arrived" | wc -l)"
ok "there were alerts" [ -s "$scratch/sent" ]
empty "every alert has arrived" "$(uniq "$scratch/arrived" | comm -23 "$scratch/sent" - | head -5)"
empty "nothing has arrived that is not in the list" "$(uniq "$scratch/arrived" | comm -13 "$scratch/sent" - | head -5)"
empty "what came twice came with the same id and bytes" "$(cat "$scratch/differ")"

for host in "$east" "$west"; do
    is "$host is well again" "$(curl -s -o /dev/null -w '%{http_code}' "$host/health")" 200
done
done_testing
