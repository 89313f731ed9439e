#!/bin/bash
# What the API has for the dashboard: the fleet in one answer, answers that are told once, the gate without a
# decision, what fires, and deliveries and silences by time.
. "$(dirname "$0")/lib.sh"
unset -f jq # that which keeps the order of members
. tests/e2e/cluster.sh
own_stack --workers notify=0 --set stale_warn=300 --set stale_block=1800
account Example
cluster 2 2 >"$scratch/good.json"
cluster 3 0 '(.items[] | select(.kind == "Node") | .status.conditions[0].status) = "False"' >"$scratch/bad.json"

# ---- a session
post /api/auth/verify "{\"token\":\"$token\"}"
is "verify tells the company" "$(json .company)" Example

# ---- the fleet
left=$((1800 - $(date +%s) % 1800)) # no half hour ends meanwhile
[ $left -gt 30 ] || sleep $left
now=$(date +%s)
half=$((now / 1800 * 1800))
at() {
    date -ud "@$1" +%Y-%m-%dT%H:%M:%SZ
}
push good "$scratch/good.json" -H "X-Snapshot-Time: $(at $((half - 3600)))"
push good "$scratch/bad.json" -H "X-Snapshot-Time: $(at $((half - 3600 + 600)))"
low=$(json .csc_score)
push good "$scratch/good.json" -H "X-Snapshot-Time: $(at $((half - 47 * 1800)))"
push good "$scratch/good.json" -H "X-Snapshot-Time: $(at $((half - 48 * 1800)))"
push good "$scratch/good.json"
high=$(json .csc_score)
push bad "$scratch/bad.json"
get /api/clusters
is "points lost by category make up the score" "$(json -c '.[1] | [(.scoreExact + ([.categories[]] | add)) * 100 + 0.5 | floor] + [.decision]')" '[10000,"SAFE"]'
is "categories" "$(json '.[1].categories | keys_unsorted | join(" ")')" "policy runtime history health"
is "no history unless asked for" "$(json '.[1].history')" null
is "what fires" "$(json -c '[.[] | [.id, .firingAlerts, .decision]]')" '[["bad",1,"BLOCK"],["good",0,"SAFE"]]'
like "when it was taken" "$(json '.[1].takenAt')" '^20.*Z$'
get '/api/clusters?include=history'
is "a day in half hours" "$(json -c '[.[].history | length]')" '[48,48]'
is "the lowest of each, null without any" "$(json -c '.[1].history | [.[0], .[1], .[44], .[45], .[46], .[47]]')" "[$high,null,null,$low,null,$high]"
is "nothing of the day before" "$(json '.[1].history | map(select(. != null)) | length')" 3
get '/api/clusters?include=history&limit=1&cursor=bad'
is "of a page's clusters" "$(json -c '[.[] | [.id, .history[47]]]')" "[[\"good\",$high]]"
get '/api/clusters?include=history&id=good'
is "of one cluster" "$(json -c '[.[] | [.id, .history[47]]]')" "[[\"good\",$high]]"
get '/api/clusters?id=nowhere'
refused "an unknown one" 404 unknown_cluster
get '/api/clusters?include=risks'
refused "include something else" 400 invalid_field include
sql "UPDATE loadline.clusters SET taken_at = taken_at - INTERVAL 6 MINUTE WHERE name = 'good'"
get /api/clusters
is "an old snapshot counts less" "$(json '.[1].decision')" WARN
sql "UPDATE loadline.clusters SET taken_at = taken_at + INTERVAL 6 MINUTE WHERE name = 'good'"

# ---- what fires
get /api/notifications/firing
is "the catch-all fires" "$(json -c '[.[] | [.clusterId, .ruleId, .condition, .threshold, .app]]')" '[["bad",null,"score_drop",50,null]]'
is "nobody could be told" "$(json '.[0].lastSentAt')" null
ask POST /api/notifications/rules '{"condition":"degraded_app","clusterId":"bad"}'
rule=$(json .id)
push bad "$scratch/bad.json"
get '/api/notifications/firing?clusterId=bad'
is "a rule does" "$(json -c 'map(select(.ruleId)) | [.[] | [.ruleId, .condition, .threshold, .app]]')" "[[\"$rule\",\"degraded_app\",null,\"shop/api\"]]"
get '/api/notifications/firing?clusterId=good'
is "nothing in another cluster" "$status $(json -c .)" "200 []"
get '/api/notifications/firing?clusterId=nowhere'
refused "an unknown one" 404 unknown_cluster
ask PATCH /api/notifications/rules "{\"id\":\"$rule\",\"clusterId\":\"good\"}"
get '/api/notifications/firing?clusterId=bad'
is "a rule that is about another cluster now fires no more" "$(json -c '[.[].ruleId]')" '[null]'
get /api/clusters
is "nor is it counted" "$(json '.[0].firingAlerts')" 1
ask PATCH /api/notifications/rules "{\"id\":\"$rule\",\"clusterId\":\"bad\",\"enabled\":false}"
get /api/clusters
is "a rule that is disabled fires no more" "$(json '.[0].firingAlerts')" 1
push bad "$scratch/good.json"
get /api/notifications/firing
is "nor what is over" "$(json -c .)" "[]"

