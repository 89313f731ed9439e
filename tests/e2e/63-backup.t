#!/bin/bash
# A backup while pushes go on, and its way back.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
own_stack --set webhook_allow=127.0.0.0/8
admin=$stack_dir/admin.cnf

# refuses NAME SENTENCE COMMAND...
refuses() {
    local name=$1 sentence=$2 said
    shift 2
    said=$("$@" 2>&1 >/dev/null </dev/null)
    like "$name" "$?: $said" "^1: .*$sentence"
}

account Backed
cluster 3 2 >"$scratch/c.json"
push production "$scratch/c.json"
validate production
post /api/notifications/channels '{"type":"webhook","name":"ops","webhookUrl":"https://ops.example.com/x"}' -H "Authorization: Bearer $token"
is "there is something to keep" "$status" 201
ask POST /api/exemptions '{"check":"run-as-root-allowed","allClusters":true,"reason":"r","owner":"o","expires":"'"$(date -ud '30 days' +%F)"'"}'
is "and something accepted" "$status" 201
push production "$scratch/c.json"

# answers: what people see, ages of snapshots left out
answers() {
    local path
    for path in /api/clusters /api/keys /api/members /api/decisions /api/notifications/channels /api/exemptions \
        '/api/score-history?clusterId=production' '/api/risks?clusterId=production' '/api/cluster?id=production'; do
        get "$path"
        echo "$status $path $(json -S 'if type == "array" then map(del(.status?, .lastUsedAt?)) else . end' | sha256sum)"
    done
}
answers >"$scratch/before"
is "all of it can be read" "$(cut -d' ' -f1 "$scratch/before" | sort -u)" 200

# What a file of rows could get wrong: each byte, and text that looks like the syntax around it.
sql "INSERT INTO outbox (delivery_id, tenant_id, channel_id, cluster_name, event, title, body, created_at, position, state, last_error)
    SELECT UUID(), '$tenant', channel_id, v.name, 'Test', v.title, UNHEX(v.body), UTC_TIMESTAMP(3), v.position, 'sent', v.error FROM channels, (
        SELECT NULL AS name, CONCAT('a', UNHEX('27'), 'b', UNHEX('225C0A0D091A'), 'c') AS title,
            (SELECT GROUP_CONCAT(LPAD(HEX(seq), 2, '0') ORDER BY seq SEPARATOR '') FROM seq_0_to_255) AS body, -1 AS position, '' AS error
        UNION ALL SELECT 'NULL', CONCAT('),', UNHEX('0A'), '(1,2'), '', -2, UNHEX('5C')
        UNION ALL SELECT '', '0x41', '30783431', -3, UNHEX('5C4E')
        UNION ALL SELECT UNHEX('5C'), CONCAT('🚢 ü', UNHEX('5C5C27')), '27', -4, CONCAT(UNHEX('27'), ',NULL);')) AS v"
is "among it awkward rows" "$(sql "SELECT COUNT(*), MAX(LENGTH(body)) FROM outbox WHERE position < 0" | tr '\t' ' ')" "4 256"
# contents: each table with its checksum
contents() {
    sql "$(sql "SELECT CONCAT('CHECKSUM TABLE ', GROUP_CONCAT(table_name), ' EXTENDED') FROM information_schema.tables WHERE table_schema = 'loadline'")"
}

# Messages that wait: whether they were sent meanwhile the backup cannot know.
sql "INSERT INTO outbox (delivery_id, tenant_id, channel_id, event, title, body, created_at, position, state, attempts, next_attempt_at, lease_owner, lease_until)
    SELECT UUID(), '$tenant', channel_id, 'Test', CONCAT('waits ', seq), 'x', UTC_TIMESTAMP(3), seq, 'queued', 1, UTC_TIMESTAMP(3) + INTERVAL 1 DAY,
        UUID(), UTC_TIMESTAMP(3) FROM channels, seq_1_to_2"
