#!/bin/bash
# Members: added, listed, given another role, removed; the last admin stays.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
stack

# The session to ask with is $token.
add() {
    post /api/members "$1" -H "Authorization: Bearer $token"
}
change() {
    request PATCH "/api/members?id=$1" -H 'Content-Type: application/json' -H "Authorization: Bearer $token" --data-binary "$2"
}
remove() {
    request DELETE "/api/members?id=$1" -H "Authorization: Bearer $token"
}
# member EMAIL ROLE: adds one whose password is 12345678; sets id and session
member() {
    add "{\"email\":\"$1\",\"password\":\"12345678\",\"role\":\"$2\"}"
    id=$(json .id)
    login "$1" 12345678
    session=$(json .token)
}
# may SESSION: what the gate says to reading and to managing
may() {
    local before=$token
    token=$1
    get /api/clusters
    local read=$status
    get /api/members
    token=$before
    echo "$read $status"
}

unique=$$-$RANDOM
account Example
admin=$token admin_email=$email
get /api/members
is "the one who signed up" "$status $(json -c '[.[] | .email, .role]') $(json -c '.[0] | keys')" "200 [\"$email\",\"admin\"] [\"createdAt\",\"email\",\"id\",\"role\",\"secondFactor\"]"
admin_id=$(json '.[0].id')

# ---- add
add "{\"email\":\"Ada.$unique@X.example\",\"password\":\"12345678\",\"role\":\"operator\"}"
is "add" "$status $(json -c 'keys')" '201 ["email","id","role"]'
is "as it was given" "$(json -c '[.email, .role]')" "[\"Ada.$unique@X.example\",\"operator\"]"
ada=$(json .id)
login "aDA.$unique@x.EXAMPLE" 12345678
is "logs in, in any case, and is told the stored form" "$status $(json .email) $(json .tenantId)" "200 Ada.$unique@X.example $tenant"
ada_session=$(json .token)
post /api/auth/verify "{\"token\":\"$ada_session\"}"
is "verify too" "$(json -c '[.email, .role]')" "[\"Ada.$unique@X.example\",\"operator\"]"
get /api/members
is "newest first" "$(json -c '[.[].role]')" '["operator","admin"]'
is "no password is shown" "$(grep -c 's1\|password' "$scratch/body")" 0

while IFS='|' read -r what code field document; do
    add "$document"
    refused "add: $what" 400 "$code" "$field"
done <<'END2'
nothing|missing_field|email|{}
no e-mail|missing_field|email|{"password":"12345678","role":"member"}
an empty password|invalid_field|password|{"email":"a@b.example","password":"","role":"member"}
no role|missing_field|role|{"email":"a@b.example","password":"12345678"}
seven characters|invalid_field|password|{"email":"a@b.example","password":"1234567","role":"member"}
seven of four bytes|invalid_field|password|{"email":"a@b.example","password":"🐴🐴🐴🐴🐴🐴🐴","role":"member"}
NUL in the password|invalid_field|password|{"email":"a@b.example","password":"12345678\u0000","role":"member"}
password as a number|invalid_field|password|{"email":"a@b.example","password":12345678,"role":"member"}
no-at e-mail|invalid_field|email|{"email":"ab.example","password":"12345678","role":"member"}
NUL in the e-mail|invalid_field|email|{"email":"a@b\u0000.example","password":"12345678","role":"member"}
blank in the e-mail|invalid_field|email|{"email":"a b@c.example","password":"12345678","role":"member"}
unknown role|invalid_field|role|{"email":"a@b.example","password":"12345678","role":"root"}
role in capitals|invalid_field|role|{"email":"a@b.example","password":"12345678","role":"ADMIN"}
empty role|invalid_field|role|{"email":"a@b.example","password":"12345678","role":""}
NUL in the role|invalid_field|role|{"email":"a@b.example","password":"12345678","role":"admin\u0000"}
of two roles the last counts|invalid_field|role|{"email":"a@b.example","password":"12345678","role":"member","role":"x"}
END2
add "$(jq -nc --arg p "$(printf 'a%.0s' {1..513})" '{email: "a@b.example", password: $p, role: "member"}')"
refused "a password of 513 bytes" 400 invalid_field password
printf '{"email":"a@b.example","password":"%1048576s","role":"member"}' x >"$scratch/large.json"
add "@$scratch/large.json"
refused "a password of 1 MiB" 413 too_large
add "{\"email\":\"$admin_email\",\"password\":\"12345678\",\"role\":\"member\"}"
refused "an e-mail that is there" 409 email_taken
add "{\"email\":\"ADA.$unique@x.example\",\"password\":\"12345678\",\"role\":\"member\"}"
refused "in other case" 409 email_taken
is "nobody was added" "$(sql "SELECT COUNT(*) FROM users WHERE tenant_id = '$tenant'")" 2

