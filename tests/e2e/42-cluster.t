#!/bin/bash
# GET /api/cluster: the stored snapshot by kind, in whatever form it was pushed, while pushes go on and
# readers are slow, gone, or have it already.
. "$(dirname "$0")/lib.sh"
unset -f jq # that which keeps the order of members
. tests/e2e/cluster.sh
stack
account Example
sql "UPDATE tenants SET plan = 'enterprise' WHERE tenant_id = '$tenant'"

# show CLUSTER [PARAMETERS [curl's options]]
show() {
    local cluster=$1 parameters=${2-}
    shift $(($# < 2 ? $# : 2))
    request GET "/api/cluster?id=$cluster$parameters" -H "Authorization: Bearer $token" "$@"
}
# counts: of the collections that hold something
counts() {
    json -c 'with_entries(select(.value | type == "array" and length > 0) | .value |= length) | del(.risks)'
}

# ---- every form
cluster 2 2 '.items += [
    {apiVersion: "v1", kind: "Service", metadata: {name: "api", namespace: "shop"}, spec: {selector: {app: "api"}}},
    {apiVersion: "example.com/v1", kind: "Widget", metadata: {name: "w"}},
    {apiVersion: "v1", kind: "Event", metadata: {name: "e", namespace: "shop"}, type: "Normal", reason: "Pulled",
     involvedObject: {kind: "Pod", name: "api-0", namespace: "shop"}},
    {apiVersion: "v1", kind: "Node", metadata: {name: "n2"}}]' >"$scratch/list.json"
jq -c '.items[]' "$scratch/list.json" >"$scratch/values.json"
jq . "$scratch/list.json" >"$scratch/pretty.json"
jq -c '.items | {pods: map(select(.kind == "Pod") | del(.kind, .apiVersion)),
    Deployments: {kind: "DeploymentList", apiVersion: "apps/v1", items: map(select(.kind == "Deployment") | del(.kind, .apiVersion))},
    nodes: map(select(.kind == "Node")), widgets: map(select(.kind == "Widget")),
    services: {items: map(select(.kind == "Service") | del(.kind))}, events: map(select(.kind == "Event"))}' \
    "$scratch/list.json" >"$scratch/collections.json"
jq -c '[.items[]] | group_by(.kind) | map({apiVersion: "v1", kind: "List", items: .}) | .[]' "$scratch/list.json" >"$scratch/lists.json"
expected='{"pods":2,"deployments":1,"nodes":2,"events":1,"services":1}'
for form in list values pretty collections lists; do
    push "$form" "$scratch/$form.json"
    is "$form: pushed" "$status" 200
    score=$(json .csc_score)
    show "$form"
    is "$form: answers JSON" "$status $(header Content-Type) $(json type)" "200 application/json object"
    is "$form: counts" "$(counts)" "$expected"
    is "$form: id and score" "$(json -c '[.id, .score, (.taken_at | type)]')" "[\"$form\",$score,\"string\"]"
    is "$form: every object says what it is" \
        "$(json -c '[to_entries[] | select(.key != "risks" and (.value | type) == "array") | .value[].kind] | unique')" \
        '["Deployment","Event","Node","Pod","Service"]'
    is "$form: as it was pushed" "$(json -cS '[.pods[] | .metadata.name, .spec.nodeName, .status.phase] | sort')" \
        '["Running","Running","api-0","api-1","n1","n1"]'
done
push former "$scratch/list.json"
show collections
is "a list's version is its items'" "$(json -c '[.deployments[0].apiVersion, .pods[0].apiVersion]')" '["apps/v1",null]'
show list
is "collections that the contract names come first" "$(json -r '[keys_unsorted[] | select(IN("taken_at", "verdict", "scope") | not)][:14] | join(" ")')" \
    "id score pods deployments nodes events risks services ingresses statefulsets daemonsets replicasets jobs cronjobs"
is "what is not there is an empty list" "$(json -c '[.ingresses, .secrets, .persistentvolumeclaims]')" '[[],[],[]]'
cp "$scratch/body" "$scratch/before"
risks=$(sql "SELECT COUNT(*) FROM risks JOIN clusters USING (cluster, tenant_id) WHERE tenant_id = '$tenant' AND name = 'list' AND closed_at IS NULL")
is "all of its risks" "$(json '.risks | length')" "$risks"
is "as everywhere" "$(json -c '.risks[0] | [has("id", "check", "category", "severity", "scope", "namespace", "resource",
    "message", "recommendation", "impact", "frameworks", "first_seen")] | all')" true
