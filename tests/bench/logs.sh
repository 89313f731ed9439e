#!/bin/bash
# Pushes of 5,000 lines of logs: how many lines a second two cores take, and what a page of them costs
# to read back. Lines have about 200 bytes; none is pushed twice.
# shellcheck source=tests/bench/lib.sh
. "$(dirname "$0")/lib.sh"

host --set log_limit=0/3600
enterprise
clusters=20 pushes=320
[ -z "$short" ] || clusters=2 pushes=4
administer "INSERT INTO clusters (cluster, tenant_id, name, created_at)
    SELECT CONCAT('00000000-0000-4000-8000-', LPAD(HEX(seq), 12, '0')), '$tenant', CONCAT('logging-', seq), NOW(3)
    FROM seq_0_to_$((clusters - 1))"

# body NUMBER: a push of one pod, ten minutes of its log; every twentieth line is an error.
body() {
    awk -v number="$1" -v now="$(date +%s)" 'BEGIN {
        printf "{\"namespace\":\"shop\",\"pod\":\"api-7d9f8b6c5-x2k%02d\",\"container\":\"api\",\"lines\":[", number
        for (i = 0; i < 5000; i++)
            printf "%s{\"timestamp\":\"%s.%09dZ\",\"level\":\"%s\",\"message\":\"GET /v1/orders/%d/%d HTTP/1.1 %d upstream=checkout duration=%dms bytes=%d user=%d agent=\\\"Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/128.0\\\" trace=%08x%08x\"}",
                i ? "," : "", strftime("%Y-%m-%dT%H:%M:%S", now - 600 + i * 0.12, 1), i * 120000000 % 1000000000 + number,
                i % 20 ? "INFO" : "ERROR", number, i, i % 20 ? 200 : 500, i % 97, i * 31 % 9973, i % 911, i * 7919, number
        print "]}"
    }' | gzip -1 >"$scratch/logs-$1.gz"
}

bodies=()
for number in {0..15}; do
    body "$number"
    bodies+=(--body "$scratch/logs-$number.gz")
done
push=(--method POST --path /ingest/logs --close --header "X-API-Key: $api_key" --header 'Content-Encoding: gzip'
    --header 'Content-Type: application/json' --header 'X-Cluster-Id: logging-{n}' --over "$clusters" "${bodies[@]}")
before_worker=$(cpu logs.fcgi) before_database=$(cpu mariadbd)
load "${push[@]}" --clients 2 --count $pushes
figure "lines of logs a second, 5,000 a push" "$(divide "$load_rate" 0.0002)"
figure "push of 5,000 lines, p50, ms" "$load_p50_ms"
figure "push of 5,000 lines, p99, ms" "$load_p99_ms"
figure "  worker's CPU a push, ms" "$(divide $(($(cpu logs.fcgi) - before_worker)) $pushes)"
figure "  mariadbd's CPU a push, ms" "$(divide $(($(cpu mariadbd) - before_database)) $pushes)"
administer "ANALYZE TABLE logs" >"$scratch/analyze"
note "$(administer "SELECT COUNT(*) FROM logs") lines are $(administer "SELECT ROUND(SUM(data_length) / 1048576)
    FROM information_schema.tables WHERE table_schema = 'loadline' AND table_name = 'logs'") MiB"
load "${push[@]}" --clients 2 --count $pushes
figure "the same again, all of it there, p50, ms" "$load_p50_ms"
for query in '' '&level=error' '&q=nowhere' '&workload=deployment/api&q=trace'; do
    load --path "/api/logs?cluster=logging-{n}$query" --header "Authorization: Bearer $token" --over "$clusters" --count $((clusters * 10))
    figure "a page of logs, p50, ms, ${query:-newest 100}" "$load_p50_ms"
done
