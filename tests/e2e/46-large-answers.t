#!/bin/bash
# Answers of 100 MB: all there, in little memory, while pushes go on and readers are slow, hang up, or
# lose their worker.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
own_stack --workers export=1
account Example
"$build/tests/bench/bench_generate" 10000 compact 0 >"$scratch/large.json.gz"
cluster 2 2 >"$scratch/small.json"
push large "$scratch/large.json.gz"
is "10,000 pods" "$status" 200

# read_large [curl's options]: how it ended, and after how many ms
read_large() {
    local began
    began=$(date +%s%N)
    curl -s -m 60 -o "$scratch/large" -w '%{http_code} %{exitcode}' -H "Authorization: Bearer $token" "$@" \
        "$base_url/api/cluster?id=large"
    took=$((($(date +%s%N) - began) / 1000000))
}
# root STATEMENT: asks the database as the one who may see everybody's transactions.
root() {
    mariadb --no-defaults --socket="$stack_dir/sock/mariadb.sock" --batch --skip-column-names -e "$1"
}
# kinds: of the generated objects on standard input, how many of each
kinds() {
    tr '{' '\n' | LC_ALL=C grep -o '"kind":"[A-Za-z]*","metadata"' | LC_ALL=C sort | uniq -c # short lines: grep is slow in long ones
}

# ---- all of it
is "gzip" "$(read_large --compressed)" "200 0"
is "as many objects as were pushed" "$(kinds <"$scratch/large")" "$(gzip -dc <"$scratch/large.json.gz" | kinds)"
sum=$(sha256sum <"$scratch/large")
is "plain" "$(read_large)" "200 0"
is "is the same" "$(sha256sum <"$scratch/large")" "$sum"
get '/api/export?clusterId=large&format=csv'
is "exported as CSV" "$status $(grep -c ^pod, "$scratch/body")" "200 10000"
get '/api/export?clusterId=large&format=ocsf'
is "risks as OCSF" "$status $(wc -l <"$scratch/body")" "200 $(sql "SELECT COUNT(*) FROM risks JOIN clusters USING (cluster) WHERE clusters.tenant_id = '$tenant' AND name = 'large' AND closed_at IS NULL")"
below_peak "memory of the worker, MiB" export.fcgi 80
below_peak "and of the web server" lighttpd 40

# ---- somebody who hangs up
for _ in 1 2 3; do
    read_large -m 0.1 >"$scratch/hangup"
done
is "hung up" "$(cut -d' ' -f2 "$scratch/hangup")" 28
is "the worker has not noticed, or has and goes on" "$(read_large -G -d include=nodes)" "200 0"
is "that is no error" "$(grep -c level=error "$stack_dir/log/export.log")" 0

# ---- a worker that dies on the way
begun() {
    [ "$(stat -c %s "$scratch/large")" -gt 0 ]
}
found_worker() {
    victim=$(pids_of export.fcgi)
    [ -n "$victim" ]
}
for try in 1 2 3 4 5 6 7 8; do
    within "$(patient 5)" found_worker
    rm -f "$scratch/large"
    read_large -H 'Accept-Encoding: gzip' >"$scratch/cut" &
    cut=$!
    within "$(patient 5)" begun
    kill -9 "$victim"
    wait $cut
    [ "$(cat "$scratch/cut")" = "200 0" ] || break
done
diag "try $try, after $(stat -c %s "$scratch/large") bytes"
is "the client sees that the answer is cut" "$(cat "$scratch/cut")" "200 18"
served() {
    curl -sf -m 20 -o /dev/null -H "Authorization: Bearer $token" "$base_url/api/cluster?id=large&include=nodes"
}
ok "another worker is there" within "$(patient 5)" served

