#!/bin/bash
# What the build does not see: clang's warnings, and headers that need another one before them.
# CFLAGS comes from the Makefile (make lint).
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
: "${CFLAGS:=-std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -Ilib -include lib/base/banned.h}"
export CFLAGS

by_clang=$(git ls-files '*.c' | xargs -P "$(nproc)" -n 16 bash -c 'clang $CFLAGS -fsyntax-only "$@" 2>&1' _)
empty "clang warns of nothing" "$by_clang"

alone() {
    for header; do
        # shellcheck disable=SC2086 # a list
        echo "#include \"$header\"" | gcc $CFLAGS -I. -fsyntax-only -x c - 2>&1 | sed "s|^|$header: |"
    done
}
export -f alone
empty "every header compiles alone" "$(git ls-files '*.h' | xargs -P "$(nproc)" -n 16 bash -c 'alone "$@"' _)"
done_testing
