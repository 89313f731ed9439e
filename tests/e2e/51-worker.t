#!/bin/bash
# A worker that is told to stop finishes what it has begun; one that is started as plain CGI serves
# its one request; one with a bad configuration says what is wrong.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
own_stack --workers auth=3 --set login_fail_limit=0/300
account Example

# ---- stop
# root STATEMENT: asks the database as the one who may see what everybody does.
root() {
    mariadb --no-defaults --socket="$stack_dir/sock/mariadb.sock" --batch --skip-column-names --unbuffered ${1+-e "$1"} loadline
}
waiting() {
    [ "$(root "SELECT COUNT(*) FROM information_schema.processlist WHERE user = 'loadline' AND info LIKE '%FROM users%FOR UPDATE'")" = 3 ]
}
# begin: three logins that wait for the user's row; end: they get it, and are answered
begin() {
    local i
    coproc holder { root; }
    echo "START TRANSACTION; SELECT user_id FROM users FOR UPDATE;" >&"${holder[1]}"
    read -r -t "$(patient 10)" _ <&"${holder[0]}" || diag "the row is not locked"
    for i in 1 2 3; do
        curl -sS -m 20 -o /dev/null -w '%{http_code}\n' "$base_url/api/auth/login" -H 'Content-Type: application/json' \
            -d "{\"email\":\"$email\",\"password\":\"$password\"}" >"$scratch/login.$i" &
    done
    within "$(patient 10)" waiting || diag "no three logins wait"
}
end() {
    local input=${holder[1]}
    echo "COMMIT;" >&"$input"
    exec {input}>&-
    wait
}
# told: each of the workers has got a signal, which waits, or has died of it
told() {
    local pid
    for pid in $before; do ! grep -qs '^ShdPnd:[[:blank:]]*0*$' "/proc/$pid/status" || return 1; done
}
gone() {
    local pid
    for pid in $before; do [ ! -e "/proc/$pid" ] || return 1; done
}
# replaced PROGRAM N: so many others are in their place
replaced() {
    gone && [ "$(pids_of "$1.fcgi" | wc -l)" = "$2" ]
}
before=$(pids_of auth.fcgi | sort)
begin
for pid in $before; do kill -TERM "$pid"; done
end
is "logins in progress are answered" "$(sort "$scratch"/login.* | uniq -c | xargs)" "3 200"
ok "and the workers are gone, and others in their place" within "$(patient 3)" replaced auth 3
before=$(pids_of auth.fcgi | sort)
begin
kill -TERM "$(leaders "$stack_dir" | sed -n 's/^auth //p')"
ok "a watcher that is stopped tells its workers" within "$(patient 3)" told
end
is "which answer what is in progress" "$(sort "$scratch"/login.* | uniq -c | xargs)" "3 200"
ok "and are gone" within "$(patient 3)" gone
is "a stopped worker's exit is no crash" "$(grep -c 'level=error' "$stack_dir/log/auth.log")" 0

before=$(pids_of status.fcgi | sort)
for pid in $before; do kill -TERM "$pid"; done
request GET /health
is "idle ones stop and nobody notices" "$status" 200
ok "others are in their place" within "$(patient 3)" replaced status "$(wc -w <<<"$before")"
victim=$(pids_of status.fcgi | head -1)
kill -HUP "$victim"
request GET /health
is "SIGHUP reopens the log and does not end it" "$status $(pids_of status.fcgi | grep -cx "$victim")" "200 1"

