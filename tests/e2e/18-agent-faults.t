#!/bin/bash
# loadline-agent and an API server with which things go wrong: certificates, tokens, answers that are late, cut off or
# refused. What takes minutes is tests/agent.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
. tests/e2e/agent.sh
command -v python3 >/dev/null || skip_all "there is no python3"

bulky_cluster

# dry KUBECONFIG: the objects that --dry-run prints; sets status
dry() {
    "$agent_program" --kubeconfig "$1" --dry-run "${@:2}" 2>"$scratch/err" >"$scratch/dry.json"
    status=$?
    objects=$(jq -s '[.[].items[]?] | length' "$scratch/dry.json")
}

# ---- an API server that has better things to do: one for each fault, all of them meanwhile. It waits between tries.
# try NAME FAULTS: to $scratch/NAME.result
try() {
    local api_port='' api_pid='' scratch=$scratch/$1
    mkdir "$scratch"
    cp "${scratch%/*}"/one.pem "$scratch/ca.pem"
    api_server "${scratch%/*}/cluster.json" --tls "${scratch%/*}/one.pem" "${scratch%/*}/one.key"
    control faults "$2"
    dry "$scratch/kubeconfig"
    echo "$status $objects" >"${scratch%/*}/$1.result"
    asked 'configmaps\?limit' >"$scratch/pages"
    api_gone
}
faults=('{"throttle": 6}' '{"fail": 3}' '{"cut": 3}' '{"page_gone": 2}' '{"slow": 0.01}' '{"groups_away": ["keda.sh"]}' '{"odd": 4}'
    '{"page_refused": [400, 2]}')
tries=()
try endless '{"endless": ["configmaps"]}' &
tries+=($!)
for i in "${!faults[@]}"; do
    try "fault$i" "${faults[i]}" &
    tries+=($!)
done
# ---- certificates and credentials
api_server "$scratch/cluster.json" --tls "$scratch/one.pem" "$scratch/one.key" --tokens "$scratch/tokens"
cp "$scratch/one.pem" "$scratch/ca.pem"
dry "$scratch/kubeconfig"
is "a file beside the kubeconfig has the authority" "$status $objects" "0 $total"
sed -i "s|certificate-authority: ca.pem|certificate-authority-data: $(base64 -w0 "$scratch/one.pem")|" "$scratch/kubeconfig"
dry "$scratch/kubeconfig"
is "or it is in there" "$status $objects" "0 $total"
echo secret-token >"$scratch/token"
sed 's|user: {.*|user: {token: wrong-token, tokenFile: token, exec: null, client-key-data: }}]|' "$scratch/kubeconfig" >"$scratch/kubeconfig.file"
dry "$scratch/kubeconfig.file"
is "a file with a token counts more than a token, and what is null not at all" "$status $objects" "0 $total"
cp "$scratch/other.pem" "$scratch/ca.pem"
kubeconfig
dry "$scratch/kubeconfig"
is "another authority" "$status $objects" "1 0"
like "... is said" "$(cat "$scratch/err")" 'does not tell what it serves .*error=.*certificate'
sed -i 's|certificate-authority: ca.pem|insecure-skip-tls-verify: true|' "$scratch/kubeconfig"
dry "$scratch/kubeconfig"
like "to check no certificate is refused" "$status $(cat "$scratch/err")" '^2 loadline-agent: .*--allow-insecure'
dry "$scratch/kubeconfig" --allow-insecure
is "... unless told" "$status $objects" "0 $total"
cp "$scratch/kubeconfig" "$scratch/kubeconfig.right"
sed -i 's/secret-token/wrong-token/' "$scratch/kubeconfig"
before=$(asked '/apis$')
dry "$scratch/kubeconfig" --allow-insecure
like "a wrong token" "$status $(cat "$scratch/err")" '^1 .*status=401'
is "... is not tried again" $(($(asked '/apis$') - before)) 1
is "... is not logged" "$(grep -c wrong-token "$scratch/err")" 0
sed 's|https://|https://me:planted@|; s|certificate-authority-data: [^}]*|certificate-authority: ca.pem|' \
    "$scratch/kubeconfig.file" >"$scratch/kubeconfig.user"
dry "$scratch/kubeconfig.user"
like "the password of an address is not logged" "$status $(cat "$scratch/err")" '^1 .*server="https://127\.0\.0\.1:'
LOADLINE_API_KEY=ll_x "$agent_program" --kubeconfig "$scratch/kubeconfig.right" --allow-insecure --once --cluster x \
    --url "http://me:planted@127.0.0.1:1" 2>"$scratch/once"
