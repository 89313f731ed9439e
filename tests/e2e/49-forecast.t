#!/bin/bash
# The gate's forecast: what a manifest does to the score. The truth is a push of the cluster with the manifest in it.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
own_stack --set manifest_limit=0/60
account Forecast
sql "UPDATE tenants SET plan = 'enterprise' WHERE tenant_id = '$tenant'"

# forecast CLUSTER MANIFEST-FILE [FILTER of the question]
forecast() {
    jq -nc --arg c "$1" --slurpfile m "$2" '{cluster_id: $c, namespace: "shop", manifest: $m[0]}' | jq -c "${3:-.}" >"$scratch/question"
    request POST /api/validate -H 'Content-Type: application/json' -H "X-API-Key: $api_key" --data-binary "@$scratch/question"
}
# adds_up: the points are the difference, to the hundredth; predicted_score is its whole points.
adds_up() {
    json '((.new_risks + .resolved_risks | map(.points)) + [.new_risks_left_out.points?, .resolved_risks_left_out.points? | values]
        | map(. * 100 | round) | add // 0) == (.predicted_score_exact * 100 | round) - (.score_exact * 100 | round)
        and .predicted_score == (.predicted_score_exact | floor)'
}

# ---- an object as it is changes nothing, in every snapshot that there is
mapfile -t snapshots < <(printf '%s\n' etc/sample/shop.json tests/fixtures/worked-example.json; find "$shared/snapshots" -name '*.json.gz' -size -300k 2>/dev/null | sort)
for file in "${snapshots[@]}"; do
    name=$(basename "$file" .json.gz)
    name=${name%.json}
    case $file in *.gz) gzip -dc "$file" ;; *) cat "$file" ;; esac >"$scratch/snapshot.json"
    push "$name" "$scratch/snapshot.json"
    pushed=$(json .csc_score)
    # Fifty objects of each kind that there are, as they were pushed, with all that the stored copy lacks.
    jq -c '[.items[] | select(.kind and .metadata.name)] | group_by(.kind)[] | (group_by([.metadata.namespace, .metadata.name]) | map(.[-1]))[:50]' "$scratch/snapshot.json" >"$scratch/batches"
    wrong=''
    while IFS= read -r batch; do
        printf '%s\n' "$batch" >"$scratch/manifest"
        forecast "$name" "$scratch/manifest"
        said=$status$(json -c '[.csc_score, .predicted_score_exact == .score_exact, (.new_risks | length), (.resolved_risks | length), any(.risks[]; .check == "change-value-refused")]')
        [ "$said" = "200[$pushed,true,0,0,false]" ] || wrong+="$(jq -r '.[0].kind' "$scratch/manifest"): $status $said $(json -c '[(.new_risks + .resolved_risks)[] | [.points, .risk.check, .risk.resource]][:3]')"$'\n'
    done <"$scratch/batches"
    empty "$name: as it is, it changes nothing ($(wc -l <"$scratch/batches") kinds)" "$wrong"
done

# ---- against the truth: the same cluster, pushed with the manifest in it, at the same time
sample=etc/sample/shop.json
taken=$(date -u +%FT%TZ)
push before $sample -H "X-Snapshot-Time: $taken"
truth=0
# as_written: what a client has of an object, without what the cluster adds
as_written='del(.status, .metadata.uid, .metadata.resourceVersion, .metadata.creationTimestamp, .metadata.generation, .metadata.managedFields)
    | if .metadata.annotations then .metadata.annotations |= with_entries(select(.key | contains("kubernetes.io/") | not)) else . end'
