# shellcheck shell=bash
# tap.sh: the Test Anything Protocol for shell tests. Sourced; a test ends with done_testing.

# Letters of more than a byte are letters on a machine without a locale, too.
export LC_ALL=C.UTF-8

# The programs of scripts/packages come before others of their names: a version manager's python3 starts a hundred processes.
PATH=/usr/bin:$PATH

tap_count=0
tap_failed=0
tap_skipped=0
tap_passed=()

# ok WHAT COMMAND...: passes when the command succeeds.
ok() {
    local what=$1
    shift
    if "$@" >/dev/null 2>&1; then pass "$what"; else fail "$what" "failed: $*"; fi
}

# is WHAT GOT EXPECTED
is() {
    if [ "$2" = "$3" ]; then pass "$1"; else fail "$1" "     got: $2" "expected: $3"; fi
}

# isnt WHAT GOT UNEXPECTED
isnt() {
    if [ "$2" != "$3" ]; then pass "$1"; else fail "$1" "both are: $2"; fi
}

# like WHAT GOT EXTENDED_REGEX
like() {
    if [[ $2 =~ $3 ]]; then pass "$1"; else fail "$1" "     got: $2" "no match: $3"; fi
}

# empty WHAT TEXT: passes when there is no text; it is what was found wrong.
empty() {
    if [ -z "$2" ]; then pass "$1"; else fail "$1" "$2"; fi
}

# below WHAT NUMBER LIMIT: whole numbers.
below() {
    if [ "$2" -lt "$3" ]; then pass "$1 ($2)"; else fail "$1" "     got: $2" "   limit: $3"; fi
}

pass() {
    tap_count=$((tap_count + 1))
    tap_passed+=("$1")
    echo "ok $tap_count - $1"
}

fail() {
    tap_count=$((tap_count + 1))
    tap_failed=$((tap_failed + 1))
    echo "not ok $tap_count - $1"
    diag "not ok - $1" "${@:2}" >&2
}

# all_passed: so far; nothing failed and nothing was skipped.
all_passed() {
    [ "$tap_failed" -eq 0 ] && [ "$tap_skipped" -eq 0 ]
}

# passed: what has, a line each.
passed() {
    printf '%s\n' "${tap_passed[@]}"
}

diag() {
    printf '%s\n' "$@" | head -60 | sed 's/^/# /'
}

# skip WHAT WHY: one test that cannot run here.
skip() {
    tap_count=$((tap_count + 1))
    tap_skipped=$((tap_skipped + 1))
    echo "ok $tap_count - $1 # SKIP $2"
}

# skip_all WHY: ends a file of which no test can run here.
skip_all() {
    echo "1..0 # SKIP $1"
    exit 0
}

done_testing() {
    echo "1..$tap_count"
    [ "$tap_failed" -eq 0 ]
    exit
}
