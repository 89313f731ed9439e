#!/bin/bash
# shellcheck disable=SC2119 # options that are left out
# A database that keeps a binary log, reached over TCP: a backup, what came after it, a table that somebody drops, and
# back to the second before.
. "$(dirname "$0")/lib.sh"
. tests/e2e/server.sh

# As docs/operations.md has it.
sed -n '/^    \[mariadbd\]$/,/^    END$/{/END/d; s/^    //p}' docs/operations.md | sed "s|/var/lib/mysql|$server_dir/data|" >"$scratch/binlog.cnf"
server_configure "$scratch/binlog.cnf"
server_start
is "the server keeps a binary log" "$(root_sql -e 'SELECT @@log_bin, @@binlog_format, @@sync_binlog')" $'1\tROW\t1'

server_accounts --host 10.255.255.1
like "an address that is none" "$(scripts/accounts --host "x'; DROP" "$scratch/cnf" 2>&1)" '^accounts: --host x.; DROP is no address'
is "accounts are of the addresses that were named" "$(root_sql -e "SELECT DISTINCT host FROM mysql.user WHERE user LIKE 'loadline%' ORDER BY 1" | xargs)" \
    "10.255.255.1 127.0.0.1"

own_stack --database "$scratch/cnf"
account "Point in Time"
snapshot() {
    jq -nc --argjson n "$1" '{apiVersion: "v1", kind: "List", items: [range($n) |
        {apiVersion: "apps/v1", kind: "Deployment", metadata: {name: "web-\(.)", namespace: "shop"},
            spec: {replicas: 1, template: {spec: {containers: [{name: "web", image: "web:1"}]}}}}]}' >"$scratch/s.json"
}
snapshot 3
push before "$scratch/s.json"
is "a push before the backup" "$status" 200
ok "a backup" scripts/backup --defaults-file "$scratch/cnf/admin.cnf" "$scratch/backup.gz"
snapshot 5
push before "$scratch/s.json"
push between "$scratch/s.json"
is "pushes after it" "$status" 200
get "/api/risks?clusterId=before"
risks=$(json -S '[.[] | del(.since?)]' | sha256sum)
sleep 1.1
stop_at=$(date -u '+%F %T')
sleep 1.1
push too-late "$scratch/s.json"
is "and one that is not wanted back" "$status" 200
sql "SET FOREIGN_KEY_CHECKS = 0; DROP TABLE loadline.risks"

scripts/down --dir "$stack_dir"
sql "DROP DATABASE loadline; CREATE DATABASE loadline CHARACTER SET utf8mb4"
said=$(scripts/restore --send-waiting --defaults-file "$scratch/cnf/admin.cnf" "$scratch/backup.gz" 2>&1)
like "the way back tells where the log goes on" "$said" 'binary log goes on from there: file loadline-bin\.[0-9]+, position [0-9]+'
place=$(sed -n 's/.*: file \(.*\), position \([0-9]*\)$/\1 \2/p' <<<"$said")
files=$(cd "$server_dir/data" && printf '%s\n' loadline-bin.[0-9]* | sed -n "/^${place% *}\$/,\$p" | sed "s|^|$server_dir/data/|")
# shellcheck disable=SC2086 # a list
TZ=UTC mariadb-binlog --no-defaults --database=loadline --start-position="${place#* }" --stop-datetime="$stop_at" $files 2>"$scratch/replay.err" | root_sql 2>>"$scratch/replay.err"
is "the log is replayed" "$? $(cat "$scratch/replay.err")" "0 "

scripts/up --dir "$stack_dir" --port "$stack_port" --build "$build" --workers maintain=0 --database "$scratch/cnf" >"$scratch/up" 2>&1
is "Loadline takes the database" "$(cat "$scratch/up")" "base_url=$base_url"
get /api/clusters
is "what was pushed until that second is there, and nothing later" "$status $(json '[(.clusters? // .)[] | .id // .clusterId // .name] | sort | join(" ")')" "200 before between"
get "/api/risks?clusterId=before"
is "with its risks" "$(json -S '[.[] | del(.since?)]' | sha256sum)" "$risks"
get "/api/score-history?clusterId=before"
is "and its history" "$(json length)" 2
push before "$scratch/s.json"
is "the next push is taken" "$status" 200
done_testing
