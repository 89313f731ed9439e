#!/bin/bash
# Pushes over HTTP, through the real stack: what a push costs a worker, and how many clusters two
# cores carry. The client shares the machine; its CPU is among the figures. Workers have room for all
# clusters, as docs/operations.md wants it, and know them before anything is measured: 600 clusters take
# 3.2 GB of each. With less memory than that there are fewer clusters, and a note says so.
# shellcheck source=tests/bench/lib.sh
. "$(dirname "$0")/lib.sh"

clusters=600 mib_of_cluster=5
room=$(awk '/^MemAvailable/ { print int($2 / 1024) }' /proc/meminfo)
fit=$((room * 3 / (8 * mib_of_cluster))) # in both workers, and a quarter is left
[ $clusters -le $fit ] || clusters=$((fit - fit % 10))
host --workers ingest=2 --set "cluster_memory_mib=$((clusters * mib_of_cluster))"
enterprise
push_options=(--method POST --path /ingest --close --header "X-API-Key: $api_key"
    --header 'Content-Type: application/json' --header 'Content-Encoding: gzip')
pods=1000 seconds=30 warm_up=40 pushes=200 known_after=8
[ -z "$short" ] || pods=100 seconds=2 warm_up=4 pushes=20 known_after=1
[ $clusters = 600 ] || note "this machine has room for $clusters clusters of 600"

# bodies FORM: of one cluster, each a little different from the one before; sets bodies.
bodies() {
    local variant
    bodies=()
    for variant in 0 1 2 3; do
        snapshot $pods "$1" $variant
        bodies+=(--body "$file")
    done
}

# cost FORM MEMBER: the worker's CPU for a push beside the scorer's for the same bytes.
cost() {
    local form=$1 before used scorer
    bodies "$form"
    scorer=$(of "$2" "$("$programs/bench_score" "$file")")
    load "${push_options[@]}" --header "X-Cluster-Id: cost-$form-{n}" --over 4 "${bodies[@]}" --clients 1 --count $warm_up
    before=$(cpu ingest.fcgi)
    load "${push_options[@]}" --header "X-Cluster-Id: cost-$form-{n}" --over 4 "${bodies[@]}" --clients 1 --count $pushes
    used=$(divide $(($(cpu ingest.fcgi) - before)) $pushes)
    figure "worker's CPU a push, ms, $form" "$used"
    figure "worker's CPU / scorer's, $form" "$(divide "$used" "$scorer")" "<=" 2
}

# carry FORM CLUSTERS: each pushes every ten seconds, evenly spread. Any worker takes any cluster, so each
# of two has met all of them after some rounds. The same clusters push every form: the plan allows 1,000.
carry() {
    local form=$1 clusters=$2 rate=$(($2 / 10)) round
    local options=("${push_options[@]}" --header "X-Cluster-Id: carried-{n}" --over "$2")
    bodies "$form"
    load "${options[@]}" "${bodies[@]}" --clients 4 --count "$clusters"
    note "$form: first pushes of $clusters clusters: $load_rate a second"
    for ((round = 0; round < known_after; round++)); do
        load "${options[@]}" "${bodies[@]}" --clients 4 --count "$clusters"
    done
    note "$form: when workers know them: $load_rate a second"
    before_load lighttpd ingest.fcgi mariadbd
    load "${options[@]}" "${bodies[@]}" --clients 128 --rate $rate --seconds $seconds
    figure "pushes a second, $clusters clusters $form" "$load_rate" ">=" "$(divide $((rate * 98)) 100)"
    figure "push p99, ms, $clusters clusters $form" "$load_p99_ms" "<=" 500
    figure "push p50, ms, $clusters clusters $form" "$load_p50_ms"
    shares lighttpd ingest.fcgi mariadbd
}

cost plain plain_ms
cost compact redacted_ms
if [ -n "$short" ]; then
    carry compact 20
    exit 0
fi
carry compact $clusters
carry plain $clusters
