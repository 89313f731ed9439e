#!/bin/bash
# A deleted cluster whose rows cannot be removed keeps no other one waiting, and the run says that something was left.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
own_stack
account Example
sql "UPDATE tenants SET plan = 'enterprise' WHERE tenant_id = '$tenant'"
cluster 2 1 >"$scratch/c.json"
socket=$(readlink -f "$stack_dir/sock/mariadb.sock")
root() {
    mariadb --no-defaults --socket="$socket" --batch --skip-column-names --delimiter=// loadline -e "$1"
}
names=(a b c d)
for name in "${names[@]}"; do
    push "$name" "$scratch/c.json"
done
# Maintenance takes them by their ids: the first one is refused.
mapfile -t ids < <(sql "SELECT cluster FROM clusters WHERE tenant_id = '$tenant' ORDER BY cluster")
root "CREATE TRIGGER refused BEFORE DELETE ON risks FOR EACH ROW
      IF OLD.cluster = '${ids[0]}' THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'refused'; END IF"
sql "INSERT INTO deleted_clusters (cluster, tenant_id, deleted_at) SELECT cluster, tenant_id, UTC_TIMESTAMP(3) - INTERVAL 2 HOUR FROM clusters WHERE tenant_id = '$tenant';
     DELETE FROM clusters WHERE tenant_id = '$tenant'"
left() { sql "SELECT COUNT(DISTINCT cluster) FROM risks WHERE tenant_id = '$tenant'"; }
remembered() { sql "SELECT COUNT(*) FROM deleted_clusters"; }
is "there is something to remove" "$(left) $(remembered)" "4 4"
LOADLINE_CONF=$stack_dir/loadline.conf "$build/bin/loadline-maintain" --hurry >"$scratch/said" 2>&1
isnt "one is refused, and the run ends with" "$?" 0
is "the others are gone" "$(left) $(remembered)" "1 1"
root "DROP TRIGGER refused"
LOADLINE_CONF=$stack_dir/loadline.conf "$build/bin/loadline-maintain" --hurry >"$scratch/said" 2>&1
is "the next run ends with" "$?" 0
is "and leaves nothing" "$(left) $(remembered)" "0 0"
done_testing
