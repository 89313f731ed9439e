#!/bin/bash
# Notifiers, many at once and killed at any moment: no message is lost, and one arrives twice only when its
# notifier died between sending and recording, then with the same id and bytes.
# shellcheck disable=SC2119,SC2154 # outbox.sh: notify takes arguments, receiver sets its URL
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
. tests/e2e/outbox.sh
. tests/e2e/notifiers.sh
own_stack --workers notify=0 --set webhook_allow=127.0.0.0/8 --set webhook_allow_http=1
receiver plain

channel claimed webhook "$plain/ok/claimed"
queue claimed '{"n":1}'
sql "UPDATE loadline.outbox SET lease_owner = UUID(), lease_until = UTC_TIMESTAMP(3) + INTERVAL 20 SECOND"
notify
is "claimed by one that died before sending: not sent while its lease lasts" "$(received /ok/claimed | wc -l)" 0
leases_run_out
notify
is "then once" "$(received /ok/claimed | wc -l) $(states claimed)" "1 sent 1"

# What a clock has written that was a day ahead and is set back now.
ahead='UTC_TIMESTAMP(3) + INTERVAL 1 DAY' n=0
for falsely in "next_attempt_at = $ahead" "attempts = 1, last_attempt_at = $ahead, next_attempt_at = $ahead" \
    "lease_owner = UUID(), lease_until = $ahead"; do
    n=$((n + 1))
    channel "ahead$n" webhook "$plain/ok/ahead"
    queue "ahead$n" '{"n":1}'
    sql "UPDATE loadline.outbox SET $falsely WHERE state = 'queued'"
    notify
    is "a day ahead: ${falsely%% *}" "$(states "ahead$n")" "sent $((n == 2 ? 2 : 1))"
done
channel patient webhook "$plain/ok/patient"
queue patient '{"n":1}'
sql "UPDATE loadline.outbox SET attempts = 1, last_attempt_at = UTC_TIMESTAMP(3), next_attempt_at = $ahead WHERE state = 'queued'"
notify
is "but whoever was told to come tomorrow waits" "$(states patient)" "queued 1"

channel dying webhook "$plain/slow/3/dying"
queue dying '{"n":1}'
notifier
await arrived /slow/3/dying 1
dies "$notifier"
is "killed between sending and recording: still queued" "$(states dying)" "queued 0"
notify
is "not sent while its lease lasts" "$(received /slow/3/dying | wc -l)" 1
leases_run_out
notify
is "then again" "$(received /slow/3/dying | wc -l) $(states dying)" "2 sent 1"
is "with the same id and bytes" "$(received /slow/3/dying | jq -c '[.headers["webhook-id"], .body]' | uniq | wc -l)" 1

channel during webhook "$plain/slow/3/during"
queue during '{"n":1}'
notifier
await arrived /slow/3/during 1
dies "$(pids_of mariadbd)"
await sql 'SELECT 1'
await is_sent during
is "the database died between sending and recording: recorded when it is back" "$(received /slow/3/during | wc -l)" 1
channel after webhook "$plain/ok/after"
queue after '{"n":1}'
await is_sent after
is "and the notifier goes on" "$(received /ok/after | wc -l)" 1
ends "$notifier"
is "SIGTERM ends it" "$?" 0

channel before webhook "$plain/ok/before"
queue before '{"n":1}'
dies "$(pids_of mariadbd)"
notifier
await is_sent before
is "the database died before sending: sent when it is back" "$(received /ok/before | wc -l)" 1
ends "$notifier"

# A database that takes its time over each message.
for i in {1..20}; do
    channel "slowly-$i" webhook "$plain/ok/slowly/$i"
    queue "slowly-$i" '{"n":1}'
done
slowly() {
    sql "SELECT COUNT(*) FROM loadline.outbox JOIN loadline.channels USING (channel_id) WHERE name LIKE 'slowly-%' AND ($1)"
}
sql "CREATE TRIGGER loadline.slowly BEFORE UPDATE ON loadline.outbox FOR EACH ROW DO SLEEP(0.2)"
notifier
await arrived /ok/slowly 1
below "the first message leaves before the last one is claimed" "$(slowly "lease_owner IS NOT NULL OR state = 'sent'")" 20
sql "DROP TRIGGER loadline.slowly"
all_slowly() { [ "$(slowly "state = 'sent'")" = 20 ]; }
await all_slowly
is "each is sent once" "$(received /ok/slowly | wc -l)" 20
ends "$notifier"

