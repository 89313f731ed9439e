#!/bin/bash
# What lies in the repository, and what must not.
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh

numbers=$(git ls-files 'sql/*' ':!sql/schema.sql' | sed 's|^sql/||')
expected=1
wrong=$(for name in $numbers; do
    [[ $name =~ ^([0-9]{4})_[a-z0-9_]+\.sql$ ]] || { echo "$name is not named NNNN_name.sql"; continue; }
    [ $((10#${BASH_REMATCH[1]})) -eq $expected ] || echo "$name: expected number $expected"
    expected=$((expected + 1))
done)
empty "migrations are numbered without gaps" "$wrong"
newest=$(tail -1 <<<"$numbers")
is "programs need the newest one" "$(sed -n 's/.*LOADLINE_SCHEMA = \([0-9]*\).*/\1/p' lib/base/version.h)" "$((10#${newest%%_*}))"

# scripts/migrate runs a file again from its start after a crash: each statement must bear that.
not_idempotent=$(git ls-files 'sql/[0-9]*.sql' | xargs -r grep -niE \
    '^ *(create (or replace )?(table|database|user|role|sequence|view|procedure|function|trigger|event|(unique )?index)|drop|insert|replace|alter|rename|truncate)\b' |
    grep -viE 'if (not )?exists|insert ignore|or replace' |
    while IFS=: read -r file line text; do
        # ALTER TABLE and INSERT may say it on a later line of the same statement
        sed -n "$line,/;/p" "$file" | grep -qiE 'if (not )?exists|on duplicate key|insert ignore' || echo "$file:$line: $text"
    done)
empty "statements of migrations may run twice" "$not_idempotent"
empty "migrations end with a semicolon" "$(for file in $(git ls-files 'sql/[0-9]*.sql'); do
    grep -v '^ *\(--.*\)\?$' "$file" | tail -1 | grep -q ';$' || echo "$file"
done)"

empty "no path of a developer's machine is named" "$(
    git grep -nE '(^|[^a-z.])/(w[o]rk|h[o]me/[a-z]+)/'
)"
empty "no file is larger than 300 kB" "$(git ls-files -z | xargs -0 sh -c 'find "$@" -size +300k' _)"
empty "no trailing blanks, no tabs in C" "$(git grep -nIE '[[:blank:]]+$' -- '*.c' '*.h' '*.def' '*.sql' 'scripts' 'etc' Makefile; git grep -nIP '\t' -- '*.c' '*.h' '*.def')"

left=$(git grep -nE '\b(T[O]DO|F[I]XME|X[X]X)\b' -- '*.c' '*.h' '*.def' '*.sql' scripts etc tests)
empty "nothing is left to do in a comment" "$left"
done_testing
