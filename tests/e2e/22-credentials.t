#!/bin/bash
# Who may do what: every route with every wrong credential; and nobody sees another tenant's things.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
stack
account Example
mine=$token my_key=$api_key my_tenant=$tenant
cluster 2 2 >"$scratch/cluster.json"
push shared-name "$scratch/cluster.json"
is "my cluster" "$status" 200
account Example
their_key=$api_key their_token=$token

# key SCOPE [COLUMN = VALUE]: another key of my tenant
key() {
    local text
    text=ll_$(head -c 32 /dev/urandom | base64 | tr '+/' '-_' | tr -d '=')
    sql "INSERT INTO api_keys (key_id, tenant_id, key_hash, name, scope, created_at)
         VALUES (UUID(), '$my_tenant', UNHEX(SHA2('$text', 256)), 'test', '$1', UTC_TIMESTAMP(3));
         UPDATE api_keys SET ${2:-name = 'test'} WHERE key_hash = UNHEX(SHA2('$text', 256))"
    echo "$text"
}

unknown_key=$(printf 'll_%043d' 1)
unknown_token=$(printf 'llt_%043d' 1)
revoked=$(key full "revoked_at = UTC_TIMESTAMP(3)")
expired=$(key full "expires_at = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND")

while read -r method path credential; do
    case $credential in
    key) right=("X-API-Key: $unknown_key" "X-API-Key: $revoked" "X-API-Key: $expired" "X-API-Key: $mine" "X-API-Key: ${my_key}x" "X-API-Key: LL_${my_key#ll_}")
        other="Authorization: Bearer $mine" also="Authorization: Bearer $my_key" ;;
    session) right=("Authorization: Bearer $unknown_token" "Authorization: Bearer $my_key" "Authorization: Bearer" "Authorization: $mine" "Authorization: Basic $mine" "Authorization: Bearer $mine x")
        other="X-API-Key: $my_key" also="X-API-Key: $mine" ;;
    esac
    data=(); [ "$method" = GET ] || data=(-d '{}')
    request "$method" "$path" "${data[@]}"
    is "$path: nothing" "$status $(json .code)" "401 unauthorized"
    like "$path: says what is wanted" "$(json .error)" ' is required.*: send it as (X-API-Key|Authorization: Bearer)\.$'
    isnt "$path: a challenge" "$(header WWW-Authenticate)" ""
    for header in "$other" "$also"; do
        request "$method" "$path" "${data[@]}" -H "$header"
        is "$path: a credential of the other kind" "$status $(json .code)" "401 unauthorized"
    done
    case $credential in
    key) request "$method" "$path" "${data[@]}" -H "X-API-Key: $mine"; kind='a session token' ;;
    session) request "$method" "$path" "${data[@]}" -H "Authorization: Bearer $my_key"; kind='an API key' ;;
    esac
    like "$path: what is in the place of the other is named" "$(json .error)" "^This is $kind\. "
    for header in "${right[@]}"; do
        request "$method" "$path" "${data[@]}" -H "$header"
        like "$path: $(head -c 30 <<<"$header")" "$status $(json .code)" '^401 (bad_api_key|bad_token)$'
    done
done <<'END'
POST /ingest key
POST /api/validate key
POST /api/decisions/outcome key
GET /api/decisions/calibration session
GET /api/clusters session
GET /api/score-history?clusterId=shared-name session
POST /api/auth/password session
POST /api/auth/logout session
GET /api/keys session
POST /api/keys session
DELETE /api/keys?id=x session
GET /api/members session
POST /api/members session
PATCH /api/members?id=x session
DELETE /api/members?id=x session
GET /api/cluster-slots session
GET /api/audit session
GET /api/exemptions session
POST /api/exemptions session
PATCH /api/exemptions?id=x session
DELETE /api/exemptions?id=x session
GET /api/overrides session
POST /api/overrides session
DELETE /api/overrides?id=x session
END

# ---- headers that are there twice, or beside one of the other kind
for header in "authorization: bearer $mine" "Authorization: BEARER  $mine "; do
    request GET /api/clusters -H "$header"
    is "$(head -c 22 <<<"$header")" "$status" 200
done
request GET /api/clusters -H "Authorization: Bearer $mine" -H "X-API-Key: $unknown_key"
is "a key beside a session counts for nothing" "$status" 200
post /api/validate '{"cluster_id":"shared-name"}' -H "X-API-Key: $my_key" -H "Authorization: Bearer $unknown_token"
is "nor a session beside a key" "$status" 200
for second in "$my_key" "$their_key" "$unknown_key" x; do
    post /api/validate '{"cluster_id":"shared-name"}' -H "X-API-Key: $my_key" -H "X-API-Key: $second"
    is "two keys, the second $(head -c 6 <<<"$second")" "$status $(json .code)" "401 bad_api_key"
    request GET /api/clusters -H "Authorization: Bearer $mine" -H "Authorization: Bearer $second"
    is "two sessions likewise" "$status $(json .code)" "401 bad_token"
done

agent=$(key agent) cicd=$(key cicd) odd=$(key nothing) later=$(key full "expires_at = UTC_TIMESTAMP(3) + INTERVAL 1 HOUR")
api_key=$agent
push shared-name "$scratch/cluster.json"
is "agent may push" "$status" 200
validate shared-name
is "and not ask the gate" "$status $(json .code)" "403 forbidden_scope"
is "... and which one may" "$(json .error)" "The scope of this API key does not allow this: it needs the scope cicd or full."
api_key=$cicd
push shared-name "$scratch/cluster.json"
is "cicd may not push" "$status $(json .code)" "403 forbidden_scope"
validate shared-name
is "but ask the gate" "$status" 200
api_key=$odd
validate shared-name
is "an unknown scope may nothing" "$status $(json .code)" "403 forbidden_scope"
api_key=$later
validate shared-name
is "a key that expires later is good" "$status" 200

api_key=$their_key
validate shared-name
is "their gate does not know my cluster" "$status $(json .code)" "404 unknown_cluster"
request GET "/api/score-history?clusterId=shared-name" -H "Authorization: Bearer $their_token"
is "nor does their history" "$status $(json .code)" "404 unknown_cluster"
request GET /api/clusters -H "Authorization: Bearer $their_token"
is "they have no clusters" "$status $(json -c .)" "200 []"
cluster 5 5 >"$scratch/theirs.json"
push shared-name "$scratch/theirs.json"
is "they may have one of the same name" "$status" 200
request GET /api/clusters -H "Authorization: Bearer $their_token"
is "which is theirs" "$(json '.[0].pods')" 5
request GET /api/clusters -H "Authorization: Bearer $mine"
is "and mine is mine" "$(json '.[0].pods')" 2
done_testing
