# shellcheck shell=bash disable=SC2034 # variables are for the tests
# lib.sh: end-to-end tests against a real stack. Sourced first; it changes to the repository.
#
#   stack                 the stack of this run (tests/e2e/run), or one of our own when run alone
#   template              for a run of many files: makes the database that stacks of own_stack begin with
#   own_stack [up's options]   always one of our own, in a directory of its own, stopped at exit; without
#                         maintenance, which would remove what a test has pushed of old times, and with
#                         cheap passwords
#                         both set base_url and stack_dir
#   request METHOD PATH [curl's options]    sets status, headers and body
#   header NAME           a header of the last answer
#   json [-c] [-S] FILTER jq -r on the last body
#   account [COMPANY]     signs up somebody new: sets email, password, tenant, token and api_key
#   login EMAIL PASSWORD  the answer is in $body
#   ask METHOD PATH [JSON], get PATH        a request with the session $token
#   refused WHAT STATUS CODE [FIELD]        the last answer is that error
#   roll_up ID            makes the steps of a cluster's history anew, as pushes would have
#   crammed SIZE COMMAND...   with a disk of that size for temporary files, which is $crammed
#   sql STATEMENT         asks the database of the stack: a row a line, columns separated by tabs
#
# LOADLINE_BUILD: where the programs are (default build/release). LOADLINE_TEST_SERVER: what is in front
# of them: lighttpd (default), apache or cgi.

cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
. tests/tap.sh
. scripts/common.sh

# A run starts it twenty thousand times, and gojq starts ten times as fast. It sorts members: who wants them as the server
# has them says "command jq", or json -c.
if command -v gojq >/dev/null; then
    fast_jq() { gojq "$@"; }
    jq() { gojq "$@"; }
else
    fast_jq() { command jq "$@"; }
fi

build=${LOADLINE_BUILD:-build/release}
server=${LOADLINE_TEST_SERVER:-lighttpd}
shared=${LOADLINE_SHARED:-$PWD/../shared}
scratch=$(mktemp -d /tmp/loadline-test-XXXXXX)
own_dirs=()

clean_up() {
    local dir
    for dir in "${own_dirs[@]}"; do
        scripts/down --dir "$dir" >/dev/null
    done
    rm -rf "$scratch"
}
trap clean_up EXIT
trap 'exit 1' INT TERM HUP

