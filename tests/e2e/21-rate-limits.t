#!/bin/bash
# Attempts that are counted: logins, signups, API keys. Counted in the database, so by all workers.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
own_stack --set login_fail_limit=3/60 --set signup_limit=4/60 --set key_fail_limit=5/60 --set address_limit=8/60 --set manifest_limit=2/60 --set trusted_proxies=127.0.0.1

# from ADDRESS: options for curl; the proxy is trusted here.
from() {
    echo "X-Forwarded-For: 203.0.113.99, $1"
}
login_from() {
    post /api/auth/login "{\"email\":\"$1\",\"password\":\"$2\"}" -H "$(from "$3")"
}

post /api/auth/signup '{"company":"c","email":"a@x.example","password":"12345678"}' -H "$(from 192.0.2.1)"
api_key=$(json .apiKey)
for i in 2 3 4; do
    post /api/auth/signup "{\"company\":\"c\",\"email\":\"a$i@x.example\",\"password\":\"12345678\"}" -H "$(from 192.0.2.1)"
    is "signup $i" "$status" 201
done
post /api/auth/signup '{"company":"c","email":"b@x.example","password":"12345678"}' -H "$(from 192.0.2.1)"
is "one signup too many" "$status $(json .code)" "429 rate_limited"
like "when to come again" "$(header Retry-After)" '^([1-9]|[1-5][0-9]|60)$'
post /api/auth/signup '{"company":"c","email":"b@x.example","password":"12345678"}' -H "$(from 192.0.2.2)"
is "another address may" "$status" 201

for i in 1 2 3; do
    login_from a@x.example wrong-password 192.0.2.11
    is "wrong login $i" "$status" 401
done
login_from a@x.example wrong-password 192.0.2.11
is "a fourth" "$status $(json .code)" "429 rate_limited"
is "what was refused unseen is not in the audit trail" "$(sql "SELECT COUNT(*), MAX(address) FROM audit WHERE action = 'sign_in_failed'" | tr '\t' ' ')" "3 192.0.2.11"
login_from a2@x.example 12345678 192.0.2.11
is "the address is closed for everybody" "$status" 429
login_from a2@x.example 12345678 192.0.2.12
is "another e-mail from another address is not" "$status" 200
for i in 1 2 3 4; do login_from a2@x.example 12345678 192.0.2.12; done
is "right logins do not count" "$status" 200

sql "UPDATE rate_limit SET since = since - INTERVAL 61 SECOND"
login_from a@x.example 12345678 192.0.2.11
is "a minute later it is open again" "$status" 200
login_from a@x.example wrong-password 192.0.2.11
is "and counts anew" "$status" 401

# ---- wrong passwords from everywhere: an account is not closed, but waited for, longer and longer
# wait_of EMAIL: the seconds from the last wrong password until another may be tried, as Retry-After says
wait_of() {
    sql "UPDATE rate_limit SET since = NOW(3) + INTERVAL 300 MICROSECOND WHERE class = 'account' AND subject = '$1'"
    login_from "$1" wrong-password 192.0.2.200
    echo "$status $(header Retry-After)"
}
login_from a3@x.example 12345678 192.0.2.14
token=$(json .token)
for i in 1 2 3; do
    login_from a3@x.example wrong-password 198.51.100.$i
    login_from nobody@x.example wrong-password 198.51.100.$i
    is "wrong password $i, each from another address" "$status" 401
done
is "a fourth has to wait for a second" "$(wait_of a3@x.example)" "429 1"
is "as for an account that there is not" "$(wait_of nobody@x.example)" "429 1"
login_from A3@X.Example 12345678 192.0.2.201
is "in capitals, with the right password, from an address that is not known" "$status" 429
login_from a3@x.example 12345678 192.0.2.14
is "where the person has signed in before nobody waits" "$status" 200
login_from a3@x.example 12345678 192.0.2.1
is "nor where the person has signed up" "$status" 200
for i in 2 4 8; do
    sql "UPDATE rate_limit SET since = since - INTERVAL 20 SECOND WHERE class = 'account'"
    login_from a3@x.example wrong-password 198.51.100.1$i
    is "after the wait one may be tried" "$status" 401
    is "and the next waits for $i seconds" "$(wait_of a3@x.example)" "429 $i"
done
sql "UPDATE rate_limit SET attempts = 1000000 WHERE class = 'account'"
is "a quarter of an hour at most" "$(wait_of a3@x.example)" "429 900"
login_from a3@x.example 12345678 192.0.2.14
is "and the person still gets in" "$status" 200
sql "UPDATE known_addresses SET seen_at = NOW(3) - INTERVAL 30 DAY WHERE address = '192.0.2.14'"
login_from a3@x.example 12345678 192.0.2.14
is "not from where the last login was a month ago" "$status" 429
sql "UPDATE rate_limit SET since = since - INTERVAL 1 DAY WHERE class = 'account'"
login_from a3@x.example wrong-password 192.0.2.202
login_from a3@x.example 12345678 192.0.2.203
is "after a day without a wrong one all are forgotten" "$status" 200

