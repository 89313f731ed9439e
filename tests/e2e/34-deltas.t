#!/bin/bash
# A snapshot is stored as a base and what has changed since. What is read back is what was pushed, whichever
# worker stored it, whatever was killed meanwhile; what is damaged is never answered, and is replaced by the next push.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
own_stack --set metrics_token=0123456789abcdef
account Example
sql "UPDATE tenants SET plan = 'enterprise' WHERE tenant_id = '$tenant'"
jq -nc '{apiVersion: "v1", kind: "List", items: [range(400) | {apiVersion: "apps/v1", kind: "Deployment",
    metadata: {name: "d\(.)", namespace: "many", uid: ("\(.)" | @base64 * 9)}, spec: {replicas: 1, template: {spec: {containers: [{name: "c", image: "nginx:1.\(.)"}]}}},
    status: {replicas: 1}}]}' >"$scratch/many.json"

# the cluster, a little different for each seed: a line each
changed='def change($seed): .items |= ([to_entries[] | if (.key * 7919 + $seed * 104729) % 101 < 2 then .value.status.replicas = $seed else . end | .value])
    | .items[0].metadata.labels = {gen: "g\($seed)"} | .items[-1].metadata.labels = {gen: "g\($seed)"}; '
jq -c "$changed range(31) as \$seed | change(\$seed)" "$scratch/many.json" | split -l 1 -d -a 2 - "$scratch/change-"
# change SEED: writes it
change() {
    cat "$scratch/change-$(printf %02d "$1")"
}
# push_change CLUSTER SEED
push_change() {
    change "$2" >"$scratch/change.json" # its name is in what gzip makes of it
    push "$1" "$scratch/change.json"
}
# shown CLUSTER: what is answered of it, but for its name
shown() {
    get "/api/cluster?id=$1&include=deployments,pods"
    sed "s/^{\"id\":\"$1\"/{/" "$scratch/body" | cksum
    echo "$status"
}
# state CLUSTER: delta or whole
state() {
    sql "SELECT IF(s.body <> '', 'former', IF(s.delta IS NULL, 'whole', 'delta')) FROM snapshots s JOIN clusters USING (cluster)
        WHERE clusters.tenant_id = '$tenant' AND name = '$1'"
}
whole() {
    sql "UPDATE snapshots s JOIN clusters c USING (cluster, tenant_id) SET s.delta_surplus = -1 WHERE c.name = '$1'"
}
total() {
    request GET /metrics -H 'Authorization: Bearer 0123456789abcdef'
    sed -n "s/^loadline_snapshots_$1 //p" <<<"$body"
}

# ---- as a delta and as a whole: the same bytes are answered
filters=(. '.items |= .[:200] + [.[0] | .metadata.name = "new"] + .[200:]' 'del(.items[30:40])' '.items |= .[200:] + .[:200]' '.items |= reverse'
    '.items += .items[5:60]' '.items |= map(.metadata.annotations = {a: "b"})' '.items |= .[:3]' '.items[7].metadata.annotations.big = ("x" * 300000)' .)
program=
for i in "${!filters[@]}"; do
    program+="${program:+, }(change($i) | ${filters[i]})"
done
jq -c "$changed $program" "$scratch/many.json" | split -l 1 -d -a 1 - "$scratch/filtered-"
clock=$(date -ud '3 hours ago' +%s) differ='' states=''
for i in "${!filters[@]}"; do
    cp "$scratch/filtered-$i" "$scratch/changed.json"
    time=$(date -ud "@$((clock + i * 10))" +%FT%TZ)
    whole cold
    for cluster in warm cold; do
        push $cluster "$scratch/changed.json" -H "X-Snapshot-Time: $time"
        [ "$status" = 200 ] || differ+="$cluster $i: $status $body; "
    done
    states+="$(state warm) "
    [ "$(shown warm)" = "$(shown cold)" ] || differ+="$i "
    [ "$(state cold)" = whole ] || differ+="$i: cold is not whole "
done
empty "what is read back is the same" "$differ"
like "and was stored either way" "$states" '^whole .*delta'
get '/api/export?clusterId=warm'
is "it is exported" "$status $(json '.deployments | length')" "200 400"
jq -nc '{apiVersion: "v1", kind: "Service", metadata: {name: "x", namespace: "many"}, spec: {selector: {a: "b"}}}' >"$scratch/manifest"
validate warm "$(jq -nc --slurpfile m "$scratch/manifest" '{namespace: "many", manifest: $m[0]}')"
is "and can be asked about" "$status $(json '.predicted_score | type')" "200 number"
push warm "$scratch/changed.json"
same=$(total 'stored_total{as="same"}')
push warm "$scratch/changed.json"
is "a document that has not changed" "$status $(total 'stored_total{as="same"}')" "200 $((same + 1))"

