#!/bin/bash
# Deliveries to real receivers: what becomes of a message for each of their manners, the headers and bytes
# that arrive, the order of a channel, and addresses that nothing is sent to.
# shellcheck disable=SC2119,SC2154 # outbox.sh: notify takes arguments, receiver sets its URL
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
. tests/e2e/outbox.sh
own_stack --workers notify=0 --set webhook_allow=127.0.0.0/8 --set webhook_allow_http=1
receiver plain
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1 \
    -keyout "$scratch/key.pem" -out "$scratch/cert.pem" 2>/dev/null
cat "$scratch/key.pem" "$scratch/cert.pem" >"$scratch/tls.pem"
receiver tls --tls "$scratch/tls.pem"

notify
is "an empty outbox ends it at once" "$?" 0

# manner NAME URL STATE ATTEMPTS STATUS ERROR: what it is after the first attempt; ERROR begins so.
manners=()
manner() {
    channel "$1" webhook "$2"
    queue "$1" "{\"event\":\"Test\",\"title\":\"$1\"}"
    manners+=("$1|$3|$4|$5|$6")
}
manner cut "$plain/cut/cut" queued 1 NULL 'Empty reply from server.'
manner fine "$plain/ok/fine" sent 1 200 ''
manner broken "$plain/status/500/broken" queued 1 500 'The receiver answered 500.'
manner refused "$plain/status/404/refused" queued 1 404 'The receiver answered 404.'
manner limited "$plain/later/3600/limited" queued 1 429 'The receiver answered 429.'
manner moved "$plain/moved/moved" queued 1 301 'The receiver answered 301; redirects are not followed.'
manner gone "$plain/status/410/gone" gave_up 1 410 'The receiver answered 410.'
manner big "$plain/big/big" sent 1 200 ''
manner untrusted "$tls/ok/untrusted" queued 1 NULL 'SSL certificate problem:'
manner closed "http://127.0.0.1:9/" queued 1 NULL 'Failed to connect to'
# The same for what is not there and for what nobody may ask for: it tells no names of the inside.
unreachable="The receiver's name is not known, or its address is not public and not in webhook_allow."
manner unknown "http://no-such-host.invalid/" queued 1 NULL "$unreachable"
manner private "http://10.0.0.1/" queued 1 NULL "$unreachable"
manner metadata "http://169.254.169.254/" queued 1 NULL "$unreachable"
manner loopback6 "http://[::1]:80/" queued 1 NULL "$unreachable"
manner file "file:///etc/passwd" queued 1 NULL 'The URL is neither https nor http.'
notify
for row in "${manners[@]}"; do
    IFS='|' read -r name state attempts code error <<<"$row"
    is "$name: state" "$(delivery "$name" state)" "$state"
    is "$name: attempts" "$(delivery "$name" attempts)" "$attempts"
    is "$name: status" "$(delivery "$name" last_status)" "$code"
    got=$(delivery "$name" last_error)
    is "$name: error" "${got:0:${#error}}" "$error"
done
is "the log of the host tells which" "$(grep -c 'error="The address is not public' "$scratch/notify.log") $(grep -c 'error="Could not resolve' "$scratch/notify.log")" "3 1"
is "no redirect was followed" "$(received /ok/moved | wc -l)" 0
is "one request each" "$(jq -r .path "$scratch/plain.log" | sort | uniq -d)" ''

is "Retry-After is waited for" \
    "$(sql "SELECT TIMESTAMPDIFF(SECOND, o.last_attempt_at, o.next_attempt_at) FROM loadline.outbox o JOIN loadline.channels USING (channel_id) WHERE name = 'limited'")" 3600
delay=$(sql "SELECT TIMESTAMPDIFF(MICROSECOND, o.last_attempt_at, o.next_attempt_at) DIV 1000 FROM loadline.outbox o JOIN loadline.channels USING (channel_id) WHERE name = 'broken'")
ok "the second attempt comes after 5 s and a little ($delay ms)" test "$delay" -ge 4999 -a "$delay" -le 5501
is "410 disables the channel" "$(sql "SELECT enabled, disabled_reason FROM loadline.channels WHERE name = 'gone'")" \
    "0	The receiver answered 410."