like "... nor that of Loadline's" "$(cat "$scratch/once")" 'was not taken url="http://127\.0\.0\.1:1"'
is "... anywhere" "$(cat "$scratch/err" "$scratch/once" | grep -c planted)" 0
for server in http://192.0.2.1 'http://kube.invalid:8080/' 'http://127.evil.invalid' 'http://[2001:db8::1]:80/'; do
    sed "s|server: \"[^\"]*\"|server: \"$server\"|" "$scratch/kubeconfig.file" >"$scratch/kubeconfig.plain"
    dry "$scratch/kubeconfig.plain"
    like "a token goes to no server without https: $server" "$status $(cat "$scratch/err")" '^2 loadline-agent: .*no https.*--allow-insecure'
done

wait "${tries[@]}"
for i in "${!faults[@]}"; do
    is "whatever happens, all of it is there: ${faults[i]}" "$(cat "$scratch/fault$i.result")" "0 $total"
done
# ---- a list without end: it is given up, three times, and what there is else is pushed (tests/unit/test_listing.c)
is "a list that does not end is in nobody's way" "$(cat "$scratch/endless.result")" \
    "0 $(jq '[.items[] | select(.kind != "ConfigMap")] | length' "$scratch/cluster.json")"
is "... is given up three times" "$(grep -c 'the list of configmaps repeats its continue token, and is given up pages=' "$scratch/endless/err")" 3
below "... and costs few requests" "$(cat "$scratch/endless/pages")" 30
like "... said once more" "$(cat "$scratch/endless/err")" 'it is left out kinds="configmaps"'

# ---- one object that no push may have
api_gone
api_server "$scratch/cluster.json"
control put "$(command jq -nc '{apiVersion: "apps/v1", kind: "ControllerRevision", metadata: {name: "deep", namespace: "shop"},
    data: (reduce range(70) as $i (1; {a: .})), revision: 1}')"
# Somebody needs 1.4 MB for it: Go writes six bytes for each <.
command jq -nc '{apiVersion: "apps/v1", kind: "ControllerRevision", metadata: {name: "large", namespace: "shop"},
    data: {text: ("<" * 8500000)}, revision: 1}' >"$scratch/large.json"
control put "@$scratch/large.json"
dry "$scratch/kubeconfig"
is "an object that is nested too deep, or too large, is left out, and nothing else" "$status $objects" "0 $total"
for name in deep large; do
    like "... which is said" "$(cat "$scratch/err")" "is left out kind=ControllerRevision namespace=\"?shop\"? name=\"?$name"
done

printf 'apiVersion: v1\nkind: Config\n  clusters: []\n' >"$scratch/kubeconfig.bad"
dry "$scratch/kubeconfig.bad"
is "a kubeconfig that is no YAML: where" "$status $(cat "$scratch/err")" \
    "2 loadline-agent: $scratch/kubeconfig.bad:3:11: it is no YAML: mapping values are not allowed in this context"
dry "$scratch"
is "a directory" "$status $(cat "$scratch/err")" "2 loadline-agent: $scratch: Is a directory"

# ---- what is to be done once
echo portal >"$scratch/mood"
touch "$scratch/pushes"
receiver=$(free_port)
python3 tests/e2e/pushed.py --port "$receiver" --log "$scratch/pushes" --mood "$scratch/mood" 2>/dev/null &
receiver_pid=$!
base_url=http://127.0.0.1:$receiver api_key=ll_test cluster=faults
agent --once
wait "$agent_pid"
is "a page that answers everybody with 200 has taken nothing" "$? $(wc -l <"$scratch/pushes")" "1 1"
like "... which is said" "$(cat "$scratch/agent.log")" 'a push was not taken .*status=200 error="this is not how Loadline answers'
echo moved >"$scratch/mood"
base_url=http://somebody:planted@127.0.0.1:$receiver agent --once
wait "$agent_pid"
is "... nor has one that redirects" "$? $(wc -l <"$scratch/pushes")" "1 2"
like "... which is said, and where to" "$(cat "$scratch/agent.log")" \
    "a push was not taken url=\"http://127.0.0.1:$receiver\" status=301 error=\"it redirects to https://moved.example.com/ingest, which is not followed"
is "... and no password of the URL, nor what the redirect passes on" "$(grep -c planted "$scratch/agent.log")" 0
echo aside >"$scratch/mood"
base_url=http://somebody:planted@127.0.0.1:$receiver agent --once
wait "$agent_pid"
like "a redirect on the same host is told" "$(cat "$scratch/agent.log")" \
    "status=302 error=\"it redirects to http://127.0.0.1:$receiver/login, which is not followed"
is "... without the password either" "$(grep -c planted "$scratch/agent.log")" 0
echo ok >"$scratch/mood"
agent --once
wait "$agent_pid"
is "what Loadline has taken is done" "$? $(wc -l <"$scratch/pushes")" "0 4"
control faults '{"slow": 5}'
before=$(asked '\?limit')
asks() { [ "$(asked '\?limit')" -gt "$before" ]; }
agent --once
within "$(patient 10)" asks || diag "it does not list"
agent_gone
is "who is told to end before has not done it" "$agent_status" 1
control faults '{"slow": 0}'

