#!/bin/bash
# A push for which one statement fails is refused, and nothing of it is stored: whichever table it is that takes no
# row, changes none or lets none go, and whichever statement tells of it. Afterwards the same push is taken.
# shellcheck disable=SC2119,SC2154 # refusals.sh: disarm takes none, and sets some
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
own_stack --workers notify=0 --set alert_clear=0 --set alert_repeat=1
. tests/e2e/refusals.sh
account Example
cluster 4 4 >"$scratch/good.json"
cluster 4 0 | jq -c '.items[1].spec.template.spec.containers[0] += {image: "registry.example.com/api:latest", resources: {}}' >"$scratch/bad.json"
ask POST /api/notifications/channels '{"type":"webhook","name":"hook","webhookUrl":"https://hooks.example.com/x"}'
ask POST /api/notifications/rules '{"condition":"score_drop","threshold":95}'
is "there is a rule" "$status" 201

start=$(($(date +%s) - 20 * 86400)) step=0
# see FILE [SECONDS]: a push of a time that is five minutes later than all before, or so many seconds earlier
see() {
    local back=${2:-0}
    [ "$back" -gt 0 ] || step=$((step + 300))
    push one "$scratch/$1.json" -H "X-Snapshot-Time: $(date -u -d "@$((start + step - back))" +%Y-%m-%dT%H:%M:%SZ)"
}
see good
see bad
is "a cluster goes up and down" "$status" 200

# one FILE [SECONDS]: pushes while rows of $written are refused, and then once more
one() {
    local at=$step
    arm "$written" "$how"
    see "$@"
    disarm
    if [ "$refused" = 0 ]; then
        [ "$status" = 200 ] || wrong+=("$written $how: $status, and no row was refused")
        return 0
    fi
    fired[$written]=1
    [ "$status" != 200 ] || wrong+=("$written $how: 200, and a row was refused")
    [ "$after" = "$before" ] || wrong+=("$written $how: something was stored")
    step=$at
    see "$@"
    [ "$status" = 200 ] || wrong+=("$written $how: afterwards $status")
}

wrong=() files=(good bad)
declare -A fired=()
for written in $tenant_tables; do
    for how in INSERT UPDATE DELETE; do
        one "${files[0]}"
        one "${files[0]}" 30
        files=("${files[1]}" "${files[0]}")
    done
done
diag "tables that a push writes to: $(printf '%s\n' "${!fired[@]}" | sort | xargs)"
empty "a push is refused whole or taken whole" "$(printf '%s\n' "${wrong[@]}")"
for written in clusters score_history score_rollup ledgers risks snapshots briefs pushes alert_state outbox deploys; do
    ok "$written is among the tables" [ -n "${fired[$written]}" ]
done
done_testing