# ---- what is damaged
id() { sql "SELECT cluster FROM clusters WHERE tenant_id = '$tenant' AND name = '$1'"; }
warm=$(id warm) cold=$(id cold) damaged=0
# the bytes of a delta before what makes it long enough, if anything does
packed="IF(LOCATE(x'502A4D18', delta), LOCATE(x'502A4D18', delta) - 1, LENGTH(delta))"
flip() { echo "CONCAT(LEFT($1, $2), CHAR(ORD(SUBSTRING($1, $2 + 1)) ^ 1), SUBSTRING($1, $2 + 2))"; }
while IFS='|' read -r what statement; do
    push_change warm 3
    push_change warm 4
    [ "$(state warm)" = delta ] || push_change warm 5
    is "$what: before" "$(state warm)" delta
    sql "$statement"
    damaged=$((damaged + 2))
    get '/api/cluster?id=warm'
    refused "... is not answered" 500 internal
    get '/api/export?clusterId=warm'
    refused "... nor exported" 500 internal
    push_change warm 5
    is "... the next push replaces it" "$status $(state warm)" "200 whole"
    get '/api/cluster?id=warm&include=deployments'
    is "... and it is right again" "$status $(json -r '.deployments[0].metadata.labels.gen')" "200 g5"
done <<END
a delta|UPDATE snapshots SET delta = $(flip delta "($packed DIV 2)") WHERE cluster = '$warm'
the digest of a delta|UPDATE snapshots SET delta = $(flip delta 5) WHERE cluster = '$warm'
a delta that is cut|UPDATE snapshots SET delta = LEFT(delta, LENGTH(delta) - 3) WHERE cluster = '$warm'
a base|UPDATE snapshot_bases SET body = $(flip body "(LENGTH(body) DIV 2)") WHERE cluster = '$warm'
the chunks of a base|UPDATE snapshot_bases SET chunks = $(flip chunks "(LENGTH(chunks) DIV 2)") WHERE cluster = '$warm'
a base that is gone|DELETE FROM snapshot_bases WHERE cluster = '$warm'
the base of another|UPDATE snapshot_bases w JOIN snapshot_bases c ON c.cluster = '$cold' SET w.body = c.body, w.chunks = c.chunks WHERE w.cluster = '$warm'
another base|UPDATE snapshot_bases SET base = REVERSE(base) WHERE cluster = '$warm'
END
is "each is counted" "$(total damaged_total)" "$damaged"
ok "and logged" grep -q 'a stored snapshot cannot be read' "$(log_of export)"

# ---- earlier releases
for packer in gzip zstd; do
    change 6 | $packer -c | base64 -w0 >"$scratch/former"
    push_change warm 5
    sql "UPDATE snapshots SET body = FROM_BASE64('$(cat "$scratch/former")') WHERE cluster = '$warm'"
    get '/api/cluster?id=warm&include=deployments'
    is "a whole document ($packer) of a worker that knows no bases" "$status $(json -r '.deployments[0].metadata.labels.gen')" "200 g6"
    push_change warm 7
    get '/api/cluster?id=warm&include=deployments'
    is "and a delta after it" "$(state warm) $(json -r '.deployments[0].metadata.labels.gen')" "delta g7"
done
sql "UPDATE snapshots SET body = FROM_BASE64('$(cat "$scratch/former")'), base = NULL, delta = NULL WHERE cluster = '$warm'; DELETE FROM snapshot_bases WHERE cluster = '$warm'"
get '/api/cluster?id=warm&include=deployments'
is "one from before there were any" "$status $(json -r '.deployments[0].metadata.labels.gen')" "200 g6"
push_change warm 7
is "is replaced" "$status $(state warm)" "200 whole"

# ---- what stays changed becomes an addition to the base
jq -nc '{apiVersion: "v1", kind: "List", items: [range(1500) | {apiVersion: "apps/v1", kind: "Deployment",
    metadata: {name: "d\(.)", namespace: "many", uid: ("\(.)" | @base64 * 9)}, spec: {replicas: 1, template: {spec: {containers: [{name: "c", image: "nginx:1.\(.)"}]}}},
    status: {replicas: 1}}]}' >"$scratch/large.json"
# ROUND: in each other ones have changed, and those of before stay so; in same-ROUND it is the same ones each time
jq -c '. as $all | range(12) as $round | $all
    | .items |= [to_entries[] | (.key % 250 * 223 % 250) as $turn | if $turn >= 1 and $turn <= $round then .value.status.replicas = $turn else . end | .value]
    | .items[0].metadata.labels = {gen: "g\($round)"}' "$scratch/large.json" | split -l 1 -d -a 2 - "$scratch/drift-"
