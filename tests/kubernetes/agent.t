#!/bin/bash
# loadline-agent and scripts/push-snapshot at a real API server, with 1,000 pods that kwok keeps alive: what they push is what
# kubectl prints, redacted; changes arrive in time; nothing is stale for more than a minute, whatever ends and comes again.
# LOADLINE_KUBERNETES_PODS says how many pods.
. "$(dirname "$0")/../e2e/lib.sh"
. tests/e2e/agent.sh
. tests/kubernetes/kube.sh
kube_programs
pods=${LOADLINE_KUBERNETES_PODS:-1000}
stack
account "Kubernetes"
cluster=live

kube_start
kube_controllers
kube_nodes $((pods / 100 + 2))

# ---- a cluster with secrets in every place
secret=planted-$RANDOM$RANDOM
encoded=$(printf %s "$secret" | base64)
planted() { grep -cE "$secret|$encoded"; }
kubectl create namespace shop >/dev/null
kubectl create namespace bulk >/dev/null
kubectl apply -k etc/kubernetes >/dev/null
is "etc/kubernetes is taken" "$?" 0
within "$(patient 30)" kubectl -n shop get serviceaccount default
deployment shop cart 4 | kubectl apply -f - >/dev/null
deployment shop web 6 | jq -c --arg secret "$secret" '.spec.template.spec.containers[0] |= (
    .env = [{name: "TOKEN", value: $secret}] | .args = ["--password=\($secret)", "{\"items\": [\"}"])' | kubectl apply -f - >/dev/null
for i in 1 2 3 4; do deployment bulk "bulk$i" $(((pods - 20) / 4)) | kubectl apply -f - >/dev/null; done
kubectl -n shop create secret generic keys --from-literal=key="$secret" >/dev/null
jq -nc --arg secret "$secret" '{apiVersion: "v1", kind: "List", items: [range(1200) | {apiVersion: "v1", kind: "ConfigMap",
    metadata: {name: "c\(.)", namespace: "bulk"}, data: {key: $secret}}]}' | kubectl create -f - >/dev/null
all_run() { [ "$(kubectl get pods -A --no-headers | grep -c ' Running ')" -eq $(((pods - 20) / 4 * 4 + 11)) ]; }
within "$(patient 120)" all_run || diag "not all pods run: $(kubectl get pods -A --no-headers | awk '{print $4}' | sort | uniq -c)"

# ---- the account of etc/kubernetes
like "the account may not see Secrets" "$(kubectl auth can-i list secrets -A --as=system:serviceaccount:loadline:loadline-agent)" '^no'
like "... nor change anything" "$(kubectl auth can-i patch deployments -A --as=system:serviceaccount:loadline:loadline-agent)" '^no'
account_of "$scratch/account"
began=$(date +%s%N)
pod_agent "$scratch/account" --verbose
pushed_whole() { [ "$(collections live | grep -c '"kind":"Pod"')" -ge $((pods - 20)) ]; }
ok "the first push is there within 10 seconds of the agent's start" within "$(patient 10)" pushed_whole
diag "first push after $((($(date +%s%N) - began) / 1000000)) ms, $(collections live | wc -l) objects"
is "nothing that a check reads is kept from it" "$(grep -c 'may not list' "$scratch/agent.log")" 0

# ---- a change in the score
score_below() { [ "$(score_of live)" -lt "$1" ]; }
score_above() { [ "$(score_of live)" -gt "$1" ]; }
well=$(score_of live)
# Recreate: its pods go, and no node has room for new ones. That the template has changed lately costs a point or two.
took() { diag "$1 after $((($(date +%s%N) - began) / 1000000)) ms"; }
for workload in cart web; do
    began=$(date +%s%N)
    kubectl -n shop set resources deployment "$workload" --requests=cpu=1000 --limits=cpu=1000 >/dev/null
    ok "a Deployment that was broken is in the score within 15 seconds: $workload" within "$(patient 15)" score_below $((well - 10))
    took "broken: $workload"
    began=$(date +%s%N)
    kubectl -n shop set resources deployment "$workload" --requests=cpu=10m --limits=cpu=1 >/dev/null
    ok "repaired, likewise: $workload" within "$(patient 15)" score_above $((well - 5))
    took "repaired: $workload"
done

# ---- from here on a label says what time it is, and how old what arrives may be is measured
cat >"$scratch/beats.sh" <<'END'
while sleep 2; do
    now=$(date +%s%N)
    kubectl -n shop label --overwrite deployment cart "beat=$now" >/dev/null 2>&1 && echo "$now"
