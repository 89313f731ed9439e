#!/bin/bash
# shellcheck disable=SC2119 # options that are left out
# The power goes while pushes are stored: the database starts from what it had synced to its disk by then. A
# library that is preloaded into the server keeps that (synced.c). Every acknowledged push is there, whole.
. "$(dirname "$0")/lib.sh"
. tests/e2e/server.sh
. tests/e2e/promises.sh
synced=$(realpath "$build/tests/e2e/synced.so")
began=$(($(date +%s) - 7200)) pushers=3

echo "innodb-use-native-aio = 0" >"$scratch/aio.cnf"
server_configure "$scratch/aio.cnf"
server_start
server_accounts
own_stack --database "$scratch/cnf"
account "Power Loss"
jq -nc '{apiVersion: "v1", kind: "List", items: [range(40) |
    {apiVersion: "apps/v1", kind: "Deployment", metadata: {name: "web-\(.)", namespace: "shop"},
        spec: {replicas: 2, template: {spec: {containers: [{name: "web", image: "web:latest"}]}}},
        status: {replicas: 2, availableReplicas: (. % 3)}}]}' | gzip >"$scratch/snapshot.gz"

# pusher N: to a cluster of its own, each push with a time of its own.
pusher() {
    local at
    at=$(tail -1 "$scratch/acknowledged-$1" 2>/dev/null | cut -d' ' -f2)
    at=${at:-$began}
    while [ ! -e "$scratch/stop" ]; do
        at=$((at + 1))
        [ "$(curl -s -m 20 -o /dev/null -w '%{http_code}' -H "X-API-Key: $api_key" -H "X-Cluster-Id: power-$1" \
            -H 'Content-Type: application/json' -H 'Content-Encoding: gzip' \
            -H "X-Snapshot-Time: $(date -ud "@$at" +%Y-%m-%dT%H:%M:%SZ)" \
            --data-binary "@$scratch/snapshot.gz" "$base_url/ingest")" != 200 ] || echo "power-$1 $at" >>"$scratch/acknowledged-$1"
    done
}

pushed() {
    [ "$(cat "$scratch"/acknowledged-* 2>/dev/null | wc -l)" -ge "$1" ]
}

# lose_power AT_LEAST [NAME=VALUE]: after so many acknowledged pushes more, with that environment of the server; leaves
# the database running on what was synced, and the pushes that were acknowledged before in $scratch/wanted.
lose_power() {
    local n pids=() before
    before=$(cat "$scratch"/acknowledged-* 2>/dev/null | wc -l)
    server_stop
    rm -rf "$server_dir/copy" "$scratch/stop"
    cp -a "$server_dir/data" "$server_dir/copy"
    server_start LD_PRELOAD="$synced" SYNCED_FROM="$server_dir/data" SYNCED_TO="$server_dir/copy" "${@:2}"
    for n in $(seq $pushers); do pusher "$n" & pids+=($!); done
    within "$(patient 40)" pushed $((before + $1)) || diag "pushes: $(cat "$scratch"/acknowledged-* | wc -l)"
    sleep 0.$((RANDOM % 10))
    cat "$scratch"/acknowledged-* | sort -u >"$scratch/wanted"
    kill -STOP "$server_pid"
    cp -a "$server_dir/copy" "$server_dir/left"
    touch "$scratch/stop"
    server_kill
    wait "${pids[@]}"
    rm -rf "$server_dir/data"
    mv "$server_dir/left" "$server_dir/data"
    server_start
    # What was acknowledged after the moment counts for nothing: there was no power any more.
    for n in $(seq $pushers); do grep "^power-$n " "$scratch/wanted" >"$scratch/acknowledged-$n"; done
}

for round in 1 2; do
    lose_power 40
    ok "loss $round: pushes were under way" [ "$(wc -l <"$scratch/wanted")" -ge $((40 * round)) ]
    promises "loss $round" "$scratch/wanted" sql
done

# A disk that says that it has synced and has not loses them, so this test can fail. Some may have reached it all the same.
lose_power 40 SYNCED_LIES=1
sql "SELECT c.name, UNIX_TIMESTAMP(h.taken_at) DIV 1 FROM loadline.score_history h JOIN loadline.clusters c USING (cluster)" |
    tr '\t' ' ' | sort >"$scratch/stored"
ok "a disk that lies loses pushes" [ "$(comm -23 "$scratch/wanted" "$scratch/stored" | wc -l)" -ge 20 ]
done_testing