is "health of a good channel" \
    "$(sql "SELECT last_success_at = last_attempt_at, failing_since IS NULL, last_status, last_error FROM loadline.channels WHERE name = 'fine'")" "1	1	200	"
is "health of a bad one" \
    "$(sql "SELECT last_success_at IS NULL, failing_since = last_attempt_at, last_status IS NULL, last_error FROM loadline.channels WHERE name = 'cut'")" "1	1	1	Empty reply from server."

forget_queued() {
    sql "DELETE FROM loadline.outbox WHERE state = 'queued'"
}
forget_queued

# A receiver that hangs holds up nobody else. Nothing else is tried meanwhile: this notifier would send it, too.
channel hung webhook "$plain/hang/hung"
channel slow webhook "$plain/slow/3/slow"
queue hung '{"n":1}'
queue slow '{"n":1}'
queue slow '{"n":2}'
began=$(date +%s)
notify
below "two slow ones in the time that one hangs, seconds" "$(($(date +%s) - began))" "$(patient 13)"
is "the slow ones arrived" "$(states slow)" "sent 1
sent 1"
is "the hung one timed out" "$(states hung)" "queued 1"
like "after 10 s" "$(delivery hung last_error)" '^Operation timed out after 10'
forget_queued

# One that was used before is cut: libcurl would take that for its end, and ask again.
channel used webhook "$plain/ok/used"
channel recut webhook "$plain/cut/recut"
queue used '{"n":1}'
notify --for 3 &
under_way=$!
is_used() { [ "$(received /ok/used | wc -l)" = 1 ]; }
ok "a connection is used" within "$(patient 5)" is_used
queue recut '{"n":1}'
wait $under_way
is "then cut: one request an attempt" "$(received /cut/recut | wc -l) $(states recut)" "1 queued 1"
forget_queued

# A message again: the same id and bytes.
channel flaky webhook "$plain/flaky/503/2/flaky"
queue flaky '{"event":"Test","title":"fläky \"quotes\""}'
notify
due_now flaky
notify
due_now flaky
notify
is "delivered at the third attempt" "$(delivery flaky state) $(delivery flaky attempts)" "sent 3"
is "three requests" "$(received /flaky | wc -l)" 3
is "with one id and one body" "$(received /flaky | jq -c '[.headers["webhook-id"], .body]' | sort -u | wc -l)" 1
is "the id is the delivery's" "$(received /flaky | jq -r '.headers["webhook-id"]' | head -1)" "$(delivery flaky delivery_id)"
is "the body is the stored one" "$(received /flaky | jq -r .body | head -1)" '{"event":"Test","title":"fläky \"quotes\""}'
is "as JSON" "$(received /flaky | jq -r '.headers["content-type"]' | head -1)" application/json

received /flaky >"$scratch/signed"
is "each signed at its time" "$(signed_by "$scratch/signed" "$secret")" 3
channel chat slack "$plain/ok/chat"
queue chat '{"text":"hi"}'
notify
is "a channel without a secret gets no signature" "$(received /ok/chat | jq -c '.headers | has("webhook-signature")')" false

# The order of a channel.
bodies() {
    received "$1" | jq -j .body
}
channel ordered webhook "$plain/flaky/500/1/ordered"
for i in 1 2 3 4 5; do queue ordered "{\"n\":$i}"; done
notify
is "the first one failed: the others wait" "$(bodies /flaky/500/1/ordered)" '{"n":1}'
due_now ordered
notify
is "then all of them, in order" "$(bodies /flaky/500/1/ordered)" '{"n":1}{"n":1}{"n":2}{"n":3}{"n":4}{"n":5}'

# Giving up.
channel hopeless webhook "$plain/status/500/hopeless"
queue hopeless '{"n":1}'
queue hopeless '{"n":2}'
for i in 1 2 3 4 5 6 7 8 9; do
    notify
    due_now hopeless
done
is "after nine attempts it gives up" "$(states hopeless)" "gave_up 9
queued 1"
is "nine requests of the first" "$(received /status/500/hopeless | jq -r .body | grep -c '{"n":1}')" 9
notify
is "the next has its turn" "$(states hopeless)" "gave_up 9
queued 2"

