#!/bin/bash
# An issuer of OpenID Connect that misbehaves: it lets nobody in, and holds no worker for long.
# shellcheck disable=SC2119 # the arguments of finish and sign_in are optional
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
. tests/e2e/issuer.sh
account Example
ask POST /api/members '{"email":"ada@x.example","role":"member"}'
sign_in
is "ada signs in" "$status" 200
private_port=$(free_port)
python3 -B -m http.server --bind 127.0.0.1 "$private_port" --directory "$issuer_dir" >"$scratch/private" 2>&1 &
private_pid=$!
trap 'kill "$issuer_pid" "$private_pid" 2>/dev/null; clean_up' EXIT

# at PATH HOW: what the issuer does there; workers start anew, and know nothing of it
at() {
    local pid old
    say "{\"at\":{\"$1\":$2}}"
    old=$(pids_of auth.fcgi)
    for pid in $old; do kill "$pid"; done
    within "$(patient 10)" all_new "$old"
}
all_new() {
    local now
    now=$(pids_of auth.fcgi)
    [ "$(wc -w <<<"$now")" = "$workers" ] && ! grep -qwF "$1" <<<"$now"
}
asked() {
    grep -c "$1" "$issuer_dir/asked"
}
workers=$(pids_of auth.fcgi | wc -w)

# ---- it lets nobody in: what, at which path, how, the answer
while IFS='|' read -r path what how expected; do
    at "$path" "$how"
    begin
    if [ "$status" = 200 ]; then
        consent
        finish
    fi
    is "$path: $what" "$status $(json .code)" "$expected"
done <<END
/.well-known/openid-configuration|it fails|{"status":500}|503 issuer_away
/.well-known/openid-configuration|no JSON|{"body":"<html>"}|503 issuer_away
/.well-known/openid-configuration|a list|{"body":"[]"}|503 issuer_away
/.well-known/openid-configuration|members of wrong types|{"body":"{\"issuer\":1,\"authorization_endpoint\":[],\"token_endpoint\":{},\"jwks_uri\":null}"}|503 issuer_away
/.well-known/openid-configuration|keys without TLS|{"body":"{\"issuer\":\"$issuer\",\"authorization_endpoint\":\"$issuer/a\",\"token_endpoint\":\"$issuer/t\",\"jwks_uri\":\"http://127.0.0.1:$private_port/\"}"}|503 issuer_away
/.well-known/openid-configuration|more than is read|{"bytes":300000}|503 issuer_away
/.well-known/openid-configuration|elsewhere|{"status":302,"headers":{"Location":"http://127.0.0.1:$private_port/"}}|503 issuer_away
/token|it fails|{"status":500}|503 issuer_away
/token|no JSON|{"body":"<html>"}|401 bad_sign_in
/token|a list|{"body":"[]"}|401 bad_sign_in
/token|nested without end|{"body":"$(printf '[%.0s' {1..2000})"}|401 bad_sign_in
/token|a token that is a number|{"body":"{\"id_token\":1}"}|401 bad_sign_in
/token|more than is read|{"bytes":300000}|503 issuer_away
/token|elsewhere|{"status":307,"headers":{"Location":"http://127.0.0.1:$private_port/"}}|401 bad_sign_in
/keys|they fail|{"status":500}|503 issuer_away
/keys|no JSON|{"body":"<html>"}|503 issuer_away
/keys|a list|{"body":"[]"}|503 issuer_away
/keys|nothing|{"body":""}|503 issuer_away
/keys|members of wrong types|{"body":"{\"keys\":{\"kid\":\"one\"}}"}|503 issuer_away
/keys|none|{"body":"{\"keys\":[]}"}|401 bad_sign_in
/keys|keys that are none|{"body":"{\"keys\":[1,null,[],{},{\"kty\":\"RSA\",\"kid\":\"one\",\"n\":7,\"e\":\"AQAB\"}]}"}|401 bad_sign_in
/keys|a key of another type|{"body":"{\"keys\":[{\"kty\":\"oct\",\"kid\":\"one\",\"k\":\"AAAA\"}]}"}|401 bad_sign_in
/keys|a modulus that is small|{"body":"{\"keys\":[{\"kty\":\"RSA\",\"kid\":\"one\",\"n\":\"AQAB\",\"e\":\"AQAB\"}]}"}|401 bad_sign_in
/keys|an even exponent|{"body":"{\"keys\":[{\"kty\":\"RSA\",\"kid\":\"one\",\"n\":\"$(printf '_%.0s' {1..342})\",\"e\":\"AAAA\"}]}"}|401 bad_sign_in
/keys|a point that is on no curve|{"body":"{\"keys\":[{\"kty\":\"EC\",\"kid\":\"one\",\"crv\":\"P-256\",\"x\":\"$(printf 'A%.0s' {1..43})\",\"y\":\"$(printf 'A%.0s' {1..43})\"}]}"}|401 bad_sign_in
/keys|more than is read|{"bytes":300000}|503 issuer_away
/keys|elsewhere|{"status":302,"headers":{"Location":"http://127.0.0.1:$private_port/"}}|503 issuer_away
END
is "nobody was sent to an address inside" "$(grep -c GET "$scratch/private")" 0

# ---- it holds nobody: a worker waits five seconds once in half a minute, and no longer
while IFS='|' read -r path what how; do
    at "$path" "$how"
    before=$(pids_of auth.fcgi) asked_before=$(asked "$path")
    for i in $(seq $((workers + 3))); do
        begin
        if [ "$status" = 200 ]; then
            consent
            finish
        fi
        is "$path: $what, try $i" "$status $(json .code)" "503 issuer_away"
    done
    below "... each worker has asked once" "$(($(asked "$path") - asked_before))" $((workers + 1))
    begun=$(date +%s%3N)
    works
    post /api/auth/verify '{"token":"lls_0000000000000000000000000000000000000000000"}'
    below "... ms that others wait then" "$(($(date +%s%3N) - begun))" 2000
    is "... and no worker has ended" "$(pids_of auth.fcgi)" "$before"
done <<END
/.well-known/openid-configuration|it hangs|{"wait":30}
/token|it hangs|{"wait":30}
/keys|it hangs|{"wait":30}
/keys|a byte now and then|{"drip":1,"bytes":60}
END
at /keys '{"status":500}'
asked_before=$(asked /keys)
for i in $(seq $((workers + 3))); do begin; consent; finish; done
below "keys that fail are asked for once by each worker, for a while" "$(($(asked /keys) - asked_before))" $((workers + 1))
at /token '{"status":500}'
asked_before=$(asked /token)
for i in 1 2 3 4 5 6; do begin; consent; finish; done
is "what a token's address says of one person is nobody else's: it is asked each time" "$(($(asked /token) - asked_before))" 6

# ---- keys that are good already stay
say '{}'
at /nothing '{}'
for i in $(seq $((workers * 4))); do sign_in; done
is "ada signs in" "$status" 200
say '{"at":{"/keys":{"status":500}}}'
for i in $(seq $((workers * 2))); do begin; consent; finish; done
is "... and with keys that are kept, whatever becomes of them" "$status" 200
done_testing
