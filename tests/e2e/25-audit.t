#!/bin/bash
# The audit trail: what is in it, what is not, who reads it, and that it goes with its action.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
# A stack of its own: in the end a table is taken away.
own_stack

audit() {
    get "/api/audit$1"
}
# newest: the newest entry, without what changes from run to run
newest() {
    audit '?limit=1'
    json '.[] | "\(.action) \(.actor) \(.subject) \(.result)"'
}
entries() {
    sql "SELECT COUNT(*) FROM audit WHERE tenant_id = '$tenant'"
}

account "Söhne & Co"
user=$(sql "SELECT user_id FROM users WHERE tenant_id = '$tenant'")
audit ''
is "a signup" "$status $(json -c '[.[] | [.action, .actor, .actorId, .address, .subject, .result]]')" \
    "200 [[\"signup\",\"$email\",\"$user\",\"127.0.0.1\",\"Söhne & Co\",\"ok\"]]"
is "its members" "$(json -c '.[0] | keys')" '["action","actor","actorId","address","id","result","subject","timestamp"]'
like "its time" "$(json '.[0].timestamp')" "^20[0-9]{2}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9]\.[0-9]{3}Z$"

# ---- sessions
login "${email^^}" "$password"
is "a sign-in" "$(newest)" "sign_in $email $email ok"
login "$email" "$password"
second=$(json .token)
login "${email^}" wrong-password
is "one that fails: by nobody, to the e-mail as it was given" "$(newest)" "sign_in_failed null ${email^} bad_login"
audit '?limit=1'
is "but from somewhere" "$(json -c '.[0] | [.actorId, .address]')" '[null,"127.0.0.1"]'
before=$(entries)
login nobody-$$@x.example wrong-password
is "an e-mail that nobody has is in nobody's trail" "$(entries) $(sql "SELECT COUNT(*) FROM audit WHERE subject = 'nobody-$$@x.example'")" "$before 0"
post /api/auth/refresh "{\"token\":\"$second\"}"
is "a refresh" "$(newest)" "session_refreshed $email $email ok"
before=$(entries)
post /api/auth/refresh "{\"token\":\"$second\"}"
is "a refused one is not there" "$status $(entries)" "401 $before"
post /api/auth/password '{"currentPassword":"wrong-password","newPassword":"12345678"}' -H "Authorization: Bearer $token"
is "a password change with the wrong password" "$(newest)" "password_changed $email $email bad_login"
post /api/auth/password "{\"currentPassword\":\"$password\",\"newPassword\":\"12345678\"}" -H "Authorization: Bearer $token"
is "a password change" "$(newest)" "password_changed $email $email ok"
login "$email" 12345678
request POST /api/auth/logout -d '' -H "Authorization: Bearer $(json .token)"
is "a logout" "$(newest)" "sign_out $email $email ok"

# ---- clusters: by the key that pushed first
cluster 1 1 >"$scratch/one.json"
push shop "$scratch/one.json"
is "a new cluster" "$(newest)" "cluster_created signup shop ok"
is "by the key" "$(json '.[0].actorId')" "$(sql "SELECT key_id FROM api_keys WHERE tenant_id = '$tenant'")"
before=$(entries)
push shop "$scratch/one.json"
is "a known one" "$status $(entries)" "200 $before"

# ---- the gate
post /api/validate '{"cluster_id":"shop","resource":"deployment/api","user":"x"}' -H "X-API-Key: $api_key"
decision=$(json '"\(.decision) \(.csc_score)"')
is "a decision, by the key" "$(newest)" "decision signup shop ($decision, deployment/api) ok"
is "from somewhere" "$(json -c '.[0] | [.actorId, .address]')" "[\"$(sql "SELECT key_id FROM api_keys WHERE tenant_id = '$tenant'")\",\"127.0.0.1\"]"
before=$(entries)
post /api/validate '{"cluster_id":"nowhere"}' -H "X-API-Key: $api_key"
is "what is not decided is not there" "$status $(entries)" "404 $before"
decisions=$(sql "SELECT COUNT(*) FROM decisions WHERE tenant_id = '$tenant'")

# ---- keys and members
post /api/keys '{"name":"ci","scope":"cicd"}' -H "Authorization: Bearer $token"
prefix=$(json .prefix) id=$(json .id) key=$(json .apiKey)
is "a key" "$(newest)" "key_created $email ci ($prefix, cicd) ok"
request DELETE "/api/keys?id=$id" -H "Authorization: Bearer $token"
is "revoked" "$(newest)" "key_revoked $email ci ($prefix, cicd) ok"
post /api/members "{\"email\":\"m-$$@x.example\",\"password\":\"12345678\",\"role\":\"member\"}" -H "Authorization: Bearer $token"
id=$(json .id)
is "a member" "$(newest)" "member_added $email m-$$@x.example (member) ok"
login "m-$$@x.example" 12345678
member=$(json .token)
is "who signs in" "$(newest)" "sign_in m-$$@x.example m-$$@x.example ok"
request PATCH "/api/members?id=$id" -d '{"role":"operator"}' -H "Authorization: Bearer $token" -H 'Content-Type: application/json'
is "gets another role" "$(newest)" "member_role_changed $email m-$$@x.example (member to operator) ok"
before=$(entries)
request PATCH "/api/members?id=$id" -d '{"role":"operator"}' -H "Authorization: Bearer $token" -H 'Content-Type: application/json'
is "the same role again is no change" "$(entries)" "$before"
audit_as() {
    request GET /api/audit -H "$1"
}
audit_as "Authorization: Bearer $member"
refused "an operator does not read the trail" 403 forbidden_role
audit_as "X-API-Key: $api_key"
refused "nor does a key" 401 unauthorized
request DELETE "/api/members?id=$id" -H "Authorization: Bearer $token"
is "and is removed" "$(newest)" "member_removed $email m-$$@x.example ok"
audit "?actor=m-$$@x.example"
is "what they did stays" "$(json -c '[.[].action]')" '["access_refused","sign_in"]'

