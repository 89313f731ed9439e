#!/bin/bash
# The second factor: turned on by password and code, wanted at each sign-in, each code good once; recovery codes;
# what a company requires of everybody; how often codes may be tried; who has lost the phone.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
own_stack --set signup_limit=0/600 --set login_fail_limit=2/300 --set trusted_proxies=127.0.0.1

# code [STEPS]: the code of $secret so many half minutes from now
code() {
    python3 -c 'import base64, hmac, struct, sys, time
mac = hmac.digest(base64.b32decode(sys.argv[1]), struct.pack(">Q", int(time.time()) // 30 + int(sys.argv[2])), "sha1")
at = mac[-1] & 15
print("%06d" % ((int.from_bytes(mac[at:at + 4], "big") & 0x7fffffff) % 1000000))' "$secret" "${1-0}"
}
# same_step: waits until the half minute that begins lasts a while, so that a code is still good when it is sent
same_step() {
    local left=$((30 - $(date +%s) % 30))
    [ $left -gt 3 ] || sleep $((left + 1))
}
# forget: all that was counted; fresh: and which codes were taken
forget() {
    sql "DELETE FROM rate_limit"
}
fresh() {
    sql "UPDATE second_factors SET last_step = 0"
    forget
}
at=192.0.2.1
# sign_in EMAIL PASSWORD [CODE]: from the address $at
sign_in() {
    post /api/auth/login "$(jq -nc '$ARGS.named | if .code == "" then del(.code) else . end' --arg email "$1" --arg password "$2" --arg code "${3-}")" \
        -H "X-Forwarded-For: $at"
}
factor() {
    ask "$1" "/api/auth/second-factor${3-}" "$2"
}
admin() {
    said=$(LOADLINE_CONF=$stack_dir/loadline.conf "$build/bin/loadline-admin" "$@" 2>"$scratch/err")
    code=$?
}
sessions_of() {
    sql "SELECT COUNT(*) FROM sessions JOIN users USING (user_id) WHERE email = '$1' AND revoked_at IS NULL"
}

# ---- turned on
account Example
ada=$email ada_password=$password ada_token=$token
get /api/auth/second-factor
is "at first there is none" "$status $(json -c .)" '200 {"on":false,"since":null,"recoveryCodes":0,"required":false}'
factor POST '{}'
refused "it takes the password" 400 missing_field password
factor POST '{"password":"wrong-password"}'
refused "the right one" 401 bad_login
factor POST "{\"code\":\"123456\"}" /confirm
refused "nothing is confirmed that was not begun" 409 no_second_factor
factor POST "{\"password\":\"$password\"}"
is "begun" "$status $(json 'keys | join(" ")')" "201 qr secret uri"
first=$(json .secret)
factor POST "{\"password\":\"$password\"}"
secret=$(json .secret)
isnt "begun again it is another" "$secret" "$first"
like "the secret" "$secret" '^[A-Z2-7]{32}$'
is "the same for apps" "$(json .uri)" "otpauth://totp/Loadline:${ada/@/%40}?secret=$secret&issuer=Loadline&algorithm=SHA1&digits=6&period=30"
like "and for cameras, a square of digits" "$(json '[(.qr | length), (.qr | map(length) | unique | length), (.qr | map(test("^[01]+$")) | all)] | map(tostring) | join(" ")')" '^(4|5|6)[0-9] 1 true$'
is "sealed in the database" "$(sql "SELECT LEFT(secret, 1) FROM second_factors")" A
sign_in "$ada" "$ada_password"
is "until it is confirmed the password does" "$status" 200
same_step
for wrong in "$(secret=$first code)" "$(code -2)" "$(code 2)" 000000000 12345 abcdef ''; do
    factor POST "{\"code\":\"$wrong\"}" /confirm
    if [ -z "$wrong" ]; then refused "no code" 400 invalid_field code; else like "not confirmed by $wrong" "$status $(json .code)" '^(401 bad_code|429 rate_limited)$'; fi
    forget
done
factor POST "{\"code\":$(code)}" /confirm
like "a number is no code" "$status $(json .code)" '^400 (invalid_field|bad_json)$'
used=$(code)
factor POST "{\"code\":\"$used\"}" /confirm
is "confirmed" "$status $(json '.recoveryCodes | length')" "200 10"
mapfile -t recovery < <(json '.recoveryCodes[]')
like "codes to recover with" "${recovery[0]}" '^[a-z2-7]{4}-[a-z2-7]{4}-[a-z2-7]{4}-[a-z2-7]{4}$'
is "all different" "$(printf '%s\n' "${recovery[@]}" | sort -u | wc -l)" 10
is "kept as hashes" "$(sql "SELECT COUNT(*), MIN(LENGTH(code_hash)) FROM recovery_codes" | tr '\t' ' ')" "10 32"
is "the other sessions are ended" "$(sessions_of "$ada")" 1
is "the trail says it" "$(audited second_factor_on)" "$ada"
factor POST "{\"password\":\"$password\"}"
refused "a second one is not begun" 409 second_factor_on
factor POST "{\"code\":\"$(code 1)\"}" /confirm
refused "nor confirmed" 409 second_factor_on

# ---- signing in
before=$(sessions_of "$ada")
sign_in "$ada" "$ada_password"
refused "the password alone does not do" 401 code_wanted
like "which is said in words" "$(json .error)" 'code'
is "and makes no session" "$(sessions_of "$ada")" "$before"
is "the trail says that somebody has the password" "$(audited code_wanted)" "$ada"
sign_in "$ada" wrong-password "$(code 1)"
refused "nor a code alone" 401 bad_login
sign_in "$ada" "$ada_password" "$used"
refused "nor the code that confirmed" 401 bad_code
forget
next=$(code 1)
sign_in "$ada" "$ada_password" "${next:0:3} ${next:3}"
is "both do" "$status $(json 'keys | join(" ")')" "200 email expiresAt tenantId token"
sign_in "$ada" "$ada_password" "$next"
refused "a code is good once" 401 bad_code
fresh
for i in 1 2 3; do
    curl -sS -m 60 -o /dev/null -w '%{http_code}\n' "$base_url/api/auth/login" -H 'Content-Type: application/json' \
        -H "X-Forwarded-For: 192.0.2.$((100 + i))" -d "{\"email\":\"$ada\",\"password\":\"$ada_password\",\"code\":\"$(code)\"}" >"$scratch/race.$i" &
done
wait
is "of three that race with one code one gets in" "$(grep -c 200 <(cat "$scratch"/race.*))" 1
fresh
same_step
sign_in "$ada" "$ada_password" "$(code -1)"
is "a clock may be half a minute late" "$status" 200
sign_in "$ada" "$ada_password" "$(code 1)"
is "or early" "$status" 200
account Other
sign_in "$email" "$password" "$(code)"
is "who has none needs none" "$status" 200
other=$email other_password=$password other_token=$token

# ---- recovery codes
fresh
sign_in "$ada" "$ada_password" "${recovery[0]^^}"
is "a recovery code does in place of one" "$status" 200
token=$(json .token)
is "the trail counts what is left" "$(audited recovery_code_used)" "$ada (9 left)"
sign_in "$ada" "$ada_password" "${recovery[0]}"
refused "once" 401 bad_code
sign_in "$other" "$other_password" "${recovery[1]}"
is "it is nobody else's" "$(sql "SELECT COUNT(*) FROM recovery_codes")" 9
factor POST "{\"password\":\"$ada_password\",\"code\":\"000000\"}" /recovery
refused "new ones take a code" 401 bad_code
forget
factor POST "{\"password\":\"$ada_password\",\"code\":\"$(code)\"}" /recovery
is "new ones" "$status $(json '.recoveryCodes | length')" "200 10"
fresh
sign_in "$ada" "$ada_password" "${recovery[1]}"
refused "take the place of the old" 401 bad_code

# ---- how often codes may be tried
fresh
for i in 1 2; do
    at=198.51.100.$i sign_in "$ada" "$ada_password" 000000
    is "wrong code $i, each from another address" "$status" 401
done
is "all count of the account" "$(sql "SELECT attempts FROM rate_limit WHERE class = 'code'")" 2
sql "DELETE FROM rate_limit WHERE class <> 'code'"
sql "UPDATE rate_limit SET attempts = 20, since = NOW(3) WHERE class = 'code'"
sign_in "$ada" "$ada_password" "$(code)"
refused "then each waits, also where the owner signs in, and the right one" 429 rate_limited
like "up to a quarter of an hour" "$(header Retry-After)" '^(900|89[0-9])$'
factor DELETE "{\"password\":\"$ada_password\",\"code\":\"$(code)\"}"
refused "and in a session" 429 rate_limited
sign_in "$ada" "$ada_password"
refused "whether the password is right is said all the same" 401 code_wanted
fresh
for i in 1 2; do at=198.51.100.77 sign_in "$ada" "$ada_password" 000000; done
sql "DELETE FROM rate_limit WHERE class = 'code'"
at=198.51.100.77 sign_in "$other" "$other_password"
is "an address is closed by them, too" "$status" 429
fresh
token=$other_token
factor DELETE "{\"password\":\"$other_password\",\"code\":\"000000\"}"
refused "who has none turns none off" 409 no_second_factor
token=$ada_token
before=$(sql "SELECT COUNT(*) FROM audit WHERE action = 'sign_in_failed' AND result = 'bad_code'")
fresh
at=198.51.100.50 sign_in "$ada" "$ada_password" 111111
is "a wrong code is in the trail" "$(sql "SELECT COUNT(*) FROM audit WHERE action = 'sign_in_failed' AND result = 'bad_code'")" $((before + 1))

# ---- off
fresh
factor DELETE "{\"code\":\"$(code)\"}"
refused "off takes the password" 400 missing_field password
factor DELETE "{\"password\":\"$ada_password\"}"
refused "and a code" 400 missing_field code
factor DELETE "{\"password\":\"wrong-password\",\"code\":\"$(code)\"}"
refused "the right password" 401 bad_login
factor DELETE "{\"password\":\"$ada_password\",\"code\":\"000000\"}"
refused "and a right code" 401 bad_code
get /api/members
is "it is still there" "$(json '.[0].secondFactor')" true

# ---- the keys of channel_keys are lost
fresh
factor POST "{\"password\":\"$ada_password\",\"code\":\"$(code)\"}" /recovery
mapfile -t spare < <(json '.recoveryCodes[]')
mv "$stack_dir/channel.keys" "$scratch/channel.keys"
sign_in "$other" "$other_password"
is "who has none signs in all the same" "$status" 200
sign_in "$ada" "$ada_password"
refused "who has one is asked for a code" 401 code_wanted
sign_in "$ada" "$ada_password" "$(code)"
refused "that of an app cannot be told" 500 internal
sign_in "$ada" "$ada_password" "${spare[0]}"
is "a recovery code does" "$status" 200
factor POST "{\"password\":\"$ada_password\",\"code\":\"${spare[1]}\"}" /recovery
is "also for new ones" "$status $(json '.recoveryCodes | length')" "200 10"
token=$other_token
factor POST "{\"password\":\"$other_password\"}"
refused "nothing new is begun without the keys" 500 internal
token=$ada_token
mv "$scratch/channel.keys" "$stack_dir/channel.keys"
fresh

# ---- required of everybody
ask POST /api/members '{"email":"grace@x.example","password":"battery-staple-1","role":"operator"}'
grace_id=$(json .id)
sign_in grace@x.example battery-staple-1
grace_token=$(json .token)
token=$grace_token
factor PATCH '{"required":true}' /rule
refused "an operator requires nothing" 403 forbidden_role
token=$other_token
factor PATCH '{"required":true}' /rule
refused "nor does an admin who has none" 409 no_second_factor
token=$ada_token
factor PATCH '{}' /rule
refused "it is true or false" 400 missing_field required
factor PATCH '{"required":"yes"}' /rule
refused "and no text" 400 invalid_field required
factor PATCH '{"required":true}' /rule
is "required" "$status $(json -c .)" '200 {"required":true}'
is "the trail says it" "$(audited second_factor_rule)" required
get /api/clusters
is "who has one goes on" "$status" 200
token=$grace_token
get /api/clusters
refused "a session of who has none does nothing any more" 403 needs_second_factor
for request in 'PATCH /api/clusters {"id":"x","scope":"cluster"}' 'GET /api/sessions' 'POST /api/auth/password {}' 'GET /api/keys'; do
    read -r method path document <<<"$request"
    ask "$method" "$path" ${document:+"$document"}
    refused "not even $method $path" 403 needs_second_factor
done
post /api/auth/verify "{\"token\":\"$token\"}"
is "the page is told" "$(json .secondFactorRequired)" true
post /api/auth/refresh "{\"token\":\"$token\"}"
is "also after a refresh" "$status $(json .secondFactorRequired)" "200 true"
sign_in grace@x.example battery-staple-1
is "and at the next sign-in" "$status $(json .secondFactorRequired)" "200 true"
token=$(json .token)
ada_secret=$secret
factor POST '{"password":"battery-staple-1"}'
secret=$(json .secret)
factor POST "{\"code\":\"$(code)\"}" /confirm
is "it may set one up" "$status" 200
get /api/clusters
is "and then everything" "$status" 200
post /api/auth/verify "{\"token\":\"$token\"}"
is "which the page is told" "$(json .secondFactorRequired)" null
sign_in "$other" "$other_password"
is "another company requires nothing" "$status $(json .secondFactorRequired)" "200 null"
grace_token=$token

# ---- API keys are not concerned
token=$ada_token
ask POST /api/keys '{"name":"ci","scope":"full"}'
api_key=$(json .apiKey)
cluster 1 1 >"$scratch/cluster.json"
push production "$scratch/cluster.json"
is "a key pushes" "$status" 200

# ---- who has lost it
admin second-factor-off nobody@x.example
is "the operator names somebody" "$code" 1
admin second-factor-off "$other"
is "who has one" "$code $(cat "$scratch/err")" "1 loadline-admin: this user has no second factor"
admin second-factor-off GRACE@x.example
is "it is taken off" "$code" 0
like "which is said" "$said" 'password alone'
is "the trail says by whom" "$(audited second_factor_reset)" grace@x.example
get "/api/audit?action=second_factor_reset"
like "by name" "$(json '.[0].actor')" '^loadline-admin '
is "sessions are ended" "$(sessions_of grace@x.example)" 0
sign_in grace@x.example battery-staple-1
is "a new one is to be set up" "$status $(json .secondFactorRequired)" "200 true"

# ---- gone with its user
ask DELETE "/api/members?id=$grace_id"
is "a member is removed" "$status" 200
is "nothing is left" "$(sql "SELECT (SELECT COUNT(*) FROM second_factors WHERE user_id = '$grace_id') + (SELECT COUNT(*) FROM recovery_codes WHERE user_id = '$grace_id')")" 0
secret=$ada_secret
fresh
factor DELETE "{\"password\":\"$ada_password\",\"code\":\"$(code)\"}"
is "off, by password and code" "$status $(json -c .)" '200 {"status":"ok"}'
get /api/clusters
refused "where it is required that is the end of everything else" 403 needs_second_factor
sign_in "$ada" "$ada_password"
is "the password does again" "$status" 200
is "no secret or code is in a log" "$(grep -rlF -e "$secret" -e "$ada_secret" -e "${recovery[2]}" "$stack_dir/log")" ""
done_testing
