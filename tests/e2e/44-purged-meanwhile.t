#!/bin/bash
# What is asked while its cluster or its company is being removed: the answer says that it is gone, and is no 500.
# shellcheck disable=SC2154 # cluster.sh and lib.sh set them
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
own_stack --workers notify=0 --workers validate=1 --set gate_timeout=600

account Example
cluster 2 2 >"$scratch/c.json"
for name in keyed shown; do push "$name" "$scratch/c.json"; done
is "clusters are there" "$status" 200

# removed_before_summary NAME FUNCTION: the function asks the gate, and the cluster is removed when the gate has read its row
removed_before_summary() {
    local asking holder
    mkfifo "$scratch/sql"
    mariadb --defaults-file="$stack_dir/admin.cnf" loadline <"$scratch/sql" &
    holder=$!
    exec 8>"$scratch/sql"
    echo "LOCK TABLES briefs WRITE;" >&8
    ok "$1: the summary is held" within "$(patient 10)" is_held
    idle=$(running)
    "$2" >"$scratch/answer" &
    asking=$!
    ok "$1: the gate waits for it" within "$(patient 10)" waits
    sql "DELETE FROM loadline.clusters WHERE name = '$1'"
    echo "DELETE FROM briefs; UNLOCK TABLES;" >&8
    exec 8>&-
    wait "$holder"
    wait "$asking"
    rm "$scratch/sql"
    is "$1: a cluster that is removed meanwhile is unknown" "$(cat "$scratch/answer")" "404 unknown_cluster"
}
running() {
    sql "SHOW GLOBAL STATUS LIKE 'Threads_running'" | cut -f2
}
waits() {
    [ "$(running)" -gt "$idle" ]
}
is_held() {
    [ "$(sql "SHOW OPEN TABLES FROM loadline LIKE 'briefs'" | cut -f3)" = 1 ]
}
by_key() {
    validate keyed
    echo "$status $(json .code)"
}
by_session() {
    get "/api/gate?clusterId=shown"
    echo "$status $(json .code)"
}
removed_before_summary keyed by_key
removed_before_summary shown by_session

# The row of the company is the last that goes, and a key lets in until its own row has gone.
sql "DELETE FROM loadline.tenants WHERE tenant_id = '$tenant'"
push another "$scratch/c.json"
is "a push of a company that is removed is refused" "$status $(json .code)" "401 unauthorized"
done_testing
