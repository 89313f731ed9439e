#!/bin/bash
# A backup, a restore and a migration whose connections are lost anywhere: each ends with 1 and a sentence, leaves no file and no
# database that is taken for whole, and is whole the next time.
# shellcheck disable=SC2154 # cuts.sh sets some
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
own_stack --workers notify=0
. tests/e2e/cuts.sh
admin=$stack_dir/admin.cnf cut=$scratch/cut.cnf ways=(before half after kill)
sed "s|^socket=.*|socket=$cutter_socket|" "$admin" >"$cut"
account Example
cluster 3 2 >"$scratch/c.json"
push c "$scratch/c.json"
is "there is something to keep" "$status" 200
sql "INSERT INTO outbox (delivery_id, tenant_id, channel_id, event, title, body, created_at, position, state, next_attempt_at)
    SELECT UUID(), '$tenant', UUID(), 'Test', 'waits', '', UTC_TIMESTAMP(3), seq, 'queued', UTC_TIMESTAMP(3) FROM seq_1_to_3"
# run COMMAND...: sets ended and said
run() {
    "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
    ended=$? said=$(cat "$scratch/err")
}
# lose FUNCTION WHEN WHAT: its connection, once. The function is told whether that came about.
lose() {
    at="$2 $3"
    sever "$2" "$3"
    "$1" run_it
    sever_no_more
    lost=$cuts
    "$1" judge "$lost"
}
# anywhere FUNCTION: at commands here and there, of as many as there are when nothing is lost
anywhere() {
    local n all
    lose "$1" before 1000000
    all=$seen
    diag "$1: $all commands"
    for n in $(seq "${LOADLINE_TEST_CUTS:-10}"); do
        lose "$1" "${ways[n % 4]}" $((1 + RANDOM % all))
    done
}
one_sentence() {
    [ "$(wc -l <"$scratch/err")" = 1 ] || wrong+=("$at: it says: $said")
}
emptied() {
    mariadb --defaults-file="$admin" -e 'DROP DATABASE loadline; CREATE DATABASE loadline CHARACTER SET utf8mb4'
}
# contents: but for messages, of which none may wait
contents() {
    sql "SELECT COUNT(*) FROM outbox WHERE state = '${1-cancelled}'; $(sql "SELECT CONCAT('CHECKSUM TABLE ', GROUP_CONCAT(table_name), ' EXTENDED') FROM information_schema.tables WHERE table_schema = 'loadline' AND table_name <> 'outbox'")"
}

# ---- a backup
wrong=()
backing_up() {
    case $1 in
    run_it) rm -f "$scratch/b.gz"; run scripts/backup --defaults-file "$cut" "$scratch/b.gz" ;;
    judge)
        [ "$ended" = "$2" ] || wrong+=("$at: it ends with $ended")
        [ "$2" = 0 ] || one_sentence
        [ "$(find "$scratch" -name 'b.gz*' -o -name '*.part' | wc -l)" = $((1 - $2)) ] || wrong+=("$at: there is $(find "$scratch" -name 'b.gz*' -o -name '*.part')")
        ;;
    esac
}
anywhere backing_up
lose backing_up before 1000000
empty "a backup that loses its connection is none" "$(printf '%s\n' "${wrong[@]}")"
mkdir "$scratch/bin"
printf '#!/bin/sh\nexit 1\n' >"$scratch/bin/sync"
chmod +x "$scratch/bin/sync"
run env PATH="$scratch/bin:$PATH" scripts/backup --defaults-file "$admin" "$scratch/c.gz"
is "nor is one that is not on the disk" "$ended $said $(find "$scratch" -name 'c.gz*' -o -name '*.part' | wc -l)" "1 backup: $scratch/c.gz cannot be written 0"

# ---- its way back
contents queued >"$scratch/contents"
wrong=()
restoring() {
    case $1 in
    run_it) emptied; run scripts/restore --defaults-file "$cut" "$scratch/b.gz" ;;
    judge)
        if [ "$ended" = 0 ]; then
            [ "$(contents)" = "$(cat "$scratch/contents")" ] || wrong+=("$at: it ends with 0, and something is missing")
            return 0
        fi
        [ "$2" = 1 ] || wrong+=("$at: it ends with $ended: $said")
        one_sentence
        # What programs take for whole is.
        if [ "$(sql "SELECT COUNT(*) FROM schema_migrations" 2>/dev/null || echo 0)" -gt 0 ]; then
            whole=$((${whole-0} + 1))
            run scripts/migrate --defaults-file "$admin"
            [ "$ended" = 0 ] || wrong+=("$at: a migration of the whole says: $said")
            [ "$(contents)" = "$(cat "$scratch/contents")" ] || wrong+=("$at: programs take it for whole, and something is missing")
        elif [ "$(sql "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = 'loadline' AND table_rows > 0 AND table_name <> 'restore_unfinished'")" -gt 0 ]; then
            run scripts/migrate --defaults-file "$admin"
            [[ "$ended $said" == "1 migrate: a restore of this database "* ]] || wrong+=("$at: a migration of a part ends with $ended: $said")
        fi
        ;;
    esac
}
anywhere restoring
for way in "${ways[@]}"; do
    lose restoring "$way" commit
    [ "$lost" = 1 ] || wrong+=("$way commit: nothing was lost")
    commit=$seen
done
for n in {1..9}; do
    lose restoring "${ways[n % 4]}" $((commit - n))
done
lose restoring before 1000000
is "one that loses nothing comes to its end" "$ended" 0
empty "a restore that loses its connection leaves nothing that is taken for whole" "$(printf '%s\n' "${wrong[@]}")"

# ---- migrations
wrong=()
schema() {
    mariadb-dump --defaults-file="$admin" --no-data --skip-comments loadline | sed 's/ AUTO_INCREMENT=[0-9]*//'
    sql "SELECT number, name, sha256, state FROM schema_migrations"
}
emptied
run scripts/migrate --defaults-file "$admin"
is "migrations" "$ended" 0
schema >"$scratch/schema"
migrating() {
    case $1 in
    run_it) run scripts/migrate --defaults-file "$cut" ;;
    judge)
        [ "$ended" = "$2" ] || [ "$ended $2" = "0 1" ] || wrong+=("$at: it ends with $ended: $said")
        [ "$ended" = 0 ] || one_sentence
        ;;
    esac
}
emptied
for ((lost = 1, most = 60; lost == 1; most += 30)); do
    lose migrating "${ways[RANDOM % 4]}" $((1 + RANDOM % most))
done
[ "$(schema)" = "$(cat "$scratch/schema")" ] || wrong+=("the schema is another: $(diff <(schema) "$scratch/schema" | head -5)")
empty "migrations that lose their connection come to the same end" "$(printf '%s\n' "${wrong[@]}")"
done_testing
