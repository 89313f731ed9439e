#!/bin/bash
# Rules and silences over the API: what they hold, what is refused, who may, and what another tenant sees.
# shellcheck disable=SC2154 # cluster.sh and lib.sh set them
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
stack
rules=/api/notifications/rules
silences=/api/notifications/silences
nobody=00000000-0000-4000-8000-000000000000

channel() {
    ask POST /api/notifications/channels "{\"type\":\"slack\",\"name\":\"$1\",\"url\":\"https://example.com/\"}"
    json .id
}
# in_hours HOURS
in_hours() {
    date -u -d "+$1 hours" +%Y-%m-%dT%H:%M:%S.000Z
}

account Stranger
stranger=$token
cluster 2 2 >"$scratch/good.json"
push elsewhere "$scratch/good.json"
strange=$(channel strange)
account Example
admin=$token tenant_id=$tenant
push production "$scratch/good.json"
a=$(channel a) b=$(channel b)
ask GET $rules
is "no rules at first" "$status $body" "200 []"

# ---- rules
ask POST $rules '{"condition":"score_drop","threshold":70}'
drop=$(json .id)
is "a rule" "$status $(json -c 'del(.id, .createdAt)')" \
    '201 {"condition":"score_drop","threshold":70,"clusterId":null,"channelIds":null,"enabled":true}'
like "its id" "$drop" '^[0-9a-f]{8}-[0-9a-f]{4}-4'
is "it is audited" "$(audited rule_created)" "score_drop below 70"
ask POST $rules "{\"condition\":\"degraded_app\",\"clusterId\":\"production\",\"channelIds\":[\"${b^^}\",\"$a\",\"$b\"],\"enabled\":false}"
app=$(json .id)
is "another, about a cluster and channels" "$status $(json -c 'del(.id, .createdAt)')" \
    "201 {\"condition\":\"degraded_app\",\"threshold\":null,\"clusterId\":\"production\",\"channelIds\":[\"$b\",\"$a\"],\"enabled\":false}"
is "its cluster is audited" "$(audited rule_created)" "degraded_app, cluster production"
ask POST $rules '{"condition":"degraded_app","threshold":7,"clusterId":null,"channelIds":null,"extra":1}'
is "a threshold that means nothing is not kept" "$status $(json .threshold)" "201 null"
third=$(json .id)
ask POST $rules '{"condition":"degraded_app","threshold":"x"}'
refused "one that is no number is refused all the same" 400 invalid_field threshold
ask GET $rules
is "newest first" "$(json -c '[.[].id]')" "[\"$third\",\"$app\",\"$drop\"]"
while IFS='|' read -r what code field document; do
    ask POST $rules "$document"
    refused "create: $what" 400 "$code" "$field"
done <<END
no condition|missing_field|condition|{"threshold":70}
unknown condition|invalid_field|condition|{"condition":"catch_all"}
no threshold|missing_field|threshold|{"condition":"score_drop"}
threshold 0|invalid_field|threshold|{"condition":"score_drop","threshold":0}
threshold 101|invalid_field|threshold|{"condition":"score_drop","threshold":101}
half a threshold|invalid_field|threshold|{"condition":"score_drop","threshold":70.5}
threshold as text|invalid_field|threshold|{"condition":"score_drop","threshold":"70"}
cluster that is none|invalid_field|clusterId|{"condition":"degraded_app","clusterId":"a b"}
number as cluster|invalid_field|clusterId|{"condition":"degraded_app","clusterId":7}
no channel at all|invalid_field|channelIds|{"condition":"degraded_app","channelIds":[]}
text as channels|invalid_field|channelIds|{"condition":"degraded_app","channelIds":"$a"}
channel that is no id|invalid_field|channelIds|{"condition":"degraded_app","channelIds":["x"]}
null among channels|invalid_field|channelIds|{"condition":"degraded_app","channelIds":["$a",null]}
text as enabled|invalid_field|enabled|{"condition":"degraded_app","enabled":"true"}
51 channels|invalid_field|channelIds|{"condition":"degraded_app","channelIds":$(jq -nc --arg id "$a" '[range(51) | $id]')}
END
for threshold in 1 100; do
    ask POST $rules "{\"condition\":\"score_drop\",\"threshold\":$threshold}"
    is "threshold $threshold" "$status $(json .threshold)" "201 $threshold"
    ask DELETE "$rules?id=$(json .id)"
