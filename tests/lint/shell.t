#!/bin/bash
# Every shell script, whatever its name.
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh

scripts=$({ git grep -lE '^#!/bin/(ba)?sh' && git ls-files '*.sh'; } | sort -u)
ok "scripts were found" [ "$(wc -l <<<"$scripts")" -gt 1 ]
empty "shellcheck is content" "$(xargs -P "$(nproc)" -n 4 shellcheck -x -S style <<<"$scripts" 2>&1)"
# shellcheck disable=SC2086 # a list
not_executable=$(find $scripts ! -name '*.sh' ! -perm -u+x)
empty "every script can be executed" "$not_executable"
done_testing
