#!/bin/bash
# sql/schema.sql is what the migrations make of an empty database.
. "$(dirname "$0")/lib.sh"
own_stack
scripts/gen-schema --defaults-file "$stack_dir/admin.cnf" >"$scratch/schema.sql"
ok "tables were found" [ "$(grep -c '^CREATE TABLE' "$scratch/schema.sql")" -gt 20 ]
empty "sql/schema.sql is made by scripts/gen-schema" "$(diff sql/schema.sql "$scratch/schema.sql" 2>&1)"
# A server that is killed while it changes the partitions of a table may lose the table.
empty "no table is partitioned" "$(grep -n 'PARTITION' "$scratch/schema.sql")"
mariadb --defaults-file="$stack_dir/admin.cnf" -e "ALTER TABLE briefs ADD COLUMN more INT"
ok "a column that no migration adds is found" \
    [ "$(scripts/gen-schema --defaults-file "$stack_dir/admin.cnf" | diff sql/schema.sql - | grep -c '^>')" = 1 ]
sed 's|^socket=.*|socket=/nowhere|' "$stack_dir/admin.cnf" >"$scratch/away.cnf"
said=$(scripts/gen-schema --defaults-file "$scratch/away.cnf" 2>&1)
like "a database that is away is none without tables" "$? $said" '^1 ERROR 2002'
done_testing
