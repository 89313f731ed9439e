#!/bin/bash
# Logs that were made to fill the disk, or to keep workers and the database busy: whatever a push leaves behind counts, and what
# is read of logs has a bound.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
own_stack --workers notify=0 --set log_limit=8/3600 --set push_timeout=60
account Example
cluster 2 2 >"$scratch/good.json"
push shop "$scratch/good.json"
cluster=$(sql "SELECT cluster FROM clusters WHERE tenant_id = '$tenant'")

# lines POD LEVEL [curl's options]: one line without a word, of now; no POD: none
lines() {
    local pod=${1:-none} list=[]
    [ -z "$1" ] || list=$(jq -nc --arg level "$2" --arg time "$(date -u +%FT%T.%NZ)" '[{message: "", level: $level, timestamp: $time}]')
    request POST /ingest/logs -H "X-API-Key: $api_key" -H 'X-Cluster-Id: shop' -H 'Content-Type: application/json' \
        --data-binary "{\"namespace\":\"shop\",\"pod\":\"$pod\",\"container\":\"api\",\"lines\":$list}" "${@:3}"
}
# counted ARGUMENT...: by how much the count of the cluster grew with `lines ARGUMENT...`. Its bucket is held still.
counted() {
    local before
    before=$(sql "SELECT COALESCE(SUM(bytes), 0) FROM log_usage WHERE tenant_id = '$tenant'")
    sql "UPDATE log_usage SET counted_at = UTC_TIMESTAMP(3) + INTERVAL 1 HOUR WHERE tenant_id = '$tenant'"
    lines "$@"
    [ "$status" = 200 ] || echo "$status"
    sql "SELECT COALESCE(SUM(bytes), 0) - $before FROM log_usage WHERE tenant_id = '$tenant'"
}

# ---- what counts
names=$((4 + 19 + 3 + 3)) workload=$((4 + 3)) # bytes of shop, api-7d9f8b6c5-x2k4p, api and of the workload api
is "a line and a container that is new" "$(counted api-7d9f8b6c5-x2k4p INFO)" $((100 + 100 + names))
is "a line of the same" "$(counted api-7d9f8b6c5-x2k4p INFO)" 100
until [ "$(date +%S)" -lt 50 ]; do sleep 1; done # both errors are of one minute
is "a minute with an error" "$(counted api-7d9f8b6c5-x2k4p ERROR)" $((100 + 100 + workload))
is "a further error in it" "$(counted api-7d9f8b6c5-x2k4p ERROR)" 100
is "no line" "$(counted '' '')" 0
lines '' '' -H 'Idempotency-Key: answer'
answer=${#body}
is "no line, with a key that is remembered" "$(counted '' '' -H 'Idempotency-Key: one')" $((100 + answer))
is "and again" "$(counted '' '' -H 'Idempotency-Key: one')" 0
is "names that are not new, with one" "$(counted api-7d9f8b6c5-x2k4p INFO -H 'Idempotency-Key: two')" $((200 + answer))
is "without a line nothing is known of a container" "$(sql "SELECT COUNT(*) FROM log_streams WHERE tenant_id = '$tenant'")" 1
sql "UPDATE log_usage SET bytes = 9000000, counted_at = UTC_TIMESTAMP(3) WHERE tenant_id = '$tenant'"
lines '' '' -H 'Idempotency-Key: three'
refused "keys alone do not go beyond the limit" 429 log_limit
lines '' '' -H 'Idempotency-Key: two'
refused "one that is known with another body" 422 idempotency_conflict Idempotency-Key
sql "DELETE FROM log_usage"

# ---- a search looks at so many bytes
sql "INSERT INTO logs (cluster, at, nanos, line, tenant_id, stream, severity, level, position, message)
    SELECT '$cluster', UTC_TIMESTAMP(3) - INTERVAL 10 MINUTE, 0, s.seq, '$tenant',
        (SELECT stream FROM log_streams WHERE tenant_id = '$tenant'), 2, '', 0,
        IF(s.seq = 700, CONCAT(REPEAT('a', 16283), 'b'), REPEAT('a', 16284)) FROM seq_1_to_4000 s"
# pages QUERY: sets count, of pages, and found, of lines
pages() {
    local path="/api/logs?cluster=shop&$1" link
    found=0
    for ((count = 1; count < 100; count++)); do
        get "$path"
        found=$((found + $(json length)))
        link=$(header Link)
        [ -n "$link" ] || break
        path=$(sed -n 's/^<\([^>]*\)>; rel="next"$/\1/p' <<<"$link")
    done
}
pages "q=$(printf 'a%.0s' {1..199})b"
is "62 MiB are looked through in pages of 4 MiB" "$found $count" "1 16"
pages "level=fatal"
is "whatever is asked for" "$found $count" "0 16"
sql "DELETE FROM logs"

# ---- what a snapshot waits for
# reads COMMAND...: rows that the database reads for it
reads() {
    local before count="SELECT SUM(variable_value) FROM information_schema.global_status
        WHERE variable_name IN ('Handler_read_key', 'Handler_read_next', 'Handler_read_prev', 'Handler_read_rnd_next')"
    before=$(sql "$count")
    "$@"
    echo $(($(sql "$count") - before))
}
# streams FROM TO AGO: containers with these numbers
streams() {
    sql "INSERT INTO log_streams (cluster, stream, tenant_id, namespace, pod, container, workload, shape, pushed_at)
        SELECT '$cluster', s.seq, '$tenant', 'shop', CONCAT('w', s.seq, '-0'), 'c', CONCAT('w', s.seq), 2, UTC_TIMESTAMP(3) - INTERVAL $3
        FROM seq_$1_to_$2 s"
}
sql "DELETE FROM log_streams"
few=$(reads push shop "$scratch/good.json")
streams 1 100000 '3 HOUR'
below "100,000 containers that pushed long ago are not looked at" "$(reads push shop "$scratch/good.json")" $((few + 500))
streams 100001 200000 '1 MINUTE'
sql "INSERT INTO log_errors (cluster, minute, namespace, workload, shape, tenant_id, errors)
    SELECT '$cluster', FROM_UNIXTIME(UNIX_TIMESTAMP() DIV 60 * 60 - 60), 'shop', CONCAT('w', s.seq), 2, '$tenant', 1 FROM seq_100001_to_300000 s"
below "of 100,000 that pushed lately the last 20,000 are, and the last 100,000 minutes with errors" \
    "$(reads push shop "$scratch/good.json")" $((few + 2 * 20000 + 4 * 100000))
is "the push" "$status" 200
done_testing
