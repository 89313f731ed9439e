#!/bin/bash
# A notifier whose database refuses what it writes, or stands still: no message is lost, and none goes out twice, although
# what was sent cannot be recorded before its lease is over.
# shellcheck disable=SC2034,SC2119,SC2154 # outbox.sh and refusals.sh: notify takes arguments, receiver sets its URL
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
. tests/e2e/outbox.sh
. tests/e2e/notifiers.sh
own_stack --workers notify=0 --set webhook_allow=127.0.0.0/8 --set webhook_allow_http=1
. tests/e2e/refusals.sh
receiver plain

is_refused() {
    [ "$(sql 'SELECT COUNT(*) FROM loadline.test_refused')" -ge "$1" ]
}

# ---- each table that it writes to
channel first webhook "$plain/ok/first"
queue first '{"n":1}'
arm
notify
disarm
mapfile -t pairs < <(touched)
is "what a notifier writes" "${pairs[*]}" "channels UPDATE outbox UPDATE"
notifier
i=0
for pair in "${pairs[@]}" "channels UPDATE busy" "outbox UPDATE busy"; do
    i=$((i + 1))
    channel "row$i" webhook "$plain/slow/1/row$i"
    # shellcheck disable=SC2086 # a table and an event
    arm $pair
    queue "row$i" '{"n":1}'
    await is_refused 1
    sleep 1.5
    leases_run_out
    sleep 2.5
    disarm
    await is_sent "row$i"
    is "$pair refused: sent once" "$(came "/slow/1/row$i") $(states "row$i")" "1 sent 1"
done
ends

# ---- a claim that takes too much of its lease
channel slowly webhook "$plain/ok/slowly"
sql "CREATE TRIGGER loadline.slowly BEFORE UPDATE ON loadline.outbox FOR EACH ROW DO IF(NEW.lease_owner IS NULL, 0, SLEEP(6))"
queue slowly '{"n":1}'
notifier
is_claimed() { [ "$(delivery slowly lease_owner)" != NULL ]; }
await is_claimed
sql "DROP TRIGGER loadline.slowly"
sleep 1
is "claimed for too long: not sent, somebody else could have its lease by then" "$(came /ok/slowly) $(states slowly)" "0 queued 0"
leases_run_out
await is_sent slowly
is "then once" "$(came /ok/slowly) $(states slowly)" "1 sent 1"

# ---- a database that stands still until the lease of another notifier is over, which has sent and then records it
channel still webhook "$plain/ok/still"
sql "$quietly SET autocommit = 0; INSERT INTO outbox (delivery_id, tenant_id, channel_id, event, title, body, created_at,
    next_attempt_at, state, position) SELECT UUID(), tenant_id, channel_id, 'Test', '', '{}', UTC_TIMESTAMP(3), UTC_TIMESTAMP(3), 'queued', 1
    FROM channels WHERE name = 'still'; UPDATE outbox SET lease_owner = UUID(), lease_until = UTC_TIMESTAMP(3) + INTERVAL 2 SECOND
    WHERE state = 'queued'; COMMIT"
database=$(pids_of mariadbd)
kill -STOP "$database"
sleep 7
kill -CONT "$database"
sleep 1
sql "$quietly UPDATE outbox SET state = 'sent', attempts = 1, lease_owner = NULL, lease_until = NULL WHERE state = 'queued'"
sleep 4
is "the other one records it first, and it does not go out twice" "$(came /ok/still) $(states still)" "0 sent 1"
channel after webhook "$plain/ok/after"
queue after '{"n":1}'
await is_sent after
is "and the notifier goes on" "$(came /ok/after)" 1
ends
done_testing
