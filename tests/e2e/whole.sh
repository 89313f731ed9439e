# shellcheck shell=bash disable=SC2034,SC2119,SC2154 # lib.sh, refusals.sh and cuts.sh set and read them
# whole.sh: changes are stored whole or not at all, whatever becomes of the database meanwhile. Sourced after refusals.sh and
# cuts.sh.
#
#   change NAME   asks for it by do_NAME, with what begin_NAME has made, while rows are refused and connections are cut. 2xx
#                 has to say that all of it is stored, and anything else that nothing is, or that nobody knows. Afterwards the
#                 same request is carried out; when again_NAME is there, what is good once is refused from then on.
#   may_wait NAME [TABLE EVENT]     for who uses this: whether a part of it may be left for later

may_wait() { false; }

begin_one() {
    ! declare -F "begin_$1" >/dev/null || "begin_$1"
}

# used_up NAME WHAT: it was carried out, and is not once more
used_up() {
    declare -F "again_$1" >/dev/null || return 0
    "again_$1"
    [[ $status == 4* ]] || wrong+=("$2: and again: $status $body")
}

# after_all NAME WHAT: it was not stored, and is now
after_all() {
    arm
    "do_$1"
    disarm
    [[ $status == 2* ]] || wrong+=("$2: afterwards $status $body")
    [ "$(grown)" = "$usual" ] || wrong+=("$2: by one request it grows by $usual, and afterwards by $(grown)")
    used_up "$1" "$2, afterwards"
}

# refuse_one NAME TABLE EVENT [busy]: a change that rows are refused of, and then the same without
refuse_one() {
    local what="$*"
    begin_one "$1"
    arm "${@:2}"
    "do_$1"
    disarm
    [ "$refused" -gt 0 ] || wrong+=("$what: no row was refused")
    if [[ $status == 2* ]]; then
        if [ "${4-}" = busy ]; then
            may_wait "$@" || [ "$(grown)" = "$usual" ] || wrong+=("$what: by one transaction it grows by $usual, and now by $(grown)")
        else
            may_wait "$@" || wrong+=("$what: $status, and a row was refused")
        fi
        used_up "$1" "$what"
        return 0
    fi
    [[ $status == 5* ]] || wrong+=("$what: $status $body")
    [ "$before" = "$after" ] || wrong+=("$what: $status, and something was stored")
    after_all "$1" "$what"
}

# cut_one NAME WHEN WHAT: false when there is no such command
cut_one() {
    local what="$1, $2 $3"
    begin_one "$1"
    arm
    sever "$2" "$3"
    "do_$1"
    sever_no_more
    disarm
    [ "$cuts" -gt 0 ] || return 1
    if [ "$before" = "$after" ]; then
        [[ $status == 5* ]] || wrong+=("$what: $status, and nothing is stored")
        after_all "$1" "$what"
        return 0
    fi
    may_wait "$1" || [ "$(grown)" = "$usual" ] || wrong+=("$what: it grows by $usual, and now by $(grown)")
    [[ $status == 2* || "$status $(json .code)" == "503 commit_unknown" ]] || wrong+=("$what: $status $(json .code), and it is stored")
    used_up "$1" "$what"
}

# cut_all NAME: at the commit, when the server has it and in one other way, and at a few commands; LOADLINE_TEST_CUTS=all:
# in each way, and at each command
cut_all() {
    local when ways=(before half kill after) commits number=$((1 + RANDOM % 8)) step=16
    commits=(after "${ways[RANDOM % 3]}")
    [ "${LOADLINE_TEST_CUTS-}" != all ] || { commits=("${ways[@]}") number=1 step=1; }
    for when in "${commits[@]}"; do
        cut_one "$1" "$when" commit || wrong+=("$1, $when commit: nothing was cut")
    done
    while cut_one "$1" "${ways[RANDOM % 4]}" $number; do
        number=$((number + 1 + RANDOM % step))
    done
}

# change NAME: finds out what it writes to, and tries all of it
change() {
    local pair pairs
    wrong=()
    begin_one "$1"
    arm
    "do_$1"
    disarm
    usual=$(grown)
    like "$1" "$status" '^2'
    mapfile -t pairs < <(touched)
    used_up "$1" "$1"
    for pair in "${pairs[@]}"; do
        # shellcheck disable=SC2086 # a table and an event
        refuse_one "$1" $pair
        # shellcheck disable=SC2086
        refuse_one "$1" $pair busy
    done
    ok "$1 writes: ${pairs[*]}" [ ${#pairs[@]} -gt 0 ]
    empty "$1 is stored whole or not at all" "$(printf '%s\n' "${wrong[@]}")"
    wrong=()
    cut_all "$1"
    empty "... also when the connection is lost" "$(printf '%s\n' "${wrong[@]}")"
}

# change_all [NAME]...: those, or all that there are
change_all() {
    local name names=("$@")
    [ $# -gt 0 ] || mapfile -t names < <(declare -F | sed -n 's/^declare -f do_//p')
    for name in "${names[@]}"; do
        change "$name"
    done
}