# ---- an address that is known, where others guess: their guesses there count, and those alone
for i in 1 2 3; do login_from nobody$i@x.example wrong-password 192.0.2.14; done
login_from a2@x.example 12345678 192.0.2.14
is "the address is closed for who has not signed in there" "$status" 429
login_from a3@x.example 12345678 192.0.2.203
is "a person whose address it is gets in" "$status" 200
for i in 1 2 3; do login_from a3@x.example wrong-password 192.0.2.203; done
login_from a3@x.example 12345678 192.0.2.203
is "until there were too many for that very account" "$status" 429
login_from a3@x.example 12345678 192.0.2.1
is "which closes it there and nowhere else" "$status" 200

# ---- in a session
change_from() {
    post /api/auth/password "{\"currentPassword\":\"$1\",\"newPassword\":\"${3-12345678}\"}" -H "$(from "$2")" -H "Authorization: Bearer $token"
}
sql "UPDATE rate_limit SET attempts = 1000000, since = NOW(3) WHERE class = 'account'"
change_from 12345678 192.0.2.240 87654321
is "the password can be changed whoever guesses elsewhere" "$status" 200
for i in 1 2 3 4; do
    change_from wrong-password 192.0.2.241
    is "wrong current password $i" "$status" "$([ $i -lt 4 ] && echo 401 || echo 429)"
done
change_from 87654321 192.0.2.241
is "a right one has to wait, too" "$status $(json .code)" "429 rate_limited"
change_from 87654321 192.0.2.242
is "elsewhere, too: a stolen session cannot try on from other addresses" "$status $(json .code)" "429 rate_limited"
for i in 2 4 8; do
    sql "UPDATE rate_limit SET since = since - INTERVAL 20 SECOND WHERE class = 'session'"
    change_from wrong-password 198.51.100.2$i
    is "after the wait one may be tried" "$status" 401
    change_from 87654321 198.51.100.3$i
    is "and the next waits for $i seconds" "$status $(header Retry-After)" "429 $i"
done
post /api/auth/refresh "{\"token\":\"$token\"}"
stolen=$(json .token)
post /api/auth/second-factor '{"password":"87654321"}' -H "$(from 192.0.2.243)" -H "Authorization: Bearer $stolen"
is "nor with a new token of it, or where else it has to be given" "$status $(json .code)" "429 rate_limited"
login_from a3@x.example 87654321 192.0.2.1
is "a login need not wait" "$status" 200
token=$(json .token)
login_from a2@x.example 12345678 192.0.2.241
is "nor one of somebody else who is new at that address" "$status" 200
change_from 87654321 192.0.2.242
is "nor need another session" "$status" 200
change_from 12345678 192.0.2.241 87654321
is "at the very address where the first one tried, either" "$status" 200
change_from 87654321 192.0.2.241
is "however often" "$status" 200

# ---- refreshes: each leaves a session and an entry in the audit trail
refresh() {
    post /api/auth/refresh "{\"token\":\"$token\"}"
    echo "$status $(json .code)"
}
refreshes() {
    sql "SELECT SUM(attempts) FROM rate_limit WHERE class = 'session' AND subject LIKE 'refresh:%'"
}
before=$(refreshes)
refresh >"$scratch/told"
is "a token is refreshed" "$(<"$scratch/told")" "200 null"
token=$(json .token)
is "which counts" "$(refreshes)" $((before + 1))
sql "UPDATE rate_limit SET attempts = 60, since = NOW(3) WHERE class = 'session' AND subject LIKE 'refresh:%'"
rows=$(sql "SELECT COUNT(*) FROM sessions")
refresh >"$scratch/told"
is "a person has as many of them as of logins" "$(<"$scratch/told")" "429 rate_limited"
like "is told when again" "$(header Retry-After)" '^([1-9]|[1-9][0-9]|[12][0-9][0-9]|300)$'
is "nothing is left of that" "$(sql "SELECT COUNT(*) FROM sessions")" "$rows"
get /api/sessions
is "and the token is as good as before" "$status" 200
sql "UPDATE rate_limit SET since = since - INTERVAL 300 SECOND WHERE class = 'session' AND subject LIKE 'refresh:%'"
is "later it can be refreshed again" "$(refresh)" "200 null"

# ---- right passwords from one address
for i in {1..9}; do
    login_from "a$((2 + i % 2 * 2))@x.example" 12345678 192.0.2.60
    is "right login $i of one address, of several accounts" "$status" "$([ "$i" -lt 9 ] && echo 200 || echo 429)"
