#!/bin/bash
# Lines of logs: what is taken and what is refused, that none is kept twice, and how they are read back.
. "$(dirname "$0")/lib.sh"
unset -f jq # that which keeps the order of members
. tests/e2e/cluster.sh
own_stack --set log_limit=8/3600 --set log_retention_days=2
account Example
cluster 2 2 >"$scratch/good.json"
push production "$scratch/good.json"
push quiet "$scratch/good.json"

logs() {
    request POST /ingest/logs -H "X-API-Key: $api_key" -H "X-Cluster-Id: ${cluster_id-production}" \
        -H 'Content-Type: application/json' "$@"
}
# at MILLISECONDS: that long ago, as kubelet writes it.
base=$(date +%s%3N)
at() {
    date -u -d "@$(((base - $1) / 1000))" "+%FT%T.$(printf %03d $(((base - $1) % 1000)))456789Z"
}
# document POD LINES: LINES is a jq expression that makes an array.
document() {
    jq -nc --arg pod "$1" --argjson base "$base" '
        def at($ms): (($base - $ms) / 1000 | floor | strftime("%Y-%m-%dT%H:%M:%S")) +
            "." + ("00\(($base - $ms) % 1000)" | .[-3:]) + "456789Z";
        {namespace: "shop", pod: $pod, container: "api", lines: ('"$2"')}'
}
# push_lines CLUSTER POD LINES
push_lines() {
    document "$2" "$3" >"$scratch/lines.json"
    cluster_id=$1 logs --data-binary "@$scratch/lines.json"
}
kept() {
    sql "SELECT COUNT(*) FROM logs WHERE tenant_id = '$tenant'"
}

# ---- what is taken
document api-7d9f8b6c5-x2k4p '[{timestamp: at(3000), message: "first", level: "error"}, {timestamp: at(2000), message: "second", level: "NOTICE"},
    {timestamp: at(1000), message: "third, with \u0000 and \u001b[31m ü 🚢"}]' >"$scratch/three.json"
logs --data-binary "@$scratch/three.json"
is "a push" "$status $body" '200 {"status":"ok","accepted":3,"duplicates":0,"skipped":0}'
gzip -kf "$scratch/three.json"
logs --data-binary "@$scratch/three.json.gz" -H 'Content-Encoding: gzip'
is "the same again, as gzip" "$status $body" '200 {"status":"ok","accepted":3,"duplicates":3,"skipped":0}'
zstd -qkf "$scratch/three.json"
logs --data-binary "@$scratch/three.json.zst" -H 'Content-Encoding: zstd'
is "and as zstd" "$status $body" '200 {"status":"ok","accepted":3,"duplicates":3,"skipped":0}'
get '/api/logs?cluster=production'
is "newest first, and whole" "$(json -c 'map([.level, .message])')" \
    "$(jq -nc '[["INFO", "third, with \u0000 and \u001b[31m ü 🚢"], ["NOTICE", "second"], ["ERROR", "first"]]')"
is "a line" "$(json -c '.[2]')" "$(jq -nc --arg t "$(at 3000)" \
    '{timestamp: $t, level: "ERROR", namespace: "shop", pod: "api-7d9f8b6c5-x2k4p", container: "api", message: "first"}')"
logs --data-binary '{"namespace":"shop","pod":"p","container":"c","lines":[]}'
is "no lines" "$status $(json -c '[.accepted, .duplicates]')" "200 [0,0]"
push_lines quiet db-0 '[range(50) | {timestamp: "\(at(5000)[:20])0Z", message: "line \(.)"}]'
get '/api/logs?cluster=quiet'
is "lines of one time are in the order of their push" "$(json -c 'map(.message[5:] | tonumber) == [range(49; -1; -1)]')" true
push_lines quiet db-0 '[{message: "b"}, {message: "a"}]'
get '/api/logs?cluster=quiet&limit=2'
is "lines without a time are of now, in their order" "$(json -c 'map(.message)')" '["a","b"]'
push_lines quiet db-0 '[{timestamp: at(-299000), message: "ahead"}, {timestamp: at(-400000), message: "too far"},
    {timestamp: at(172700000), message: "nearly two days"}, {timestamp: at(172900000), message: "older"}]'
is "what is too old or too far ahead is left out" "$(json -c '[.accepted, .skipped]')" "[2,2]"

