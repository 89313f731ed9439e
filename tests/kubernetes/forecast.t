#!/bin/bash
# The gate's forecast against the truth: more than a hundred changes are asked about, applied to a real API server whose pods
# kwok keeps alive, and pushed by the agent. What the API alone decides must be as it was told.
# LOADLINE_KUBERNETES_ONLY: a regular expression of changes to try. LOADLINE_KUBERNETES_KEEP: a file for what was found.
. "$(dirname "$0")/../e2e/lib.sh"
. tests/e2e/agent.sh
. tests/kubernetes/kube.sh
kube_programs
own_stack --set manifest_limit=0/60
account "Forecast"
cluster=forecast

kube_start
kube_controllers
kube_nodes 3
kubectl apply -k etc/kubernetes >/dev/null
account_of "$scratch/account"
for name in shop limited restricted; do kubectl create namespace "$name" >/dev/null; done
kubectl label namespace restricted pod-security.kubernetes.io/enforce=restricted >/dev/null
kubectl -n limited create quota memory --hard=limits.memory=1Gi >/dev/null

# The sample as a client writes it, with the accounts that its pods name. Autoscalers need metrics that nobody has here.
jq -c '[.items[] | select(.kind | IN("Deployment", "StatefulSet", "DaemonSet", "Service", "ServiceAccount", "ConfigMap", "NetworkPolicy",
        "PodDisruptionBudget", "Ingress", "Role", "RoleBinding", "CronJob", "Secret", "Namespace"))
    | select(.kind != "Namespace" or .metadata.name == "shop")
    | select(.kind != "Secret" or .type != "kubernetes.io/service-account-token")
    | del(.status, .metadata.uid, .metadata.resourceVersion, .metadata.creationTimestamp, .metadata.generation, .metadata.managedFields, .metadata.ownerReferences)
    | del(.spec.clusterIP?, .spec.clusterIPs?)
    | if .metadata.annotations then .metadata.annotations |= with_entries(select(.key | contains("kubernetes.io/") | not)) else . end] as $things
    | $things + ([$things[] | {name: (.spec.template.spec.serviceAccountName? // empty), namespace: .metadata.namespace}] | unique
        - [$things[] | select(.kind == "ServiceAccount") | .metadata | {name, namespace}]
        | map({apiVersion: "v1", kind: "ServiceAccount", metadata: .}))' \
    etc/sample/shop.json >"$scratch/things.json"
jq -c '.[] | select(.kind != "CronJob")' "$scratch/things.json" | kubectl apply --server-side --field-manager=test --force-conflicts -f - >"$scratch/applied" 2>&1 ||
    diag "not all of the sample is taken: $(grep "^Error" "$scratch/applied" | head -5)"
jq -nc '{apiVersion: "v1", kind: "PersistentVolume", metadata: {name: "data"}, spec: {capacity: {storage: "1Ti"}, accessModes: ["ReadWriteOnce"],
    hostPath: {path: "/data"}, storageClassName: "", claimRef: {namespace: "shop", name: "data-postgres-0"}}}' | kubectl apply -f - >/dev/null
all_up() { ! kubectl get deployments,statefulsets,daemonsets -A -o json | jq -c '.items[] | select(.kind == "DaemonSet" and .status.numberAvailable != 3
    or .kind != "DaemonSet" and .status.readyReplicas != .spec.replicas)' | grep -q .; }
within "$(patient 60)" all_up || diag "not all is up: $(kubectl get deployments,statefulsets,daemonsets,pods,pvc -A | grep -v Running)"

# That something was deployed lately costs points for a day, and that it was undone; here everything is, all the time.
for check in recent-image-change recent-template-change recent-scale-change rollback-detected rollback-frequent rollout-frequent; do
    ask POST /api/exemptions "{\"check\": \"$check\", \"allClusters\": true, \"reason\": \"a test\", \"owner\": \"test\", \"expires\": \"$(date -ud +2days +%F)\"}"
    [ "$status" = 201 ] || diag "no exemption of $check: $status $body"
done

LOADLINE_URL=$base_url LOADLINE_API_KEY=$api_key LOADLINE_TOKEN=$token LOADLINE_CLUSTER=$cluster KUBE_PORT=$kube_port KUBE_TOKEN=$kube_token \
    KUBE_CA=$kube/ca.pem KUBERNETES_SERVICE_HOST=127.0.0.1 KUBERNETES_SERVICE_PORT=$kube_port LOADLINE_ACCOUNT=$scratch/account \
    PUSH="$agent_program --once" python3 tests/kubernetes/forecast.py "$scratch/things.json" "${LOADLINE_KUBERNETES_ONLY-}" >"$scratch/lines" 2>"$scratch/err"
is "all changes were tried" "$? $(cat "$scratch/err")" "0 "
[ -z "${LOADLINE_KUBERNETES_KEEP-}" ] || cp "$scratch/lines" "$LOADLINE_KUBERNETES_KEEP"
# What a snapshot of the agent never shows: what is in a ConfigMap is cut out in the cluster, so only the manifest has the
# credential. docs/scoring.md tells it apart.
unseen='a credential: configmap'
while IFS= read -r line; do
    name=$(jq -r .name <<<"$line")
    if [ "$(jq -c '.refused != null' <<<"$line")" = true ]; then
        is "refused: $name" "$(jq -r '.said | join(" ")' <<<"$line")" change-selector-refused
    elif [ "$(jq '.stuck | length' <<<"$line")" -gt 0 ]; then
        like "it does not come up, and that is said: $name" "$(jq -r '.said | join(" ")' <<<"$line")" '^change-(fits-no-node|exceeds-quota|pods-refused)$'
    elif [[ $name =~ $unseen ]]; then
        ok "not worse than told: $name" jq -e '.after >= .predicted and ([.differences[] | select(.[0] == "told") | .[2]] - ["plaintext-credential-configmap"] == [])' <<<"$line"
    elif [[ $name = "undone: more than a node has"* ]]; then
        ok "what is down stays down: $name" jq -e '.after > .predicted' <<<"$line"
    else
        is "$name" "$(jq -c .after <<<"$line")" "$(jq -c .predicted <<<"$line")" || diag "$(jq -c .differences <<<"$line")"
    fi
done <"$scratch/lines"
[ -n "${LOADLINE_KUBERNETES_ONLY-}" ] || isnt "more than a hundred changes" "$(($(wc -l <"$scratch/lines") > 100))" 0
diag "$(jq -sr '"\(length) changes, \([.[] | select(.after == .predicted)] | length) exactly as told"' "$scratch/lines")"
done_testing
