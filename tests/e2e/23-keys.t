#!/bin/bash
# API keys over the API: made, listed, used, expired, revoked.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
stack

# create JSON [curl's options]
create() {
    post /api/keys "$1" -H "Authorization: Bearer $token" "${@:2}"
}
revoke() {
    request DELETE "/api/keys?id=$1" -H "Authorization: Bearer $token"
}
# use KEY: asks the gate about a cluster that is not there
use() {
    post /api/validate '{"cluster_id":"nowhere"}' -H "X-API-Key: $1"
}
# as ROLE COMMAND...: with a session of another member of the tenant
as() {
    local role=$1 before=$token
    shift
    token=${sessions[$role]}
    "$@"
    token=$before
}

account Example
signup_key=$api_key
get /api/keys
is "the key of the signup" "$status $(json -c '.[0] | [.name, .scope, .expiresAt, .lastUsedAt]') $(json length)" '200 ["signup","full",null,null] 1'
is "its members" "$(json -c '.[0] | keys')" '["addresses","clusters","createdAt","expiresAt","id","lastUsedAt","name","prefix","scope","unused"]'
is "its first characters" "$(json '.[0].prefix')" "${api_key:0:9}"

# ---- create
create '{"name":"ci","scope":"cicd"}'
is "a key" "$status $(json -c 'keys')" '201 ["addresses","apiKey","clusters","createdAt","expiresAt","id","lastUsedAt","name","prefix","scope","unused"]'
ci=$(json .apiKey) ci_id=$(json .id)
like "it looks like one" "$ci" '^ll_[A-Za-z0-9_-]{43}$'
is "its values" "$(json -c '[.name, .scope, .prefix, .expiresAt]')" "[\"ci\",\"cicd\",\"${ci:0:9}\",null]"
use "$ci"
refused "it is let in" 404 unknown_cluster
request POST /ingest -d '{}' -H "X-API-Key: $ci" -H 'X-Cluster-Id: c'
refused "within its scope" 403 forbidden_scope
get /api/keys
is "newest first" "$(json -c '[.[].name]')" '["ci","signup"]'
is "the key itself is not shown again" "$(grep -cF -e "$ci" -e "$signup_key" "$scratch/body")" 0
is "nor kept" "$(sql "SELECT COUNT(*) FROM api_keys WHERE key_id = '$ci_id' AND key_hash = UNHEX(SHA2('$ci', 256))
    AND CONCAT_WS(' ', name, scope, prefix) NOT LIKE '%${ci:9}%'")" 1
is "nor logged" "$(grep -rcF "$ci" "$stack_dir/log" | grep -vc ':0$')" 0
is "its use is noted" "$(json '.[0].lastUsedAt != null')" true

while IFS='|' read -r what code field document; do
    create "$document"
    refused "create: $what" 400 "$code" "$field"
