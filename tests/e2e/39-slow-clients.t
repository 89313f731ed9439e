#!/bin/bash
# Clients that send half a request and then a byte now and again: each server is rid of them in time, and
# answers others meanwhile. tests/attacks has the same with thousands.
. "$(dirname "$0")/lib.sh"
own_stack
lighttpd_port=$stack_port
own_stack --server apache
apache_port=$stack_port

# slow NAME PORT KIND GAP SECONDS: a hundred of them, in the background
slow() {
    tests/attacks/slow.py "$2" 100 "$3" "$4" "$5" >"$scratch/slow.$1" &
    slow+=($!)
}
slow=()
# lighttpd closes what is silent for ten seconds. Apache has a deadline, and a rate for bodies.
slow "lighttpd header" "$lighttpd_port" header 14 18
slow "lighttpd body" "$lighttpd_port" body 14 18
slow "lighttpd silent" "$lighttpd_port" silent 14 18
slow "apache header" "$apache_port" header 2 28
slow "apache body" "$apache_port" body 2 28
slow "apache silent" "$apache_port" silent 2 18
wait "${slow[@]}"
for name in {lighttpd,apache}\ {header,body,silent}; do
    result=$(cat "$scratch/slow.$name")
    # Who says nothing at all is not shown to Apache by the kernel (TCP_DEFER_ACCEPT), and holds nothing of it.
    if [ "$name" != "apache silent" ]; then
        is "$name: all are closed" "$(jq -c '[.open, .closed]' <<<"$result")" "[0,100]"
        below "$name: and in time" "$(jq '.oldest_s | floor' <<<"$result")" $((24 + $(patient 1)))
    fi
    is "$name: others are answered" "$(jq .failed <<<"$result")" 0
    below "$name: at once (ms)" "$(jq .worst_ms <<<"$result")" "$(patient 2000)"
done

# More requests under way than may queue at a socket: lighttpd refuses them by itself (etc/lighttpd.lua).
less=$scratch/lighttpd.lua
sed 's/^local most_under_way = .*/local most_under_way = 3/' etc/lighttpd.lua >"$less"
stack_dir=$(dirname "$stack_dir")/stack1
for pid in $(pids_of status.fcgi); do kill -STOP "$pid"; done
port=$(free_port)
mkdir "$scratch/etc"
cp -r etc/. "$scratch/etc/"
cp "$less" "$scratch/etc/lighttpd.lua"
sed "s|^var.port = .*|var.port = $port|; s|^var.share = .*|var.share = \"$scratch/etc\"|; s|$PWD/etc/|$scratch/etc/|" \
    "$stack_dir/lighttpd.conf" >"$scratch/lighttpd.conf"
lighttpd -D -f "$scratch/lighttpd.conf" >"$scratch/lighttpd.log" 2>&1 &
front=$!
base_url=http://127.0.0.1:$port
ok "another lighttpd" within "$(patient 10)" curl -s -o "$scratch/body" "$base_url/index.html"
waiting=()
for i in 1 2 3; do
    curl -s -m 60 -o "$scratch/waiting.$i" -w '%{http_code}' "$base_url/health" >"$scratch/status.$i" &
    waiting+=($!)
done
full() {
    request GET /api/clusters
    [ "$status" = 503 ]
}
ok "with three under way" within "$(patient 10)" full
refused "a fourth is refused" 503 service_away
is "and told when to come again" "$(header Retry-After)" 5
for pid in $(pids_of status.fcgi); do kill -CONT "$pid"; done
wait "${waiting[@]}"
is "the three are answered" "$(cat "$scratch"/status.?)" 200200200
request GET /api/clusters
is "and so is the next" "$status" 401
kill "$front"
wait "$front" || true
done_testing
