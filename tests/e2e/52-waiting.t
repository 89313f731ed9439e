#!/bin/bash
# A database that does not answer, and a cluster that is locked, hold nobody up for long: neither the gate nor the
# pushes of other clusters.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
own_stack --set push_wait=60 # 52-overload.t is about who is refused before that
account Example
cluster 1 1 | gzip -n >"$scratch/c.json.gz"
push locked "$scratch/c.json.gz"
push free "$scratch/c.json.gz"
validate() {
    post /api/validate "{\"cluster_id\": \"$1\"}" -H "X-API-Key: $api_key"
}
# took COMMAND...: sets ms
took() {
    local start
    start=$(date +%s%N)
    "$@"
    ms=$((($(date +%s%N) - start) / 1000000))
}

# ---- the database is frozen: what each kind of request waits, on a connection that it has and on a new one
validate free
is "the gate answers" "$status" 200
get '/api/score-history?clusterId=free'
is "a read answers" "$status" 200
database=$(pids_of mariadbd)
kill -STOP "$database"
for what in "on an open connection" "on a new one"; do
    took validate free
    is "a frozen database, $what: the gate is told" "$status $(json .code)" "503 database_away"
    below "... within two seconds and a little, ms" "$ms" "$(patient 3000)"
    like "... and when to ask again" "$(header Retry-After)" '^[1-9]'
    took request GET /health
    is "/health, $what" "$status" 503
    below "... as soon, ms" "$ms" "$(patient 3000)"
    took push free "$scratch/c.json.gz"
    is "a push, $what" "$status" 503
    below "... within push_timeout, ms" "$ms" "$(patient 11000)"
    took get '/api/score-history?clusterId=free'
    is "a read, $what" "$status" 503
    below "... within read_timeout, ms" "$ms" "$(patient 11000)"
done
kill -CONT "$database"
again() {
    validate free && [ "$status" = 200 ]
}
ok "it goes on: the gate answers" within 10 again
push free "$scratch/c.json.gz"
is "... and pushes are taken" "$status" 200

# ---- a cluster's row is locked
lock="SELECT * FROM clusters WHERE name = 'locked' AND tenant_id = '$tenant' FOR UPDATE"
mariadb --defaults-file="$stack_dir/admin.cnf" -e "START TRANSACTION; $lock; DO SLEEP(30); ROLLBACK" >/dev/null &
holder=$!
is_locked() {
    [ "$(sql "SELECT COUNT(*) FROM information_schema.processlist WHERE info LIKE 'DO SLEEP%'")" = 1 ]
}
ok "a cluster is locked" within 5 is_locked
pids=()
for i in 1 2 3 4 5 6; do
    curl -sS -m 60 -o "$scratch/locked.$i" -D "$scratch/head.$i" -w '%{http_code} %{time_total}\n' "$base_url/ingest" -H "X-API-Key: $api_key" \
        -H 'X-Cluster-Id: locked' --data-binary "@$scratch/c.json.gz" >"$scratch/took.$i" &
    pids+=($!)
done
sleep 0.3
took push free "$scratch/c.json.gz"
is "many push to it: another cluster's push is taken" "$status" 200
below "... soon, ms" "$ms" "$(patient 3000)"
took validate locked
is "... the gate answers about it" "$status" 200
below "... soon, ms" "$ms" "$(patient 1500)"
wait "${pids[@]}"
is "those that push to it are told to come again" "$(cut -d' ' -f1 "$scratch"/took.? | sort -u)" 503
below "... the last after so many ms" "$(cut -d' ' -f2 "$scratch"/took.? | sort -n | tail -1 | awk '{ print int($1 * 1000) }')" "$(patient 10000)"
is "... with Retry-After" "$(grep -il '^Retry-After: [1-9]' "$scratch"/head.? | wc -l)" 6
is "... because it is busy" "$(cat "$scratch"/locked.? | jq -r .code | sort -u | xargs)" "cluster_busy database_busy"
sql "KILL $(sql "SELECT id FROM information_schema.processlist WHERE info LIKE 'DO SLEEP%'")" 2>/dev/null
wait $holder 2>/dev/null
took push locked "$scratch/c.json.gz"
is "afterwards it takes pushes again" "$status" 200

# ---- pushes that come at once wait for each other
before=$(sql "SELECT COUNT(*) FROM score_history")
pids=()
for i in {1..20}; do
    curl -sS -m 60 -o /dev/null -w '%{http_code}\n' "$base_url/ingest" -H "X-API-Key: $api_key" \
        -H 'X-Cluster-Id: locked' --data-binary "@$scratch/c.json.gz" >"$scratch/at-once.$i" &
    pids+=($!)
done
wait "${pids[@]}"
is "twenty pushes of a cluster at once are all taken" "$(sort -u "$scratch"/at-once.*)" 200
is "... and stored" "$(sql "SELECT COUNT(*) FROM score_history")" $((before + 20))
done_testing