# More channels than a notifier takes at a time, each with more than one message.
sql "INSERT INTO loadline.channels (channel_id, tenant_id, type, name, url, url_masked, enabled, created_at)
    SELECT UUID(), '00000000-0000-0000-0000-0000000000aa', 'slack', CONCAT('crowd-', seq), CONCAT('P$plain/slow/1/crowd/', seq), '', 1, UTC_TIMESTAMP(3)
    FROM seq_1_to_300;
    INSERT INTO loadline.outbox (delivery_id, tenant_id, channel_id, event, title, body, created_at, next_attempt_at, state, position)
    SELECT UUID(), tenant_id, channel_id, 'Test', '', '{}', UTC_TIMESTAMP(3), UTC_TIMESTAMP(3), 'queued', seq
    FROM loadline.channels JOIN seq_1_to_3 WHERE name LIKE 'crowd-%'"
notify
is "nine hundred messages to three hundred channels, each once" "$(received /slow/1/crowd | wc -l)" 900

# many PREFIX: a thousand messages to twenty channels.
many() {
    local i
    for i in {1..20}; do channel "$1-$i" webhook "$plain/ok/$1/$i"; done
    sql "INSERT INTO loadline.outbox (delivery_id, tenant_id, channel_id, event, title, body, created_at, next_attempt_at, state, position)
        SELECT UUID(), tenant_id, channel_id, 'Test', '', CONCAT('{\"n\":', seq, '}'), UTC_TIMESTAMP(3), UTC_TIMESTAMP(3), 'queued', seq
        FROM loadline.channels JOIN seq_1_to_50 WHERE name LIKE '$1-%'"
}
all_sent() {
    [ "$(sql "SELECT COUNT(*) FROM loadline.outbox JOIN loadline.channels USING (channel_id)
        WHERE name LIKE '$1-%' AND state = 'sent'")" = 1000 ]
}
# in_order PREFIX: channels whose messages came 1 to 50; one that came twice counts where it came first.
in_order() {
    received "/ok/$1/" | jq -s '[group_by(.path)[] | map(.body | fromjson.n)
        | reduce .[] as $n ([]; if index($n) then . else . + [$n] end) | select(. == [range(1; 51)])] | length'
}

many two
notifier; first=$notifier
notifier; second=$notifier
await all_sent two
is "two at once: a thousand messages, each once" \
    "$(received /ok/two/ | jq -r '.headers["webhook-id"]' | sort | uniq -c | awk '{print $1}' | sort | uniq -c | xargs)" "1000 1"
is "in the order of their channels" "$(in_order two)" 20
ends "$first"
ends "$second"
sent_by=$(grep -c ' sent=[1-9]' "$scratch/notify.log")
ok "both had a share" test "$sent_by" -ge 2

many three
pids=()
for i in 1 2 3; do
    notifier
    pids+=("$notifier")
done
kills=0
for ((i = 0; i < 12; i++)); do
    sleep "0.$((RANDOM % 4))"
    ! all_sent three || break
    dies "${pids[i % 3]}"
    kills=$((kills + 1))
    leases_run_out
    notifier
    pids[i % 3]=$notifier
done
for ((i = 0; i < 200; i++)); do
    ! all_sent three || break
    leases_run_out
    sleep 0.1
done
for pid in "${pids[@]}"; do ends "$pid"; done
ok "three at once, killed $kills times: every message was sent" all_sent three
is "a thousand ids" "$(received /ok/three/ | jq -r '.headers["webhook-id"]' | sort -u | wc -l)" 1000
is "each with one body and path" "$(received /ok/three/ | jq -c '[.headers["webhook-id"], .body, .path]' | sort -u | wc -l)" 1000
doubles=$(($(received /ok/three/ | wc -l) - 1000))
ok "twice only what a killed one was at ($doubles doubles)" test "$doubles" -le $((kills * 20))
is "first arrivals in the order of their channels" "$(in_order three)" 20
done_testing
