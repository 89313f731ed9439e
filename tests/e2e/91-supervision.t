#!/bin/bash
# Whatever is killed comes back by itself.
. "$(dirname "$0")/lib.sh"
own_stack --set metrics_token=0123456789abcdef

healthy() {
    [ "$(curl -s -m 2 -o /dev/null -w '%{http_code}' "$base_url/health")" = 200 ]
}

# back COMM COUNT PID: this many run, and that one is not among them.
back() {
    local pids
    pids=$(pids_of "$1")
    [ "$(wc -w <<<"$pids")" -eq "$2" ] && ! grep -qx "$3" <<<"$pids"
}

while read -r program count _; do
    case $program in '' | '#'*) continue ;; esac
    comm=$program.fcgi
    is "$comm has $count workers" "$(pids_of "$comm" | wc -l)" "$count"
    victim=$(pids_of "$comm" | head -1)
    kill -9 "$victim"
    ok "$comm is back within a second" within "$(patient 1)" back "$comm" "$count" "$victim"
done <etc/workers
ok "the service is healthy" healthy

for round in 1 2 3 4 5; do
    for victim in $(pids_of status.fcgi); do kill -9 "$victim"; done
    ok "round $round of killing every status worker" within "$(patient 1)" healthy
done

victim=$(pids_of lighttpd)
kill -9 "$victim"
ok "lighttpd is back" within "$(patient 3)" back lighttpd 1 "$victim"
ok "and answers" within "$(patient 3)" healthy

victim=$(pids_of mariadbd)
kill -9 "$victim"
ok "mariadbd is back" within "$(patient 5)" back mariadbd 1 "$victim"
ok "and the workers are connected again" within "$(patient 10)" healthy

# ---- a host: systemd starts the watcher as the unit says
watching() {
    grep -v '^#' "$1" | sed -n 's/.*multiwatch \(--signal TERM[a-z0-9 -]*\) .*/\1/p' | sed 's/ --forks.*//'
}
unit=$(watching scripts/pool)
like "the unit's pool has the watcher's options" "$unit" '^--signal TERM'
is "they are those of this stack" "$unit" "$(watching scripts/up)"
# shellcheck disable=SC2016 # for the shell that is started
short_lived='echo started >>"$0"; exec sleep 0.05'
# shellcheck disable=SC2086 # options
/usr/bin/multiwatch $unit --forks 1 -- /bin/sh -c "$short_lived" "$scratch/starts" &
watcher=$!
starts() {
    [ "$(wc -l <"$scratch/starts")" -ge 12 ]
}
ok "a worker that dies twelve times at once is started again" within 10 starts
kill -9 $watcher
like "systemd starts the watcher again however often it ends" "$(cat etc/loadline@.service)" 'StartLimitIntervalSec=0'

# ---- a slot that is lost is seen
workers() {
    curl -s "$base_url/metrics" -H 'Authorization: Bearer 0123456789abcdef' | sed -n "s/^loadline_workers{program=\"$1\"} //p"
}
while read -r program count _; do
    case $program in '' | '#'*) continue ;; esac
    is "GET /metrics: workers of $program" "$(workers "$program")" "$count"
done <etc/workers
kill -STOP "$(leaders "$stack_dir" | sed -n 's/^export //p')"
victim=$(pids_of export.fcgi | head -1)
kill -9 "$victim"
is "one whose watcher does not start it again is missing" "$(workers export)" 1
kill -CONT "$(leaders "$stack_dir" | sed -n 's/^export //p')"
ok "... until it does" within 5 back export.fcgi 2 "$victim"
is "... and is seen" "$(workers export)" 2

watcher=$(leaders "$stack_dir" | sed -n 's/^ingest //p')
kill -9 "$watcher"
scripts/down --dir "$stack_dir"
is "down stops workers that have lost their watcher" "$(pids_of ingest.fcgi)" ""
done_testing
