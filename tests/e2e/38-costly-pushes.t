#!/bin/bash
# A push costs and keeps in proportion to its bytes: what takes more is refused in words, what would be kept
# without end is folded or limited by the plan, and all of it still adds up.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
own_stack --set risks_named=100
account Example

# items PATTERN N: N items, with a number in the place of each #
items() {
    awk -v pattern="$1" -v n="$2" 'BEGIN { for (i = 0; i < n; i++) { s = pattern; gsub("#", i, s); printf "%s%s", i ? "," : "", s } }'
}
# list ITEMS...: a List of them, as gzip
list() {
    local IFS=,
    printf '{"apiVersion":"v1","kind":"List","items":[%s]}' "$*" | gzip -1 >"$scratch/list.gz"
}
# cpu: milliseconds that the workers of ingest have used
cpu() {
    local pid sum=0
    for pid in $(pids_of ingest.fcgi); do sum=$((sum + $(awk '{ print $14 + $15 }' "/proc/$pid/stat"))); done
    echo $((sum * 10))
}
labels='"labels":{"a":"b"}'
pod='{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p#","namespace":"d",'$labels'}}'

# ---- work ----
cluster 3 3 | gzip >"$scratch/good.gz"
push production "$scratch/good.gz"
is "an ordinary one" "$status" 200
before=$(cpu)
list "$(items "$pod" 5000)" "$(items '{"apiVersion":"policy/v1","kind":"PodDisruptionBudget","metadata":{"name":"b#","namespace":"d"},"spec":{"selector":{"matchLabels":{"a":"b"}}}}' 5000)"
push production "$scratch/list.gz"
refused "pods against budgets" 422 too_complex
like "... says what took most" "$(json .error)" '^The snapshot is too complex: holding labels of pods against selectors of NetworkPolicies and PodDisruptionBudgets takes too much: a snapshot of [0-9]+ bytes may take [0-9]+ steps'
list "$(items "$pod" 4000)" "$(items '{"apiVersion":"v1","kind":"Service","metadata":{"name":"s#","namespace":"d"},"spec":{"selector":{"a":"b"}}}' 4000)"
push production "$scratch/list.gz"
refused "pods against services" 422 too_complex
list "$(items '{"apiVersion":"v1","kind":"Pod","metadata":{"namespace":"d"}}' 5000)" "$(items '{"apiVersion":"v1","kind":"Event","metadata":{"name":"e#","namespace":"d"},"involvedObject":{"kind":"Pod","namespace":"d"}}' 5000)"
push production "$scratch/list.gz"
refused "pods against events" 422 too_complex
list "$(items '{}' 400000)" "$(items "$pod" 1)"
push production "$scratch/list.gz"
is "400,000 empty objects are read" "$status" 200
list "$(items "$pod" 1)" "$(items 1 2000000)"
push production "$scratch/list.gz"
refused "2,000,000 numbers" 400 bad_json
like "... at the first of them" "$(json .error)" '^an item of a list is no object \(at byte 1[0-9][0-9],'
printf '{"secrets":[{"metadata":{"name":"s"},"data":{"a":"b"}}],"pods":[%s]}' "$(items "{\"metadata\":{\"name\":\"p#\"},\"spec\":{\"containers\":[{\"env\":[$(items '{"value":"x"}' 500)]}]}}" 100)" | gzip >"$scratch/list.gz"
push other "$scratch/list.gz"
is "many cuts are kept" "$status" 200
python3 tests/e2e/unproductive.py 8 >"$scratch/list.gz"
push other "$scratch/list.gz"
refused "8 MB of gzip that hold nothing" 422 too_complex
is "... in words" "$(json .error)" "Unpacking the body takes too much work for its size: compress it anew."
for manner in tables trees frames windows skipped empty ones; do
    python3 tests/e2e/unproductive_zstd.py $manner 8 >"$scratch/body.zst"
    request POST /ingest -H "X-API-Key: $api_key" -H "X-Cluster-Id: other" -H 'Content-Type: application/json' \
        -H 'Content-Encoding: zstd' --data-binary "@$scratch/body.zst"
    case $manner in
    tables) refused "8 MB of zstd that hold tables and next to nothing" 422 too_complex ;;
    *) is "8 MB of zstd that hold next to nothing ($manner) cost little" "$status" 200 ;;
    esac
done
below "all of that: ms of CPU" $(($(cpu) - before)) 4000
push production "$scratch/good.gz"
is "the ordinary one goes on" "$status" 200

# ---- rows ----
rows() { sql "SELECT COUNT(*) FROM risks JOIN clusters USING (cluster) WHERE name = '$1' AND clusters.tenant_id = '$tenant'"; }
deployment='{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"NAME-#","namespace":"d","annotations":{"padding":"PADDING"}},"spec":{"replicas":2,"template":{"spec":{"containers":[{"name":"c","image":"x"}]}}}}'
deployment=${deployment/PADDING/$(printf 'x%.0s' {1..2500})}
named() { # named NAME N: pushes N deployments
    list "$(items "${deployment/NAME/$1}" "$2")"
    push fleet "$scratch/list.gz"
}
# read_points: points, those of all risks that are told, and lost, those that the score lacks, in hundredths
read_points() {
    get "/api/risks?clusterId=fleet&limit=1000"
    cp "$scratch/body" "$scratch/risks"
    lost=$(jq -n "(100 - $(header X-Score-Exact)) * 100 | round")
    points=$(jq '[.[].impact * 100 | round] | add' "$scratch/risks")
}
named first 300
is "300 Deployments" "$status" 200
found=$(json .risks)
is "which have thousands of risks" $((found > 3000)) 1
below "rows of them" "$(rows fleet)" 260
read_points
is "their points are those of the score" "$points" "$lost"
is "by name" "$(jq '[.[] | select(.resource != "others")] | length' "$scratch/risks")" 100
is "all are counted" "$(jq '[.[] | if .resource == "others" then .count else 1 end] | add' "$scratch/risks")" "$found"
is "the others are one of each check" "$(jq '[.[] | select(.resource == "others") | .check] | length == (unique | length)' "$scratch/risks")" true
like "in words" "$(jq -r '[.[] | select(.resource == "others")][0].message' "$scratch/risks")" '^[0-9]+ more objects have this risk; each costs no more than those that are named\.$'
get /api/clusters
is "the cluster has all of them" "$(json '.[] | select(.id == "fleet") | .risks')" "$found"
get "/api/export?clusterId=fleet&format=json"
is "the export has what is kept" "$status $(json '[.risks[].impact * 100 | round] | add')" "200 $lost"
since=$(date -u +%FT%T.%3NZ)
sleep 1
named second 200
get "/api/risks?clusterId=fleet&since=$since&limit=1000"
is "why it moved adds up" \
    "$(json '[.opened[].impact * -100, (.resolved[].impact * 100), (.changed[] | (.before - .after) * 100)] | add | round')" "$(json '.change * 100 | round')"