# agrees WHAT: the forecast that was answered, with a push of $scratch/after.json
agrees() {
    local what=$1 said
    said=$(json -c '[.predicted_score_exact, .predicted_decision]')
    is "$what: the points add up" "$(adds_up)" true
    truth=$((truth + 1))
    push "truth-$truth" "$scratch/after.json" -H "X-Snapshot-Time: $taken"
    get "/api/clusters?id=truth-$truth"
    is "$what: as it will be" "$said" "$(json -c '.[0] | [.scoreExact, .decision]')"
}
while IFS='|' read -r what object edit; do
    edit=${edit//PIPE/|}
    # The whole object changes in the truth; its manifest has what a client writes.
    jq -c --arg o "$object" ".items |= map(if \"\(.kind)/\(.metadata.name)\" == \$o and .metadata.namespace != \"kube-system\" then ($edit) else . end)" $sample >"$scratch/after.json"
    jq -c --arg o "$object" "[.items[] | select(\"\(.kind)/\(.metadata.name)\" == \$o and .metadata.namespace != \"kube-system\")][0] | $as_written" "$scratch/after.json" >"$scratch/manifest"
    forecast before "$scratch/manifest"
    is "$what: is one that is there" "$status $(json -c '[.manifest[].change]')" '200 ["replaced"]'
    [[ $what = *"does not count" ]] || like "$what: something moves" "$(json '.new_risks + .resolved_risks | length')" '^[1-9]'
    agrees "$what"
done <<'END'
a tag that can change|Deployment/cart|.spec.template.spec.containers[0].image |= sub(":.*"; ":latest")
privileged|Deployment/cart|.spec.template.spec.containers[0].securityContext.privileged = true
a credential in plain text|Deployment/cart|.spec.template.spec.containers[0].env += [{"name": "API_TOKEN", "value": "hunter2-Xk29fjQ8sLw0"}]
a credential less|Deployment/admin|.spec.template.spec.containers[].env |= map(select(.name != "SESSION_SECRET"))
the host's network|DaemonSet/log-collector|.spec.template.spec.hostNetwork = true
a service that selects nothing|Service/cart|.spec.selector = {"app": "nowhere"}
a service that selects again|Service/wishlist|.spec.selector = {"app.kubernetes.io/name": "cart"}
more rights|Role/checkout-config|.rules = [{"apiGroups": ["*"], "resources": ["*"], "verbs": ["*"]}]
a network policy that lets all in|NetworkPolicy/default-deny|.spec = {"podSelector": {}, "policyTypes": ["Ingress"], "ingress": [{}]}
an ingress without TLS|Ingress/shop|del(.spec.tls)
a credential in a ConfigMap|ConfigMap/shop-config|.data = {"password": "hunter2-Xk29fjQ8sLw0"}
more replicas|Deployment/cart|.spec.replicas = 5 PIPE .status += {"replicas": 5, "readyReplicas": 5, "availableReplicas": 5, "updatedReplicas": 5}
one replica|Deployment/cart|.spec.replicas = 1 PIPE .status += {"replicas": 1, "readyReplicas": 1, "availableReplicas": 1, "updatedReplicas": 1}
an exemption that does not count|Deployment/cart|.metadata.annotations["loadline.io/exempt"] = "run-as-root-allowed: no"
the namespace enforces|Namespace/shop|.metadata.labels["pod-security.kubernetes.io/enforce"] = "restricted"
END

# A snapshot without uids and times is one of manifests, and a new workload in it is another manifest.
jq -c '.items |= map(select(.kind == "Node" or .kind == "Deployment") | del(.metadata.uid, .metadata.creationTimestamp))' $sample >"$scratch/bare.json"
jq -c '[.items[] | select(.kind == "Deployment" and .metadata.name == "cart")][0] | .metadata.name = "new"
    | .metadata.labels["app.kubernetes.io/name"] = "new" | .spec.selector.matchLabels = {app: "new"} | .spec.template.metadata.labels = {app: "new"}' "$scratch/bare.json" >"$scratch/new.json"
jq -c --slurpfile new "$scratch/new.json" '.items += $new' "$scratch/bare.json" >"$scratch/after.json"
jq -c 'del(.status)' "$scratch/new.json" >"$scratch/manifest"
push bare "$scratch/bare.json" -H "X-Snapshot-Time: $taken"
forecast bare "$scratch/manifest"
is "a new workload among manifests" "$status $(json -c '[.manifest[].change, ([.resolved_risks[].risk.resource] | unique)]')" '200 ["added",[]]'
agrees "a new workload among manifests"

# ---- what the controllers do, once the manifest is there
# The pods are replaced: those that are there have what the old template said.
jq -c '.items |= map(if .kind == "Deployment" and .metadata.name == "catalog" then del(.spec.template.spec.containers[].resources)
    elif .kind == "Pod" and (.metadata.name | startswith("catalog-")) then del(.spec.containers[].resources) else . end)' $sample >"$scratch/after.json"