# ---- role: what a token may follows at the next request
is "an operator reads and does not manage" "$(may "$ada_session")" "200 403"
change "$ada" '{"role":"admin"}'
is "promoted" "$status $(json -c .)" "200 {\"id\":\"$ada\",\"email\":\"Ada.$unique@X.example\",\"role\":\"admin\"}"
is "the same token manages" "$(may "$ada_session")" "200 200"
change "$ada" '{"role":"member"}'
is "demoted" "$status" 200
is "the same token does not" "$(may "$ada_session")" "200 403"
change "$ada" '{"role":"member"}'
is "the same role again" "$status" 200
change "$ada" '{"role":"owner"}'
refused "an unknown role" 400 invalid_field role
change "$ada" '{}'
refused "no role" 400 missing_field role
change 00000000-0000-4000-8000-000000000000 '{"role":"member"}'
refused "nobody" 404 unknown_member
change "'" '{"role":"member"}'
refused "a bad id" 400 invalid_field id
request PATCH /api/members -H 'Content-Type: application/json' -H "Authorization: Bearer $token" -d "{\"id\":\"$ada\",\"role\":\"operator\"}"
is "the id in the body" "$status $(json .id) $(json .role)" "200 $ada operator"
request DELETE /api/members -H 'Content-Type: application/json' -H "Authorization: Bearer $token" -d '{"id":7}'
refused "in the body and none" 400 invalid_field id
request DELETE /api/members -H "Authorization: Bearer $token"
refused "no id, no body" 400 missing_field id

# ---- remove
is "the session is there" "$(sql "SELECT COUNT(*) FROM sessions WHERE user_id = '$ada'")" 1
remove "$ada"
is "remove" "$status $(json -c .)" "200 {\"status\":\"deleted\",\"id\":\"$ada\"}"
is "the session is over at once" "$(may "$ada_session")" "401 401"
is "and gone" "$(sql "SELECT COUNT(*) FROM sessions WHERE user_id = '$ada'")" 0
post /api/auth/refresh "{\"token\":\"$ada_session\"}"
refused "it cannot be refreshed" 401 bad_token
login "ada.$unique@x.example" 12345678
refused "no more login" 401 bad_login
remove "$ada"
refused "remove again" 404 unknown_member
member "ada.$unique@x.example" member
is "the e-mail is free again" "$(may "$session")" "200 403"

# ---- the last admin
# Who is invited and has not come yet administers nothing.
add "{\"email\":\"ghost.$unique@x.example\",\"role\":\"admin\"}"
ghost=$(json .id)
remove "$admin_id"
refused "who is invited is no other admin" 409 last_admin
change "$admin_id" '{"role":"member"}'
refused "nor for a new role" 409 last_admin
remove "$ghost"
remove "$admin_id"
refused "the last admin cannot go" 409 last_admin
change "$admin_id" '{"role":"operator"}'
refused "nor be demoted" 409 last_admin
change "$admin_id" '{"role":"admin"}'
is "but stay admin" "$status" 200
for role in operator member; do
    member "$role.$unique@x.example" $role
    token=$session
    for method in GET POST PATCH DELETE; do
        data=(); [ $method = GET ] || data=(-d '{}')
        request $method "/api/members?id=$admin_id" "${data[@]}" -H "Authorization: Bearer $token"
        refused "$method as $role" 403 forbidden_role
        is "... says which role it needs" "$(json .error)" "Your role, $role, does not allow this: it needs the role admin."
    done
    token=$admin
done

member "second.$unique@x.example" admin
second_id=$id second=$session

# racing WHAT URL1 SESSION1 URL2 SESSION2 [curl's options]: both at once; sets statuses
racing() {
    local i
    for i in 1 2; do
        curl -sS -m 60 -o "$scratch/answer.$i" -w '%{http_code}\n' -X "$1" -H 'Content-Type: application/json' \
            -H "Authorization: Bearer $([ $i = 1 ] && echo "$3" || echo "$5")" "${@:6}" \
            "$base_url$([ $i = 1 ] && echo "$2" || echo "$4")" >"$scratch/race.$i" &
    done
    wait
    statuses=$(sort "$scratch"/race.{1,2} | xargs)
}
admins() {
    sql "SELECT COUNT(*) FROM users WHERE tenant_id = '$tenant' AND role = 'admin'"
}
a="/api/members?id=$admin_id" b="/api/members?id=$second_id"
wrong='' seen=''
for round in {1..40}; do
    case $((round % 2)) in
    0) racing PATCH "$a" "$admin" "$b" "$second" -d '{"role":"member"}' ;; # each demotes himself
    1) racing PATCH "$b" "$admin" "$a" "$second" -d '{"role":"member"}' ;; # each the other one
    esac
    seen+="$statuses,"
    [[ $(admins) = 1 && $statuses =~ ^200\ (403|409)$ ]] || wrong+="round $round: $statuses, $(admins) admins"$'\n'
    sql "UPDATE users SET role = 'admin' WHERE user_id IN ('$admin_id', '$second_id')"
