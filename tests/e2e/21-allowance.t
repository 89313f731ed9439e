#!/bin/bash
# Whatever leaves rows or entries in the audit trail has a limit: of a person, of a key, of their tenant.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
own_stack --workers notify=0 --set signup_limit=0/600 --set change_limit=5/600 --set gate_limit=4/600 --set login_limit=3/600

silence() {
    ask POST /api/notifications/silences "{\"until\":\"$(date -ud '1 hour' +%FT%TZ)\"}"
    echo "$status $(json .code)"
}
question() {
    request POST /api/validate -H "X-API-Key: $1" -H "X-Cluster-Id: shop" -H "Content-Type: application/json" -d '{}'
    echo "$status $(json .code)"
}
audit_entries() {
    sql "SELECT COUNT(*) FROM audit"
}

account Busy
push shop etc/sample/shop.json
for i in 1 2 3; do is "silence $i" "$(silence)" "201 null"; done
get "/api/export?clusterId=shop&format=csv"
is "an export counts, too: it is in the audit trail" "$status" 200
get "/api/audit?format=csv"
is "so does one of the trail" "$status" 200
before=$(audit_entries)
silence >"$scratch/told"
is "a sixth of anything is refused" "$(<"$scratch/told")" "429 rate_limited"
like "says when again" "$(header Retry-After)" '^([1-9]|[1-9][0-9]|[1-5][0-9][0-9]|600)$'
get "/api/audit?format=csv"
is "an export of the trail as well" "$status" 429
ask PATCH /api/keys/lifetime '{"defaultDays":1}'
is "whatever it is" "$status" 429
is "and leaves nothing" "$(audit_entries)" "$before"
is "all workers count as one" "$(sql "SELECT MIN(attempts) >= 5 FROM rate_limit WHERE class = 'change'")" 1
get "/api/audit?limit=1"
is "reading goes on" "$status" 200
get /api/keys
key_id=$(json '.[0].id')
ask DELETE "/api/keys?id=$key_id"
is "a key that has leaked can be revoked all the same" "$status" 200

# ---- of the tenant, however many members and keys there are
account Crowded
push shop etc/sample/shop.json
sql "INSERT INTO rate_limit SELECT class, '$tenant', UTC_TIMESTAMP(3), attempts FROM
    (SELECT 'change' AS class, 50 AS attempts UNION SELECT 'gate', 40) AS before_now"
is "ten times as many are the tenant's" "$(silence)" "429 rate_limited"
is "of keys, too" "$(question "$api_key")" "429 rate_limited"

# ---- keys
account Asking
push shop etc/sample/shop.json
first=$api_key
for i in 1 2 3 4; do is "question $i of a key" "$(question "$first")" "200 null"; done
question "$first" >"$scratch/told"
is "a fifth" "$(<"$scratch/told")" "429 rate_limited"
like "says when again, too" "$(header Retry-After)" '^([1-9]|[1-9][0-9]|[1-5][0-9][0-9]|600)$'
request POST /api/decisions/outcome -H "X-API-Key: $first" -H "Content-Type: application/json" -d '{}'
is "a report as well" "$status $(json .code)" "429 rate_limited"
ask POST /api/keys '{"name":"other","scope":"cicd"}'
is "another key is not concerned" "$(question "$(json .apiKey)")" "200 null"
is "a decision of each that was answered is kept" "$(sql "SELECT COUNT(*) FROM decisions")" 5

# ---- a push that is sent again under ever new keys
account Renaming
gzip -nc etc/sample/shop.json >"$scratch/shop.gz"
time=$(date -u +%FT%TZ)
again() {
    push shop "$scratch/shop.gz" -H "X-Snapshot-Time: $time" "$@"
    echo "$status $(json .code) $(header Idempotent-Replayed)"
}
is "a push" "$(again)" "200 null "
for i in 1 2 3 4 5; do is "key $i for it" "$(again -H "Idempotency-Key: $i")" "200 null true"; done
is "a sixth" "$(again -H 'Idempotency-Key: 6')" "429 rate_limited "
is "those that are known, and none, cost nothing" "$(again -H 'Idempotency-Key: 5'), $(again)" "200 null true, 200 null true"
push shop "$scratch/shop.gz" -H 'Idempotency-Key: 7'
is "another push" "$status" 200
is "each name is a row" "$(sql "SELECT COUNT(*) FROM pushes WHERE tenant_id = '$tenant'")" 7
kept() {
    sql "SELECT kept_bytes FROM clusters WHERE tenant_id = '$tenant'"
}
before=$(kept)
push shop "$scratch/shop.gz"
plain=$(($(kept) - before))
push shop "$scratch/shop.gz" -H 'Idempotency-Key: 8'
is "what is remembered counts among the bytes of the plan" $(($(kept) - before - plain)) $((plain + 100 + ${#body}))

# ---- passwords and sessions
account Signed
for i in 1 2 3; do
    ask POST /api/auth/second-factor "{\"password\":\"$password\"}"
    is "a right password in a session, $i" "$status" 201
done
ask POST /api/auth/second-factor "{\"password\":\"$password\"}"
is "a fourth right password" "$status $(json .code)" "429 rate_limited"

before=$(audit_entries)
for i in 1 2 3; do
    ask DELETE /api/sessions/others
    is "there is no other session to be ended, $i" "$status" 200
done
is "nothing ended is no entry" "$(audit_entries)" "$before"

# ---- a high limit: a worker counts by itself, and tells the database now and then
own_stack --workers notify=0 --workers validate=1 --set gate_limit=32000/600
account Often
push shop etc/sample/shop.json
key_id=$(sql "SELECT key_id FROM api_keys")
sql "INSERT INTO rate_limit SET class = 'gate', subject = '$key_id', since = UTC_TIMESTAMP(3), attempts = 31900"
for _ in {1..31}; do question "$api_key"; done >"$scratch/told"
is "31 questions ask it for no count" "$(sql "SELECT attempts FROM rate_limit WHERE subject = '$key_id'")" 31900
question "$api_key" >>"$scratch/told"
is "the 32nd counts them all" "$(sql "SELECT attempts FROM rate_limit WHERE subject = '$key_id'")" 31932
for _ in {33..101}; do question "$api_key"; done >>"$scratch/told"
is "100 are let in, and the next is not" "$(sort "$scratch/told" | uniq -c | xargs)" "100 200 null 1 429 rate_limited"
is "nor counted: what is refused costs the database nothing" "$(sql "SELECT attempts FROM rate_limit WHERE subject = '$key_id'")" 32000
done_testing
