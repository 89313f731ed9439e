#!/bin/bash
# The plan's limit of clusters holds, also when many push their first snapshot at once.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
stack
cluster 1 1 | gzip >"$scratch/one.gz"

# racing NAME...: one push each, all at once; prints the statuses counted. Who is told to come back (503) does.
racing() {
    local name i=0
    rm -f "$scratch"/race.*
    for name in "$@"; do
        i=$((i + 1))
        curl -sS -m 60 --retry 20 -o "$scratch/answer.$i" -w '%{http_code}\n' "$base_url/ingest" -H "X-API-Key: $api_key" \
            -H "X-Cluster-Id: $name" -H 'Content-Encoding: gzip' --data-binary "@$scratch/one.gz" >"$scratch/race.$i" &
    done
    wait
    cat "$scratch"/race.* | sort | uniq -c | xargs
}
counted() {
    sql "SELECT (SELECT clusters FROM tenants WHERE tenant_id = '$tenant'), COUNT(*),
         (SELECT COUNT(*) FROM snapshots WHERE tenant_id = '$tenant'),
         (SELECT COUNT(DISTINCT cluster) FROM score_history WHERE tenant_id = '$tenant')
         FROM clusters WHERE tenant_id = '$tenant'" | tr '\t' ' '
}

for round in 1 2 3; do
    account Example
    is "round $round: of ten new clusters three get in" "$(racing c{1..10})" "3 200 7 403"
    is "round $round: and three are there" "$(counted)" "3 3 3 3"
done
push c99 "$scratch/one.gz"
is "the eleventh" "$status $(json .code)" "403 plan_limit"
known=$(sql "SELECT name FROM clusters WHERE tenant_id = '$tenant' LIMIT 1")
push "$known" "$scratch/one.gz"
is "known ones go on" "$status" 200

account Example
is "ten first pushes of one cluster all get in" "$(racing same same same same same same same same same same)" "10 200"
is "and take one slot" "$(counted)" "1 1 1 1"
is "with ten points" "$(sql "SELECT COUNT(*) FROM score_history WHERE tenant_id = '$tenant'")" 10

sql "UPDATE tenants SET plan = 'professional' WHERE tenant_id = '$tenant'"
is "professional has 25" "$(racing d{1..30})" "24 200 6 403"
is "and 25 are there" "$(counted)" "25 25 25 25"
done_testing
