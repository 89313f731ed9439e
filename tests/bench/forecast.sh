#!/bin/bash
# What-if: the gate is asked about a manifest that changes a Deployment of 1,000 pods' cluster.
# shellcheck source=tests/bench/lib.sh
. "$(dirname "$0")/lib.sh"

host
enterprise
pods=1000 asked=60
[ -z "$short" ] || pods=50 asked=4
snapshot $pods compact 0
load --method POST --path /ingest --close --header "X-API-Key: $api_key" --header 'Content-Encoding: gzip' \
    --header 'Content-Type: application/json' --header 'X-Cluster-Id: shop' --count 1 --body "$file"
gunzip -c "$file" | command jq -c '[.items[] | select(.kind == "Deployment")][0] | del(.status)
    | .spec.template.spec.containers[0].image = "registry.example.com/other:latest"
    | {cluster_id: "shop", resource: "deployment/\(.metadata.name)", namespace: .metadata.namespace, manifest: .}' >"$scratch/question.json"
question=(--method POST --path /api/validate --header "X-API-Key: $api_key" --header 'Content-Type: application/json'
    --clients 1 --body "$scratch/question.json")
load "${question[@]}" --count 4
worker=$(cpu validate.fcgi) server=$(cpu mariadbd)
load "${question[@]}" --count $asked
figure "worker's CPU a what-if, ms, $pods pods" "$(divide $(($(cpu validate.fcgi) - worker)) $asked)" "<=" 40
figure "MariaDB's CPU a what-if, ms, $pods pods" "$(divide $(($(cpu mariadbd) - server)) $asked)"
figure "what-if p50, ms, $pods pods" "$load_p50_ms"
figure "what-if p99, ms, $pods pods" "$load_p99_ms"
