#!/bin/bash
# How people get in and stay in, while the database refuses rows and connections to it are cut: second factors, the issuer's
# sign-ins, links, and what the operator does. No account is half changed, no code and no link is good twice, and none is used
# up by what was not stored.
# shellcheck disable=SC2034,SC2119,SC2154 # refusals.sh, issuer.sh and lib.sh set and read them, arm takes arguments
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
issuer_options=(--workers notify=0 --set login_limit=0/300 --set login_fail_limit=0/300 --set change_limit=100000/300
    --set address_limit=0/300 --set signup=invite --set oidc_domains=x.example --set mail_program=/bin/false --set mail_from=loadline@example.com)
. tests/e2e/issuer.sh
. tests/e2e/refusals.sh
. tests/e2e/cuts.sh
. tests/e2e/whole.sh
account Example
sql "UPDATE loadline.tenants SET plan = 'self_hosted'"
set_conf oidc_join "$tenant"
n=0

# code_now: of $secret
code_now() {
    python3 -c 'import base64, hmac, struct, sys, time
mac = hmac.digest(base64.b32decode(sys.argv[1]), struct.pack(">Q", int(time.time()) // 30), "sha1")
at = mac[-1] & 15
print("%06d" % ((int.from_bytes(mac[at:at + 4], "big") & 0x7fffffff) % 1000000))' "$secret"
}
factor() {
    ask "$1" "/api/auth/second-factor${3-}" "$2"
}
proof() {
    jq -nc '$ARGS.named' --arg password "$password" --arg code "$at"
}

# ---- a second factor
# without_factor: and signed in anew, for some changes end that.
without_factor() {
    sql "$quietly DELETE FROM second_factors; DELETE FROM recovery_codes; UPDATE tenants SET second_factor_required = 0"
    login "$email" "$password"
    token=$(json .token)
}
begun_factor() {
    without_factor
    factor POST "{\"password\":\"$password\"}"
    secret=$(json .secret) at=$(code_now)
}
# with_factor: sets at, a code that was not used, and recovery
with_factor() {
    begun_factor
    factor POST "{\"code\":\"$at\"}" /confirm
    recovery=$(json '.recoveryCodes[0]') at=$(code_now)
    sql "$quietly UPDATE second_factors SET last_step = 0"
}
with_recovery() {
    with_factor
    at=$recovery
}
login_with_code() {
    post /api/auth/login "$(jq -nc '$ARGS.named' --arg email "$email" --arg password "$password" --arg code "$at")"
}
begin_factor() { without_factor; }
do_factor() { factor POST "{\"password\":\"$password\"}"; }
begin_factor_confirm() { begun_factor; }
do_factor_confirm() { factor POST "{\"code\":\"$at\"}" /confirm; }
again_factor_confirm() { do_factor_confirm; }
begin_factor_off() { with_factor; }
do_factor_off() { factor DELETE "$(proof)"; }
again_factor_off() { do_factor_off; }
begin_factor_off_by_recovery() { with_recovery; }
do_factor_off_by_recovery() { factor DELETE "$(proof)"; }
again_factor_off_by_recovery() { do_factor_off; }
begin_recovery() { with_factor; }
do_recovery() { factor POST "$(proof)" /recovery; }
again_recovery() { do_recovery; }
begin_recovery_by_recovery() { with_recovery; }
do_recovery_by_recovery() { factor POST "$(proof)" /recovery; }
again_recovery_by_recovery() { do_recovery; }
begin_factor_rule() { with_factor; }
do_factor_rule() { factor PATCH '{"required":true}' /rule; }
begin_login_code() { with_factor; }
do_login_code() { login_with_code; }
again_login_code() { login_with_code; }
begin_login_recovery() { with_recovery; }
do_login_recovery() { login_with_code; }
again_login_recovery() { login_with_code; }

# ---- the issuer. What it has sent the browser back with is good once, so whoever fails begins anew.
by_issuer() {
    begin
    [[ $status != 2* ]] || { consent && finish; }
}
# another NAME: somebody new; who says so from now on
another() {
    without_factor
    n=$((n + 1)) who=$1-$n@x.example
    say "{\"claims\":{\"sub\":\"$1-$n\",\"email\":\"$who\"}}"
}
begin_issuer_joins() { another joins; }
do_issuer_joins() { by_issuer; }
again_issuer_joins() { finish; }
begin_issuer_invited() { another invited; ask POST /api/members "{\"email\":\"$who\",\"role\":\"member\"}"; }
do_issuer_invited() { by_issuer; }
again_issuer_invited() { finish; }
begin_issuer_known() { another known; by_issuer; }
do_issuer_known() { by_issuer; }
again_issuer_known() { finish; }

# ---- links
# new_link KIND [USER TENANT]: as if a letter had brought it: sets at
nobody=00000000-0000-0000-0000-000000000000
new_link() {
    at=lli_$(head -c 32 /dev/urandom | text)
    sql "$quietly DELETE FROM links; INSERT INTO links SET link_id = UUID(), token_hash = UNHEX(SHA2('$at', 256)), tenant_id = '${3-$nobody}',
        user_id = '${2-$nobody}', kind = '$1', created_at = UTC_TIMESTAMP(3), expires_at = UTC_TIMESTAMP(3) + INTERVAL 1 DAY, mail_tries = 1"
}
# member: somebody with a password, whose id is in member
member() {
    without_factor
    n=$((n + 1)) who=member-$n@x.example
    ask POST /api/members "{\"email\":\"$who\",\"password\":\"some-horse-11\",\"role\":\"member\"}"
    member=$(json .id)
}
begin_reset() { member; sql "$quietly DELETE FROM links"; }
do_reset() { post /api/links/reset "{\"email\":\"$who\"}"; }
accept() { post /api/links/accept "{\"token\":\"$at\",\"password\":\"another-horse-$n\"}"; }
begin_new_password() { member; login "$who" some-horse-11; new_link password "$member" "$tenant"; }
do_new_password() { accept; }
again_new_password() { post /api/links/accept "{\"token\":\"$at\",\"password\":\"third-horse-3\"}"; }
begin_email() { member; new_link email "$member" "$tenant"; }
do_email() { post /api/links/accept "{\"token\":\"$at\"}"; }
again_email() { do_email; }
begin_signup() { new_link signup; n=$((n + 1)) who=signup-$n@x.example; }
do_signup() { post /api/auth/signup "{\"company\":\"Other\",\"email\":\"$who\",\"password\":\"correct-horse-1\",\"invitation\":\"$at\"}"; }
again_signup() { who=again-$who; do_signup; }

# ---- the operator: what loadline-admin says, as a program would say it
admin() {
    if LOADLINE_CONF=$stack_dir/loadline.conf "$build/bin/loadline-admin" "$@" >"$scratch/out" 2>"$scratch/err"; then
        status=200 body=$(cat "$scratch/out")
    else
        status=500 body=$(cat "$scratch/err")
        ! grep -q 'may or may not' "$scratch/err" || status=503
    fi
    jq -nc --arg status "$status" '{code: (if $status == "503" then "commit_unknown" else "internal" end)}' >"$scratch/body"
}
begin_operator_password() { member; login "$who" some-horse-11; }
do_operator_password() { admin password "$who"; }
begin_operator_link() { member; }
do_operator_link() { admin link "$who"; }
begin_operator_factor_off() { sql "$quietly DELETE FROM sessions"; with_factor; }
do_operator_factor_off() { admin second-factor-off "$email"; }
begin_operator_plan() { plan=$([ "${plan-}" = enterprise ] && echo self_hosted || echo enterprise); }
do_operator_plan() { admin plan "$tenant" "$plan"; }

change_all "$@"
done_testing