done
ask POST $rules '{"condition":"degraded_app","clusterId":"nowhere"}'
refused "a cluster that is not there" 404 unknown_cluster
ask POST $rules '{"condition":"degraded_app","clusterId":"elsewhere"}'
refused "somebody else's cluster" 404 unknown_cluster
ask POST $rules "{\"condition\":\"degraded_app\",\"channelIds\":[\"$nobody\"]}"
refused "a channel that is not there" 404 unknown_channel channelIds
ask POST $rules "{\"condition\":\"degraded_app\",\"channelIds\":[\"$strange\"]}"
refused "somebody else's channel" 404 unknown_channel channelIds

ask PATCH $rules "{\"id\":\"$drop\",\"threshold\":60,\"clusterId\":\"production\",\"channelIds\":[\"$a\"],\"enabled\":false}"
is "change" "$status $(json -c '[.condition, .threshold, .clusterId, .channelIds, .enabled]')" "200 [\"score_drop\",60,\"production\",[\"$a\"],false]"
is "a change is audited" "$(audited rule_changed)" "score_drop below 70 -> score_drop below 60, cluster production, channels, disabled"
ask PATCH "$rules?id=$drop" '{"clusterId":null,"channelIds":null}'
is "null is all" "$status $(json -c '[.threshold, .clusterId, .channelIds, .enabled]')" "200 [60,null,null,false]"
is "which is a change of its channels, too" "$(audited rule_changed)" "score_drop below 60, cluster production -> score_drop below 60, channels"
ask PATCH "$rules?id=$drop" '{"threshold":null,"enabled":null,"condition":null}'
is "a condition of null is nothing" "$status $(json .condition)" "200 score_drop"
ask PATCH "$rules?id=$drop" '{"threshold":null,"enabled":null,"condition":"score_drop"}'
is "elsewhere null is nothing" "$status $(json -c '[.threshold, .enabled]')" "200 [60,false]"
is "and no change is told" "$(audited rule_changed)" "score_drop below 60 -> score_drop below 60"
ask PATCH "$rules?id=$drop" '{"condition":"degraded_app"}'
refused "another condition" 400 invalid_field condition
ask PATCH "$rules?id=$drop" '{"threshold":0}'
refused "a wrong threshold" 400 invalid_field threshold
ask PATCH "$rules?id=$drop" "{\"channelIds\":[\"$strange\"]}"
refused "a strange channel" 404 unknown_channel channelIds
ask PATCH "$rules" '{"threshold":50}'
refused "no id" 400 missing_field id
ask PATCH "$rules?id=$nobody" '{"threshold":50}'
refused "a rule that is not there" 404 unknown_rule
ask GET $rules
is "a refused change changes nothing" "$(json -c ".[] | select(.id == \"$drop\") | [.threshold, .enabled]")" "[60,false]"

