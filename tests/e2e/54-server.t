#!/bin/bash
# What the programs ask of the database server: that it has this version's schema, and that what it has committed is
# on disk.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
own_stack --set metrics_token=0123456789abcdef
account Example
cluster 1 1 | gzip -n >"$scratch/c.json.gz"
push c "$scratch/c.json.gz"
is "a push" "$status" 200
reconnect() {
    mariadb --no-defaults --socket="$stack_dir/sock/mariadb.sock" -e "$1; KILL USER loadline@localhost"
}
root() {
    mariadb --no-defaults --socket="$stack_dir/sock/mariadb.sock" -e "$1"
}

# ---- the schema
newest=$(sql "SELECT MAX(number) FROM schema_migrations")
reconnect "UPDATE loadline.schema_migrations SET state = 'applying' WHERE number = $newest"
push c "$scratch/c.json.gz"
refused "a database that lacks the newest migration: a push" 503 schema_old
like "... may be sent again later" "$(header Retry-After)" '^[1-9]'
validate c
refused "... the gate" 503 schema_old
request GET /health
refused "... /health" 503 schema_old
ok "... and the log says what to do" grep -q "schema=$((newest - 1)) needed=$newest .*run loadline-migrate" "$(log_of ingest)"
LOADLINE_CONF=$stack_dir/loadline.conf "$build/bin/loadline-maintain" >"$scratch/out" 2>&1
isnt "... maintenance refuses" "$?" 0
like "... with a sentence" "$(cat "$scratch/out")" "the database has an older schema than this version needs: run loadline-migrate"
reconnect "UPDATE loadline.schema_migrations SET state = 'applied' WHERE number = $newest"
push c "$scratch/c.json.gz"
is "once it is migrated everything goes on, without a restart" "$status" 200
reconnect "INSERT INTO loadline.schema_migrations SELECT number + 1, 'later.sql', sha256, state, started_at, applied_at
    FROM loadline.schema_migrations WHERE number = $newest"
push c "$scratch/c.json.gz"
is "a newer schema is no obstacle: migrations only add" "$status" 200
reconnect "DELETE FROM loadline.schema_migrations WHERE number > $newest; RENAME TABLE loadline.schema_migrations TO loadline.hidden"
push c "$scratch/c.json.gz"
refused "a database that was never migrated" 503 schema_old
reconnect "RENAME TABLE loadline.hidden TO loadline.schema_migrations"

# Tables that go while connections are open: somebody restores, or has dropped them.
push c "$scratch/c.json.gz"
validate c
request GET /health
root "RENAME TABLE loadline.schema_migrations TO loadline.hidden,
    loadline.clusters TO loadline.hidden_clusters"
request GET /health
refused "tables that are gone: /health, of a connection from before" 503 schema_old
push c "$scratch/c.json.gz"
refused "... a push" 503 schema_old
validate c
refused "... the gate" 503 schema_old
validate c
refused "... and once more" 503 schema_old
root "RENAME TABLE loadline.hidden TO loadline.schema_migrations, loadline.hidden_clusters TO loadline.clusters"
request GET /health
is "when they are back /health is well" "$status" 200
push c "$scratch/c.json.gz"
is "... and a push is taken" "$status" 200

# ---- durability
durable() {
    request GET /health
    echo "$status $(json .durable) $(curl -s "$base_url/metrics" -H 'Authorization: Bearer 0123456789abcdef' | sed -n 's/^loadline_database_durable //p')"
}
is "a commit is on disk when it is answered" "$(durable)" "200 true 1"
root "SET GLOBAL innodb_flush_log_at_trx_commit = 2"
is "it is not: /health and /metrics say so" "$(durable)" "200 false 0"
ok "... and the log" grep -q 'innodb_flush_log_at_trx_commit=2 .*answered push may be lost' "$(log_of status)"
reconnect "DO 0"
push c "$scratch/c.json.gz"
is "pushes are taken" "$status" 200
ok "... by a program that has said so as well" grep -q 'innodb_flush_log_at_trx_commit=2 .*answered push may be lost' "$(log_of ingest)"
root "SET GLOBAL innodb_flush_log_at_trx_commit = 1"
is "it is again" "$(durable)" "200 true 1"
done_testing
