# shellcheck shell=bash disable=SC2154,SC2034 # lib.sh sets them, and tests read them
# agent.sh: the agent, and API servers for it. Sourced after lib.sh. What is started here ends with the test.
#
#   api_server FILE [apiserver.py's options]   sets api_url and writes $scratch/kubeconfig (token: secret-token)
#   api_gone              ends it
#   control VERB [JSON]   tells it what to do (apiserver.py)
#   asked [PATTERN]       how many of its requests match; marked: how many bookmarks it has sent; has_marked COUNT
#   agent [OPTION]...     starts an agent of the cluster $cluster, which pushes to $base_url; its log is $scratch/agent.log
#   agent_gone            ends it; its exit status is in $agent_status
#   bulky_cluster         $scratch/cluster.json with 1,700 ConfigMaps that hold $secret, of $total objects; certificates
#                         one and other (.pem, .key) for 127.0.0.1; the token secret-token in $scratch/tokens
#   collections CLUSTER   what the server keeps of a cluster, an object a line
#   messages CLUSTER      what its risks say

agent_program=$PWD/$build/bin/loadline-agent
api_pid='' agent_pid=''

started_gone() {
    local pid
    for pid in $api_pid $agent_pid ${receiver_pid-} $(jobs -p); do kill "$pid" 2>/dev/null; done
    clean_up
}
trap started_gone EXIT

kubeconfig() {
    cat >"$scratch/kubeconfig" <<END
apiVersion: v1
kind: Config
clusters: [{name: real, cluster: {server: "$api_url/", certificate-authority: ca.pem}}]
users: [{name: admin, user: {token: secret-token}}]
contexts: [{name: real, context: {cluster: real, user: admin}}]
current-context: real
END
}

# certificate NAME: a key and a certificate of its own for 127.0.0.1
certificate() {
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 \
        -keyout "$scratch/$1.key" -out "$scratch/$1.pem" 2>/dev/null
}

bulky_cluster() {
    secret=planted-$RANDOM$RANDOM
    jq -c --arg secret "$secret" '.items |= (map(select(.kind | IN("Secret", "Endpoints") | not))
        + [range(1700) | {apiVersion: "v1", kind: "ConfigMap", metadata: {name: "c\(.)", namespace: "bulk"}, data: {key: $secret}}])' \
        etc/sample/shop.json >"$scratch/cluster.json"
    total=$(jq '.items | length' "$scratch/cluster.json")
    certificate one
    certificate other
    echo secret-token >"$scratch/tokens"
}

api_server() {
    local file=$1 scheme=http
    shift
    api_port=${api_port:-$(free_port)}
    case " $* " in *" --tls "*) scheme=https ;; esac
    api_url=$scheme://127.0.0.1:$api_port
    python3 tests/e2e/apiserver.py --port "$api_port" "$@" "$file" 2>"$scratch/api.err" &
    api_pid=$!
    kubeconfig
    within "$(patient 10)" curl -sk "$api_url/_control/watching" || diag "the API server does not start: $(cat "$scratch/api.err")"
}

api_gone() {
    kill "$api_pid"
    wait "$api_pid" 2>/dev/null
    api_pid=
}

control() {
    curl -sSk "$api_url/_control/$1" -H 'Content-Type: application/json' --data-binary "${2-{\}}" >/dev/null
}

asked() {
    curl -sSk "$api_url/_control/asked" | grep -cE "${1-.}"
}

marked() {
    curl -sSk "$api_url/_control/marked"
}

has_marked() {
    [ "$(marked)" -ge "$1" ]
}

agent() {
    LOADLINE_URL=$base_url LOADLINE_API_KEY=$api_key LOADLINE_CLUSTER=${cluster-} "$agent_program" \
        --kubeconfig "$scratch/kubeconfig" "$@" 2>"$scratch/agent.log" &
    agent_pid=$!
}

agent_gone() {
    kill "$agent_pid" 2>/dev/null
    wait "$agent_pid"
    agent_status=$?
    agent_pid=
}

collections() {
    curl -sS --compressed "$base_url/api/cluster?id=$1" -H "Authorization: Bearer $token" |
        command jq -cS 'del(.risks) | to_entries[] | select(.value | type == "array") | .value[]' | sort
}

messages() {
    curl -sS --compressed "$base_url/api/cluster?id=$1&include=risks" -H "Authorization: Bearer $token" | jq -r '.risks[].message'
}

# says CLUSTER TEXT, blames CLUSTER RESOURCE: does a risk?
blames() {
    curl -sS --compressed "$base_url/api/cluster?id=$1&include=risks" -H "Authorization: Bearer $token" | grep -qiF "$2"
}

says() {
    messages "$1" | grep -qF "$2"
}

score_of() {
    get "/api/gate?clusterId=$1"
    json .csc_score
}