# ---- a channel goes, and its name in rules
ask DELETE "/api/notifications/channels?id=$b"
ask GET $rules
is "a deleted channel leaves its rules" "$(json -c ".[] | select(.id == \"$app\") | .channelIds")" "[\"$a\"]"
ask DELETE "/api/notifications/channels?id=$a"
ask GET $rules
is "the last one leaves none, not all" "$(json -c ".[] | select(.id == \"$app\") | .channelIds")" "[]"
is "rules for all stay so" "$(json -c ".[] | select(.id == \"$third\") | .channelIds")" null

# ---- silences
until=$(in_hours 2)
ask POST $silences "{\"clusterId\":\"production\",\"until\":\"$until\",\"reason\":\"new nodes 🚢\"}"
quiet=$(json .id)
is "a silence" "$status $(json -c 'del(.id, .createdAt)')" \
    "201 {\"clusterId\":\"production\",\"until\":\"$until\",\"reason\":\"new nodes 🚢\",\"createdBy\":\"$email\"}"
is "it is audited" "$(audited silence_created)" "cluster production until ${until%.000Z}Z"
ask POST $silences "{\"until\":\"$(date -u -d '+90 days -1 minute' +%Y-%m-%dT%H:%M:%S)+00:00\"}"
everything=$(json .id) meant=$(json .until)
is "one for all clusters, with an offset" "$status $(json -c '[.clusterId, .reason]')" '201 [null,""]'
ask GET $silences
is "silences, newest first" "$status $(json -c '[.[].id]')" "200 [\"$everything\",\"$quiet\"]"
while IFS='|' read -r what code field document; do
    ask POST $silences "$document"
    refused "silence: $what" 400 "$code" "$field"
done <<END
no end|missing_field|until|{"clusterId":"production"}
end in the past|invalid_field|until|{"until":"$(in_hours -1)"}
end after 90 days|invalid_field|until|{"until":"$(in_hours 2161)"}
end that is no time|invalid_field|until|{"until":"tomorrow"}
end as number|invalid_field|until|{"until":1795000000}
cluster that is none|invalid_field|clusterId|{"clusterId":"a b","until":"$until"}
long reason|invalid_field|reason|{"until":"$until","reason":"$(printf 'a%.0s' {1..501})"}
END
ask POST $silences "{\"clusterId\":\"elsewhere\",\"until\":\"$until\"}"
refused "a silence of somebody else's cluster" 404 unknown_cluster
held=$(date -u +%FT%T.%3NZ)
ask DELETE "$silences?id=$everything"
is "end a silence" "$status $(json -c .)" "200 {\"status\":\"deleted\",\"id\":\"$everything\"}"
ask DELETE $silences "{\"id\":\"$everything\"}"
refused "end it again" 404 unknown_silence
is "it is audited with the end that it had" "$(audited silence_deleted)" "all clusters until ${meant%.*}Z"
ask GET $silences
is "it is not listed any more" "$(json -c '[.[].id]')" "[\"$quiet\"]"
ask GET "$silences?from=$held"
is "but with those that held then, with its end" "$(json -c "[.[] | select(.id == \"$everything\") | .until > \"$held\" and .until < \"$until\"]")" "[true]"
ask GET "$silences?from=$(json -r ".[] | select(.id == \"$everything\") | .until")"
is "and not of that moment on" "$(json -c '[.[].id]')" "[\"$quiet\"]"
sql "UPDATE loadline.silences SET until = UTC_TIMESTAMP(3) WHERE silence_id = '$quiet'"
ask GET $silences
is "what is over is not shown" "$body" "[]"
ask DELETE "$silences?id=$quiet"
refused "nor ended" 404 unknown_silence

# ---- other people
ask POST /api/members "{\"email\":\"m-$$-$RANDOM@example.com\",\"password\":\"12345678\",\"role\":\"member\"}"
address=$(json .email)
post /api/auth/login "{\"email\":\"$address\",\"password\":\"12345678\"}"
token=$(json .token)
for path in $rules $silences; do
    ask GET "$path"
    is "member: GET $path" "$status" 200
    ask POST "$path" '{}'
    refused "member: POST $path" 403 forbidden_role
    ask DELETE "$path?id=$nobody"
    refused "member: DELETE $path" 403 forbidden_role
done
ask PATCH "$rules?id=$drop" '{}'
refused "member: PATCH $rules" 403 forbidden_role
token=$stranger
ask GET $rules
is "a stranger sees no rule" "$body" "[]"
ask PATCH "$rules?id=$drop" '{"enabled":true}'
refused "a stranger changes none" 404 unknown_rule
ask DELETE "$rules?id=$drop"
refused "nor deletes one" 404 unknown_rule
ask DELETE "$silences?id=$quiet"
refused "nor ends a silence" 404 unknown_silence

# ---- delete, and how many
token=$admin
ask DELETE $rules "{\"id\":\"$drop\"}"
is "delete a rule" "$status $(json -c .)" "200 {\"status\":\"deleted\",\"id\":\"$drop\"}"
is "a deletion is audited" "$(audited rule_deleted)" "score_drop below 60"
ask DELETE "$rules?id=$drop"
refused "delete it again" 404 unknown_rule
ask DELETE $rules
refused "delete nothing" 400 missing_field id
sql "INSERT INTO loadline.rules SELECT UUID(), '$tenant_id', 'degraded_app', NULL, NULL, NULL, 1, UTC_TIMESTAMP(3) FROM seq_3_to_100;
     INSERT INTO loadline.silences SELECT UUID(), '$tenant_id', NULL, '2100-01-01', '', '', UTC_TIMESTAMP(3) FROM seq_1_to_100"
ask GET $rules
is "a hundred rules" "$(json length)" 100
ask POST $rules '{"condition":"degraded_app"}'
refused "and no more" 403 plan_limit
ask POST $silences "{\"until\":\"$until\"}"
refused "nor more than a hundred silences" 403 plan_limit
ask GET $silences
ask DELETE "$silences?id=$(json '.[0].id')"
ask POST $silences "{\"until\":\"$until\"}"
is "one that was ended is none of these" "$status" 201
done_testing
