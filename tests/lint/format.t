#!/bin/bash
# Format, shell, and headers that stand alone. CFLAGS comes from the Makefile (make lint).
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
: "${CFLAGS:=-std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -Ilib -include lib/base/banned.h}"

sources=$(git ls-files '*.c' '*.h')
# shellcheck disable=SC2086 # a list
unformatted=$(clang-format --dry-run $sources 2>&1 | sed -n 's/^\([^:]*\):[0-9]*:[0-9]*: warning.*/\1/p' | sort -u)
empty "clang-format leaves every file as it is" "$unformatted"

scripts=$(git ls-files | while read -r file; do
    case $file in *.t | *.sh) echo "$file" ;; *) head -c 20 "$file" | grep -aqE '^#!/bin/(ba)?sh' && echo "$file" ;; esac
done)
# shellcheck disable=SC2086
empty "shellcheck is content" "$(shellcheck -x -S style $scripts 2>&1)"
# shellcheck disable=SC2086
not_executable=$(find $scripts ! -name '*.sh' ! -perm -u+x)
empty "every script can be executed" "$not_executable"

alone() {
    # shellcheck disable=SC2086 # a list
    echo "#include \"$1\"" | gcc $CFLAGS -I. -fsyntax-only -x c - 2>&1 | grep -m 2 error | sed "s|^|$1: |"
}
export -f alone
export CFLAGS
empty "every header compiles alone" "$(git ls-files '*.h' | xargs -P2 -I{} bash -c 'alone {}')"

by_clang=$(git ls-files '*.c' | xargs -P2 -n8 bash -c 'clang $CFLAGS -fsyntax-only "$@" 2>&1 | grep -E "error|warning"' _)
empty "clang warns of nothing" "$by_clang"

guards=$(git ls-files 'lib/*.h' | while read -r file; do
    guard=LOADLINE_$(sed 's|^lib/||; s|[/.]|_|g' <<<"$file" | tr '[:lower:]' '[:upper:]')
    grep -q "^#ifndef $guard\$" "$file" || echo "$file should have the guard $guard"
done)
empty "include guards are named after their files" "$guards"
done_testing
