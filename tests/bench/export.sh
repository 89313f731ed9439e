#!/bin/bash
# Large answers: the snapshot of a cluster by kind, and its report, to one client that asks again and
# again.
# shellcheck source=tests/bench/lib.sh
. "$(dirname "$0")/lib.sh"

host --set change_limit=1000000/300
enterprise
rounds=20
[ -z "$short" ] || rounds=3

# median PATH [curl's options]: of the time until the last byte, ms
median() {
    local path=$1 round
    shift
    for ((round = 0; round < rounds; round++)); do
        curl -sS -f -m 60 -o "$scratch/answer" -w '%{time_total}\n' -H "Authorization: Bearer $token" "$@" "$base_url$path" ||
            give_up "$path failed"
    done | sort -n | awk '{ at[NR] = $1 } END { print at[int((NR + 1) / 2)] * 1000 }'
}

# measure PODS LIMIT: LIMIT is of the plain answer and of the compressed one
measure() {
    local pods=$1 limit=${2-} before
    snapshot "$pods" compact 0
    load --method POST --path /ingest --header "X-API-Key: $api_key" --header 'Content-Encoding: gzip' \
        --header 'Content-Type: application/json' --header "X-Cluster-Id: pods-$pods" --count 1 --body "$file"
    figure "cluster, ms, $pods pods gzip" "$(median "/api/cluster?id=pods-$pods" -H 'Accept-Encoding: gzip')" ${limit:+"<=" "$limit"}
    figure "cluster, ms, $pods pods plain" "$(median "/api/cluster?id=pods-$pods")" ${limit:+"<=" "$limit"}
    figure "cluster, MB, $pods pods plain" "$(divide "$(stat -c %s "$scratch/answer")" 1000000)"
    before=$(cpu export.fcgi)
    figure "export, ms, $pods pods JSON" "$(median "/api/export?clusterId=pods-$pods&format=json")"
    figure "export, worker's CPU, ms, $pods pods JSON" "$(divide $(($(cpu export.fcgi) - before)) $rounds)"
    figure "export, ms, $pods pods CSV" "$(median "/api/export?clusterId=pods-$pods&format=csv")"
    figure "memory of an export worker, MiB, $pods pods" "$(peak export.fcgi)"
}

measure 1000 100
[ -n "$short" ] || measure 10000
