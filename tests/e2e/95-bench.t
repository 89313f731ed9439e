#!/bin/bash
# The bench measures and prints. How fast is not judged here. LOADLINE_TEST_LONG: each part of it, not only a few.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

unset LOADLINE_E2E_URL
parts=(reader score ingest validate)
[ -z "${LOADLINE_TEST_LONG-}" ] || parts+=(memory changes only_changes forecast history maintain export deliver agent)
for part in "${parts[@]}"; do
    said=$(tests/bench/run --short "$part" 2>"$scratch/err")
    is "$part succeeds" "$?" 0
    like "... and prints figures" "$said" '[0-9]+\.[0-9]+ '
    like "... and how many" "$said" '[0-9]+ within target, [0-9]+ over target, 0 failed$'
    [[ "$said" == *", 0 failed" ]] || diag "$said"
    [ ! -s "$scratch/err" ] || diag "$(cat "$scratch/err")"
done
said=$(tests/bench/run --short nothing 2>&1)
is "a part that there is not fails" "$?" 1
like "... and is named" "$said" 'failed: nothing'
done_testing
