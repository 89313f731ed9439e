#!/bin/bash
# loadline-agent: what a cluster has arrives, redacted, object by object, and soon; what it may not see it says.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
. tests/e2e/agent.sh
command -v python3 >/dev/null || skip_all "there is no python3"
stack
account "Agents"

# ---- a cluster with secrets in every place
secret=planted-$RANDOM$RANDOM
jq -c --arg secret "$secret" '
    .items += [range(1200) | {apiVersion: "v1", kind: "ConfigMap", metadata: {name: "c\(.)", namespace: "bulk"}, data: {key: $secret}}]
    | .items += [range(3) | {apiVersion: "argoproj.io/v1alpha1", kind: "Rollout", metadata: {name: "r\(.)", namespace: "shop"},
        spec: {replicas: 1, metadata: {continue: "9"}}}]
    | .items += [{apiVersion: "metrics.k8s.io/v1beta1", kind: "NodeMetrics", metadata: {name: "n1"}, usage: {cpu: "1", memory: "1Gi"}}]
    | .items += [{apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: {name: "n1", namespace: "kube-node-lease"}, spec: {holderIdentity: "n1"}},
                 {apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: {name: "leader", namespace: "kube-system"}, spec: {holderIdentity: "x"}}]
    | (.items[] | select(.kind == "Secret") | .data) = {key: ($secret | @base64)}
    | (.items[] | select(.kind == "Deployment") | .spec.template.spec.containers[0]) |= (
        .env = [{name: "TOKEN", value: $secret}] | .args = ["--password=\($secret)", "{\"items\": [\"}"])
    | (.items[] | select(.kind == "Pod") | .metadata) |= (
        .annotations["kubectl.kubernetes.io/last-applied-configuration"] = "{\"spec\":\"\($secret)\"}"
        | .managedFields = [{manager: $secret, apiVersion: "v1"}])' etc/sample/shop.json >"$scratch/cluster.json"
# What an agent does not ask for.
jq -c '.items |= map(select((.kind | IN("Secret", "Endpoints") | not) and (.kind != "Lease" or .metadata.namespace == "kube-node-lease")))' \
    "$scratch/cluster.json" >"$scratch/asked.json"
api_server "$scratch/cluster.json"
# Bookmarks come each second: none may name a version that has an event which is not sent yet.
version=$(curl -sS "$api_url/api/v1/limitranges" | jq -r .metadata.resourceVersion)
curl -sSN -m 60 "$api_url/api/v1/limitranges?watch=1&resourceVersion=$version&timeoutSeconds=60" >"$scratch/events" 2>/dev/null &
watcher=$!
for _ in $(seq 50); do
    control put '{"apiVersion":"v1","kind":"LimitRange","metadata":{"name":"often","namespace":"bulk"}}'
    sleep 0.05
done
control delete '{"apiVersion":"v1","kind":"LimitRange","metadata":{"name":"often","namespace":"bulk"}}'
for _ in $(seq 300); do
    grep -q DELETED "$scratch/events" && break
    sleep 0.1
done
kill "$watcher" && wait "$watcher"
is "the API server of this test tells of each change" "$(jq -r 'select(.type != "BOOKMARK") | .type' "$scratch/events" | sort | uniq -c | xargs)" \
    "1 ADDED 1 DELETED 49 MODIFIED"

# ---- --dry-run
"$agent_program" --kubeconfig "$scratch/kubeconfig" --dry-run >"$scratch/dry.json" 2>"$scratch/err"
is "--dry-run prints what there is" "$? $(cat "$scratch/err") $(jq -s '[.[].items[]] | length' "$scratch/dry.json")" "0  $(jq '.items | length' "$scratch/asked.json")"
is "... without a secret" "$(grep -cE "$secret|$(printf %s "$secret" | base64)" "$scratch/dry.json")" 0
is "... in pages of the API" "$(asked '/configmaps\?limit=500&continue=') $(asked '/configmaps\?limit=500$')" "2 1"
is "... not asked for Secrets" "$(asked /secrets)" 0
is "... nor for leases other than of nodes" "$(asked '/v1/leases') $(asked '/namespaces/kube-node-lease/leases\?limit')" "0 1"
is "an empty list is there: there are none" "$(jq -c 'select(.kind == "LimitRangeList") | .items' "$scratch/dry.json")" "[]"
for interval in 0 61 "" 1x; do
    "$agent_program" --kubeconfig "$scratch/kubeconfig" --dry-run --interval "$interval" >/dev/null 2>"$scratch/err"
    is "an interval of '$interval'" "$? $(cat "$scratch/err")" "2 loadline-agent: --interval: \"$interval\" is not a number of seconds from 1 to 60"