waiting() {
    sql "SELECT state, attempts, next_attempt_at IS NULL, lease_owner IS NULL, lease_until IS NULL, last_error FROM outbox WHERE title LIKE 'waits %'" | sort | uniq -c | xargs
}
contents >"$scratch/contents"
ok "a backup" scripts/backup --defaults-file "$admin" "$scratch/backup.gz"
is "is its owner's alone" "$(stat -c %a "$scratch/backup.gz")" 600
refuses "it is not overwritten" "is there already" scripts/backup --defaults-file "$admin" "$scratch/backup.gz"
refuses "not without a file" "into which file" scripts/backup
refuses "not into nowhere" "backup: there is no directory $scratch/no/such/directory\$" scripts/backup --defaults-file "$admin" "$scratch/no/such/directory/backup.gz"
refuses "not without an account" "cannot read the option file" scripts/backup --defaults-file "$scratch/none" "$scratch/b.gz"
refuses "nor under a name that is too long" "backup: [^:]* cannot be written: its name is too long\$" scripts/backup --defaults-file "$admin" "$scratch/$(printf 'b%.0s' {1..256})"
empty "what failed leaves nothing" "$(find "$scratch" -name '*.part' -o -name 'b.gz' -o -name 'bb*')"
may_mount() { crammed 4k true 2>/dev/null; }
if may_mount; then
    for size in 4k 16k; do
        refuses "$size of room" "backup: $crammed/b.gz cannot be written: No space left on device 0\$" crammed "$size" sh -c '
            TMPDIR=$3 scripts/backup --defaults-file "$1" "$2/b.gz" 2>"$3/err" >&2; status=$?
            echo "$(cat "$3/err") $(ls -A "$2" | wc -l)" >&2; exit $status' sh "$admin" "$crammed" "$scratch"
    done
else
    skip "no room for a backup" "nothing may be mounted here"
fi
refuses "not while a migration changes tables" "at work" env bash -c '
    mariadb --defaults-file="$1" -e "SELECT GET_LOCK(CONCAT(\"loadline.migrate.\", DATABASE()), 0), SLEEP(3)" >/dev/null &
    sleep 0.5; sed "s/, 60)/, 0)/" scripts/backup >"$2/backup"; cp scripts/common.sh "$2"; bash "$2/backup" --defaults-file "$1" "$2/b.gz"
    status=$?; wait; exit $status' bash "$admin" "$scratch"

# Two of the same name at once: the first one stands still before its end.
mkdir "$scratch/bin"
cat >"$scratch/bin/mariadb-dump" <<END
#!/bin/bash
$(type -P mariadb-dump) "\$@" && echo >"$scratch/dumped" && read -r <"$scratch/go"
END
chmod +x "$scratch/bin/mariadb-dump"
mkfifo "$scratch/go"
PATH=$scratch/bin:$PATH scripts/backup --defaults-file "$admin" "$scratch/b.gz" 2>"$scratch/first" &
first=$!
ok "a backup is at work" within "$(patient 10)" test -e "$scratch/dumped"
refuses "another one waits for a minute at most" "backup: a migration or another backup has been at work" \
    bash "$scratch/backup" --defaults-file "$admin" "$scratch/b.gz"
scripts/backup --defaults-file "$admin" "$scratch/b.gz" 2>"$scratch/second" &
second=$!
waits() { [ "$(sql "SELECT COUNT(*) FROM information_schema.processlist WHERE state = 'User lock'")" = 1 ]; }
ok "one more waits" within "$(patient 10)" waits
echo >"$scratch/go"
wait $first
is "the first one is done" "$? $(cat "$scratch/first")" "0 "
wait $second
is "the one that waited overwrites nothing" "$? $(cat "$scratch/second")" "1 backup: $scratch/b.gz is there already"
is "the backup is whole, and nothing else is left" "$(gzip -dc "$scratch/b.gz" | tail -1 | cut -c1-17) $(find "$scratch" -name 'b.gz*' -o -name '*.part' | wc -l)" "-- Dump completed 1"
rm "$scratch/b.gz"

