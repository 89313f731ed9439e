#!/bin/bash
# Channels and deliveries over the API: what is shown of a channel, its secret, health, tests and replays.
# shellcheck disable=SC2154 # cluster.sh and lib.sh set them
. "$(dirname "$0")/lib.sh"
unset -f jq # that which keeps the order of members
. tests/e2e/cluster.sh
own_stack --workers notify=0
channels=/api/notifications/channels
deliveries=/api/notifications/deliveries
nobody=00000000-0000-4000-8000-000000000000

# create JSON: sets id
create() {
    ask POST $channels "$1"
    id=$(json .id)
}
# column NAME: of the channel $id
column() {
    sql "SELECT $1 FROM loadline.channels WHERE channel_id = '$id'"
}
# member ROLE: sets session
member() {
    local address=$1-$RANDOM@example.com
    ask POST /api/members "{\"email\":\"$address\",\"password\":\"12345678\",\"role\":\"$1\"}"
    post /api/auth/login "{\"email\":\"$address\",\"password\":\"12345678\"}"
    session=$(json .token)
}

account Example
admin=$token tenant_id=$tenant
member member
member_session=$session
member operator
operator_session=$session
account Stranger
stranger=$token
token=$admin
ask GET $channels
is "none at first" "$status $body" "200 []"

# ---- create
create '{"type":"slack","name":"ops & <b>🚢","webhookUrl":"https://hooks.slack.com/services/T0/B0/secretpath?x=y"}'
slack=$id
is "a Slack channel" "$status $(json -c keys)" '201 ["createdAt","enabled","health","id","name","type","webhookUrl"]'
is "its values" "$(json -c '[.type, .name, .webhookUrl, .enabled]')" '["slack","ops & <b>🚢","https://hooks.slack.com/...",true]'
is "its health" "$(json -c .health)" \
    '{"status":"unknown","failingSince":null,"lastAttemptAt":null,"lastSuccessAt":null,"lastStatus":null,"lastError":null,"disabledReason":null}'
is "it is audited" "$(audited channel_created)" "ops & <b>🚢 (slack)"
ask POST $channels '{"type":"webhook","name":"hook","url":"https://receiver.example.com:8443/in"}'
id=$(json .id) hook=$id secret=$(json .secret)
is "a webhook, its URL as url" "$status $(json .webhookUrl)" "201 https://receiver.example.com:8443/..."
like "shows its secret" "$secret" '^whsec_[A-Za-z0-9+/]{43}=$'
create '{"type":"teams","name":"t","webhook_url":"https://example.com"}'
teams=$id
is "a Teams channel, its URL as webhook_url" "$status $(json .webhookUrl) $(json 'has("secret")')" "201 https://example.com/... false"
create '{"type":"slack","name":"null","webhookUrl":null,"webhook_url":null,"url":"https://example.com/x"}'
is "a name of the URL that is null is left out" "$status $(json .webhookUrl)" "201 https://example.com/..."
ask DELETE "$channels?id=$id"
ask GET $channels
is "newest first" "$(json -c '[.[].id]')" "[\"$teams\",\"$hook\",\"$slack\"]"
is "the secret is shown once" "$(json -c '[.[] | has("secret")] | unique')" '[false]'
ask GET "$channels?limit=1&id=$hook"
is "parameters change nothing" "$(json length)" 3

