#!/bin/bash
# Sessions: how long they last at most, listed, ended by their owner, by a new password, by an admin.
. "$(dirname "$0")/lib.sh"
stack

# alive TOKEN: the status that it reads with
alive() {
    request GET /api/clusters -H "Authorization: Bearer $1"
    echo "$status"
}
# refresh TOKEN: the new one is in $fresh
refresh() {
    post /api/auth/refresh "{\"token\":\"$1\"}"
    fresh=$(json '.token // empty')
}
# of TOKEN: the condition by which sql finds its row
of() {
    echo "token_hash = UNHEX(SHA2('$1', 256))"
}
# sign_in [USER-AGENT]: another session of $email; prints its token
sign_in() {
    request POST /api/auth/login -H 'Content-Type: application/json' -A "${1-curl}" \
        --data-binary "{\"email\":\"$email\",\"password\":\"$password\"}"
    json .token
}
end() {
    ask DELETE "/api/sessions?id=$1"
}

account "Tenant B"
b=$token
get /api/sessions
b_session=$(json '.[0].id')
account Example
admin=$token
same_day 60

# ---- the list
get /api/sessions
is "after a signup there is one" "$status $(json -c 'length, (.[0] | keys)' | xargs)" "200 1 [address,createdAt,current,endsAt,id,lastUsedAt,userAgent]"
is "which is this one" "$(json '.[0].current')" true
like "from here" "$(json '.[0].address')" '^127\.0\.0\.1$'
days=$((($(date -d "$(json '.[0].endsAt')" +%s) - $(date +%s) + 3600) / 86400))
is "it ends after 30 days" "$days" 30
first=$(json '.[0].id')
firefox=$(sign_in 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0')
get /api/sessions
is "newest first" "$(json -c '[.[].current]')" '[false,true]'
is "the other one's browser" "$(json '.[0].userAgent')" 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'
second=$(json '.[0].id')
is "no token and no hash of one" "$(grep -ciE 'llt_|hash' "$scratch/body")" 0
get '/api/sessions?limit=1'
like "a page at a time" "$(header Link)" 'cursor=.*rel="next"'
next=$(sed -E 's/^<([^>]*)>.*/\1/' <<<"$(header Link)")
get "$next"
is "and the next" "$(json -c 'map(.id)')" "[\"$first\"]"
request GET /api/sessions -H "X-API-Key: $api_key"
refused "a key has no sessions" 401 unauthorized

# What a client says that it is may be anything.
while IFS='|' read -r what agent expected; do
    odd=$(sign_in "$(printf '%b' "$agent")")
    get '/api/sessions?limit=1'
    is "$what" "$(json '.[0].userAgent' | head -c 300)" "$(printf '%b' "$expected")"
    sql "UPDATE sessions SET revoked_at = UTC_TIMESTAMP(3) WHERE $(of "$odd")"
done <<END_OF_LIST
none||
markup|<img src=x onerror=alert(1)>|<img src=x onerror=alert(1)>
bytes that are no text|a\\xff\\xc3b|ab
what turns the direction of a text|a\\xe2\\x80\\xaeb|ab
200 bytes|$(printf 'x%.0s' {1..200})|$(printf 'x%.0s' {1..200})
201|$(printf 'x%.0s' {1..201})|$(printf 'x%.0s' {1..200})
half a letter at the end|$(printf 'x%.0s' {1..199})\\xc3\\xa4|$(printf 'x%.0s' {1..199})
END_OF_LIST

# ---- last use, to the minute
sql "UPDATE sessions SET last_used_at = last_used_at - INTERVAL 2 HOUR, address = '192.0.2.9' WHERE $(of "$firefox")"
get /api/sessions
is "when it was last used, and from where" "$(json '.[0] | .address + " " + (((now - (.lastUsedAt[:19] + "Z" | fromdate)) / 3600) | round | tostring)')" "192.0.2.9 2"
is "it is used" "$(alive "$firefox")" 200
get /api/sessions
is "then it says so" "$(json '.[0] | .address + " " + ((now - (.lastUsedAt[:19] + "Z" | fromdate)) < 60 | tostring)')" "127.0.0.1 true"

# ---- refreshing
refresh "$firefox"
is "a refresh" "$status" 200
get /api/sessions
is "is the same session" "$(json -c 'map(.id)')" "[\"$second\",\"$first\"]"
is "of which one token is good" "$(alive "$firefox") $(alive "$fresh")" "401 200"
firefox=$fresh
# A day before its end a token lasts a day at most, then no more at all.
sql "UPDATE sessions SET began_at = began_at - INTERVAL 30 DAY + INTERVAL 1 HOUR WHERE $(of "$firefox")"
post /api/auth/verify "{\"token\":\"$firefox\"}"
last=$(json .sessionEndsAt)
refresh "$firefox"
is "an hour before its end a refresh gives that hour" "$status $(json .expiresAt)" "200 $last"
firefox=$fresh
refresh "$firefox"
is "and no more with the next one" "$status $(json .expiresAt)" "200 $last"
firefox=$fresh
sql "UPDATE sessions SET began_at = began_at - INTERVAL 1 HOUR WHERE $(of "$firefox")"
is "after 30 days it is over, whatever its token says" "$(alive "$firefox")" 401
refresh "$firefox"
refused "also for a refresh" 401 bad_token
get /api/sessions
is "and in the list" "$(json -c 'map(.id)')" "[\"$first\"]"
end "$second"
is "what is over can be ended all the same" "$status" 200

# ---- nobody uses it
idle=$(sign_in)
is "a session" "$(alive "$idle")" 200
sql "UPDATE sessions SET last_used_at = UTC_TIMESTAMP(3) - INTERVAL 28799 SECOND + INTERVAL 5 SECOND WHERE $(of "$idle")"
is "after almost 8 hours without use it is open" "$(alive "$idle")" 200
sql "UPDATE sessions SET last_used_at = UTC_TIMESTAMP(3) - INTERVAL 28801 SECOND WHERE $(of "$idle")"
is "after 8 hours not" "$(alive "$idle")" 401
refresh "$idle"
refused "nor does a refresh bring it back" 401 bad_token

# ---- clocks that are wrong
ahead=$(sign_in)
sql "UPDATE sessions SET created_at = created_at + INTERVAL 4 MINUTE, began_at = began_at + INTERVAL 4 MINUTE, last_used_at = last_used_at + INTERVAL 4 MINUTE WHERE $(of "$ahead")"
is "another host's clock is a little ahead" "$(alive "$ahead")" 200
sql "UPDATE sessions SET created_at = created_at + INTERVAL 1 DAY, began_at = began_at + INTERVAL 1 DAY, last_used_at = last_used_at + INTERVAL 1 DAY, expires_at = expires_at + INTERVAL 1 DAY WHERE $(of "$ahead")"
is "a session of a future that never was is not believed" "$(alive "$ahead")" 401
refresh "$ahead"
refused "nor refreshed" 401 bad_token
used=$(sign_in)
sql "UPDATE sessions SET last_used_at = last_used_at + INTERVAL 1 DAY WHERE $(of "$used")"
is "one that was used in that future is good" "$(alive "$used")" 200
is "and its last use is put right" "$(sql "SELECT last_used_at <= UTC_TIMESTAMP(3) FROM sessions WHERE $(of "$used")")" 1

# ---- ended by its owner
other=$(sign_in)
get '/api/sessions?limit=1'
id=$(json '.[0].id')
end "$id"
is "ending one" "$status $(json -c .)" "200 {\"status\":\"deleted\",\"id\":\"$id\"}"
is "it is over, and this one goes on" "$(alive "$other") $(alive "$admin")" "401 200"
refresh "$other"
refused "it is not refreshed" 401 bad_token
end "$id"
refused "ending it again" 404 unknown_session
end "$b_session"
refused "another tenant's" 404 unknown_session
is "which goes on" "$(alive "$b")" 200
end 3f2a1b4c-0000-4000-8000-000000000000
refused "nobody's" 404 unknown_session
end x
refused "no id" 400 invalid_field id
ask DELETE /api/sessions
refused "none at all" 400 missing_field id
is "in the audit trail" "$(audited sessions_ended)" "$email (one)"
one=$(sign_in) two=$(sign_in)
ask DELETE /api/sessions/others
is "ending all others" "$status $(json -c .)" '200 {"status":"ok"}'
is "they are over, this one is not" "$(alive "$one") $(alive "$two") $(alive "$admin") $(alive "$b")" "401 401 200 200"
is "in the audit trail, too" "$(audited sessions_ended)" "$email (all others)"

# ---- a session that is ended while it is refreshed leaves no token
survivors=0
for _ in {1..20}; do
    other=$(sign_in)
    get '/api/sessions?limit=1'
    id=$(json '.[0].id')
    curl -sS -m 60 -o "$scratch/refreshed" -H 'Content-Type: application/json' -d "{\"token\":\"$other\"}" "$base_url/api/auth/refresh" &
    refreshing=$!
    end "$id"
    wait $refreshing
    fresh=$(jq -r '.token // empty' "$scratch/refreshed")
    [ -z "$fresh" ] || [ "$(alive "$fresh")" = 401 ] || survivors=$((survivors + 1))
done
is "of 20 sessions that were ended while they were refreshed none is left" "$survivors" 0
get /api/sessions
is "nor in the list" "$(json length)" 1

# ---- a new password
other=$(sign_in)
ask POST /api/auth/password "{\"currentPassword\":\"$password\",\"newPassword\":\"another-$password\"}"
is "a new password ends the others" "$status $(alive "$other") $(alive "$admin")" "200 401 200"
password=another-$password

# ---- an admin ends a member's
member_email=member.$$-$RANDOM@x.example
ask POST /api/members "{\"email\":\"$member_email\",\"password\":\"12345678\",\"role\":\"operator\"}"
member=$(json .id)
login "$member_email" 12345678
mine=$(json .token)
token=$mine
get /api/sessions
is "a member sees the own sessions" "$(json length)" 1
session=$(json '.[0].id')
token=$admin
end "$session"
refused "which are nobody else's, not even an admin's" 404 unknown_session
token=$mine
ask DELETE "/api/sessions/member?id=$member"
refused "an operator ends nobody's" 403 forbidden_role
token=$b
ask DELETE "/api/sessions/member?id=$member"
refused "nor does another tenant's admin" 404 unknown_member
is "it goes on" "$(alive "$mine")" 200
token=$admin
ask DELETE "/api/sessions/member?id=$member"
is "an admin does" "$status $(json -c .) $(alive "$mine")" '200 {"status":"ok"} 401'
is "in the audit trail with the member" "$(audited sessions_ended)" "$member_email (all)"
ask DELETE "/api/sessions/member?id=$member"
is "once more is no mistake" "$status" 200
login "$member_email" 12345678
is "the member may sign in again" "$status" 200
done_testing
