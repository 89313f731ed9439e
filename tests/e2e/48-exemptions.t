#!/bin/bash
# Exemptions: findings that somebody has accepted for a time. What they say, what is refused, when they count
# and when they do not any more, where they show, who may, and what another tenant sees.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
stack
exemptions=/api/exemptions
nobody=00000000-0000-4000-8000-000000000000

# exempt JSON: one more, for production unless it says otherwise
exempt() {
    ask POST $exemptions "$(jq -nc --argjson more "$1" '{clusterId: "production", reason: "needs the device", owner: "platform team"} + $more')"
}
days() {
    date -u -d "+$1 days" +%Y-%m-%d
}
# told: the score and the risks of production that are exempt, were, or will be
told() {
    get '/api/risks?clusterId=production&limit=1000'
}
# of FILTER: about the check's risk in the last answer
of() {
    json ".[] | select(.check == \"$check\") | $1"
}

account Stranger
stranger=$token
cluster 2 2 '.items |= map(select(.kind != "Pod"))' >"$scratch/good.json"
push elsewhere "$scratch/good.json"
account Example
admin=$token tenant_id=$tenant
push production "$scratch/good.json"
exact=$(get '/api/risks?clusterId=production&limit=1000' && header X-Score-Exact)
check=$(json '[.[] | select(.resource == "deployment/api" and .impact > 0)][0].check')
cost=$(of .impact)
isnt "there is something to accept" "$cost" ""
ask GET $exemptions
is "no exemptions at first" "$status $body" "200 []"

# ---- one
until=$(days 30)
exempt "{\"check\":\"$check\",\"namespace\":\"shop\",\"resource\":\"Deployments.apps/api\",\"expires\":\"$until\"}"
id=$(json .id)
is "an exemption" "$status $(json -c 'del(.id, .createdAt, .changedAt, .matches)')" \
    "201 {\"check\":\"$check\",\"clusterId\":\"production\",\"namespace\":\"shop\",\"resource\":\"deployment/api\",\"reason\":\"needs the device\",\"owner\":\"platform team\",\"expires\":\"$(date -ud "$until + 1 day" +%FT%T.000Z)\",\"state\":\"pending\",\"pending\":true,\"risks\":0,\"wouldCost\":0,\"countAgain\":0,\"createdBy\":\"$email\",\"endedBy\":null,\"endedAt\":null}"
is "it says what it is for" "$(json -c '.matches | map([.clusterId, .namespace, .resource, .exemptionId, .wouldCost])')" \
    '[["production","shop","deployment/api",null,0]]'
is "it is audited" "$(audited exemption_created)" \
    "$check of deployment/api in shop, cluster production, until $(date -ud "$until + 1 day" +%FT%TZ) by platform team: needs the device"
told
is "until the next push it is only announced" "$(header X-Score-Exact) $(of '"\(.impact) \(.exempt) \(.exemption_pending.reason) \(.exemption_pending.id)"')" \
    "$exact $cost null needs the device $id"
get '/api/risks?clusterId=production&limit=1'
get "$(header Link | sed 's/^<\(.*\)>.*/\1/; s/limit=1&/limit=1000\&/')"
is "also on the pages that follow" "$(json 'map(select(.exemption_pending)) | length')" "$(told; json ".[1:] | map(select(.exemption_pending)) | length")"
get "/api/risks?clusterId=production&at=$(date -ud '+1 minute' +%FT%TZ)&limit=1000"
is "and of the latest by its time" "$(of .exemption_pending.id)" "$id"

# ---- the next push is judged by it
push production "$scratch/good.json"
told
is "then it costs nothing, and what it would cost is said" \
    "$(of '"\(.impact) \(.exempt) \(.would_cost > 0) \(.exemption_owner) \(.exemption_id) \(.exemption_pending)"')" \
    "0 needs the device true platform team $id null"
would=$(of .would_cost)
ok "the ledger adds up" jq -e --argjson exact "$(header X-Score-Exact)" '(([.[].impact] | add) + $exact - 100) | fabs < 0.001' "$scratch/body"
ok "the score is better for it" [ "$(jq -n "$(header X-Score-Exact) > $exact")" = true ]
get "$exemptions?id=$id"
is "it is active" "$(json -c '[.state, .pending, .risks, .wouldCost, (.matches | map(.exemptionId, .wouldCost))]')" \
    "[\"active\",false,1,$would,[\"$id\",$would]]"
