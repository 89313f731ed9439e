#!/bin/bash
# How the sources are laid out.
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh

# shellcheck disable=SC2046 # a list
unformatted=$(clang-format --dry-run $(git ls-files '*.c' '*.h') 2>&1 |
    sed -n 's/^\([^:]*\):[0-9]*:[0-9]*: warning.*/\1/p' | sort -u)
empty "clang-format leaves every file as it is" "$unformatted"

guards=$(git ls-files 'lib/*.h' | while read -r file; do
    guard=LOADLINE_$(sed 's|^lib/||; s|[/.]|_|g' <<<"$file" | tr '[:lower:]' '[:upper:]')
    grep -q "^#ifndef $guard\$" "$file" || echo "$file should have the guard $guard"
done)
empty "include guards are named after their files" "$guards"
done_testing