done
for address in 127.0.0.1:84643 127.0.0.1:65536 127.0.0.1:x 127.0.0.1: 127.0.0.1; do
    "$agent_program" --kubeconfig "$scratch/kubeconfig" --dry-run --listen "$address" >/dev/null 2>"$scratch/err"
    is "to listen at $address" "$? $(cat "$scratch/err")" "2 loadline-agent: --listen: \"$address\" is not an address and a port of at most 65535"
done
LOADLINE_URL=ftp://x "$agent_program" --dry-run 2>"$scratch/err"
is "an URL that is none" "$? $(cat "$scratch/err")" "2 loadline-agent: LOADLINE_URL: \"ftp://x\" is not a URL as https://loadline.example.com"
"$agent_program" 2>"$scratch/err"
like "without a cluster's name" "$? $(cat "$scratch/err")" '^2 loadline-agent: what is the cluster called\? --cluster ID'
LOADLINE_CLUSTER=x LOADLINE_API_KEY=y "$agent_program" 2>"$scratch/err"
like "outside of a cluster" "$? $(cat "$scratch/err")" '^2 loadline-agent: this is no pod of a cluster .*--kubeconfig'

# ---- --once
# The API server numbers versions anew.
unversioned() { command jq -cS 'del(.metadata.resourceVersion)' | md5sum; }
cluster=whole
agent --once
wait "$agent_pid"
is "--once" "$?" 0
agent_pid=
push raw "$scratch/asked.json"
is "the same, pushed as it is" "$status" 200
is "what arrives is what there is, redacted, object by object" "$(collections whole | unversioned)" "$(collections raw | unversioned)"
isnt "... some" "$(collections whole | wc -l)" 0
is "without a secret" "$(collections whole | grep -cE "$secret|$(printf %s "$secret" | base64)")" 0
api_key=ll_wrong agent --once
wait "$agent_pid"
is "with a wrong key" "$?" 1
agent_pid=
like "... it says why" "$(cat "$scratch/agent.log")" 'a push was not taken .*status=401'
is "... and not the key" "$(grep -c ll_wrong "$scratch/agent.log")" 0

while IFS='|' read -r text why; do
    printf '%b' "$text" >"$scratch/key"
    api_key='' agent --once --api-key-file "$scratch/key"
    wait "$agent_pid"
    like "a file of a key with $why" "$? $(cat "$scratch/agent.log")" "^1 .*error=\"the API key cannot be read: $scratch/key: $why\""
    agent_pid=
done <<'END'
|it is empty
ll_a\nll_b\n|it has more than one line
END
rm "$scratch/key"
api_key='' agent --once --api-key-file "$scratch/key"
wait "$agent_pid"
like "a file of a key that is not there" "$? $(cat "$scratch/agent.log")" "^1 .*error=\"the API key cannot be read: $scratch/key: No such file or directory\""
agent_pid=

# ---- as it runs
cluster=live port=$(free_port)
agent --listen 127.0.0.1:"$port" --interval 1 --changes
ok "the first push is there within 10 seconds" within "$(patient 10)" says live "cart"
is "/healthz" "$(curl -sS "http://127.0.0.1:$port/healthz")" ok
within 5 grep -q pushed "$scratch/agent.log"
metrics=$(curl -sS "http://127.0.0.1:$port/metrics")
like "/metrics" "$metrics" 'loadline_agent_pushes_taken_total 1'
like "... by kind" "$metrics" 'loadline_agent_objects\{kind="ConfigMap"\} 120[0-9]'
is "another path" "$(curl -sS -o /dev/null -w '%{http_code}' "http://127.0.0.1:$port/x")" 404
exec 3<>"/dev/tcp/127.0.0.1/$port"
is "a client that says nothing is in nobody's way" "$(curl -sS -m 5 "http://127.0.0.1:$port/healthz")" ok
exec 3>&-

