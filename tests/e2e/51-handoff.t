#!/bin/bash
# Workers of ingest give each other pushes of changes: each comes to the worker that remembers the cluster, whoever
# accepts it. A worker that dies or is told to stop takes no push with it that it had not begun.
. "$(dirname "$0")/lib.sh"
if [ "$server" = cgi ]; then skip_all "plain CGI has no workers"; fi
own_stack --workers ingest=3 --workers notify=0 --set metrics_token=0123456789abcdef
account Example

# document GENERATION PODS: a cluster of one node and so many pods, the first of which tells the generation
document() {
    jq -nrj --argjson gen "$1" --argjson pods "$2" '
        def list($kind): {kind: "\($kind)List", apiVersion: "v1", items: .} | tojson;
        [range($pods) | {metadata: {name: "p\(.)", namespace: "shop"}, spec: {containers: [{name: "c", image: "nginx:1"}]},
            status: {phase: "Running"}}] | .[0].metadata.labels = {gen: "g\($gen)"} | list("Pod"),
        ([{metadata: {name: "n1"}, status: {conditions: [{type: "Ready", status: "True"}]}}] | list("Node"))'
}
objects() {
    request GET /metrics -H 'Authorization: Bearer 0123456789abcdef'
    sed -n "s/^loadline_memory_objects_total{result=\"$1\"} //p" <<<"$body"
}
pods=300 clusters=(one two three) pushes=12 type='Content-Type: application/vnd.loadline.changes+json'
for ((gen = 0; gen < pushes; gen++)); do document $gen $pods >"$scratch/$gen"; done
# What changes from one to the next, but for the name of what it builds on.
for ((gen = 1; gen < pushes; gen++)); do
    python3 tests/e2e/changes.py list "$scratch/$((gen - 1))" "$scratch/$gen" REVISION >"$scratch/to.$gen"
done

# ---- who remembers it
declare -A revision
for cluster in "${clusters[@]}"; do
    push "$cluster" "$scratch/0" -H 'X-Want-Revision: 1'
    revision[$cluster]=$(json .revision)
