#!/bin/bash
# Passwords, tokens, keys, webhook addresses and their secrets are in no log, process list, database
# dump, file of the database, or error. (47-nothing-redacted.t does the same for what snapshots hold.)
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh

# Everything of the stack, and the scripts below, is known by this among its environment.
probe=LOADLINE_PROBE=$RANDOM$RANDOM$RANDOM
own_stack_probed() {
    export "${probe?}"
    own_stack --set key_fail_limit=0/60 --set signup_limit=0/600 --set login_fail_limit=0/300
    unset LOADLINE_PROBE
}
own_stack_probed

# watch_processes: what command lines and environments say, and the statements that the server runs,
# until $scratch/watched is gone
watch_processes() {
    local files
    while [ -e "$scratch/watched" ]; do
        mapfile -t files < <(grep -lszx "$probe" /proc/[0-9]*/environ)
        cat "${files[@]}" "${files[@]/%environ/cmdline}" 2>/dev/null | tr '\0' ' '
        sql 'SHOW FULL PROCESSLIST'
    done >"$scratch/processes"
}
touch "$scratch/watched"
watch_processes &
watcher=$!

secrets=()
# answered: keeps the last answer when it is an error
answered() {
    [ "$status" -lt 400 ] || cat "$scratch/headers" "$scratch/body" >>"$scratch/errors"
}
# send METHOD PATH JSON: with the session; an error is kept
send() {
    request "$1" "$2" -H "Authorization: Bearer $token" -H 'Content-Type: application/json' --data-binary "$3"
    answered
}

# ---- a company at work
account "Keeper of Secrets"
secrets+=("$password" "$api_key" "$token")
first=$token
post /api/auth/login "$(jq -nc --arg e "$email" --arg p "$password" '{email: $e, password: $p}')"
secrets+=("$(json .token)")
post /api/auth/refresh "{\"token\":\"$(json .token)\"}"
token=$(json .token)
secrets+=("$token")
send POST /api/keys '{"name":"ci","scope":"cicd"}'
cicd=$(json .apiKey)
secrets+=("$cicd")
member_password=planted-member-$RANDOM$RANDOM
send POST /api/members "{\"email\":\"m-$$@example.com\",\"password\":\"$member_password\",\"role\":\"member\"}"
hook=planted/hook/$RANDOM$RANDOM
send POST /api/notifications/channels "{\"type\":\"webhook\",\"name\":\"pager\",\"webhookUrl\":\"https://93.184.216.34/$hook\"}"
is "a channel" "$status" 201
channel=$(json .id) signing=$(json .secret)
like "with a secret to sign with" "$signing" '^whsec_'
send POST /api/notifications/channels/rotate "{\"id\":\"$channel\"}"
secrets+=("$member_password" "$hook" "$signing" "${signing#whsec_}" "$(json .secret)")
send POST /api/notifications/channels/test "{\"id\":\"$channel\"}"
new_password=planted-new-$RANDOM$RANDOM
send POST /api/auth/password "$(jq -nc --arg c "$password" --arg n "$new_password" '{currentPassword: $c, newPassword: $n}')"
is "another password" "$status" 200
reset_password=planted-reset-$RANDOM$RANDOM
environment=planted-environment-$RANDOM$RANDOM
secrets+=("$new_password" "$reset_password" "$environment")
cluster 1 1 '(.items[] | select(.kind == "Pod") | .spec.containers[0]) += {env: [{name: "P", value: "'"$environment"'"}]}' >"$scratch/c.json"
for _ in {1..20}; do # until the watcher has seen it
    env "$probe" LOADLINE_URL="$base_url" LOADLINE_API_KEY="$api_key" scripts/push-snapshot --file "$scratch/c.json" kept >/dev/null
    ! grep -q push-snapshot "$scratch/processes" || break
done
env "$probe" LOADLINE_URL="$base_url" LOADLINE_API_KEY="$cicd" scripts/gate kept >"$scratch/gate" 2>&1
like "the gate answers" "$(cat "$scratch/gate")" '(SAFE|WARN|BLOCK)'
env "$probe" LOADLINE_CONF="$stack_dir/loadline.conf" "$build/bin/loadline-admin" --yes password "$email" --stdin <<<"$reset_password" >"$scratch/admin" 2>&1
is "the operator resets a password" "$?" 0

