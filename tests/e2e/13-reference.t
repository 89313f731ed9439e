#!/bin/bash
# loadline-score agrees with the reference implementation of the formula within half a point, on the
# snapshots of real clusters and on 200 clusters made to order. Both lie beside the repository
# (LOADLINE_SHARED, ../shared); without them there is nothing to compare with.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

[ -f "$shared/score/score_v2.py" ] || skip_all "there is no $shared/score"
command -v python3 >/dev/null || skip_all "there is no python3"

# Where they differ by more, and why: the name, as reference.py prints it, and the reason.
declare -A known=(
    [nri-kubernetes-1.34]="static pods of the control plane do not dilute what is down"
    [pulumi-pulumi-kubernetes]="of objects that stand there several times the newest counts, not the last"
)

rows=$(tests/e2e/reference.py "$build/bin/loadline-score" "$shared" "$scratch")
is "both say something of every cluster" "$(wc -l <<<"$rows")" \
    "$((200 + $(find "$shared/snapshots" -name '*.json.gz' | wc -l)))"

unlisted='' differing=''
while IFS=$'\t' read -r name ours reference; do
    awk -v a="$ours" -v b="$reference" 'BEGIN { exit !(a - b > 0.5 || b - a > 0.5) }' || continue
    differing+=$name$'\n'
    if [ -n "${known[$name]:-}" ]; then
        diag "$name: $ours, the reference says $reference: ${known[$name]}"
    else
        unlisted+="$name: $ours, the reference says $reference"$'\n'
    fi
done <<<"$rows"
empty "they differ by half a point at most, but where it is known why" "${unlisted%$'\n'}"
over=$(for name in "${!known[@]}"; do grep -qxF -- "$name" <<<"$differing" || echo "$name"; done)
empty "what is known to differ still does" "$over"
done_testing
