#!/bin/bash
# What is asked of a cluster, by scripts/push-snapshot and the pipe of the README, against the kinds that are
# read (kinds.def): what is read and never pushed is never judged.
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

kinds=$(sed -n 's/^KIND([A-Z]*, *"[A-Za-z]*", *"\([a-z]\{1,\}\)", *"\([^",]*\).*/\1 \2/p' lib/kube/kinds.def | sort)
ok "kinds were found" [ "$(wc -l <<<"$kinds")" -gt 40 ]
# What every cluster has; the groups of the others are named by their owners.
everywhere() {
    awk '$2 !~ /\./ || $2 ~ /\.k8s\.io$/ && $2 !~ /^(metrics|gateway\.networking)\.k8s\.io$/ { print $1 }' <<<"$kinds"
}

# ---- scripts/push-snapshot, with a kubectl that notes what it is asked for and a curl that goes nowhere
cat >"$scratch/kubectl" <<END
#!/bin/sh
[ "\$1" != api-resources ] || exec cat "$scratch/resources"
echo "\$3" >>"$scratch/asked"
echo '{"kind":"List","items":[{}]}'
END
printf '%s\n' '#!/bin/sh' 'exit 7' >"$scratch/curl"
chmod +x "$scratch/kubectl" "$scratch/curl"

# asked ARGUMENT...: the kinds that it asks for, by their plurals. The API calls PodMetrics pods, and NodeMetrics nodes.
asked() {
    rm -f "$scratch/asked"
    PATH=$scratch:$PATH LOADLINE_API_KEY=x scripts/push-snapshot "$@" --tries 1 cluster >/dev/null 2>&1
    sed 's|^/apis/metrics.k8s.io/v1/pods?.*|podmetrics|; s|^/apis/metrics.k8s.io/v1/nodes?.*|nodemetrics|; s|?.*||; s|.*/||' \
        "$scratch/asked" | sort
}

# differ GOT EXPECTED: what only one of them has, sorted lines both.
differ() {
    comm -3 <(echo "$1") <(echo "$2") | sed -E 's/^\t(.*)/\1 is not asked for/; t; s/$/ is asked for/'
}

# Kinds that it does not ask for:
#   endpoints   EndpointSlices say the same, and Endpoints are deprecated
#   secrets     only with --secrets
unasked="endpoints secrets"
# without LINES WORDS
without() {
    grep -vxF "$(tr ' ' '\n' <<<"$2")" <<<"$1"
}

# resources PLURAL GROUP, lines: as kubectl api-resources prints them, some with a short name.
resources() {
    awk '{ print $1 (NR % 2 ? " x" : ""), ($2 == "core" ? "v1" : $2 "/v1"), "true", "Kind" }' | sed 's/^podmetrics/pods/; s/^nodemetrics/nodes/'
}
{ grep -E "^($(everywhere | paste -sd'|')) " <<<"$kinds"; printf '%s\n' "nodes metrics.example.com" "ingresses config.openshift.io" "rollouts example.com"; } |
    resources >"$scratch/resources"
empty "push-snapshot asks every cluster for what every cluster has" "$(differ "$(asked)" "$(without "$(everywhere)" "$unasked")")"
empty "and for Secrets, when told" "$(differ "$(asked --secrets)" "$(without "$(everywhere)" endpoints)")"
resources <<<"$kinds" >"$scratch/resources"
all=$(cut -d' ' -f1 <<<"$kinds")
empty "where the cluster has all of them, for all" "$(differ "$(asked)" "$(without "$all" "$unasked")")"

# ---- the agent, which names no kinds: its role has them, but for leases, which it reads in one namespace
# may_list: the plurals of the kinds that the ClusterRole lets it list; of metrics as above
may_list() {
    awk '$1 == "kind:" { cluster = $2 == "ClusterRole" }
        $1 == "-" && $2 == "apiGroups:" { group = $3 }
        cluster && $1 == "resources:" {
            sub(/.*\[/, ""); sub(/\].*/, ""); n = split($0, names, /, */)
            for (i = 1; i <= n; i++) {
                if (group ~ /"metrics\.k8s\.io"/) sub(/s$/, "metrics", names[i])
                print names[i] " " group
            }
        }' etc/kubernetes/access.yaml | sed 's/ \[""\]/ core/; s/ \["\(.*\)"\]/ \1/' | sort
}
empty "the agent's role lets it list all but those, and Secrets never" \
    "$(differ "$(may_list)" "$(grep -vE '^(endpoints|secrets|leases) ' <<<"$kinds" | sed 's/ \([^,]*\),.*/ \1/' | sort)")"
is "it may get, list and watch, and nothing else" "$(grep 'verbs:' etc/kubernetes/access.yaml | sort -u | sed 's/^ *//')" "verbs: [get, list, watch]"
is "leases of nodes alone" "$(grep -c 'resources: \[leases\]' etc/kubernetes/access.yaml) $(grep -c 'namespace: kube-node-lease' etc/kubernetes/access.yaml)" "1 2"

# ---- the pipe of the README
declare -A short=([po]=pods [deploy]=deployments [rs]=replicasets [sts]=statefulsets [ds]=daemonsets [job]=jobs
    [cj]=cronjobs [svc]=services [ep]=endpoints [ing]=ingresses [netpol]=networkpolicies [pdb]=poddisruptionbudgets
    [hpa]=horizontalpodautoscalers [sa]=serviceaccounts [cm]=configmaps [pvc]=persistentvolumeclaims
    [quota]=resourcequotas [limits]=limitranges [no]=nodes [ns]=namespaces [ev]=events [co]=clusteroperators
    [mcp]=machineconfigpools [roles]=roles [rolebindings]=rolebindings [clusterroles]=clusterroles
    [clusterrolebindings]=clusterrolebindings)
# Its commands, from the one with the long list to the one that packs.
words=$(sed -n '/kubectl get po,deploy/,/gzip/p' README.md | sed -n 's/.*kubectl get \([a-z,]*\) -A.*/\1/p; s/.*for kind in \([a-z ]*\);.*/\1/p' | tr ', ' '\n')
readme=$(for word in $words; do echo "${short[$word]:-$word: what is it short for?}"; done | sort)

# Kinds that it does not ask for, so that it stays a line that people can read:
unasked="endpointslices"                                          # it asks for Endpoints: a short name
unasked+=" deploymentconfigs rollouts scaledobjects podmetrics nodemetrics"   # kubectl fails for all where there is no such kind
unasked+=" replicationcontrollers"                                # few have any
unasked+=" secrets"                                               # nobody sends these without being told
unasked+=" leases"                                                # of all namespaces most are not of nodes
unasked+=" persistentvolumes storageclasses priorityclasses"      # of the cluster: a check or two each
unasked+=" validatingwebhookconfigurations mutatingwebhookconfigurations apiservices"
unasked+=" controllerrevisions"                                   # ReplicaSets tell the history of most
unasked+=" clusterversions routes securitycontextconstraints"     # ClusterOperators tell most of OpenShift
unasked+=" gateways httproutes grpcroutes certificates applications kustomizations helmreleases" # as the first
unasked+=" certificatesigningrequests"                            # of the cluster: one check
empty "the README's pipe asks for all kinds but those" "$(differ "$readme" "$(without "$all" "$unasked")")"
done_testing
