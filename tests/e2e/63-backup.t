#!/bin/bash
# A backup while pushes go on, and its way back. What make install lays out is what make uninstall
# takes away.
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

# answers: what people see, ages of snapshots left out
answers() {
    local path
    for path in /api/clusters /api/keys /api/members /api/decisions /api/notifications/channels \
        '/api/score-history?clusterId=production' '/api/risks?clusterId=production' '/api/cluster?id=production'; do
        get "$path"
        echo "$status $path $(json -S 'if type == "array" then map(del(.status?, .lastUsedAt?)) else . end' | sha256sum)"
    done
}
answers >"$scratch/before"
is "all of it can be read" "$(cut -d' ' -f1 "$scratch/before" | sort -u)" 200

ok "a backup" scripts/backup --defaults-file "$admin" "$scratch/backup.gz"
is "is its owner's alone" "$(stat -c %a "$scratch/backup.gz")" 600
refuses "it is not overwritten" "is there already" scripts/backup --defaults-file "$admin" "$scratch/backup.gz"
refuses "not without a file" "into which file" scripts/backup
refuses "not into nowhere" "." scripts/backup --defaults-file "$admin" "$scratch/no/such/directory/backup.gz"
refuses "not without an account" "cannot read the option file" scripts/backup --defaults-file "$scratch/none" "$scratch/b.gz"
empty "what failed leaves nothing" "$(find "$scratch" -name '*.part' -o -name b.gz)"
refuses "not while partitions are changed" "at work" env bash -c '
    mariadb --defaults-file="$1" -e "SELECT GET_LOCK(CONCAT(\"loadline.maintenance.\", DATABASE()), 0), SLEEP(3)" >/dev/null &
    sleep 0.5; sed "s/, 60)/, 0)/" scripts/backup >"$2/backup"; cp scripts/common.sh "$2"; bash "$2/backup" --defaults-file "$1" "$2/b.gz"
    status=$?; wait; exit $status' bash "$admin" "$scratch"

refuses "a database that is in use is not written into" "is not empty" scripts/restore --defaults-file "$admin" "$scratch/backup.gz"
push later "$scratch/c.json"
mariadb --defaults-file="$admin" -e 'DROP DATABASE loadline; CREATE DATABASE loadline CHARACTER SET utf8mb4'
head -c 1000 "$scratch/backup.gz" >"$scratch/cut.gz"
refuses "half a backup is none" "damaged" scripts/restore --defaults-file "$admin" "$scratch/cut.gz"
gzip -dc "$scratch/backup.gz" | sed '$d' | gzip -1 >"$scratch/early.gz"
refuses "nor one that ends early" "does not end" scripts/restore --defaults-file "$admin" "$scratch/early.gz"
ok "the way back" scripts/restore --defaults-file "$admin" "$scratch/backup.gz"
scripts/down --dir "$stack_dir"
scripts/up --dir "$stack_dir" --port "$stack_port" --build "$build" --workers maintain=0 >"$scratch/up" 2>&1
is "Loadline takes the database" "$(cat "$scratch/up")" "base_url=$base_url"
answers >"$scratch/after"
is "everything is as it was" "$(cat "$scratch/after")" "$(cat "$scratch/before")"
push production "$scratch/c.json"
is "and goes on" "$status" 200

# ---- a host
host=$scratch/host
scripts/install "$build" "$host" /usr/local
is "commands" "$(cd "$host/usr/local/bin" && echo *)" \
    "loadline-accounts loadline-admin loadline-backup loadline-gate loadline-maintain loadline-migrate loadline-notify loadline-push-snapshot loadline-restore loadline-score"
empty "no place of this host is left open" "$(grep -rlE '@(LIB|SHARE|BIN)@' "$host")"
for command in accounts backup restore migrate; do
    is "loadline-$command" "$(sed -n '2s/^# //p' "$host/usr/local/share/loadline/scripts/$command")" \
        "$("$host/usr/local/share/loadline/scripts/$command" --help | head -1)"
done
sum=$(cat "$host"/etc/loadline/*.cnf | sha256sum)
is "each account has a password" "$(grep -hcE '^password = [0-9a-f]{32}$' "$host"/etc/loadline/*.cnf | xargs)" "1 1 1"
is "of its own" "$(grep -h '^password' "$host"/etc/loadline/*.cnf | sort -u | wc -l)" 3
is "that not everybody may read" "$(cd "$host/etc/loadline" && stat -c '%n %a' -- *.cnf | xargs)" "admin.cnf 600 db.cnf 640 maintain.cnf 640"
is "accounts are made with these" "$(scripts/accounts "$host/etc/loadline" | sed -n "s/.*IDENTIFIED BY '\(.*\)';/\1/p" | sort)" \
    "$(sed -n 's/^password = //p' "$host"/etc/loadline/*.cnf | sort)"
sed 's/^password.*/password = /' etc/db.cnf >"$scratch/db.cnf"
refuses "not with none" "has no password" scripts/accounts "$scratch"
echo '# mine' >>"$host/etc/loadline/loadline.conf"
scripts/install "$build" "$host" /usr/local
is "what is configured stays" "$(tail -1 "$host/etc/loadline/loadline.conf") $(cat "$host"/etc/loadline/*.cnf | sha256sum)" "# mine $sum"
like "uninstall says what is left" "$(scripts/uninstall "$host" /usr/local)" 'etc/loadline, the database and the user loadline are left'
is "and nothing else is" "$(cd "$host" && find . -type f | sort | xargs)" \
    "./etc/loadline/admin.cnf ./etc/loadline/db.cnf ./etc/loadline/loadline.conf ./etc/loadline/maintain.cnf ./etc/loadline/workers"
done_testing
