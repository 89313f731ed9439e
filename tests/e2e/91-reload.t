#!/bin/bash
# loadline-admin reload: the workers take a new configuration, and no request is lost meanwhile.
# shellcheck disable=SC2154 # cluster.sh and lib.sh set them
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
[ "$server" != cgi ] || skip_all "as plain CGI every request reads the configuration"
own_stack --workers notify=0 --set signup_limit=0/600
reload() {
    said=$(LOADLINE_CONF=$stack_dir/loadline.conf "$build/bin/loadline-admin" reload "$@" 2>&1)
    code=$?
}
set_key() { # KEY VALUE
    sed -i "/^$1 = /d" "$stack_dir/loadline.conf"
    echo "$1 = $2" >>"$stack_dir/loadline.conf"
}
all_pids() {
    local program
    awk '/^[a-z]/ { print $1 }' etc/workers | while read -r program; do pids_of "$program.fcgi"; done | sort
}
mode() { request GET /api/auth/signup; json .signup; }

account Reload
cluster 2 2 >"$scratch/snapshot"
push shop "$scratch/snapshot"
gzip -1c "$scratch/snapshot" >"$scratch/snapshot.gz"
is "before" "$(mode)" open

# ---- under load
# load NAME [curl's options]: asks again and again until $scratch/go is gone; the statuses are in $scratch/NAME.
load() {
    local name=$1
    shift
    : >"$scratch/$name"
    while [ -e "$scratch/go" ]; do
        curl -s -m 30 -o /dev/null -w '%{http_code}\n' "$@" >>"$scratch/$name" || echo "curl $?" >>"$scratch/$name"
    done
}
touch "$scratch/go"
load health "$base_url/health" &
load clusters -H "Authorization: Bearer $token" "$base_url/api/clusters" &
load gate -H "X-API-Key: $api_key" -H 'Content-Type: application/json' -d '{"cluster_id": "shop"}' "$base_url/api/validate" &
load push -H "X-API-Key: $api_key" -H 'X-Cluster-Id: shop' -H 'Content-Type: application/json' -H 'Content-Encoding: gzip' \
    --data-binary "@$scratch/snapshot.gz" "$base_url/ingest" &
# more N: every load has so many answers more than it had.
more() {
    local name
    for name in health clusters gate push; do
        [ "$(wc -l <"$scratch/$name")" -ge $((${had[$name]-0} + $1)) ] || return 1
    done
}
declare -A had
mark() {
    local name
    for name in health clusters gate push; do had[$name]=$(wc -l <"$scratch/$name"); done
}
ok "the load has begun" within 20 more 5
before=$(all_pids)
for wanted in closed invite open closed; do
    set_key signup $wanted
    reload
    is "signup = $wanted: reload is done" "$code" 0
    is "the workers know it" "$(mode)" $wanted
    mark
    within 20 more 3
done
rm "$scratch/go"
wait
is "every program was told" "$(awk '{ print $1 }' <<<"$said" | sort)" "$(awk '/^[a-z]/ { print $1 }' etc/workers | sort)"
is "every worker is a new one" "$(comm -12 <(echo "$before") <(all_pids))" ""
is "and there are as many" "$(all_pids | wc -l)" "$(wc -l <<<"$before")"
for name in health clusters gate push; do
    is "no request of $name is lost" "$(sort -u "$scratch/$name")" 200
done
diag "$(for name in health clusters gate push; do echo "$name: $(wc -l <"$scratch/$name") answers"; done)"

# ---- what a worker has begun it ends
mariadb --defaults-file="$stack_dir/admin.cnf" -e 'LOCK TABLES clusters WRITE; SELECT SLEEP(0.8); UNLOCK TABLES' >/dev/null &
locked() { [ "$(sql "SELECT COUNT(*) FROM information_schema.processlist WHERE state = 'User sleep'")" = 1 ]; }
ok "somebody holds a table" within 5 locked
curl -s -m 30 -o /dev/null -w '%{http_code}\n' -H "Authorization: Bearer $token" "$base_url/api/clusters" >"$scratch/slow" &
# The server's root sees everybody's connections.
waits() { [ "$(mariadb --no-defaults --batch --skip-column-names --socket="$stack_dir/sock/mariadb.sock" --user="$(id -un)" -e "SELECT COUNT(*) FROM information_schema.processlist WHERE state LIKE 'Waiting for table metadata lock%'")" = 1 ]; }
ok "a request waits for it" within 5 waits
reload clusters
is "reload of one program" "$code $said" "0 clusters     2 workers"
wait
is "the request was answered" "$(cat "$scratch/slow")" 200

# ---- the notifier
# unit: what systemd does for one. Its processes are children of process 1, and one that has ended is started anew after a second.
unit() {
    local pid
    while [ -e "$scratch/unit" ]; do
        LOADLINE_CONF=$stack_dir/loadline.conf setsid -f "$build/bin/loadline-notify" --only alerts --for 60 </dev/null >/dev/null 2>&1
        until pid=$(notifier) || [ ! -e "$scratch/unit" ]; do sleep 0.05; done
        wait_gone 60 "$pid"
        sleep 1
    done
}
# notifier: its process, as loadline-admin sees it
notifier() { LOADLINE_CONF=$stack_dir/loadline.conf "$build/bin/loadline-admin" check 2>&1 | sed -n 's/.*notifier  *process //p' | grep .; }
touch "$scratch/unit"
unit &
unit=$!
ok "a notifier runs" within 5 notifier
before=$(notifier)
reload
is "reload tells it" "$code" 0
like "and waits for the next one" "$(notifier)" '^[0-9]+$'
isnt "which is another" "$(notifier)" "$before"
rm "$scratch/unit"
kill "$(notifier)"
wait $unit

# ---- what goes wrong
before=$(all_pids)
cp "$stack_dir/loadline.conf" "$scratch/good"
set_key stale_wran 3
reload
like "a configuration that is wrong" "$code $said" '^1 .*unknown key "stale_wran". All workers go on'
is "no worker was replaced" "$(all_pids)" "$before"
cp "$scratch/good" "$stack_dir/loadline.conf"
reload nonsense
like "no such program" "$code $said" '^1 .*nonsense is no program'
watcher=$(leaders "$stack_dir" | sed -n 's/^rules //p')
kill -STOP "$watcher"
reload rules
like "a watcher that starts no other" "$code $said" '^1 .*rules: worker [0-9]* has ended, and none has taken its place.*journalctl'
kill -CONT "$watcher"
back() { [ -n "$(pids_of rules.fcgi)" ] && request GET /api/notifications/rules && [ "$status" = 401 ]; }
ok "... until it does" within 5 back
set_key waiting_file "$stack_dir/other"
reload
like "a configuration of something that does not run" "$code $said" "^1 .*$stack_dir/other: No such file.*No program runs"
ok "which is not made" test ! -e "$stack_dir/other"
cp "$scratch/good" "$stack_dir/loadline.conf"
done_testing