done
END
bash "$scratch/beats.sh" >"$scratch/beats" &
beats_pid=$!
seen() {
    curl -sS --compressed "$base_url/api/cluster?id=live&include=deployments" -H "Authorization: Bearer $token" |
        jq -r '.deployments[] | select(.metadata.name == "cart") | .metadata.labels.beat // empty'
}
(while sleep 1; do echo "$(date +%s%N) $(seen)"; done) >"$scratch/seen" &
seen_pid=$!
# arrives NAME: is a ConfigMap there, and of now?
arrives() { collections live | grep -q "\"name\":\"$1\""; }
config_map() { kubectl -n shop create configmap "$1" >/dev/null; }
is_gone() { ! arrives "$1"; }

kube_end kube-apiserver KILL
sleep 3
kube_again kube-apiserver
kube_wait
config_map after-kill
ok "an API server that was killed is followed" within "$(patient 60)" arrives after-kill

kubectl -n loadline create secret generic bound --from-literal=x=y >/dev/null
account_of "$scratch/account" --bound-object-kind Secret --bound-object-name bound
kube_end kube-apiserver # so that all watches begin with that token
kube_again kube-apiserver
kube_wait
config_map bound-token
ok "a token that was replaced is taken up" within "$(patient 60)" arrives bound-token
kubectl -n loadline delete secret bound >/dev/null
account_of "$scratch/account"
config_map other-token
ok "one that was revoked, likewise" within "$(patient 60)" arrives other-token

kube_end kube-apiserver
kube_certificate
cp "$kube/ca.pem" "$scratch/account/ca.crt"
kube_again kube-apiserver
kube_wait
config_map after-certificate
ok "another certificate, of another authority, is taken up" within "$(patient 60)" arrives after-certificate
for name in kube-controller-manager kube-scheduler kwok; do kube_end "$name"; kube_again "$name"; done # they read it once

# What happened while the agent was away is nowhere to be read again.
kill -STOP "$agent_pid"
kubectl -n shop delete configmap after-kill >/dev/null
kube_end kube-apiserver KILL
kube_compact
kube_again kube-apiserver
kube_wait
kubectl -n shop delete configmap bound-token >/dev/null
kube_compact
kill -CONT "$agent_pid"
ok "what was deleted before a compaction is gone" within "$(patient 60)" is_gone after-kill
ok "... and after it" within "$(patient 60)" is_gone bound-token
config_map after-compaction
ok "... and what is new is there" within "$(patient 30)" arrives after-compaction

