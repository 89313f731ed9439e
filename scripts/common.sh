# shellcheck shell=bash
# common.sh: what scripts/up, down and the tests know about a running stack. Sourced.
#
# A stack lives below one directory:
#   data/       MariaDB's           sock/  unix sockets      tmp/  request bodies being received
#   log/        one file a process  pids   "name pid start"  run   token and base URL
#   loadline.conf, db.cnf (the programs' account), maintain.cnf (that of maintenance), admin.cnf (the
#   migrations'), channel.keys, audit.keys, my.cnf, lighttpd.conf, apache.conf
#
# Processes of a stack are recognised in two ways: leaders by pid and kernel start time, everything below
# them by LOADLINE_RUN=<token> in the environment. A stranger that was given the same pid has neither.

# shellcheck disable=SC2034 # used by those that source this
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# progress [TEXT]: on a terminal, what goes on, in place of the last one; without a text nothing is left of it. A narrow
# terminal cuts the line off: of one that goes on in the next row the first would stay.
# shellcheck disable=SC2120 # with a text elsewhere
progress() {
    [ -t 2 ] && [ "${TERM:-dumb}" != dumb ] || return 0
    printf '\r\033[K' >&2
    [ $# -eq 0 ] || printf '\033[?7l%s: %s ...\033[?7h' "${0##*/}" "$*" >&2
}

die() {
    progress
    printf '%s: %s\n' "${0##*/}" "$*" | installed_names >&2
    exit 1
}

# installed_names: a command is called loadline-NAME on a host.
installed_names() {
    if [ "$root" = "${root%/share/loadline}" ]; then cat; else sed 's|^host-||; s|scripts/\(host-\)\{0,1\}|loadline-|g'; fi
}

# tunables PROGRAM: how its malloc is to behave (GLIBC_TUNABLES). With each push a worker reads through all that it
# remembers of a cluster: large pages, where the kernel has them, spare it 5 % of its time. What somebody has set counts.
tunables() {
    local large=''
    [ "$1" != ingest ] || large=glibc.malloc.hugetlb=1
    echo "$large${GLIBC_TUNABLES:+${large:+:}$GLIBC_TUNABLES}"
}

# needs WHAT OPTION [VALUE]...: ends with a sentence when the option has no value, or an empty one.
needs() {
    [ -n "${3-}" ] || die "$2 needs $1 (see --help)"
}

# check_place DIR PORT: ends with a sentence when a stack cannot have these.
check_place() {
    local dir=$1
    [[ $2 =~ ^[1-9][0-9]{0,4}$ && $2 -le 65535 ]] || die "--port $2 is not a port"
    case $dir in /*) ;; *) dir=$PWD/$dir ;; esac
    case $dir in *[[:space:]\"\'\\]*) die "$dir has a space or a quote in its name; choose another --dir" ;; esac
}

# refuse_taken PORT [HINT]: ends with a sentence when somebody listens there.
refuse_taken() {
    ! (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null || die "port $1 is taken; choose another with --port${2-}"
}

# about OPTION: what a script says of itself: --help is its first comment, --version that of this tree.
about() {
    case $1 in
    --help) sed -n '2,/^set/{s/^# \{0,1\}//p}' "$0" | installed_names ;;
    --version) echo "${0##*/} $(sed -n 's/^#define LOADLINE_VERSION "\(.*\)"$/\1/p' "$root/lib/base/version.h")" ;;
    esac
    exit 0
}

# secret: 32 hex digits.
secret() {
    od -An -N16 -tx1 /dev/urandom | tr -d ' \n'
}

# admin_file: the default option file of the account that changes the schema. In a checkout that is the one
# of make run's stack, when there is one; otherwise, and for installed scripts, it is the host's.
admin_file() {
    if [ -e "$root/Makefile" ] && [ -e run/admin.cnf ]; then echo run/admin.cnf; else echo /etc/loadline/admin.cnf; fi
}

# append_only TABLE: whether programs only add rows to it. They do not touch that of the migrations at all.
append_only() {
    case $1 in audit | audit_chain | schema_migrations) return 0 ;; esac
    return 1
}

# start_time PID: the kernel's start time of a process, empty when there is none.
start_time() {
    local stat
    { read -r stat <"/proc/$1/stat"; } 2>/dev/null || return 0
    stat=${stat##*) }
    # shellcheck disable=SC2086 # fields
    set -- $stat
    [ "$1" = Z ] || echo "${20}"
}

# leaders DIR: "name pid" of each process of DIR/pids that still runs.
leaders() {
    local name pid start
    [ -r "$1/pids" ] || return 0
    while read -r name pid start; do
        [ "$(start_time "$pid")" != "$start" ] || echo "$name $pid"
    done <"$1/pids"
}

# members DIR: pids of every process that carries the token of DIR.
members() {
    local token
    [ -r "$1/run" ] || return 0
    token=$(sed -n 's/^token=//p' "$1/run")
    [ -n "$token" ] || return 0
    grep -lszx "LOADLINE_RUN=$token" /proc/[0-9]*/environ | cut -d/ -f3 || true
}

# wait_gone SECONDS PID...: false when one still runs after that time.
wait_gone() {
    local tries=$(($1 * 50)) pid
    shift
    for pid; do
        while [ -n "$(start_time "$pid")" ]; do
            [ $((tries--)) -gt 0 ] || return 1
            sleep 0.02
        done
    done
}

# stop_leaders DIR SECONDS NAME...: terminates what these watch over, in one go, and waits for it.
# multiwatch cannot do that: it sends SIGQUIT when it is told to send SIGTERM. lighttpd and Apache die of
# SIGQUIT at once, and Apache leaves its children behind. multiwatch is therefore stopped first.
stop_leaders() {
    local dir=$1 seconds=$2 name pid watchers=() watched=()
    shift 2
    while read -r name pid; do
        case " $* " in *" $name "*) kill -STOP "$pid" 2>/dev/null && watchers+=("$pid") ;; esac
    done < <(leaders "$dir")
    [ ${#watchers[@]} -gt 0 ] || return 0
    for pid in $(IFS=, && pgrep -P "${watchers[*]}"); do
        kill -TERM "$pid" 2>/dev/null && watched+=("$pid")
    done
    wait_gone "$seconds" "${watched[@]}" || true
    kill -KILL "${watchers[@]}" 2>/dev/null || true
    wait_gone 5 "${watchers[@]}"
}

# stop_stack DIR: front end, then workers, then the database; then whoever is left of them.
stop_stack() {
    local dir=$1 workers left
    workers=$(leaders "$dir" | cut -d' ' -f1 | grep -vx 'lighttpd\|apache\|cgi\|mariadb' | tr '\n' ' ') || true
    stop_leaders "$dir" 10 lighttpd apache cgi || true
    # shellcheck disable=SC2086 # a list
    stop_leaders "$dir" 10 $workers || true
    stop_leaders "$dir" 60 mariadb || true
    for signal in TERM KILL; do
        left=$(members "$dir" | grep -vx $$ || true)
        [ -n "$left" ] || break
        # shellcheck disable=SC2086 # a list
        kill -$signal $left 2>/dev/null || true
        # shellcheck disable=SC2086
        wait_gone 5 $left || true
    done
    if [ -L "$dir/sock" ]; then
        rm -rf "$(readlink "$dir/sock")" "$dir/sock"
    fi
    rm -f "$dir/pids" "$dir/run"
}
