#!/bin/bash
# API keys that are bound to clusters and to addresses, how long they last, and those that nobody uses.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
own_stack --workers notify=0 --set trusted_proxies=127.0.0.1 --set key_fail_limit=0/60 --set signup_limit=0/600
cluster 1 1 | gzip >"$scratch/c.gz"

create() {
    ask POST /api/keys "$1"
}
# pushed KEY CLUSTER [curl's options]: what a push is answered
pushed() {
    local api_key=$1
    push "$2" "$scratch/c.gz" "${@:3}"
    echo "$status $(json '.code // .status')"
}
# asked KEY CLUSTER: the gate, by the member and by the header
asked() {
    post /api/validate "{\"cluster_id\":\"$2\"}" -H "X-API-Key: $1"
    echo "$status $(json '.code // "decided"')"
}
logged() {
    post /ingest/logs '{"namespace":"n","pod":"p","container":"c","lines":[{"message":"m"}]}' -H "X-API-Key: $1" -H "X-Cluster-Id: $2"
    echo "$status $(json '.code // .status')"
}
# from ADDRESS KEY: the gate, as a client with that address behind the proxy
from() {
    post /api/validate '{"cluster_id":"prod"}' -H "X-API-Key: $2" -H "X-Forwarded-For: $1"
    echo "$status $(json '.code // "decided"')"
}

# ---- clusters
account Example
full=$api_key
is "a key without bounds pushes" "$(pushed "$full" prod) $(pushed "$full" other)" "200 ok 200 ok"
create '{"name":"agent of prod","scope":"agent","clusters":["prod"]}'
is "a key of one cluster" "$status $(json -c '[.clusters, .addresses, .unused]')" '201 [["prod"],null,false]'
agent=$(json .apiKey) id=$(json .id)
is "it is in the audit trail with its cluster" "$(audited key_created)" "agent of prod ($(get /api/keys; json ".[] | select(.id == \"$id\") | .prefix"), agent, for prod)"
get /api/keys
is "and in the list" "$(json -c ".[] | select(.id == \"$id\") | .clusters")" '["prod"]'
is "it pushes that one" "$(pushed "$agent" prod) $(logged "$agent" prod)" "200 ok 200 ok"
is "and no other" "$(pushed "$agent" other)" "403 forbidden_cluster"
pushed "$agent" other >/dev/null
push other "$scratch/c.gz" -H "X-API-Key: $agent" >/dev/null
like "in words" "$(post /ingest/logs '{}' -H "X-API-Key: $agent" -H 'X-Cluster-Id: other'; json .error)" 'The API key "agent of prod" is bound to other clusters than other\.'
is "nor logs" "$(logged "$agent" other)" "403 forbidden_cluster"
for name in pro prod2 PROD prod/x x/prod new. "$(printf 'p%.0s' {1..128})"; do
    is "nor $(head -c 20 <<<"$name")" "$(pushed "$agent" "$name")" "403 forbidden_cluster"
done
is "which makes none" "$(sql "SELECT GROUP_CONCAT(name ORDER BY name) FROM clusters")" other,prod
is "a name that is none is told first" "$(pushed "$agent" 'a b')" "400 invalid_field"
is "refusals are in the audit trail, by the key" "$(sql "SELECT COUNT(*) > 0 FROM audit WHERE action = 'access_refused' AND actor = 'agent of prod' AND subject = 'POST /ingest: cluster other' AND result = 'forbidden_cluster'")" 1
create '{"name":"two","scope":"full","clusters":["prod","not-yet/there:1","prod"]}'
two=$(json .apiKey)
is "a key of several" "$(pushed "$two" not-yet/there:1) $(pushed "$two" prod) $(pushed "$two" other)" "200 ok 200 ok 403 forbidden_cluster"
is "at the gate as well" "$(asked "$two" prod) $(asked "$two" other)" "200 decided 403 forbidden_cluster"
is "also where there is no such cluster" "$(asked "$two" nowhere)" "403 forbidden_cluster"
post /api/validate '{}' -H "X-API-Key: $two" -H 'X-Cluster-Id: other'
refused "and by the header" 403 forbidden_cluster
create '{"name":"none","scope":"cicd","clusters":[],"addresses":[]}'
is "empty lists bind to nothing" "$status $(json -c '[.clusters, .addresses]')" '201 [null,null]'
while IFS='|' read -r what field document; do
    create "{\"name\":\"n\",\"scope\":\"full\",$document}"
    refused "$what" 400 invalid_field "$field"
