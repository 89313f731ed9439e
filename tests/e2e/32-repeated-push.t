#!/bin/bash
# A push that is sent again is the same push: it is answered as the first time and stored once. Also when two
# workers have it at once, and when the answer to the first was lost.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
own_stack --workers ingest=4 --set signup_limit=0/600
account Example
cluster 3 3 >"$scratch/good.json"
gzip -nkf "$scratch/good.json"
cluster 3 1 | gzip -n >"$scratch/bad.json.gz"
time=2026-03-17T12:00:00Z

# points [CLUSTER]: of its history
points() {
    sql "SELECT COUNT(*) FROM score_history h JOIN clusters c USING (cluster) WHERE c.name = '${1-production}' AND c.tenant_id = '$tenant'"
}
# once WHAT: the push was stored once, in every table that counts
once() {
    is "$1" "$(sql "SELECT (SELECT COUNT(*) FROM score_history h WHERE h.cluster = c.cluster),
            (SELECT SUM(points) FROM $told_points r WHERE r.cluster = c.cluster),
            (SELECT COUNT(*) FROM ledgers l WHERE l.cluster = c.cluster),
            (SELECT revision FROM snapshots s WHERE s.cluster = c.cluster)
        FROM clusters c WHERE c.name = 'production' AND c.tenant_id = '$tenant'" | xargs)" "1 1 1 0"
}
replayed() {
    header Idempotent-Replayed
}

# ---- cluster, time and body
push production "$scratch/good.json.gz" -H "X-Snapshot-Time: $time"
first=$body
is "a push with a time" "$status $(replayed)" "200 "
push production "$scratch/good.json.gz" -H "X-Snapshot-Time: $time"
is "the same again is answered with the same, and says so" "$status $body $(replayed)" "200 $first true"
push production "$scratch/good.json.gz" -H "X-Snapshot-Time: 2026-03-17T14:00:00.000+02:00"
is "the time in other words is the same time" "$status $body $(replayed)" "200 $first true"
once "it is stored once"
push production "$scratch/bad.json.gz" -H "X-Snapshot-Time: $time"
is "another body of that time is another push" "$status $(replayed) $(points)" "200  2"
push production "$scratch/bad.json.gz" -H "X-Snapshot-Time: $time"
is "... whose repetition is known, too" "$status $(replayed) $(points)" "200 true 2"
push production "$scratch/good.json.gz" -H "X-Snapshot-Time: 2026-03-17T12:00:00.001Z"
is "another time is another push" "$status $(replayed) $(points)" "200  3"
push production "$scratch/good.json.gz" -H "X-Snapshot-Time: $time" -H 'X-Target-Version: 1.31'
is "another release to be judged for is another push" "$status $(replayed) $(points)" "200  4"
push other "$scratch/good.json.gz" -H "X-Snapshot-Time: $time"
is "another cluster is another push" "$status $(replayed) $(points other)" "200  1"
future=$(date -u -d '2 minutes' +%FT%TZ)
push ahead "$scratch/good.json.gz" -H "X-Snapshot-Time: $future"
sleep 0.01
push ahead "$scratch/good.json.gz" -H "X-Snapshot-Time: $future"
is "a time a little ahead counts as it was given" "$status $(replayed) $(points ahead)" "200 true 1"

# ---- neither time nor key: a cluster in which nothing changes pushes the same bytes each time
account Example
for _ in 1 2 3; do push still "$scratch/good.json.gz"; done
is "without time and key each push is a point" "$status $(replayed) $(points still)" "200  3"

# ---- Idempotency-Key
account Example
key=$(cat /proc/sys/kernel/random/uuid)
push production "$scratch/good.json.gz" -H "Idempotency-Key: $key"
first=$body
is "a push with a key" "$status $(replayed)" "200 "
push production "$scratch/good.json.gz" -H "Idempotency-Key: $key"
is "the same key again" "$status $body $(replayed)" "200 $first true"
push production "$scratch/good.json.gz" -H "Idempotency-Key: \"$key\""
is "in quotes, as the draft of the header has it" "$status $body $(replayed)" "200 $first true"
once "it is stored once"
push production "$scratch/bad.json.gz" -H "Idempotency-Key: $key"
refused "the key with another body" 422 idempotency_conflict Idempotency-Key
once "... which is not stored"
push production "$scratch/good.json.gz" -H "Idempotency-Key: $key" -H "X-Target-Version: 1.30"
refused "the key for another release" 422 idempotency_conflict Idempotency-Key
like "... which may be what is other" "$(json .error)" 'another body or X-Target-Version before'
push production "$scratch/good.json.gz" -H "Idempotency-Key: $key-2"
is "another key is another push" "$status $(replayed) $(points)" "200  2"
push other "$scratch/bad.json.gz" -H "Idempotency-Key: $key"
is "a key is of one cluster" "$status $(replayed) $(points other)" "200  1"
push production "$scratch/good.json.gz" -H "Idempotency-Key: $key-3" -H "X-Snapshot-Time: $time"
push production "$scratch/good.json.gz" -H "Idempotency-Key: $key-4" -H "X-Snapshot-Time: $time"
is "another key, but time and body are the same: the same push" "$status $(replayed) $(points)" "200 true 3"
push production "$scratch/bad.json.gz" -H "Idempotency-Key: $key-4"
refused "whose key is used up" 422 idempotency_conflict Idempotency-Key
push production "$scratch/good.json.gz" -H "Idempotency-Key: $key-4"
is "and known" "$status $(replayed) $(points)" "200 true 3"
is "it is forgotten when the first is" "$(sql "SELECT COUNT(*) FROM pushes p JOIN clusters c USING (cluster) WHERE c.name = 'production'
    AND c.tenant_id = '$tenant' AND p.received_at = (SELECT MAX(q.received_at) FROM pushes q WHERE q.cluster = c.cluster)")" 3