# ---- limits, at and beyond
before=$(kept)
document api-7d9f8b6c5-x2k4p '[range(5001) | {timestamp: at(. * 10), message: "n\(.)"}]' >"$scratch/5001.json"
logs --data-binary "@$scratch/5001.json"
refused "5,001 lines" 413 too_large lines
is "store nothing" "$(kept)" "$before"
jq -c '.lines |= .[:5000]' "$scratch/5001.json" >"$scratch/5000.json"
logs --data-binary "@$scratch/5000.json"
is "5,000 lines" "$(json .accepted) $(kept)" "5000 $((before + 5000))"
(tr -d '\n' <"$scratch/three.json"; head -c $((4 << 20)) /dev/zero | tr '\0' ' ') | head -c $((4 << 20)) >"$scratch/exact.json"
logs --data-binary "@$scratch/exact.json" -H Expect:
is "4 MiB" "$status $(stat -c %s "$scratch/exact.json")" "200 4194304"
gzip -kf "$scratch/exact.json"
logs --data-binary "@$scratch/exact.json.gz" -H 'Content-Encoding: gzip'
is "4 MiB as gzip" "$status" 200
zstd -qkf "$scratch/exact.json"
logs --data-binary @- -H 'Content-Encoding: zstd' < <((printf '\x50\x2A\x4D\x18\0\x10\0\0'; head -c 4096 /dev/zero; cat "$scratch/exact.json.zst"))
is "4 MiB as zstd" "$status" 200
echo >>"$scratch/exact.json"
logs --data-binary "@$scratch/exact.json" -H Expect:
refused "a byte more" 413 too_large
gzip -kf "$scratch/exact.json"
logs --data-binary "@$scratch/exact.json.gz" -H 'Content-Encoding: gzip'
refused "a byte more as gzip" 413 too_large
zstd -qkf "$scratch/exact.json"
logs --data-binary @- -H 'Content-Encoding: zstd' < <((printf '\x50\x2A\x4D\x18\0\x10\0\0'; head -c 4096 /dev/zero; cat "$scratch/exact.json.zst"))
refused "a byte more as zstd" 413 too_large
(printf '{"lines":[{"message":"'; head -c $((64 << 20)) /dev/zero | tr '\0' 'a'; printf '"}]}') | gzip -1 >"$scratch/bomb.gz"
logs --data-binary "@$scratch/bomb.gz" -H 'Content-Encoding: gzip'
refused "a bomb" 413 too_large
logs --data-binary @- -H 'Content-Encoding: zstd' < <(gzip -dc "$scratch/bomb.gz" | zstd -qc)
refused "a bomb of zstd" 413 too_large
below_peak "memory of a worker after all that, MiB" logs.fcgi 64
document db-0 '[16383, 16384, 16385, 100000 | {timestamp: at(.), message: ("x" * .)}]' >"$scratch/long.json"
cluster_id=quiet logs --data-binary "@$scratch/long.json"
get '/api/logs?cluster=quiet&q=xxxx'
is "long messages are cut, with a mark" "$(json -c 'map(.message | [length, .[16384:]])')" \
    '[[16383,""],[16384,""],[16410," [cut: it had 16385 bytes]"],[16411," [cut: it had 100000 bytes]"]]'

# ---- what is refused
before=$(kept)
request POST /ingest/logs -H "X-API-Key: $api_key" --data-binary "@$scratch/three.json"
refused "no cluster" 400 missing_field X-Cluster-Id
cluster_id='a b' logs --data-binary "@$scratch/three.json"
refused "a bad cluster id" 400 invalid_field X-Cluster-Id
cluster_id=unheard-of logs --data-binary "@$scratch/three.json"
refused "an unknown cluster" 404 unknown_cluster
is "takes no slot" "$(sql "SELECT clusters FROM tenants WHERE tenant_id = '$tenant'")" 2
request POST /ingest/logs -H "Authorization: Bearer $token" -H 'X-Cluster-Id: production' --data-binary "@$scratch/three.json"
refused "a session" 401 unauthorized
request GET '/api/logs?cluster=production' -H "X-API-Key: $api_key"
refused "a key where people read" 401 unauthorized
post /api/keys '{"name":"ci","scope":"cicd"}' -H "Authorization: Bearer $token"
request POST /ingest/logs -H "X-API-Key: $(json .apiKey)" -H 'X-Cluster-Id: production' --data-binary "@$scratch/three.json"
refused "a key of CI" 403 forbidden_scope
logs --data-binary "@$scratch/three.json" -H 'Content-Encoding: br'
refused "an encoding" 415 unsupported_encoding
is "and what would do" "$(header Accept-Encoding)" "zstd, gzip"
logs --data-binary @- -H 'Content-Encoding: gzip' < <(head -c -5 "$scratch/three.json.gz")
refused "a cut gzip" 400 bad_gzip
logs --data-binary @- -H 'Content-Encoding: zstd' < <(head -c -5 "$scratch/three.json.zst")
refused "a cut zstd" 400 bad_zstd
logs --data-binary @- < <(sed 's/first/fi\xffrst/' "$scratch/three.json")
refused "no UTF-8" 400 bad_utf8
logs --data-binary @- < <(sed 's/first/\\udc00/' "$scratch/three.json")
refused "half a surrogate" 400 bad_utf8
logs --data-binary @- < <(head -c -5 "$scratch/three.json")
refused "cut JSON" 400 cut_json
logs --data-binary "[]"
refused "an array" 400 bad_json
logs --data-binary @- < <(jq -c 'del(.pod)' "$scratch/three.json")
refused "no pod" 400 missing_field pod
logs --data-binary @- < <(jq -c '.lines[1].message = 7' "$scratch/three.json")
refused "a number for a message" 400 invalid_field 'lines[1].message'
logs --data-binary @- < <(jq -c '.lines[2].timestamp = "noon"' "$scratch/three.json")
refused "no time" 400 invalid_field 'lines[2].timestamp'
is "none of it was kept" "$(kept)" "$before"

