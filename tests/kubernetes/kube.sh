# shellcheck shell=bash disable=SC2154,SC2034 # lib.sh sets scratch, and tests read what is set here
# kube.sh: a real Kubernetes API on 127.0.0.1: etcd, API server, controller manager, scheduler, and kwok in place of
# kubelets. Sourced after tests/e2e/lib.sh and agent.sh, below whose $scratch it lives. All of it ends with the test.
#
#   kube_programs          finds or builds the programs (tests/kubernetes/programs); sets kube_programs
#   kube_start             certificates, tokens, etcd, API server; kubectl is the administrator from then on
#   kube_controllers       the others
#   kube_nodes COUNT       so many nodes of 32 cores, 110 pods each
#   kube_end NAME [SIGNAL] ends one of etcd, kube-apiserver, kube-controller-manager, kube-scheduler, kwok
#   kube_again NAME        starts it again with the options of before
#   kube_signal SIGNAL NAME...   sends a signal to each
#   kube_certificate       makes an authority and a certificate of it for the API server anew
#   kube_compact           forgets in etcd what happened before now
#   account_of DIRECTORY [kubectl create token's options]
#                          a directory as a pod of the agent has it; its token is made anew
#   pod_agent DIRECTORY [OPTION]...   an agent of $cluster that runs as if in a pod with that directory; see agent()
#   deployment NAMESPACE NAME REPLICAS   prints one that is well made

kube_names="kwok kube-scheduler kube-controller-manager kube-apiserver etcd"
declare -A kube_pid=() kube_options=()

kube_gone() {
    local name
    for name in $kube_names; do kube_end "$name" KILL; done
    started_gone
}
trap kube_gone EXIT

kube_programs() {
    command -v kubectl >/dev/null || skip_all "there is no kubectl"
    kube_programs=$(tests/kubernetes/programs) || exit 1
}

kube_launch() {
    local name=$1
    shift
    kube_options[$name]=$*
    HOME=$kube "$kube_programs/$name" "$@" >>"$kube/$name.log" 2>&1 </dev/null &
    kube_pid[$name]=$!
    disown
}

kube_again() {
    # shellcheck disable=SC2086 # options without blanks
    kube_launch "$1" ${kube_options[$1]}
}

kube_end() {
    local pid=${kube_pid[$1]-} tries=200
    [ -n "$pid" ] || return 0
    kill "-${2:-TERM}" "$pid" 2>/dev/null
    while kill -0 "$pid" 2>/dev/null; do
        [ $((tries--)) -gt 0 ] || kill -KILL "$pid" 2>/dev/null
        sleep 0.05
    done
    unset "kube_pid[$1]"
}

kube_signal() {
    local name signal=$1
    shift
    for name; do kill "-$signal" "${kube_pid[$name]}"; done
}

kube_certificate() {
    rm -f "$kube/ca.key"
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj "/CN=test $RANDOM" -keyout "$kube/ca.key" -out "$kube/ca.pem" 2>/dev/null
    openssl req -newkey rsa:2048 -nodes -subj /CN=kube-apiserver -keyout "$kube/api.key" -out "$kube/api.csr" 2>/dev/null
    openssl x509 -req -in "$kube/api.csr" -CA "$kube/ca.pem" -CAkey "$kube/ca.key" -CAcreateserial -days 2 -out "$kube/api.pem" \
        -extfile <(echo "subjectAltName=IP:127.0.0.1,IP:10.96.0.1,DNS:kubernetes.default.svc") 2>/dev/null
}

kube_config() {
    cat >"$kube/config" <<-END
	apiVersion: v1
	kind: Config
	clusters: [{name: test, cluster: {server: "https://127.0.0.1:$kube_port", certificate-authority: ca.pem}}]
	users: [{name: admin, user: {token: $kube_token}}]
	contexts: [{name: test, context: {cluster: test, user: admin}}]
	current-context: test
	END
    export KUBECONFIG=$kube/config
}

kube_is_ready() { kubectl get --raw /readyz; }

kube_wait() {
    within "$(patient 60)" kube_is_ready || { diag "the API server is not ready: $(tail -5 "$kube/kube-apiserver.log")"; exit 1; }
}

