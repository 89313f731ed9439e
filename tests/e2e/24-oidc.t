#!/bin/bash
# Signing in by an issuer of OpenID Connect: who is let in, whose tokens are believed, and that state, code and browser
# belong together.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
. tests/e2e/issuer.sh

held() {
    [ -n "$(sql "SELECT 1 FROM information_schema.processlist WHERE info LIKE 'DO SLEEP%'")" ]
}

# ---- who is let in
account Example
admin_token=$token
request GET /api/auth/oidc
is "the page is told" "$status $(json -c .)" "200 {\"on\":true,\"issuer\":\"$issuer\"}"
begin
is "a sign-in begins" "$status $(json 'keys | join(" ")')" "200 state url"
like "at the issuer" "$url" "^$issuer/authorize\?response_type=code&scope=openid%20email&client_id=loadline&redirect_uri=https%3A%2F%2Floadline.example%2F&state=lls_[A-Za-z0-9_-]{43}&nonce=lls_[A-Za-z0-9_-]{43}&code_challenge=[A-Za-z0-9_-]{43}&code_challenge_method=S256$"
is "whose state is kept as a hash" "$(sql "SELECT COUNT(*) FROM oidc_logins WHERE state_hash = UNHEX(SHA2('$state', 256))")" 1
consent
like "which sends the browser back" "$back" "^https://loadline.example/\?code=[^&]+&state=$state"
finish
refused "nobody gets in who was not invited" 403 not_invited
ask POST /api/members '{"email":"ADA@x.example","role":"operator"}'
is "ada is invited" "$status" 201
sign_in
is "and is in" "$status $(json 'keys | join(" ")')" "200 email expiresAt tenantId token"
is "by the address that she was invited with" "$(json '.email + " " + .tenantId')" "ADA@x.example $tenant"
ada_token=$(json .token)
post /api/auth/verify "{\"token\":\"$ada_token\"}"
is "with the role that she was given" "$(json .role)" operator
is "her link is of no use any more" "$(sql "SELECT COUNT(*) FROM links")" 0
is "the trail says it" "$(audited issuer_linked)" ADA@x.example
is "and how she signed in" "$(audited sign_in)" "ADA@x.example (by the issuer)"
sign_in '{"claims":{"email":"countess@x.example","email_verified":false}}'
is "from now on the subject counts, not the address" "$status $(json .email)" "200 ADA@x.example"
sign_in '{"claims":{"sub":"eve"}}'
refused "another subject with her address is not her" 403 not_invited
sign_in '{"alg":"ES256"}'
is "a token may be signed by ES256" "$status" 200
is "keys are kept: they were asked for once or twice a worker" "$([ "$(grep -c 'GET /keys' "$issuer_dir/asked")" -le 11 ] && echo yes)" yes

# ---- addresses that nobody has verified
ask POST /api/members '{"email":"grace@x.example","role":"member"}'
sign_in '{"claims":{"sub":"grace","email":"grace@x.example","email_verified":false}}'
refused "an address that is not verified is nobody's" 403 not_invited
sign_in '{"claims":{"sub":"grace","email":"grace@x.example","email_verified":"true"}}'
refused "a text is not true" 403 not_invited
sign_in '{"claims":{"sub":"grace","email":"grace@x.example"},"without":["email_verified"]}'
refused "nor is silence" 403 not_invited
sign_in '{"claims":{"sub":"grace"},"without":["email"]}'
refused "nobody without an address" 403 not_invited
account Squatter
sql "UPDATE users SET email = 'alan@x.example' WHERE email = '$email'"
sign_in '{"claims":{"sub":"alan","email":"alan@x.example"}}'
refused "who signed up with somebody's address does not get them" 403 not_invited
sql "UPDATE users SET verified_at = NOW(3) WHERE email = 'alan@x.example'"
sign_in '{"claims":{"sub":"alan","email":"alan@x.example"}}'
is "unless it was verified" "$status" 200

# ---- tokens
now=$(date +%s)
while IFS='|' read -r what document; do
    sign_in "$document"
    refused "no token: $what" 401 bad_sign_in
done <<END
alg none|{"alg":"none"}
a secret that everybody knows|{"alg":"HS256"}
another key under the id of ours|{"key":"stranger"}
another key under an id that is not known|{"key":"stranger","kid":"four"}
RS256 that calls itself by the key of ES256|{"kid":"two"}
changed after it was signed|{"tamper":true}
another nonce|{"claims":{"nonce":"lls_0000000000000000000000000000000000000000000"}}
no nonce|{"without":["nonce"]}
expired|{"claims":{"exp":$((now - 61)),"iat":$((now - 400))}}
without an end|{"without":["exp"]}
without a beginning|{"without":["iat"]}
of the future|{"claims":{"iat":$((now + 900))}}
not good yet|{"claims":{"nbf":$((now + 900))}}
good from nobody knows when|{"claims":{"nbf":"$((now + 900))"}}
another audience|{"claims":{"aud":"somebody"}}
an audience of several, made for another|{"claims":{"aud":["loadline","somebody"],"azp":"somebody"}}
an audience of several, made for nobody|{"claims":{"aud":["loadline","somebody"]}}
made for another party|{"claims":{"azp":"somebody"}}
another issuer|{"claims":{"iss":"https://127.0.0.1:1"}}
a slash more|{"claims":{"iss":"$issuer/"}}
without a subject|{"without":["sub"]}
an empty subject|{"claims":{"sub":""}}
a subject that is a number|{"claims":{"sub":7}}
END
sign_in '{"claims":{"aud":["loadline","somebody"],"azp":"loadline"}}'
is "an audience of several, made for us" "$status" 200

