#!/bin/bash
# GET /metrics: for whom, in which form, and that the numbers are those of what happened.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh

# metrics [curl's options]
metrics() {
    request GET /metrics "$@"
}
# number NAME [LABEL=VALUE]...: of the last answer
number() {
    tests/e2e/exposition.py "$@" <"$scratch/body"
}

# ---- for nobody, for an address, for a token
stack
metrics
is "it is off unless configured" "$status $(json .code)" "404 not_found"
metrics -H 'Authorization: Bearer '
is "also with an empty token" "$status" 404
own_stack --set metrics_allow='10.0.0.0/8 192.0.2.1'
metrics
is "from another address there is nothing" "$status" 404
account Example
get /metrics
is "a session does not help" "$status" 404
token_of_metrics=0123456789abcdef
bearer=(-H "Authorization: Bearer $token_of_metrics")
scripts/down --dir "$stack_dir"
own_stack --set metrics_token=$token_of_metrics --set trusted_proxies=127.0.0.1 --set metrics_allow=192.0.2.0/24
metrics
is "no token" "$status $(json .code) $(header WWW-Authenticate)" '401 unauthorized Bearer realm="loadline"'
metrics -H 'Authorization: Bearer 0123456789abcdeF'
is "a wrong token" "$status $(json .code)" "401 bad_token"
metrics -H "X-API-Key: $token_of_metrics"
is "in the wrong header" "$status" 401
metrics -H 'X-Forwarded-For: 192.0.2.77'
is "an address that is allowed" "$status" 200
metrics -H 'X-Forwarded-For: 192.0.3.1'
is "one that is not" "$status" 401
metrics "${bearer[@]}"
is "the token" "$status $(header Content-Type)" '200 text/plain; version=0.0.4; charset=utf-8'
request HEAD /metrics "${bearer[@]}"
is "HEAD" "$status" 200

# ---- form
account Example
cluster 2 2 >"$scratch/good.json"
push 'A.b_c:d/e-9' "$scratch/good.json"
score=$(json .csc_score)
push 'A.b_c:d/e-9' "$scratch/good.json"
push two "$scratch/good.json" -H 'X-Snapshot-Time: 2026-03-17T12:00:00Z'
push two "$scratch/good.json" -H 'X-Snapshot-Time: yesterday'
request POST /ingest -H 'X-API-Key: wrong' -d x
metrics "${bearer[@]}"
cp "$scratch/body" "$scratch/text"
empty "the format is right to a strict reader" "$(tests/e2e/exposition.py <"$scratch/text")"
if command -v promtool >/dev/null; then
    empty "and to Prometheus' own" "$(promtool check metrics <"$scratch/text" 2>&1)"
else
    skip "and to Prometheus' own" "promtool is not installed"
fi

# ---- numbers
is "scores by tenant and cluster" "$(number loadline_cluster_score "tenant=$tenant" cluster=A.b_c:d/e-9 | cut -d. -f1)" "$score"
below "age of a new snapshot, s" "$(number loadline_cluster_snapshot_age_seconds cluster=A.b_c:d/e-9 | cut -d. -f1)" "$(patient 20)"
is "age of an old one" "$(($(number loadline_cluster_snapshot_age_seconds cluster=two | cut -d. -f1) > 1000000))" 1
is "pushes that were accepted" "$(number loadline_requests_total path=/ingest code=ok)" 3
is "and refused, by why" "$(number loadline_requests_total path=/ingest code=invalid_field) $(number loadline_requests_total path=/ingest code=bad_api_key)" "1 1"
nobody=$(number loadline_requests_total path=other code=not_found)
is "latencies of all" "$(number loadline_request_duration_seconds_count path=/ingest)" 5
for _ in 1 2 3; do validate two; done
validate A.b_c:d/e-9
request GET /no/such/path
lines='{"namespace":"n","pod":"p","container":"c","lines":[{"timestamp":"'$(date -u +%FT%TZ)'","message":"m"},{"timestamp":"1999-01-01T00:00:00Z","message":"m"}]}'
for _ in 1 2; do post /ingest/logs "$lines" -H "X-API-Key: $api_key" -H 'X-Cluster-Id: two'; done
metrics "${bearer[@]}"
is "decisions of the gate" "$(number loadline_gate_decisions_total decision=BLOCK) $(number loadline_gate_decisions_total)" "3 4"
is "paths that nobody has" "$(number loadline_requests_total path=other code=not_found)" $((nobody + 1))
is "lines of logs" "$(for result in stored duplicate skipped; do number loadline_log_lines_total result=$result; done | xargs)" "1 1 2"
is "messages in the outbox" "$(number loadline_deliveries state=queued) $(number loadline_deliveries state=gave_up)" "0 0"
is "the database is up" "$(number loadline_database_up) $(number loadline_database_errors_total)" "1 0"
is "the build" "$(number loadline_build_info)" 1

# ---- processes come and go
before=$(pids_of ingest.fcgi | sort)
# shellcheck disable=SC2086 # a list
kill -KILL $before
within "$(patient 10)" eval '[ "$(pids_of ingest.fcgi | wc -l)" = 2 ] && [ "$(pids_of ingest.fcgi | sort)" != "$before" ]'
push two "$scratch/good.json"
metrics "${bearer[@]}"
is "counters survive the workers" "$(number loadline_requests_total path=/ingest code=ok)" 4
pids=()
for _ in {1..40}; do
    curl -sS -o /dev/null "$base_url/health" &
    pids+=($!)
done
wait "${pids[@]}"
metrics "${bearer[@]}"
first=$(number loadline_requests_total path=/health code=ok)
below "and racing ones lose nothing" 39 "$first"

# ---- without a database
mv "$stack_dir/sock/mariadb.sock" "$stack_dir/sock/mariadb.sock.away"
mariadb --no-defaults --socket="$stack_dir/sock/mariadb.sock.away" -e 'KILL USER loadline@localhost'
metrics "${bearer[@]}"
is "it answers all the same" "$status $(number loadline_database_up) $(number loadline_cluster_score)" "200 0 0"
is "and the failure is counted" "$(($(number loadline_database_errors_total error=away) > 0))" 1
empty "in the right format" "$(tests/e2e/exposition.py <"$scratch/body")"
mv "$stack_dir/sock/mariadb.sock.away" "$stack_dir/sock/mariadb.sock"
metrics "${bearer[@]}"
is "and is back with it" "$(number loadline_database_up)" 1
done_testing
