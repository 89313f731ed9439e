#!/bin/bash
# Every check has test rows for each verdict: one that fails, one that passes, one that is not evaluated.
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
. tests/lint/unchanged.sh
reads lib tests/unit

ids=$(sed -n 's/^CHECK([a-z0-9_]*, "\([a-z0-9-]*\)".*/\1/p' lib/score/checks.def)
ok "checks were found" [ "$(wc -l <<<"$ids")" -gt 100 ]

# A heading's files, then the functions below it, a line each.
misplaced=$(sed -nE 's/^\/\* [A-Z][a-z]+: .*\((.*)\) \*\/$/@ \1/p; s/^CHECK\(([a-z0-9_]*),.*/\1/p' lib/score/checks.def |
    while read -r function files; do
        [ "$function" != @ ] || { section=$files; continue; }
        # shellcheck disable=SC2086 # a list
        (cd lib/score/checks && grep -q "^enum verdict check_$function(" $section) || echo "$function is not in $section"
    done)
empty "every check is in a file that its heading names" "$misplaced"

# The rows as the compiler sees them: macros replaced, adjacent strings joined.
sources=$(for file in tests/unit/test_*.c; do
    cc -E -P -Ilib -Itests/unit -D_GNU_SOURCE "$file" 2>/dev/null | grep -F '"'
done | tr -d '\n' | sed 's/" *"//g')
rows=$(grep -oE '[a-z0-9-]+=(fail|pass|none)' <<<"$sources" | sort -u)

# lacking IDS VERDICT...: what has neither such a row nor, in a table of another form, a file that names
# both the check and the verdict.
declare -A words=([fail]=FAILED [pass]=PASSED [none]=NOT_EVALUATED)
lacking() {
    local id verdict
    for id in $1; do
        for verdict in "${@:2}"; do
            grep -qxF -- "$id=$verdict" <<<"$rows" ||
                grep -lF "\"$id\"" tests/unit/test_*.c | xargs -r grep -lw "${words[$verdict]}" | grep -q . ||
                echo "$id=$verdict"
        done
    done
}

# tests/unit/test_check_silence.c says of all checks what they may not judge.
silence=tests/unit/test_check_silence.c
ok "items that say nothing are judged by no check" grep -q 'i < CHECK_COUNT' $silence

empty "every check has a row that fails and one that passes" "$(lacking "$ids" fail pass)"
measured=$(sed -n 's/^CHECK([a-z0-9_]*, "\([a-z0-9-]*\)", \(RUNTIME\|HISTORY\|HEALTH\),.*/\1/p' lib/score/checks.def)
empty "every check of runtime, history and health has one that is not evaluated" "$(lacking "$measured" none)"
done_testing
