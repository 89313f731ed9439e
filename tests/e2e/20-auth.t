#!/bin/bash
# Accounts and sessions: signup, login, verify, refresh, password, logout.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
stack

# ---- signup
account Example
is "signup" "$status" 201
is "its members" "$(json 'keys | join(" ")')" "apiKey email expiresAt message plan status tenantId token"
is "its values" "$(json '.status + " " + .plan + " " + .email')" "created trial $email"
like "the key" "$api_key" '^ll_[A-Za-z0-9_-]{43}$'
like "the token" "$token" '^llt_[A-Za-z0-9_-]{43}$'
like "the tenant" "$tenant" '^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$'
is "the type" "$(header Content-Type)" application/json
is "no-store" "$(header Cache-Control)" no-store
like "a request id" "$(header X-Request-Id)" '^[0-9a-f-]{36}$'
is "the password is kept as scrypt" "$(sql "SELECT LEFT(password, 11) FROM users WHERE email = '$email'")" '$s1$0a0803$'
is "key and token are nowhere in the log" "$(grep -rcF -e "$api_key" -e "$token" -e "$password" "$stack_dir/log" | grep -vc ':0$')" 0

while IFS='|' read -r what field document; do
    post /api/auth/signup "$document"
    refused "signup: $what" 400 "$([ "$what" = "${what#no }" ] && echo invalid_field || echo missing_field)" "$field"
done <<'END'
no company|company|{"email":"a@b.example","password":"12345678"}
no email|email|{"company":"c","password":"12345678"}
no password|password|{"company":"c","email":"a@b.example"}
short password|password|{"company":"c","email":"a@b.example","password":"1234567"}
seven letters of two bytes|password|{"company":"c","email":"a@b.example","password":"äöüäöüä"}
number as password|password|{"company":"c","email":"a@b.example","password":12345678}
empty company|company|{"company":"","email":"a@b.example","password":"12345678"}
blanks as company|company|{"company":" \t ","email":"a@b.example","password":"12345678"}
NUL in company|company|{"company":"a\u0000b","email":"a@b.example","password":"12345678"}
no-at e-mail|email|{"company":"c","email":"ab.example","password":"12345678"}
two ats|email|{"company":"c","email":"a@b@c.example","password":"12345678"}
blank in e-mail|email|{"company":"c","email":"a b@c.example","password":"12345678"}
newline in e-mail|email|{"company":"c","email":"a@b.example\n","password":"12345678"}
e-mail in angle brackets|email|{"company":"c","email":"<a@b.example>","password":"12345678"}
two e-mails|email|{"company":"c","email":"a,a@b.example","password":"12345678"}
list as e-mail|email|{"company":"c","email":["a@b.example"],"password":"12345678"}
END
post /api/auth/signup "$(jq -nc --arg e "$(printf 'a%.0s' {1..243})@b.example" '{company: "c", email: $e, password: "12345678"}')"
is "an e-mail of 253 bytes" "$status" 201
post /api/auth/signup "$(jq -nc --arg e "$(printf 'a%.0s' {1..245})@b.example" '{company: "c", email: $e, password: "12345678"}')"
refused "an e-mail of 255 bytes" 400 invalid_field email
post /api/auth/signup "$(jq -nc --arg p "$(printf 'a%.0s' {1..513})" '{company: "c", email: "long@b.example", password: $p}')"
refused "a password of 513 bytes" 400 invalid_field password
post /api/auth/signup "$(jq -nc --arg e "$email" '{company: "c", email: $e, password: "12345678"}')"
refused "an e-mail twice" 409 email_taken
post /api/auth/signup "$(jq -nc --arg e "${email^^}" '{company: "c", email: $e, password: "12345678"}')"
refused "an e-mail twice, in capitals" 409 email_taken
is "a refused signup leaves no tenant" "$(sql "SELECT COUNT(*) FROM tenants t WHERE company = 'c' AND NOT EXISTS (SELECT * FROM users u WHERE u.tenant_id = t.tenant_id)")" 0
post /api/auth/signup '{"company":"🚢 & Söhne","email":"ship-'$$'@b.example","password":"🐴🐴🐴🐴🐴🐴🐴🐴","plan":"enterprise","extra":{}}'
is "emoji, and members that nobody knows" "$status $(json .plan)" "201 trial"
request POST /api/auth/signup -d '{"company":"c"}'
refused "a form instead of JSON" 415 not_json
post /api/auth/signup '{"company":"c",'
refused "half a document" 400 bad_json
# What json-c takes for JSON.
while read -r value; do
    post /api/auth/verify "{\"token\":\"x\",\"a\":$value}"
    refused "no JSON: $value" 400 bad_json
done <<END2
1.
-.5
-01
NaN
-Infinity
{'b':1}
"a	tab"
END2
post /api/auth/verify $'{"token":"x"}\n{"token":"y"}'
refused "two documents" 400 bad_json
post /api/auth/signup "$(printf '%16385s' '{}')"
refused "16 KiB and one" 413 too_large
is "... says how much is taken" "$(json .error)" "The body has 16385 bytes: 16384 are taken."
request GET /api/auth/login
is "GET" "$status $(header Allow)" "405 POST"
is "... says which there are" "$(json .error)" "This path has no GET, but POST."
post /api/auth/signup/ '{}'
refused "a slash too many" 404 not_found

# ten at once, one e-mail
same=race-$$@b.example
for i in {1..10}; do
    curl -sS -o /dev/null -w '%{http_code}\n' "$base_url/api/auth/signup" -H 'Content-Type: application/json' \
        -d '{"company":"c","email":"'$same'","password":"12345678"}' >"$scratch/race.$i" &
done
wait
is "of ten racing signups one wins" "$(cat "$scratch"/race.* | sort | uniq -c | xargs)" "1 201 9 409"

# ---- login
login "$email" "$password"
is "login" "$status $(json 'keys | join(" ")')" "200 email expiresAt tenantId token"
is "whose" "$(json '.email + " " + .tenantId')" "$email $tenant"
hours=$((($(date -d "$(json .expiresAt)" +%s) - $(date +%s) + 30) / 60))
is "for eight hours" "$hours" 480
second=$(json .token)
login "${email^^}" "$password"
is "login in capitals" "$status" 200
login "$email" "$password "
refused "wrong password" 401 bad_login
isnt "with a challenge" "$(header WWW-Authenticate)" ""
login nobody@b.example "$password"
refused "nobody" 401 bad_login
post /api/auth/login '{"email":"'"$email"'"}'
refused "no password" 400 missing_field password

# ---- verify
verify() {
    post /api/auth/verify "{\"token\":\"$1\"}"
}
verify "$token"
is "verify" "$status $(json -c '[.valid, .email, .tenantId, .role]')" "200 [true,\"$email\",\"$tenant\",\"admin\"]"
for bad in "" x "llt_${token:5}" "${token}x" "${token%?}" "$api_key" "$(printf 'llt_%043d' 0)"; do
    verify "$bad"
    if [ -z "$bad" ]; then refused "verify of nothing" 400 invalid_field token; continue; fi
    is "verify of $(head -c 10 <<<"$bad")... (${#bad})" "$status $(json -c '[.valid, .code]')" '401 [false,"bad_token"]'
done
post /api/auth/verify '{"token":7}'
refused "verify of a number" 400 invalid_field token
sql "UPDATE sessions SET expires_at = UTC_TIMESTAMP(3) WHERE token_hash = UNHEX(SHA2('$second', 256))"
verify "$second"
is "verify of an expired one" "$status" 401
get /api/clusters
is "a session reads" "$status" 200
request GET /api/clusters -H "Authorization: Bearer $second"
refused "an expired one does not" 401 bad_token
request GET /api/clusters -H "Authorization: Bearer $token" -H "Authorization: Bearer $token"
is "one that comes twice is told apart" "$status $(json .code) $(json .error)" "401 bad_token Authorization came twice: send it once."
request POST /api/validate -H 'X-API-Key: ll_a' -H 'X-API-Key: ll_b' -d '{}'
is "... a key, too" "$status $(json .error)" "401 X-API-Key came twice: send it once."

# ---- refresh
post /api/auth/refresh "{\"token\":\"$token\"}"
is "refresh" "$status $(json 'keys | join(" ")')" "200 email expiresAt tenantId token"
new=$(json .token)
isnt "another token" "$new" "$token"
post /api/auth/refresh "{\"token\":\"$token\"}"
refused "the old one is dead: refresh" 401 bad_token
get /api/clusters
refused "the old one is dead: read" 401 bad_token
for i in {1..10}; do
    curl -sS -o /dev/null -w '%{http_code}\n' "$base_url/api/auth/refresh" -H 'Content-Type: application/json' \
        -d "{\"token\":\"$new\"}" >"$scratch/race.$i" &
done
wait
is "of ten racing refreshes one wins" "$(cat "$scratch"/race.* | sort | uniq -c | xargs)" "1 200 9 401"

# ---- password and logout
login "$email" "$password"
token=$(json .token)
login "$email" "$password"
other=$(json .token)
change() {
    post /api/auth/password "$(jq -nc --arg c "$1" --arg n "$2" '{currentPassword: $c, newPassword: $n}')" \
        -H "Authorization: Bearer $token"
}
change wrong-password new-password
refused "password: the current one is wrong" 401 bad_login
change "$password" short
refused "password: the new one is short" 400 invalid_field newPassword
change "$password" new-password
is "password" "$status $(json -c .)" '200 {"status":"ok"}'
get /api/clusters
is "this session goes on" "$status" 200
verify "$other"
is "the other one is over" "$status" 401
login "$email" "$password"
refused "the old password is dead" 401 bad_login
login "$email" new-password
is "the new one works" "$status" 200
request POST /api/auth/logout -d '' -H "Authorization: Bearer $token"
is "logout" "$status $(json -c .)" '200 {"status":"ok"}'
get /api/clusters
refused "and the session is over" 401 bad_token
request POST /api/auth/logout -d '' -H "X-API-Key: $api_key"
refused "a key is no session" 401 unauthorized
done_testing