# A refusal that will not change: a few attempts, then the next has its turn.
channel picky webhook "$plain/status/400/picky"
queue picky '{"n":1}'
queue picky '{"n":2}'
for i in 1 2 3; do
    notify
    due_now picky
done
is "a message that is refused is given up after three attempts" "$(states picky)" "gave_up 3
queued 1"
for code in 408 425 429; do
    channel "patient$code" webhook "$plain/status/$code/patient"
    queue "patient$code" '{"n":1}'
    for i in 1 2 3; do
        notify
        due_now "patient$code"
    done
    is "$code may change" "$(states "patient$code")" "queued 3"
done

# Deleted while it is under way, and it arrives.
channel leaving webhook "$plain/slow/2/leaving"
queue leaving '{"n":1}'
leaving=$(sql "SELECT channel_id FROM loadline.channels WHERE name = 'leaving'")
notify &
under_way=$!
begun() {
    [ -n "$(received /slow/2/leaving)" ]
}
ok "it is under way" within "$(patient 5)" begun
sql "UPDATE loadline.outbox SET state = 'cancelled', next_attempt_at = NULL, lease_owner = NULL, lease_until = NULL,
        last_error = 'The channel was deleted.' WHERE channel_id = '$leaving' AND state = 'queued';
     DELETE FROM loadline.channels WHERE channel_id = '$leaving'"
wait $under_way
is "the notifier ends well" "$?" 0
is "what arrived while its channel was deleted is sent" \
    "$(sql "SELECT state, attempts, last_status, last_error FROM loadline.outbox WHERE channel_id = '$leaving'")" "sent	1	200	"
like "... and logged so" "$(tail -n 3 "$scratch/notify.log")" "channel=$leaving attempt=1 status=200 result=sent"

# A disabled channel, and one whose URL nobody can read.
channel off webhook "$plain/ok/off"
queue off '{"n":1}'
sql "UPDATE loadline.channels SET enabled = 0 WHERE name = 'off'"
notify
is "nothing is sent to a disabled channel" "$(received /ok/off | wc -l) $(delivery off last_error)" "0 The channel is disabled."
channel sealed webhook "$plain/ok/sealed"
queue sealed '{"n":1}'
sql "UPDATE loadline.channels SET url = CONCAT('A', REPEAT('x', 60)) WHERE name = 'sealed'"
notify
is "no key, no delivery" "$(received /ok/sealed | wc -l) $(delivery sealed state) $(delivery sealed last_error)" \
    "0 queued The URL cannot be read: its key is not in channel_keys."
channel mute webhook "$plain/ok/mute"
queue mute '{"n":1}'
sql "UPDATE loadline.channels SET secret = CONCAT('A', REPEAT('x', 60)) WHERE name = 'mute'"
notify
is "nothing goes out unsigned that is to be signed" "$(received /ok/mute | wc -l) $(states mute) $(delivery mute last_error)" \
    "0 queued 0 The signing secret cannot be read: its key is not in channel_keys."
sql "UPDATE loadline.channels SET secret = CONCAT('P', '$secret') WHERE name = 'mute'"
due_now mute
notify
is "... and once it can be it does" "$(received /ok/mute | wc -l) $(states mute)" "1 sent 1"
channel later pigeon "$plain/ok/later"
queue later '{"n":1}'
notify
is "a type of a later version waits for that version" "$(received /ok/later | wc -l) $(delivery later state) $(delivery later last_error)" \
    "0 queued The type of the channel is not known to this version of Loadline."
is "what was not tried is no attempt" "$(states off) $(states sealed) $(states later)" "queued 0 queued 0 queued 0"
is "... and is looked at again soon" "$(sql "SELECT MIN(next_attempt_at > UTC_TIMESTAMP(3)), MAX(next_attempt_at < UTC_TIMESTAMP(3) + INTERVAL 31 SECOND)
    FROM loadline.outbox o JOIN loadline.channels c USING (channel_id) WHERE c.name IN ('off', 'sealed', 'later')")" "1	1"
