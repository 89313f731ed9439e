#!/bin/bash
# The Helm chart of the agent: what Helm makes of it is what kustomize makes of etc/kubernetes, it passes our own checks
# whatever is set, wrong values are refused, and a real API server takes it.
. "$(dirname "$0")/../e2e/lib.sh"
. tests/e2e/agent.sh
. tests/kubernetes/kube.sh
kube_programs
helm_programs=$(tests/kubernetes/programs helm) || exit 1
chart=etc/helm/loadline-agent
helm() { HOME=$scratch "$helm_programs/helm" "$@"; }

# objects FILE: one a line
objects() { tests/yaml_to_json.py "$1" | command jq -cS '.[] | select(. != null)' | sort; }
# rendered [helm's options]: $scratch/rendered.yaml
rendered() { helm template loadline-agent $chart "$@" >"$scratch/rendered.yaml" 2>"$scratch/helm.err"; }
# value FILTER: of the Deployment's pod
value() { objects "$scratch/rendered.yaml" | jq -c "select(.kind == \"Deployment\") | .spec.template.spec | $1"; }

ok "helm lint" helm lint --strict $chart
rendered
is "helm template" "$? $(cat "$scratch/helm.err")" "0 "
kubectl kustomize etc/kubernetes >"$scratch/kustomized.yaml"
is "what Helm makes is what kustomize makes, object by object" "$(objects "$scratch/rendered.yaml")" "$(objects "$scratch/kustomized.yaml")"
is "... some" "$(objects "$scratch/rendered.yaml" | wc -l)" 8

# with logs
mkdir "$scratch/logs"
cp -r etc/kubernetes/. "$scratch/logs"
sed -i 's/^#\(components:\|  - with-logs\)$/\1/' "$scratch/logs/kustomization.yaml"
kubectl kustomize "$scratch/logs" >"$scratch/kustomized.yaml"
rendered --set logs=true
is "with logs, likewise" "$(objects "$scratch/rendered.yaml")" "$(objects "$scratch/kustomized.yaml")"
is "... two more" "$(objects "$scratch/rendered.yaml" | grep -c loadline-agent-logs) $(value '.containers[0].args[-1]')" '2 "--logs"'

# ---- what can be set
digest=sha256:$(printf '0%.0s' {1..64})
everything=(--set 'interval=5,changes=true,rbac.without={configmaps,leases,validatingwebhookconfigurations,mutatingwebhookconfigurations}'
    --set "image.digest=$digest,image.pullPolicy=Always,image.pullSecrets={registry},ca.configMap=roots,priorityClass=high"
    --set 'proxy.url=http://proxy:3128,proxy.except=.example.com,nodeSelector.disk=ssd,podAnnotations.a=b,name=other,namespace.name=here'
    --set 'tolerations[0].key=x,tolerations[0].operator=Exists,apiKey.secret=keys,apiKey.key=one,networkPolicy.create=false')
rendered "${everything[@]}"
is "all that can be set" "$? $(cat "$scratch/helm.err")" "0 "
is "... arguments" "$(value '.containers[0].args | join(" ")')" '"--listen 0.0.0.0:8081 --interval 5 --changes"'
is "... environment" "$(value '.containers[0].env[2:] | map(.value) | join(" ")')" \
    "\"/etc/loadline/api-key /etc/loadline-ca/ca.crt http://proxy:3128 http://proxy:3128 \$(KUBERNETES_SERVICE_HOST),.example.com\""
is "... image" "$(value '[.containers[0].image, .containers[0].imagePullPolicy, .imagePullSecrets[0].name] | join(" ")')" \
    "\"registry.example.com/loadline-agent@$digest Always registry\""
is "... pod" "$(value '[.priorityClassName, .nodeSelector.disk, .tolerations[0].key, .serviceAccountName] | join(" ")')" '"high ssd x other"'
is "... volumes" "$(value '[.volumes[0].secret.secretName, .volumes[0].secret.items[0].key, .volumes[1].configMap.name] | join(" ")')" '"keys one roots"'
is "... the kinds are not in the role, nor is a rule without any" "$(objects "$scratch/rendered.yaml" |
    jq -c 'select(.kind | IN("ClusterRole", "Role")) | .rules[] | select((.resources | length == 0) or (.resources | any(IN("configmaps", "leases"))))')" ""
is "... names and namespaces" "$(objects "$scratch/rendered.yaml" | jq -r '[.kind, .metadata.namespace, .metadata.name] | map(. // "-") | join(" ")' | sort | paste -sd';')" \
    "ClusterRole - other;ClusterRoleBinding - other;Deployment here other;Namespace - here;ServiceAccount here other"
