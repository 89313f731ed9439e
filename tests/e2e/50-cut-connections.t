#!/bin/bash
# Connections to the database that are cut at random commands, while pipelines ask the gate and agents push: what was answered
# well is stored once, what was refused is not stored, unless the answer says that nobody knows. A gate that is killed, and a
# database that is away, change nothing about that.
# shellcheck disable=SC2119,SC2154 # cuts.sh sets some
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
. tests/e2e/promises.sh
own_stack --workers notify=0 --set log_limit=0/60
. tests/e2e/cuts.sh
seconds=${LOADLINE_TEST_SECONDS:-15}
account Example
cluster 2 1 >"$scratch/c.json"
push asked "$scratch/c.json"
is "there is a cluster" "$status" 200
sql "UPDATE loadline.tenants SET plan = 'self_hosted'"

# asked: for that time; what is answered goes into files of $scratch/asked
asked() {
    rm -rf "$scratch/asked"
    mkdir "$scratch/asked"
    python3 -B tests/e2e/asked.py "$scratch/asked" "$seconds" "$api_key" "$base_url"
}
# judge KIND: what is stored is in $scratch/stored, a name a line
judge() {
    local file=$scratch/asked/$1
    sort "$scratch/stored" >"$scratch/stored.$1"
    diag "$1: $(awk '{ print $(NF - 1), $NF }' "$file" | sort | uniq -c | sort -rn | xargs)"
    awk '$(NF - 1) == 200 { NF -= 2; print }' "$file" | sort >"$scratch/good.$1"
    awk '$(NF - 1) != 200 && $(NF - 1) != 0 && $NF != "commit_unknown" && $NF != "bad_gateway" { NF -= 2; print }' "$file" | sort >"$scratch/refused.$1"
    ok "$1: some were answered well" test -s "$scratch/good.$1"
    empty "$1: all of these are stored" "$(comm -23 "$scratch/good.$1" "$scratch/stored.$1" | head -5)"
    empty "$1: nothing twice" "$(uniq -d "$scratch/stored.$1" | head -5)"
    empty "$1: nothing that was refused" "$(comm -12 "$scratch/refused.$1" "$scratch/stored.$1" | head -5)"
}
judge_all() {
    sql "SELECT source FROM loadline.decisions WHERE source LIKE 'source-%'" >"$scratch/stored"
    judge gate
    is "gate: the trail has each decision, once" "$(sql "SELECT COUNT(*) FROM loadline.audit WHERE action = 'decision'")" \
        "$(sql "SELECT COUNT(*) FROM loadline.decisions")"
    is "gate: each has the risks of its moment" "$(sql "SELECT COUNT(*) FROM loadline.decisions d WHERE NOT EXISTS
        (SELECT * FROM loadline.decision_risks r WHERE r.tenant_id = d.tenant_id AND r.cluster = d.cluster AND r.risks_hash = d.risks_hash)")" 0
    sql "SELECT c.name, UNIX_TIMESTAMP(h.taken_at) DIV 1 FROM loadline.score_history h JOIN loadline.clusters c USING (cluster)
        WHERE c.name LIKE 'pushed-%'" | tr '\t' ' ' >"$scratch/stored"
    judge snapshots
    promises snapshots "$scratch/good.snapshots" sql
    sql "SELECT message FROM loadline.logs" >"$scratch/stored"
    judge logs
    is "logs: each error counts once" "$(sql "SELECT SUM(errors) FROM loadline.log_errors")" "$(sql "SELECT COUNT(*) FROM loadline.logs")"
    sql "SET FOREIGN_KEY_CHECKS = 0; USE loadline; DELETE FROM decisions; DELETE FROM audit; DELETE FROM logs; DELETE FROM log_errors"
    delete_pushed
}
# Times are those of before, and are pushed again.
delete_pushed() {
    local n
    for n in 0 1 2; do
        ask DELETE "/api/clusters?id=pushed-$n"
    done
}
works() {
    validate asked
    [ "$status" = 200 ]
}

sever_often 2
asked
sever_no_more
ok "connections were cut ($cuts, of $seen commands)" [ "$cuts" -gt 20 ]
within "$(patient 20)" works
judge_all

# ---- workers are killed
(
    while sleep 0.3; do
        for pid in $(pids_of validate.fcgi | shuf -n 1) $(pids_of ingest.fcgi | shuf -n 1); do kill -9 "$pid" 2>/dev/null; done
    done
) &
killer=$!
asked
kill "$killer"
wait "$killer" 2>/dev/null
within "$(patient 20)" works
judge_all

# ---- the database is away for some time, and its connections are killed by somebody
socket=$stack_dir/sock/mariadb.sock
(
    sleep 2
    for _ in 1 2 3 4 5 6 7 8; do
        mariadb --no-defaults --socket="$socket" -e 'KILL USER loadline@localhost'
        sleep 0.$((RANDOM % 9 + 1))
    done
    kill -9 "$(pids_of mariadbd)"
) &
killer=$!
asked
wait "$killer"
within "$(patient 30)" works
judge_all
done_testing
