#!/bin/bash
# What lighttpd answers by itself is JSON with the right status, like everything else.
. "$(dirname "$0")/lib.sh"
own_stack
port=$stack_port

# raw BYTES: sends them as they are; sets status, headers and body.
raw() {
    local answer
    exec 3<>"/dev/tcp/127.0.0.1/$port"
    printf '%b' "$1" >&3
    answer=$(timeout 5 cat <&3 | tr -d '\r')
    exec 3>&-
    status=$(head -1 <<<"$answer" | cut -d' ' -f2)
    headers=$(sed '/^$/q' <<<"$answer")
    sed '1,/^$/d' <<<"$answer" >"$scratch/body"
}

# answered WHAT STATUS CODE
answered() {
    is "$1: status" "$status" "$2"
    is "$1: code" "$(json .code)" "$3"
    isnt "$1: a sentence" "$(json '.error | length')" 0
    is "$1: type" "$(header Content-Type)" application/json
    is "$1: nosniff, once" "$(grep -ic '^X-Content-Type-Options: nosniff$' <<<"$headers")" 1
}

request GET /no/such/path
answered "unknown path" 404 not_found
request GET /..%2f..%2fetc/passwd --path-as-is
answered "path that climbs" 404 not_found
raw 'GET /a\x01b HTTP/1.1\r\nHost: x\r\n\r\n'
answered "control character in the path" 400 bad_request
request GET '/api/logs?cluster=c&q=a%09b'
answered "a tab in the query" 400 bad_request
for query in 'q=100%' 'q=%zz' 'q=%ff' 'cluster=c&q=%E2%82'; do
    request GET "/api/logs?$query"
    answered "$query" 400 bad_request
    like "$query: it says why" "$(json .error)" '^The parameters are not UTF-8 in percent-encoding'
done
raw 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'
answered "two Hosts" 400 bad_request
raw 'POST /ingest HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n'
answered "two lengths" 400 bad_request
raw 'POST /ingest HTTP/1.1\r\nHost: x\r\n\r\n'
answered "no length" 411 length_required
raw 'GET / HTTP/4.0\r\nHost: x\r\n\r\n'
answered "HTTP of the future" 505 http_version
raw 'BREW / HTTP/1.1\r\nHost: x\r\n\r\n'
answered "unknown method" 501 not_implemented
raw 'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
is "what the server can do" "$status $(header Cache-Control) $(grep -ic '^X-Content-Type-Options: nosniff$' <<<"$headers")" "200 no-store 1"
raw 'GET /health HTTP/1.1\r\nHost: x\r\nX_A: 1\r\nConnection: close\r\n\r\n'
answered "a header with an odd name" 400 bad_request
is "a header with an odd name: no-store" "$(header Cache-Control)" no-store
request GET /health -H 'Range: bytes=0-5'
is "a part of an answer is not to be had" "$status $(json .status)" "200 ok"
request GET /health -H "X: $(head -c 70000 /dev/zero | tr '\0' x)"
answered "huge header" 431 headers_too_large

# Above the programs' own limit and above lighttpd's, with and without a length.
head -c $((66 << 20)) /dev/zero >"$scratch/large"
request POST /ingest --data-binary "@$scratch/large" -H Expect:
answered "66 MiB" 413 too_large
request POST /ingest --data-binary "@$scratch/large" -H Expect: -H 'Transfer-Encoding: chunked'
answered "66 MiB in chunks" 413 too_large
is "no body is left behind" "$(find "$stack_dir/tmp" -type f | wc -l)" 0

# A pool that is down altogether: its watcher first, so that nobody comes back.
put_down() {
    local pid
    kill -9 "$(leaders "$stack_dir" | sed -n "s/^$1 //p")"
    for pid in $(pids_of "$1.fcgi"); do kill -9 "$pid"; done
    within "$(patient 10)" none_of "$1.fcgi"
}
none_of() {
    [ -z "$(pids_of "$1")" ]
}
put_down validate
request POST /api/validate --data-binary '{}'
answered "program down" 503 service_away
like "program down: when to come again" "$(header Retry-After)" '^[0-9]+$'
request GET /health
is "the others answer" "$status" 200
put_down status
request POST /api/validate --data-binary '{}'
answered "the status program down too" 503 service_away
request GET /health
is "its own paths: status" "$status" 503
is "its own paths: code" "$(json .code)" service_away
done_testing