# One that is killed leaves its part; the next one removes it, and not that of one at work.
mkdir "$scratch/still" "$scratch/backups"
printf '#!/bin/sh\nexec sleep 600\n' >"$scratch/still/mariadb"
chmod +x "$scratch/still/mariadb"
parts() { find "$scratch/backups" -name '*.part' | wc -l; }
parts_are() { [ "$(parts)" = "$1" ]; }
PATH=$scratch/still:$PATH setsid scripts/backup --defaults-file "$admin" "$scratch/backups/a.gz" 2>/dev/null &
killed=$!
ok "a backup that stands still has a part" within "$(patient 10)" parts_are 1
touch "$scratch/backups/other.part" "$scratch/backups/a.gz.AAAAAA.part" "$scratch/backups/loadline-backup.longer-name.part"
ok "another one goes on beside it" scripts/backup --defaults-file "$admin" "$scratch/backups/b.gz"
is "and leaves its part, and what is no backup's" "$(parts)" 4
kill -KILL -- -$killed
wait $killed 2>/dev/null
is "one that is killed leaves its part" "$(parts)" 4
ok "the next one is made" scripts/backup --defaults-file "$admin" "$scratch/backups/a.gz"
is "and removes that part only" "$(find "$scratch/backups" -type f -printf '%f\n' | sort | xargs)" "a.gz a.gz.AAAAAA.part b.gz loadline-backup.longer-name.part other.part"

refuses "a database that is in use is not written into" "is not empty" scripts/restore --defaults-file "$admin" "$scratch/backup.gz"
push later "$scratch/c.json"
mariadb --defaults-file="$admin" -e 'DROP DATABASE loadline; CREATE DATABASE loadline CHARACTER SET utf8mb4'
head -c 1000 "$scratch/backup.gz" >"$scratch/cut.gz"
refuses "half a backup is none" "damaged" scripts/restore --defaults-file "$admin" "$scratch/cut.gz"
gzip -dc "$scratch/backup.gz" | sed '$d' | gzip -1 >"$scratch/early.gz"
head -c 1000 /dev/urandom >"$scratch/other.gz"
refuses "nor is anything else" "not gzip" scripts/restore --defaults-file "$admin" "$scratch/other.gz"
if may_mount; then
    for size in 4k 16k; do
        refuses "$size of room for a good one" "restore: cannot write below $crammed/[^ :]*: .*No space left on device" \
            crammed "$size" scripts/restore --defaults-file "$admin" "$scratch/backup.gz"
    done
else
    skip "no room to read one" "nothing may be mounted here"
fi
refuses "nor one that ends early" "does not end" scripts/restore --defaults-file "$admin" "$scratch/early.gz"
gzip -dc "$scratch/backup.gz" | sed "/^INSERT INTO .schema_migrations/{n;h;s/(1,'0001_/(9999,'9999_/;p;g;}" | gzip -1 >"$scratch/newer.gz"
refuses "nor one of a newer version" "restore: $scratch/newer.gz is at migration 9999, newer than these programs \([0-9]+\)\$" \
    scripts/restore --defaults-file "$admin" "$scratch/newer.gz"
