#!/bin/bash
# scripts/up and down: they keep the data, touch nobody else, and fail with one sentence.
. "$(dirname "$0")/lib.sh"

# fails WHAT REGEX up's options: fails with one line on stderr that says this.
fails() {
    local what=$1 sentence=$2 said status=0
    shift 2
    said=$(scripts/up "$@" 2>&1 >/dev/null) || status=$?
    is "up fails: $what" "$status" 1
    like "... and says so" "$said" "$sentence"
    is "... in one line" "$(wc -l <<<"$said")" 1
}

started=$(date +%s%N)
own_stack
first=$stack_dir
below "first start, ms" $((($(date +%s%N) - started) / 1000000)) "$(patient 6000)"
like "it says where" "$base_url" '^http://127\.0\.0\.1:[0-9]+$'
request GET /health
is "health" "$status" 200
is "the state is for its owner only" "$(stat -c %a "$stack_dir")" 700
is "so are the passwords" "$(stat -c %a "$stack_dir/db.cnf" "$stack_dir/admin.cnf" | sort -u)" 600
is "MariaDB has no network" "$(sql 'SELECT @@skip_networking')" 1
is "every commit is flushed" "$(sql 'SELECT @@innodb_flush_log_at_trx_commit')" 1
is "time is UTC" "$(sql 'SELECT @@time_zone')" "+00:00"
ok "a packet holds the largest snapshot" [ "$(sql 'SELECT @@max_allowed_packet')" -ge $((128 << 20)) ]
# large PROGRAM: does each of its workers ask for large pages?
large() {
    local pid
    for pid in $(pids_of "$1.fcgi"); do
        tr '\0' '\n' <"/proc/$pid/environ" | grep -qxF GLIBC_TUNABLES=glibc.malloc.hugetlb=1 && echo yes || echo no
    done | sort -u
}
is "workers of ingest ask for large pages, and no others" "$(large ingest) $(large validate)" "yes no"
password=$(sed -n 's/^password=//p' "$stack_dir/db.cnf")
like "the programs' account cannot change the schema" \
    "$(mariadb --no-defaults -S "$stack_dir/sock/mariadb.sock" -u loadline -p"$password" loadline \
        -e 'CREATE TABLE intruder (n INT)' 2>&1)" 'ERROR 1142 .*CREATE command denied'

fails "up already" "is already up at $base_url" --dir "$first" --build "$build" --port "$(free_port)"
fails "port taken" "port $stack_port is taken" --dir "$scratch/other" --build "$build" --port "$stack_port"
# Bound, so that nobody answers there: only the web server finds out.
held=$(free_port)
python3 -c 'import socket, sys, time
s = socket.socket()
s.bind(("127.0.0.1", int(sys.argv[1])))
print("bound", flush=True)
time.sleep(60)' "$held" >"$scratch/held" &
holder=$!
within "$(patient 10)" grep -q bound "$scratch/held"
said=$(scripts/up --dir "$scratch/bound" --build "$build" --port "$held" 2>&1)
is "up fails: a port that is bound" "$? $(tail -1 <<<"$said")" "1 up: port $held is taken; choose another with --port"
is "... and leaves nothing running" "$(members "$scratch/bound")" ""
kill $holder
wait $holder 2>/dev/null
fails "not built" "is not built|does not exist" --dir "$scratch/other" --build "$scratch"
fails "no such option" "unknown argument --prot" --prot 80
fails "no option" "unknown argument extra" extra
fails "no port" "is not a port" --port eighty
fails "a setting without a value" "is not KEY=VALUE" --dir "$scratch/other" --build "$build" \
    --port "$(free_port)" --set stale_warn
fails "an unknown setting" "--set: unknown key \"nonsense\"" --dir "$scratch/other" --build "$build" \
    --port "$(free_port)" --set nonsense=1
fails "a setting out of range" "--set: stale_warn must" --dir "$scratch/other" --build "$build" \
    --port "$(free_port)" --set stale_warn=x
for word in verbose all error,warn; do
    fails "log_level=$word" '^up: --set: log_level must be error, warn, info or debug$' --dir "$scratch/none" --build "$build" \
        --port "$(free_port)" --set "log_level=$word"