push production "$scratch/good.json.gz" -H "Idempotency-Key: $key-3" -H "X-Snapshot-Time: 2026-03-17T12:00:01Z"
is "the same key and body, another time: the same push" "$status $(replayed) $(points)" "200 true 3"
push production "$scratch/good.json.gz" -H "X-Snapshot-Time: 2026-03-17T12:00:01Z"
is "and then known by that time" "$status $(replayed) $(points)" "200 true 3"
push production "$scratch/good.json.gz" -H "Idempotency-Key: $(printf 'k%.0s' {1..255})"
is "a key of 255 characters" "$status" 200
push production "$scratch/good.json.gz" -H "Idempotency-Key: $(printf 'k%.0s' {1..256})"
refused "one of 256" 400 invalid_field Idempotency-Key
push production "$scratch/good.json.gz" -H 'Idempotency-Key: a b'
refused "one with a blank" 400 invalid_field Idempotency-Key
push production "$scratch/good.json.gz" -H 'Idempotency-Key: ä'
refused "one that is not ASCII" 400 invalid_field Idempotency-Key
push production "$scratch/good.json.gz" -H 'Idempotency-Key: ""'
refused "one that is only quotes" 400 invalid_field Idempotency-Key
mine=$api_key
account Stranger
push production "$scratch/bad.json.gz" -H "Idempotency-Key: $key"
is "another tenant's key is another key" "$status $(replayed)" "200 "
api_key=$mine
before=$(sql "SELECT COUNT(*) FROM score_history")
push production "$scratch/good.json.gz" -H "Idempotency-Key: $key-5" --data-binary '{'
refused "a push that is refused" 400 bad_gzip
push production "$scratch/good.json.gz" -H "Idempotency-Key: $key-5"
is "... does not use up its key" "$status $(replayed)" "200 "
is "... and is then a point" "$(sql "SELECT COUNT(*) FROM score_history")" $((before + 1))

# ---- a cluster that was deleted is a new one
account Example
push production "$scratch/good.json.gz" -H "Idempotency-Key: $key" -H "X-Snapshot-Time: $time"
ask DELETE '/api/clusters?id=production'
push production "$scratch/good.json.gz" -H "Idempotency-Key: $key" -H "X-Snapshot-Time: $time"
is "a new cluster of that name knows nothing of it" "$status $(replayed) $(points)" "200  1"

# ---- at once
# together N ARGUMENT...: pushes so many times at once; answers are in $scratch/at-once.*
together() {
    local i pids=()
    for ((i = 0; i < $1; i++)); do
        curl -sS -m 60 -o "$scratch/at-once.$i" -w '%{http_code}\n' "$base_url/ingest" -H "X-API-Key: $api_key" \
            -H 'X-Cluster-Id: production' --data-binary "@$scratch/good.json.gz" "${@:2}" >"$scratch/status.$i" &
        pids+=($!)
    done
    wait "${pids[@]}"
}
for header in "X-Snapshot-Time: $time" "Idempotency-Key: together"; do
    account Example
    for round in 1 2 3 4 5; do
        together 4 -H "$header$([ $round = 1 ] || [ "${header%%:*}" = X-Snapshot-Time ] || echo "-$round")"
        [ "$(sort -u "$scratch"/status.?)" = 200 ] || break
        [ "$(sort -u "$scratch"/at-once.? | wc -l)" = 1 ] || break
    done
    is "four at once, ${header%%:*}: all are answered" "$(sort -u "$scratch"/status.?)" 200
    is "... with the same" "$(cat "$scratch"/at-once.? | sed 's/}{/}\n{/g' | sort -u | wc -l)" 1
    is "... and stored once" "$(points)" "$([ "${header%%:*}" = X-Snapshot-Time ] && echo 1 || echo 5)"
done

