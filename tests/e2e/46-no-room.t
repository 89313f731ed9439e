#!/bin/bash
# A spool that cannot be written says nothing of what is stored: it is not taken for damaged.
. "$(dirname "$0")/lib.sh"
own_stack --workers notify=0
account Example
type='application/vnd.loadline.changes+json'

# document GEN FILTER: 1,000 pods in that order, the first of which tells the generation
document() {
    jq -ncj --arg gen "$1" "[range(1000) | {metadata: {name: \"pod-\\(.)\", namespace: \"shop\", uid: (\"\\(.)\" | @base64 * 9)},
        spec: {containers: [{name: \"c\", image: \"nginx:1\"}]}, status: {phase: \"Running\"}}] | $2 | .[0].metadata.labels = {gen: \$gen}
        | {kind: \"PodList\", apiVersion: \"v1\", items: .}"
}
# stored: whether the next push trusts it
stored() {
    sql "SELECT CONCAT(IF(s.delta IS NULL, 'whole', 'delta'), IF(s.delta_surplus < 0 OR c.snapshot_hash = 0, ', distrusted', ''))
        FROM snapshots s JOIN clusters c USING (cluster) WHERE c.tenant_id = '$tenant' AND c.name = 'shop'"
}
# cgi PROGRAM METHOD TARGET FILE [VARIABLE=VALUE]...: of a process that can write no file of more than so many KiB
cgi() {
    local program=$1 method=$2 target=$3 file=$4 length
    length=$(stat -c %s "$file")
    shift 4
    (
        trap '' XFSZ
        ulimit -f "$kib"
        exec env -i LOADLINE_CONF="$conf" REQUEST_METHOD="$method" REQUEST_URI="$target" REMOTE_ADDR=192.0.2.7 \
            CONTENT_TYPE=application/json CONTENT_LENGTH="$length" HTTP_X_API_KEY="$api_key" \
            HTTP_AUTHORIZATION="Bearer $token" "$@" "$build/cgi-bin/$program.fcgi" <"$file" 2> >(cat >"$scratch/cgi.err")
    ) | tr -d '\r' >"$scratch/cgi"
    status=$(sed -n '1s/^Status: \([0-9]*\) .*/\1/p' "$scratch/cgi")
    sed '1,/^$/d' "$scratch/cgi" >"$scratch/body"
}

document 1 . >"$scratch/one"
document 2 '.[500:] + .[:500]' >"$scratch/two"
document 3 '.[500:] + .[:500]' >"$scratch/three"
push shop "$scratch/one"
push shop "$scratch/two" -H 'X-Want-Revision: 1'
revision=$(json .revision)
is "it is stored in another order than its base" "$(stored)" delta
python3 tests/e2e/changes.py list "$scratch/two" "$scratch/three" "$revision" >"$scratch/changes"
jq -nc '{cluster_id: "shop", manifest: {apiVersion: "v1", kind: "Pod", metadata: {name: "new", namespace: "shop"},
    spec: {containers: [{name: "c", image: "nginx:1"}]}}}' >"$scratch/question"

sed "s|^spool_directory = .*|spool_directory = /nonexistent|" "$stack_dir/loadline.conf" >"$scratch/nowhere.conf"
while read -r kib conf what; do
    cgi export GET '/api/cluster?id=shop' /dev/null
    is "$what: the cluster" "$status $(json .code) $(stored)" "500 internal delta"
    cgi export GET '/api/export?clusterId=shop' /dev/null
    is "$what: a report" "$status $(json .code) $(stored)" "500 internal delta"
    cgi validate POST /api/validate "$scratch/question"
    is "$what: a forecast" "$status $(json .code) $(stored)" "500 internal delta"
    cgi ingest POST /ingest "$scratch/changes" CONTENT_TYPE="$type" HTTP_X_CLUSTER_ID=shop
    is "$what: changes can be pushed whole" "$status $(json .code) $(stored)" "409 send_whole delta"
    like "$what: the log names the key" "$(cat "$scratch/cgi.err" "$stack_dir"/log/*)" 'spool_directory: cannot'
done <<END
64 $stack_dir/loadline.conf a full disk
unlimited $scratch/nowhere.conf no directory
END

kib=unlimited conf=$stack_dir/loadline.conf
cgi export GET '/api/export?clusterId=shop' /dev/null
is "with room all is there" "$status $(json '.pods | length')" "200 1000"
request POST /ingest -H "X-API-Key: $api_key" -H "X-Cluster-Id: shop" -H "Content-Type: $type" --data-binary "@$scratch/changes"
is "also for changes" "$status" 200
done_testing
