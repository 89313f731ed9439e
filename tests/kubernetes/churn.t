#!/bin/bash
# loadline-agent while a real cluster changes all the time: its memory does not grow, and nothing is late.
# LOADLINE_KUBERNETES_SECONDS (default 60) says how long, LOADLINE_KUBERNETES_RATE (100) how many changes a second.
. "$(dirname "$0")/../e2e/lib.sh"
. tests/e2e/agent.sh
. tests/kubernetes/kube.sh
kube_programs
seconds=${LOADLINE_KUBERNETES_SECONDS:-60} rate=${LOADLINE_KUBERNETES_RATE:-100}
stack
account "Churn"
cluster=churn

kube_start
kube_controllers
kube_nodes 4
kubectl apply -k etc/kubernetes >/dev/null
kubectl create namespace shop >/dev/null
for name in a b c d; do deployment shop "$name" 50 | kubectl apply -f - >/dev/null; done
jq -nc '{apiVersion: "v1", kind: "List", items: [range(300) | {apiVersion: "v1", kind: "ConfigMap",
    metadata: {name: "c\(.)", namespace: "shop"}, data: {text: ("x" * 1000)}}]}' | kubectl create -f - >/dev/null
all_run() { [ "$(kubectl -n shop get pods --no-headers | grep -c ' Running ')" -eq 200 ]; }
within "$(patient 60)" all_run || diag "not all pods run"
account_of "$scratch/account"
pod_agent "$scratch/account" --verbose
there() { collections churn | grep -q "\"name\":\"$1\""; }
within "$(patient 20)" there c299 || diag "the first push is not there"

memory() { sed -n "s/^$1:[[:blank:]]*\([0-9]*\) kB$/\1/p" "/proc/$agent_pid/status"; }
KUBE_PORT=$kube_port KUBE_TOKEN=$kube_token KUBE_CA=$kube/ca.pem python3 tests/kubernetes/churn.py "$seconds" "$rate" >"$scratch/churned" 2>"$scratch/churn.err" &
churn_pid=$!
cpu() { awk '{ print ($14 + $15) }' "/proc/$agent_pid/stat"; }
cpu_before=$(cpu)
while kill -0 "$churn_pid" 2>/dev/null; do
    memory VmRSS
    sleep 1
done >"$scratch/memory"
wait "$churn_pid"
is "changes were made" "$? $(cat "$scratch/churn.err")" "0 "
read -r taken refused <"$scratch/churned"
diag "$taken changes in $seconds s, $refused refused; the agent used $((($(cpu) - cpu_before) * 10)) ms of CPU"
is "... and taken" "$((taken >= seconds * rate * 8 / 10)) $refused" "1 0"
kubectl -n shop create configmap last >/dev/null
ok "what is new is there within 15 seconds" within "$(patient 15)" there last
# The first third is for filling up.
most() { sed -n "$1p" "$scratch/memory" | sort -n | tail -1; }
lines=$(wc -l <"$scratch/memory")
early=$(most "1,$((lines / 3))") late=$(most "$((lines * 2 / 3)),$lines")
diag "memory: $early KiB in the first third, $late in the last, $(memory VmHWM) at most"
below "the agent's memory does not grow: KiB more in the last third than in the first" $((late - early)) 4096
below "... and stays below 64 MiB" "$(memory VmHWM)" 65536
is "no object was left out" "$(grep -c 'cannot be redacted' "$scratch/agent.log")" 0
agent_gone
is "it ends when told" "$agent_status" 0
done_testing