# ---- twice at the same time
account Racing
push racing "$scratch/good.json"
document api-7d9f8b6c5-x2k4p '[range(2000) | {timestamp: at(. * 20), message: "n\(.)", level: (if . % 10 == 0 then "FATAL" else "info" end)}]' >"$scratch/race.json"
document api-7d9f8b6c5-x2k4p '[range(1000; 3000) | {timestamp: at(. * 20), message: "n\(.)", level: (if . % 10 == 0 then "FATAL" else "info" end)}]' >"$scratch/overlap.json"
pids=()
for i in {1..8}; do
    file=$([ $((i % 2)) -eq 0 ] && echo race || echo overlap)
    curl -sS -m 60 -o "$scratch/answer.$i" -w '%{http_code}\n' "$base_url/ingest/logs" -H "X-API-Key: $api_key" \
        -H 'X-Cluster-Id: racing' --data-binary "@$scratch/$file.json" >"$scratch/status.$i" 2>/dev/null &
    pids+=($!)
done
wait "${pids[@]}"
is "racing pushes are all taken" "$(sort -u "$scratch"/status.*)" 200
is "each line is kept once" "$(kept)" 3000
is "and told once as new" "$(jq -s 'map(.accepted - .duplicates) | add' "$scratch"/answer.*)" 3000
is "and counted once" "$(sql "SELECT SUM(errors) FROM log_errors WHERE tenant_id = '$tenant'")" 300

# ---- other tenants
other_key=$api_key other_token=$token other_tenant=$tenant
account Stranger
cluster_id=racing logs --data-binary "@$scratch/three.json"
refused "another tenant's cluster to push to" 404 unknown_cluster
get '/api/logs?cluster=racing'
refused "or to read" 404 unknown_cluster
push racing "$scratch/good.json"
cluster_id=racing logs --data-binary "@$scratch/three.json"
get '/api/logs?cluster=racing'
is "one of the same name is one's own" "$(json length)" 3
request GET '/api/logs?cluster=racing&limit=1' -H "Authorization: Bearer $other_token"
is "to both" "$(json '.[0].message')" n0

# ---- reading: $token is the stranger's, with three lines of api; now more of other pods
push_lines racing db-0 '[{timestamp: at(60000), message: "Vacuum DONE", level: "debug"}, {timestamp: at(7200000), message: "long ago", level: "fatal"}]'
cluster_id=racing logs --data-binary "$(document node-exporter-x2k4p '[{timestamp: at(50000), message: "100% of disk_used", level: "WARN"}]' | jq -c '.namespace = "monitoring" | .container = "exporter"')"
push_lines racing backup-29472159-pvnhf '[{timestamp: at(40000), message: "backup", level: "weird"}]'
# found QUERY: what it finds, as messages
found() {
    get "/api/logs?cluster=racing&$1"
    json -c 'map(.message[:6])' | tr -d '"[]'
}
while IFS='|' read -r query expected; do
    is "by $query" "$(found "$query")" "$expected"
done <<'END'
|third,,second,first,backup,100% o,Vacuum
limit=2|third,,second
namespace=monitoring|100% o
namespace=nowhere|
pod=db-0|Vacuum
pod=db|
pod=db-0%20|
pod=%20|
namespace=shop%20|
container=exporter%20|
workload=api%20|
q=%20|third,,100% o,Vacuum
container=exporter|100% o
level=warn|first,100% o
level=ERROR|first
level=fatal|
level=trace&namespace=shop|third,,second,first,backup,Vacuum
q=vacuum|Vacuum
q=DONE|Vacuum
q=100%25|100% o
q=%25|100% o
q=_|100% o
q=%C3%9C|third,
q=%5Cu|
workload=deployment/api|third,,second,first
workload=Deploy/api|third,,second,first
workload=api|third,,second,first
workload=statefulset/db|Vacuum
workload=sts/api|
workload=ds/node-exporter|100% o
workload=cronjob/backup|backup
workload=pod/db-0|Vacuum
workload=ap|
workload=deployment/api&level=error&q=FIRST&container=api|first
END
is "from" "$(found "from=$(at 45000)")" 'third,,second,first,backup'
is "from and to, both included" "$(found "from=$(date -u -d "@$(((base - 50000) / 1000))" +%FT%T).$(printf %03d $(((base - 50000) % 1000)))Z&to=$(at 40000)")" 'backup,100% o'
is "to alone is the hour before it" "$(found "to=$(at 7000000)")" 'long a'
while IFS='|' read -r query code field; do
    get "/api/logs?$query"
    refused "$query" 400 "$code" "$field"
