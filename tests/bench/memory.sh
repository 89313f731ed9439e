#!/bin/bash
# The memory that loadline-score takes at most, of a process of its own.
# shellcheck source=tests/bench/lib.sh
. "$(dirname "$0")/lib.sh"

# peak NAME LIMIT FILE COMMAND...: in MB (10^6 bytes).
peak() {
    local name=$1 limit=$2 said
    shift 2
    said=$("$programs/bench_child" "$@")
    [ "$(of status "$said")" = 0 ] || give_up "failed: $*"
    figure "$name" "$(awk -v kib="$(of peak_kib "$said")" 'BEGIN { print kib * 1024 / 1e6 }')" ${limit:+"<=" "$limit"}
}

score=$build/bin/loadline-score
snapshot 1000 compact 0
peak "loadline-score, MB, 1,000 pods compact" 24 "$score" --format json "$file"
peak "json-c, MB, 1,000 pods compact" "" "$programs/bench_score" --json-c "$file"
[ -z "$short" ] || exit 0
snapshot 1000 pretty 0
peak "loadline-score, MB, 1,000 pods pretty" 24 "$score" --format json "$file"
snapshot 10000 compact 0
peak "loadline-score, MB, 10,000 pods compact" 64 "$score" --format json "$file"
peak "json-c, MB, 10,000 pods compact" "" "$programs/bench_score" --json-c "$file"
real=$shared/snapshots/kubescape-kwok-300nodes.json.gz
if [ -r "$real" ]; then
    peak "loadline-score, MB, 300 nodes, 14,651 pods" 64 "$score" --format json "$real"
else
    note "the snapshot of 300 nodes is not here: $real"
fi