tag=$(header ETag)
request HEAD "$exemptions?id=$id" -H "Authorization: Bearer $token"
is "its head has the same tag" "$status $(header ETag)" "200 $tag"
validate production
is "the gate shows it" "$(json ".risks[] | select(.check == \"$check\") | \"\(.impact) \(.exempt) \(.would_cost) \(.exemption_owner)\"")" "0 needs the device $would platform team"
is "and says it" "$(json '.reasons[] | select(contains("exempt"))')" "1 risk is exempt; without that it would cost $(printf %.2f "$would")."
get '/api/export?clusterId=production'
is "the report" "$(json ".risks[] | select(.check == \"$check\") | \"\(.impact) \(.exempt) \(.would_cost) \(.exemption_id) \(.exemption_owner) \(.exemption_expired)\"")" \
    "0 needs the device $would $id platform team null"
is "what is not exempt has nothing of that" "$(json -c "[.risks[] | select(.check != \"$check\") | .would_cost, .exemption_id] | unique")" '[null]'
get '/api/export?clusterId=production&format=csv'
like "as CSV" "$body" "needs the device.*,$would,$id,platform team,$(date -ud "$until + 1 day" +%F)"
get '/api/export?clusterId=production&format=ocsf'
is "as OCSF" "$(json "select(.compliance.control == \"$check\") | \"\(.status) \(.unmapped.would_cost) \(.unmapped.exemption_owner)\"")" "Suppressed $would platform team"
get '/api/export?clusterId=production&format=sarif'
is "as SARIF" "$(json '[.runs[0].results[].suppressions[]? | "\(.kind) \(.justification)"] | join(",")')" "external needs the device"
get "/api/cluster?id=production"
is "with the snapshot" "$(json ".risks[] | select(.check == \"$check\") | \"\(.exempt) \(.would_cost)\"")" "needs the device $would"
get "/api/risks?clusterId=production&since=$(date -ud '-1 hour' +%FT%TZ)&at=$(date -ud '+1 minute' +%FT%TZ)"
is "a time before any score" "$status $(json .code)" "404 no_ledger"
first=$(sql "SELECT DATE_FORMAT(MIN(taken_at), '%Y-%m-%dT%H:%i:%s.%fZ') FROM loadline.ledgers WHERE tenant_id = '$tenant_id'")
get "/api/risks?clusterId=production&since=$first"
is "why the score moved" "$(json -c '[.check_set_changed, .sums.changed.points > 0]') $(json ".changed[] | select(.risk.check == \"$check\") | \"\(.before) \(.after) \(.risk.exempt)\"")" \
    "[true,true] $cost 0 needs the device"
get "/api/risks?clusterId=production&at=$first&limit=1000"
is "then it counted" "$(of '"\(.impact) \(.exempt) \(.would_cost)"')" "$cost null null"

# ---- unused, and of all clusters
exempt "{\"check\":\"host-pid\",\"expires\":\"$until\",\"clusterId\":null,\"allClusters\":true}"
everywhere=$(json .id)
is "one for all clusters" "$status $(json '"\(.clusterId) \(.namespace) \(.resource) \(.state)"')" "201 null null null pending"
is "its scope is audited" "$(audited exemption_created | cut -d, -f1,2)" "host-pid, all clusters"
push production "$scratch/good.json"
ask GET "$exemptions?check=host-pid"
is "nothing is like that" "$(json -c 'map([.state, .risks])')" '[["unused",0]]'
ask GET "$exemptions?clusterId=production"
is "newest first" "$(json -c 'map(.id)')" "[\"$everywhere\",\"$id\"]"
ask GET "$exemptions?clusterId=other"
is "of another cluster only those of all" "$(json -c 'map(.id)')" "[\"$everywhere\"]"
ask GET "$exemptions?limit=1"
is "a page" "$(json -c 'map(.id)') $(header Link | grep -c 'rel="next"')" "[\"$everywhere\"] 1"
get "$(header Link | sed 's/^<\(.*\)>.*/\1/')"
is "and the next" "$(json -c 'map(.id)') $(header Link)" "[\"$id\"] "

# ---- by its name alone, and in another namespace
exempt "{\"check\":\"$check\",\"namespace\":\"shop\",\"workload\":\"api\",\"expires\":\"$(days 90)\"}"
longer=$(json .id)
is "workload is another word for resource" "$status $(json '"\(.resource) \(.matches | length)"')" "201 api 1"
exempt "{\"check\":\"$check\",\"namespace\":\"prod\",\"resource\":\"api\",\"expires\":\"$(days 200)\"}"
is "in a namespace that has none" "$status $(json '.matches | length')" "201 0"
elsewhere=$(json .id)
push production "$scratch/good.json"
told
is "of several the one that lasts longest counts" "$(of .exemption_id)" "$longer"
for gone in $longer $elsewhere $everywhere; do ask DELETE "$exemptions?id=$gone"; done
push production "$scratch/good.json"
told
is "ended, the other one does" "$(of .exemption_id)" "$id"

# ---- changes
get '/api/cluster?id=production'
shown_tag=$(header ETag)
get '/api/cluster?id=production&include=pods'
pods_tag=$(header ETag)
request GET '/api/cluster?id=production' -H "Authorization: Bearer $token" -H "If-None-Match: $shown_tag"
is "a cluster of which nothing has changed" "$status" 304
ask PATCH $exemptions "{\"id\":\"$id\",\"owner\":\"edge team \",\"expires\":\"$(days 366)T00:00:00+00:00\"}"
is "another owner and end" "$status $(json '"\(.owner) \(.reason) \(.expires) \(.state) \(.pending)"')" "200 edge team needs the device $(days 366)T00:00:00.000Z active true"
like "it is audited, before and after" "$(audited exemption_changed)" "^$check of deployment/api in shop, cluster production, until .* by platform team: needs the device -> until $(days 366)T00:00:00Z by edge team: "
request GET '/api/cluster?id=production' -H "Authorization: Bearer $token" -H "If-None-Match: $shown_tag"
is "the cluster has another tag then" "$status $(json ".risks[] | select(.check == \"$check\").exemption_owner")" "200 edge team"
request GET '/api/cluster?id=production&include=pods' -H "Authorization: Bearer $token" -H "If-None-Match: $pods_tag"
is "... but for who asks for no risks" "$status" 304
ask PATCH "$exemptions?id=$id" '{"check":"host-pid","namespace":"other","owner":null}'
is "what it is for stays" "$status $(json '"\(.check) \(.namespace) \(.owner)"')" "200 $check shop edge team"
entries=$(sql "SELECT COUNT(*) FROM audit WHERE tenant_id = '$tenant' AND action = 'exemption_changed'")
changed=$(get "$exemptions?id=$id" && json .changedAt)
ask PATCH "$exemptions?id=$id" '{}'
is "nothing changes nothing" "$status $(json .changedAt)" "200 $changed"
is "and the trail does not tell of it" "$(sql "SELECT COUNT(*) FROM audit WHERE tenant_id = '$tenant' AND action = 'exemption_changed'")" "$entries"
ask PATCH "$exemptions?id=$id" '{"reason":"  "}'
refused "no reason any more" 400 invalid_field reason
ask PATCH "$exemptions?id=$id" '{"expires":"2020-01-01"}'
refused "an end that is over" 400 invalid_field expires
ask PATCH "$exemptions" '{"owner":"x"}'
refused "no id" 400 missing_field id
ask PATCH "$exemptions?id=$nobody" '{"owner":"x"}'
refused "one that is not there" 404 unknown_exemption

# ---- it expires
sql "UPDATE loadline.exemptions SET expires_at = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND WHERE exemption_id = '$id'"
get "$exemptions?id=$id"
is "it is over" "$(json '"\(.state) \(.countAgain)"')" "expired 0"
push production "$scratch/good.json"
told
is "the finding counts again and says so" "$(of '"\(.impact) \(.exempt) \(.would_cost) \(.exemption_expired) \(.exemption_owner)"')" \
    "$cost null null needs the device edge team"
is "the score is as before" "$(header X-Score-Exact)" "$exact"
get "$exemptions?id=$id"
is "how many count again" "$(json '"\(.state) \(.risks) \(.countAgain)"')" "expired 0 1"
validate production
is "the gate says it" "$(json '.reasons[] | select(contains("expired"))')" "The exemption of 1 risk has expired: it costs $(printf %.2f "$cost") again."
get '/api/export?clusterId=production&format=csv'
like "the export too" "$body" "$id,edge team,.*,needs the device"
ask PATCH "$exemptions?id=$id" "{\"expires\":\"$until\"}"
is "it can be renewed" "$status $(json .state)" "200 pending"
push production "$scratch/good.json"
get "$exemptions?id=$id"
is "and holds again" "$(json '"\(.state) \(.risks) \(.countAgain)"')" "active 1 0"

# ---- ended early
ask DELETE $exemptions "{\"id\":\"$id\"}"
is "ended" "$status $(json -c .)" "200 {\"status\":\"deleted\",\"id\":\"$id\"}"
is "which is audited" "$(audited exemption_ended)" "$check of deployment/api in shop, cluster production"
ask GET $exemptions
is "it is not listed" "$body" "[]"
ask GET "$exemptions?include=ended&check=$check"
is "unless somebody asks" "$(json -c "map(select(.id == \"$id\") | [.state, .endedBy, .endedAt != null])")" "[[\"ended\",\"$email\",true]]"
ask DELETE "$exemptions?id=$id"
refused "it ends once" 404 unknown_exemption
ask PATCH "$exemptions?id=$id" '{"owner":"x"}'
refused "and is not changed any more" 404 unknown_exemption
push production "$scratch/good.json"
told
is "the finding counts again without a word" "$(of '"\(.impact) \(.exempt) \(.exemption_expired) \(.exemption_owner)"')" "$cost null null null"

# ---- what is refused
long=$(printf 'x%.0s' {1..201})
while IFS='|' read -r what code field document; do
    exempt "$document"
    refused "create: $what" 400 "$code" "$field"
done <<END
no check|missing_field|check|{"expires":"$until"}
unknown check|invalid_field|check|{"check":"privileged","expires":"$until"}
number as check|invalid_field|check|{"check":7,"expires":"$until"}
a check of the gate|invalid_field|check|{"check":"snapshot-stale","expires":"$until"}
no cluster|missing_field|clusterId|{"check":"host-pid","clusterId":null,"expires":"$until"}
no cluster, and not all|missing_field|clusterId|{"check":"host-pid","clusterId":null,"allClusters":false,"expires":"$until"}
a cluster and all|invalid_field|allClusters|{"check":"host-pid","allClusters":true,"expires":"$until"}
cluster that is none|invalid_field|clusterId|{"check":"host-pid","clusterId":"a b","expires":"$until"}
text as allClusters|invalid_field|allClusters|{"check":"host-pid","clusterId":null,"allClusters":"true","expires":"$until"}
no reason|missing_field|reason|{"check":"host-pid","reason":null,"expires":"$until"}
empty reason|invalid_field|reason|{"check":"host-pid","reason":"","expires":"$until"}
blank reason|invalid_field|reason|{"check":"host-pid","reason":" \t","expires":"$until"}
no owner|missing_field|owner|{"check":"host-pid","owner":null,"expires":"$until"}
owner of 201 bytes|invalid_field|owner|{"check":"host-pid","owner":"$long","expires":"$until"}
reason of 501 bytes|invalid_field|reason|{"check":"host-pid","reason":"$(printf 'x%.0s' {1..501})","expires":"$until"}
no end|missing_field|expires|{"check":"host-pid"}
end that is none|invalid_field|expires|{"check":"host-pid","expires":"never"}
a day that is none|invalid_field|expires|{"check":"host-pid","expires":"2027-02-30"}
a time without an offset|invalid_field|expires|{"check":"host-pid","expires":"2027-02-03T00:00:00"}
number as end|invalid_field|expires|{"check":"host-pid","expires":1800000000}
yesterday|invalid_field|expires|{"check":"host-pid","expires":"$(days -1)"}
too far ahead|invalid_field|expires|{"check":"host-pid","expires":"$(days 368)"}
namespace that is none|invalid_field|namespace|{"check":"host-pid","namespace":"Shop","expires":"$until"}
empty namespace|invalid_field|namespace|{"check":"host-pid","namespace":"","expires":"$until"}
namespace of 256 bytes|invalid_field|namespace|{"check":"host-pid","namespace":"$(printf 'x%.0s' {1..256})","expires":"$until"}
resource with a blank|invalid_field|resource|{"check":"host-pid","resource":"deployment/a b","expires":"$until"}
resource without a name|invalid_field|resource|{"check":"host-pid","resource":"deployment/","expires":"$until"}
workload without a kind|invalid_field|workload|{"check":"host-pid","workload":"/api","expires":"$until"}
resource and workload|invalid_field|workload|{"check":"host-pid","resource":"a","workload":"a","expires":"$until"}
END
ask POST $exemptions '{"check":"privileged","clusterId":"production","reason":"r","owner":"o","expires":"2027-01-01"}'
like "an unknown check is named" "$(json .error)" 'privileged, and there is no such check'
exempt "{\"check\":\"host-pid\",\"clusterId\":\"nowhere\",\"expires\":\"$until\"}"
refused "a cluster that is not there" 404 unknown_cluster
exempt "{\"check\":\"host-pid\",\"clusterId\":\"elsewhere\",\"expires\":\"$until\"}"
refused "somebody else's cluster" 404 unknown_cluster
for parameter in include=all clusterId=a%20b id=x limit=0 cursor=x; do
    ask GET "$exemptions?$parameter"
    refused "GET $parameter" 400 invalid_field "${parameter%%=*}"
done
ask GET "$exemptions?id=$nobody"
refused "one that is not there" 404 unknown_exemption
exempt "{\"check\":\"host-pid\",\"owner\":\"${long:1}\",\"reason\":\"$(printf 'x%.0s' {1..500})\",\"resource\":\"node/$(printf 'n%.0s' {1..500})\",\"namespace\":\"$(printf 'x%.0s' {1..255})\",\"expires\":\"$(days 366)\"}"
is "as long as may be" "$status" 201
ask DELETE "$exemptions?id=$(json .id)"

# ---- other people
exempt "{\"check\":\"$check\",\"expires\":\"$until\"}"
id=$(json .id)
push production "$scratch/good.json"
ask POST /api/members "{\"email\":\"m-$$-$RANDOM@example.com\",\"password\":\"12345678\",\"role\":\"member\"}"
member=$(json .id)
login "$(json .email)" 12345678
people=$(json .token)
token=$people
ask GET $exemptions
is "member: GET" "$status $(json length)" "200 1"
for method in POST PATCH DELETE; do
    ask $method $exemptions "{\"id\":\"$id\"}"
    refused "member: $method" 403 forbidden_role
done
token=$admin
ask PATCH /api/members "{\"id\":\"$member\",\"role\":\"operator\"}"
token=$people
ask PATCH $exemptions "{\"id\":\"$id\",\"owner\":\"operators\"}"
is "operator: PATCH" "$status" 200
request POST $exemptions -H "X-API-Key: $api_key" -d '{}'
is "a key" "$status" 401
token=$stranger
ask GET $exemptions
is "a stranger sees none" "$body" "[]"
ask GET "$exemptions?id=$id"
refused "nor by its id" 404 unknown_exemption
ask PATCH "$exemptions?id=$id" '{"owner":"me"}'
refused "a stranger changes none" 404 unknown_exemption
ask DELETE "$exemptions?id=$id"
refused "nor ends one" 404 unknown_exemption
token=$admin

# ---- the cluster goes, and two at once
ask DELETE '/api/clusters?id=production'
is "the cluster is deleted" "$status" 200
ask GET "$exemptions?id=$id"
is "and what was accepted of it" "$(json '"\(.state) \(.endedBy) \(.risks)"')" "ended the cluster was deleted 0"
push production "$scratch/good.json"
told
is "another one of that name has none" "$(of '"\(.impact > 0) \(.exempt)"')" "true null"
sql "INSERT INTO loadline.exemptions (exemption_id, tenant_id, check_id, namespace, resource, reason, owner, expires_at, created_by, created_at, changed_at)
     SELECT UUID(), '$tenant_id', 'host-pid', '', '', 'r', 'o', '2100-01-01', '', UTC_TIMESTAMP(3), UTC_TIMESTAMP(3) FROM seq_1_to_999"
for _ in 1 2 3; do
    curl -s -o /dev/null -w '%{http_code}\n' "$base_url$exemptions" -H "Authorization: Bearer $token" -H 'Content-Type: application/json' \
        -d "{\"check\":\"host-pid\",\"allClusters\":true,\"reason\":\"r\",\"owner\":\"o\",\"expires\":\"$until\"}" &
done >"$scratch/at-once"
wait
is "a thousand, and no more, whoever asks at once" "$(sort "$scratch/at-once" | xargs)" "201 403 403"
exempt "{\"check\":\"host-pid\",\"expires\":\"$until\"}"
refused "with a word" 403 plan_limit
# One that was over takes a place when it is renewed.
over() {
    echo "0e000000-0000-4000-8000-00000000000$1"
}
sql "INSERT INTO loadline.exemptions (exemption_id, tenant_id, check_id, namespace, resource, reason, owner, expires_at, created_by, created_at, changed_at)
     SELECT CONCAT('0e000000-0000-4000-8000-00000000000', seq), '$tenant_id', 'host-pid', '', '', 'r', 'o', UTC_TIMESTAMP(3) - INTERVAL 1 DAY, '', UTC_TIMESTAMP(3),
     UTC_TIMESTAMP(3) FROM seq_1_to_3"
ask PATCH $exemptions "{\"id\":\"$(over 1)\",\"expires\":\"$until\"}"
refused "nor is one renewed" 403 plan_limit
ask PATCH $exemptions "{\"id\":\"$(over 1)\",\"reason\":\"known\"}"
is "whose words may change" "$status $(json -c '[.reason, .state]')" '200 ["known","expired"]'
holds=$(sql "SELECT exemption_id FROM loadline.exemptions WHERE tenant_id = '$tenant_id' AND ended_at IS NULL AND expires_at > '2099-01-01' LIMIT 1")
ask PATCH $exemptions "{\"id\":\"$holds\",\"expires\":\"$until\"}"
is "and one that holds can last longer" "$status" 200
ask DELETE "$exemptions?id=$holds"
for n in 1 2 3; do
    curl -s -o /dev/null -w '%{http_code}\n' -X PATCH "$base_url$exemptions" -H "Authorization: Bearer $token" -H 'Content-Type: application/json' \
        -d "{\"id\":\"$(over $n)\",\"expires\":\"$until\"}" &
done >"$scratch/at-once"
wait
is "one place is for one, whoever asks at once" "$(sort "$scratch/at-once" | xargs)" "200 403 403"
sql "UPDATE loadline.exemptions SET check_id = 'a-check-of-before' WHERE tenant_id = '$tenant_id'"
push production "$scratch/good.json"
is "those of checks that are gone do nothing" "$status" 200
sql "INSERT INTO loadline.exemptions (exemption_id, tenant_id, check_id, namespace, resource, reason, owner, expires_at, created_by, created_at, changed_at)
     SELECT UUID(), '$tenant_id', 'host-pid', '', '', 'r', 'o', '2020-01-01' + INTERVAL seq SECOND, '', UTC_TIMESTAMP(3), UTC_TIMESTAMP(3) FROM seq_1_to_9000;
     UPDATE loadline.exemptions SET ended_at = UTC_TIMESTAMP(3) WHERE tenant_id = '$tenant_id' AND expires_at > '2099-01-01'"
kept() {
    sql "SELECT COUNT(*), MIN(expires_at) > '2020-01-01 00:00:01' FROM loadline.exemptions WHERE tenant_id = '$tenant_id'" | xargs
}
exempt "{\"check\":\"host-pid\",\"expires\":\"$until\"}"
is "of more than ten thousand the oldest goes" "$status $(kept)" "201 10000 1"
done_testing
