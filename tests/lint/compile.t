#!/bin/bash
# What the build does not see: clang's warnings, and headers that need another one before them.
# CFLAGS comes from the Makefile (make lint).
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
. tests/lint/unchanged.sh
: "${CFLAGS:=-std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -Ilib -include lib/base/banned.h}"
export CFLAGS

warnings() {
    local file rules flags n=0
    rules=$(mktemp -d)
    read -ra flags <<<"$CFLAGS"
    for file; do
        n=$((n + 1))
        clang "${flags[@]}" -fsyntax-only -MMD -MF "$rules/$n" -MT "$file" "$file" 2>&1
    done
    cat "$rules"/* >&3
    rm -r "$rules"
}

alone() {
    local header rules flags n=0
    rules=$(mktemp -d)
    read -ra flags <<<"$CFLAGS"
    for header; do
        n=$((n + 1))
        gcc "${flags[@]}" -I. -fsyntax-only -MMD -MF "$rules/$n" -MT "$header" -x c - 2>&1 <<<"#include \"$header\"" |
            sed "s|^|$header: |"
    done
    cat "$rules"/* >&3
    rm -r "$rules"
}

mapfile -t sources < <(git ls-files '*.c')
mapfile -t headers < <(git ls-files '*.h')
each "clang warns of nothing" clang warnings "${sources[@]}"
each "every header compiles alone" gcc alone "${headers[@]}"
done_testing
