#!/bin/bash
# scripts/migrate: once each, in order, again after a crash, never an edited file.
. "$(dirname "$0")/lib.sh"
own_stack
admin=$stack_dir/admin.cnf
mariadb --defaults-file="$admin" -e 'DROP TABLE IF EXISTS schema_migrations'
sql_dir=$scratch/sql
mkdir "$sql_dir"

sql() {
    mariadb --defaults-file="$admin" --batch --skip-column-names -e "$1"
}
migrate() {
    said=$(scripts/migrate --defaults-file "$admin" --dir "$sql_dir" 2>&1) && status=0 || status=$?
}

echo 'CREATE TABLE IF NOT EXISTS m_one (n INT PRIMARY KEY);' >"$sql_dir/0001_one.sql"
echo 'INSERT IGNORE INTO m_one VALUES (1);' >"$sql_dir/0002_two.sql"
migrate
is "both are applied" "$status $said" "0 migrate: applied 0001_one.sql
migrate: applied 0002_two.sql"
migrate
is "and not again" "$status $said" "0 "
is "number, name and sum are recorded" "$(sql 'SELECT number, name, sha256, state FROM schema_migrations WHERE number = 2')" \
    "2	0002_two.sql	$(sha256sum <"$sql_dir/0002_two.sql" | cut -d' ' -f1)	applied"

cp "$sql_dir/0001_one.sql" "$scratch/kept"
echo '-- an afterthought' >>"$sql_dir/0001_one.sql"
migrate
is "an edited file is refused" "$status" 1
like "by its name" "$said" '0001_one.sql is not what was applied'
cp "$scratch/kept" "$sql_dir/0001_one.sql"

mv "$sql_dir/0002_two.sql" "$sql_dir/0003_two.sql"
migrate
is "a gap is refused" "$status" 1
like "and explained" "$said" 'the next number is 0002'
rm "$sql_dir/0003_two.sql"
migrate
is "a database newer than the files is refused" "$status" 1
like "and explained too" "$said" 'is at migration 2, newer than these files'
echo 'INSERT IGNORE INTO m_one VALUES (1);' >"$sql_dir/0002_two.sql"

cat >"$sql_dir/0003_wrong.sql" <<'END'
CREATE TABLE IF NOT EXISTS m_three (n INT);
CREATE TABLE IF NOT EXISTS m_wrong (oops);
CREATE TABLE IF NOT EXISTS m_after (n INT);
END
migrate
is "a statement that fails stops it" "$status" 1
like "with file and reason" "$said" '0003_wrong\.sql: .*ERROR 1064.*line 2'
is "what stands behind it has not run" "$(sql "SHOW TABLES LIKE 'm_after'")" ""
is "the file counts as half applied" "$(sql 'SELECT state FROM schema_migrations WHERE number = 3')" applying
cp "$sql_dir/0003_wrong.sql" "$scratch/kept"
printf 'SELECT 1,\n%s 2 FROM m_nothing;\n' "$(printf '    %d,\n' {1..40})" >"$sql_dir/0003_wrong.sql"
migrate
like "the reason also behind a long statement, and not the statement" "$said" "^migrate: 0003_wrong\.sql: ERROR 1146 [^,]*m_nothing' doesn't exist\$"
cp "$scratch/kept" "$sql_dir/0003_wrong.sql"
root_sql() {
    mariadb --no-defaults --socket="$stack_dir/sock/mariadb.sock" --user="$(id -un)" -e "$1"
}
root_sql 'SET GLOBAL read_only = 1'
migrate
like "and of a server that takes no writes" "$status $said" '^1 migrate: ERROR 1290 .*--read-only option'
root_sql 'SET GLOBAL read_only = 0'
sed -i 's/oops/n INT/' "$sql_dir/0003_wrong.sql"
migrate
is "mended, it is run again from its start" "$status $said" "0 migrate: applied 0003_wrong.sql"

# Killed half-way: the script with its client, then the server itself.
half_way() {
    [ "$(sql "SELECT COUNT(*) FROM m_slow$1")" = 1 ]
}
start_slow() {
    cat >"$sql_dir/000$1_slow.sql" <<-END
		CREATE TABLE IF NOT EXISTS m_slow$1 (n INT PRIMARY KEY);
		INSERT IGNORE INTO m_slow$1 VALUES (1);
		DO SLEEP($2);
		INSERT IGNORE INTO m_slow$1 VALUES (2);
	END
    setsid scripts/migrate --defaults-file "$admin" --dir "$sql_dir" >"$scratch/slow.out" 2>&1 &
    victim=$!
    ok "migration $1 is half-way" within "$(patient 5)" half_way "$1"
}
start_slow 4 2
kill -9 -- -$victim
is "killed, it is recorded as half applied" "$(sql 'SELECT state FROM schema_migrations WHERE number = 4')" applying
migrate
is "the next run finishes it" "$status $said" "0 migrate: applied 0004_slow.sql"
is "with all of its rows, once" "$(sql 'SELECT COUNT(*) FROM m_slow4')" 2

start_slow 5 2
kill -9 "$(pids_of mariadbd)"
wait $victim
is "it fails when the server dies" "$?" 1
like "and says why" "$(cat "$scratch/slow.out")" 'ERROR 20(06|13)|server has gone away|Lost connection'
ok "the server is back" within "$(patient 10)" sql 'SELECT 1'
migrate
is "and the next run finishes this one too" "$status $said" "0 migrate: applied 0005_slow.sql"
is "with all of its rows" "$(sql 'SELECT COUNT(*) FROM m_slow5')" 2

# Two at once.
start_slow 6 1
migrate
is "a second one waits and finds nothing to do" "$status $said" "0 "
wait $victim
is "the first one has done it" "$(cat "$scratch/slow.out")" "migrate: applied 0006_slow.sql"

said=$(scripts/migrate --defaults-file "$scratch/nothing" 2>&1)
like "an option file that is not there" "$said" 'cannot read the option file'
done_testing