done <<END_OF_LIST
a name alone|clusters|"clusters":"prod"
a name with a blank|clusters|"clusters":["prod other"]
a quote|clusters|"clusters":["prod'"]
a new line|clusters|"clusters":["prod\\\\nother"]
a NUL|clusters|"clusters":["prod\\\\u0000"]
an empty name|clusters|"clusters":[""]
everything|clusters|"clusters":["*"]
a number|clusters|"clusters":[1]
null among them|clusters|"clusters":["prod",null]
129 bytes|clusters|"clusters":["$(printf 'p%.0s' {1..129})"]
101 names|clusters|"clusters":[$(printf '"c",%.0s' {1..100})"c"]
4,001 bytes in all|clusters|"clusters":[$(for _ in {1..32}; do printf '"%s",' "$(printf "p%.0s" {1..124})"; done)"x"]
an address alone|addresses|"addresses":"10.0.0.1"
a name of a host|addresses|"addresses":["example.com"]
a prefix too long|addresses|"addresses":["10.0.0.0/33"]
no prefix|addresses|"addresses":["10.0.0.0/"]
a short address|addresses|"addresses":["10.1"]
two in one|addresses|"addresses":["10.0.0.1 10.0.0.2"]
a zone|addresses|"addresses":["fe80::1%eth0"]
2,001 bytes in all|addresses|"addresses":[$(printf '"2001:db8:aaaa:bbbb:cccc:dddd:eeee:ffff",%.0s' {1..51})"198.51.100.7"]
END_OF_LIST
create '{"name":"n","scope":"full","addresses":["10.0.0.1","example.com"]}'
is "the one that is wrong is named" "$(json .error)" 'addresses must hold addresses and ranges only, and "example.com" is none.'
create '{"name":"n","scope":"full","addresses":["10.0.0.1",7]}'
is "... or what it should be" "$(json .error)" 'addresses must hold addresses and ranges only, as strings.'
create "{\"name\":\"n\",\"scope\":\"full\",\"addresses\":[$(printf '"2001:db8:aaaa:bbbb:cccc:dddd:eeee:ffff",%.0s' {1..51})\"192.0.2.100\"]}"
is "2,000 bytes of addresses" "$status $(json '.addresses | length')" "201 52"

# ---- addresses
create '{"name":"office","scope":"cicd","addresses":["192.0.2.0/24","2001:db8::/32","198.51.100.7"]}'
is "a key of some addresses" "$status $(json -c .addresses)" '201 ["192.0.2.0/24","2001:db8::/32","198.51.100.7"]'
office=$(json .apiKey)
while read -r address expected; do
    is "from $address" "$(from "$address" "$office")" "$expected"
done <<'END_OF_LIST'
192.0.2.0 200 decided
192.0.2.255 200 decided
192.0.3.0 403 forbidden_address
192.0.1.255 403 forbidden_address
198.51.100.7 200 decided
198.51.100.8 403 forbidden_address
2001:db8::1 200 decided
2001:DB8:ffff:ffff:ffff:ffff:ffff:ffff 200 decided
2001:db9:: 403 forbidden_address
::ffff:192.0.2.7 200 decided
::ffff:c000:207 200 decided
::ffff:192.0.3.7 403 forbidden_address
::192.0.2.7 403 forbidden_address
END_OF_LIST
is "what a client writes itself does not count" "$(from "192.0.2.7, 203.0.113.9" "$office")" "403 forbidden_address"
is "what the proxy adds does" "$(from "203.0.113.9, 192.0.2.7" "$office")" "200 decided"
is "nor does an entry that is none" "$(from "192.0.2.7, x" "$office")" "403 forbidden_address"
is "without a proxy it is the address of the connection" "$(asked "$office" prod)" "403 forbidden_address"
create '{"name":"mapped","scope":"cicd","addresses":["::ffff:127.0.0.0/104"]}'
is "a range of mapped addresses is one of IPv4" "$(asked "$(json .apiKey)" prod)" "200 decided"
create '{"name":"all of IPv4","scope":"cicd","addresses":["0.0.0.0/0"]}'
four=$(json .apiKey)
is "all of IPv4 is not IPv6" "$(from 203.0.113.9 "$four") $(from 2001:db8::1 "$four")" "200 decided 403 forbidden_address"
create '{"name":"used","scope":"cicd","addresses":["192.0.2.1"]}'
key=$(json .apiKey) id=$(json .id)
sql "DELETE FROM rate_limit WHERE class = 'refusal'"
is "from elsewhere" "$(asked "$key" prod)" "403 forbidden_address"
get /api/keys
is "is no use" "$(json ".[] | select(.id == \"$id\") | .lastUsedAt")" null
is "but in the audit trail" "$(sql "SELECT CONCAT_WS(' ', actor, address, subject, result) FROM audit WHERE action = 'access_refused' AND actor = 'used'")" "used 127.0.0.1 POST /api/validate forbidden_address"
request GET /api/clusters -H "X-API-Key: $key"
refused "a route for people refuses it as any key" 401 unauthorized

