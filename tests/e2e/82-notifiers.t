#!/bin/bash
# Several notifiers at once: what one of them has sent and cannot record, or is still at, no other one sends again. Who was
# taken for dead sends nothing that it had not begun, and what it has sent is sent.
# shellcheck disable=SC2034,SC2119,SC2154 # outbox.sh and refusals.sh set them, and take arguments
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
. tests/e2e/outbox.sh
. tests/e2e/notifiers.sh
own_stack --workers notify=0 --set webhook_allow=127.0.0.0/8 --set webhook_allow_http=1
. tests/e2e/refusals.sh
receiver plain
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1 \
    -keyout "$scratch/key.pem" -out "$scratch/cert.pem" 2>/dev/null
cat "$scratch/key.pem" "$scratch/cert.pem" >"$scratch/tls.pem"
echo "webhook_ca = $scratch/cert.pem" >>"$stack_dir/loadline.conf"

owner() {
    sql "SELECT lease_owner FROM loadline.outbox o JOIN loadline.channels c USING (channel_id) WHERE name = '$1'"
}

# ---- channels alone cannot be written to: what was sent is recorded all the same, and the next one goes out
arm channels UPDATE
channel health webhook "$plain/ok/health"
queue health '{"n":1}'
queue health '{"n":2}'
channel gone webhook "$plain/status/410/gone"
queue gone '{"n":1}'
notifier
all_tried() { [ "$(states health | xargs)" = "sent 1 sent 1" ] && [ "$(states gone)" = "queued 1" ]; }
await all_tried
is "recorded while its channel cannot be" "$(came /ok/health) $(states health | xargs)" "2 sent 1 sent 1"
is "a channel that cannot be disabled is tried again" "$(came /status/410/gone) $(states gone)" "1 queued 1"
like "... and the log says so" "$(cat "$scratch/notify.log")" 'problem="its health could not be recorded"'
dies "$notifier"
disarm
ok "... it was refused" [ "$refused" -gt 0 ]
due_now gone
notify
is "then it is disabled, and nothing was sent twice" "$(came /ok/health) $(states gone) $(sql "SELECT enabled FROM loadline.channels WHERE name = 'gone'")" "2 gave_up 2 0"

# ---- it can say that it lives, and cannot record
channel living webhook "$plain/ok/living"
queue living '{"n":1}'
sql "DELIMITER //
    CREATE TRIGGER loadline.undecided BEFORE UPDATE ON loadline.outbox FOR EACH ROW
    IF NEW.state <> OLD.state THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'refused'; END IF //"
notifier; first=$notifier
await arrived /ok/living
notifier; second=$notifier
holder=$(owner living)
leases_run_out
sleep 9
is "another one leaves it alone" "$(came /ok/living) $(owner living)" "1 $holder"
sql "DROP TRIGGER loadline.undecided"
await is_sent living
is "it is recorded in the end" "$(came /ok/living) $(states living)" "1 sent 1"
ends "$first" "$second"

# ---- it can write nothing until its lease is over, and nobody else can
channel waiting webhook "$plain/slow/1/waiting"
queue waiting '{"n":1}'
notifier; first=$notifier
await arrived /slow/1/waiting
arm outbox UPDATE
notifier; second=$notifier
leases_run_out
sleep 3
kill -STOP "$first" # so that the other one comes first
disarm
sleep 1.3
kill -CONT "$first"
await is_sent waiting
is "who has sent it records it, although another one came first" "$(came /slow/1/waiting) $(states waiting)" "1 sent 1"
ends "$first" "$second"

# ---- it stands still behind what it has sent
channel frozen webhook "$plain/slow/1/frozen"
queue frozen '{"n":1}'
notifier; first=$notifier
await arrived /slow/1/frozen
kill -STOP "$first"
leases_run_out
notifier; second=$notifier
await arrived /slow/1/frozen 2
is "who stands still is taken for dead: it comes again, with the same id and bytes" \
    "$(received /slow/1/frozen | jq -c '[.headers["webhook-id"], .body]' | sort -u | wc -l)" 1