# free_port: below the range from which the kernel takes ports for clients.
free_port() {
    local port
    while port=$((20000 + (RANDOM * 32768 + RANDOM) % 12000)); do
        (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || break
    done
    echo "$port"
}

# Nobody else sees that disk, and it goes with the command.
crammed=$scratch/crammed
crammed() {
    mkdir -p "$crammed"
    # shellcheck disable=SC2016 # for the shell that is started
    unshare "$([ "$(id -u)" = 0 ] && echo -m || echo -Urm)" sh -c 'mount -t tmpfs -o "size=$0" tmpfs "$1" && shift && exec "$@"' \
        "$1" "$crammed" env TMPDIR="$crammed" "${@:2}"
}

own_stack() {
    local try
    stack_dir=$scratch/stack$((${#own_dirs[@]} + 1))
    own_dirs+=("$stack_dir")
    for try in 1 2 3; do
        stack_port=$(free_port)
        if [ -n "${LOADLINE_TEST_DATA-}" ] && [ ! -d "$stack_dir" ]; then
            mkdir -m 700 "$stack_dir" && cp -a --sparse=always "$LOADLINE_TEST_DATA" "$stack_dir/data"
        fi
        base_url=$(scripts/up --dir "$stack_dir" --port "$stack_port" --build "$build" --server "$server" --set password_wait=60 --set password_cost=10 \
            --workers maintain=0 "$@" 2>"$scratch/up.err" |
            sed -n 's/^base_url=//p') || true
        [ -z "$base_url" ] || return 0
        grep -q 'port .* is taken' "$scratch/up.err" || break
    done
    diag "$(cat "$scratch/up.err")"
    echo "Bail out! scripts/up failed"
    exit 1
}

# template: makes an empty database once; stacks of own_stack begin with a copy of it then.
template() {
    local dir=$scratch/template
    own_dirs+=("$dir")
    if scripts/up --dir "$dir" --port "$(free_port)" --build "$build" >/dev/null 2>&1 && scripts/down --dir "$dir"; then
        export LOADLINE_TEST_DATA=$dir/data
    fi
}

stack() {
    if [ -n "${LOADLINE_E2E_URL-}" ]; then
        base_url=$LOADLINE_E2E_URL
        stack_dir=$LOADLINE_E2E_DIR
    else
        # A machine that many tests keep busy may need longer for an answer than the gate waits for the database.
        own_stack --set signup_limit=0/600 --set login_limit=0/300 --set login_fail_limit=0/300 --set key_fail_limit=0/60 \
            --set gate_timeout=10
    fi
}

request() {
    local method=$1 path=$2
    shift 2
    [ "$method" != HEAD ] || set -- --head "$@"
    : >"$scratch/body"
    status=$(curl -sS -m 60 -X "$method" -o "$scratch/body" -D "$scratch/headers" -w '%{http_code}' \
        "$@" "$base_url$path" 2>"$scratch/curl.err") || diag "curl: $(cat "$scratch/curl.err")"
    headers=$(<"$scratch/headers") headers=${headers//$'\r'/}
    # Without its bytes that are 0, of which bash warns.
    { body=$(<"$scratch/body"); } 2>/dev/null
}

header() {
    local line value found=
    while IFS= read -r line; do
        [[ ${line,,} != "${1,,}":* ]] || { value=${line#*:} found=yes; }
    done <<<"$headers"
    [ -z "$found" ] || echo "${value#"${value%%[! ]*}"}"
}

json() {
    local said
    # gojq has no such option: it sorts always.
    if [[ $1 == -*S* ]]; then
        command jq -r "$@" "$scratch/body" 2>/dev/null && return
    elif [ "$1" != -c ] && declare -F jq >/dev/null; then
        jq -r "$@" "$scratch/body" 2>/dev/null && return
    else
        # What has no members has none to sort.
        if said=$(fast_jq -r "$@" "$scratch/body" 2>/dev/null) && [[ $said != *'{'* ]]; then
            [ -z "$said" ] || echo "$said"
            return
        fi
        command jq -r "$@" "$scratch/body" 2>/dev/null && return
    fi
    echo "not json: $(head -c 200 "$scratch/body")"
}

# post PATH JSON [curl's options]
post() {
    local path=$1 document=$2
    shift 2
    request POST "$path" -H 'Content-Type: application/json' --data-binary "$document" "$@"
}

# account [COMPANY]: signs up. On a busy machine that may be refused for the moment.
account() {
    local company=${1:-Example} try
    email=test-$$-$RANDOM$RANDOM@example.com
    password=correct-horse-$RANDOM
    for try in 1 2 3; do
        post /api/auth/signup "$(jq -nc '$ARGS.named' --arg company "$company" --arg email "$email" --arg password "$password")"
        [ "$status" != 201 ] || break
        diag "sign-up $try: $status $body"
        [ "$status" = 503 ] || break
        sleep 1
    done
    read -r tenant token api_key < <(json '"\(.tenantId) \(.token) \(.apiKey)"')
}

login() {
    post /api/auth/login "$(jq -nc '$ARGS.named' --arg email "$1" --arg password "$2")"
}

ask() {
    request "$1" "$2" -H "Authorization: Bearer $token" ${3+-H 'Content-Type: application/json' --data-binary "$3"}
}

get() {
    ask GET "$1"
}

refused() {
    is "$1" "$status $(json '"\(.code) \(.field // "")"')" "$2 $3 ${4-}"
}

# audited ACTION: the subject of the newest such entry of the trail.
audited() {
    get "/api/audit?action=$1&limit=1"
    json '.[0].subject'
}

sql() {
    mariadb --defaults-file="$stack_dir/admin.cnf" --batch --skip-column-names -e "$1"
}

# The statement is that of the migration, which knew no formula yet.
roll_up() {
    sql "DELETE FROM score_rollup WHERE cluster = '$1';
         $(sed -n '/^INSERT IGNORE INTO score_rollup/,/;$/p' sql/0006_reading.sql |
             sed 's/ nodes, pods, risks$/&, formula/; s/ AS risks$/&, MIN(formula) AS formula/')"
}

# What steps tell of points: rows of score_rollup, and the points that no step has yet.
# shellcheck disable=SC2034 # for those who source this
told_points="(SELECT cluster, points, last_at FROM loadline.score_rollup
    UNION ALL SELECT h.cluster, 1, h.taken_at FROM loadline.score_history h JOIN loadline.clusters c USING (cluster)
        WHERE h.taken_at >= c.rolled_to)"

# push CLUSTER FILE [curl's options]: a gzip body as it is, anything else compressed.
push() {
    local cluster=$1 file=$2
    shift 2
    if [ "$(head -c 2 "$file" | od -An -tx1)" != " 1f 8b" ]; then
        gzip -1c "$file" >"$scratch/push.gz"
        file=$scratch/push.gz
    fi
    request POST /ingest -H "X-API-Key: $api_key" -H "X-Cluster-Id: $cluster" \
        -H 'Content-Type: application/json' -H 'Content-Encoding: gzip' --data-binary "@$file" "$@"
}

# pids_of NAME: processes of our stack with this name, of which the kernel keeps 15 characters.
pids_of() {
    local pid name
    for pid in $(members "$stack_dir"); do
        if { read -r name <"/proc/$pid/comm"; } 2>/dev/null && [ "$name" = "${1:0:15}" ]; then echo "$pid"; fi
    done
}

# peak COMM: the memory that the largest process of our stack with this name has had at most, MiB.
peak() {
    local pid
    for pid in $(pids_of "$1"); do
        sed -n 's/^VmHWM:[[:blank:]]*\([0-9]*\) kB$/\1/p' "/proc/$pid/status"
    done | sort -n | tail -1 | awk '{ print int($1 / 1024) }'
}

# below_peak WHAT COMM MIB: what peak says is less. As plain CGI no process stays to be asked.
below_peak() {
    if [ "$server" = cgi ]; then skip "$1" "plain CGI"; else below "$1" "$(peak "$2")" "$3"; fi
}

# log_of PROGRAM: the file that its lines are in.
log_of() {
    if [ "$server" = cgi ]; then echo "$stack_dir/log/cgi.log"; else echo "$stack_dir/log/$1.log"; fi
}

# patient NUMBER: a limit of time, stretched by how many processes wait for each core just now.
patient() {
    local load
    read -r load _ </proc/loadavg
    echo $(($1 * (1 + ${load%.*} / $(nproc))))
}

# same_day SECONDS: waits for midnight (UTC) to pass when it is nearer than that.
same_day() {
    local left=$((86400 - $(date +%s) % 86400))
    [ $left -gt "$1" ] || sleep $((left + 1))
}

# within SECONDS COMMAND...: true as soon as the command is, tried until then.
within() {
    local end=$((${EPOCHREALTIME/[.,]/} + $1 * 1000000))
    shift
    until "$@" >/dev/null 2>&1; do
        [ "${EPOCHREALTIME/[.,]/}" -lt $end ] || return 1
        sleep 0.02
    done
}
