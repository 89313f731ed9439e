#!/bin/bash
# Whatever is killed comes back by itself.
. "$(dirname "$0")/lib.sh"
own_stack

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

watcher=$(leaders "$stack_dir" | sed -n 's/^ingest //p')
kill -9 "$watcher"
scripts/down --dir "$stack_dir"
is "down stops workers that have lost their watcher" "$(pids_of ingest.fcgi)" ""
done_testing
