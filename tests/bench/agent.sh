#!/bin/bash
# The agent: what it takes to list a cluster and push it, and then to follow it while 1 % of the pods are other ones
# every ten seconds. The API server is the tests' own, and is not measured.
# shellcheck source=tests/bench/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/e2e/agent.sh
. tests/e2e/agent.sh

host
enterprise
interval=10 followed=6
[ -z "$short" ] || interval=1 followed=2

# points: pushes of the cluster that are stored
points() {
    administer "SELECT COUNT(*) FROM score_history h JOIN clusters c USING (cluster) WHERE c.name = '$cluster'"
}
has_points() {
    [ "$(points)" -ge "$1" ]
}

# generate PODS ROUND: the cluster, as a List
generate() {
    "$programs/bench_generate" "$1" plain 0 10 drifting "$2" | gunzip
}

# follow PODS: pods of a round that are other ones than before, a push a round
follow() {
    local round pod before
    for ((round = 1; round <= followed; round++)); do
        before=$(points)
        command jq -cn --slurpfile old "$scratch/cluster.json" --slurpfile new <(generate "$1" $round) \
            '[$old[0].items, $new[0].items] | transpose[] | select(.[0] != .[1]) | .[1]' >"$scratch/changed"
        while IFS= read -r pod; do control put "$pod"; done <"$scratch/changed"
        generate "$1" $round >"$scratch/cluster.json"
        within $((interval + 60)) has_points $((before + 1)) || give_up "the agent has not pushed: $(tail -3 "$scratch/agent.log")"
    done
}

# row PODS LIMIT: MiB
row() {
    local pods=$1 limit=${2-} cpu
    cluster=agent-$pods
    generate "$pods" 0 >"$scratch/cluster.json"
    api_server "$scratch/cluster.json"
    agent --interval $interval
    within 120 has_points 1 || give_up "the agent has not pushed: $(tail -3 "$scratch/agent.log")"
    cpu=$(cpu_of "$agent_pid")
    figure "agent's CPU of the first push, ms, $pods pods" "$cpu"
    follow "$pods"
    figure "agent's CPU a push, 1 % changed, ms, $pods pods" "$(divide $(($(cpu_of "$agent_pid") - cpu)) $followed)"
    figure "agent's memory at most, MiB, $pods pods" "$(divide "$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$agent_pid/status")" 1024)" \
        ${limit:+"<=" "$limit"}
    agent_gone || true
    api_gone || true
}

if [ -n "$short" ]; then
    row 100
else
    row 1000
    row 10000 64
fi
