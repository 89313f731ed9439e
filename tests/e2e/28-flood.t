#!/bin/bash
# More passwords at once than can be compared: what would wait for too long is refused and told when to
# come again, the rest of the program goes on, and memory stays what it is.
. "$(dirname "$0")/lib.sh"
own_stack --workers auth=1 --set password_wait=1 --set password_cost=15 --set login_fail_limit=0/300 --set login_limit=0/300 --set signup_limit=0/600
account Example
jq -nc '$ARGS.named' --arg email "$email" --arg password "$password" >"$scratch/login.json"

# flood N: so many logins at once; their answers are in $scratch/flood.*
flood() {
    local i
    rm -f "$scratch"/flood.*
    for ((i = 0; i < $1; i++)); do
        curl -sS -m 60 -i "$base_url/api/auth/login" -H 'Content-Type: application/json' \
            --data-binary "@$scratch/login.json" >"$scratch/flood.$i" 2>&1 &
    done
}
# answers STATUS: how many of them
answers() {
    grep -lE "^HTTP/1.1 $1 " "$scratch"/flood.* | wc -l
}

flood 60
sleep 0.5
post /api/auth/verify "{\"token\":\"$token\"}"
is "a session is verified meanwhile" "$status" 200
wait
ok "some get in" [ "$(answers 200)" -gt 0 ]
ok "some do not" [ "$(answers 503)" -gt 0 ]
is "nothing else happens" $(($(answers 200) + $(answers 503))) 60
refused=$(grep -lE "^HTTP/1.1 503 " "$scratch"/flood.* | head -1)
is "a refusal is JSON with a code" "$(tail -1 "$refused" | jq -r .code)" service_away
like "and says when to come again" "$(cat "$refused")" $'\nRetry-After: [1-9][0-9]*\r'
post /api/auth/login "$(cat "$scratch/login.json")"
is "afterwards a login is a login" "$status" 200
if [ "$server" != cgi ]; then
    memory=$(peak auth.fcgi)
    below "memory of the worker at most, MiB" "$memory" 48
    ok "which was measured" [ "$memory" -gt 32 ]
    is "it has died of nothing" "$(grep -c 'level=error' "$(log_of auth)")" 0
fi
done_testing