done
login_from a2@x.example 12345678 192.0.2.61
is "another address is not concerned" "$status" 200

# ---- e-mails that others have, tried by an admin
post /api/auth/login '{"email":"b@x.example","password":"12345678"}' -H "$(from 192.0.2.15)"
token=$(json .token)
add() {
    post /api/members "{\"email\":\"$1\",\"password\":\"12345678\",\"role\":\"member\"}" -H "$(from "192.0.2.$2")" -H "Authorization: Bearer $token"
}
for i in 1 2 3 4; do
    add b$i@x.example $i
    is "an e-mail that is free" "$status" 201
    add a@x.example $i
    is "one that is taken, $i" "$status $(json .code)" "409 email_taken"
done
add a@x.example 5
is "a fifth, from wherever" "$status $(json .code)" "429 rate_limited"
add nobody@x.example 5
is "tells no more than one that is free" "$status $(json .code)" "429 rate_limited"

wrong=$(printf 'll_%043d' 7)
for i in 1 2 3 4 5; do
    request POST /api/validate -d '{}' -H "X-API-Key: $wrong" -H "$(from 192.0.2.21)"
    is "wrong key $i" "$status $(json .code)" "401 bad_api_key"
done
request POST /api/validate -d '{}' -H "X-API-Key: $wrong" -H "$(from 192.0.2.21)"
is "a sixth" "$status $(json .code)" "429 rate_limited"
post /api/validate '{"cluster_id":"c"}' -H "X-API-Key: $api_key" -H "$(from 192.0.2.21)"
is "the right key is let in" "$status $(json .code)" "404 unknown_cluster"
request POST /api/validate -d '{}' -H "X-API-Key: $wrong" -H "$(from 192.0.2.22)"
is "another address" "$status" 401
request POST /api/validate -d '{}' -H "X-API-Key: $wrong" -H "X-Forwarded-For: 192.0.2.21, 192.0.2.23"
is "only the nearest address that is no proxy counts" "$status" 401

# ---- forms of X-Forwarded-For: one client each, whatever stands around its address
while IFS='|' read -r what one two; do
    for i in 1 2 3; do
        request POST /api/auth/login -H "Content-Type: application/json" -H "X-Forwarded-For: $one" \
            -d "{\"email\":\"f$i-${one//[^0-9a-f]/}@x.example\",\"password\":\"12345678\"}"
    done
    is "$what" "$status" 401
    request POST /api/auth/login -H "Content-Type: application/json" -H "X-Forwarded-For: $two" \
        -d "{\"email\":\"g-${one//[^0-9a-f]/}@x.example\",\"password\":\"12345678\"}"
    is "$what: the same client" "$status" 429
done <<'END'
one address|192.0.2.31|192.0.2.31
another one address|192.0.2.32|203.0.113.7, 192.0.2.32
an address and a port|192.0.2.33:4711|192.0.2.33:4712
IPv6|2001:db8:31::1|2001:db8:31::1
IPv6 and a port|[2001:db8:32::1]:4711|2001:db8:32::1
IPv6 written otherwise|2001:DB8:33:0:0:0:0:1|2001:db8:33::1
another address of the same /64|2001:db8:34::1|2001:db8:34::ffff:1
IPv4 in IPv6|::ffff:192.0.2.35|192.0.2.35
a comma too many|192.0.2.34, ,|192.0.2.34
END
# ---- questions to the gate with a manifest
account Asking
push asked etc/sample/shop.json
one='{"cluster_id":"asked","manifest":{"apiVersion":"v1","kind":"Service","metadata":{"name":"a"},"spec":{}}}'
for expected in 200 200 429; do
    post /api/validate "$one" -H "X-API-Key: $api_key"
    is "a manifest" "$status" $expected
done
like "says when again" "$(header Retry-After)" '^[1-9][0-9]?$'
post /api/validate '{"cluster_id":"asked"}' -H "X-API-Key: $api_key"
is "without one there is no limit" "$status" 200
# CGI makes one variable of all of these: none of them may be the one that is believed
for name in X_Forwarded_For X.Forwarded.For X~Forwarded-For 'X!Forwarded_For'; do
    request GET /health -H "$name: 203.0.113.8" -H "X-Forwarded-For: 192.0.2.31"
    request GET /health -H "X-Forwarded-For: 192.0.2.31" -H "$name: 203.0.113.8"
done
is "a header that only looks like X-Forwarded-For is not believed" \
    "$(grep -c 'client="203.0.113.8"' "$(log_of status)")" 0
request GET /health -H "X-Forwarded-For: 203.0.113.8" -H "X-Forwarded-For: 192.0.2.31"
like "of two that are it the last counts" "$(tail -1 "$(log_of status)")" 'client="192\.0\.2\.31"$'
done_testing