# ---- a push that is not taken is tried again soon, however long the interval
# pushes COUNT: are there so many?
pushes() { [ "$(wc -l <"$scratch/pushes")" -ge "$1" ]; }
for mood in fail "later 1"; do
    echo "$mood" >"$scratch/mood"
    count=$(wc -l <"$scratch/pushes")
    agent --interval 60
    ok "where Loadline is in the mood '$mood', a push is tried again soon" within "$(patient 15)" pushes $((count + 3))
    agent_gone
done
is "... by the header" "$(tail -n 3 "$scratch/pushes" | jq -sc '[range(1; 3) as $i | .[$i].begun - .[$i - 1].ended | . >= 1 and . < 4]')" "[true,true]"
echo ok >"$scratch/mood"

# ---- a continue token that the API server has forgotten, and does not say so
api_gone
api_server "$scratch/cluster.json"
control faults '{"page_refused": [500, 1]}'
: >"$scratch/pushes"
has_all() { tail -n 1 "$scratch/pushes" | jq -e ".objects == $total" >/dev/null; }
agent --interval 1
ok "a list whose token fails for good begins anew" within "$(patient 30)" has_all
is "... after three tries" "$(asked '/configmaps\?limit=500$') $(asked '/configmaps\?limit=500&continue=')" "2 6"
agent_gone

# ---- a kind that may be listed and not watched, and one whose watches can never go on from the list
before=$(asked '/deployments\?limit')
control faults '{"unwatched": ["configmaps"], "too_old": ["deployments"]}'
agent
is_noticed() { grep -q 'may not watch, so it is listed every minute kind=ConfigMap' "$scratch/agent.log"; }
ok "that a kind may not be watched is noticed" within "$(patient 20)" is_noticed
lists=$(asked '/configmaps\?limit=500$')
sleep 8
is "... and it is not listed all the time" "$(asked '/configmaps\?limit=500$')" "$lists"
below "lists of a kind whose watches are always too old" $(($(asked '/deployments\?limit') - before)) 12
is "... which are pushed" "$(tail -n 1 "$scratch/pushes" | jq -c '[.objects, (.kinds | index("DeploymentList") != null)]')" "[$total,true]"
agent_gone

# ---- a clock that is set, and a name server that does not answer
if ldd "$agent_program" | grep -q libasan; then
    skip "a clock that is set changes nothing" "sanitizers want to be loaded first"
    skip "a name that is looked up holds nobody up" "sanitizers want to be loaded first"
    skip "a list whose token is always throttled is given up" "sanitizers want to be loaded first"
else
    echo +0 >"$scratch/clock"
    clock=/usr/lib/$(uname -m)-linux-gnu/faketime/libfaketimeMT.so.1 port=$(free_port)
    LD_PRELOAD=$clock FAKETIME_TIMESTAMP_FILE=$scratch/clock FAKETIME_CACHE_DURATION=1 FAKETIME_DONT_FAKE_MONOTONIC=1 \
        agent --listen "127.0.0.1:$port"
    is_taken() { curl -sS "http://127.0.0.1:$port/metrics" | grep -q '^loadline_agent_pushes_taken_total 1'; }
    within "$(patient 15)" is_taken || diag "it does not push"
    echo +600 >"$scratch/clock"
    sleep 2
    is "a clock that is set changes nothing" "$(curl -sS "http://127.0.0.1:$port/healthz")" ok
    agent_gone
    base_url=http://loadline.invalid port=$(free_port)
    LD_PRELOAD=$(realpath "$build/tests/e2e/slow_names.so") SLOW_NAMES=30 agent --listen "127.0.0.1:$port"
    is_pushing() { curl -sS "http://127.0.0.1:$port/metrics" | grep -q '^loadline_agent_push_bytes [1-9]'; }
    within "$(patient 10)" is_pushing || diag "it does not push"
    began=$SECONDS
    agent_gone
    is "a name that is looked up holds nobody up" "$agent_status $((SECONDS - began < 10))" "0 1"
    before=$(asked 'continue=') base_url=http://127.0.0.1:$receiver
    echo +0 >"$scratch/clock"
    control faults '{"page_refused": [429, 1000]}'
    LD_PRELOAD=$clock FAKETIME_TIMESTAMP_FILE=$scratch/clock FAKETIME_CACHE_DURATION=1 agent
    asks_on() { [ "$(asked 'continue=')" -gt "$before" ]; }
    within "$(patient 10)" asks_on || diag "it does not ask for a second page"
    echo +1000 >"$scratch/clock"
    is_given_up() { grep -q 'the list of configmaps has not ended after 15 minutes, and is given up pages=1' "$scratch/agent.log"; }
    ok "a list whose token is always throttled is given up" within "$(patient 30)" is_given_up
    agent_gone
fi
done_testing
