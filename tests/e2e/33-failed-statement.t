#!/bin/bash
# A push for which one statement fails is refused, and nothing of it is stored: whichever table it is that takes no
# row, changes none or lets none go, and whichever statement tells of it. Afterwards the same push is taken.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
own_stack --workers notify=0 --set alert_clear=0 --set alert_repeat=1
account Example
cluster 4 4 >"$scratch/good.json"
cluster 4 0 | jq -c '.items[1].spec.template.spec.containers[0] += {image: "registry.example.com/api:latest", resources: {}}' >"$scratch/bad.json"
ask POST /api/notifications/channels '{"type":"webhook","name":"hook","webhookUrl":"https://hooks.example.com/x"}'
ask POST /api/notifications/rules '{"condition":"score_drop","threshold":95}'
is "there is a rule" "$status" 201

# What fails is noted where no transaction takes it back.
sql "CREATE TABLE loadline.refused_rows (n INT) ENGINE = MyISAM"
tables=$(sql "SELECT table_name FROM information_schema.columns WHERE table_schema = 'loadline' AND column_name = 'tenant_id'
    ORDER BY table_name")
# stored: all there is of tenants, but when a key was used last
stored() {
    sql "USE loadline; CHECKSUM TABLE tenants, $(grep -vx 'api_keys\|tenants' <<<"$tables" | paste -sd,)"
}
refusals() {
    sql "SELECT COUNT(*) FROM loadline.refused_rows"
}

start=$(($(date +%s) - 3 * 3600)) step=0
# see FILE [SECONDS]: a push of a time that is later than all before, or so many seconds earlier
see() {
    local back=${2:-0}
    [ "$back" -gt 0 ] || step=$((step + 20))
    push one "$scratch/$1.json" -H "X-Snapshot-Time: $(date -u -d "@$((start + step - back))" +%Y-%m-%dT%H:%M:%SZ)"
}
see good
see bad
is "a cluster goes up and down" "$status" 200

# one ANOTHER FILE [SECONDS]: pushes while `trigger` is there, then without it
one() {
    local before count at=$step
    before=$(stored) count=$(refusals)
    see "$@"
    if [ "$(refusals)" = "$count" ]; then
        [ "$status" = 200 ] || wrong+=("$table $event: $status, and no row was refused")
        return 0
    fi
    fired[$table]=1
    [ "$status" != 200 ] || wrong+=("$table $event: 200, and a row was refused")
    [ "$(stored)" = "$before" ] || wrong+=("$table $event: something was stored")
    sql "DROP TRIGGER IF EXISTS loadline.refuses"
    step=$at
    see "$@"
    [ "$status" = 200 ] || wrong+=("$table $event: afterwards $status")
}

wrong=() files=(good bad)
declare -A fired=()
for table in tenants $tables; do
    for event in INSERT UPDATE DELETE; do
        for late in 0 30; do
            sql "USE loadline
                DELIMITER //
                CREATE OR REPLACE TRIGGER refuses BEFORE $event ON $table FOR EACH ROW BEGIN
                INSERT INTO refused_rows VALUES (1); SIGNAL SQLSTATE '45000'; END; //"
            one "${files[0]}" $late
            sql "DROP TRIGGER IF EXISTS loadline.refuses"
            [ $late -gt 0 ] || files=("${files[1]}" "${files[0]}")
        done
    done
done
diag "tables that a push writes to: $(printf '%s\n' "${!fired[@]}" | sort | xargs)"
empty "a push is refused whole or taken whole" "$(printf '%s\n' "${wrong[@]}")"
for table in clusters score_history score_rollup ledgers risks snapshots briefs pushes alert_state outbox deploys; do
    ok "$table is among the tables" [ -n "${fired[$table]}" ]
done
done_testing
