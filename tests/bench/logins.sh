#!/bin/bash
# Logins with two workers, and pushes beside a flood of them. The flood is of right passwords: wrong
# ones meet the rate limit before they cost anything.
# shellcheck source=tests/bench/lib.sh
. "$(dirname "$0")/lib.sh"

host --workers auth=2 --set login_limit=0/300 --set password_wait=5 --set password_cost=15
enterprise
clusters=100 seconds=20 rounds=3 flood=100
[ -z "$short" ] || clusters=10 seconds=1 rounds=1 flood=50
jq -nc --arg email "$email" --arg password "$password" '$ARGS.named' >"$scratch/login.json"
login=(--method POST --path /api/auth/login --header 'Content-Type: application/json' --body "$scratch/login.json" --refusals)
snapshot 1000 compact 0
push=(--method POST --path /ingest --close --header "X-API-Key: $api_key" --header 'Content-Encoding: gzip'
    --header 'Content-Type: application/json' --header 'X-Cluster-Id: logins-{n}' --over "$clusters" --body "$file")

load "${login[@]}" --clients 1 --seconds "$seconds"
figure "login p50, ms, one client" "$load_p50_ms"
load "${login[@]}" --clients 2 --seconds "$seconds"
figure "logins a second, two clients" "$load_rate"
figure "login p99, ms, two clients" "$load_p99_ms"

# median NUMBER...
median() {
    printf '%s\n' "$@" | sort -n | sed -n "$((($# + 1) / 2))p"
}

load "${push[@]}" --clients 4 --count "$clusters"
push+=(--clients 64 --rate $((clusters / 10)) --seconds "$seconds")
alone=() beside=()
for ((round = 0; round < rounds; round++)); do
    load "${push[@]}"
    alone+=("$load_p99_ms")
    "$programs/bench_load" --port "$stack_port" "${login[@]}" --clients 200 --rate $flood --seconds "$seconds" >"$scratch/flood" &
    load "${push[@]}"
    beside+=("$load_p99_ms")
    wait $! || give_up "the flood failed"
    note "$(cat "$scratch/flood")"
done
figure "push p99, ms, without logins" "$(median "${alone[@]}")"
figure "push p99, ms, beside $flood logins a second" "$(median "${beside[@]}")"
figure "  one / the other" "$(divide "$(median "${beside[@]}")" "$(median "${alone[@]}")")" "<=" 1.5
figure "logins answered a second in the flood" "$(of rate "$(cat "$scratch/flood")")"
figure "login max, ms, in the flood" "$(of max_ms "$(cat "$scratch/flood")")" "<=" 10000
figure "memory of an auth worker at most, MiB" "$(peak auth.fcgi)" "<=" 48