for name in third fourth fifth sixth seventh; do named $name 200; done
is "seven snapshots with other names" "$status" 200
below "rows of a cluster, open and closed" "$(rows fleet)" 600
read_points
is "the points are still those of the score" "$points" "$lost"
ask POST /api/exemptions "{\"check\":\"run-as-root-allowed\",\"clusterId\":\"fleet\",\"reason\":\"r\",\"owner\":\"o\",\"expires\":\"$(date -ud '2 days' +%F)\"}"
is "something is exempt" "$status" 201
named seventh 200
read_points
is "then, too" "$points" "$lost"
is "what would cost most of it has names" \
    "$(jq -c '[.[] | select(.check == "run-as-root-allowed") | [.resource == "others", .exempt, .impact, .would_cost > 0]] | group_by(.) | map([length, .[0]])' "$scratch/risks")" \
    '[[20,[false,"r",0,true]],[1,[true,"r",0,true]]]'
get "/api/exemptions?check=run-as-root-allowed"
is "all of it is counted" "$(json '.[0].risks')" 200
validate fleet
is "the gate shows it" "$(json '[.risks[] | select(.exempt)] | length') $(json '.reasons[] | select(contains("exempt")) | split(";")[0]')" "20 200 risks are exempt"
is "each since when it is there" "$(json -c '[.risks[].first_seen[:13]] | unique | length <= 2 and .[-1] == (now | todate[:13])')" true

# 10,000 pods that nothing owns, with what an API server adds to each
ask DELETE "/api/clusters?id=other" # the plan has room for three
served='{"apiVersion":"v1","kind":"Pod","metadata":{"name":"job-#","namespace":"d","uid":"00000000-1111-2222-3333-#","labels":{"run":"job-#"}},"spec":{"nodeName":"n1","serviceAccountName":"default","securityContext":{},"tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":300},{"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}],"volumes":[{"name":"kube-api-access","projected":{"sources":[{"serviceAccountToken":{"expirationSeconds":3607,"path":"token"}},{"configMap":{"name":"kube-root-ca.crt","items":[{"key":"ca.crt","path":"ca.crt"}]}}]}}],"containers":[{"name":"c","image":"nginx","resources":{},"volumeMounts":[{"name":"kube-api-access","readOnly":true,"mountPath":"/var/run/secrets/kubernetes.io/serviceaccount"}]}]},"status":{"phase":"Running","qosClass":"BestEffort","conditions":[{"type":"Ready","status":"True"}],"containerStatuses":[{"name":"c","ready":true,"restartCount":0,"imageID":"nginx@sha256:0","state":{"running":{"startedAt":"2026-03-01T00:00:00Z"}}}]}}'
list "$(items "$served" 10000)"
push pods "$scratch/list.gz"
is "10,000 pods without owners" "$status" 200
found=$(json .risks)
is "which have twenty risks each" $((found > 200000)) 1
below "rows of them" "$(rows pods)" 200
get "/api/risks?clusterId=pods&limit=1000"
is "all are counted" "$(json '[.[] | if .resource == "others" then .count else 1 end] | add')" "$found"
is "their points are those of the score" "$(json '[.[].impact * 100 | round] | add')" "$(jq -n "(100 - $(header X-Score-Exact)) * 100 | round")"
ask DELETE "/api/clusters?id=pods"

# ---- the plan ----
get /api/cluster-slots
is "what the plan allows" "$(json -c '[.plan, .objectsMax, .bytesMax, .risksNamed]')" '["trial",100000,8589934592,100]'
is "what is kept is counted" $(($(json .bytesUsed) > 100000)) 1
list "$(items '{"kind":"ConfigMap","metadata":{"name":"c#"}}' 100001)"
push fleet "$scratch/list.gz"
refused "an object more than the plan allows" 403 plan_limit
is "... in words" "$(json .error)" "The snapshot holds 100001 objects, and the plan trial allows 100000."
sql "UPDATE clusters SET kept_bytes = 9000000000 WHERE name = 'fleet' AND tenant_id = '$tenant'"
push fleet "$scratch/good.gz"
refused "more bytes than the plan allows" 403 plan_limit
like "... in words" "$(json .error)" '^The clusters of this account keep [0-9]+ MiB, and the plan trial allows 8192: delete a cluster, or push less often\.$'
push production "$scratch/good.gz"
is "a cluster that keeps its share goes on" "$status" 200
account Neighbour
push fleet "$scratch/good.gz"
is "and so do other tenants" "$status" 200
done_testing
