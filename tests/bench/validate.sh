#!/bin/bash
# The deployment gate under 16 clients that ask again as soon as they have their answer.
# shellcheck source=tests/bench/lib.sh
. "$(dirname "$0")/lib.sh"

host --set gate_limit=1000000/3600
enterprise
clusters=20 seconds=10
[ -z "$short" ] || clusters=2 seconds=1
snapshot 1000 compact 0
load --method POST --path /ingest --close --header "X-API-Key: $api_key" --header 'Content-Encoding: gzip' \
    --header 'Content-Type: application/json' --header 'X-Cluster-Id: gate-{n}' --over $clusters --count $clusters --body "$file"
cat >"$scratch/question.json" <<'END'
{"resource":"deployment/checkout-0","namespace":"team-0","action":"apply","image":"registry.example.com/checkout:1.4.2","user":"ci","source":"pipeline"}
END
question=(--method POST --path /api/validate --header "X-API-Key: $api_key" --header 'Content-Type: application/json'
    --header 'X-Cluster-Id: gate-{n}' --over "$clusters" --clients 16 --body "$scratch/question.json")
load "${question[@]}" --seconds 1
before_load lighttpd validate.fcgi mariadbd
load "${question[@]}" --seconds $seconds
figure "validate p99, ms, 16 clients" "$load_p99_ms" "<=" 4
figure "validate p50, ms, 16 clients" "$load_p50_ms"
figure "validate answers a second, 16 clients" "$load_rate"
shares lighttpd validate.fcgi mariadbd