# ---- what is over
get /api/notifications/ended
is "a rule that is disabled ends its alerts, and nothing has got well" "$(json -c '[.[] | [.clusterId, .ruleId, .condition, .threshold, .app, .recovered]]')" \
    "[[\"bad\",\"$rule\",\"degraded_app\",null,\"shop/api\",false]]"
later=$(date -ud '+1 hour' +%Y-%m-%dT%H:%M:%SZ)
sql "UPDATE loadline.alert_state SET clear_since = clear_since - INTERVAL 2 MINUTE, since = since - INTERVAL 3 MINUTE"
push bad "$scratch/good.json"
get /api/notifications/ended
is "what has been well for a minute is over" "$(json -c '[.[] | [.clusterId, .ruleId, .condition, .threshold, .app, .lastSentAt, .recovered]] | .[1]')" \
    '["bad",null,"score_drop",50,null,null,true]'
ok "it ended when it was well first, not when that was sure" \
    [ "$(json '.[1] | .since < .endedAt and .endedAt < "'"$(date -ud '1 minute ago' +%Y-%m-%dT%H:%M:%S)"'"')" = true ]
is "of one cluster" "$(get '/api/notifications/ended?clusterId=good'; json -c .)" "[]"
get '/api/notifications/ended?limit=1'
first=$(json '.[0].id') next=$(header Link | sed 's/^<\(.*\)>;.*/\1/')
get "$next"
is "a page at a time" "$(json -c "[length, .[0].id != \"$first\"]") $(header Link)" "[1,true] "
get "/api/notifications/ended?from=$later"
is "ended since then" "$(json -c .)" "[]"
get "/api/notifications/ended?to=$(date -ud '1 hour ago' +%Y-%m-%dT%H:%M:%SZ)"
is "ended until then" "$(json -c .)" "[]"
get '/api/notifications/ended?clusterId=a%20b'
refused "no name of a cluster" 400 invalid_field clusterId
get '/api/notifications/ended?clusterId=nowhere'
refused "an unknown one" 404 unknown_cluster
get '/api/notifications/ended?limit=0'
refused "no page" 400 invalid_field limit
get '/api/notifications/ended?cursor=x'
refused "no cursor" 400 invalid_field cursor
ask POST /api/notifications/rules '{"condition":"score_drop","threshold":77,"clusterId":"bad"}'
push bad "$scratch/bad.json"
push bad "$scratch/good.json"
sql "UPDATE loadline.alert_state SET clear_since = clear_since - INTERVAL 2 MINUTE, since = since - INTERVAL 3 MINUTE"
push bad "$scratch/good.json"
get /api/notifications/ended
is "each with its threshold" "$(json -c '[.[].threshold] | sort')" "[null,50,50,77]"
ask DELETE /api/notifications/rules "{\"id\":\"$rule\"}"
get /api/notifications/ended
is "a rule that is deleted takes nothing with it" "$(json --arg rule "$rule" 'map(select(.ruleId == $rule)) | length')" 1

# ---- the gate without a decision
validate good '{"resource":"deployment/api","namespace":"shop","image":"api:latest"}'
command jq -cS 'del(.decision_id, .snapshot_age_seconds, .risks[].first_seen, .target_risks[]?.first_seen)' "$scratch/body" >"$scratch/decided"
kept() {
    sql "SELECT COUNT(*) FROM loadline.decisions; SELECT COUNT(*) FROM loadline.audit" | xargs
}
before=$(kept)
get '/api/gate?clusterId=good&resource=deployment/api&namespace=shop&image=api:latest'
is "the same answer" "$status $(json -cS 'del(.snapshot_age_seconds, .risks[].first_seen, .target_risks[]?.first_seen)')" "200 $(cat "$scratch/decided")"
get '/api/gate?clusterId=good'
is "about no change" "$status $(json '[.risks[] | select(.scope == "change")] | length')" "200 0"
is "nothing is kept" "$(kept)" "$before"
get '/api/gate'
refused "of no cluster" 400 missing_field clusterId
get '/api/gate?clusterId=nowhere'
refused "of an unknown one" 404 unknown_cluster
get "/api/gate?clusterId=good&resource=$(printf 'x%.0s' {1..513})"
refused "too long" 400 invalid_field resource
sql "INSERT INTO loadline.clusters (cluster, tenant_id, name, created_at) VALUES (UUID(), '$tenant', 'new', UTC_TIMESTAMP(3))"
get '/api/gate?clusterId=new'
refused "never scored" 409 no_snapshot