done <<'END2'
nothing|missing_field|name|{}
no name|missing_field|name|{"scope":"full"}
null as name|missing_field|name|{"name":null,"scope":"full"}
empty name|invalid_field|name|{"name":"","scope":"full"}
blanks as name|invalid_field|name|{"name":"  ","scope":"full"}
number as name|invalid_field|name|{"name":1,"scope":"full"}
NUL in the name|invalid_field|name|{"name":"a\u0000b","scope":"full"}
no scope|missing_field|scope|{"name":"n"}
unknown scope|invalid_field|scope|{"name":"n","scope":"admin"}
scope in capitals|invalid_field|scope|{"name":"n","scope":"FULL"}
scope with a NUL|invalid_field|scope|{"name":"n","scope":"full\u0000"}
scopes in a list|invalid_field|scope|{"name":"n","scope":["agent"]}
the last of two scopes counts|invalid_field|scope|{"name":"n","scope":"full","scope":"none"}
expiry in the past|invalid_field|expiresAt|{"name":"n","scope":"full","expiresAt":"2020-01-01T00:00:00Z"}
expiry is no time|invalid_field|expiresAt|{"name":"n","scope":"full","expiresAt":"tomorrow"}
expiry without a zone|invalid_field|expiresAt|{"name":"n","scope":"full","expiresAt":"2099-01-01T00:00:00"}
expiry as a number|invalid_field|expiresAt|{"name":"n","scope":"full","expiresAt":4102444800}
expiry too far|invalid_field|expiresAt|{"name":"n","scope":"full","expiresAt":"10000-01-01T00:00:00Z"}
expiry too far in UTC|invalid_field|expiresAt|{"name":"n","scope":"full","expiresAt":"9999-12-31T23:59:59-01:00"}
a cut document|bad_json||{"name":"n","scope":
not an object|bad_json||["n"]
END2
create "$(printf '{"name":"\xff","scope":"full"}')"
refused "create: not UTF-8" 400 bad_json
create "$(jq -nc --arg n "$(printf 'a%.0s' {1..201})" '{name: $n, scope: "agent"}')"
refused "a name of 201 bytes" 400 invalid_field name
create "$(jq -nc --arg n "$(printf 'a%.0s' {1..200})" '{name: $n, scope: "agent"}')"
is "a name of 200 bytes" "$status" 201
create '{"name":"🚢 \"Söhne\"\n=1+1","scope":"agent","name":"last \u00e4\u202e","more":1}'
is "of two names the last one counts, whatever its letters" "$status $(json .name)" "201 last ä"$'\u202e'
create "$(printf '%16385s' '{}')"
refused "16 KiB and one" 413 too_large

# ---- expiry
create "$(jq -nc --arg t "$(date -u -d '+1 hour' +%Y-%m-%dT%H:%M:%S.%3NZ)" '{name: "short", scope: "full", expiresAt: $t}')"
is "a key that expires" "$status" 201
short=$(json .apiKey) short_id=$(json .id)
use "$short"
refused "it is good until then" 404 unknown_cluster
create '{"name":"zone","scope":"full","expiresAt":"2099-01-01T01:00:00+01:00"}'
is "an expiry with an offset" "$(json .expiresAt)" 2099-01-01T00:00:00.000Z
sql "UPDATE api_keys SET expires_at = expires_at - INTERVAL 1 HOUR WHERE key_id = '$short_id'"
use "$short"
refused "and then no more" 401 bad_api_key
get /api/keys
is "it is still listed" "$(json --arg id "$short_id" '[.[] | select(.id == $id)] | length')" 1

# ---- revoke
revoke "$ci_id"
is "revoke" "$status $(json -c .)" "200 {\"status\":\"deleted\",\"id\":\"$ci_id\"}"
use "$ci"
refused "it is dead at once" 401 bad_api_key
get /api/keys
is "and gone" "$(json --arg id "$ci_id" '[.[] | select(.id == $id)] | length')" 0
revoke "$ci_id"
refused "revoke it again" 404 unknown_key
request DELETE /api/keys -H 'Content-Type: application/json' -H "Authorization: Bearer $token" -d "{\"id\":\"$ci_id\"}"
refused "the same with the id in the body" 404 unknown_key
revoke 00000000-0000-4000-8000-000000000000
refused "revoke what never was" 404 unknown_key
for bad in "" 7 "$ci_id'" "${ci_id}0" %00 %ff; do
    revoke "$bad"
    like "revoke '$bad'" "$status $(json .code)" '^400 (invalid_field|missing_field|bad_request)$'
done
request DELETE /api/keys -H "Authorization: Bearer $token"
refused "revoke nothing" 400 missing_field id

# ---- who may
admin_token=$token
declare -A sessions=([admin]=$token)
for role in operator member; do
    post /api/members "{\"email\":\"$role-$$-$RANDOM@x.example\",\"password\":\"12345678\",\"role\":\"$role\"}" -H "Authorization: Bearer $token"
    post /api/auth/login "{\"email\":\"$(json .email)\",\"password\":\"12345678\"}"
    sessions[$role]=$(json .token)
    as $role get /api/keys
    is "a(n) $role reads" "$status" 200
    as $role create '{"name":"n","scope":"agent"}'
    refused "a(n) $role makes none" 403 forbidden_role
    as $role revoke "$short_id"
    refused "a(n) $role revokes none" 403 forbidden_role
done
for method in GET POST DELETE; do
    data=(); [ $method = GET ] || data=(-d '{}')
    request $method "/api/keys?id=$short_id" "${data[@]}" -H "X-API-Key: $signup_key"
    refused "$method with a key" 401 unauthorized
done
account Other
other_token=$token
revoke "$short_id"
refused "another tenant's key does not exist" 404 unknown_key
create '{"name":"theirs","scope":"full"}'
theirs=$(json .id)
get "/api/keys?limit=1000"
is "they see their own" "$(json -c '[.[].name]')" '["theirs","signup"]'
token=$admin_token
get "/api/keys?limit=1000"
is "and not the other way round" "$(json --arg id "$theirs" '[.[] | select(.id == $id)] | length')" 0
token=$other_token

# ---- pages: ten keys, five of them made in the same millisecond
sql "INSERT INTO api_keys (key_id, tenant_id, key_hash, name, scope, created_at)
     SELECT UUID(), '$tenant', UNHEX(SHA2(CONCAT('$tenant', seq), 256)), seq, 'agent', '2026-01-01 00:00:00.000' + INTERVAL GREATEST(seq, 6) * 1000 MICROSECOND FROM seq_1_to_10"
path='/api/keys?limit=3' pages=0 ids=
while [ -n "$path" ] && [ $pages -lt 9 ]; do
    get "$path"
    ids+=$(json '.[].id')$'\n' pages=$((pages + 1))
    path=$(header Link | sed -n 's/^<\(.*\)>; rel="next"$/\1/p')
done
is "twelve keys in pages of three, each once" "$pages $(grep -c . <<<"$ids") $(sort -u <<<"$ids" | grep -c .)" "4 12 12"
get '/api/keys?limit=12'
is "a page that is just full has no next one" "$(json length) $(header Link)" "12 "
get '/api/keys?cursor=x'
refused "a cursor that is none" 400 invalid_field cursor
get '/api/keys?limit=0'
refused "a page of nothing" 400 invalid_field limit

# ---- the last use costs one statement a minute
used() {
    sql "SELECT last_used_at FROM api_keys WHERE key_hash = UNHEX(SHA2('$api_key', 256))"
}
is "never used" "$(used)" NULL
use "$api_key"
first=$(used)
isnt "used" "$first" NULL
use "$api_key"
is "a second time within the minute is not noted" "$(used)" "$first"
sql "UPDATE api_keys SET last_used_at = UTC_TIMESTAMP(3) - INTERVAL 61 SECOND WHERE key_hash = UNHEX(SHA2('$api_key', 256))"
use "$api_key"
ok "a minute later it is" [ "$(used)" \> "$first" ]
sql "UPDATE api_keys SET last_used_at = UTC_TIMESTAMP(3) + INTERVAL 9 MINUTE WHERE key_hash = UNHEX(SHA2('$api_key', 256))"
ahead=$(used)
use "$api_key"
is "what a host has noted whose clock is a little ahead stays" "$(used)" "$ahead"
sql "UPDATE api_keys SET last_used_at = UTC_TIMESTAMP(3) + INTERVAL 30 DAY WHERE key_hash = UNHEX(SHA2('$api_key', 256))"
use "$api_key"
ok "of a clock that was wrong it is put right" [ "$(used)" \< "$ahead" ]

# ---- at most 1,000; the plan's own error
sql "INSERT INTO api_keys (key_id, tenant_id, key_hash, name, scope, created_at)
     SELECT UUID(), '$tenant', UNHEX(SHA2(CONCAT('$tenant', 'x', seq), 256)), seq, 'agent', UTC_TIMESTAMP(3) FROM seq_1_to_987"
create '{"name":"n","scope":"agent"}'
is "the thousandth" "$status" 201
last=$(json .id)
create '{"name":"n","scope":"agent"}'
refused "one more" 403 plan_limit
revoke "$last"
create '{"name":"n","scope":"agent"}'
is "in the place of a revoked one" "$status" 201
done_testing
