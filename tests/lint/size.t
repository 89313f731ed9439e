#!/bin/bash
# Functions of at most 80 lines, files of at most 600; the 95th percentile is reported.
# A function is what stands between a { and a } in the first column, as .clang-format lays it out.
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
. tests/lint/unchanged.sh
reads '*.c' '*.h' scripts tests Makefile

sources=$(git ls-files '*.c' '*.h')
functions=$(
    # shellcheck disable=SC2086 # a list
    awk 'FNR == 1 { open = 0 }
         /^\{/ { open = FNR }
         /^\}/ && open { print FNR - open - 1, FILENAME ":" open; open = 0 }' $sources | sort -n
)
count=$(wc -l <<<"$functions")
p95=$(sed -n "$((count * 95 / 100 + 1))p" <<<"$functions")
median=$(sed -n "$((count / 2 + 1))p" <<<"$functions")
diag "$count functions; lines: median ${median%% *}, p95 ${p95%% *}, longest $(tail -1 <<<"$functions")"
ok "functions were found" [ "$count" -gt 1 ]
empty "no function is longer than 80 lines" "$(awk '$1 > 80' <<<"$functions")"
below "95 of 100 functions have at most 50 lines" "${p95%% *}" 51

# shellcheck disable=SC2086
lengths=$(wc -l $sources scripts/* tests/e2e/*.t tests/*/*.sh Makefile 2>/dev/null | grep -v ' total$' | sort -n)
diag "longest file: $(tail -1 <<<"$lengths")"
empty "no file is longer than 600 lines" "$(awk '$1 > 600' <<<"$lengths")"
done_testing