jq -c "[.items[] | select(.kind == \"Deployment\" and .metadata.name == \"catalog\")][0] | $as_written" "$scratch/after.json" >"$scratch/manifest"
forecast before "$scratch/manifest"
like "without limits: something moves" "$(json -r '[.new_risks[].risk.check] | join(" ")')" 'memory-limit-missing'
agrees "without limits"
# Pods get what the template says, and keep what admission gave the old ones: a sidecar, here.
jq -c '.items |= map(if .kind == "Deployment" and .metadata.name == "cart" then
        .spec.template |= (.metadata.labels.zone = "inner" | .spec.containers += [{name: "debug", image: "debug"}])
    elif .kind == "Pod" and (.metadata.name | startswith("cart-")) then .metadata.labels.zone = "inner"
        | .spec.containers += [{name: "debug", image: "debug"}, {name: "mesh", image: "mesh"}]
    elif .kind == "NetworkPolicy" then .spec.podSelector = {matchLabels: {zone: "inner"}} else . end)' $sample >"$scratch/worn.json"
push worn "$scratch/worn.json" -H "X-Snapshot-Time: $taken"
while IFS='@' read -r what seen edit; do
    # The edit is of labels and spec, of the template and of the pods.
    jq -c ".items |= map(if .kind == \"Deployment\" and .metadata.name == \"cart\" then .spec.template |= ($edit)
        elif .kind == \"Pod\" and (.metadata.name | startswith(\"cart-\")) then $edit else . end)" "$scratch/worn.json" >"$scratch/after.json"
    jq -c "[.items[] | select(.kind == \"Deployment\" and .metadata.name == \"cart\")][0] | $as_written" "$scratch/after.json" >"$scratch/manifest"
    forecast worn "$scratch/manifest"
    like "$what: is told" "$(json '[(.new_risks[] | "new " + .risk.check), (.resolved_risks[] | "gone " + .risk.check)] | join("; ")')" "$seen"
    agrees "$what"
done <<'END'
a container less@gone image-tag-mutable@.spec.containers |= map(select(.name != "debug"))
a port of another name@new service-target-port-unmatched@.spec.containers[0].ports[0].name = "web"
a container that takes a node@new (cluster-headroom-low|node-cpu-overcommitted)@.spec.containers += [{"name": "big", "image": "big:1", "resources": {"requests": {"cpu": "3600m"}}}]
a label less@new pod-ingress-not-isolated@del(.metadata.labels.zone)
labels that no service selects@new service-selects-no-pods@.metadata.labels["app.kubernetes.io/name"] = "else"
END
# controlled SELECTOR ENDPOINTS PDB: a cluster with such a Service, as many endpoints, and such a budget, which allows nothing
controlled() {
    jq -c --argjson selector "$1" --argjson endpoints "$2" --argjson pdb "$3" '.items |= map(
        if .kind == "Service" and .metadata.name == "cart" then .spec.selector = $selector
        elif .kind == "PodDisruptionBudget" and .metadata.name == "cart" then .spec |= (del(.minAvailable, .maxUnavailable) + $pdb)
            | .status = {currentHealthy: 2, desiredHealthy: 2, expectedPods: 2, disruptionsAllowed: (if $pdb.maxUnavailable == 1 then 1 else 0 end)}
        else . end) | .items += [{apiVersion: "discovery.k8s.io/v1", kind: "EndpointSlice", addressType: "IPv4",
            metadata: {name: "cart-1", namespace: "shop", uid: "s", creationTimestamp: "2026-01-01T00:00:00Z", labels: {"kubernetes.io/service-name": "cart"}},
            endpoints: [range($endpoints) | {addresses: ["10.0.0.\(. + 1)"], conditions: {ready: true}}]}]' $sample
}
own=$(jq -c '.items[] | select(.kind == "Service" and .metadata.name == "cart") | .spec.selector' $sample)
controlled '{"app": "nowhere"}' 0 '{"maxUnavailable": 0}' >"$scratch/odd.json"
push odd "$scratch/odd.json" -H "X-Snapshot-Time: $taken"
controlled "$own" 2 '{"maxUnavailable": 1}' >"$scratch/after.json"
jq -c "[.items[] | select(.metadata.name == \"cart\" and (.kind | IN(\"Service\", \"PodDisruptionBudget\"))) | $as_written]" "$scratch/after.json" >"$scratch/manifest"
forecast odd "$scratch/manifest"
is "a Service that selects again is not without endpoints" "$(json -c '[.new_risks[].risk.check]')" "[]"
like "a budget that allows something blocks nothing" "$(json -r '[.resolved_risks[].risk.check] | join(" ")')" 'pdb-blocks-eviction'
agrees "a Service and a budget that are mended"

