#!/bin/bash
# An exemption that is stored is answered so, also when the database does not tell in time what it is for.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
own_stack --workers notify=0 --set read_timeout=1
account Example
cluster 2 2 >"$scratch/good.json"
push production "$scratch/good.json"
exemptions=/api/exemptions
new=$(jq -nc --arg end "$(date -ud '30 days' +%F)" '{check: "namespace-without-networkpolicy", clusterId: "production", reason: "why", owner: "me", expires: $end}')

# while_busy METHOD PATH [JSON]: asks while nobody can read risks
while_busy() {
    mariadb --defaults-file="$stack_dir/admin.cnf" -e 'LOCK TABLES risks WRITE; SELECT SLEEP(30)' >/dev/null 2>&1 &
    local locker=$! blocked="SELECT COUNT(*) FROM information_schema.processlist WHERE info LIKE 'SELECT SLEEP(30)%'"
    within 10 eval "[ \"\$(sql \"$blocked\")\" = 1 ]"
    ask "$@"
    kill "$locker"
    wait "$locker" 2>/dev/null
    sql "KILL $(sql "SELECT id FROM information_schema.processlist WHERE info LIKE 'SELECT SLEEP(30)%'")"
}

while_busy POST $exemptions "$new"
is "it is stored" "$status $(json -c '[.check, .state, has("matches")]')" '201 ["namespace-without-networkpolicy","pending",false]'
id=$(json .id)
while_busy GET "$exemptions?id=$id"
is "who only asks is told that it cannot be told" "$status" 503
while_busy PATCH $exemptions "{\"id\":\"$id\",\"owner\":\"you\"}"
is "a change of it" "$status $(json -c '[.owner, has("matches")]')" '200 ["you",false]'
within 10 eval "ask GET '$exemptions?id=$id'; [ \"\$status\" = 200 ]"
is "afterwards all is told" "$status $(json -c '[.owner, has("matches")]')" '200 ["you",true]'
is "once" "$(sql "SELECT COUNT(*) FROM exemptions WHERE tenant_id = '$tenant'")" 1
done_testing