sql "UPDATE loadline.outbox o JOIN loadline.channels c USING (channel_id)
    SET o.created_at = o.created_at - INTERVAL 1 DAY, next_attempt_at = UTC_TIMESTAMP(3) WHERE c.name = 'later'"
notify
is "... for a day" "$(states later)" "gave_up 0"

forget_queued

# A receiver that has been away for long has many waiting: they cost the others nothing.
channel away webhook "$plain/status/500/away"
sql "INSERT INTO loadline.outbox (delivery_id, tenant_id, channel_id, event, title, body, created_at, next_attempt_at, state, position, attempts)
    SELECT UUID(), tenant_id, channel_id, 'Test', '', '{}', UTC_TIMESTAMP(3), UTC_TIMESTAMP(3), 'queued', seq, 0
    FROM loadline.channels, seq_1_to_50000 WHERE name = 'away'"
sql "UPDATE loadline.outbox o JOIN loadline.channels USING (channel_id) SET o.attempts = 1, o.last_error = 'The receiver answered 500.',
    o.next_attempt_at = UTC_TIMESTAMP(3) + INTERVAL 1 HOUR WHERE name = 'away' AND position = 1"
channel present webhook "$plain/ok/present"
queue present '{"n":1}'
rows_read() {
    sql "SHOW GLOBAL STATUS LIKE 'Handler_read_next'" | cut -f 2
}
before=$(rows_read)
notify
is "others go on beside 50,000 that wait" "$(states present)" "sent 1"
below "rows that the looks at the outbox took" $(($(rows_read) - before)) 10000
is "of those that wait nothing is sent before the first" "$(received /status/500/away | wc -l)" 0
sql "UPDATE loadline.outbox SET next_attempt_at = UTC_TIMESTAMP(3) WHERE next_attempt_at > UTC_TIMESTAMP(3)"
notify
is "when it is due it goes out alone" "$(received /status/500/away | jq -r '.headers["webhook-id"]')" "$(delivery away delivery_id)"
forget_queued

# One that takes longer than a look at the outbox: what is due does not end with it.
channel steady webhook "$plain/slow/2/steady"
queue steady '{"n":1}'
queue steady '{"n":2}'
notify
is "all that is due is sent, one behind the other" "$(states steady)" "sent 1
sent 1"

# Deleted between the push that read it and the message that the push queued.
channel doomed webhook "$plain/ok/doomed"
queue doomed '{"n":1}'
queue doomed '{"n":2}'
doomed=$(sql "SELECT channel_id FROM loadline.channels WHERE name = 'doomed'")
sql "DELETE FROM loadline.channels WHERE channel_id = '$doomed'"
notify
is "what is queued for a channel that is gone is cancelled" \
    "$(sql "SELECT state, attempts, last_error, COUNT(*) FROM loadline.outbox WHERE channel_id = '$doomed' GROUP BY 1, 2, 3")" \
    "cancelled	0	The channel was deleted.	2"

# Another URL while one is under way to the old one, which wants no more.
channel moving webhook "$plain/leaves/2/moving"
queue moving '{"n":1}'
notify &
under_way=$!
asked_old() { [ "$(received /leaves/2/moving | wc -l)" = 1 ]; }
ok "the old URL is asked" within "$(patient 5)" asked_old
sql "UPDATE loadline.channels SET url = CONCAT('P', '$plain/ok/moving') WHERE name = 'moving'"
wait $under_way
is "a 410 of the old URL disables nothing" "$(sql "SELECT enabled, disabled_reason FROM loadline.channels WHERE name = 'moving'")" "1	"
is "... and is not the health of the new one" "$(sql "SELECT last_attempt_at, failing_since, last_status FROM loadline.channels WHERE name = 'moving'")" "NULL	NULL	NULL"
is "... its message waits" "$(states moving) $(delivery moving last_status)" "queued 1 410"
due_now moving
notify
is "... for the new one" "$(states moving) $(received /ok/moving | wc -l)" "sent 2 1"