before=$(entries)
request DELETE "/api/keys?id=$id" -H "Authorization: Bearer $token"
post /api/keys '{"name":"x","scope":"y"}' -H "Authorization: Bearer $token"
post /api/members "{\"email\":\"$email\",\"password\":\"12345678\",\"role\":\"member\"}" -H "Authorization: Bearer $token"
request DELETE "/api/members?id=$user" -H "Authorization: Bearer $token"
is "what was refused has changed nothing and is not there" "$status $(entries)" "409 $before"

# An action and its entry are both there or neither: the trail is away.
keys=$(sql "SELECT COUNT(*) FROM api_keys WHERE tenant_id = '$tenant'")
sql "RENAME TABLE audit TO audit_away"
post /api/keys '{"name":"unseen","scope":"full"}' -H "Authorization: Bearer $token"
key_status=$status
login "$email" 12345678
login_status=$status
post /api/validate '{"cluster_id":"shop"}' -H "X-API-Key: $api_key"
gate_status=$status
sql "RENAME TABLE audit_away TO audit"
is "without the trail there is no key, no session and no decision" "$key_status $login_status $gate_status" "503 503 503"
is "no key at all" "$(sql "SELECT COUNT(*) FROM api_keys WHERE tenant_id = '$tenant'")" "$keys"
is "no decision" "$(sql "SELECT COUNT(*) FROM decisions WHERE tenant_id = '$tenant'")" "$decisions"

# ---- what is asked for
audit '?action=key_created'
is "by action" "$(json -c '[.[].subject]')" "[\"ci ($prefix, cicd)\"]"
audit '?action=channel_created'
is "nothing of that kind" "$status $(json -c .)" "200 []"
audit "?actor=${email^^}&action=sign_in"
is "by actor, in any case" "$(json length)" 3
audit "?actor=$user&action=sign_out"
is "or by its id" "$(json length)" 1
audit "?actor=$(tr 0-9a-f a-f0-9 <<<"$user")"
is "by nobody's id" "$(json -c .)" "[]"

# Names that the index takes for one.
sql "INSERT INTO audit (tenant_id, at, audit_id, actor, address, action, subject, result)
     SELECT '$tenant', NOW(3), UUID(), actor, '', 'export', actor, 'ok'
     FROM (SELECT 'Zoë K' AS actor UNION ALL SELECT 'zOË k' UNION ALL SELECT 'Zoe K' UNION ALL SELECT 'Zoë K ') names"
audit "?actor=ZO%C3%8B%20K&action=export"
is "by name in any case, and by no other name" "$(json -c '[.[].subject] | sort')" '["Zoë K","zOË k"]'
audit "?actor=zo%C3%AB%20%E2%84%AA"
is "... by each letter's own case" "$(json length)" 2
sql "DELETE FROM audit WHERE tenant_id = '$tenant' AND action = 'export'"
sql "INSERT INTO audit (tenant_id, at, audit_id, actor_id, actor, address, action, subject, result) SELECT tenant_id, '2025-01-02 03:04:05.678', UUID(), NULL, 'loadline-admin', '', 'plan_changed', 'trial to professional', 'ok' FROM tenants, seq_1_to_5 WHERE tenant_id = '$tenant'"
audit '?to=2025-12-31T00:00:00Z'
is "until" "$(json -c '[.[].actor] | unique') $(json length)" '["loadline-admin"] 5'
audit '?from=2025-01-02T04:04:05.678%2B01:00&to=2025-01-02T03:04:05.678Z&limit=1'
is "both ends are included" "$(json -c '[.[0] | .actorId, .address, .subject]')" '[null,null,"trial to professional"]'
audit '?from=2025-01-02T03:04:05.679Z&to=2025-12-31T00:00:00Z'
is "and no more" "$(json -c .)" "[]"
for bad in from=x to=1 to=9999-12-31T23:59:59-01:00 from=0001-01-01T00:00:00%2B01:00 action=drop action=SIGNUP action=signup%27 limit=0 limit=1001 cursor=1 format=xml "actor=$(printf 'a%.0s' {1..255})"; do
    audit "?$bad"
    refused "${bad:0:20}" 400 invalid_field "${bad%%=*}"
