#!/bin/bash
# What a push costs and writes when so much of the cluster has changed since the push before: the same pods
# each time, or other ones each time ("drifting"). LOADLINE_BENCH_CHANGES names some of the rows below.
# shellcheck source=tests/bench/lib.sh
. "$(dirname "$0")/lib.sh"

host
enterprise
push_options=(--method POST --path /ingest --close --header "X-API-Key: $api_key"
    --header 'Content-Type: application/json' --header 'Content-Encoding: gzip')
# Each worker has met each cluster several times before it is measured, and no round comes twice: from the
# last one to the first would be a push of which far more has changed.
pods=1000 clusters=4 met=12 measured=24
[ -z "$short" ] || pods=50 clusters=2 met=1 measured=4
rounds=$((met + measured + clusters - 1)) pushes=$((clusters * measured))

# redo: bytes that the server has written to its log until now
redo() {
    administer "SHOW GLOBAL STATUS LIKE 'Innodb_lsn_current'" | cut -f 2
}

# row FORM PODS_OF_1000 same|drifting
row() {
    local form=$1 changing=$2 mode=$3 name round bodies=() worker server log limits
    name="$form, $(divide "$changing" 10 | sed 's/0*$//; s/[.]$//') % $mode"
    for ((round = 0; round < rounds; round++)); do
        file=$scratch/$form-$changing-$mode-$round.json.gz
        "$programs/bench_generate" $pods "$form" 0 "$changing" "$mode" $round >"$file"
        bodies+=(--body "$file")
    done
    local options=("${push_options[@]}" --header "X-Cluster-Id: $form-$changing-$mode-{n}" --over "$clusters" "${bodies[@]}" --clients 1)
    load "${options[@]}" --count $((clusters * met))
    worker=$(cpu ingest.fcgi) server=$(cpu mariadbd) log=$(redo)
    load "${options[@]}" --count $pushes --skip $((clusters * met))
    limits=() # of 1 %
    [ "$changing" != 10 ] || limits=(12 3 25)
    figure "worker's CPU a push, ms, $name" "$(divide $(($(cpu ingest.fcgi) - worker)) $pushes)" ${limits:+"<=" "${limits[0]}"}
    figure "MariaDB's CPU a push, ms, $name" "$(divide $(($(cpu mariadbd) - server)) $pushes)" ${limits:+"<=" "${limits[1]}"}
    figure "redo a push, KB, $name" "$(divide $(($(redo) - log)) $((pushes * 1000)))" ${limits:+"<=" "${limits[2]}"}
    figure "kept of a snapshot, KB, $name" \
        "$(divide "$(administer "SELECT SUM(snapshot_bytes) FROM clusters WHERE name LIKE '$form-$changing-$mode-%'")" $((clusters * 1000)))"
    rm -f "$scratch/$form-$changing-$mode"-*.json.gz
}

rows=('compact 2 same' 'compact 10 same' 'compact 10 drifting' 'compact 50 same' 'compact 50 drifting'
    'compact 200 same' 'compact 1000 same' 'plain 10 same' 'plain 10 drifting')
[ -z "$short" ] || rows=('compact 100 same')
for row in "${rows[@]}"; do
    [[ " ${LOADLINE_BENCH_CHANGES-$row} " != *"$row"* ]] || {
        # shellcheck disable=SC2086 # words
        row $row
    }
done
