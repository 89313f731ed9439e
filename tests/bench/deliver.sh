#!/bin/bash
# The notifier: how fast it empties an outbox of 10,000 messages to 100 channels, and how long after a bad
# push its alert is there. The receiver is a Python program on the same machine.
# shellcheck source=tests/bench/lib.sh disable=SC2154
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
. tests/e2e/outbox.sh

host --workers notify=0 --set webhook_allow=127.0.0.0/8 --set webhook_allow_http=1
receiver plain
channels=100 each=100
[ -z "$short" ] || channels=10 each=5
sql "INSERT INTO loadline.channels (channel_id, tenant_id, type, name, url, url_masked, secret, enabled, created_at)
    SELECT UUID(), '00000000-0000-0000-0000-0000000000aa', 'webhook', seq, CONCAT('P$plain/ok/', seq), '', 'P$secret', 1,
        UTC_TIMESTAMP(3) FROM seq_1_to_$channels;
    INSERT INTO loadline.outbox (delivery_id, tenant_id, channel_id, event, title, body, created_at, next_attempt_at, state, position)
    SELECT UUID(), tenant_id, channel_id, 'Test', '', CONCAT('{\"n\":', seq, '}'), UTC_TIMESTAMP(3), UTC_TIMESTAMP(3), 'queued', seq
    FROM loadline.channels JOIN seq_1_to_$each" || give_up "the outbox cannot be filled"
TIMEFORMAT='%R %U %S'
took=$({ time notify; } 2>&1)
read -r seconds user system <<<"$took"
left=$(sql "SELECT COUNT(*) FROM loadline.outbox WHERE state <> 'sent'")
[ "$left" = 0 ] || give_up "$left messages are left"
messages=$((channels * each))
figure "deliveries a second, $channels channels" "$(divide $messages "$seconds")"
figure "notifier's CPU a delivery, ms" "$(awk -v u="$user" -v s="$system" -v n=$messages 'BEGIN { print (u + s) * 1000 / n }')"
figure "mariadbd's CPU a delivery, ms" "$(divide "$(cpu mariadbd)" $messages)"

# Each of many clusters loses its app; the notifier runs as cron starts it.
alerts=200
[ -z "$short" ] || alerts=5
enterprise
post /api/notifications/channels "{\"type\":\"webhook\",\"name\":\"bench\",\"webhookUrl\":\"$plain/ok/latency\"}" \
    -H "Authorization: Bearer $token"
[ "$status" = 201 ] || give_up "no channel: $body"
post /api/notifications/rules '{"condition":"degraded_app"}' -H "Authorization: Bearer $token"
[ "$status" = 201 ] || give_up "no rule: $body"
cluster 2 0 >"$scratch/degraded.json"
LOADLINE_CONF=$stack_dir/loadline.conf "$build/bin/loadline-notify" --for 3600 2>>"$scratch/notify.log" &
receivers+=($!)
for ((i = 1; i <= alerts; i++)); do
    date +"%s.%N latency-$i " >>"$scratch/pushed"
    push "latency-$i" "$scratch/degraded.json"
    [ "$status" = 200 ] || give_up "push: $body"
    sleep "0.$((RANDOM % 4))"
done
# A cluster may send two: its app is down, and its score fell.
arrived() {
    [ "$(received /ok/latency | grep -oE 'latency-[0-9]+' | sort -u | wc -l)" -ge "$alerts" ]
}
within 30 arrived || give_up "not all alerts arrived"
latencies=$(python3 - "$scratch/pushed" "$scratch/plain.log" <<'PYTHON'
import json, sys
pushed = [line.split() for line in open(sys.argv[1], encoding="ascii")]
bodies = [(entry["time"], entry["body"] + " ") for entry in map(json.loads, open(sys.argv[2], encoding="utf-8"))
          if entry["path"] == "/ok/latency"]
waits = sorted(min(time for time, body in bodies if name + " " in body) - float(at) for at, name in pushed)
print(1000 * waits[len(waits) // 2], 1000 * waits[(len(waits) - 1) * 99 // 100])
PYTHON
)
read -r median p99 <<<"$latencies"
figure "from a bad push to the receiver, ms, median" "$median"
figure "from a bad push to the receiver, ms, p99" "$p99"
