#!/bin/bash
# What the build does not see: clang's warnings, and headers that need another one before them.
# CFLAGS comes from the Makefile (make lint).
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
. tests/lint/unchanged.sh
: "${CFLAGS:=-std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -Ilib -include lib/base/banned.h}"
export CFLAGS

warnings() {
    local file rule flags
    rule=$(mktemp)
    read -ra flags <<<"$CFLAGS"
    for file; do
        clang "${flags[@]}" -fsyntax-only -MMD -MF "$rule" -MT "$file" "$file" 2>&1
        cat "$rule" >&3
    done
    rm "$rule"
}

alone() {
    local header rule flags
    rule=$(mktemp)
    read -ra flags <<<"$CFLAGS"
    for header; do
        echo "#include \"$header\"" | gcc "${flags[@]}" -I. -fsyntax-only -MMD -MF "$rule" -MT "$header" -x c - 2>&1 |
            sed "s|^|$header: |"
        cat "$rule" >&3
    done
    rm "$rule"
}

mapfile -t sources < <(git ls-files '*.c')
mapfile -t headers < <(git ls-files '*.h')
each "clang warns of nothing" clang warnings "${sources[@]}"
each "every header compiles alone" gcc alone "${headers[@]}"
done_testing
