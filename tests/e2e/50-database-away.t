#!/bin/bash
# The database goes away and comes back: 503 with Retry-After meanwhile, and afterwards all is well
# by itself. No worker dies of it.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
own_stack
account Example
cluster 1 1 >"$scratch/c.json"
push c "$scratch/c.json"
is "a push" "$status" 200
workers=$(for p in auth ingest validate history clusters status; do pids_of $p.fcgi; done | sort)
socket=$stack_dir/sock/mariadb.sock

# disconnect SOCKET: whoever is connected no longer is.
disconnect() {
    mariadb --no-defaults --socket="$1" -e 'KILL USER loadline@localhost'
}
read_only() {
    mariadb --no-defaults --socket="$socket" -e "SET GLOBAL read_only = $1"
}
away() {
    mv "$socket" "$socket.away"
    disconnect "$socket.away"
}
# unavailable WHAT: 503, with a code and when to come again
unavailable() {
    is "$1" "$status $(json .code)" "503 database_away"
    like "$1: when to come again" "$(header Retry-After)" '^[1-9][0-9]*$'
}
everything() {
    request GET /health
    "$1" "health"
    get /api/clusters
    "$1" "clusters"
    get '/api/score-history?clusterId=c'
    "$1" "history"
    validate c
    "$1" "validate"
    push c "$scratch/c.json"
    "$1" "ingest"
    post /api/auth/login "{\"email\":\"$email\",\"password\":\"$password\"}"
    "$1" "login"
}
accepted() {
    is "$1 is back" "$status" 200
}

{ cat "$stack_dir/loadline.conf" && printf '%s\n' "mail_program = /bin/false" "mail_from = loadline@example.com" "public_url = https://loadline.example"; } >"$scratch/mail.conf"
LOADLINE_CONF=$scratch/mail.conf "$build/bin/loadline-notify" --only mail 2>"$scratch/notify.log"
is "who mails letters has none" "$? $(cat "$scratch/notify.log")" "0 "
for _ in 1 2; do
    away
    request GET /health
    is "a database that is away: the reason" "$(json -c 'del(.error)')" '{"code":"database_away","reason":"unreachable"}'
    everything unavailable
    everything unavailable
    LOADLINE_CONF=$stack_dir/loadline.conf timeout 20 "$build/bin/loadline-notify" 2>"$scratch/notify.log"
    is "a notifier that is to deliver what is due now says that it cannot" "$?" 1
    LOADLINE_CONF=$scratch/mail.conf timeout 20 "$build/bin/loadline-notify" --only mail 2>>"$scratch/notify.log"
    is "... and so does who mails letters" "$?" 1
    mv "$socket.away" "$socket"
    everything accepted
done
# Lost while idle: found out before anything was begun, so it costs no request.
disconnect "$socket"
everything accepted
is "no worker died" "$(for p in auth ingest validate history clusters status; do pids_of $p.fcgi; done | sort)" "$workers"
is "a point for each push that was answered 200" "$(sql "SELECT COUNT(*) FROM score_history")" 4
# A server that only reads: an administrator set it so, or it is the wrong one of two.
read_only 1
request GET /health
unavailable "read-only: health"
is "... and it says so" "$(json .reason)" read_only
push c "$scratch/c.json"
unavailable "read-only: ingest"
validate c
unavailable "read-only: validate"
read_only 0
everything accepted
is "read-only: no push was kept" "$(sql "SELECT COUNT(*) FROM score_history")" 5
request GET /api/nothing
# A server whose connections others have.
root() { mariadb --no-defaults --socket="$socket" --batch --skip-column-names -e "$1"; }
limit=$(root 'SELECT @@GLOBAL.max_connections')
root 'SET GLOBAL max_connections = 10'
held=()
# One more than there are is root's alone.
none_left() {
    disconnect "$socket"
    for _ in {1..10}; do
        sql 'SELECT SLEEP(600)' >/dev/null 2>&1 &
        held+=($!)
    done
    request GET /health
    [ "$status" = 503 ]
}
within "$(patient 20)" none_left
is "no connection is left: health" "$status $(json -c 'del(.error)')" '503 {"code":"database_away","reason":"too_many_connections"}'
root "SET GLOBAL max_connections = $limit"
kill "${held[@]}" 2>/dev/null
wait "${held[@]}" 2>/dev/null
root "SELECT CONCAT('KILL ', id, ';') FROM information_schema.processlist WHERE info = 'SELECT SLEEP(600)'" |
    mariadb --no-defaults --socket="$socket"
everything accepted
request GET /api/nothing
is "what needs no database never noticed" "$status" 404
done_testing