# ---- the answer is lost: workers, then the database, are killed at any moment of a push, which is then sent again
account Example
cluster 1500 1000 | gzip -n >"$scratch/large.json.gz"
push production "$scratch/large.json.gz"
# killed PROGRAM ROUNDS: sets lost, how many pushes were not answered
killed() {
    local round pid victims
    lost=0
    for round in $(seq 1 "$2"); do
        mapfile -t victims < <(pids_of "$1")
        curl -sS -m 20 -o /dev/null -w '%{http_code}\n' "$base_url/ingest" -H "X-API-Key: $api_key" -H 'X-Cluster-Id: production' \
            -H "Idempotency-Key: $1-$round" --data-binary "@$scratch/large.json.gz" >"$scratch/status.0" 2>/dev/null &
        pid=$!
        sleep "0.0$((RANDOM % 5))$((RANDOM % 10))"
        kill -9 "${victims[@]}" 2>/dev/null
        wait $pid
        [ "$(cat "$scratch/status.0")" = 200 ] || lost=$((lost + 1))
        for _ in {1..100}; do
            push production "$scratch/large.json.gz" -H "Idempotency-Key: $1-$round"
            [ "$status" != 200 ] || break
            sleep 0.1
        done
        [ "$status" = 200 ] || return 0
    done
}
killed ingest.fcgi 40
diag "workers killed: $lost of 40 pushes had no answer"
is "workers are killed at any moment: each push is stored once" "$(points)" 41
ok "... and some had no answer" [ "$lost" -gt 0 ]
killed mariadbd 6
diag "database killed: $lost of 6 pushes had no answer"
is "the database is killed at any moment: each push is stored once" "$(points)" 47

# ---- scripts/push-snapshot tries again, with its key
python3 - "$base_url" "$scratch/port" >"$scratch/proxy.log" 2>&1 <<'PY' &
import http.client, http.server, sys, urllib.parse
# A proxy that passes a push on, and loses the answer twice: once cut, once as 502.
target = urllib.parse.urlsplit(sys.argv[1])
class Proxy(http.server.BaseHTTPRequestHandler):
    seen = 0
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        c = http.client.HTTPConnection(target.hostname, target.port)
        c.request("POST", self.path, body, dict(self.headers))
        answer = c.getresponse()
        data = answer.read()
        Proxy.seen += 1
        if Proxy.seen == 1:
            self.close_connection = True
            return
        self.send_response(502 if Proxy.seen == 2 else answer.status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
    def log_message(self, *_):
        pass
server = http.server.HTTPServer(("127.0.0.1", 0), Proxy)
open(sys.argv[2], "w").write(str(server.server_port))
server.serve_forever()
PY
proxy=$!
within 10 [ -s "$scratch/port" ]
account Example
said=$(LOADLINE_URL=http://127.0.0.1:$(cat "$scratch/port") LOADLINE_API_KEY=$api_key scripts/push-snapshot mine --file etc/sample/shop.json 2>"$scratch/err")
is "push-snapshot whose answers are lost tries again" "$? $(jq -r .status <<<"$said") $(cat "$scratch/err")" "0 ok "
is "... and it is one point" "$(points mine)" 1
kill $proxy
said=$(LOADLINE_URL=$base_url LOADLINE_API_KEY=$api_key scripts/push-snapshot mine --file etc/sample/shop.json)
is "run again, it is another push" "$(points mine)" 2

# ---- lines of logs
logs() {
    request POST /ingest/logs -H "X-API-Key: $api_key" -H 'X-Cluster-Id: mine' -H 'Content-Type: application/json' "$@"
}
lines() {
    sql "SELECT COUNT(*) FROM logs WHERE tenant_id = '$tenant'"
}
untimed='{"namespace": "shop", "pod": "api-1", "container": "api", "lines": [{"message": "a", "level": "ERROR"}, {"message": "b"}]}'
logs --data-binary "$untimed" -H 'Idempotency-Key: lines'
first=$body
logs --data-binary "$untimed" -H 'Idempotency-Key: lines'
is "lines without a time, with a key: answered as before" "$status $body $(replayed)" "200 $first true"
is "... and stored once" "$(lines)" 2
is "... and errors are counted once" "$(sql "SELECT SUM(errors) FROM log_errors WHERE tenant_id = '$tenant'")" 1
logs --data-binary "${untimed/a/c}" -H 'Idempotency-Key: lines'
refused "the key with other lines" 422 idempotency_conflict Idempotency-Key
push mine "$scratch/good.json.gz" -H 'Idempotency-Key: lines'
is "a key of lines is no key of snapshots" "$status $(replayed)" "200 "
logs --data-binary "$untimed"
is "without a key they are new lines, as they always were" "$status $(lines)" "200 4"

# ---- they are forgotten
is "pushes are remembered" "$(sql "SELECT COUNT(*) > 0 FROM pushes WHERE tenant_id = '$tenant'")" 1
sql "UPDATE pushes SET received_at = received_at - INTERVAL 25 HOUR WHERE tenant_id = '$tenant'"
LOADLINE_CONF=$stack_dir/loadline.conf "$build/bin/loadline-maintain" --hurry >/dev/null 2>&1
is "a day long" "$(sql "SELECT COUNT(*) FROM pushes WHERE tenant_id = '$tenant'")" 0
push mine "$scratch/bad.json.gz" -H 'Idempotency-Key: lines'
is "then a key may be used again" "$status $(replayed)" "200 "
done_testing
