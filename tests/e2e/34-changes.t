#!/bin/bash
# A push of what has changed: the same score, ledger and stored copy as that of the whole snapshot. Whatever
# the changes are not of what is stored is refused, so that the sender pushes all of it.
. "$(dirname "$0")/lib.sh"
own_stack --workers notify=0 --set metrics_token=0123456789abcdef
account Other
other_key=$api_key
account Example
type='Content-Type: application/vnd.loadline.changes+json'

# document GEN NAME...: a cluster of one node and these pods, the first of which tells the generation
document() {
    local gen=$1
    shift
    printf '%s\n' "$@" | jq -Rsrj --arg gen "$gen" '
        def list($kind): {kind: "\($kind)List", apiVersion: "v1", items: .} | tojson;
        [split("\n")[] | select(. != "") | {metadata: {name: ., namespace: "shop"}, spec: {containers: [{name: "c", image: "nginx:1"}]},
            status: {phase: "Running"}}] | .[0].metadata.labels = {gen: $gen} | list("Pod"),
        ([{metadata: {name: "n1"}, status: {conditions: [{type: "Ready", status: "True"}]}}] | list("Node"))'
}
# changes_to OLD NEW REVISION: the list, in the file `changes`
changes_to() {
    python3 tests/e2e/changes.py list "$scratch/$1" "$scratch/$2" "$3" >"$scratch/changes"
}
# push_changes CLUSTER [curl's options]: that file, as it is
push_changes() {
    local cluster=$1
    shift
    request POST /ingest -H "X-API-Key: $api_key" -H "X-Cluster-Id: $cluster" -H "$type" --data-binary "@$scratch/changes" "$@"
}
# whole CLUSTER FILE: sets revision
whole() {
    push "$1" "$scratch/$2" -H 'X-Want-Revision: 1'
    revision=$(json .revision)
}
# shown CLUSTER: the pods of the stored copy
shown() {
    get "/api/cluster?id=$1&include=pods"
    json -r '[.pods[] | .metadata.name + (.metadata.labels.gen // "")] | join(" ")'
}
total() {
    request GET /metrics -H 'Authorization: Bearer 0123456789abcdef'
    sed -n "s/^loadline_changes_total{result=\"$1\"} //p" <<<"$body"
}
# must_send_whole WHAT
must_send_whole() {
    refused "$1" 409 send_whole
}

document 1 a b c d >"$scratch/one"
document 2 a b d e >"$scratch/two"
document 3 a b e >"$scratch/three"

# ---- equality, over a sequence
is "8 random steps: the same as whole" "$(python3 tests/e2e/changes.py churn "$base_url" "$api_key" "$token" 8)" "7 changes, 1 whole, 2 same"
is "as many were applied" "$(total applied)" 7

# ---- what is answered
changes_to one two 00000000000000000000000000000000
push_changes new
must_send_whole "a cluster that nobody knows"
is "is not made" "$(sql "SELECT COUNT(*) FROM clusters WHERE tenant_id = '$tenant' AND name = 'new'")" 0
whole shop one
like "a whole push tells its revision" "$revision" '^[0-9a-f]{32}$'
push shop "$scratch/one"
is "to who asks for it" "$status $(json .revision)" "200 null"
push shop "$scratch/one" -H 'X-Want-Revision: 1'
is "the same snapshot has the same one" "$(json .revision)" "$revision"
first=$revision
changes_to one two "$revision"
for packer in "gzip -c" "zstd -qc" cat; do
    whole shop one
    changes_to one two "$revision"
    $packer "$scratch/changes" >"$scratch/packed"
    [ "$packer" = cat ] && encoding=identity || encoding=${packer%% *}
    request POST /ingest -H "X-API-Key: $api_key" -H "X-Cluster-Id: shop" -H "$type; charset=utf-8" -H "Content-Encoding: $encoding" \
        --data-binary "@$scratch/packed"
    is "changes as $encoding" "$status $(json 'keys | join(" ")') $(shown shop)" "200 csc_score decision revision risks status verdict a2 b d e"
done
request POST /ingest -H "X-API-Key: $api_key" -H "X-Cluster-Id: shop" -H "$type" -H "Content-Encoding: gzip" --data-binary "@$scratch/changes"
refused "not what it says it is packed with" 400 bad_gzip

# ---- sent again
whole shop one
changes_to one two "$revision"
push_changes shop -H 'Idempotency-Key: 1'
answer=$body
push_changes shop -H 'Idempotency-Key: 1'
is "the same push again is answered the same" "$status $(header Idempotent-Replayed) $body" "200 true $answer"
push_changes shop
must_send_whole "without a key: its base is gone"
revision=$(jq -r .revision <<<"$answer")
changes_to two three "$revision"
push_changes shop -H 'Idempotency-Key: 1'
refused "other changes with that key" 422 idempotency_conflict Idempotency-Key
push_changes shop -H 'Idempotency-Key: 2'
is "with another one" "$status $(shown shop)" "200 a3 b e"
changes_to one two "$first"
push_changes shop
must_send_whole "changes of a revision that was there before"

