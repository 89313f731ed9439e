#!/bin/bash
# loadline-agent over minutes: connections, tokens and API servers that come and go, and a Loadline that asks it to wait.
. "$(dirname "$0")/../e2e/lib.sh"
. tests/e2e/agent.sh
command -v python3 >/dev/null || skip_all "there is no python3"

bulky_cluster

api_server "$scratch/cluster.json" --tls "$scratch/one.pem" "$scratch/one.key" --tokens "$scratch/tokens"
cp "$scratch/one.pem" "$scratch/ca.pem"
kubeconfig

# ---- a Loadline that is asked to note what comes
port=$(free_port) base_url=http://127.0.0.1:$port api_key=ll_test cluster=away
echo "later 4" >"$scratch/mood"
touch "$scratch/pushes"
python3 tests/e2e/pushed.py --port "$port" --log "$scratch/pushes" --mood "$scratch/mood" 2>/dev/null &
receiver_pid=$!
# pushes COUNT: are there so many?
pushes() { [ "$(wc -l <"$scratch/pushes")" -ge "$1" ]; }
# pushed FILTER: of all of them
pushed() { jq -s "$@" "$scratch/pushes"; }
config_map() { control put "{\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\", \"metadata\": {\"name\": \"$1\", \"namespace\": \"bulk\"}}"; }
last_has() { tail -n 1 "$scratch/pushes" | grep -q "\"name\\\\\":\\\\\"$1\\\\\""; }

mkdir "$scratch/account"
cp "$scratch/one.pem" "$scratch/account/ca.crt"
echo secret-token >"$scratch/account/token"
KUBERNETES_SERVICE_HOST=127.0.0.1 KUBERNETES_SERVICE_PORT=$api_port LOADLINE_ACCOUNT=$scratch/account LOADLINE_URL=$base_url \
    LOADLINE_API_KEY=$api_key LOADLINE_CLUSTER=$cluster "$agent_program" --verbose 2>"$scratch/agent.log" &
agent_pid=$!
within "$(patient 15)" pushes 1
config_map waiting
echo ok >"$scratch/mood"
ok "an agent that was asked to wait comes back" within "$(patient 20)" pushes 2
ok "... when it was asked to" [ "$(pushed '.[1].begun - .[0].ended >= 4')" = true ]
ok "... with what there is by then" last_has waiting
isnt "each push has a key of its own" "$(pushed -r '.[0].key')" "$(pushed -r '.[1].key')"

echo "slow 13" >"$scratch/mood"
config_map during
within "$(patient 30)" last_has during
for i in 1 2 3; do config_map "burst$i"; done
echo ok >"$scratch/mood"
ok "what changes during a push is in the next one" within "$(patient 40)" last_has burst3
is "one is under way at a time" "$(pushed '[.[].others] | max')" 0
is "ten seconds lie between them" "$(pushed '[range(2; length) as $i | .[$i].begun - .[$i - 1].begun | select(. < 9.5)] | length')" 0
is "no secret has left" "$(grep -c "$secret" "$scratch/pushes")" 0

# ---- connections, tokens and servers come and go
control drop
config_map after-drop
ok "watches that were cut go on where they were" within "$(patient 30)" last_has after-drop
echo another-token >"$scratch/account/token"
echo another-token >"$scratch/tokens"
control drop
config_map after-token
ok "a token that was replaced is taken up" within "$(patient 40)" last_has after-token
api_gone
cp "$scratch/other.pem" "$scratch/account/ca.crt"
jq -c '.items += [{apiVersion: "v1", kind: "ConfigMap", metadata: {name: "after-restart", namespace: "bulk"}}]' "$scratch/cluster.json" >"$scratch/later.json"
api_server "$scratch/later.json" --tls "$scratch/other.pem" "$scratch/other.key" --tokens "$scratch/tokens"
ok "an API server that was replaced, with another certificate, is followed" within "$(patient 60)" last_has after-restart
is "... nothing of the old one stays" "$(tail -n 1 "$scratch/pushes" | jq .objects)" $((total + 1))
agent_gone

# ---- when nobody tells how the cluster is, nothing is pushed
cp "$scratch/other.pem" "$scratch/ca.pem"
kubeconfig
echo secret-token >"$scratch/tokens"
agent --verbose
count=$(wc -l <"$scratch/pushes")
ok "an agent that pushes" within "$(patient 15)" pushes $((count + 1))
gone=$(date +%s)
api_gone
sleep 125
is "no push is older than a minute" "$(pushed "[.[] | select(.begun > $gone + 62)] | length")" 0
like "... which is said" "$(cat "$scratch/agent.log")" 'the API server tells of nothing, so nothing is pushed'
agent_gone
done_testing