is "their points are what is missing" "$(json '[.risks[].impact] | add * 100 | round')" \
    "$(sql "SELECT 10000 - score_exact FROM clusters WHERE tenant_id = '$tenant' AND name = 'list'")"
is "costliest first" "$(json '[.risks[].impact] | . == (sort | reverse)')" true

# ---- awkward documents
jq -c '.items |= map(select(.kind == "Node"))' "$scratch/list.json" >"$scratch/empty.json"
push empty "$scratch/empty.json"
show empty
is "a cluster with nodes alone" "$(counts)" '{"nodes":2}'
jq -c '.items += [.items[] | select(.kind == "Pod") | .metadata.labels.again = "yes"]' "$scratch/list.json" >"$scratch/twice.json"
push twice "$scratch/twice.json"
show twice
is "what was pushed twice is there once, the last" "$(json -c '[.pods[].metadata.labels.again]')" '["yes","yes"]'
jq -nc '{pods: [{name: "a", namespace: "x", status: "Running", restarts: 3}], deployments: [{name: "d", replicas: 2, readyReplicas: 2}]}' >"$scratch/summaries.json"
push summaries "$scratch/summaries.json"
show summaries
is "summary items" "$(json -c '[.pods[0].kind, .pods[0].restarts, .deployments[0].kind]')" '["Pod",3,"Deployment"]'
jq -nc '{clusteroperators: [{metadata: {name: "dns"}, status: {conditions: [{type: "Degraded", status: "True"}]}}],
    machineConfigPools: [{apiVersion: "machineconfiguration.openshift.io/v1", kind: "MachineConfigPool", metadata: {name: "master"}}],
    clusterversions: {items: [{apiVersion: "config.openshift.io/v1", kind: "ClusterVersion", metadata: {name: "version"}}]}}' >"$scratch/openshift.json"
push openshift "$scratch/openshift.json"
show openshift '&include=clusteroperators,machineconfigpools,clusterVersions,risks'
is "what OpenShift is made of" "$(counts)" '{"clusteroperators":1,"clusterversions":1,"machineconfigpools":1}'
is "and its risks, beside those of what is not shown" \
    "$(json -c '[.risks[] | select(.check | IN("evidence-missing", "insufficient-evidence") | not) | [.check, .resource]]')" \
    '[["cluster-operator-degraded","clusteroperator/dns"]]'
jq -c '.items[0].metadata.annotations.note = "]}, \"quoted\" \\ \u00e9 \ud83d\udea2 </script>"' "$scratch/list.json" >"$scratch/odd.json"
push 'odd:/name' "$scratch/odd.json"
show 'odd%3a%2Fname'
is "strings as they were" "$(json '.nodes[0].metadata.annotations.note')" "$(jq -r '.items[0].metadata.annotations.note' "$scratch/odd.json")"

# ---- include
show list '&include=pods,nodes'
is "include" "$(json -c keys_unsorted)" '["id","score","taken_at","verdict","scope","pods","nodes"]'
show list '&include=risks'
is "risks alone" "$(json -c keys_unsorted)" '["id","score","taken_at","verdict","scope","risks"]'
show list '&include=persistentVolumeClaims,%20HPAs'
is "as collections are named" "$(json -c keys_unsorted)" '["id","score","taken_at","verdict","scope","horizontalpodautoscalers","persistentvolumeclaims"]'
show list '&include='
is "an empty include is none" "$(counts)" "$expected"
for bad in pod widgets 'pods,,nodes' 'pods,x' '%2C'; do
    show list "&include=$bad"
    is "include=$bad" "$status $(json .code) $(json .field)" "400 invalid_field include"
done

# ---- what an earlier release has kept: gzip
for cut in 0 9; do
    jq -c 'del(.. | .env?)' "$scratch/list.json" | gzip -9 | head -c "-$cut" | base64 -w0 >"$scratch/former"
    sql "UPDATE snapshots JOIN clusters USING (cluster, tenant_id) SET body = FROM_BASE64('$(cat "$scratch/former")'), revision = revision + 1
        WHERE tenant_id = '$tenant' AND name = 'former'"
    show former
    [ $cut = 0 ] || { refused "a stored copy that is cut" 500 internal; break; }
    is "a stored copy of an earlier release" "$status $(counts)" "200 $expected"
    get '/api/export?clusterId=former'
    is "is exported, too" "$status $(json '.pods | length')" "200 2"
