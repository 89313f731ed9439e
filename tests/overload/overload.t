#!/bin/bash
# What happens when more is pushed than can be stored: pushes at 0.25 to 4 times the capacity, for OVERLOAD_SECONDS
# each (a minute at most where it is only compared with), from clients that give up after 10 s and take no notice of
# Retry-After; with push_wait and without. Prints the table of docs/operations.md. What is acknowledged is measured
# after the first 12 s (half of a shorter row), when the queue has become as long as it will. The capacity is measured
# before and after each row, because other work on the machine moves it, and beside the same other requests. The web
# server's uploads are in memory, as docs/operations.md advises.
. "$(dirname "$0")/../e2e/lib.sh"
memory=()
trap 'clean_up; rm -rf "${memory[@]}"' EXIT
seconds=${LOADLINE_OVERLOAD_SECONDS:-30}
factors=${LOADLINE_OVERLOAD_FACTORS:-0.25 0.5 1 1.5 2 3 4}
minute=$((seconds < 60 ? seconds : 60)) # enough for what is only compared with

uploads_in_memory() {
    memory+=("$(mktemp -d /dev/shm/loadline-XXXXXX)")
    chmod 1777 "${memory[-1]}"
    mv "$stack_dir/tmp" "$stack_dir/tmp.disk"
    ln -s "${memory[-1]}" "$stack_dir/tmp"
}
# start [up's options]: a stack with an account and its clusters
start() {
    local variant
    own_stack --set metrics_allow=127.0.0.1 --set gate_limit=1000000/3600 --set login_limit=0/300 --set address_limit=0/300 "$@"
    uploads_in_memory
    account Example
    sql "UPDATE tenants SET plan = 'enterprise'"
    bodies=()
    for variant in 0 1 2; do
        "$build/tests/bench/bench_generate" 400 compact $variant >"$scratch/$variant.gz"
        bodies+=("$scratch/$variant.gz")
    done
    overload warm --clients 2 --seconds 3 --name load
}
overload() {
    local log=$1
    shift
    said=$(tests/e2e/overload.py --url "$base_url" --key "$api_key" --body "${bodies[@]}" --clusters 40 --log "$scratch/$log" "$@")
}
of() {
    jq -r ".$1 // 0" <<<"$said"
}
# cpu: what the programs of the stack that a push concerns have used until now, in ticks
cpu() {
    local name pid ticks=0 fields
    for name in lighttpd ingest.fcgi mariadbd; do
        for pid in $(pids_of "$name"); do
            read -r fields <"/proc/$pid/stat"
            read -ra fields <<<"${fields##*) }"
            ticks=$((ticks + fields[11] + fields[12]))
        done
    done
    echo "$ticks"
}
# beside SECONDS COMMAND...: while others ask for other things
beside() {
    local asking
    tests/overload/others.py --url "$base_url" --seconds "$1" --key "$api_key" --cluster load-0 \
        --email "$email" --password "$password" >"$scratch/others" &
    asking=$!
    "${@:2}"
    wait $asking
}
# peak: what four clients get who push one after the other
peak() {
    beside 6 overload peak --clients 4 --seconds 6 --name load
    of accepted_a_second
}
# row FACTOR SECONDS: sets result, others and percent, and prints a line of the table
row() {
    local rate before after used
    used=$(cpu)
    before=$(peak)
    cost_peak=$(jq -n "10 * ($(cpu) - $used) / $(awk -F'\t' '$3 == 200' "$scratch/peak" | wc -l)")
    rate=$(jq -n "$before * $1")
    used=$(cpu)
    beside "$2" overload row --rate "$rate" --seconds "$2" --settle $(($2 < 24 ? $2 / 2 : 12)) --name load
    cost=$(jq -n "10 * ($(cpu) - $used) / $(jq .accepted <<<"$said") * 100 / $cost_peak | round")
    others=$(cat "$scratch/others")
    result=$said
    after=$before
    [ -n "$queues" ] || after=$(peak)
    percent=$(jq -n "$(jq .accepted_a_second <<<"$result") * 200 / ($before + $after) | round")
    diag "$(printf '| %s | %s | %s %% | %s | %s | %s | %s | %s | %s | %s |' "$1" "$(jq -n "$rate * 10 | round / 10")" "$percent" "$cost %" \
        "$(jq .refused <<<"$result")" "$(jq .gave_up <<<"$result")" "$(jq .accepted_p99 <<<"$result")" \
        "$(jq .health_p50 <<<"$others")/$(jq .health_p99 <<<"$others")" "$(jq .gate_p50 <<<"$others")/$(jq .gate_p99 <<<"$others")" \
        "$(jq .login_p50 <<<"$others")/$(jq .login_p99 <<<"$others")")"
}
head='| offered | a second | acknowledged, of the peak | CPU for each, of that at the peak | refused | gave up | p99, ms | /health p50/p99 | gate p50/p99 | login p50/p99 |'

queues=
start
diag "with push_wait = 2" "$head"
for factor in $factors; do
    if [ "$factor" = 2 ]; then # what is compared is measured one after the other
        row 0.5 $minute
        half=$others
    fi
    row "$factor" "$seconds"
    case $factor in
    2)
        ok "twice the capacity: $percent % of the peak is acknowledged" [ "$percent" -gt 90 ]
        # On a machine that others use, and the clients: what they take is not the programs'.
        below "... each costs the programs little more than at the peak, percent" "$cost" 120
        below "... nearly all within, ms" "$(jq .accepted_p99 <<<"$result")" 1500
        is "... and nobody gives up" "$(jq .gave_up <<<"$result")" 0
        is "/health, the gate and logins answer" "$(jq .failed <<<"$others")" 0
        twice=$others ;;
    esac
done
if [ -n "${half-}" ] && [ -n "${twice-}" ]; then
    for name in health gate login; do
        below "$name: the median at twice the capacity, in percent of that at half of it" \
            "$(jq -n "$twice.${name}_p50 * 100 / $half.${name}_p50 | round")" 300
    done
fi

# Afterwards a queue is left: each row has a stack of its own.
queues=yes
diag "without (push_wait = 0)" "$head"
for factor in $factors; do
    scripts/down --dir "$stack_dir"
    start --set push_wait=0
    row "$factor" $minute
done
done_testing