# ---- a slow reader
rm -f "$scratch/large"
curl -s -m 60 -o "$scratch/large" --limit-rate 1M -H "Authorization: Bearer $token" "$base_url/api/cluster?id=large" &
slow=$!
within "$(patient 5)" begun
reading() {
    [ "$(stat -c %s "$scratch/large")" -lt 50000000 ] && kill -0 "$slow"
}
ok "somebody reads slowly" reading
request GET '/api/export?clusterId=large&format=sarif' -H "Authorization: Bearer $token" -m "$(patient 4)"
is "the only worker is free for others" "$status" 200
is "no transaction waits" "$(root "SELECT COUNT(*) FROM information_schema.innodb_trx WHERE trx_started < NOW() - INTERVAL 1 SECOND")" 0
for _ in 1 2 3; do
    push large "$scratch/small.json" -m "$(patient 4)"
    is "pushes go on" "$status" 200
done
ok "it reads on" reading
kill "$slow"
wait "$slow"
nothing_left() {
    [ -z "$(find "$stack_dir/tmp" -type f)" ]
}
ok "nothing is left of any of it" within "$(patient 5)" nothing_left

# ---- plain CGI, which cannot tell that an answer is cut: its length is told
# cgi TARGET [VARIABLE=VALUE]...
cgi() {
    local target=$1
    shift
    env -i LOADLINE_CONF="${conf-$stack_dir/loadline.conf}" REQUEST_METHOD=GET REQUEST_URI="$target" REMOTE_ADDR=192.0.2.7 \
        HTTP_AUTHORIZATION="Bearer $token" "$@" "$build/cgi-bin/export.fcgi" 2>"$scratch/cgi.err" >"$scratch/cgi"
    grep -a -m1 -i '^content-length:' "$scratch/cgi" | tr -dc 0-9 >"$scratch/length"
    sed -b '1,/^\r$/d' "$scratch/cgi" >"$scratch/large"
}
"$build/tests/bench/bench_generate" 1000 compact 0 >"$scratch/middle.json.gz"
push middle "$scratch/middle.json.gz"
for encoding in identity gzip; do
    cgi '/api/cluster?id=middle' HTTP_ACCEPT_ENCODING=$encoding
    is "CGI, $encoding: the length is right" "$(cat "$scratch/length")" "$(stat -c %s "$scratch/large")"
done
get '/api/cluster?id=middle'
is "and the bytes" "$(gzip -dc <"$scratch/large" | sha256sum)" "$(sha256sum <"$scratch/body")"
sed 's|^spool_directory = .*|spool_directory = /nonexistent|' "$stack_dir/loadline.conf" >"$scratch/bad.conf"
conf=$scratch/bad.conf cgi '/api/cluster?id=middle'
is "no place for the spool file" "$(head -1 "$scratch/cgi" | tr -d '\r') $(jq -r .code "$scratch/large")" "Status: 500 Internal Server Error internal"
like "the log names the key" "$(cat "$scratch/cgi.err")" 'spool_directory: cannot make a file'

# ---- the largest real snapshot
real=$shared/snapshots/kubescape-kwok-300nodes.json.gz
if [ -r "$real" ]; then
    push large "$real"
    is "the largest real snapshot" "$status" 200
    read_large --compressed >/dev/null
    diag "GET /api/cluster: $took ms, $(stat -c %s "$scratch/large") bytes inflated"
    is "as many objects as were pushed" "$(python3 tests/e2e/count_kinds.py "$scratch/large")" "$(python3 tests/e2e/count_kinds.py "$real")"
    for format in json csv; do
        began=$(date +%s%N)
        get "/api/export?clusterId=large&format=$format"
        cp "$scratch/body" "$scratch/real.$format"
        diag "GET /api/export, $format: $((($(date +%s%N) - began) / 1000000)) ms, $(stat -c %s "$scratch/body") bytes"
    done
    is "CSV and JSON are the same" "$(python3 tests/e2e/compare_export.py "$scratch/real.json" "$scratch/real.csv" 2>&1 | grep -vc 'records$')" 0
    is "with all pods, nodes and risks" "$(jq -c '[.pods, .nodes, .risks | length]' "$scratch/real.json")" \
        "$(sql "SELECT CONCAT('[', pods, ',', nodes, ',', risks, ']') FROM clusters WHERE tenant_id = '$tenant' AND name = 'large'")"
    diag "memory of the worker: $(peak export.fcgi) MiB"
else
    skip "the largest real snapshot" "there is no $real"
fi
done_testing