empty "of all of these nothing was loaded" "$(sql "SELECT table_name FROM information_schema.tables WHERE table_schema = 'loadline'")"
emptied() {
    mariadb --defaults-file="$admin" -e 'DROP DATABASE loadline; CREATE DATABASE loadline CHARACTER SET utf8mb4'
}
gzip -dc "$scratch/backup.gz" | sed '/^INSERT INTO `outbox`/{n;h;s/);$/),/;p;g;}' | gzip -1 >"$scratch/twice.gz"
# unfinished WHAT: nobody takes what is there for a whole database
unfinished() {
    refuses "$1: no migration makes a database of it" "migrate: a restore of this database .*empty the database and restore again\$" \
        scripts/migrate --defaults-file "$admin"
    refuses "$1: no program works with it" "a restore has not come to its end: run loadline-migrate" \
        env LOADLINE_CONF="$stack_dir/loadline.conf" "$build/bin/loadline-maintain"
    emptied
}
refuses "nor one that has a row twice" "rows do not fit: .*Duplicate entry" scripts/restore --defaults-file "$admin" "$scratch/twice.gz"
unfinished "after that"
# One that is killed: it stands still before the rows of the last table.
cat >"$scratch/bin/mariadb" <<END
#!/bin/bash
[[ "\$*" != */users.sql* ]] || { touch "$scratch/reached"; sleep 60; exit 1; }
exec $(type -P mariadb) "\$@"
END
chmod +x "$scratch/bin/mariadb"
PATH=$scratch/bin:$PATH setsid scripts/restore --defaults-file "$admin" "$scratch/backup.gz" >/dev/null 2>&1 &
killed=$!
ok "a restore has come to its last table" within "$(patient 20)" test -e "$scratch/reached"
kill -KILL -- "-$killed"
wait "$killed" 2>/dev/null
rm "$scratch/bin/mariadb"
isnt "there are rows already" "$(sql "SELECT COUNT(*) FROM tenants")" 0
unfinished "killed"
gzip -dc "$scratch/backup.gz" | sed "/^INSERT INTO .outbox/{n;s/^('[^']*'/('no uuid'/;}" | gzip -1 >"$scratch/wrong.gz"
refuses "nor one with a value that does not fit" "rows do not fit: .*Incorrect uuid value" scripts/restore --defaults-file "$admin" "$scratch/wrong.gz"
emptied
root_sql() {
    mariadb --no-defaults --socket="$stack_dir/sock/mariadb.sock" --user="$(id -un)" -e "$1"
}
root_sql "SET GLOBAL local_infile = 0"
refuses "nor there, with a row twice" "restore: the rows could not be loaded: ERROR [^:]*: .*" scripts/restore --defaults-file "$admin" "$scratch/twice.gz"
unfinished "that, too"
ok "the way back, where the server loads no data" scripts/restore --defaults-file "$admin" --send-waiting "$scratch/backup.gz"
is "every table is as it was, and no other is there" "$(contents)" "$(cat "$scratch/contents")"
root_sql "SET GLOBAL local_infile = 1"
emptied
ok "the way back" scripts/restore --defaults-file "$admin" --send-waiting "$scratch/backup.gz"
is "again every table is as it was" "$(contents)" "$(cat "$scratch/contents")"
like "messages that waited wait" "$(waiting)" '^2 queued 1 0 0 0$'
emptied
said=$(scripts/restore --defaults-file "$admin" "$scratch/backup.gz" 2>&1)
like "without being told so, none that may have been sent is sent again" "$? $(waiting)" '^0 2 cancelled 1 1 1 1 It waited when a backup was made'
like "which is told" "$said" '^restore: messages of alerts that waited when the backup was made: 2\. .*deliveries\?state=cancelled'
scripts/down --dir "$stack_dir"
scripts/up --dir "$stack_dir" --port "$stack_port" --build "$build" --workers maintain=0 >"$scratch/up" 2>&1
is "Loadline takes the database" "$(cat "$scratch/up")" "base_url=$base_url"
answers >"$scratch/after"
is "everything is as it was" "$(cat "$scratch/after")" "$(cat "$scratch/before")"
get '/api/notifications/deliveries?state=cancelled'
is "people see which messages were not sent again" "$status $(json '[.[].title] | sort | join(" ")')" "200 waits 1 waits 2"
ask POST /api/notifications/deliveries/replay "{\"id\":\"$(json '.[0].id')\"}"
is "and may send them" "$status $(json .state)" "202 queued"
push production "$scratch/c.json"
is "and goes on" "$status" 200
done_testing