# ---- not of this snapshot
whole shop one
changes_to two three "$revision"
push_changes shop
must_send_whole "changes of another document"
changes_to one two "$revision"
sed -i 's/"digest":"...../"digest":"00000/' "$scratch/changes"
received=$(sql "SELECT received_at FROM clusters WHERE tenant_id = '$tenant' AND name = 'shop'")
push_changes shop
must_send_whole "another digest"
is "nothing of it is stored" "$(sql "SELECT received_at FROM clusters WHERE tenant_id = '$tenant' AND name = 'shop'") $(shown shop)" "$received a1 b c d"
changes_to one two "$revision"
whole twin one
push_changes twin
must_send_whole "the base of another cluster with the same snapshot"
api_key=$other_key push shop "$scratch/one"
api_key=$other_key push_changes shop
must_send_whole "the base of another tenant with the same snapshot"
push_changes shop
is "where it belongs" "$status" 200
whole shop one
stale=$revision
whole shop two
changes_to one three "$stale"
push_changes shop
must_send_whole "somebody else has pushed meanwhile"

# ---- lists that are none
whole shop one
changes_to one two "$revision"
jq -c '.objects += .objects' "$scratch/changes" >"$scratch/list" && mv "$scratch/list" "$scratch/changes"
push_changes shop
refused "an object that is changed twice" 400 invalid_field objects
changes_to one two "$revision"
jq -c 'del(.removed[0].name)' "$scratch/changes" >"$scratch/list" && mv "$scratch/list" "$scratch/changes"
push_changes shop
refused "something without a name is removed" 400 invalid_field removed
echo '{"base": ' >"$scratch/changes"
push_changes shop
refused "half a list" 400 cut_json
changes_to one two "$revision"
for member in base digest objects removed; do
    jq -c ".$member = null" "$scratch/changes" >"$scratch/list" && mv "$scratch/list" "$scratch/changes"
    push_changes shop
    refused "$member is null, so it is left out" 400 missing_field "$member"
    changes_to one two "$revision"
done
changes_to one two '\u0000'
push_changes shop
refused "a NUL is no revision" 400 invalid_field base
cp "$scratch/one" "$scratch/changes"
push_changes shop
refused "a snapshot under the type of changes" 400 invalid_field base
head -c 33M /dev/zero | tr '\0' ' ' | zstd -q1c >"$scratch/packed"
request POST /ingest -H "X-API-Key: $api_key" -H "X-Cluster-Id: shop" -H "$type" --data-binary "@$scratch/packed"
refused "more than 32 MiB" 413 too_large
is "and nothing has changed" "$(shown shop)" "a1 b c d"

# ---- what is not kept as it is
document secret a b c d | sed 's/"image":"nginx:1"/&,"env":[{"name":"PASSWORD","value":"hunter2-hunter2"}]/' >"$scratch/secret"
changes_to one secret "$revision"
push_changes shop
must_send_whole "an object of which something is cut"
is "nothing of it is stored" "$(shown shop)" "a1 b c d"
whole shop secret
changes_to secret two "$revision"
push_changes shop
is "what is stored of it is redacted: changes of all that was cut" "$status $(shown shop)" "200 a2 b d e"
whole shop secret
jq -c 'if .kind == "PodList" then .items[1].metadata.labels = {gen: "x"} else . end' "$scratch/secret" | tr -d '\n' >"$scratch/part"
changes_to secret part "$revision"
push_changes shop
must_send_whole "and of the rest: the sender has what is not stored"

# ---- what is remembered may be lost, and what is stored may be damaged
whole shop one
changes_to one two "$revision"
for pid in $(pids_of ingest.fcgi); do kill -9 "$pid"; done
within 20 eval 'push_changes shop; [ "$status" = 200 ]'
is "other workers, which remember nothing" "$status $(shown shop)" "200 a2 b d e"
whole shop one
changes_to one two "$revision"
sql "UPDATE snapshot_bases b JOIN clusters c USING (cluster) SET b.body = REVERSE(b.body) WHERE c.tenant_id = '$tenant' AND c.name = 'shop'"
push_changes shop
must_send_whole "a base that is damaged"
whole shop one
changes_to one two "$revision"
push_changes shop
is "is replaced by the whole one" "$status $(shown shop)" "200 a2 b d e"
revision=$(json .revision)
changes_to two three "$revision"
sql "UPDATE snapshots s JOIN clusters c USING (cluster) SET s.body = 'x' WHERE c.tenant_id = '$tenant' AND c.name = 'shop'"
push_changes shop
must_send_whole "a copy of an earlier release"

# ---- what is added to a base has a revision of its own
python3 - "$scratch" <<'END'
import hashlib, json, sys
def pod(i, changed):
    label = hashlib.sha256(f"{i} {changed}".encode()).hexdigest()
    return {"metadata": {"name": f"p{i}", "namespace": "shop", "labels": {"x": label}}, "spec": {"containers": [{"name": "c", "image": "nginx:1"}]}}
for round, changed in enumerate([0, 30, 60]):
    with open(f"{sys.argv[1]}/grown{round}", "w") as file:
        json.dump({"kind": "PodList", "apiVersion": "v1", "items": [pod(i, i < changed) for i in range(2000)]}, file, separators=(",", ":"))
END
api_key=$other_key
for round in 0 1 2 2 2; do whole grown "grown$round"; done
first=$revision
whole grown grown2
is "a document that comes again keeps its revision" "$revision" "$first"
changes_to grown2 grown2 "$revision"
push_changes grown
is "with which changes can begin" "$status" 200

done_testing
