#!/bin/bash
# What snapshots cost that cost much once: CPU a megabyte (tests/fuzz/cost_attacks.def).
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
while read -r result words; do
    if [ "$result" = ok ]; then pass "$words"; else fail "${words#ok }"; fi
done < <("${LOADLINE_BUILD:-build/release}/tests/fuzz/cost_attacks")
done_testing