done
empty "of 40 racing pairs of demotions one holds" "$wrong"
like "also when both passed the gate" "$seen" 409
wrong=''
for round in {1..20}; do
    case $((round % 2)) in
    0) racing DELETE "$a" "$admin" "$b" "$second" ;;
    1) racing DELETE "$b" "$admin" "$a" "$second" ;;
    esac
    [[ $(admins) = 1 && $statuses =~ ^200\ (401|409)$ ]] || wrong+="round $round: $statuses, $(admins) admins"$'\n'
    sql "INSERT IGNORE INTO users (user_id, tenant_id, email, password, role, created_at) VALUES
             ('$admin_id', '$tenant', '$admin_email', 'x', 'admin', UTC_TIMESTAMP(3)),
             ('$second_id', '$tenant', 'second.$unique@x.example', 'x', 'admin', UTC_TIMESTAMP(3));
         INSERT IGNORE INTO sessions (token_hash, tenant_id, user_id, created_at, expires_at) VALUES
             (UNHEX(SHA2('$admin', 256)), '$tenant', '$admin_id', UTC_TIMESTAMP(3), UTC_TIMESTAMP(3) + INTERVAL 1 HOUR),
             (UNHEX(SHA2('$second', 256)), '$tenant', '$second_id', UTC_TIMESTAMP(3), UTC_TIMESTAMP(3) + INTERVAL 1 HOUR)"
done
empty "of 20 racing pairs of removals one holds" "$wrong"
remove "$second_id"
is "one of two admins can go" "$status" 200
remove "$admin_id"
refused "then the other one cannot" 409 last_admin

# ---- another tenant
account Other
remove "$admin_id"
refused "another tenant's member does not exist: remove" 404 unknown_member
change "$admin_id" '{"role":"member"}'
refused "change" 404 unknown_member
get /api/members
is "nor is listed" "$(json -c '[.[].email]')" "[\"$email\"]"
add "{\"email\":\"$admin_email\",\"password\":\"12345678\",\"role\":\"member\"}"
refused "nor added" 409 email_taken
request GET /api/members -H "X-API-Key: $api_key"
refused "a key manages nobody" 401 unauthorized

# ten at once, one e-mail, two tenants, and a signup
for i in {1..10}; do
    session=$token
    [ $((i % 2)) = 0 ] || session=$admin
    curl -sS -m 60 -o /dev/null -w '%{http_code}\n' "$base_url/api/members" -H 'Content-Type: application/json' -H "Authorization: Bearer $session" \
        -d "{\"email\":\"Race.$unique@x.example\",\"password\":\"12345678\",\"role\":\"member\"}" >"$scratch/race.$i" &
done
curl -sS -m 60 -o /dev/null -w '%{http_code}\n' "$base_url/api/auth/signup" -H 'Content-Type: application/json' \
    -d "{\"company\":\"c\",\"email\":\"rACE.$unique@x.example\",\"password\":\"12345678\"}" >"$scratch/race.11" &
wait
is "of eleven who race for one e-mail one gets it" "$(cat "$scratch"/race.* | sort | uniq -c | xargs)" "1 201 10 409"

# ---- cluster slots
slots() {
    get /api/cluster-slots
    echo "$status $(json -c '{used, max, plan}')"
}
is "no cluster" "$(slots)" '200 {"used":0,"max":3,"plan":"trial"}'
cluster 1 1 >"$scratch/one.json"
push one "$scratch/one.json"
push two "$scratch/one.json"
push two "$scratch/one.json"
is "two clusters" "$(slots)" '200 {"used":2,"max":3,"plan":"trial"}'
sql "UPDATE tenants SET plan = 'professional' WHERE tenant_id = '$tenant'"
is "another plan" "$(slots)" '200 {"used":2,"max":25,"plan":"professional"}'
request GET /api/cluster-slots
refused "without a session" 401 unauthorized
request GET /api/cluster-slots -H "X-API-Key: $api_key"
refused "with a key" 401 unauthorized
member "slots.$unique@x.example" member
token=$session
is "a member reads it" "$(slots)" '200 {"used":2,"max":25,"plan":"professional"}'
done_testing