deployment=$(jq -c '[.items[] | select(.kind == "Deployment" and .metadata.name == "web")][0] // [.items[] | select(.kind == "Deployment")][0]' "$scratch/asked.json")
broken=$(jq -c '.spec.replicas = 7 | .status.replicas = 7 | .status.availableReplicas = 0 | .status.readyReplicas = 0 | .status.updatedReplicas = 7
    | .metadata.name = "fresh" | .metadata.uid = "fresh" | .metadata.namespace = "shop"' <<<"$deployment")
# fresh AVAILABLE: is the Deployment there with so many replicas?
fresh() { collections live | jq -c "select(.kind == \"Deployment\" and .metadata.name == \"fresh\" and .status.availableReplicas == $1)" | grep -q .; }
is_gone() { ! collections live | grep -q '"name":"fresh"'; }
control put "$broken"
ok "a broken Deployment is in the score" within "$(patient 6)" blames live Deployment/fresh
ok "... with its object" fresh 0
control put "$(jq -c '.status.availableReplicas = 7 | .status.readyReplicas = 7' <<<"$broken")"
ok "repaired, likewise" within "$(patient 6)" fresh 7
control delete "$broken"
ok "removed, likewise" within "$(patient 6)" is_gone
sorted() { command jq -cS 'del(.metadata.resourceVersion)' | sort; }
"$agent_program" --kubeconfig "$scratch/kubeconfig" --dry-run 2>"$scratch/err" | jq -c '(.kind | rtrimstr("List")) as $kind
    | .apiVersion as $version | .items[]? | {apiVersion: $version, kind: $kind} + .' | sorted >"$scratch/there"
ok "something is there" [ -s "$scratch/there" ]
is "what the server has by then is what there is" "$(collections live | sorted | md5sum)" "$(md5sum <"$scratch/there")"
like "... and came as changes" "$(curl -sS "http://127.0.0.1:$port/metrics")" 'loadline_agent_pushes_of_changes_total [2-9]'

# ---- what happened while the watches had ended is found when it lists again
control put "$broken"
ok "there again" within "$(patient 6)" fresh 0
bookmarks=$(($(marked) + 1))
within 5 has_marked "$bookmarks" || diag "no bookmark"
before=$(asked '/deployments\?limit')
control compact
control put "$(jq -c '.status.availableReplicas = 5 | .status.readyReplicas = 5' <<<"$broken")"
control compact
ok "changed while nobody could see it" within "$(patient 10)" fresh 5
like "... which came as a change, too: an object is the same text in a list and in a watch" "$(curl -sS "http://127.0.0.1:$port/metrics")" \
    'loadline_agent_pushes_refused_total 0'
bookmarks=$(($(marked) + 1))
within 5 has_marked "$bookmarks" || diag "no bookmark"
control compact
control delete "$broken"
control compact
ok "gone while nobody could see it" within "$(patient 10)" is_gone
ok "... it was listed again" [ "$(asked '/deployments\?limit')" -gt "$before" ]

# ---- an API server that has just started forbids everything, until it has read its roles
# refused_again COUNT: were so many asked for meanwhile?
refused_again() { [ "$(asked '/(deployments|pods)\?')" -ge "$1" ]; }
before=$(asked '/(deployments|pods)\?')
control faults '{"forbidden": ["deployments", "pods"]}'
control drop
within "$(patient 10)" refused_again $((before + 4)) || diag "not asked again"
control faults '{"forbidden": []}'
control put "$broken"
ok "what is forbidden for a moment is not gone" within "$(patient 10)" fresh 0
control delete "$broken"
is "... nor said to be forbidden" "$(grep -c 'may not list' "$scratch/agent.log")" 0

# ---- a kind that comes, and goes
control put '{"apiVersion": "keda.sh/v1alpha1", "kind": "ScaledObject", "metadata": {"name": "so", "namespace": "shop"}, "spec": {}}'
has_so() { collections live | grep -q '"ScaledObject"'; }
has_no_so() { ! has_so; }
ok "a new kind is there within six intervals" within "$(patient 12)" has_so
agent_gone
is "it ends when told" "$agent_status" 0
is "no log was asked for" "$(asked '/log\?')" 0

# ---- what it may not see; clusters of their own tenant, for the plan's sake
account "Blind agents"
control faults '{"forbidden": ["networkpolicies", "configmaps"]}'
cluster=blind
agent --once
wait "$agent_pid"
is "where some kinds are forbidden it goes on" "$?" 0
agent_pid=
like "... and says so" "$(cat "$scratch/agent.log")" 'may not list, so it is left out kind=NetworkPolicy'
ok "the score says that it is not allowed to see" says blind "The agent is not allowed to list networkpolicies"
ok "... of other kinds, too" says blind "The agent is not allowed to list configmaps"
is "what it may see is there, the new kind too" "$(collections blind | wc -l)" \
    "$(jq '[.items[] | select(.kind | IN("NetworkPolicy", "ConfigMap") | not)] | length + 1' "$scratch/asked.json")"
control faults '{"forbidden": [], "unserved": ["rollouts"]}'
cluster=unserved
agent --once
wait "$agent_pid"
agent_pid=
is "a kind that is not served is not asked for" "$(collections unserved | grep -c '"kind":"Rollout"')" 0
is "... nor complained about" "$(messages unserved | grep -c "not allowed")" 0
# ---- what runs it in a cluster passes our own checks; that no cluster is shown is all there is to say
is "etc/kubernetes has no risk" "$("$build/bin/loadline-score" --format json etc/kubernetes | jq -r "[.risks[].check] | unique | join(\" \")")" "evidence-missing insufficient-evidence"
done_testing