done
push former "$scratch/list.json"
is "the next push replaces it" "$(sql "SELECT HEX(LEFT(b.body, 4)), s.body FROM snapshot_bases b JOIN snapshots s USING (cluster, base)
    JOIN clusters USING (cluster) WHERE clusters.tenant_id = '$tenant' AND name = 'former'" | xargs)" 28B52FFD
show former
is "and is shown" "$status $(counts)" "200 $expected"

# ---- headers
show list '' -H 'Accept-Encoding: gzip'
is "gzip" "$status $(header Content-Encoding) $(header Vary)" "200 gzip Accept-Encoding"
is "holds the same" "$(gzip -dc <"$scratch/body" | sha256sum)" "$(sha256sum <"$scratch/before")"
gzip_tag=$(header ETag)
for refusing in 'gzip;q=0' 'identity' 'br' '*;q=0' 'identity;q=1, gzip;q=0.1'; do
    show list '' -H "Accept-Encoding: $refusing"
    is "Accept-Encoding: $refusing" "$status $(header Content-Encoding) $(sha256sum <"$scratch/body")" "200  $(sha256sum <"$scratch/before")"
done
tag=$(header ETag)
like "a strong tag" "$tag" '^"[0-9a-f]{16}"$'
isnt "of the encoding" "$gzip_tag" "$tag"
is "and nobody else keeps it" "$(header Cache-Control)" "private, no-cache"
show list '' -H "If-None-Match: $tag"
is "304" "$status $(header ETag) $(header Cache-Control) $(stat -c %s "$scratch/body")" "304 $tag private, no-cache 0"
show list '' -H "If-None-Match: \"x\", W/$tag"
is "304 of several tags" "$status" 304
show list '' -H "If-None-Match: $gzip_tag"
is "the tag of the other encoding" "$status" 200
show list '&include=pods' -H "If-None-Match: $tag"
is "the tag of other collections" "$status" 200
push list "$scratch/list.json"
show list '' -H "If-None-Match: $tag"
is "after a push" "$status" 200
tag=$(header ETag)
sql "UPDATE snapshots JOIN clusters USING (cluster) SET revision = revision + 1 WHERE clusters.tenant_id = '$tenant' AND name = 'list'"
show list '' -H "If-None-Match: $tag"
is "after one in the same millisecond" "$status" 200
push list "$scratch/list.json"
request HEAD '/api/cluster?id=list' -H "Authorization: Bearer $token"
is "HEAD" "$status $(header Content-Type) $(header ETag)" "200 application/json $(
    show list
    header ETag)"

# ---- who may
show nowhere
is "an unknown cluster" "$status $(json .code)" "404 unknown_cluster"
is "is no secret to be kept in a cache" "$(header Cache-Control)$(header ETag)" "no-store"
get '/api/cluster'
is "none" "$status $(json .code) $(json .field)" "400 missing_field id"
get '/api/cluster?id=a%20b'
is "a bad one" "$status $(json .code) $(json .field)" "400 invalid_field id"
request GET '/api/cluster?id=list'
is "nobody" "$status" 401
request GET '/api/cluster?id=list' -H "X-API-Key: $api_key"
is "an agent" "$status" 401
request POST '/api/cluster?id=list' -H "Authorization: Bearer $token" -d x
is "POST" "$status $(header Allow)" "405 GET, HEAD"
sql "INSERT INTO clusters (cluster, tenant_id, name, created_at) VALUES (UUID(), '$tenant', 'fresh', NOW(3))"
show fresh
is "never scored" "$status $(json .code)" "409 no_snapshot"
mine=("$token" "$tenant")
account "Somebody Else"
show list
is "somebody else's" "$status $(json .code)" "404 unknown_cluster"
token=${mine[0]} tenant=${mine[1]}

# ---- what cannot be read
sql "UPDATE snapshot_bases JOIN clusters USING (cluster) SET body = LEFT(body, LENGTH(body) DIV 2) WHERE clusters.tenant_id = '$tenant' AND name = 'lists'"
show lists
is "a damaged snapshot is an error before the first byte" "$status $(json .code) $(header ETag)" "500 internal "
ok "and the log says what" grep -q 'a stored snapshot cannot be read' "$(log_of export)"
is "nothing is left of any of it" "$(find "$stack_dir/tmp" -type f | wc -l)" 0
done_testing