# ---- at rest
mariadb-dump --defaults-file="$stack_dir/admin.cnf" --hex-blob=false loadline channels outbox audit >"$scratch/dump" 2>/dev/null
ok "there is a dump" grep -q 'INSERT INTO .channels' "$scratch/dump"
is "without URLs and secrets" "$(grep -cF -e secretpath -e "${secret#whsec_}" -e 'whsec_' "$scratch/dump")" 0
is "nor are they in a log" "$(cat "$stack_dir"/log/* | grep -cF -e secretpath -e "${secret#whsec_}")" 0
is "the key file is ours alone" "$(stat -c %a "$stack_dir/channel.keys")" 600

# ---- what is refused
while IFS='|' read -r what code field document; do
    ask POST $channels "$document"
    refused "create: $what" 400 "$code" "$field"
done <<'END'
no type|missing_field|type|{"name":"n","url":"https://example.com/"}
unknown type|invalid_field|type|{"type":"email","name":"n","url":"https://example.com/"}
type in capitals|invalid_field|type|{"type":"Slack","name":"n","url":"https://example.com/"}
empty name|invalid_field|name|{"type":"slack","name":"","url":"https://example.com/"}
blanks as name|invalid_field|name|{"type":"slack","name":"  ","url":"https://example.com/"}
number as name|invalid_field|name|{"type":"slack","name":7,"url":"https://example.com/"}
no URL|missing_field|webhookUrl|{"type":"slack","name":"n"}
null as URL|missing_field|webhookUrl|{"type":"slack","name":"n","webhookUrl":null}
list as URL|invalid_field|url|{"type":"slack","name":"n","url":["https://example.com/"]}
http|invalid_field|webhook_url|{"type":"slack","name":"n","webhook_url":"http://example.com/"}
user name|invalid_field|url|{"type":"slack","name":"n","url":"https://a:b@example.com/"}
no host|invalid_field|url|{"type":"slack","name":"n","url":"https:///x"}
loopback|invalid_field|url|{"type":"webhook","name":"n","url":"https://127.0.0.1/"}
localhost|invalid_field|url|{"type":"webhook","name":"n","url":"https://localhost:3306/"}
metadata|invalid_field|url|{"type":"webhook","name":"n","url":"https://169.254.169.254/latest/"}
mapped|invalid_field|url|{"type":"webhook","name":"n","url":"https://[::ffff:10.0.0.1]/"}
decimal|invalid_field|url|{"type":"webhook","name":"n","url":"https://2130706433/"}
octal|invalid_field|url|{"type":"webhook","name":"n","url":"https://0177.0.0.1/"}
line break|invalid_field|url|{"type":"webhook","name":"n","url":"https://example.com/\r\nX: y"}
file|invalid_field|url|{"type":"webhook","name":"n","url":"file:///etc/passwd"}
word as enabled|invalid_field|enabled|{"type":"slack","name":"n","url":"https://example.com/","enabled":"no"}
END
ask POST $channels '{"type":"email","name":"n","url":"https://example.com/"}'
like "types that there are" "$(json .error)" "^type must be slack, ([a-z]+, )*[a-z]+ or [a-z]+\.$"
url=https://example.com/$(printf 'a%.0s' {1..2028})
create "$(jq -nc --arg url "$url" '{type: "teams", name: "long", url: $url}')"
is "a URL of 2,048 bytes" "$status" 201
ask DELETE "$channels?id=$id"
ask POST $channels "$(jq -nc --arg url "${url}a" '{type: "teams", name: "long", url: $url}')"
refused "a URL of 2,049 bytes" 400 invalid_field url
ask POST $channels "$(jq -nc --arg name "$(printf 'n%.0s' {1..201})" '{type: "teams", name: $name, url: "https://example.com/"}')"
refused "a name of 201 bytes" 400 invalid_field name
is "a refusal stores nothing" "$(sql "SELECT COUNT(*) FROM loadline.channels")" 3
# ---- without a name
for row in 'slack|https://hooks.slack.com/services/T0/B0/x|slack hooks.slack.com' \
    'slack|https://hooks.slack.com/services/T0/B0/y|slack hooks.slack.com 2' \
    'slack|https://hooks.slack.com:8443/z|slack hooks.slack.com 3' \
    'teams|https://hooks.slack.com/|teams hooks.slack.com' \
    'webhook|https://[2606:4700::1]:8443/in|webhook 2606:4700::1'; do
    IFS='|' read -r type url name <<<"$row"
    create "{\"type\":\"$type\",\"webhookUrl\":\"$url\"}"
    is "type and host are its name: $name" "$status $(json .name) $(column name)" "201 $name $name"
    named+=("$id")
done
is "it is audited under that name" "$(audited channel_created)" "webhook 2606:4700::1 (webhook)"
ask DELETE "$channels?id=${named[1]}"
create '{"type":"slack","name":null,"url":"https://hooks.slack.com/"}'
named[1]=$id
is "a number that is free again, and null as name" "$status $(json .name)" "201 slack hooks.slack.com 2"
host=$(printf 'a%.0s' {1..60}).
create "{\"type\":\"teams\",\"url\":\"https://$host$host$host$host/\"}"
named+=("$id")
is "a long host is cut" "$status $(json '.name | length')" "201 197"
create "{\"type\":\"teams\",\"url\":\"https://$host$host$host$host/\"}"
named+=("$id")
is "not its number" "$status $(json '.name | length, .[-3:]' | xargs)" "201 199 a 2"
for id in "${named[@]}"; do ask DELETE "$channels?id=$id"; done
is "they are gone" "$(sql "SELECT COUNT(*) FROM loadline.channels")" 3

create '{"type":"slack","name":"later","url":"https://example.com/","enabled":false}'
is "one that is to wait" "$status $(json -c '[.enabled, .health.status]') $(column enabled)" '201 [false,"disabled"] 0'
ask DELETE "$channels?id=$id"

# ---- change
ask PATCH $channels "{\"id\":\"$slack\",\"name\":\"renamed\"}"
is "rename" "$status $(json -c '[.name, .enabled, .webhookUrl]')" '200 ["renamed",true,"https://hooks.slack.com/..."]'
is "rename is audited under the old name" "$(audited channel_changed)" "ops & <b>🚢, name"
ask PATCH "$channels?id=$slack" '{"webhookUrl":"https://other.example.com/y"}'
is "another URL" "$status $(json .webhookUrl) $(json .name)" "200 https://other.example.com/... renamed"
workers=$(pids_of channels.fcgi)
sql "CREATE TRIGGER loadline.busy BEFORE INSERT ON loadline.audit FOR EACH ROW
    SIGNAL SQLSTATE '40001' SET MYSQL_ERRNO = 1213, MESSAGE_TEXT = 'Deadlock'"
ask PATCH "$channels?id=$slack" '{"webhookUrl":"https://busy.example.com/z"}'
refused "another URL while the database gives up each try" 503 database_busy
sql "DROP TRIGGER loadline.busy"
ask PATCH "$channels?id=$slack" '{}'
is "... stays what it was" "$status $(json .webhookUrl)" "200 https://other.example.com/..."
is "... and no worker died of it" "$(pids_of channels.fcgi)" "$workers"
ask PATCH "$channels?id=$slack" '{}'
is "nothing to change" "$status $(json .name)" "200 renamed"
ask PATCH "$channels?id=$slack" '{"type":"webhook"}'
is "the type stays" "$status $(json .type)" "200 slack"
for row in 'name|""' 'name|5' 'enabled|"yes"' 'enabled|1' 'webhookUrl|"https://10.0.0.1/"' 'webhookUrl|""'; do
    ask PATCH "$channels?id=$slack" "{\"${row%%|*}\":${row#*|}}"
    refused "change $row" 400 invalid_field "${row%%|*}"
done
ask PATCH $channels '{"name":"x"}'
refused "change without id" 400 missing_field id
ask PATCH "$channels?id=x" '{"name":"x"}'
refused "change with what is no id" 400 invalid_field id
ask PATCH $channels "{\"id\":7,\"name\":\"x\"}"
refused "change with a number as id" 400 invalid_field id
ask PATCH "$channels?id=$nobody" '{"name":"x"}'
refused "change of what is not there" 404 unknown_channel

# A rule that names a channel while it is being deleted. The trail, which both add to, holds the deletion up.
create '{"type":"slack","name":"leaving","url":"https://example.com/"}'
sql "LOCK TABLES loadline.audit WRITE; DO SLEEP(4)" &
holding=$!
is_held() { ! sql "SELECT 1 FROM loadline.$1 FOR UPDATE NOWAIT"; }
ok "the trail is held" within "$(patient 3)" is_held "audit LIMIT 1"
curl -s -o /dev/null -X DELETE "$base_url$channels?id=$id" -H "Authorization: Bearer $token" &
deleting=$!
ok "the deletion has begun" within "$(patient 3)" is_held "channels WHERE channel_id = '$id'"
ask POST /api/notifications/rules "{\"condition\":\"degraded_app\",\"channelIds\":[\"$id\"]}"
refused "a channel that is being deleted is in no new rule" 404 unknown_channel channelIds
wait $holding $deleting
ask GET /api/notifications/rules
is "... and in none that there is" "$body" "[]"

# ---- tests
ask POST $channels/test "{\"id\":\"$hook\"}"
test=$(json .id)
is "a test is queued" "$status $(json -c '[.channelId, .clusterId, .event, .state, .attempts, .lastStatus, .lastError]')" \
    "202 [\"$hook\",null,\"Test\",\"queued\",0,null,null]"
is "its body" "$(sql "SELECT body FROM loadline.outbox WHERE delivery_id = '$test'" | jq -c 'del(.timestamp)')" \
    '{"event":"Test","title":"Test message from Loadline","detail":"Channel hook works: alerts will arrive like this one","source":"loadline"}'
is "a test is audited" "$(audited channel_tested)" hook
ask POST "$channels/test?id=$slack" ''
is "Slack gets blocks" "$(sql "SELECT body FROM loadline.outbox WHERE channel_id = '$slack'" | jq -c '[.blocks[].type]')" '["header","section","context"]'
ask POST $channels/test "{\"id\":\"$teams\"}"
is "Teams gets a card" "$(sql "SELECT body FROM loadline.outbox WHERE channel_id = '$teams'" | jq -r '.attachments[0].content.type')" AdaptiveCard
ask POST $channels/test "{\"id\":\"$nobody\"}"
refused "a test of what is not there" 404 unknown_channel
for _ in {4..10}; do
    ask POST $channels/test "{\"id\":\"$teams\"}"
done
is "ten tests a minute" "$status" 202
ask POST $channels/test "{\"id\":\"$teams\"}"
refused "and no more" 429 rate_limited
is "for a minute" "$(header Retry-After)" 60

# ---- disable
ask PATCH $channels "{\"id\":\"$teams\",\"enabled\":false}"
is "disable" "$status $(json -c '[.enabled, .health.status]')" '200 [false,"disabled"]'
is "what was queued is not sent" "$(sql "SELECT DISTINCT state, last_error FROM loadline.outbox WHERE channel_id = '$teams'")" "cancelled	The channel was disabled."
is "others go on" "$(sql "SELECT state FROM loadline.outbox WHERE channel_id = '$hook'")" queued

# ---- another URL, while messages wait
waits() { sql "SELECT attempts, next_attempt_at > UTC_TIMESTAMP(3) FROM loadline.outbox WHERE channel_id = '$hook'" | tr '\t' ' '; }
sql "UPDATE loadline.outbox SET attempts = 8, last_attempt_at = UTC_TIMESTAMP(3), last_error = 'The receiver answered 500.',
    next_attempt_at = UTC_TIMESTAMP(3) + INTERVAL 12 HOUR WHERE channel_id = '$hook'"
ask PATCH "$channels?id=$hook" '{"name":"hook 1"}'
is "another name hurries nothing" "$status $(waits)" "200 8 1"
ask PATCH "$channels?id=$hook" '{"webhookUrl":"https://right.example.com/in"}'
is "what the old URL has failed to take is tried at the new one at once" "$status $(waits)" "200 0 0"
sql "UPDATE loadline.outbox SET created_at = created_at - INTERVAL 2 MINUTE"
ask POST $channels/test "{\"id\":\"$teams\"}"
refused "a test of a disabled one" 409 channel_disabled
ask PATCH $channels "{\"id\":\"$teams\",\"enabled\":true}"
is "enable" "$status $(json -c '[.enabled, .health.status]')" '200 [true,"unknown"]'
is "enabling is audited" "$(audited channel_changed)" "t, enabled"

# ---- health
id=$hook
# health SETTINGS: what is shown of the channel then
health() {
    sql "UPDATE loadline.channels SET $1 WHERE channel_id = '$hook'"
    ask GET $channels
    json -c ".[] | select(.id == \"$hook\") | .health | [.status, .lastStatus, .lastError, .disabledReason]"
}
is "good" "$(health 'last_attempt_at = UTC_TIMESTAMP(3), last_success_at = UTC_TIMESTAMP(3), last_status = 204')" '["ok",204,null,null]'
is "failing" "$(health "failing_since = UTC_TIMESTAMP(3) - INTERVAL 23 HOUR, last_status = NULL, last_error = 'Timed out.'")" '["failing",null,"Timed out.",null]'
is "unhealthy after a day" "$(health 'failing_since = UTC_TIMESTAMP(3) - INTERVAL 25 HOUR')" '["unhealthy",null,"Timed out.",null]'
is "disabled by the notifier" "$(health "enabled = 0, disabled_reason = 'The receiver answered 410.'")" '["disabled",null,"Timed out.","The receiver answered 410."]'
ask PATCH "$channels?id=$hook" '{"name":"hook 2"}'
is "renaming does not hide that" "$(json .health.disabledReason)" "The receiver answered 410."
ask PATCH "$channels?id=$hook" '{"enabled":true}'
is "enabled it starts afresh" "$(json -c '.health | [.status, .lastError, .disabledReason, .failingSince]')" '["unknown",null,null,null]'

# ---- secrets
before=$(column 'HEX(secret)')
ask POST $channels/rotate "{\"id\":\"$hook\"}"
is "rotate" "$status $(json -c keys)" '200 ["id","previousValidUntil","secret"]'
like "a new secret" "$(json .secret)" '^whsec_[A-Za-z0-9+/]{43}=$'
isnt "another one" "$(json .secret)" "$secret"
is "for 24 hours the old one signs along" "$(column "ROUND(TIMESTAMPDIFF(SECOND, UTC_TIMESTAMP(3), secret_previous_until) / 60)")" 1440
is "it is the old one" "$(column 'HEX(secret_previous)')" "$before"
is "rotation is audited" "$(audited channel_secret_rotated)" "hook 2"
ask POST $channels/rotate "{\"id\":\"$slack\"}"
refused "Slack has no secret" 409 no_secret
ask POST $channels/rotate '{}'
refused "rotate nothing" 400 missing_field id
ask POST $channels/rotate ''
refused "nor with an empty body" 400 missing_field id

# ---- deliveries
ask GET $deliveries
is "all deliveries, newest first" "$status $(json length) $(json -c '[.[].createdAt] == ([.[].createdAt] | sort | reverse)')" "200 10 true"
is "their members" "$(json -c '.[0] | keys')" \
    '["attempts","channelId","clusterId","createdAt","event","id","lastAttemptAt","lastError","lastStatus","nextAttemptAt","state","title"]'
ask GET "$deliveries?state=cancelled"
is "by state" "$(json -c '[length, ([.[].state] | unique)]')" '[8,["cancelled"]]'
ask GET "$deliveries?channelId=$slack"
is "by channel" "$(json -c '[.[].channelId]')" "[\"$slack\"]"
ask GET "$deliveries?clusterId=a%20b"
refused "of a cluster that cannot be" 400 invalid_field clusterId
ask GET "$deliveries?clusterId=production"
is "by cluster" "$status $body" "200 []"
ask GET "$deliveries?limit=4"
page=$(json -c '[.[].id]')
like "a page" "$(header Link)" '^</api/notifications/deliveries\?limit=4&cursor=[^>]*>; rel="next"$'
next=$(header Link | sed 's/^<\([^>]*\)>.*/\1/')
ask GET "$next"
is "the next one has others" "$(json -c "[length, ([.[].id] - $page | length)]")" '[4,4]'
ask GET "$(header Link | sed 's/^<\([^>]*\)>.*/\1/')"
is "the last one has the rest" "$(json length) $(header Link)" "2 "
for row in state=lost channelId=x limit=0 limit=1001 cursor=x; do
    ask GET "$deliveries?$row"
    refused "deliveries with $row" 400 invalid_field "${row%%=*}"
done

ask POST $deliveries/replay "{\"id\":\"$test\"}"
refused "what is queued is not replayed" 409 still_queued
old=$(sql "SELECT HEX(body), created_at FROM loadline.outbox WHERE delivery_id = '$test'")
sql "UPDATE loadline.outbox SET state = 'gave_up', attempts = 9, next_attempt_at = NULL, last_status = 500 WHERE delivery_id = '$test'"
ask POST $channels/test "{\"id\":\"$hook\"}"
behind=$(json .id)
ask POST $deliveries/replay "{\"id\":\"$test\"}"
is "what was given up is" "$status $(json -c '[.id, .state, .attempts, .lastStatus]')" "202 [\"$test\",\"queued\",0,500]"
is "with the same bytes" "$(sql "SELECT HEX(body), created_at FROM loadline.outbox WHERE delivery_id = '$test'")" "$old"
is "behind what is queued" "$(sql "SELECT delivery_id FROM loadline.outbox WHERE channel_id = '$hook' AND state = 'queued' ORDER BY position" | tr '\n' ' ')" "$behind $test "
is "a replay is audited" "$(audited delivery_replayed)" "$test (hook 2)"
ask POST $deliveries/replay "{\"id\":\"$nobody\"}"
refused "a replay of what is not there" 404 unknown_delivery

# ---- other people
for who in "member 403 forbidden_role $member_session" "operator 200 null $operator_session" "stranger 200 null $stranger" \
    "nobody 401 bad_token llt_$(printf 'A%.0s' {1..43})"; do
    read -r name expected code token <<<"$who"
    ask GET $channels
    is "$name: channels" "$status $(json 'if type == "array" then null else .code end')" "$expected $code"
done
token=$member_session
ask GET $deliveries
is "member: deliveries" "$status" 200
for row in "POST $channels" "PATCH $channels" "DELETE $channels" "POST $channels/test" "POST $channels/rotate" "POST $deliveries/replay"; do
    # shellcheck disable=SC2086 # method and path
    ask $row "{\"id\":\"$slack\"}"
    refused "member: $row" 403 forbidden_role
done
token=$stranger
ask GET $channels
is "a stranger sees nothing" "$body" "[]"
ask GET $deliveries
is "and no deliveries" "$body" "[]"
ask GET "$deliveries?channelId=$slack"
is "not by the channel's id either" "$body" "[]"
for row in "PATCH $channels unknown_channel" "DELETE $channels unknown_channel" "POST $channels/test unknown_channel" \
    "POST $channels/rotate unknown_channel" "POST $deliveries/replay unknown_delivery"; do
    read -r method path code <<<"$row"
    target=$hook
    [ "$code" = unknown_channel ] || target=$test
    ask "$method" "$path" "{\"id\":\"$target\",\"name\":\"mine\",\"enabled\":false}"
    refused "stranger: $method $path" 404 "$code"
done
token=$operator_session
ask POST $channels '{"type":"slack","name":"operators","url":"https://example.com/"}'
is "operator: create" "$status" 201
request GET $channels -H "X-API-Key: $api_key"
refused "a key is no session" 401 unauthorized

# ---- delete
token=$admin
ask DELETE $channels
refused "delete without id and body" 400 missing_field id
ask DELETE "$channels?id=$hook"
is "delete by parameter" "$status $(json -c .)" "200 {\"status\":\"deleted\",\"id\":\"$hook\"}"
is "what was queued is not sent" "$(sql "SELECT DISTINCT state, last_error FROM loadline.outbox WHERE channel_id = '$hook'")" "cancelled	The channel was deleted."
ask DELETE "$channels?id=$hook"
refused "delete again" 404 unknown_channel
ask POST $deliveries/replay "{\"id\":\"$test\"}"
refused "a replay to a channel that is gone" 404 unknown_channel
ask DELETE $channels "{\"id\":\"${slack^^}\"}"
is "delete by body, in capitals" "$status $(json .status)" "200 deleted"
ask GET "$deliveries?channelId=$hook"
is "its deliveries remain" "$(json -c '[.[].state] | unique')" '["cancelled"]'
is "a deletion is audited" "$(audited channel_deleted)" renamed

# ---- how many
sql "INSERT INTO loadline.channels (channel_id, tenant_id, type, name, url, url_masked, enabled, created_at)
    SELECT UUID(), '$tenant_id', 'slack', seq, '', '', 1, UTC_TIMESTAMP(3) FROM seq_3_to_50"
ask GET $channels
is "fifty channels" "$(json length)" 50
ask POST $channels '{"type":"slack","name":"51","url":"https://example.com/"}'
refused "and no more" 403 plan_limit
done_testing
