#!/bin/bash
# What was deployed counts in the score when the operator says so: as loadline-score has it, whatever a worker remembers.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
own_stack --workers notify=0 --workers ingest=1 --set deploys_in_score=on --set metrics_token=0123456789abcdef --set manifest_limit=1000/60
account Example
mine=("$token" "$tenant" "$api_key")
scorer=$LOADLINE_BUILD/bin/loadline-score

# ---- two weeks
said=$(python3 tests/e2e/deploy_weeks.py "$base_url" "$api_key" "$token" "$scorer" "$scratch" 2>&1)
like "two weeks: the server, loadline-score and what has happened are one" "$said" \
    "^337 pushes, [0-9]+ whole, [0-9]+ changes, \{'rollout-frequent': [0-9]{2,3}, 'rollback-detected': [0-9]{3}, 'recent-image-change': [0-9]{3}, 'recent-template-change': [0-9]{2}\}, the same in any order$"
diag "$said"
request GET /metrics -H 'Authorization: Bearer 0123456789abcdef'
ok "most of the snapshots were those of before" [ "$(sed -n 's/^loadline_snapshots_stored_total{.*same.*} //p' <<<"$body")" -gt 250 ]
ok "and remembered" [ "$(sed -n 's/^loadline_memory_objects_total{.*known.*} //p' <<<"$body" | head -1)" -gt 1000 ]

# ---- a forecast, and the gate
push_risks() {
    get "/api/risks?clusterId=weeks&limit=1000"
    json -c 'map(select(.message | startswith("Loadline saw")) | .check + " " + .resource) | sort'
}
like "there is something that deploys alone tell" "$(push_risks)" 'rollback-detected statefulset/db'
get "/api/clusters?id=weeks"
exact=$(json '.[0].scoreExact')
validate weeks '{"manifest":{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"new","namespace":"shop"}}}'
is "a forecast rests on it, too" "$status $(json -c '[.score_exact, .predicted_score_exact, .new_risks, .resolved_risks]')" "200 [$exact,$exact,[],[]]"

# ---- files of deploys
one='{"id":"x","at":"2026-03-17T11:00:00.000Z","namespace":"shop","resource":"deployment/api","event":"rolled_back","changes":["image"]}'
cluster 2 2 '.items |= map(.metadata.creationTimestamp = "2026-01-01T00:00:00Z")' >"$scratch/one.json"
scored() {
    printf '%s' "$1" >"$scratch/deploys"
    "$scorer" --format json --time 2026-03-17T12:00:00Z --deploys "$scratch/deploys" "$scratch/one.json" >"$scratch/report" 2>"$scratch/complaint"
    status=$?
    [ "$status" -ne 0 ] || jq -r '[.risks[] | select(.message | startswith("Loadline saw")) | .check] | join(" ")' "$scratch/report"
}
while IFS='|' read -r what deploys expected; do
    is "$what" "$(scored "$deploys")" "$expected"
done <<END
one|[$one]|rollback-detected recent-image-change
in the second page|[]  [$one]|rollback-detected recent-image-change
none|[]|
no file at all says nothing||
another workload|[${one/api/other}]|
END
while IFS='|' read -r what deploys expected; do
    scored "$deploys" >/dev/null
    is "$what is refused" "$status" 2
    like "$what: it says so" "$(cat "$scratch/complaint")" "$expected"
done <<END
an object|$one|deploys:1: it wants the list that GET /api/deploys answers
a number|[1]|deploys:1: a deploy is an object
without a time|[${one/at/ta}]|a deploy must have at, namespace, resource and event
a time that is none|[${one/2026-03/2026-13}]|a deploy must have at
a kind that is no workload|[${one/deployment/service}]|a deploy must have at
what is cut off|[$one|deploys:1:
END

# ---- others
account Other
push weeks "$scratch/one.json"
push weeks "$scratch/one.json"
is "another tenant's cluster of that name knows nothing of them" "$(push_risks)" '[]'
token=${mine[0]} tenant=${mine[1]} api_key=${mine[2]}
like "ours still does" "$(push_risks)" 'rollback-detected'
done_testing