# ---- state, code, browser
say '{}'
begin; consent; finish
is "once" "$status" 200
finish
refused "a state is good once" 401 bad_sign_in
used=$code
begin; consent; code=$used
finish
refused "a code is good once" 401 bad_sign_in
begin; consent; first_code=$code first_state=$state first_verifier=$verifier
begin; consent; code=$first_code
finish
refused "a code of another sign-in" 401 bad_sign_in
state=$first_state code=$first_code
finish
refused "another browser's state: this one cannot prove that it began" 401 bad_sign_in
verifier=$first_verifier
finish
refused "and the state is used up" 401 bad_sign_in
begin; consent
sql "UPDATE oidc_logins SET expires_at = NOW(3)"
finish
refused "a state is good for ten minutes" 401 bad_sign_in
state=lls_0000000000000000000000000000000000000000000
finish
refused "one that nobody has made" 401 bad_sign_in
begin; consent
finish https://127.0.0.1:1
refused "an answer of another issuer" 401 bad_sign_in
finish "$issuer"
is "and the right one" "$status" 200
begin; consent
for i in 1 2 3 4; do
    curl -sS -m 60 -o /dev/null -w '%{http_code}\n' "$base_url/api/auth/oidc/finish" -H 'Content-Type: application/json' \
        -d "{\"state\":\"$state\",\"code\":\"$code\",\"verifier\":\"$verifier\"}" >"$scratch/race.$i" &
    racers+=($!)
done
wait "${racers[@]}"
is "of four that race one gets in" "$(sort "$scratch"/race.* | uniq -c | xargs)" "1 200 3 401"
post /api/auth/oidc '{"challenge":"short"}'
refused "a challenge is one of PKCE" 400 invalid_field challenge
begin; consent; verifier=short
finish
refused "and so is a verifier" 400 invalid_field verifier

# ---- the issuer
sign_in '{"status":500}'
refused "an issuer that fails" 503 issuer_away
sign_in "{\"status\":302,\"headers\":{\"Location\":\"$issuer/keys\"}}"
refused "one that sends us elsewhere is not followed" 401 bad_sign_in

# ---- a second factor that is required is the issuer's
token=$admin_token
sql "UPDATE tenants SET second_factor_required = 1"
sign_in
request GET /api/clusters -H "Authorization: Bearer $(json .token)"
is "who signs in by the issuer needs no second one" "$status" 200
request GET /api/clusters -H "Authorization: Bearer $admin_token"
refused "who signs in by a password does" 403 needs_second_factor
sql "UPDATE tenants SET second_factor_required = 0"

# ---- others
set_conf oidc_domains 'x.example'
sign_in '{"claims":{"email":"ada@x.example.evil"}}'
refused "an address of another domain" 403 not_invited
sign_in '{"claims":{"email":"ada@evil@x.example.evil"}}'
refused "whatever stands before it" 403 not_invited
sign_in '{"claims":{"email":"ada@X.EXAMPLE"}}'
is "one of ours, in any case" "$status" 200
set_conf oidc_join "$tenant"
sign_in '{"claims":{"sub":"new","email":"new@x.example"}}'
is "who is not known joins the company that is named" "$status $(json .tenantId)" "200 $tenant"
post /api/auth/verify "{\"token\":\"$(json .token)\"}"
is "as a member" "$(json .role)" member
sign_in '{"claims":{"sub":"new2","email":"new2@x.example","email_verified":false}}'
refused "with an address that is verified" 403 not_invited
sql "INSERT INTO users (user_id, tenant_id, email, password, role, created_at) SELECT UUID(), '$tenant', CONCAT('u', seq, '@y.example'), 'x', 'member', NOW(3) FROM seq_1_to_1000"
before=$(pids_of auth.fcgi)
sign_in '{"claims":{"sub":"new3","email":"new3@x.example"}}'
refused "a company that is full takes nobody" 403 plan_limit
sql "DELETE FROM users WHERE email LIKE 'u%@y.example'"
sql "START TRANSACTION; SELECT clusters FROM tenants WHERE tenant_id = '$tenant' FOR UPDATE; DO SLEEP(8); COMMIT" >/dev/null &
ok "somebody holds its row" within 5 held
sign_in '{"claims":{"sub":"new3","email":"new3@x.example"}}'
is "one that is busy does not either" "$status" 503
wait $!
is "no worker ended over that" "$(pids_of auth.fcgi)" "$before"
say '{"issuer":"https://127.0.0.1:1"}'
set_conf oidc_join ''
begin
refused "a document of another issuer is none" 503 issuer_away
before=$(grep -c openid-configuration "$issuer_dir/asked")
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do begin; done
ok "it is asked for once by each worker, for a while" [ "$(grep -c openid-configuration "$issuer_dir/asked")" -le $((before + 5)) ]
set_conf oidc_ca ''
begin
refused "a certificate that is not trusted is no issuer's" 503 issuer_away
set_conf oidc_issuer ''
request GET /api/auth/oidc
is "it is an option" "$(json -c .)" '{"on":false,"issuer":null}'
begin
refused "that is off" 409 no_oidc
is "no secret is in a log" "$(grep -rlE 'lls_[A-Za-z0-9_-]{43}|s3cret' "$stack_dir/log")" ""
done_testing