# ---- and everything that goes wrong
post /api/auth/login "$(jq -nc --arg e "$email" --arg p "$password" '{email: $e, password: $p}')"
answered
is "the old password does not work" "$status" 401
token=$first
for document in "{\"email\":\"$email\",\"password\":\"$reset_password" "{\"email\":[\"$reset_password\"],\"password\":\"$reset_password\"}" \
    "{\"email\":\"$reset_password\",\"password\":\"$reset_password\"}" "\"$reset_password\"" "{\"$reset_password\":1}" \
    "{\"email\":\"x@x.example\",\"password\":{\"$reset_password\":1}}"; do
    for path in /api/auth/signup /api/auth/login /api/auth/verify /api/auth/refresh; do
        post $path "$document"
        answered
    done
    send POST /api/auth/password "$document"
    send POST /api/members "$document"
    send POST /api/notifications/channels "{\"type\":\"slack\",\"name\":1,\"webhookUrl\":\"https://hooks.example.com/$hook\"}"
done
for header in "X-API-Key: $api_key " "X-API-Key: $token" "Authorization: Bearer $api_key" "Authorization: Basic $reset_password" \
    "X-API-Key: ${api_key}x" "Authorization: Bearer ${token%?}"; do
    request GET /api/clusters -H "$header"
    answered
    request POST /api/validate -H "$header" -H "X-Cluster-Id: $reset_password" -d "{\"cluster_id\":7,\"user\":\"$reset_password"
    answered
done
for cut in 20 200; do
    request POST /ingest -H "X-API-Key: $api_key" -H 'X-Cluster-Id: kept' --data-binary "@-" < <(head -c -$cut "$scratch/c.json")
    answered
done
sed "s/\"$environment\"/\"$environment\x01\"/" "$scratch/c.json" >"$scratch/bad.json"
push kept "$scratch/bad.json"
is "a value that is no JSON" "$status" 400
answered
ok "there were errors" [ "$(grep -c '"code"' "$scratch/errors")" -gt 40 ]

# ---- who says what
rm "$scratch/watched"
wait $watcher
printf '%s\n' "${secrets[@]}" >"$scratch/secrets"
is "all secrets are known" "$(grep -cE '^.{12,}$' "$scratch/secrets")" "${#secrets[@]}"
# found WHERE...: secrets in these files
found() {
    grep -razoFf "$scratch/secrets" "$@" | tr '\0' '\n' | sort | uniq -c
}
ok "processes were watched" [ "$(grep -c 'auth.fcgi' "$scratch/processes")" -gt 5 ]
ok "also those of the scripts" grep -q 'push-snapshot' "$scratch/processes"
# The two keys are in the environment of the scripts that they were given to, and nowhere else.
sed -i -E 's/(LOADLINE_API_KEY)=[^ ]*/\1=/g' "$scratch/processes"
empty "no process list has one" "$(found "$scratch/processes")"
empty "no error has one" "$(found "$scratch/errors")"
empty "nor has what loadline-admin says" "$(found "$scratch/admin")"
mariadb-dump --defaults-file="$stack_dir/admin.cnf" loadline >"$scratch/dump" 2>/dev/null
ok "the database was dumped" grep -q "Keeper of Secrets" "$scratch/dump"
empty "no dump has one" "$(found "$scratch/dump")"
for i in "${!secrets[@]}"; do printf '%s' "${secrets[i]}" | base64 -w 0 | sed 's/=*$//; s/..$//'; echo; done >"$scratch/base64"
empty "nor in base64" "$(grep -oFf "$scratch/base64" "$scratch/dump")"
limits=$(for pid in $(members "$stack_dir"); do
    case $(cat "/proc/$pid/comm" 2>/dev/null) in
    *.fcgi | loadline-notify) sed -n 's/^Max core file size *\([0-9a-z]*\) .*/\1/p' "/proc/$pid/limits" ;;
    esac
done | sort -u)
is "no program leaves a core file, nor feeds one to a program" "$limits" 1
scripts/down --dir "$stack_dir"
ok "the database's files have what is no secret" grep -rqaF "Keeper of Secrets" "$stack_dir/data"
empty "no file of the stack has one: data, redo log, logs, bodies" "$(found "$stack_dir")"
done_testing
