#!/bin/bash
# Sessions that race: two refreshes of one token, a login or a refresh with a password change.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
stack

# alive TOKEN: the status that it reads with
alive() {
    request GET /api/clusters -H "Authorization: Bearer $1"
    echo "$status"
}

account Example
# ---- 200 times two refreshes of one token at once: exactly one wins each time
python3 - "${base_url#http://}" "$token" >"$scratch/refreshes" <<'END2'
import http.client, json, sys, threading
host, token = sys.argv[1:]
start = threading.Barrier(2)
answers = [None, None]

def refresh(i):
    connection = http.client.HTTPConnection(host, timeout=60)
    for _ in range(200):
        start.wait()
        connection.request("POST", "/api/auth/refresh", json.dumps({"token": token}), {"Content-Type": "application/json"})
        answer = connection.getresponse()
        answers[i] = (answer.status, json.loads(answer.read()))
        if start.wait() == 0:
            follow()
        start.wait()

def follow():
    global token
    won = [body["token"] for status, body in answers if status == 200]
    print(*sorted(status for status, body in answers))
    token = won[0] if won else token

other = threading.Thread(target=refresh, args=(1,))
other.start()
refresh(0)
other.join()
print(token)
END2
is "of 200 pairs of racing refreshes one wins each time" "$(head -n -1 "$scratch/refreshes" | sort | uniq -c | xargs)" "200 200 401"
is "the last one is good" "$(alive "$(tail -1 "$scratch/refreshes")")" 200
is "and no other" "$(sql "SELECT COUNT(*), COUNT(revoked_at) FROM sessions WHERE tenant_id = '$tenant'" | tr '\t' ' ')" "201 200"

# ---- a password change ends what races with it
read -r user hash < <(sql "SELECT user_id, password FROM users WHERE tenant_id = '$tenant'")
# holding SQL COMMAND...: the SQL's transaction is open while the command starts, and for 1.5 s more
holding() {
    sql "START TRANSACTION; $1; SELECT SLEEP(1.5); ${after-}; COMMIT" >/dev/null &
    local holder=$!
    shift
    within "$(patient 5)" blocker_is_there
    "$@"
    wait $holder
}
blocker_is_there() {
    [ "$(sql "SELECT COUNT(*) FROM information_schema.processlist WHERE info LIKE 'SELECT SLEEP(1.5)%'")" -gt 0 ]
}
late_login() {
    login "$email" "$password"
}
after="UPDATE users SET password = 'changed' WHERE user_id = '$user'" \
    holding "SELECT user_id FROM users WHERE user_id = '$user' FOR UPDATE" late_login
is "a login whose password is changed while it is checked" "$status $(json .code)" "401 bad_login"
unset after
sql "UPDATE users SET password = '$hash' WHERE user_id = '$user'"
login "$email" "$password"
token=$(json .token)
overlaps=0 survivors=0
for round in 1 2 3; do
    login "$email" "$password"
    other=$(json .token)
    race() {
        curl -sS -m 60 -o "$scratch/refreshed" -H 'Content-Type: application/json' -d "{\"token\":\"$other\"}" "$base_url/api/auth/refresh" &
        local refresh=$!
        sleep 0.3
        post /api/auth/password "{\"currentPassword\":\"$password\",\"newPassword\":\"password-$round\"}" -H "Authorization: Bearer $token"
        wait "$refresh"
    }
    holding "SELECT user_id FROM sessions WHERE token_hash = UNHEX(SHA2('$other', 256)) FOR UPDATE" race
    [ "$status" != 200 ] || password=password-$round
    fresh=$(jq -r '.token // empty' "$scratch/refreshed")
    [ -z "$fresh" ] || overlaps=$((overlaps + 1))
    [ "$(alive "$fresh")" = 401 ] || survivors=$((survivors + 1))
done
ok "a refresh that overlaps a password change ($overlaps of 3)" [ $overlaps -gt 0 ]
is "leaves no session" "$survivors" 0
is "the session that made the change goes on" "$(alive "$token")" 200
done_testing