# Certificates of one's own authority.
sed -i '/^webhook_ca/d' "$stack_dir/loadline.conf"
echo "webhook_ca = $scratch/cert.pem" >>"$stack_dir/loadline.conf"
channel trusted webhook "$tls/ok/trusted"
queue trusted '{"n":1}'
notify
is "trusted through webhook_ca" "$(states trusted)" "sent 1"
# A name that libcurl cuts in the middle of a character, where it tells of it.
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -utf8 -subj "/CN=ab$(printf '\U1F600%.0s' {1..62})" \
    -keyout "$scratch/key.pem" -out "$scratch/cert2.pem" 2>/dev/null
cat "$scratch/key.pem" "$scratch/cert2.pem" >"$scratch/misnamed.pem"
cat "$scratch/cert2.pem" >>"$scratch/cert.pem"
receiver misnamed --tls "$scratch/misnamed.pem"
channel misnamed webhook "$misnamed/ok/misnamed"
queue misnamed '{"n":1}'
notify
is "a certificate with another name: state" "$(states misnamed)" "queued 1"
like "... error" "$(delivery misnamed last_error)" "^SSL: certificate subject name 'ab"

# One that does both: a mail program that hangs delays no alert.
cat >"$scratch/sendmail" <<END
#!/bin/sh
cat >/dev/null
touch "$scratch/mail.begun"
sleep 5
touch "$scratch/mail.ended"
END
chmod +x "$scratch/sendmail"
cp "$stack_dir/loadline.conf" "$scratch/loadline.conf"
printf 'mail_program = %s\nmail_from = l@x.example\npublic_url = https://l.example\n' "$scratch/sendmail" >>"$stack_dir/loadline.conf"
sql "INSERT INTO loadline.users SET user_id = UUID(), tenant_id = '00000000-0000-0000-0000-0000000000aa', email = 'm@x.example', password = '', role = 'member', created_at = UTC_TIMESTAMP(3)"
sql "INSERT INTO loadline.links SELECT UUID(), NULL, tenant_id, user_id, 'password', UTC_TIMESTAMP(3), UTC_TIMESTAMP(3) + INTERVAL 1 HOUR, UTC_TIMESTAMP(3), 0 FROM loadline.users WHERE email = 'm@x.example'"
notify --for 20 &
both=$!
ok "a letter is under way" within "$(patient 10)" test -e "$scratch/mail.begun"
channel beside webhook "$plain/ok/beside"
queue beside '{"n":1}'
arrived() { [ "$(received /ok/beside | wc -l)" = 1 ]; }
ok "an alert arrives" within "$(patient 10)" arrived
ok "while it still is" test ! -e "$scratch/mail.ended"
pkill -P $both
wait $both
is "told to end it ends, both processes" "$? $(pids_of loadline-notify | wc -w)" "0 0"
ok "once the letter is out" test -e "$scratch/mail.ended"
mv "$scratch/loadline.conf" "$stack_dir/loadline.conf"

for file in etc/cron.d/loadline etc/container/start; do
    is "$file: alerts wait for no letter" "$(sed -n 's/^[^#]*loadline-notify --only \([a-z]*\) --for .*/\1/p' $file | xargs)" "alerts mail"
    is "$file: nothing does both" "$(grep -v '^#' $file | grep -v -e --only | grep -c 'loadline-notify')" 0
done

ok "the log names the deliveries" grep -q "delivery=$(delivery fine delivery_id) channel=.* attempt=1 status=200 result=sent" "$scratch/notify.log"
ok "and no URL or secret" test "$(grep -c -e "$secret" -e /ok/fine "$scratch/notify.log")" = 0

for arguments in '--for x' '--for -1' '--for 86401' '--for' '--nonsense' 'more'; do
    # shellcheck disable=SC2086 # words
    "$build/bin/loadline-notify" $arguments >"$scratch/out" 2>"$scratch/err"
    is "refused: $arguments" "$? $(wc -c <"$scratch/out")" "2 0"
done
"$build/bin/loadline-notify" --help >"$scratch/out"
is "--help" "$? $(grep -c -- '--for SECONDS' "$scratch/out")" "0 1"
all_passed || diag "$(tail -n 80 "$scratch/notify.log")"
done_testing