done
good=0
# push_all FROM TO: what leads to these generations of each cluster
push_all() {
    local gen
    for ((gen = $1; gen <= $2; gen++)); do
        for cluster in "${clusters[@]}"; do
            sed "s/REVISION/${revision[$cluster]}/" "$scratch/to.$gen" >"$scratch/changes"
            request POST /ingest -H "X-API-Key: $api_key" -H "X-Cluster-Id: $cluster" -H "$type" --data-binary "@$scratch/changes"
            revision[$cluster]=$(json .revision)
            [ "$status" != 200 ] || good=$((good + 1))
        done
    done
}
push_all 1 3 # what comes again is remembered
first=$(objects read)
ok "the first push of each cluster is read" [ "$first" -ge $((pods * ${#clusters[@]})) ]
push_all 4 $((pushes - 1))
is "all are stored" $good $(((pushes - 1) * ${#clusters[@]}))
# Each worker would read each cluster itself. A host that is busy may let another one read two of them.
below "what has not changed is not read again by other workers" $(($(objects read) - first)) $((pods * 5 / 2 + good * 2))
is "each worker of this host has a socket of its own" "$(find "$stack_dir" -maxdepth 1 -type s -name 'waiting.*' | wc -l)" 3
is "and nobody else may write there" "$(find "$stack_dir" -maxdepth 1 -type s -name 'waiting.*' -printf '%m\n' | sort -u)" 600

# ---- connections on which no request comes, or half of one: more than there are workers
cat >"$scratch/silent.py" <<'END'
import socket, sys, time
ends = [socket.socket(socket.AF_UNIX) for _ in range(4)]
for i, end in enumerate(ends):
    end.connect(sys.argv[1])
    end.sendall(b"\1\1\0\1\0\10\0\0\0\1"[:i % 2 * 10])
print("connected", flush=True)
time.sleep(600)
END
coproc silent { exec python3 "$scratch/silent.py" "$stack_dir/sock/ingest.sock"; }
read -r -t "$(patient 10)" _ <&"${silent[0]}" || diag "nobody has connected"
request POST /ingest -m "$(patient 30)" -H "X-API-Key: $api_key" -H "X-Cluster-Id: one" -H "$type" --data-binary '{}'
like "who connects and says nothing keeps no worker for long: a push is refused, or has waited for too long" "$status" '^(400|503)$'
# shellcheck disable=SC2154 # coproc sets it
kill "$silent_PID"
wait "$silent_PID"

# ---- workers that come and go
# load CLUSTER: pushes of changes to what is not there any more, until $scratch/go is gone; writes what is answered
sed "s/REVISION/00000000000000000000000000000000/" "$scratch/to.1" >"$scratch/old"
load() {
    while [ -e "$scratch/go" ]; do
        curl -s -m 30 -o /dev/null -w '%{http_code}\n' -H "X-API-Key: $api_key" -H "X-Cluster-Id: $1" -H "$type" \
            --data-binary "@$scratch/old" "$base_url/ingest" || echo "curl $?"
    done >"$scratch/answers.$1"
}
replaced() {
    local pid
    for pid in $before; do [ ! -e "/proc/$pid" ] || return 1; done
    [ "$(pids_of ingest.fcgi | wc -l)" = 3 ]
}
touch "$scratch/go"
loads=()
for cluster in "${clusters[@]}"; do
    load "$cluster" &
    loads+=($!)
done
replacements=0
for round in 1 2 3 4 5 6; do
    before=$(pids_of ingest.fcgi)
    for pid in $before; do kill -TERM "$pid"; done
    if within "$(patient 20)" replaced; then replacements=$((replacements + 1)); else diag "round $round: not replaced"; fi
    sleep 0.3
done
rm "$scratch/go"
wait "${loads[@]}"
is "six times all workers are told to stop" $replacements 6
ok "pushes go on meanwhile" [ "$(cat "$scratch"/answers.* | wc -l)" -ge 40 ]
is "and each is answered: send all of it" "$(sort -u "$scratch"/answers.* | tr '\n' ' ')" "409 "

for pid in $(pids_of ingest.fcgi); do kill -KILL "$pid"; done
good=0
for cluster in "${clusters[@]}"; do
    # one that the dead had accepted is gone, and the sender comes again
    for _ in 1 2 3; do
        push "$cluster" "$scratch/1"
        [ "$status" = 200 ] && break
    done
    [ "$status" != 200 ] || good=$((good + 1))
done
is "after a crash others read what comes" $good ${#clusters[@]}
is "and what was acknowledged is there" "$(sql "SELECT COUNT(*) FROM clusters c JOIN snapshots s USING (cluster) WHERE c.tenant_id = '$tenant'")" ${#clusters[@]}

# ---- two stacks that share the files, and a key: the database of one is a copy of the other's
first_dir=$stack_dir first_url=$base_url
mariadb-dump --no-defaults --socket="$stack_dir/sock/mariadb.sock" --no-create-info --replace loadline tenants users api_keys >"$scratch/dump"
own_stack --workers ingest=1 --workers notify=0 --set waiting_file="$first_dir/waiting"
mariadb --no-defaults --socket="$stack_dir/sock/mariadb.sock" loadline <"$scratch/dump"
# served DIRECTORY: how many pushes its workers have noted
served() { grep -c 'path="/ingest"' "$1/log/ingest.log"; }
second_url=$base_url before=$(served "$first_dir")
for url in $first_url $second_url $first_url; do
    base_url=$url request POST /ingest -H "X-API-Key: $api_key" -H "X-Cluster-Id: c" -H "$type" --data-binary '{'
done
all_noted() { [ $(($(served "$first_dir") + $(served "$stack_dir"))) = $((before + 3)) ]; }
within "$(patient 5)" all_noted || diag "not all are in the logs"
is "workers of one stack are given nothing of the other's" "$(($(served "$first_dir") - before)) $(served "$stack_dir")" "2 1"
done_testing
