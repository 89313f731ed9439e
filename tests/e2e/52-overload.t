#!/bin/bash
# More pushes than can be stored: those that cannot be served soon are told so at once, and nothing is stored of
# which the client does not know. What is acknowledged stays as much as ever.
. "$(dirname "$0")/lib.sh"
[ "$server" != cgi ] || skip_all "as plain CGI there is no queue of ours"
own_stack --set metrics_allow=127.0.0.1
account Example
sql "UPDATE tenants SET plan = 'enterprise'"
bodies=()
for variant in 0 1 2; do
    "$build/tests/bench/bench_generate" 200 compact $variant >"$scratch/$variant.gz"
    bodies+=("$scratch/$variant.gz")
done
# overload LOG [its options]: sets said
overload() {
    local log=$1
    shift
    said=$(tests/e2e/overload.py --url "$base_url" --key "$api_key" --body "${bodies[@]}" --log "$scratch/$log" "$@")
    diag "$said"
}
of() {
    jq -r ".$1" <<<"$said"
}
# acknowledged LOG...: cluster and time of each push that was
acknowledged() {
    local log
    for log; do awk -F'\t' '$3 == 200 { print $1 "\t" $2 }' "$scratch/$log"; done | sort
}
# stored PREFIX: cluster and time of each point
stored() {
    sql "SELECT name, DATE_FORMAT(h.taken_at, '%Y-%m-%dT%H:%i:%s.%f') FROM score_history h
         JOIN clusters c ON c.cluster = h.cluster WHERE name LIKE '$1-%'" | sed 's/000$/Z/' | sort
}
# same_list WHAT GOT EXPECTED: compared as a whole, and not shown as a whole
same_list() {
    is "$1" "$(diff <(echo "$2") <(echo "$3") | head -5)" ""
}
# above WHAT NUMBER LIMIT
above() {
    ok "$1: $2 > $3" [ "${2%.*}" -gt "$3" ]
}
# metric RESULT
metric() {
    curl -s "$base_url/metrics" | sed -n "s/^loadline_pushes_total{result=\"$1\"} //p"
}

# ---- as many clients as there are workers, and two more: nobody is refused for long
overload warm --clients 2 --seconds 1 --name warm
overload peak --clients 4 --seconds 4 --name peak
peak=$(of accepted_a_second)
above "four clients: pushes are taken" "$(of accepted)" 0
same_list "... all that were acknowledged are in history, and nothing else" "$(stored peak)" "$(acknowledged peak)"

# ---- twice as many as can be served, from clients that take no notice of what they are told
overload twice --rate "$(jq -n "$peak * 2 + 4")" --seconds 8 --clusters 12 --name twice
same_list "twice the capacity: all that were acknowledged are in history, and nothing else" "$(stored twice)" "$(acknowledged twice)"
above "... in percent of the peak" "$(jq -n "$(of accepted_a_second) * 100 / $peak | floor")" 60
above "... and others are refused" "$(of refused)" 10
is "... nobody is left without an answer, and nobody gets another one" "$(of gave_up) $(of other)" "0 0"
is "... refused in the documented way" "$(awk -F'\t' '$3 == 503 { print $6 }' "$scratch/twice" | sort -u)" overloaded
is "... told to come again between push_wait and five times as late" \
    "$(awk -F'\t' '$3 == 503 && ($5 < 2 || $5 > 10)' "$scratch/twice" | wc -l)" 0
above "... at different times" "$(awk -F'\t' '$3 == 503 { print $5 }' "$scratch/twice" | sort -u | wc -l)" 3
below "... the median of them soon, ms" "$(of refused_p50)" "$(patient 1000)"
below "... nearly all, ms" "$(of refused_p99)" "$(patient 2500)"
below "nearly all that were acknowledged have waited less than push_wait, ms" "$(of accepted_p99)" "$(patient 2500)"
is "each cluster has had its turn" "$(acknowledged twice | cut -f1 | sort -u | wc -l)" 12
total=0
for result in accepted superseded crowded late left; do total=$((total + $(metric $result))); done
is "/metrics tells of all of them" "$total" "$(cat "$scratch"/{warm,peak,twice} | wc -l)"
is "... as accepted of those that were acknowledged" "$(metric accepted)" "$(acknowledged warm peak twice | wc -l)"
none_waits() {
    [ "$(curl -s "$base_url/metrics" | sed -n 's/^loadline_pushes_waiting //p')" = 0 ]
}
ok "... and that none waits any more" within 5 none_waits
push warm-0 "$scratch/0.gz"
is "afterwards pushes are taken at once" "$status" 200