# ---- deliveries and silences by time
ask POST /api/notifications/channels '{"type":"webhook","name":"w","webhookUrl":"https://93.184.216.34/in"}'
ask POST /api/notifications/channels/test "{\"id\":\"$(json .id)\"}"
delivery=$(json .id) made=$(json .createdAt)
get "/api/notifications/deliveries?id=$delivery"
is "one delivery" "$status $(json .id) $(json .state)" "200 $delivery queued"
get "/api/notifications/deliveries?id=$tenant"
refused "an unknown one" 404 unknown_delivery
get '/api/notifications/deliveries?id=1'
refused "no id" 400 invalid_field id
get "/api/notifications/deliveries?from=$made&to=$made"
is "both ends are included" "$(json '[.[].id] | join(" ")')" "$delivery"
get "/api/notifications/deliveries?to=$(at $((now - 60)))"
is "before there was none" "$(json -c .)" "[]"
get "/api/notifications/deliveries?from=$(at $((now + 60)))"
is "nor after" "$(json -c .)" "[]"
get '/api/notifications/deliveries?from=x'
refused "no time" 400 invalid_field from

until=$(at $((now + 3600)))
ask POST /api/notifications/silences "{\"clusterId\":\"good\",\"until\":\"$until\"}"
one=$(json .id)
ask POST /api/notifications/silences "{\"until\":\"$until\"}"
all=$(json .id)
get '/api/notifications/silences?clusterId=good'
is "silences of a cluster, and of all" "$(json '[.[].id] | sort | join(" ")')" "$(printf '%s\n' "$one" "$all" | sort | xargs)"
get '/api/notifications/silences?clusterId=bad'
is "of all only" "$(json '[.[].id] | join(" ")')" "$all"
ask POST /api/notifications/silences "{\"clusterId\":\"good\",\"until\":\"$until\"}"
early=$(json .id)
ask DELETE "/api/notifications/silences?id=$early"
get "/api/notifications/silences?clusterId=good&from=$(at $((now - 60)))"
is "one that was ended early was one, too, until then" "$(json -c "[.[] | select(.id == \"$early\") | .until < \"$until\"]")" '[true]'
sql "DELETE FROM loadline.silences WHERE silence_id = '$early'"
sql "UPDATE loadline.silences SET created_at = UTC_TIMESTAMP(3) - INTERVAL 2 HOUR, until = UTC_TIMESTAMP(3) - INTERVAL 1 HOUR"
get /api/notifications/silences
is "both are over" "$(json -c .)" "[]"
get "/api/notifications/silences?from=$(at $((now - 5400)))"
is "and were not then" "$(json length)" 2
get "/api/notifications/silences?from=$(at $((now - 1800)))"
is "but half an hour ago" "$(json length)" 0

# ---- told once
push steady "$scratch/good.json"
for path in '/api/clusters?include=history' /api/cluster-slots /api/keys /api/members '/api/audit?limit=5' \
    '/api/score-history?clusterId=good' '/api/risks?clusterId=good' "/api/risks?clusterId=good&since=$(at $((half - 3000)))" \
    /api/decisions "/api/decisions?id=$(get /api/decisions && json '.[0].id')" '/api/logs?cluster=good' \
    /api/notifications/channels /api/notifications/deliveries "/api/notifications/deliveries?id=$delivery" \
    /api/notifications/rules /api/notifications/silences /api/notifications/firing /api/notifications/ended; do
    get "$path"
    tag=$(header ETag) first=$(cksum <"$scratch/body")
    request GET "$path" -H "Authorization: Bearer $token" -H "If-None-Match: $tag"
    is "$path: 304" "$status $(stat -c %s "$scratch/body") $(header ETag) $(header Cache-Control)" "304 0 $tag no-store"
    request GET "$path" -H "Authorization: Bearer $token" -H 'If-None-Match: "other"'
    is "$path: whole" "$status $(cksum <"$scratch/body")" "200 $first"
done
get '/api/risks?clusterId=good'
tag=$(header ETag)
request GET '/api/risks?clusterId=good' -H "Authorization: Bearer $token" -H "If-None-Match: $tag"
like "with the other headers" "$(header X-Score-Time)" '^20.*Z$'
get '/api/clusters?limit=1'
tag=$(header ETag)
push bad "$scratch/bad.json"
request GET '/api/clusters?limit=1' -H "Authorization: Bearer $token" -H "If-None-Match: $tag"
is "a push is news" "$status" 200

# ---- who may
mine=$token
account Stranger
get /api/notifications/ended
is "a stranger sees nothing that ended" "$(json -c .)" "[]"
token=$mine
for path in '/api/gate?clusterId=good' /api/notifications/firing /api/notifications/ended; do
    request GET "$path"
    is "$path: nobody" "$status" 401
    request GET "$path" -H "X-API-Key: $api_key"
    is "$path: no key" "$status" 401
done
ask POST /api/members '{"email":"m-'$$'-'$RANDOM'@example.com","password":"correct-horse-1","role":"member"}'
login "$(json .email)" correct-horse-1
token=$(json .token)
for path in '/api/gate?clusterId=good' /api/notifications/firing /api/notifications/ended '/api/clusters?include=history' /api/notifications/deliveries; do
    get "$path"
    is "$path: a member" "$status" 200
done
done_testing
