#!/bin/bash
# loadline-admin: tenants, plans, passwords, and a tenant that goes with everything of it.
# shellcheck disable=SC2154 # cluster.sh and lib.sh set them
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
stack

admin() {
    said=$(LOADLINE_CONF=$stack_dir/loadline.conf "$build/bin/loadline-admin" "$@" 2>"$scratch/err")
    code=$?
}
log_in() {
    post /api/auth/login "$(jq -nc '$ARGS.named' --arg email "$1" --arg password "$2")"
}
# rows TENANT: table and number of its rows, for every table that has some
rows() {
    local table
    for table in $(sql "SELECT table_name FROM information_schema.columns
        WHERE table_schema = 'loadline' AND column_name = 'tenant_id' ORDER BY 1"); do
        sql "SELECT '$table', COUNT(*) FROM loadline.$table WHERE tenant_id = '$1' HAVING COUNT(*) > 0"
    done
}

admin --help
is "--help" "$code $(grep -c '^  purge TENANT' <<<"$said")" "0 1"
for arguments in '' 'nonsense' 'plan' 'plan a' 'plan a b c' 'tenants more' '--nonsense tenants' 'password' 'purge'; do
    # shellcheck disable=SC2086 # words
    admin $arguments
    is "bad usage: $arguments" "$code $said" "2 "
done
# complains ARGUMENTS COMPLAINT
complains() {
    # shellcheck disable=SC2086 # words
    admin $1
    is "... is told what is wrong: $1" "$(cat "$scratch/err")" "loadline-admin: $2. Try loadline-admin --help."
}
complains '' 'a command is wanted'
complains nonsense 'there is no command nonsense'
complains 'plan a' 'plan wants TENANT and PLAN'
complains 'plan a b c' 'plan wants TENANT and PLAN'
complains 'tenants more' 'tenants wants no argument'
complains 'reload a b' 'reload wants PROGRAM or nothing'
admin --nonsense
is "... and of an option nobody knows no more" "$(grep -c . "$scratch/err") $(tail -1 "$scratch/err")" "2 Try loadline-admin --help."
for arguments in 'tenants --json' 'refusals --json' 'plan a trial --certificate x' 'link a@example.com --stdin'; do
    # shellcheck disable=SC2086 # words
    admin $arguments
    is "an option that the command does not have: $arguments" "$code $said $(cat "$scratch/err")" \
        "2  loadline-admin: ${arguments%% *} has no $(grep -o -- '--[a-z]*' <<<"$arguments"). Try loadline-admin --help."
done

# unwritten PROGRAM ARGUMENT...: what it says when its answer goes to a full disk
unwritten() {
    said=$(LOADLINE_CONF=$stack_dir/loadline.conf "$build/bin/loadline-$1" "${@:2}" 2>&1 >/dev/full)
    code=$?
}
for program in admin agent maintain notify score; do
    unwritten $program --help
    like "loadline-$program --help to a full disk" "$code $said" "^[12] loadline-$program: cannot write: No space left on device\$"
done

account "Admin & Söhne"
company="Admin & Söhne	Tab" # an earlier release took such a name
sql "UPDATE tenants SET company = '$company' WHERE tenant_id = '$tenant'"
cluster 2 2 >"$scratch/good"
for name in one two three; do push $name "$scratch/good"; done
admin tenants
is "tenants are listed" "$code" 0
like "with plan, clusters and company" "$(grep "$tenant" <<<"$said")" 'trial +3/3 +1 +20[0-9-]+T[0-9:.]+Z +"Admin & Söhne'
is "a line each" "$(grep -c "$tenant" <<<"$said")" 1

# What the database says is told here, also where the log goes elsewhere.
sed 's/^password=.*/password=another/' "$stack_dir/db.cnf" >"$scratch/other.cnf"
sed "s|^database = .*|database = $scratch/other.cnf|; \$a log_path = $scratch/admin.log" "$stack_dir/loadline.conf" >"$scratch/other.conf"
for arguments in tenants "plan $tenant professional" 'password a@example.com' audit-verify refusals; do
    # shellcheck disable=SC2086 # words
    said=$(LOADLINE_CONF=$scratch/other.conf "$build/bin/loadline-admin" $arguments 2>&1)
    like "why the database is away: ${arguments%% *}" "$? $said" \
        '^1 loadline-admin: Access denied for user .loadline.@.localhost. \(using password: YES\)\. loadline-admin check tells what to do\.$'
done
admin plan "$tenant" professional
is "a plan" "$code" 0
get /api/cluster-slots
is "counts at once" "$(json -c '[.used, .max, .plan]')" '[3,25,"professional"]'
push four "$scratch/good"
is "there is room" "$status" 200
admin plan "$tenant" trial
like "a smaller plan" "$code $said" 'The clusters beyond the limit stay'
push four "$scratch/good"
is "known clusters go on" "$status" 200
push five "$scratch/good"
is "new ones do not" "$status $(json .code)" "403 plan_limit"
get '/api/audit?action=plan_changed'
is "it is in the audit trail" "$(json -c '[.[] | .subject]')" '["professional to trial","trial to professional"]'
like "as whose doing" "$(json '.[0].actor')" '^loadline-admin \('
admin plan "$tenant" gold
is "no such plan" "$code" 1
admin plan 00000000-0000-4000-8000-000000000000 trial
is "no such tenant" "$code $(cat "$scratch/err")" "1 loadline-admin: there is no such tenant"
admin plan "x' OR 1=1" trial
is "no id" "$code $(cat "$scratch/err")" "1 loadline-admin: TENANT is an id, as loadline-admin tenants lists it"

admin password "${email^^}"
is "a password is made" "$code $(wc -w <<<"$said")" "0 1"
ok "a long one" test "${#said}" -ge 20
made=$said
get /api/clusters
is "the session is over" "$status" 401
log_in "$email" "$password"
is "the old password does not fit" "$status" 401
log_in "$email" "$made"
is "the new one does" "$status" 200
token=$(json .token)
admin --stdin password "$email" <<<"correct höst"
is "one from standard input is not shown" "$code $said" "0 "
log_in "$email" "correct höst"
is "and fits" "$status" 200
token=$(json .token)
admin --stdin password "$email" <<<"short"
is "a short one is refused" "$code" 1
admin --stdin password "$email" <<<"äöüß"
is "... by its characters, not by its bytes" "$code $(cat "$scratch/err")" \
    "1 loadline-admin: the first line of standard input must be a password of at least 8 characters"
unwritten admin --stdin password "$email" <<<"correct höst"
is "there is nothing to be shown of one from standard input" "$code $said" "0 "
unwritten admin password "$email"
is "a password that could not be shown is no success" "$code $said" "1 loadline-admin: cannot write: No space left on device
loadline-admin: the new password was made and not shown; run it again"
log_in "$email" "correct höst"
is "... it was changed, as that says" "$status" 401
unwritten admin link "$email"
is "nor is a link" "$code $said" "1 loadline-admin: cannot write: No space left on device
loadline-admin: the link was made and not shown; run it again"
log_in nobody@example.com whatever
for command in tenants refusals audit-verify 'check --json'; do
    # shellcheck disable=SC2086 # words
    unwritten admin $command
    like "what $command lists is missed" "$code $said" '^1 .*loadline-admin: cannot write: No space left on device$'
done
admin --stdin password "$email" <<<"correct höst"
log_in "$email" "correct höst"
token=$(json .token)
admin password nobody@example.com
is "no such user" "$code $(cat "$scratch/err")" "1 loadline-admin: there is no user with this e-mail"
get '/api/audit?action=password_reset'
is "resets are in the audit trail" "$(json 'length')" 5

owner=$token owner_key=$api_key owner_tenant=$tenant owner_email=$email
account "Leaky"
admin revoke "$tenant" <<<"Admin"
like "revoke: the wrong name" "$code $(cat "$scratch/err")" '^1 .*nothing was done$'
get /api/clusters
is "nothing was done" "$status" 200
admin --yes revoke "$tenant"
is "revoke" "$code $said" '0 "Leaky" has no session any more; 1 API keys are revoked.'
get /api/clusters
is "no session" "$status" 401
validate one
is "no key" "$status $(json .code)" "401 bad_api_key"
log_in "$email" "$password"
is "the password still fits" "$status" 200
# A refresh holds the user's row and has not made its session yet.
sql "START TRANSACTION; SELECT user_id INTO @user FROM users WHERE tenant_id = '$tenant' FOR UPDATE; SELECT SLEEP(1);
    INSERT INTO sessions (token_hash, tenant_id, user_id, created_at, expires_at, revoked_at) VALUES (REPEAT('\\0', 32), '$tenant', @user, NOW(3), NOW(3) + INTERVAL 1 HOUR, NULL);
    COMMIT" >/dev/null &
refresh=$!
within "$(patient 5)" eval '[ "$(sql "SELECT COUNT(*) FROM information_schema.processlist WHERE info LIKE \"SELECT SLEEP(1)%\"")" = 1 ]'
admin --yes revoke "$tenant"
wait $refresh
is "a session that is just being made ends, too" "$code $(sql "SELECT COUNT(*) FROM sessions WHERE tenant_id = '$tenant'")" "0 0"
log_in "$email" "$password"
token=$(json .token)
get '/api/audit?action=access_revoked'
is "it is in the audit trail" "$(json -c '[.[] | .subject]')" '["all sessions, 0 API keys","all sessions, 1 API keys"]'
token=$owner api_key=$owner_key tenant=$owner_tenant email=$owner_email
get /api/clusters
is "others go on" "$status" 200

post /api/notifications/channels '{"type":"webhook","name":"hook","webhookUrl":"https://receiver.example.com/in"}' -H "Authorization: Bearer $token"
post /api/notifications/rules '{"condition":"degraded_app"}' -H "Authorization: Bearer $token"
ask POST /api/exemptions '{"check":"run-as-root-allowed","allClusters":true,"reason":"r","owner":"o","expires":"'"$(date -ud '30 days' +%F)"'"}'
is "something is exempt" "$status" 201
cluster 2 0 >"$scratch/down"
push one "$scratch/down"
first=$tenant first_token=$token first_key=$api_key first_email=$email
account Other
push one "$scratch/good"
others=$(rows "$tenant")
ok "the tenant has rows of many kinds" test "$(rows "$first" | wc -l)" -ge 14
is "exemptions, and what they did, among them" "$(rows "$first" | grep -c '^exemption')" 2
admin purge "$first" <<<"Other"
like "the wrong name" "$code $(cat "$scratch/err")" '^1 .*nothing was done$'
is "nothing was done" "$(rows "$first" | grep -c '^clusters	4$')" 1
admin purge "$first" </dev/null
is "no name" "$code" 1
sql "INSERT INTO loadline.score_history (cluster, taken_at, tenant_id, score, score_exact, nodes, pods, risks)
    SELECT cluster, '2026-01-01' + INTERVAL seq SECOND, tenant_id, 1, 100, 1, 1, 1 FROM loadline.clusters JOIN seq_1_to_60000
    WHERE tenant_id = '$first' AND name = 'one'"
LOADLINE_CONF=$stack_dir/loadline.conf "$build/bin/loadline-admin" --yes purge "$first" >/dev/null 2>&1 &
killed=$!
sleep 0.1
kill -KILL $killed 2>/dev/null
wait $killed 2>/dev/null
admin purge "$first" <<<"$company"
is "after a kill and another run nothing is left" "$(rows "$first" | grep -v '^deleted_clusters')" ""
log_in "$first_email" "correct höst"
is "nobody logs in" "$status" 401
request GET /api/clusters -H "Authorization: Bearer $first_token"
is "no session" "$status" 401
request POST /api/validate -H "X-API-Key: $first_key" -H 'Content-Type: application/json' --data '{"cluster_id":"one"}'
is "no key" "$status" 401
is "others have what they had" "$(rows "$tenant")" "$others"
admin purge "$first" <<<"$company"
is "there is no such tenant any more" "$code" 1
done_testing