# ---- clients that have gone away: the database stands still meanwhile. They send the body a little later: what
# has come in one piece lighttpd passes on and does not look whether its client stays.
database=$(pids_of mariadbd)
kill -STOP "$database"
overload gone --rate 10 --seconds 1 --give-up 1 --pause 0.2 --name gone
tests/e2e/unsent.py --socket "$stack_dir/sock/ingest.sock" --key "$api_key" --count 6 >"$scratch/unsent" &
unsent=$!
sleep 3
kill -CONT "$database"
push gone-after "$scratch/0.gz" --retry 10
is "pushes are taken again" "$status" 200
wait $unsent
is "who is refused is so before the body has come" "$(sort "$scratch/unsent" | uniq -c | xargs)" "6 503"
sleep 1
# Behind Apache nobody tells a worker that its client has gone. The one that each of two had begun is stored.
is "of clients that have gone away nothing is stored" "$(stored gone | grep -v gone-after | awk -v may="$([ "$server" = apache ] && echo 2 || echo 0)" 'NR > may')" ""
above "... /metrics counts them" "$(($(metric left) + $(metric late)))" 7

# ---- of one cluster the newest is served
kill -STOP "$database"
overload newest --rate 40 --seconds 1 --clusters 1 --name newest &
sleep 1.5
kill -CONT "$database"
wait $!
same_list "of one cluster: what is acknowledged is stored, and nothing else" "$(stored newest)" "$(acknowledged newest)"
above "... not all" "$(awk -F'\t' '$3 == 503' "$scratch/newest" | wc -l)" 5
is "... the newest is" "$(acknowledged newest | tail -1)" "$(cut -f1,2 "$scratch/newest" | sort | tail -1)"

# ---- scripts/push-snapshot comes again when it is told to
cat >"$scratch/refuse.py" <<'END'
import http.server, sys, time
times = []
class Refuse(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        times.append(time.monotonic())
        self.send_response(503 if len(times) == 1 else 200)
        if len(times) == 1:
            self.send_header("Retry-After", "3")
        self.end_headers()
        if len(times) == 2:
            self.wfile.write(b'{"csc_score":100}')
            print(int((times[1] - times[0]) * 10), flush=True)
    def log_message(self, *_):
        pass
server = http.server.HTTPServer(("127.0.0.1", 0), Refuse)
print(server.server_port, flush=True)
server.handle_request(); server.handle_request()
END
python3 "$scratch/refuse.py" >"$scratch/refused" &
listens() {
    [ -s "$scratch/refused" ]
}
within 10 listens
LOADLINE_URL=http://127.0.0.1:$(head -1 "$scratch/refused") LOADLINE_API_KEY=$api_key \
    scripts/push-snapshot any --file etc/sample/shop.json >/dev/null
is "push-snapshot that is refused pushes again" "$?" 0
wait $!
above "... not before Retry-After is over, tenths of a second" "$(tail -1 "$scratch/refused")" 29

# ---- a worker that is to stop serves those that it has
overload stop --rate "$(jq -n "$peak * 2 + 4")" --seconds 3 --name stop &
load=$!
for _ in 1 2 3 4; do
    sleep 0.5
    kill -TERM "$(pids_of ingest.fcgi | head -1)"
done
wait $load
said=$(awk -F'\t' '$3 != 200 && $3 != 503' "$scratch/stop")
is "workers are replaced meanwhile: nobody is left without an answer" "$said" ""
same_list "... and what is acknowledged is stored" "$(stored stop)" "$(acknowledged stop)"
done_testing