# What is new comes up as asked.
added() {
    jq -nc "$2" >"$scratch/manifest"
    jq -c --slurpfile new "$scratch/manifest" ".items += [\$new[0] | .metadata += {namespace: \"shop\", uid: \"new\", creationTimestamp: \"$taken\"} | $3]" $sample >"$scratch/after.json"
    forecast before "$scratch/manifest"
    is "$1: is new" "$status $(json -c '[.manifest[] | [.namespace, .change]]')" '200 [["shop","added"]]'
    agrees "$1"
}
pod='{containers: [{name: "c", image: "registry.example.com/new:1"}]}'
added "a new deployment" "{apiVersion: \"apps/v1\", kind: \"Deployment\", metadata: {name: \"new\"}, spec: {replicas: 3, selector: {matchLabels: {app: \"new\"}},
    template: {metadata: {labels: {app: \"new\"}}, spec: $pod}}}" \
    '.status = {replicas: 3, updatedReplicas: 3, readyReplicas: 3, availableReplicas: 3, conditions: [{type: "Available", status: "True"}, {type: "Progressing", status: "True"}]}'
added "a new service" '{apiVersion: "v1", kind: "Service", metadata: {name: "new"}, spec: {selector: {app: "nothing"}, ports: [{port: 80}]}}' .
added "a new budget" '{apiVersion: "policy/v1", kind: "PodDisruptionBudget", metadata: {name: "new"}, spec: {maxUnavailable: 0, selector: {}}}' .
added "a claim" '{apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: {name: "new"}, spec: {accessModes: ["ReadWriteOnce"]}}' '.status = {phase: "Bound"}'
added "a secret" '{apiVersion: "v1", kind: "Secret", metadata: {name: "new"}, stringData: {password: "hunter2"}}' .
jq -c '[.items[] | select(.kind == "Deployment" and .metadata.namespace == "shop") | .spec.template.spec.containers[].securityContext = {"privileged": true}]' $sample >"$scratch/manifest"
jq -c '.items |= map(if .kind == "Deployment" and .metadata.namespace == "shop" then .spec.template.spec.containers[].securityContext = {"privileged": true} else . end)' $sample >"$scratch/after.json"
forecast before "$scratch/manifest"
agrees "many at once"
is "only new risks" "$(json -c '[.new_risks, .resolved_risks | map(.points) | add // 0 | . < 0, . > 0]' | head -c 100)" "$(json -c '[.new_risks, .resolved_risks | map(.points) | add // 0 | . < 0, . > 0]' | head -c 100)"
jq -c '{apiVersion: "v1", kind: "List", items: .}' "$scratch/manifest" >"$scratch/list"
forecast before "$scratch/manifest"
array=$(json -c '[.predicted_score_exact, (.manifest | length)]')
forecast before "$scratch/list"
is "a List is an array" "$(json -c '[.predicted_score_exact, (.manifest | length)]')" "$array"

# ---- what the answer says
jq -c '.items[] | select(.kind == "Deployment" and .metadata.name == "cart") | .spec.template.spec.containers[0].securityContext.privileged = true' $sample >"$scratch/manifest"
forecast before "$scratch/manifest"
is "the score and the decision stay those of now" "$(json '[.csc_score, .decision] | join(" ")')" "$(get '/api/clusters?id=before' && json '.[0] | [.cscScore, .decision] | join(" ")')"
forecast before "$scratch/manifest"
is "what is new" "$(json -c '[.new_risks[0] | .risk.check, .risk.resource, .points < 0, .changed]')" '["privileged-container","deployment/cart",true,false]'
like "a reason" "$(json '.reasons[1]')" '^With the manifest the score will be [0-9]+: (SAFE|WARN|BLOCK)\.$'
decision=$(json .decision_id) reason=$(json '.reasons[1]')
get "/api/decisions?id=$decision"
is "which is kept" "$(json '.reasons[1]')" "$reason"
request POST /api/validate -H 'Content-Type: application/json' -H 'Accept: text/plain' -H "X-API-Key: $api_key" --data-binary "@$scratch/question"
like "as text, too" "$body" $'\npredicted_score\t[0-9]+\npredicted_decision\t[A-Z]+\n'
sql "UPDATE clusters SET taken_at = taken_at - INTERVAL 10 MINUTE WHERE tenant_id = '$tenant' AND name = 'worked-example'"
jq -c '.items[0]' tests/fixtures/worked-example.json >"$scratch/one"
forecast worked-example "$scratch/one"
ok "an old snapshot counts less, in the forecast too" jq -e '.csc_score <= 69 and .predicted_score <= 69' "$scratch/body"

# ---- what the cluster will refuse, or never start: said, without points
# found EDIT of the deployment cart
found() {
    jq -c ".items[] | select(.kind == \"Deployment\" and .metadata.name == \"cart\") | $1" $sample >"$scratch/manifest"
    forecast "${2:-before}" "$scratch/manifest"
    json '[.risks[] | select(.scope == "change") | "\(.check) \(.impact)"] | join(",")'
}
is "nothing" "$(found .)" ""
is "containers that are no list" "$(found '.spec.template.spec.containers = {}')" "change-value-refused 0"
like "which is told, and what became of it" "$(json -r '.reasons[]')" \
    'Deployment cart in shop will be refused: spec.template.spec.containers is an object, where a list belongs\. It counts as left out\.'
is "another selector" "$(found '.spec.selector.matchLabels.more = "x" | .spec.template.metadata.labels.more = "x"')" "change-selector-refused 0"
is "a selector that its labels do not meet" "$(found '.spec.template.metadata.labels = {"x": "y"}')" "change-selector-refused 0"
jq -c '{apiVersion: "v1", kind: "List", items: [.items[] | select(.kind == "Deployment" and .metadata.namespace == "shop")
    | .spec.selector.matchLabels.more = "x" | .spec.template.metadata.labels.more = "x"]}' $sample >"$scratch/manifest"
refused_n=$(jq '.items | length' "$scratch/manifest")
forecast before "$scratch/manifest" && json . >"$scratch/answer"
is "of several the first is named, and how many more there are" \
    "$(jq -r '.risks[] | select(.check == "change-selector-refused") | "\(.namespace) \(.resource) \(.message | sub(".* cannot change"; ""))"' "$scratch/answer")" \
    "$(jq -r '.items[0] | "shop deployment/\(.metadata.name)"' "$scratch/manifest") . The same goes for $((refused_n - 1)) more objects."
is "more memory than any node has" "$(found '.spec.template.spec.containers[0].resources.requests.memory = "15Gi"')" "change-fits-no-node 0"
is "as much as one has" "$(found '.spec.template.spec.containers[0].resources.requests.memory = "15074036Ki"')" ""
is "one byte more" "$(found '.spec.template.spec.containers[0].resources.requests.memory = "15435812865"')" "change-fits-no-node 0"
is "of none it takes nothing" "$(found '.spec.replicas = 0 | .spec.template.spec.containers[0].resources.requests.memory = "15Gi"')" ""
jq -c '.items |= map(if .kind == "Namespace" and .metadata.name == "shop" then .metadata.labels["pod-security.kubernetes.io/enforce"] = "baseline" else . end)
    | .items += [{apiVersion: "v1", kind: "ResourceQuota", metadata: {name: "q", namespace: "shop"}, spec: {hard: {"requests.cpu": "2", "limits.memory": "4Gi"}}, status: {hard: {"requests.cpu": "2", "limits.memory": "4Gi"}, used: {"requests.cpu": "1", "limits.memory": "1Gi"}}}]' $sample >"$scratch/strict.json"
push strict "$scratch/strict.json"
is "a privileged pod in a namespace of level baseline" "$(found '.spec.template.spec.containers[0].securityContext.privileged = true' strict)" "change-pods-refused 0"
like "which says what breaks it" "$(json '.reasons | join(" ")')" 'Namespace shop takes pods of level baseline only and will refuse those of Deployment cart: .*privileged'
is "a name in it of 100 KB, too" "$(found '.spec.template.spec.containers[0].securityContext.capabilities.add = ["X" * 100000]' strict)" "change-pods-refused 0"
id=$(json .decision_id)
is "... is kept in short" "$status $(sql "SELECT LENGTH(findings) < 3000 FROM decisions WHERE decision_id = '$id'")" "200 1"
is "one that meets it" "$(found . strict)" ""
is "more than a quota has in all" "$(found '.spec.template.spec.containers[0].resources.requests.cpu = "2001m"' strict)" "change-exceeds-quota 0"
is "limits beyond it" "$(found '.spec.template.spec.containers[0].resources.limits.memory = "5Gi"' strict)" "change-exceeds-quota 0"
is "limits within it" "$(found '.spec.template.spec.containers[0].resources.limits.memory = "4Gi"' strict)" ""
is "all of it" "$(found '.spec.template.spec.containers[0].resources.requests.cpu = "2"' strict)" ""

probe='.spec.template.spec.containers[0].livenessProbe.httpGet.host = "10.0.0.1"'
is "a host that a probe asks" "$(found "$probe" strict)" "change-pods-refused 0"
jq -c '.items |= map(if .kind == "Namespace" and .metadata.name == "shop" then .metadata.labels["pod-security.kubernetes.io/enforce-version"] = "v1.33" else . end
    | if .kind == "ResourceQuota" then .spec.scopes = ["Terminating"] else . end)' "$scratch/strict.json" >"$scratch/older.json"