kill -CONT "$first"
await is_sent frozen
ends "$first" "$second"
is "both have sent it, and that is all" "$(came /slow/1/frozen) $(states frozen)" "2 sent 1"

# ---- it has lost its lease while it was at it, as to a database that has lost the claim
channel robbed webhook "$plain/slow/2/robbed"
queue robbed '{"n":1}'
notifier
await arrived /slow/2/robbed
sql "$quietly UPDATE outbox SET lease_owner = UUID(), lease_until = UTC_TIMESTAMP(3) + INTERVAL 50 SECOND WHERE state = 'queued'"
await is_sent robbed
is "what has arrived is sent, whoever has it by then" "$(came /slow/2/robbed) $(states robbed) $(owner robbed)" "1 sent 1 NULL"
channel again webhook "$plain/slow/2/again"
queue again '{"n":1}'
await arrived /slow/2/again
sql "$quietly UPDATE outbox SET lease_owner = NULL, lease_until = NULL, position = position + 1 WHERE state = 'queued'"
await is_sent again
is "but what was queued again meanwhile is sent again" "$(came /slow/2/again) $(states again)" "2 sent 1"
ends "$notifier"

# ---- its connection to the database hangs, and that of others does not
python3 tests/e2e/db_proxy.py "$scratch/hanging.sock" "$stack_dir/sock/mariadb.sock" &
proxy=$!
receivers+=("$proxy")
await test -S "$scratch/hanging.sock"
sed "s|^socket=.*|socket=$scratch/hanging.sock|" "$stack_dir/db.cnf" >"$scratch/hanging.cnf"
sed "s|^database = .*|database = $scratch/hanging.cnf|" "$stack_dir/loadline.conf" >"$scratch/hanging.conf"
channel hanging webhook "$plain/slow/2/hanging"
queue hanging '{"n":1}'
notifier "$scratch/hanging.conf"; first=$notifier
await arrived /slow/2/hanging
kill -USR1 "$proxy"
notifier; second=$notifier
within "$(patient 25)" is_sent hanging
is "it does not wait for longer than its lease, and records what it has sent" "$(came /slow/2/hanging) $(states hanging)" "1 sent 1"
ends "$first" "$second"

if [ -z "${LOADLINE_TEST_LONG-}" ]; then
    skip "who wakes up late sends nothing" "takes half a minute"
    skip "whose time is up records before it ends" "takes half a minute"
    done_testing
    exit
fi

# ---- it stands still before it sends, and wakes up when another one has sent it
receiver deaf --tls "$scratch/tls.pem" --late 3
channel late webhook "$deaf/ok/late"
queue late '{"n":1}'
notifier; first=$notifier
is_claimed() { [ "$(owner late)" != NULL ]; }
await is_claimed
sleep 1
kill -STOP "$first"
leases_run_out
notifier; second=$notifier
await is_sent late
sleep 26
kill -CONT "$first"
sleep 3
is "who wakes up late sends nothing" "$(wc -l <"$scratch/deaf.log") $(states late)" "1 sent 1"
like "... and says so" "$(cat "$scratch/notify.log")" 'problem="no longer ours when it ended" error="It was not sent in time."'
ends "$first" "$second"

# ---- its time is up while it cannot record
channel overtime webhook "$plain/slow/2/overtime"
queue overtime '{"n":1}'
notifier "$stack_dir/loadline.conf" 2; first=$notifier
await arrived /slow/2/overtime
arm outbox UPDATE
notifier; second=$notifier
sleep 36
leases_run_out
disarm
await is_sent overtime
is "whose time is up records before it ends" "$(came /slow/2/overtime) $(states overtime)" "1 sent 1"
wait "$first"
is "... and ends well" "$?" 0
ends "$second"
all_passed || diag "$(tail -n 60 "$scratch/notify.log")"
done_testing