done
ok "a setting that is refused leaves no directory" [ ! -e "$scratch/none" ]
fails "a directory with a space" 'has a space or a quote in its name' --dir "$scratch/a b" --build "$build"
fails "one with a quote" 'has a space or a quote in its name' --dir "$scratch/a\"b" --build "$build"
ok "neither is left" [ ! -e "$scratch/a b" -a ! -e "$scratch/a\"b" ]
said=$(scripts/up --check --dir "$scratch/none" --build "$build" --set stale_warn=200 2>&1)
is "--check: options that will do" "$? $said" "0 "
fails "--check: others" "--set: stale_warn must be a whole number from 1 to 604800" --check --dir "$scratch/none" --build "$build" --set stale_warn=0
ok "it starts nothing" [ ! -e "$scratch/none" ]
fails "workers of nothing" "is not PROGRAM=N" --workers nothing=2

sql 'CREATE TABLE loadline.kept (n INT); INSERT INTO loadline.kept VALUES (42)'
own_stack
second=$stack_dir
isnt "two stacks side by side" "$second" "$first"
request GET /health
is "the second one answers" "$status" 200

stack_dir=$first
before=$(pids_of mariadbd)
is "down has nothing to say of what it stops" "$(scripts/down --dir "$second" 2>&1)" ""
is "down stops only its own" "$(pids_of mariadbd)" "$before"
is "nothing of the second is left" "$(members "$second")" ""
is "down again has nothing to do, and says so" "$(scripts/down --dir "$second" 2>&1) $?" "down: nothing runs below $second 0"
is "down of nothing too" "$(scripts/down --dir "$scratch/nowhere" 2>&1) $?" "down: nothing runs below $scratch/nowhere: there is no such directory 0"

token=$(sed -n 's/^token=//p' "$first/run")
scripts/down --dir "$first"
is "nothing of the first is left" "$(grep -lszx "LOADLINE_RUN=$token" /proc/[0-9]*/environ)" ""
echo broken >"$second/data/ibdata1"
said=$(scripts/up --dir "$second" --build "$build" --port "$(free_port)" 2>&1)
is "up fails when MariaDB does not start" "$?" 1
like "... says so" "$(tail -1 <<<"$said")" '^up: mariadbd does not start$'
like "... and shows the end of its log" "$said" 'mariadb: .*\[ERROR\] Aborting'
is "... and leaves nothing running" "$(members "$second")" ""

# The best of three starts counts: any one of them may meet a machine that stands still for a second.
stack_port=$(free_port)
best=
for _ in 1 2 3; do
    started=$(date +%s%N)
    said=$(scripts/up --dir "$first" --port "$stack_port" --build "$build")
    took=$((($(date +%s%N) - started) / 1000000))
    [ -n "$best" ] && [ "$best" -lt $took ] || best=$took
    [ "$best" -ge 2000 ] || break
    scripts/down --dir "$first" >/dev/null
done
[ "$best" -lt 2000 ] || said=$(scripts/up --dir "$first" --port "$stack_port" --build "$build")
below "second start, ms" "$best" "$(patient 2000)"
is "up again says where" "$said" "base_url=http://127.0.0.1:$stack_port"
is "and finds the data" "$(sql 'SELECT n FROM loadline.kept')" 42

# A pid that another process got meanwhile is left alone.
scripts/down --dir "$first"
sleep 60 &
stranger=$!
echo "status $stranger 1" >"$first/pids"
echo "token=0" >"$first/run"
scripts/down --dir "$first"
ok "a pid used again by a stranger is not killed" kill -0 $stranger
kill $stranger

long=$scratch/$(printf 'long-%.0s' {1..20})
said=$(scripts/up --dir "$long" --port "$(free_port)" --build "$build" 2>&1)
like "a directory too long for a unix socket works" "$said" '^base_url='
target=$(readlink "$long/sock")
scripts/down --dir "$long"
ok "and its short name is gone afterwards" [ ! -e "$target" ]
done_testing