push older "$scratch/older.json"
is "which the standard of 1.33 lets pass" "$(found "$probe" older)" ""
is "what it does not" "$(found '.spec.template.spec.hostNetwork = true' older)" "change-pods-refused 0"
is "more than a quota of other pods has" "$(found '.spec.template.spec.containers[0].resources.requests.cpu = "2001m"' older)" ""

# ---- refusals, in words
# manifest WHAT JSON STATUS CODE SENTENCE
manifest() {
    printf '%s' "{\"cluster_id\":\"before\",\"manifest\":$2}" >"$scratch/question"
    request POST /api/validate -H 'Content-Type: application/json' -H "X-API-Key: $api_key" --data-binary "@$scratch/question"
    is "$1" "$status $(json .code)" "$3 $4"
    like "$1: in words" "$(json .error)" "$5"
}
one='{"apiVersion":"v1","kind":"Service","metadata":{"name":"a"},"spec":{}}'
manifest "none" '[]' 400 invalid_field 'manifest has no object'
manifest "an empty List" '{"apiVersion":"v1","kind":"List","items":[]}' 400 invalid_field 'has no object'
manifest "a text" '"kind: Pod"' 400 invalid_field 'must be a Kubernetes object'
manifest "a number" 1 400 invalid_field 'must be a Kubernetes object'
manifest "a number of five" 12345 400 invalid_field 'must be a Kubernetes object'
manifest "a list of numbers" '[1]' 400 invalid_field 'must be a Kubernetes object'
manifest "no kind" '{"apiVersion":"v1","metadata":{"name":"a"}}' 400 invalid_field 'without kind or apiVersion'
manifest "no version" '{"kind":"Pod","metadata":{"name":"a"}}' 400 invalid_field 'without kind or apiVersion'
manifest "no name" '{"apiVersion":"v1","kind":"Pod","metadata":{"generateName":"a"}}' 400 invalid_field 'kind Pod without a metadata.name'
manifest "a long name" "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"$(printf 'a%.0s' {1..254})\"}}" 400 invalid_field 'metadata.name'
manifest "one twice" "[$one,$one]" 400 invalid_field 'has Service a twice'
manifest "lists in lists" "[[[[$one]]]]" 400 invalid_field 'lists in lists'
manifest "half of one" '{"apiVersion":"v1"' 400 bad_json 'JSON'
manifest "no JSON" '[01]' 400 bad_json 'JSON'
manifest "61 levels" "$(printf '[%.0s' {1..61})$(printf ']%.0s' {1..61})" 400 invalid_field 'cannot|can be read|lists'
manifest "fifty-one" "[$(for i in {1..51}; do printf '%s' "${one/\"a\"/\"a$i\"}"; [ "$i" = 51 ] || printf ,; done)]" 422 too_complex 'more than 50 objects'
manifest "fifty" "[$(for i in {1..50}; do printf '%s' "${one/\"a\"/\"a$i\"}"; [ "$i" = 50 ] || printf ,; done)]" 200 null null
printf '%s' "{\"cluster_id\":\"before\",\"manifest\":" >"$scratch/head"
for bytes in 1048576 1048577; do
    { cat "$scratch/head"; printf '%s' "${one%\}}"; printf '%*s' $((bytes - ${#one})) ''; printf '}}'; } >"$scratch/question"
    request POST /api/validate -H 'Content-Type: application/json' -H "X-API-Key: $api_key" --data-binary "@$scratch/question"
    if [ $bytes = 1048576 ]; then is "a MiB" "$status" 200; else is "a MiB and one" "$status $(json .code) $(json .error)" "413 too_large manifest has 1048577 bytes: 1048576 are taken."; fi
done
{ cat "$scratch/head"; printf '%s' "$one"; printf '%65536s}' ''; } >"$scratch/question"
request POST /api/validate -H 'Content-Type: application/json' -H "X-API-Key: $api_key" --data-binary "@$scratch/question"
is "64 KiB beside it" "$status $(json .code) $(json .error)" "413 too_large The body has more than 65536 bytes beside the manifest."
manifest "of two the last counts" "[],\"manifest\":$one" 200 null null
manifest "of a hundred, too" "[]$(printf ',"manifest":[]%.0s' {1..98}),\"manifest\":$one" 200 null null
manifest "null is none" null 200 null null
is "and predicts nothing" "$(json .predicted_score)" null
manifest "a kind that is not read" '{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"a"}}' 200 null null
is "changes nothing" "$(json -c '[.manifest[0].change, .predicted_score_exact == .score_exact]')" '["not_read",true]'
manifest "a spec that is none" '{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"cart","namespace":"shop","annotations":[1],"labels":"x"},"spec":[{"replicas":"x"}]}' 200 null null
manifest "a metadata that is none" '{"apiVersion":"apps/v1","kind":"Deployment","metadata":[{"name":"cart"}],"spec":1}' 400 invalid_field metadata.name
manifest "members that come twice" '{"apiVersion":"v1","kind":"Service","kind":"Service","metadata":{"name":"b"},"metadata":{"name":"c"},"spec":{}}' 200 null null
is "count once, the last" "$(json '.manifest[0].name')" c
manifest "escapes" '{"api\u0056ersion":"v1","k\u0069nd":"Ser\u0076ice","metadata":{"n\u0061me":"\u0063"},"sp\u0065c":{}}' 200 null null
is "are read" "$(json -c '.manifest[0] | [.kind, .name, .change]')" '["Service","c","added"]'

# ---- much that is replaced at once takes no more memory than one of it: tests/attacks/21-costly-questions.t has more of this
jq -nc '[range(200) | {name: "c\(.)"}] as $containers
    | def owned($kind; $name; $uid): {name: $name, namespace: "shop", ownerReferences: [{apiVersion: "apps/v1", kind: $kind, name: "wide", uid: $uid, controller: true}]};
    {apiVersion: "v1", kind: "List", items: [
        {apiVersion: "apps/v1", kind: "StatefulSet", metadata: {name: "wide", namespace: "shop", uid: "w"},
         spec: {replicas: 200, selector: {matchLabels: {a: "b"}}, template: {metadata: {labels: {a: "b"}}, spec: {containers: $containers}}}},
        (range(200) | {apiVersion: "v1", kind: "Pod", metadata: (owned("StatefulSet"; "wide-\(.)"; "w") + {labels: {a: "b"}}), spec: {containers: $containers},
         status: {phase: "Running"}})]}' >"$scratch/wide.json"
push wide "$scratch/wide.json"
is "200 pods of 200 containers" "$status" 200
jq -c '.items[0] | .spec.template.spec.containers[].resources = {requests: {cpu: "1m"}}' "$scratch/wide.json" >"$scratch/manifest"
forecast wide "$scratch/manifest"
is "... that are all replaced" "$status $(json -c '[.manifest[].change]')" '200 ["replaced"]'

# ---- an object is kept in memory while its manifest is judged, up to 8 MiB of it
jq -nc '{apiVersion: "v1", kind: "List", items: [range(2) | {apiVersion: "v1", kind: "Service",
    metadata: {name: "long-\(.)", namespace: "shop", uid: "\(.)", annotations: (("x " * (400000 + . * 200000)) as $note | [range(9) | {key: "example.com/\(.)", value: $note}] | from_entries)}, spec: {}}]}' >"$scratch/long.json"
push long "$scratch/long.json"
is "objects of 7.2 and 10.8 MB" "$status" 200
for i in 0 1; do
    jq -c ".items[$i] | del(.metadata.annotations)" "$scratch/long.json" >"$scratch/manifest"
    forecast long "$scratch/manifest"
    [ $i = 1 ] || is "the shorter one is replaced" "$status $(json -c '[.manifest[].change, .predicted_score_exact == .score_exact]')" '200 ["replaced",true]'
done
is "of the longer one nothing is foretold" "$status $(json .code)" "422 too_complex"
like "... in words" "$(json .error)" 'replaces Service long-1, which has more than 8388608 bytes'

# ---- other tenants, other keys, secrets, limits
first_key=$api_key first_tenant=$tenant
planted=planted-$RANDOM$RANDOM
manifest "a secret" "{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":{\"name\":\"s\"},\"stringData\":{\"a\":\"$planted\"}}" 200 null null
is "is in no answer" "$(grep -c "$planted" "$scratch/body")" 0
mariadb-dump --defaults-file="$stack_dir/admin.cnf" --skip-lock-tables loadline >"$scratch/dump" 2>/dev/null
ok "all that is kept is looked at" grep -q truth-1 "$scratch/dump"
is "nor kept" "$(grep -c "$planted" "$scratch/dump"; grep -rc "$planted" "$stack_dir/log" | grep -vc ':0$')" $'0\n0'
account Stranger
api_key=$(json .apiKey)
manifest "another tenant's cluster" "$one" 404 unknown_cluster 'no such cluster'
api_key=$first_key tenant=$first_tenant
done_testing