jq -c '. as $all | range(6) as $round | $all | .items |= [to_entries[] | if .key % 250 == 7 then .value.status.replicas = $round else . end | .value]' \
    "$scratch/large.json" | split -l 1 -d -a 1 - "$scratch/same-"
# push_drift CLUSTER ROUND [curl's options]
push_drift() {
    cp "$scratch/drift-$(printf %02d "$2")" "$scratch/drift.json"
    push "$1" "$scratch/drift.json" "${@:3}"
}
additions() {
    sql "SELECT COUNT(*) FROM snapshot_additions a JOIN clusters c USING (cluster) WHERE c.tenant_id = '$tenant' AND c.name = '$1'"
}
delta_bytes() { sql "SELECT ${2-$packed} FROM snapshots s JOIN clusters c USING (cluster) WHERE c.tenant_id = '$tenant' AND c.name = '$1'"; }
differ='' states='' lengths=()
for round in {0..11}; do
    # a worker that knows nothing of the base reads it
    [ "$round" != 6 ] || { mapfile -t pids < <(pids_of ingest.fcgi) && kill -9 "${pids[@]}"; }
    time=$(date -ud "@$((clock + round * 10))" +%FT%TZ)
    again() { push_drift drift "$round" -H "X-Snapshot-Time: $time" && [ "$status" = 200 ]; }
    within "$(patient 5)" again || differ+="$round: $status $body; "
    whole level
    push_drift level "$round" -H "X-Snapshot-Time: $time"
    [ "$(shown drift)" = "$(shown level)" ] || differ+="$round "
    states+="$(state drift) " lengths+=("$(delta_bytes drift)")
done
empty "what is read back is the same" "$differ"
like "no other base is stored" "$states" '^whole (delta ){11}$'
ok "some of it is an addition" [ "$(additions drift)" -ge 3 ]
below "and is not in the deltas that follow" "$(printf '%s\n' "${lengths[@]:9}" | sort -n | head -n 1)" $((lengths[1] * 5 / 2))
is "none of them is in the page of its row, which it would share" "$(delta_bytes drift 'LENGTH(delta)')" 8192
is "what the cluster keeps is counted" "$(sql "SELECT ABS(c.snapshot_bytes - (SELECT LENGTH(b.body) + LENGTH(b.chunks) + LENGTH(s.delta)
    + (SELECT SUM(LENGTH(body) + LENGTH(chunks)) FROM snapshot_additions a WHERE a.cluster = c.cluster) FROM snapshot_bases b
    JOIN snapshots s USING (cluster) WHERE b.cluster = c.cluster)) < c.snapshot_bytes / 50 FROM clusters c WHERE name = 'drift' AND tenant_id = '$tenant'")" 1
for round in {0..5}; do
    push same "$scratch/same-$round"
done
is "what changes each time is not added" "$(state same) $(additions same)" "delta 0"
ask DELETE '/api/clusters?id=level'
drift=$(id drift)
while IFS='|' read -r what statement; do
    whole drift
    for round in {0..5}; do push_drift drift "$round"; done
    is "$what: before" "$(state drift) $(($(additions drift) >= 2))" "delta 1"
    sql "$statement"
    damaged=$((damaged + 2))
    get '/api/cluster?id=drift'
    refused "... is not answered" 500 internal
    get '/api/export?clusterId=drift'
    refused "... nor exported" 500 internal
    push_drift drift 6
    is "... the next push replaces it" "$status $(state drift) $(additions drift)" "200 whole 0"
    get '/api/cluster?id=drift&include=deployments'
    is "... and it is right again" "$status $(json -r '.deployments[0].metadata.labels.gen')" "200 g6"
done <<END
an addition|UPDATE snapshot_additions SET body = $(flip body "(LENGTH(body) DIV 2)") WHERE cluster = '$drift' AND number = 1
the chunks of an addition|UPDATE snapshot_additions SET chunks = $(flip chunks "(LENGTH(chunks) DIV 2)") WHERE cluster = '$drift' AND number = 1
the last addition is gone|DELETE FROM snapshot_additions WHERE cluster = '$drift' ORDER BY number DESC LIMIT 1
the first addition is gone|DELETE FROM snapshot_additions WHERE cluster = '$drift' ORDER BY number LIMIT 1
two additions are swapped|UPDATE snapshot_additions a JOIN snapshot_additions b ON a.cluster = b.cluster AND a.number = 1 AND b.number = 2 SET a.body = b.body, a.chunks = b.chunks WHERE a.cluster = '$drift'
END
is "each is counted" "$(total damaged_total)" "$damaged"

