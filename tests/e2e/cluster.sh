# shellcheck shell=bash disable=SC2154 # lib.sh sets them
# cluster.sh: small clusters for tests. Sourced after lib.sh.

# cluster REPLICAS AVAILABLE [JQ FILTER]: a List of one node, deployment shop/api with its pods, as
# kubectl prints it.
cluster() {
    jq -nc --argjson replicas "$1" --argjson available "$2" --arg now "$(date -u +%Y-%m-%dT%H:%M:%SZ)" '
        def meta($name): {name: $name, namespace: "shop", uid: "uid-\($name)", creationTimestamp: $now};
        def template: {containers: [{name: "api", image: "registry.example.com/api:1.4.1",
            resources: {requests: {cpu: "100m", memory: "64Mi"}, limits: {memory: "128Mi"}}}]};
        {apiVersion: "v1", kind: "List", items: [
            {apiVersion: "v1", kind: "Node", metadata: {name: "n1", creationTimestamp: $now,
                labels: {"topology.kubernetes.io/region": "eu-central-1"}},
             spec: {providerID: "aws:///eu-central-1a/i-1"},
             status: {conditions: [{type: "Ready", status: "True", lastHeartbeatTime: $now, lastTransitionTime: $now}],
                      allocatable: {cpu: "4", memory: "8Gi", pods: "110"}}},
            {apiVersion: "apps/v1", kind: "Deployment", metadata: (meta("api") + {generation: 2}),
             spec: {replicas: $replicas, selector: {matchLabels: {app: "api"}},
                    template: {metadata: {labels: {app: "api"}}, spec: template}},
             status: {observedGeneration: 2, replicas: $replicas, updatedReplicas: $replicas,
                      readyReplicas: $available, availableReplicas: $available}},
            (range($replicas) | {apiVersion: "v1", kind: "Pod",
             metadata: (meta("api-\(.)") + {labels: {app: "api"}}), spec: (template + {nodeName: "n1"}),
             status: {phase: "Running", conditions: [{type: "Ready", status: (if . < $available then "True" else "False" end)}]}})]}' |
        jq -c "${3:-.}"
}

# stored_text CONDITION: the text that is stored of snapshots, of their bases, of additions to these and of what has changed since.
stored_text() {
    local column
    for column in "b.body" "a.body" "SUBSTRING(s.delta, LOCATE(UNHEX('28B52FFD'), s.delta))"; do
        sql "SELECT DISTINCT REPLACE(TO_BASE64($column), '\n', '') FROM snapshots s JOIN snapshot_bases b USING (cluster)
            LEFT JOIN snapshot_additions a USING (cluster) WHERE LOCATE(UNHEX('28B52FFD'), $column) > 0 AND $1" | while read -r packed; do
            base64 -d <<<"$packed" | zstd -dc
        done
    done
}

# validate CLUSTER [JSON to add]
validate() {
    post /api/validate "$(jq -nc --arg c "$1" --argjson more "${2:-{\}}" '{cluster_id: $c} + $more')" \
        -H "X-API-Key: $api_key"
}