# ---- how long keys last
lifetime() {
    ask PATCH /api/keys/lifetime "$1"
}
in_days() {
    date -u -d "+$1 days" +%Y-%m-%dT%H:%M:%SZ
}
# lasts: days of the key that was just made
lasts() {
    json 'if .expiresAt then (((.expiresAt[:19] + "Z" | fromdate) - now) / 86400 | round) else "for ever" end'
}
ask GET /api/keys/lifetime
is "unless it is said keys last for ever" "$status $(json -c .)" '200 {"defaultDays":0,"longestDays":0,"unusedDays":90}'
lifetime '{"defaultDays":30}'
is "a default" "$status $(json -c .)" '200 {"defaultDays":30,"longestDays":0,"unusedDays":90}'
is "in the audit trail" "$(audited key_lifetime_changed)" "30 days, at most 0 (0: for ever)"
create '{"name":"n","scope":"full"}'
is "of who says nothing" "$(lasts)" 30
create '{"name":"n","scope":"full","expiresAt":null}'
is "null is nothing" "$(lasts)" 30
create "{\"name\":\"n\",\"scope\":\"full\",\"expiresAt\":\"$(in_days 1000)\"}"
is "who says something gets it" "$(lasts)" 1000
lifetime '{"longestDays":29}'
refused "a longest life below the default" 400 invalid_field defaultDays
lifetime '{"longestDays":60,"defaultDays":null}'
is "a longest life" "$status $(json -c '[.defaultDays, .longestDays]')" '200 [30,60]'
create "{\"name\":\"n\",\"scope\":\"full\",\"expiresAt\":\"$(in_days 61)\"}"
refused "a day more" 400 invalid_field expiresAt
like "in words" "$(json .error)" 'within 60 days'
create "{\"name\":\"n\",\"scope\":\"full\",\"expiresAt\":\"$(date -u -d '+60 days -1 minute' +%Y-%m-%dT%H:%M:%SZ)\"}"
is "as much" "$(lasts)" 60
lifetime '{"defaultDays":0}'
create '{"name":"n","scope":"full"}'
is "without a default the longest is it" "$(lasts)" 60
request PATCH /api/keys/lifetime -H "Authorization: Bearer $token" -H 'If-None-Match: *' \
    -H 'Content-Type: application/json' -d '{"longestDays":60}'
is "a change is answered whatever the client has" "$status $(json .longestDays) $(header ETag)" "200 60 "
is "a key of before stays" "$(pushed "$full" prod)" "200 ok"
for bad in '{"defaultDays":-1}' '{"defaultDays":3651}' '{"defaultDays":1.5}' '{"defaultDays":"1"}'; do
    lifetime "$bad"
    refused "$bad" 400 invalid_field defaultDays
done
mine=$token
account Other
ask GET /api/keys/lifetime
is "another tenant has its own" "$(json -c '[.defaultDays, .longestDays]')" '[0,0]'
token=$mine
ask POST /api/members "{\"email\":\"op-$$@x.example\",\"password\":\"12345678\",\"role\":\"operator\"}"
login "op-$$@x.example" 12345678
token=$(json .token)
ask GET /api/keys/lifetime
is "an operator reads it" "$status" 200
lifetime '{"defaultDays":0}'
refused "and does not change it" 403 forbidden_role
token=$mine

# ---- keys that nobody uses
unused() {
    get /api/keys
    json -c "[.[] | select(.id == \"$id\") | .unused]"
}
is "a new key is not unused" "$(unused)" "[false]"
sql "UPDATE api_keys SET created_at = created_at - INTERVAL 91 DAY WHERE key_id = '$id'"
is "one that was never used in 91 days is" "$(unused)" "[true]"
sql "UPDATE api_keys SET last_used_at = UTC_TIMESTAMP(3) - INTERVAL 89 DAY WHERE key_id = '$id'"
is "one that was used 89 days ago is not" "$(unused)" "[false]"
sql "UPDATE api_keys SET last_used_at = UTC_TIMESTAMP(3) - INTERVAL 91 DAY WHERE key_id = '$id'"
is "91 days ago is" "$(unused)" "[true]"
done_testing
