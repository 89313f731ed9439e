#!/bin/bash
# One host and one database, under pushes, gates, sign-ins, clients that go away and alerts: something is killed,
# frozen, filled up, cut off or refused every moment. What was acknowledged is there, once and whole; every alert
# arrives; every request is answered within a time; and all is well again without a hand.
#
# LOADLINE_CHAOS_SECONDS says how long (default 600), LOADLINE_CHAOS_KILLS how many kills it goes on for (default 300, in at
# most three times as long), LOADLINE_CHAOS_SEED repeats a run's order of events.
# shellcheck disable=SC2154 # outbox.sh and lib.sh set them
. "$(dirname "$0")/../e2e/lib.sh"
. tests/e2e/outbox.sh
. tests/e2e/promises.sh
. tests/chaos/kills.sh
. tests/chaos/deeds.sh
kills=${LOADLINE_CHAOS_KILLS:-300}
seconds=${LOADLINE_CHAOS_SECONDS:-600} seed=${LOADLINE_CHAOS_SEED:-$(date +%s)}
RANDOM=$((seed % 32768))
diag "LOADLINE_CHAOS_SEED=$seed LOADLINE_CHAOS_SECONDS=$seconds LOADLINE_CHAOS_KILLS=$kills; load average $(cut -d' ' -f1-3 /proc/loadavg)"

trap 'kill "${receivers[@]}" 2>/dev/null; small_disk_away; clean_up' EXIT
small_disk
with_a_clock own_stack --set signup_limit=0/600 --set login_limit=0/300 --set login_fail_limit=0/300 --set key_fail_limit=0/60 \
    --set webhook_allow=127.0.0.0/8 --set webhook_allow_http=1
account "Chaos Test"
LOADLINE_CONF=$stack_dir/loadline.conf "$build/bin/loadline-admin" plan "$tenant" professional >/dev/null
echo "+7200" >"$scratch/clock"
ahead() {
    request GET /health
    [ $(($(date -d "$(header Date)" +%s) - $(date +%s))) -gt 7000 ] && [ "$status" = 200 ]
}
ok "the clock of the host can be moved" within 10 ahead
echo "+0" >"$scratch/clock"

receiver plain
channels=6
for n in $(seq $channels); do
    ask POST /api/notifications/channels "{\"type\":\"webhook\",\"name\":\"hook $n\",\"webhookUrl\":\"$plain/ok/hook/$n\"}"
done
ask POST /api/notifications/rules '{"condition":"degraded_app"}'
is "alerts go to a receiver" "$status" 201

# ---- load, and what breaks
start=$(date -u '+%F %T')
mkdir "$scratch/load"
python3 tests/e2e/load.py --rude --login "$email:$password" "$scratch/load" $((3 * seconds + 60)) "$api_key" "$base_url" >"$scratch/load/said" 2>&1 &
load=$!
declare -A times=()
# next_deed: sets name. Every deed once, in any order, then anew.
left=()
next_deed() {
    local i
    [ ${#left[@]} -gt 0 ] || left=("${deeds[@]}")
    i=$((RANDOM % ${#left[@]}))
    name=${left[i]}
    left=("${left[@]:0:i}" "${left[@]:i+1}")
}
longest=0 began_at=$(date +%s)
until enough "$seconds" "$kills" "$began_at"; do
    sleep 0.$((RANDOM % 9 + 1))
    next_deed
    "deed_$name"
    times[$name]=$((${times[$name]:-0} + 1))
    sweep_clock
    began=$(date +%s%N)
    limit=$(patient 30)
    [ "$name" != disk ] || limit=$((limit + 60)) # a MariaDB that starts while its disk is full looks at it again after a minute
    within "$limit" curl -sf -m 5 "$base_url/health" || fail "after $name, all is well again in $limit s"
    took=$((($(date +%s%N) - began) / 1000000))
    [ $took -le $longest ] || longest=$took slowest=$name
done
kill $load
wait $load
diag "$(for name in "${!times[@]}"; do printf '%s: %d; ' "$name" "${times[$name]}"; done) killed: $killed in $(($(date +%s) - began_at)) s, load average $(cut -d' ' -f1-3 /proc/loadavg); longest until well again: $longest ms ($slowest)"
diag "$(grep '^figures' "$scratch/load/said")"
empty "no promise was broken" "$(grep -v '^figures' "$scratch/load/said")"
diag "errors: $(cat "$stack_dir"/log/*.log | grep -v 'database statement' | grep -E 'level=error|status=500' | cut -c1-300 | sort | uniq -c | sort -rn | head -10)"
diag "what the programs said of the database: $(cat "$stack_dir"/log/*.log | sed -n 's/.*database statement=\([^ ]*\).*code=\([0-9]*\) error=\(.*\)/\2 \1 \3/p' |
    sort | uniq -c | sort -rn | head -20)"

# ---- afterwards
sort -u "$scratch/load/acknowledged" >"$scratch/wanted"
diag "acknowledged pushes: $(wc -l <"$scratch/wanted")"
ok "pushes were acknowledged meanwhile" [ "$(wc -l <"$scratch/wanted")" -ge "$seconds" ]
ok "as much was killed as was asked for ($killed)" [ "$killed" -ge "$kills" ]
promises "afterwards" "$scratch/wanted" sql
all_sent() {
    [ "$(sql "SELECT COUNT(*) FROM loadline.outbox WHERE state = 'queued'")" = 0 ]
}
ok "every alert is delivered in the end" within "$(patient 90)" all_sent
promises_of_alerts sql
# Of one cluster: what two raise at once has no order. What was raised while the clock was wrong has a place of then.
for n in $(seq $channels); do
    sql "SELECT COALESCE(cluster_name, ''), delivery_id FROM loadline.outbox JOIN loadline.channels USING (channel_id)
        WHERE state = 'sent' AND name = 'hook $n' AND outbox.created_at BETWEEN '$start' AND UTC_TIMESTAMP() ORDER BY position" |
        sort -s -t $'\t' -k1,1 >"$scratch/placed"
    received "/ok/hook/$n" | jq -r '.headers["webhook-id"]' |
        awk -F '\t' 'NR == FNR { cluster[$2] = $1; next } $1 in cluster && !seen[$1]++ { print cluster[$1] "\t" $1 }' "$scratch/placed" - |
        sort -s -t $'\t' -k1,1 >"$scratch/came"
    empty "alerts of a cluster arrive at channel $n in their order ($(wc -l <"$scratch/placed"))" "$(diff "$scratch/placed" "$scratch/came" | head -5)"
done
LOADLINE_CONF=$stack_dir/loadline.conf "$build/bin/loadline-maintain" >"$scratch/maintain.log" 2>&1
is "maintenance has nothing to complain of" "$?" 0
below "workers have not grown (MiB)" "$(peak ingest.fcgi)" 64
while read -r program count _; do
    case $program in '' | '#'*) continue ;; esac
    is "$program has its workers again" "$(pids_of "$program.fcgi" | wc -l)" "$count"
done <etc/workers
done_testing