done <<'END'
|missing_field|cluster
cluster=a%20b|invalid_field|cluster
cluster=racing&level=loud|invalid_field|level
cluster=racing&limit=0|invalid_field|limit
cluster=racing&limit=1001|invalid_field|limit
cluster=racing&from=noon|invalid_field|from
cluster=racing&to=1|invalid_field|to
cluster=racing&workload=service/api|invalid_field|workload
cluster=racing&workload=deployment/|invalid_field|workload
cluster=racing&cursor=1|invalid_field|cursor
cluster=racing&cursor=1.2.3|invalid_field|cursor
cluster=racing&cursor=1.2.3.x|invalid_field|cursor
cluster=racing&cursor=1.1000000.3.4|invalid_field|cursor
cluster=racing&cursor=1.2.3.4.5|invalid_field|cursor
cluster=racing&cursor=9223372036854775807.2.3.4|invalid_field|cursor
END
get "/api/logs?cluster=racing&q=$(printf 'x%.0s' {1..201})"
refused "a text that is too long" 400 invalid_field q

# ---- pages, while lines come in
# pages QUERY: reads all of them, pushing between; sets read (all messages) and count (of pages)
pages() {
    local path="/api/logs?$1" link
    : >"$scratch/read"
    for ((count = 0; count < 100; count++)); do
        get "$path"
        json '.[].message' >>"$scratch/read"
        link=$(header Link)
        [ -n "$link" ] || break
        path=$(sed -n 's/^<\([^>]*\)>; rel="next"$/\1/p' <<<"$link")
        push_lines racing db-1 "[{message: \"late $count\"}]"
    done
}
token=$other_token api_key=$other_key tenant=$other_tenant
pages "cluster=racing&limit=700"
is "pages have each line once, in order" "$(cat "$scratch/read")" "$(seq -f 'n%g' 0 2999)"
is "as many pages as it takes" "$count" 4
pages "cluster=racing&limit=1000&q=N29&pod=api-7d9f8b6c5-x2k4p"
is "filters go with the pages" "$(sort "$scratch/read")" "$(seq -f 'n%g' 0 2999 | grep n29 | sort)"
document api-7d9f8b6c5-x2k4p '[range(4800) | {timestamp: "\(at(1800000)[:20])0Z", message: "crowd \(.)"}]' >"$scratch/crowd.json"
cluster_id=racing logs --data-binary "@$scratch/crowd.json"
pages "cluster=racing&limit=1000&from=$(at 1801000)&q=crowd"
is "also of thousands of lines of one time" "$(sort "$scratch/read")" "$(seq -f 'crowd %g' 0 4799 | sort)"
push_lines racing api-7d9f8b6c5-x2k4p '[range(4000) | {timestamp: at(1700000 + .), message: "other"}]'
get "/api/logs?cluster=racing&q=nowhere"
is "a page looks at 10,000 lines" "$(json length) $(header Link | grep -c 'rel="next"')" "0 1"
pages "cluster=racing&q=nowhere"
is "and what it has not found it goes on to look for" "$(wc -c <"$scratch/read") $count" "0 1"
push_lines racing db-0 '[range(200) | {message: ("y" * 16000 + "\(.)")}]'
get "/api/logs?cluster=racing&limit=1000"
below "a page has 1 MiB of messages at most" "$(json 'map(.message | length) | add')" $((1 << 20))
pages "cluster=racing&limit=1000&q=yyyy"
is "and the next one the rest" "$(cut -c 16001- "$scratch/read")" "$(seq 199 -1 0)"

# ---- the limit of a cluster
for ((i = 0; i < 30; i++)); do
    push_lines racing db-0 "[range(200) | {timestamp: at(100000 + . * 10), message: (\"z\" * 4000 + \" $i \\(.)\")}]"
    [ "$status" = 200 ] || break
done
refused "a cluster that pushes too much" 429 log_limit
below "waits for room" "$(header Retry-After)" 3601
before=$(kept)
push_lines racing db-0 '[{message: "small"}]'
is "what fits is taken all the same" "$status $(($(kept) - before))" "200 1"
push racing "$scratch/good.json"
is "snapshots have no part in it" "$status" 200
done_testing
