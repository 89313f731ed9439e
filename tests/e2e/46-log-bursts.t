#!/bin/bash
# Errors that pour into the logs of a workload are a risk in its cluster's next score.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
stack
account Bursting
# Deployments shop/api and shop/web, each with a pod; healthy.
cluster 1 1 '(.items[] | select(.kind == "Pod")) as $pod | (.items[] | select(.kind == "Deployment")) as $deployment
    | .items += [($deployment | .metadata.name = "web" | .metadata.uid = "uid-web" | .spec.selector.matchLabels.app = "web")]
    | (.items[] | select(.kind == "Pod")) |= (.metadata.name = "api-7d9f8b6c5-x2k4p"
        | .metadata.ownerReferences = [{apiVersion: "apps/v1", kind: "ReplicaSet", name: "api-7d9f8b6c5", controller: true}]
        | .metadata.labels["pod-template-hash"] = "7d9f8b6c5")' >"$scratch/good.json"

# errors CLUSTER POD COUNT AGO [LEVEL]: so many lines, AGO seconds ago
number=0
errors() {
    number=$((number + 1))
    jq -nc --arg pod "$2" --argjson time "$(($(date +%s) - $4))" --arg level "${5-ERROR}" '{namespace: "shop", pod: $pod, container: "api",
        lines: [range('"$3"') | {timestamp: ($time | strftime("%Y-%m-%dT%H:%M:%SZ")), message: "'$number' \(.)", level: $level}]}' >"$scratch/lines.json"
    request POST /ingest/logs -H "X-API-Key: $api_key" -H "X-Cluster-Id: $1" --data-binary "@$scratch/lines.json"
}
# burst CLUSTER: resource and message of the risk, after a new push
burst() {
    push "$1" "$scratch/good.json" "${@:2}"
    validate "$1"
    json -c '[.risks | sort_by(.resource)[] | select(.check == "log-error-burst") | .resource, .message, .category, .scope] | join("|")'
}

is "without logs there is none" "$(burst one)" ""
without=$(json .categories.runtime.evaluated)
clean=$(json .csc_score)
errors one api-7d9f8b6c5-x2k4p 29 60
is "29 errors are none" "$(burst one)" ""
is "but the logs have been looked at" "$(json .categories.runtime.evaluated)" $((without + 1))
errors one api-7d9f8b6c5-x2k4p 200 60 WARN
is "nor are warnings" "$(burst one)" ""
errors one api-7d9f8b6c5-x2k4p 1 60 fatal
is "30 are" "$(burst one)" "deployment/api|30 ERROR lines in 5 min, 0 in the hour before.|runtime|cluster"
below "they cost points" "$(json .csc_score)" "$clean"
is "also in the answer's reasons" "$(json -c '.reasons | map(select(test("30 ERROR lines"))) | length')" 1
request POST /ingest/logs -H "X-API-Key: $api_key" -H "X-Cluster-Id: one" --data-binary "@$scratch/lines.json"
is "the same push again changes nothing" "$(burst one)" "deployment/api|30 ERROR lines in 5 min, 0 in the hour before.|runtime|cluster"
errors one api-6c8d4b7f9-bcdfg 80 1800
is "a pod that is gone was of the workload" "$(burst one)" "deployment/api|30 ERROR lines in 5 min, 80 in the hour before.|runtime|cluster"
errors one api-6c8d4b7f9-bcdfg 11 1800
is "an hour that was no better is no burst" "$(burst one)" ""
is "a snapshot from before it knows nothing of it" "$(burst one -H "X-Snapshot-Time: $(date -u -d '-2000 seconds' +%FT%TZ)")" ""

push two "$scratch/good.json"
errors two db-0 500 10
is "logs of a pod that no workload has are nobody's" "$(burst two)" ""
errors two web-7d9f8b6c5-x2k4p 40 10
errors two web-7d9f8b6c5-bcdfg 5 30
is "pods of one workload count together" "$(burst two)" "deployment/web|45 ERROR lines in 5 min, 0 in the hour before.|runtime|cluster"
jq '.items += [("pg-main-a", "pg-replica-b") as $name | .items[] | select(.kind == "Pod") | .metadata.name = $name | .metadata.uid = "uid-\($name)"
    | .metadata.ownerReferences = [{apiVersion: "example.com/v1", kind: "Postgres", name: "pg", controller: true}]]' "$scratch/good.json" >"$scratch/operator.json"
mv "$scratch/operator.json" "$scratch/good.json"
errors two pg-main-a 20 10
errors two pg-replica-b 15 10
errors two pg-replica-b 2 1000
is "so do those that an operator names as it likes" "$(burst two | tr -d '[]')" \
    "deployment/web|45 ERROR lines in 5 min, 0 in the hour before.|runtime|cluster|postgres/pg|35 ERROR lines in 5 min, 2 in the hour before.|runtime|cluster"
is "another cluster's logs do not count" "$(burst one)" ""
account Stranger
is "nor do another tenant's" "$(burst two)" ""
done_testing