# ---- a kind that comes and goes
kubectl apply -f - >/dev/null <<'END'
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: scaledobjects.keda.sh}
spec:
  group: keda.sh
  names: {kind: ScaledObject, plural: scaledobjects, singular: scaledobject, listKind: ScaledObjectList}
  scope: Namespaced
  versions:
    - {name: v1alpha1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
END
kubectl wait --for=condition=Established crd/scaledobjects.keda.sh --timeout=30s >/dev/null
scaled() {
    echo '{"apiVersion": "keda.sh/v1alpha1", "kind": "ScaledObject", "metadata": {"name": "scaled", "namespace": "shop"}, "spec": {}}' | kubectl apply -f -
}
within 30 scaled || diag "the new kind takes no object"
ok "a kind that is new is there within a minute" within "$(patient 75)" arrives scaled
kubectl delete crd scaledobjects.keda.sh >/dev/null
ok "... and is gone again" within "$(patient 75)" is_gone scaled

kill "$beats_pid" "$seen_pid"
wait "$beats_pid" "$seen_pid" 2>/dev/null
# Of each beat that was written a minute and more before the end: when was it, or a later one, there first?
age() {
    awk 'NR == FNR { beats[++n] = $1; next } { at[++m] = $1; saw[m] = $2 }
         END { j = 1
               for (i = 1; i <= n; i++) {
                   while (j <= m && saw[j] < beats[i]) j++
                   if (j <= m) { late = (at[j] - beats[i]) / 1e9; if (late > worst) worst = late }
                   else if (at[m] - beats[i] > 60e9) { worst = 9999 } }
               printf "%d\n", worst }' "$scratch/beats" "$scratch/seen"
}
below "nothing was stale for more than a minute: $(wc -l <"$scratch/beats") beats, the oldest so many seconds" "$(age)" 61
agent_gone
is "it ends when told" "$agent_status" 0
is "the log has no token" "$(grep -cF "$(cat "$scratch/account/token")" "$scratch/agent.log")" 0

# ---- the same as kubectl prints, while the cluster holds still
kubectl -n shop rollout status deployment/web --timeout=60s >/dev/null
kube_signal STOP kwok kube-controller-manager kube-scheduler
sleep 1
cluster=whole
pod_agent "$scratch/account" --once
wait "$agent_pid"
is "--once" "$?" 0
agent_pid=
LOADLINE_URL=$base_url LOADLINE_API_KEY=$api_key python3 - scripts/push-snapshot pages >"$scratch/pages.json" 2>"$scratch/pages.err" <<'END'
import resource, subprocess, sys
status = subprocess.call(sys.argv[1:])
print("\nmebibytes:", resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024, file=sys.stderr)
sys.exit(status)
END
is "scripts/push-snapshot in pages" "$?" 0
below "... with MiB of memory" "$(sed -n 's/^mebibytes: //p' "$scratch/pages.err")" 150
isnt "something arrives" "$(collections whole | wc -l)" 0
is "what arrives of both is the same, object by object" "$(collections whole | md5sum)" "$(collections pages | md5sum)"
collections whole >"$scratch/whole"
collections pages >"$scratch/pages"
diff "$scratch/whole" "$scratch/pages" | head -4 | cut -c1-400 | while IFS= read -r line; do diag "$line"; done
risks_of() {
    get "/api/cluster?id=$1&include=risks"
    json '.risks[] | [.check, .namespace, .resource, .container] | map(. // "-") | join(" ")' | sort
}
risks_of whole >"$scratch/whole.risks" # one after the other: answers are in one file
risks_of pages >"$scratch/pages.risks"
is "... and so are the risks: a credential that the agent cuts out in the cluster leaves a mark" \
    "$(diff "$scratch/whole.risks" "$scratch/pages.risks" | sed -n 's/^[<>] //p' | cut -d' ' -f1 | sort -u)" ""
is "... of which there is one" "$(grep -c plaintext-credential-env "$scratch/pages.risks")" "$(grep -c plaintext-credential-env "$scratch/whole.risks")"
isnt "... at least" "$(grep -c plaintext-credential-env "$scratch/pages.risks")" 0
# What kubectl prints of each kind, whole, in one piece.
for kind in pods services serviceaccounts configmaps namespaces nodes deployments replicasets controllerrevisions roles rolebindings \
    clusterroles clusterrolebindings endpointslices events apiservices priorityclasses resourcequotas; do
    kubectl get "$kind" -A -o json
done | gzip -1 >"$scratch/printed.gz"
push live "$scratch/printed.gz" # a plan has three clusters
of_these='select(.kind | IN("Pod", "Service", "ServiceAccount", "ConfigMap", "Namespace", "Node", "Deployment", "ReplicaSet", "ControllerRevision",
    "Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding", "EndpointSlice", "Event", "APIService", "PriorityClass", "ResourceQuota"))
    | del(.metadata.managedFields)' # kubectl leaves these out
diff <(collections whole | jq -c "$of_these") <(collections live | jq -c "$of_these") | head -4 | cut -c1-400 | while IFS= read -r line; do diag "$line"; done
is "... and as kubectl prints it" "$(collections whole | jq -c "$of_these" | md5sum)" "$(collections live | jq -c "$of_these" | md5sum)"
is "as many as there are" "$(collections whole | jq -c 'select(.kind == "Pod")' | wc -l)" "$(kubectl get pods -A --no-headers | wc -l)"
is "without a secret" "$(cat <(collections whole) <(collections pages) <(collections live) | planted)" 0
KUBERNETES_SERVICE_HOST=127.0.0.1 KUBERNETES_SERVICE_PORT=$kube_port LOADLINE_ACCOUNT=$scratch/account "$agent_program" --dry-run >"$scratch/dry.json" 2>/dev/null
is "... and none would leave" "$(jq -s '[.[].items[]] | length > '"$pods" "$scratch/dry.json") $(planted <"$scratch/dry.json")" "true 0"

# ---- what it is not allowed to see; a tenant of its own, for the plan's sake
account "Blind"
cluster=blind
kubectl get clusterrole loadline-agent -o json | jq 'del(.rules[].resources[] | select(IN("networkpolicies", "configmaps")))
    | .rules |= map(select(.resources | length > 0))' | kubectl replace -f - >/dev/null
pod_agent "$scratch/account" --once
wait "$agent_pid"
is "with a smaller role it goes on" "$?" 0
agent_pid=
for kind in networkpolicies configmaps; do
    ok "the score says that it is not allowed to see $kind" says blind "The agent is not allowed to list $kind"
done
is "... which are not there" "$(collections blind | grep -cE '"kind":"(NetworkPolicy|ConfigMap)"')" 0
is "... as the others are" "$(collections blind | jq -c 'select(.kind == "Pod")' | wc -l)" "$(kubectl get pods -A --no-headers | wc -l)"
done_testing
