#!/bin/bash
# What was deployed, as successive snapshots tell: with the gate's decision and what became of it; once each, whoever pushes
# again, late, or dies.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
own_stack --workers notify=0 --workers ingest=2 --set signup_limit=0/600
account Example
deploys=/api/deploys
start=$(($(date +%s) - 3 * 3600))

# at MINUTES: as a time of snapshots, so long after the beginning
at() {
    date -u -d "@$((start + ${1%.*} * 60))" +%Y-%m-%dT%H:%M:%SZ
}
# release FILE VERSION [JQ FILTER of the Deployment [REPLICAS]]: deployment shop/api with that image, rolled out, of which
# the cluster has two ReplicaSets, and the ConfigMap that it uses
release() {
    cluster "${4:-2}" "${4:-2}" '(.items[] | select(.kind == "Deployment")) |= (.metadata.creationTimestamp = "2026-01-01T00:00:00Z"
            | .spec.template.spec.containers[0] += {image: "registry.example.com/api:'"$2"'", envFrom: [{configMapRef: {name: "api-env"}}]} | '"${3:-.}"')
        | .items += [{apiVersion: "v1", kind: "ConfigMap", metadata: {name: "api-env", namespace: "shop", resourceVersion: "'"${config:-7}"'"}}]
        | .items += (["1.4", "1.5"] | map({apiVersion: "apps/v1", kind: "ReplicaSet", metadata: {name: "api-\(.)", namespace: "shop", uid: "rs-\(.)",
            annotations: {"deployment.kubernetes.io/revision": (if . == "'"$2"'" then "3" else "2" end)},
            ownerReferences: [{apiVersion: "apps/v1", kind: "Deployment", name: "api", uid: "uid-api", controller: true}]},
            spec: {replicas: 0, template: {spec: {containers: [{name: "api", image: "registry.example.com/api:\(.)"}]}}}, status: {replicas: 0}}))' >"$scratch/$1"
}
release old.json 1.4
release rolling.json 1.5 '.status.updatedReplicas = 1 | .metadata.annotations = {"kubernetes.io/change-cause": "release 1.5 --token=abcdefgh12345678", "meta.helm.sh/release-name": "shop"}'
release new.json 1.5 '.metadata.annotations = {"meta.helm.sh/release-name": "shop"}'
release stuck.json 1.5 '.status.updatedReplicas = 1 | .status.conditions = [{type: "Progressing", status: "False", reason: "ProgressDeadlineExceeded"}]'
release more.json 1.5 . 3
config=8 release configured.json 1.5 . 3

# pushed CLUSTER MINUTES FILE [curl's options]
pushed() {
    local cluster=$1 minutes=$2 file=$3
    shift 3
    push "$cluster" "$scratch/$file" -H "X-Snapshot-Time: $(at "$minutes")" "$@"
}
# told CLUSTER [PARAMETERS]: the events, the newest first, with what has changed
told() {
    get "$deploys?clusterId=$1${2-}"
    json -r 'map(.event + (if .changes == [] then "" else "(\(.changes | join(" ")))" end)) | join(" ")'
}

# ---- a deploy, from the gate to its outcome
pushed c 0 old.json
is "the first snapshot tells of none" "$status $(told c)" "200 "
validate c '{"resource":"deploy/api","namespace":"shop"}'
decision=$(json .decision_id)
validate c '{"resource":"deploy/other","namespace":"shop"}'
sql "UPDATE decisions SET decided_at = '$(at 0 | tr -d Z | tr T ' ')' + INTERVAL 30 SECOND WHERE tenant_id = '$tenant'"
pushed c 1 old.json
is "nor does one that shows the same" "$(told c)" ""
pushed c 2 rolling.json
is "another image" "$(told c)" "started(image)"
is "what is told of it" "$(json -c '.[0] | [.at, .cluster_id, .namespace, .resource, .images, .configuration, .replicas, .revision, .started_at, .by]')" \
    "[\"$(at 2 | sed 's/Z/.000Z/')\",\"c\",\"shop\",\"deployment/api\",[{\"container\":\"api\",\"from\":\"registry.example.com/api:1.4\",\"to\":\"registry.example.com/api:1.5\"}],[],null,\"api-1.5\",\"$(at 2 | sed 's/Z/.000Z/')\",\"Helm release shop\"]"
is "why, without the secret" "$(json '.[0].cause')" "release 1.5 --token=[redacted]"
is "and which decision it was, of which nobody knows yet what became" "$(json -c '.[0] | [.decision_id, .decision == null, .outcome]')" "[\"$decision\",false,null]"
id=$(json '.[0].id')
pushed c 2 rolling.json
is "a push that is sent again tells nothing anew" "$status $(told c) $(json '.[0].id')" "200 started(image) $id"
pushed c 3 rolling.json
is "nor does one that shows it on" "$(told c)" "started(image)"
pushed c 1 new.json
is "nor one that comes late" "$status $(told c)" "200 started(image)"
pushed c 4 new.json
is "it is through" "$(told c) $(json -c '.[0] | [.decision_id, .started_at]')" "finished started(image) [\"$decision\",\"$(at 2 | sed 's/Z/.000Z/')\"]"
is "and no rollout is watched any more" "$(sql "SELECT deploys_due IS NULL FROM clusters WHERE name = 'c'")" 1
post /api/decisions/outcome "{\"decision_id\":\"$decision\",\"outcome\":\"failure\",\"note\":\"503\"}" -H "X-API-Key: $api_key"
told c >/dev/null
is "what became of it is told of all of it" "$(json -c 'map(.outcome.outcome)')" '["failure","failure"]'