kube_start() {
    local etcd_url peer_url
    kube=$scratch/kube
    mkdir "$kube"
    kube_port=$(free_port) kube_token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
    etcd_url=http://127.0.0.1:$(free_port) peer_url=http://127.0.0.1:$(free_port)
    kube_etcd=$etcd_url
    kube_certificate
    openssl genrsa -out "$kube/sa.key" 2048 2>/dev/null
    openssl rsa -in "$kube/sa.key" -pubout -out "$kube/sa.pub" 2>/dev/null
    echo "$kube_token,admin,admin,\"system:masters\"" >"$kube/tokens.csv"
    chmod 600 "$kube/tokens.csv"
    kube_config
    kube_launch etcd --data-dir "$kube/etcd" --listen-client-urls "$etcd_url" --advertise-client-urls "$etcd_url" \
        --listen-peer-urls "$peer_url" --initial-advertise-peer-urls "$peer_url" --initial-cluster "default=$peer_url" \
        --quota-backend-bytes 4294967296
    kube_launch kube-apiserver --etcd-servers "$etcd_url" --secure-port "$kube_port" --bind-address 127.0.0.1 \
        --tls-cert-file "$kube/api.pem" --tls-private-key-file "$kube/api.key" --service-account-key-file "$kube/sa.pub" \
        --service-account-signing-key-file "$kube/sa.key" --service-account-issuer https://kubernetes.default.svc \
        --token-auth-file "$kube/tokens.csv" --authorization-mode RBAC --service-cluster-ip-range 10.96.0.0/16 \
        --endpoint-reconciler-type none --allow-privileged=true
    kube_wait
}

kube_controllers() {
    kube_launch kube-controller-manager --kubeconfig "$kube/config" --leader-elect=false --secure-port 0 \
        --service-account-private-key-file "$kube/sa.key" --root-ca-file "$kube/ca.pem" --kube-api-qps 300 --kube-api-burst 600
    kube_launch kube-scheduler --kubeconfig "$kube/config" --leader-elect=false --secure-port 0 --kube-api-qps 300 --kube-api-burst 600
    kube_launch kwok --kubeconfig "$kube/config" --manage-all-nodes=true --node-lease-duration-seconds 40 --node-ip 10.1.0.1
    within "$(patient 30)" kubectl -n default get serviceaccount default || diag "no controller makes accounts: $(tail -5 "$kube/kube-controller-manager.log")"
}

nodes_are_ready() { [ "$(kubectl get nodes --no-headers | grep -c ' Ready ')" -eq "$1" ]; }

kube_nodes() {
    jq -nc --argjson n "$1" '{apiVersion: "v1", kind: "List", items: [range($n) | {apiVersion: "v1", kind: "Node",
        metadata: {name: "node-\(.)", labels: {"kubernetes.io/hostname": "node-\(.)", "kubernetes.io/os": "linux",
            "topology.kubernetes.io/zone": "zone-\(. % 3)", "topology.kubernetes.io/region": "test"}},
        status: ({cpu: "32", memory: "256Gi", pods: "110", "ephemeral-storage": "200Gi"} | {allocatable: ., capacity: .})}]}' | kubectl apply -f - >/dev/null
    within "$(patient 20)" nodes_are_ready "$1" || diag "nodes are not ready: $(tail -3 "$kube/kwok.log")"
}

kube_compact() {
    local revision
    revision=$(curl -sS "$kube_etcd/v3/kv/range" -d '{"key": "AA=="}' | jq -r .header.revision)
    curl -sS "$kube_etcd/v3/kv/compaction" -d "{\"revision\": \"$revision\", \"physical\": true}" >/dev/null
}

account_of() {
    local directory=$1
    shift
    mkdir -p "$directory"
    cp "$kube/ca.pem" "$directory/ca.crt"
    kubectl -n loadline create token loadline-agent --duration 12h "$@" >"$directory/token.new"
    mv "$directory/token.new" "$directory/token"
}

pod_agent() {
    local directory=$1
    shift
    KUBERNETES_SERVICE_HOST=127.0.0.1 KUBERNETES_SERVICE_PORT=$kube_port LOADLINE_ACCOUNT=$directory LOADLINE_URL=$base_url \
        LOADLINE_API_KEY=$api_key LOADLINE_CLUSTER=${cluster-} "$agent_program" "$@" 2>"$scratch/agent.log" &
    agent_pid=$!
}

deployment() {
    jq -nc --arg namespace "$1" --arg name "$2" --argjson replicas "$3" '{apiVersion: "apps/v1", kind: "Deployment",
        metadata: {name: $name, namespace: $namespace},
        spec: {replicas: $replicas, selector: {matchLabels: {app: $name}}, strategy: {type: "Recreate"},
            template: {metadata: {labels: {app: $name}}, spec: {
                automountServiceAccountToken: false, securityContext: {runAsNonRoot: true, runAsUser: 1000, seccompProfile: {type: "RuntimeDefault"}},
                containers: [{name: "main", image: "registry.example.com/\($name)@sha256:\("0" * 64)",
                    resources: {requests: {cpu: "10m", memory: "16Mi"}, limits: {memory: "16Mi"}},
                    securityContext: {allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: {drop: ["ALL"]}}}]}}}}'
}
