# shellcheck shell=bash disable=SC2034 # variables are for the parts
# lib.sh: what the shell parts of the bench share. Sourced first; it changes to the repository.
# LOADLINE_BENCH_SHORT=1: a run that shows that everything works, not how fast.
#
#   host [own_stack's options]            a stack of its own, with the buffer pool that etc/my.cnf gives a host
#   figure NAME VALUE [<=|>= LIMIT]       prints one
#   note TEXT...                          prints something beside the figures
#   snapshot PODS FORM VARIANT            makes one, see bench_generate; sets file
#   load [bench_load's options]           runs it against the stack; sets its figures as
#                                         load_requests, load_p99_ms, ...
#   cpu COMM...                           CPU of these processes of the stack until now, ms
#   cpu_of PID...                         of any processes
#   before_load COMM...                   notes it; after load, shares COMM... prints what part of
#                                         two cores the client and each of them took
#   enterprise                            an account on the plan with 1,000 clusters
#   maintain [its options]                runs loadline-maintain to its end
set -euo pipefail
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../e2e/lib.sh"

short=${LOADLINE_BENCH_SHORT-}
programs=$build/tests/bench
load_requests=0 load_refused=0 load_errors=0 load_seconds=0 load_rate=0 load_p50_ms=0 load_p99_ms=0 load_max_ms=0 load_cpu_ms=0

# give_up SENTENCE
give_up() {
    echo "${0##*/}: $*" >&2
    exit 1
}

# In the 128 MiB of scripts/up, the gate's decisions of ten seconds and ten million points have no room.
# shellcheck disable=SC2120 # with options elsewhere
host() {
    own_stack "$@"
    mariadb --no-defaults --socket="$stack_dir/sock/mariadb.sock" --user="$(id -un)" \
        -e "SET GLOBAL innodb_buffer_pool_size = $(sed -n 's/^innodb-buffer-pool-size = //p' etc/my.cnf | numfmt --from=iec)"
}

figure() {
    awk -v name="$1" -v value="$2" -v than="${3-}" -v limit="${4-}" 'BEGIN {
        if (than == "") { printf "%-44s %12.2f %13s\n", name, value, "-"; exit }
        within = than == "<=" ? value <= limit + 0 : value >= limit + 0
        printf "%-44s %12.2f %2s %10.2f %s target\n", name, value, than, limit, within ? "within" : "over"
    }'
}

note() {
    echo "# $*"
}

# of NAME TEXT: the value of NAME=VALUE in it.
of() {
    sed -n "s/.*\b$1=\([^ ]*\).*/\1/p" <<<"$2"
}

# divide A B
divide() {
    awk -v a="$1" -v b="$2" 'BEGIN { printf "%.4f", a / b }'
}

snapshot() {
    file=$scratch/$1-$2-$3.json.gz
    [ -s "$file" ] || "$programs/bench_generate" "$1" "$2" "$3" >"$file"
}

load() {
    local said name
    said=$("$programs/bench_load" --port "$stack_port" --refusals "$@") || give_up "bench_load failed"
    for name in requests refused errors seconds rate p50_ms p99_ms max_ms cpu_ms; do
        printf -v "load_$name" %s "$(of "$name" "$said")"
    done
    [ "$load_errors" = 0 ] || give_up "$load_errors of $load_requests requests failed"
    [ "$load_refused" = 0 ] || note "$load_refused requests were refused with 503: something else keeps this machine busy"
}

# Ticks are of 10 ms.
cpu_of() {
    local pid ticks=0 stat fields
    for pid; do
        stat=$(cat "/proc/$pid/stat")
        read -ra fields <<<"${stat##*) }"
        ticks=$((ticks + fields[11] + fields[12]))
    done
    echo $((ticks * 10))
}

cpu() {
    local name pids=()
    for name; do
        mapfile -t -O ${#pids[@]} pids < <(pids_of "$name")
    done
    cpu_of "${pids[@]}"
}

declare -A cpu_before
before_load() {
    local name
    for name; do
        cpu_before[$name]=$(cpu "$name")
    done
}

shares() {
    local name
    figure "  CPU of two cores, %, client" "$(divide "$load_cpu_ms" "$(divide "$load_seconds" 0.05)")"
    for name; do
        figure "  CPU of two cores, %, $name" \
            "$(divide $(($(cpu "$name") - cpu_before[$name])) "$(divide "$load_seconds" 0.05)")"
    done
}

# administer SQL: on the private database, as the account of the migrations.
administer() {
    mariadb --defaults-file="$stack_dir/admin.cnf" loadline -BNe "$1"
}

# A plan is not for sale over HTTP: it is set in the database.
enterprise() {
    account "Bench"
    [ "$status" = 201 ] || give_up "no account: $body"
    administer "UPDATE tenants SET plan = 'enterprise' WHERE tenant_id = '$tenant'"
}

maintain() {
    LOADLINE_CONF=$stack_dir/loadline.conf "$build/bin/loadline-maintain" "$@" >>"$scratch/maintain.log" 2>&1 ||
        give_up "loadline-maintain failed: $(tail -3 "$scratch/maintain.log")"
}