pushed c 5 more.json
pushed c 6 configured.json
is "scaled, configured" "$(told c) $(json -c '.[0].configuration, .[1].replicas, .[0].decision_id' | xargs)" \
    "changed(configuration) changed(scale) finished started(image) [configmap/api-env] {from:2,to:3} $decision"
pushed c 90 old.json
is "back, an hour later: nobody asked the gate" "$(told c "&from=$(at 80)") $(json -c 'map(.decision_id)')" \
    "finished rolled_back(image scale configuration) [null,null]"
pushed c 91 stuck.json
pushed c 92 stuck.json
is "one that its controller gives up" "$(told c "&from=$(at 91)")" "stalled started(image)"
pushed c 93 new.json
is "and that goes on" "$(told c "&from=$(at 91)")" "finished stalled started(image)"
is "and one that comes late tells nothing" "$(pushed c 92 old.json && told c "&from=$(at 91)")" "finished stalled started(image)"

# ---- a kind that a snapshot lacks
# any KIND COLLECTION TAG: such a workload shop/db with that image in a collection, beside deployment shop/api in another one
any() {
    jq -c --arg kind "$1" --arg collection "$2" --arg image "db:$3" '{nodes: [.items[] | select(.kind == "Node")],
        deployments: [.items[] | select(.kind == "Deployment")]} | .[$collection] = [{kind: $kind, metadata: {name: "db", namespace: "shop",
        uid: "db", creationTimestamp: "2026-01-01T00:00:00Z"}, spec: ({template: {spec: {containers: [{name: "db", image: $image}]}}}
            | if $kind == "CronJob" then {schedule: "@daily", jobTemplate: {spec: .}} else . + {replicas: 1} end), status: {}}]' "$scratch/old.json"
}
for kind in StatefulSet DaemonSet CronJob; do
    collection=${kind,,}s
    any $kind "$collection" 1 >"$scratch/any.json"
    any $kind "$collection" 2 >"$scratch/other.json"
    jq -c "del(.$collection)" "$scratch/any.json" >"$scratch/lacks.json"
    jq -c ".$collection = []" "$scratch/any.json" >"$scratch/none.json"
    jq -c "del(.deployments) | .$collection = []" "$scratch/any.json" >"$scratch/neither.json"
    (jq -c '{kind: "NodeList", apiVersion: "v1", items: .nodes}, {kind: "DeploymentList", apiVersion: "apps/v1", items: .deployments}' "$scratch/any.json"
        jq -nc --arg kind $kind '{kind: "\($kind)List", apiVersion: (if $kind == "CronJob" then "batch/v1" else "apps/v1" end), reason: "Forbidden"}') >"$scratch/forbidden.json"
    for gap in lacks:1 forbidden:1 none:0 neither:0; do
        pushed $kind 0 any.json
        pushed $kind 1 "${gap%:*}.json"
        pushed $kind 2 other.json
        is "$kind, ${gap%:*}: what was deployed meanwhile" "$status $(get "$deploys?clusterId=$kind&resource=db" && json 'map(select(.event == "started" or .event == "changed")) | length')" "200 ${gap#*:}"
        ask DELETE "/api/clusters?id=$kind"
    done
done

# ---- what is asked for
while IFS='|' read -r what parameters expected; do
    is "$what" "$(told c "$parameters")" "$expected"
done <<END_OF_ROWS
of a workload|&resource=deployment/api&event=stalled|stalled
by another name of its kind|&resource=deploy/api&event=stalled|stalled
by its name|&resource=api&event=stalled|stalled
of another kind|&resource=statefulset/api|
of a namespace|&namespace=shop&event=rolled_back|rolled_back(image scale configuration)
of another|&namespace=pay|
of one with a blank at its end|&namespace=shop%20|
of a blank|&namespace=%20|
by its name and a blank|&resource=api%20|
until then|&to=$(at 3)|started(image)
from then, until then|&from=$(at 4)&to=$(at 5)|changed(scale) finished
END_OF_ROWS
told c >/dev/null
all=$(json -c 'map(.id)')
next="$deploys?clusterId=c&limit=2" pages=
while [ -n "$next" ] && get "$next"; do
    pages+=$(json '.[].id')$'\n'
    next=$(header Link | sed -n 's/^<\(.*\)>; rel="next"$/\1/p')
done
is "in pages" "$(jq -Rnc '[inputs | select(. != "")]' <<<"$pages")" "$all"
while IFS='|' read -r what expected parameters; do
    get "$deploys?$parameters"
    # shellcheck disable=SC2086 # words
    refused "$what" $expected
