#!/bin/bash
# Every shell script, whatever its name.
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
. tests/lint/unchanged.sh

mapfile -t scripts < <({ git grep -lE '^#!/bin/(ba)?sh' && git ls-files '*.sh'; } | sort -u)
ok "scripts were found" [ ${#scripts[@]} -gt 1 ]

# What is sourced is read with the script that sources it.
complaints() {
    local sourced
    sourced=$(git ls-files '*.sh' | tr '\n' ' ')
    shellcheck -x -S style "$@" 2>&1
    printf "%s: .shellcheckrc $sourced\n" "$@" >&3
}
each "shellcheck is content" shellcheck complaints "${scripts[@]}"
empty "every script can be executed" "$(find "${scripts[@]}" ! -name '*.sh' ! -perm -u+x)"
done_testing
