#!/bin/bash
# A push of changes beside a push of the whole snapshot: the same pods have changed since the push before, so many of
# 1,000; and how many pushes of changes there can be in a second. LOADLINE_BENCH_CHANGES names some of the rows below,
# and LOADLINE_BENCH_WORKERS how many there are.
# shellcheck source=tests/bench/lib.sh
. "$(dirname "$0")/lib.sh"

host --workers "ingest=${LOADLINE_BENCH_WORKERS:-2}" --set "cluster_memory_mib=${LOADLINE_BENCH_MEMORY:-256}"
enterprise
pods=1000 rounds=6 pushes=96 clusters=4 clients=6 seconds=10 fast=10
[ -z "$short" ] || pods=50 rounds=2 pushes=4 clusters=2 clients=2 seconds=1 fast=100

# row PODS_OF_1000
row() {
    local changing=$1 round files=() how name bytes worker server front limit
    for ((round = 0; round < rounds; round++)); do
        file=$scratch/only-$changing-$round.json.gz
        "$programs/bench_generate" $pods plain 0 "$changing" same $round >"$file"
        files+=("$file")
    done
    for how in whole changes; do
        name="$how, $(divide "$changing" 10 | sed 's/0*$//; s/[.]$//') %"
        rm -f "$scratch/state"
        pushed() { python3 tests/bench/only_changes.py "$base_url" "$api_key" "$scratch/state" $clusters "$1" $how "${files[@]}"; }
        pushed $((clusters * 6)) >/dev/null
        worker=$(cpu ingest.fcgi) server=$(cpu mariadbd) front=$(cpu lighttpd)
        bytes=$(pushed $pushes)
        worker=$(($(cpu ingest.fcgi) - worker)) server=$(($(cpu mariadbd) - server)) front=$(($(cpu lighttpd) - front))
        limit=
        [ "$how $changing" != "changes $fast" ] || limit=4
        figure "CPU a push, ms, $name" "$(divide $((worker + server + front)) $pushes)" ${limit:+"<=" "$limit"}
        figure "  of the worker" "$(divide "$worker" $pushes)"
        figure "  of MariaDB" "$(divide "$server" $pushes)"
        figure "  of the web server" "$(divide "$front" $pushes)"
        figure "KB a push, $name" "$(divide "$bytes" 1000)"
    done
    [ "$changing" != "$fast" ] || rate
    rm -f "$scratch/only-$changing"-*.json.gz
}

# rate: with the files of that row
rate() {
    local found
    found=$(python3 tests/bench/changes_rate.py "$base_url" "$api_key" $clients $clusters $seconds "${files[@]}")
    found=" $found"
    figure "pushes a second, $name, $clients clients" "$(sed 's/.* rate=//; s/ .*//' <<<"$found")" ">=" 200
    figure "p50, ms" "$(sed 's/.* p50_ms=//; s/ .*//' <<<"$found")"
    figure "p99, ms" "$(sed 's/.* p99_ms=//; s/ .*//' <<<"$found")"
}

rows=(2 10 50 200)
[ -z "$short" ] || rows=(100)
for row in "${rows[@]}"; do
    [[ " ${LOADLINE_BENCH_CHANGES-$row} " != *" $row "* ]] || row "$row"
done