rendered --namespace loadline
is "the namespace of the release is not made" "$(objects "$scratch/rendered.yaml" | grep -c '"kind":"Namespace"')" 0
rendered --set namespace.create=false
is "... nor one that is there" "$(objects "$scratch/rendered.yaml" | grep -c '"kind":"Namespace"')" 0

# Without its policy anything may reach a pod, and a policy that is not there is a risk: that is asked for.
for set in interval=10 interval=5,changes=true logs=true image.digest="$digest",ca.configMap=roots proxy.url=http://proxy:3128 'rbac.without={configmaps}'; do
    rendered --set "$set"
    is "no risk with $set" "$("$build/bin/loadline-score" --format json "$scratch/rendered.yaml" | jq -r "[.risks[].check] | unique | join(\" \")")" \
        "evidence-missing insufficient-evidence"
done

while IFS='|' read -r set complaint; do
    rendered --set "$set"
    like "refused: $set" "$? $(cat "$scratch/helm.err")" "^1 .*$complaint"
done <<'END'
interval=0|interval: Must be greater than or equal to 1
interval=61|interval: Must be less than or equal to 60
interval=ten|interval: Invalid type
url=loadline.example.com|url: Does not match
cluster=a b|cluster: Does not match
cluster=|cluster: Does not match
image.digest=sha256:12|image.digest: Does not match
image.repository=a b|image.repository: Does not match
namespace.name=Shop|namespace.name: Does not match
namespace.name=a b|namespace.name: Does not match
rbac.without={Secret}|rbac.without.0: Does not match
apiKey.value=ll_x|apiKey: Additional property value is not allowed
intervall=5|Additional property intervall is not allowed
END

# ---- a real API server
kube_start
release() { helm "$@" >"$scratch/helm.out" 2>&1; }
# there: the chart's objects that the API server has
there() {
    kubectl get -A -o name namespace,serviceaccount,clusterrole,clusterrolebinding,role,rolebinding,deployment,networkpolicy 2>/dev/null |
        grep -E 'loadline' | sort | paste -sd' '
}
all="clusterrole.rbac.authorization.k8s.io/loadline-agent clusterrolebinding.rbac.authorization.k8s.io/loadline-agent deployment.apps/loadline-agent"
all+=" namespace/loadline networkpolicy.networking.k8s.io/loadline-agent role.rbac.authorization.k8s.io/loadline-agent"
all+=" rolebinding.rbac.authorization.k8s.io/loadline-agent serviceaccount/loadline-agent"
node_lease() { kubectl get namespace kube-node-lease; }
within "$(patient 20)" node_lease || diag "no kube-node-lease"
release install loadline-agent $chart
is "helm install" "$? $(there)" "0 $all"
like "... says what is still to be done" "$(cat "$scratch/helm.out")" 'kubectl -n loadline create secret generic loadline-agent --from-file=api-key=FILE'
# may VERB KIND [OPTION], may_not: the account; the API server takes a moment to know its roles
may() { [[ $(kubectl auth can-i "$@" -A --as=system:serviceaccount:loadline:loadline-agent) = yes ]]; }
may_not() { ! may "$@"; }
ok "the account may list pods" within "$(patient 5)" may list pods
ok "... and no Secrets" may_not list secrets
release upgrade loadline-agent $chart --set interval=5 --set 'rbac.without={pods}'
is "helm upgrade" "$? $(there)" "0 $all"
is "... changes what it runs" "$(kubectl -n loadline get deployment loadline-agent -o jsonpath='{.spec.template.spec.containers[0].args}')" \
    '["--listen","0.0.0.0:8081","--interval","5"]'
ok "... and what it may see" within "$(patient 5)" may_not list pods
ok "it may not read logs" may_not get pods --subresource=log
release upgrade loadline-agent $chart --set logs=true
ok "it may read logs when told" within "$(patient 5)" may get pods --subresource=log
release upgrade loadline-agent $chart --set logs=false # without values Helm takes those of before
ok "... and no longer" within "$(patient 5)" may_not get pods --subresource=log
release uninstall loadline-agent
is "helm uninstall leaves at most a namespace that is ending" "$? $(there)" "0 $(kubectl get namespace loadline -o name --ignore-not-found)"
release install loadline-agent $chart --namespace mine --create-namespace --set namespace.name=mine
is "in the namespace of the release" "$? $(kubectl -n mine get deployment -o name)" "0 deployment.apps/loadline-agent"
like "... whose labels are somebody else's, it says" "$(cat "$scratch/helm.out")" 'kubectl label namespace mine pod-security.kubernetes.io/enforce=restricted'
done_testing