# ---- plain CGI
# cgi PROGRAM METHOD TARGET BODY [VARIABLE=VALUE]...
cgi() {
    local program=$1 method=$2 target=$3 document=$4
    shift 4
    printf %s "$document" | env -i LOADLINE_CONF="$stack_dir/loadline.conf" GATEWAY_INTERFACE=CGI/1.1 \
        REQUEST_METHOD="$method" REQUEST_URI="$target" REMOTE_ADDR=192.0.2.7 CONTENT_TYPE=application/json \
        CONTENT_LENGTH="$(printf %s "$document" | wc -c)" "$@" "$build/cgi-bin/$program.fcgi" 2>"$scratch/cgi.err" |
        tr -d '\r' >"$scratch/cgi"
    status=$(sed -n '1s/^Status: \([0-9]*\) .*/\1/p' "$scratch/cgi")
    sed '1,/^$/d' "$scratch/cgi" >"$scratch/body"
}
cgi status GET /health ''
is "CGI: health" "$status $(json .status)" "200 ok"
cgi auth POST /api/auth/login "{\"email\":\"$email\",\"password\":\"$password\"}"
is "CGI: login" "$status $(json .email)" "200 $email"
cgi clusters GET /api/clusters '' HTTP_AUTHORIZATION="Bearer $(json .token)"
is "CGI: clusters" "$status $(json -c .)" "200 []"
cluster 1 1 >"$scratch/c.json"
cgi ingest POST /ingest "$(cat "$scratch/c.json")" HTTP_X_API_KEY="$api_key" HTTP_X_CLUSTER_ID=c
is "CGI: ingest" "$status $(json .status)" "200 ok"
like "one line a request" "$(cat "$scratch/cgi.err")" 'level=info program=ingest .* method="POST" path="/ingest" status=200 code=ok .* tenant=[0-9a-f-]{36} client="192.0.2.7"$'
is "and only one" "$(wc -l <"$scratch/cgi.err")" 1
cgi validate POST /api/validate '{"cluster_id":"c"' HTTP_X_API_KEY="$api_key" CONTENT_LENGTH=1000
is "CGI: a body that ends early" "$status $(json .code)" "400 short_body"

# ---- configuration
for line in 'nonsense = 1' 'stale_warn = soon'; do
    { cat "$stack_dir/loadline.conf"; echo "$line"; } >"$scratch/bad.conf"
    error=$(LOADLINE_CONF=$scratch/bad.conf "$build/cgi-bin/status.fcgi" 2>&1 </dev/null)
    is "$line: does not start" $? 1
    like "and says where" "$error" "bad.conf:$(wc -l <"$scratch/bad.conf"): .*${line%% *}"
done

# auth_for LIFETIME CALL DOCUMENT [PROGRAM]: a worker of auth with this session_lifetime
auth_for() {
    { cat "$stack_dir/loadline.conf"; echo "session_lifetime = $1"; } >"$scratch/lifetime.conf"
    cgi "${4-auth}" POST "/api/auth/$2" "$3" LOADLINE_CONF="$scratch/lifetime.conf"
}
# stored: how long the answered session lasts, and its end
stored() {
    sql "SELECT CONCAT(TIMESTAMPDIFF(SECOND, created_at, expires_at), ' ', LEFT(DATE_FORMAT(expires_at, '%Y-%m-%dT%T.%f'), 23), 'Z')
        FROM loadline.sessions WHERE token_hash = UNHEX(SHA2('$(json .token)', 256))"
}
for seconds in 60 2592000; do
    auth_for $seconds login "{\"email\":\"$email\",\"password\":\"$password\"}"
    is "session_lifetime: a login of $seconds s" "$status $(stored)" "200 $seconds $(json .expiresAt)"
    end=$(json .expiresAt) short=$(json .token)
    auth_for 1800 verify "{\"token\":\"$short\"}"
    is "a session keeps its end" "$status $(json .expiresAt)" "200 $end"
    auth_for 1800 refresh "{\"token\":\"$short\"}"
    is "until a refresh, which gives today's" "$status $(stored)" "200 1800 $(json .expiresAt)"
done
auth_for 60 signup '{"company":"Short","email":"short@example.com","password":"12345678"}' people
is "and so does a signup" "$status $(stored)" "201 60 $(json .expiresAt)"
done_testing