done <<END_OF_ROWS
no cluster|400 missing_field clusterId|
an unknown one|404 unknown_cluster|clusterId=nowhere
no such event|400 invalid_field event|clusterId=c&event=Started
a kind that is no workload|400 invalid_field resource|clusterId=c&resource=service/api
a name that is none|400 invalid_field resource|clusterId=c&resource=deployment/
a time that is none|400 invalid_field from|clusterId=c&from=x
a cursor that is none|400 invalid_field cursor|clusterId=c&cursor=x
too many|400 invalid_field limit|clusterId=c&limit=1001
END_OF_ROWS
request GET "$deploys?clusterId=c" -H "X-API-Key: $api_key"
is "a key is no session" "$status" 401
request POST "$deploys?clusterId=c" -d '{}' -H "Authorization: Bearer $token"
is "nobody adds any" "$status $(header Allow)" "405 GET, HEAD"
mine=("$token" "$tenant" "$api_key")
account Other
get "$deploys?clusterId=c"
refused "another tenant's cluster" 404 unknown_cluster
pushed c 0 old.json
is "a cluster of the same name has its own" "$(told c)" ""
token=${mine[0]} tenant=${mine[1]} api_key=${mine[2]}

# ---- once each
pushed race 0 old.json
for _ in 1 2 3 4; do
    gzip -1c "$scratch/new.json" | curl -sS -o /dev/null -w '%{http_code}\n' "$base_url/ingest" -H "X-API-Key: $api_key" -H 'X-Cluster-Id: race' \
        -H 'Content-Type: application/json' -H 'Content-Encoding: gzip' -H "X-Snapshot-Time: $(at 1)" --data-binary @- &
done >"$scratch/raced"
wait
is "four at once are one" "$(sort -u "$scratch/raced") $(told race)" "200 finished started(image)"

# root STATEMENT: asks the database as the one who may see what everybody does.
root() {
    mariadb --no-defaults --socket="$stack_dir/sock/mariadb.sock" --batch --skip-column-names --unbuffered ${1+-e "$1"} loadline
}
stores() {
    [ "$(root "SELECT COUNT(*) FROM information_schema.processlist WHERE user = 'loadline' AND info LIKE 'INSERT INTO deploy_states%'")" = 1 ]
}
pushed crash 0 old.json
coproc holder { root; }
echo "START TRANSACTION; SELECT 1 FROM deploy_states FOR UPDATE;" >&"${holder[1]}"
read -r -t "$(patient 10)" _ <&"${holder[0]}" || diag "the state is not locked"
curl -sS -o /dev/null "$base_url/ingest" -H "X-API-Key: $api_key" -H 'X-Cluster-Id: crash' -H 'Content-Type: application/json' \
    -H "X-Snapshot-Time: $(at 1)" --data-binary "@$scratch/new.json" &
pushing=$!
ok "a worker has added what was deployed" within "$(patient 10)" stores
for pid in $(pids_of ingest.fcgi); do kill -KILL "$pid"; done
echo "COMMIT;" >&"${holder[1]}"
input=${holder[1]}
exec {input}>&-
wait "$pushing"
is "and died before it was sure: there is none" "$(told crash)" ""
ok "the push is sent again" within "$(patient 10)" eval 'pushed crash 1 new.json && [ "$status" = 200 ]'
is "and tells it once" "$(told crash)" "finished started(image)"

# ---- the bound
cluster_id=$(sql "SELECT cluster FROM clusters WHERE tenant_id = '$tenant' AND name = 'c'")
sql "INSERT INTO deploys (cluster, at, deploy_id, tenant_id, kind, namespace, name, event, images, configuration)
        SELECT '$cluster_id', '2026-01-01' + INTERVAL seq SECOND, UUID(), '$tenant', 'Deployment', 'shop', 'old', 'started', '[]', '[]' FROM seq_1_to_10000;
     UPDATE deploy_states SET kept = 10000 WHERE cluster = '$cluster_id'"
pushed c 100 old.json
is "so many are kept of a cluster, the newest" "$(sql "SELECT COUNT(*), kept, MIN(at) > '2026-01-01' + INTERVAL 1000 SECOND FROM deploys
    JOIN deploy_states USING (cluster) WHERE cluster = '$cluster_id'" | xargs)" "9000 9000 1"
is "$(told c "&limit=2") are among them" "$(json length)" 2
# ---- many at once: each has an id that the database takes
many() {
    cluster 2 2 '(.items[] | select(.kind == "Deployment")) as $d | .items = [.items[] | select(.kind == "Node")] + [range(400) | . as $i
        | $d | .metadata.name = "api-\($i)" | .metadata.uid = "uid-\($i)" | .spec.template.spec.containers[0].image = "registry.example.com/api:'"$1"'"]'
}
many 1 >"$scratch/many1.json"
many 2 >"$scratch/many2.json"
pushed crash 10 many1.json
pushed crash 11 many2.json
is "of 400 workloads that are deployed at once 500 events are told, twice" "$status $(sql "SELECT COUNT(*) FROM deploys d
    JOIN clusters c USING (cluster) WHERE c.name = 'crash' AND d.name LIKE 'api-%' AND d.tenant_id = '$tenant'")" "200 1000"
done_testing