# ---- the base is another one by the time the delta is stored
push_change warm 8
is "a delta" "$(state warm)" delta
mkfifo "$scratch/holder"
mariadb --defaults-file="$stack_dir/admin.cnf" loadline -nN <"$scratch/holder" >"$scratch/held" &
holder=$!
exec {hold}>"$scratch/holder"
echo "START TRANSACTION; SELECT 'held' FROM clusters WHERE cluster = '$warm' FOR UPDATE;" >&$hold
is_locked() { grep -q held "$scratch/held"; }
waits() {
    [ "$(mariadb --no-defaults --socket="$stack_dir/sock/mariadb.sock" -BNe "SELECT COUNT(*) FROM information_schema.processlist
        WHERE user = 'loadline' AND info LIKE '%FROM clusters%FOR UPDATE'")" -gt 0 ]
}
within "$(patient 5)" is_locked
curl -s -o "$scratch/waited" -w '%{http_code}' -H "X-API-Key: $api_key" -H 'X-Cluster-Id: warm' -H 'Content-Type: application/json' \
    --data-binary "@$scratch/change-09" "$base_url/ingest" >"$scratch/waited.status" &
pushing=$!
ok "a push waits" within "$(patient 5)" waits
echo "UPDATE snapshots SET base = REVERSE(base) WHERE cluster = '$warm'; COMMIT;" >&$hold
exec {hold}>&-
wait $holder $pushing
is "is stored whole" "$(cat "$scratch/waited.status") $(state warm)" "200 whole"
get '/api/cluster?id=warm&include=deployments'
is "and read back" "$status $(json -r '[.deployments[0, -1].metadata.labels.gen] | join(" ")')" "200 g9 g9"

# ---- two at once, and killed at any moment
for i in $(seq 10 29); do
    change "$i" | gzip -1 >"$scratch/gen-$i.gz"
done
pusher() { # FROM: every second one of them, twice; writes down what was acknowledged
    local i code
    for i in $(seq "$1" 2 29) $(seq "$1" 2 29); do
        code=$(curl -s -o /dev/null -w '%{http_code}' -H "X-API-Key: $api_key" -H 'X-Cluster-Id: warm' -H 'Content-Encoding: gzip' \
            -H 'Content-Type: application/json' --data-binary "@$scratch/gen-$i.gz" "$base_url/ingest")
        [ "$code" != 200 ] || echo "$i" >>"$scratch/taken"
    done
}
pusher 10 & one=$!
pusher 11 & two=$!
torn='' reads=0 kills=0
while kill -0 $one 2>/dev/null || kill -0 $two 2>/dev/null; do
    get '/api/cluster?id=warm&include=deployments'
    reads=$((reads + 1))
    seen=$(json -r '[.deployments[0, -1].metadata.labels.gen] | unique | join(" ")')
    [[ $status = 200 && $seen =~ ^g[0-9]+$ ]] || torn+="$status $seen; "
    [ $((reads % 2)) -ne 0 ] || { pid=$(pids_of ingest.fcgi | head -n 1); [ -z "$pid" ] || { kill -9 "$pid" && kills=$((kills + 1)); }; }
done
wait $one $two
diag "$reads reads, $kills workers killed, $(wc -l <"$scratch/taken") pushes taken, $(sort -u "$scratch/taken" | wc -l) of 20 documents"
empty "none of the answers is torn" "$torn"
ok "pushes were taken" [ "$(wc -l <"$scratch/taken")" -ge 10 ]
ok "workers were killed" [ $kills -ge 1 ]
again() { push_change warm 30 && [ "$status" = 200 ]; }
ok "they go on" within "$(patient 5)" again
get '/api/cluster?id=warm&include=deployments'
is "and what is shown is the last" "$status $(json -r '[.deployments[0, -1].metadata.labels.gen] | join(" ")')" "200 g30 g30"
is "nothing else was damaged" "$(total damaged_total)" "$damaged"
is "rows are gone with the cluster" "$(request DELETE '/api/clusters?id=warm' -H "Authorization: Bearer $token" >/dev/null; sql "SELECT COUNT(*) FROM snapshot_bases WHERE cluster = '$warm'")" 0
is "and additions" "$(request DELETE '/api/clusters?id=drift' -H "Authorization: Bearer $token" >/dev/null; sql "SELECT COUNT(*) FROM snapshot_additions WHERE cluster = '$drift'")" 0
done_testing