done
audit '?actor=%ff'
like "an actor that is not UTF-8" "$status $(json .code)" '^400 (invalid_field|bad_request)$'
for blank in %20 "$email%20"; do
    audit "?actor=$blank"
    is "$blank is nobody" "$(json -c .)" "[]"
done
audit '?actor=%27%20OR%20%27%27=%27'
is "quotes are letters" "$status $(json -c .)" "200 []"

path='/api/audit?limit=4' ids='' pages=0
total=$(entries)
while [ -n "$path" ] && [ $pages -lt 20 ]; do
    get "$path"
    ids+=$(json '.[] | .timestamp + " " + .id')$'\n' pages=$((pages + 1))
    path=$(header Link | sed -n 's/^<\(.*\)>; rel="next"$/\1/p')
done
is "in pages of four, five of the same millisecond among them, each entry once" "$(sort -u <<<"$ids" | grep -c .) $pages" "$total $(((total + 3) / 4))"
is "newest first" "$(cut -d' ' -f1 <<<"$ids" | grep .)" "$(cut -d' ' -f1 <<<"$ids" | grep . | sort -r)"

# ---- CSV, and cells that a spreadsheet would run
post /api/keys '{"name":"=HYPERLINK(\"http://x.example\")","scope":"agent"}' -H "Authorization: Bearer $token"
post /api/keys '{"name":"two lines, \"quoted\"","scope":"agent"}' -H "Authorization: Bearer $token"
sql "UPDATE audit SET subject = REPLACE(subject, 'two lines', 'two\nlines')" # as an earlier release took names
post /api/members '{"email":"=1+1'$$'@x.example","password":"12345678","role":"member"}' -H "Authorization: Bearer $token"
login "=1+1$$@x.example" 12345678
audit '?format=csv&limit=1000'
is "CSV" "$status $(header Content-Type) $(header Content-Disposition)" '200 text/csv; charset=utf-8 attachment; filename="audit.csv"'
rows() {
    python3 -c 'import csv, sys
for row in csv.reader(open(sys.argv[1], encoding="utf-8", newline="")): print(len(row), *row[1:3], *row[5:7], sep="|")' "$scratch/body"
}
is "the header" "$(rows | sed -n 1p)" "8|action|actor|subject|result"
is "eight cells a row, a row an entry" "$(rows | grep -c '^8|') $(tail -c1 "$scratch/body" | od -An -tx1)" "$((total + 5))  0a"
is "an e-mail that begins with =" "$(rows | sed -n 2p)" "8|sign_in|'=1+1$$@x.example|'=1+1$$@x.example|ok"
like "a name that begins with =" "$(rows | grep HYPER)" "^8\|key_created\|$email\|'=HYPERLINK"
like "a name of two lines" "$(rows | grep -A1 two)" $'two\nlines, "quoted" \\(ll_'
is "the export is in the trail" "$(newest)" "export $email audit trail (csv) ok"
audit '?format=csv&limit=1'
like "pages as CSV" "$(header Link)" '^</api/audit\?format=csv&limit=1&cursor='
before=$(sql "SELECT COUNT(*) FROM audit WHERE action = 'export'")
audit '?format=csv&limit=3&cursor=4102444800000.ffffffff-ffff-ffff-ffff-ffffffffffff'
is "each page is in the trail, whatever its cursor" "$status $(($(sql "SELECT COUNT(*) FROM audit WHERE action = 'export'") - before))" "200 1"
# What cannot stand in a URI takes three bytes in the Link.
many=$(printf '%2400s' '' | tr ' ' '<')
audit "?limit=1&x=$many"
is "a long query has its link, and all headers" "$status $(header Link | wc -c) $(header Cache-Control)" "200 $((7200 + $(header Link | sed 's/%3C//g' | wc -c))) no-store"
audit "?limit=1&x=$many$many"
refused "one that would not fit is none" 400 bad_request
is "no secret is in it" "$(sql "SELECT COUNT(*) FROM audit WHERE tenant_id = '$tenant' AND (CONCAT_WS(' ', actor, subject) LIKE '%$key%' OR subject LIKE '%12345678%' OR subject LIKE '%llt_%')")" 0

# ---- an empty filter is a mistake, and not all there is
for path in '/api/notifications/deliveries?clusterId=' '/api/exemptions?clusterId=' '/api/overrides?clusterId=' \
    '/api/notifications/silences?clusterId=' '/api/audit?cursor='; do
    get "$path"
    field=${path#*\?}
    refused "$path" 400 invalid_field "${field%=}"
done

# ---- another tenant
mine=$tenant before=$(entries)
account Other
audit '?limit=1000'
is "another tenant has its own trail" "$status $(json -c '[.[].subject]')" '200 ["Other"]'
audit "?actor=$user"
is "and cannot ask for mine" "$(json -c .)" "[]"
request GET '/api/audit'
refused "without a session" 401 unauthorized
for method in POST PUT PATCH DELETE; do
    request $method /api/audit -d '{}' -H "Authorization: Bearer $token"
    is "$method" "$status $(header Allow)" "405 GET, HEAD"
done
tenant=$mine
is "mine is as it was" "$(entries)" "$before"
done_testing
