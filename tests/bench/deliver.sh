#!/bin/bash
# The notifier: how fast it empties an outbox of 10,000 messages to 100 channels. The receiver is a Python
# program on the same machine; its CPU is among the figures.
# shellcheck source=tests/bench/lib.sh disable=SC2154
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
. tests/e2e/outbox.sh

own_stack --workers notify=0 --set webhook_allow=127.0.0.0/8 --set webhook_allow_http=1
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
