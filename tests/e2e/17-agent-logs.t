#!/bin/bash
# loadline-agent --logs: errors in the logs of containers that fail arrive, redacted, and nothing of those that are well.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
. tests/e2e/agent.sh
command -v python3 >/dev/null || skip_all "there is no python3"
stack
account "Logs"

# ---- pods: one that crashes, one that is not ready, one whose log is hostile, one of each kind that is well
secret=planted$RANDOM$RANDOM
pod() { # NAME STATUS-OF-ITS-CONTAINER [METADATA]
    jq -nc --arg name "$1" --argjson status "$2" --argjson meta "${3-{\}}" '{apiVersion: "v1", kind: "Pod",
        metadata: ({name: $name, namespace: "shop", uid: $name, creationTimestamp: "2026-01-01T00:00:00Z"} + $meta),
        spec: {nodeName: "n1", containers: [{name: "main", image: "registry.example.com/app:1"}]},
        status: {phase: "Running", containerStatuses: [{name: "main", ready: false, restartCount: 0, image: "app:1", imageID: "x"} + $status]}}'
}
running='{"state": {"running": {"startedAt": "2026-01-01T00:00:00Z"}}, "started": true'
ended='{"exitCode": 1, "reason": "Error", "startedAt": "2026-01-01T00:00:00Z", "finishedAt": "2026-01-01T00:00:01Z"}'
{
    pod crash "{\"restartCount\": 3, \"state\": {\"waiting\": {\"reason\": \"CrashLoopBackOff\"}}, \"lastState\": {\"terminated\": $ended}}"
    pod sick "$running}"
    pod hung "$running, \"restartCount\": 1, \"lastState\": {\"terminated\": $ended}}"
    pod healed "$running}"
    pod hostile "{\"state\": {\"terminated\": $ended}}"
    pod endless "{\"state\": {\"terminated\": $ended}}"
    pod wordy "{\"state\": {\"terminated\": $ended}}"
    pod silent "$running}"
    pod torn "{\"state\": {\"terminated\": $ended}}"
    pod tearing "$running}"
    pod mute "{\"state\": {\"terminated\": $ended}}"
    pod leaves "$running}"
    pod well "$running, \"ready\": true}"
    pod recovered "$running, \"ready\": true, \"restartCount\": 9, \"lastState\": {\"terminated\": $ended}}"
    pod starting "{\"state\": {\"running\": {\"startedAt\": \"$(date -u -d '+10 minutes' +%FT%TZ)\"}}, \"started\": true}"
    pod completed '{"state": {"terminated": {"exitCode": 0, "reason": "Completed"}}}'
    pod leaving "{\"state\": {\"terminated\": $ended}}" '{"deletionTimestamp": "2026-01-01T00:00:00Z", "finalizers": ["x/y"]}'
    pod ../../secrets "{\"state\": {\"terminated\": $ended}}"
} | jq -sc --slurpfile sample etc/sample/shop.json '{kind: "List", apiVersion: "v1", items: (. + [$sample[0].items[] | select(.kind | IN("Node", "Namespace"))])}' >"$scratch/cluster.json"
api_server "$scratch/cluster.json"

# logged POD PREVIOUS: its log is standard input
logged() {
    base64 -w0 >"$scratch/log.b64"
    jq -nc --arg pod "$1" --argjson previous "$2" --rawfile base64 "$scratch/log.b64" \
        '{namespace: "shop", pod: $pod, container: "main", previous: $previous, base64: $base64}' >"$scratch/log.json"
    curl -sS "$api_url/_control/log" -H 'Content-Type: application/json' --data-binary "@$scratch/log.json" >/dev/null
}
# at SECOND: a time of today
began=$(($(date +%s) - 300))
at() { date -u -d "@$((began + $1))" +%FT%T.123456789Z; }
{
    for i in {1..30}; do echo "$(at "$i") info: step $i"; done
    echo "$(at 31) ERROR cannot sign in: password=$secret"
    echo "$(at 32) -----BEGIN RSA PRIVATE KEY-----"
    for i in {33..35}; do echo "$(at "$i") $secret$(head -c 48 /dev/zero | tr '\0' A)"; done
    echo "$(at 36) -----END RSA PRIVATE KEY-----"
    for i in {40..48}; do echo "$(at "$i") last words $i"; done
} | logged crash true
{
    echo "$(at 1) {\"level\":\"info\",\"msg\":\"ERROR is a word\"}"
    echo "$(at 2) {\"level\":\"error\",\"msg\":\"db is away\",\"dsn\":\"postgres://u:$secret@db/x\"}"
    echo "$(at 3) E0317 12:00:00.000000       1 main.go:1] klog"
    echo "$(at 4) time=x level=warning msg=slow"
    echo "$(at 5) a line like any other"
} | logged sick false
logged healed false </dev/null
echo "$(at 1) panic: before it hung" | logged hung true
echo "$(at 2) ERROR it hangs" | logged hung false
echo "$(at 1) ERROR goodbye" | logged leaves false
{
    awk -v time="$(at 1)" 'BEGIN { for (i = 0; i < 199; i++) printf "%s info: %2000s\n", time, i }'
    echo "$(at 2) panic: out of words"
} | logged wordy false
python3 - "$(at 1)" "$secret" <<'END' | logged hostile false
import sys
time, secret = sys.argv[1].encode(), sys.argv[2].encode()
out = [b"no time at all\n", b"2026-13-99T99:99:99Z ERROR no such time\n", b"\n", b"\x00\xff\xfe\n",
       time + b" ERROR \x00\x01\xff\xfe \xed\xa0\x80 \xf0\x9f token=" + secret + b"\xff\r\n",
       time + b" ERROR password=" + secret + b" " + b"\x01" * 60000 + b"\n",
       time + b" FATAL \"}]}, {\"x\n"]
sys.stdout.buffer.write(b"".join(out) + time + b" ERROR " + b"z" * 300000)
END
for one in torn tearing mute; do
    printf '%s ERROR it %s\n' "$(at 1)" begins "$(at 3)" ends | logged "$one" false
done
control faults '{"log_endless": ["endless"], "log_cut": ["torn", "tearing"], "log_silent": ["mute"]}'

# ---- what arrives
cluster=logs port=$(free_port)
agent --logs --interval 1 --listen "127.0.0.1:$port"
counted() { curl -sS "http://127.0.0.1:$port/metrics" | sed -n "s/^loadline_agent_$1 //p"; }
# lines POD: their messages
lines() { curl -sS "$base_url/api/logs?cluster=logs&limit=1000" -H "Authorization: Bearer $token" | jq -r --arg pod "$1" '.[] | select(.pod == $pod) | "\(.level) \(.message)"'; }
has_lines() { [ "$(lines "$1" | wc -l)" -gt 0 ]; }
asked_of() { asked "/pods/$1/log"; }
all_asked() { for one in crash sick hostile endless wordy leaves; do has_lines "$one" || return; done; }
ok "errors of all that fail arrive" within "$(patient 30)" all_asked
lines crash >"$scratch/crash"
is "of a run that has ended: its errors, and its last lines" "$(grep -c 'last words' "$scratch/crash") $(grep -c 'step' "$scratch/crash") $(grep -c '^ERROR cannot\|^ERROR ERROR cannot' "$scratch/crash")" "9 0 1"
like "... of the run before" "$(curl -sS "$api_url/_control/asked" | grep /pods/crash/log | head -1)" \
    '^/api/v1/namespaces/shop/pods/crash/log\?container=main&timestamps=true&tailLines=200&limitBytes=262144&previous=true$'
is "of one that runs: its errors" "$(lines sick | cut -c1-43 | sort | paste -sd';')" \
    'ERROR E0317 12:00:00.000000       1 main.go;ERROR {"level":"error","msg":"db is away","'
is "... of one with long lines too: its end" "$(lines wordy | grep -c '^FATAL panic: out of words') $(asked_of wordy)" "1 2"
lines hostile >"$scratch/hostile"
is "bytes that are no text arrive as text" "$(grep -ac '^ERROR ERROR' "$scratch/hostile") $(grep -c '^FATAL FATAL "}]}, {"x$' "$scratch/hostile")" "3 1"
is "... too long ones cut, with one mark" "$(grep -aoE '\[cut: it had [0-9]+ bytes\]' "$scratch/hostile" | wc -l) $(grep -ac 'cut: .*cut: ' "$scratch/hostile")" "2 0"
is "a log without an end is cut" "$(lines endless | sort -u)" "ERROR ERROR again"
has_hung() { [ "$(lines hung | sort | paste -sd';')" = "ERROR ERROR it hangs;FATAL panic: before it hung" ]; }
ok "of one that was restarted and hangs: both logs" within "$(patient 15)" has_hung
errors_counted() { [ "$(counted log_errors_total)" -ge 3 ]; }
ok "logs that are cut, or of which nothing comes, are errors" within "$(patient 20)" errors_counted
is "... of one that runs the whole lines are taken, of a run that has ended nothing" \
    "$(lines tearing) $(lines torn) $(lines mute)" "ERROR ERROR it begins  "
control faults '{"log_cut": [], "log_silent": []}'
for one in well recovered starting completed leaving; do
    is "not asked for: $one" "$(asked_of "$one")" 0
done
is "... nor for a name that is a path" "$(asked 'secrets')" 0
below "lines that were counted" 1 "$(counted log_lines_total)"

# ---- a log that comes late; a pod that is gone
is_gone() { ! collections logs | grep -q '"name":"leaves"'; }
control delete '{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "leaves", "namespace": "shop"}}'
within "$(patient 10)" is_gone || diag "the pod does not go"
before=$(asked_of leaves)
echo "$(at 2) ERROR here I am" | logged silent false
ok "a log that was not there yet is asked for whole" within "$(patient 20)" has_lines silent
is "the log of a pod that is gone is not asked for" "$(asked_of leaves)" "$before"

# ---- the next round: only what is new
again() { # RESTARTS LINE: crash fails again
    echo "$2" | logged crash true
    control put "$(pod crash "{\"restartCount\": $1, \"state\": {\"waiting\": {\"reason\": \"CrashLoopBackOff\"}}, \"lastState\": {\"terminated\": ${ended//:00:0/:01:0}}}")"
}
starting="{\"state\": {\"running\": {\"startedAt\": \"$(date -u -d '+10 minutes' +%FT%TZ)\"}}"
control put "$(pod crash "$starting, \"restartCount\": 4, \"lastState\": {\"terminated\": $ended}}")"
before=$(asked_of sick)
two_rounds() { [ "$(asked_of sick)" -ge $((before + 2)) ]; }
within "$(patient 20)" two_rounds || diag "no more rounds"
is "one that has ended was asked for once, though it runs again" "$(asked_of crash) $(asked '/hung/log.*previous')" "1 1"
control put "$(pod healed "$running, \"ready\": true}")"
is_healed() { collections logs | jq -c 'select(.kind == "Pod" and .metadata.name == "healed" and .status.containerStatuses[0].ready)' | grep -q .; }
within "$(patient 10)" is_healed || diag "no push"
before=$(asked_of healed)
again 4 "$(at 60) panic: it is worse"
worse() { lines crash | grep -q 'FATAL panic: it is worse' && [ "$(asked_of sick)" -ge 2 ] && [ "$(asked_of crash)" = 2 ]; }
ok "one that has failed again is asked for again, and one that still runs" within "$(patient 15)" worse
like "... for what is new" "$(curl -sS "$api_url/_control/asked" | grep /pods/sick/log | tail -1)" "&sinceTime=$(at 5 | cut -c1-19)Z\$"
is "one that has become well is not" "$(asked_of healed)" "$before"
all_there() {
    for one in torn tearing mute; do
        [ "$(lines "$one" | sort | paste -sd';')" = "ERROR ERROR it begins;ERROR ERROR it ends" ] || return
    done
}
ok "logs that were cut are asked for again, and no line is there twice" within "$(patient 80)" all_there
agent_gone
is "it ends when told" "$agent_status" 0
is "without a complaint" "$(grep -vc 'level=info' "$scratch/agent.log")" 0
is "none of it is a secret" "$(curl -sS "$base_url/api/logs?cluster=logs&limit=1000" -H "Authorization: Bearer $token" | grep -c "$secret")" 0
before=$(asked '/log\?')
agent --logs --once
wait "$agent_pid"
is "not with --once" "$? $(asked '/log\?') $(cat "$scratch/agent.log")" \
    "2 $before loadline-agent: --logs is for an agent that goes on: not with --once"
agent_pid=

# ---- what leaves the cluster; a Loadline that does not take it
echo ok >"$scratch/mood"
touch "$scratch/pushes"
receiver=$(free_port)
python3 tests/e2e/pushed.py --port "$receiver" --log "$scratch/pushes" --mood "$scratch/mood" 2>/dev/null &
receiver_pid=$!
real_url=$base_url
base_url=http://127.0.0.1:$receiver
left() { jq -sc '[.[] | select(.path == "/ingest/logs")] | length' "$scratch/pushes"; }
has_left() { [ "$(left)" -ge "$1" ]; }
control faults '{"log_fail": 1}'
agent --logs --interval 1
ok "a log that is away is in nobody's way" within "$(patient 15)" has_left 3
agent_gone
is "no secret leaves" "$(grep -c "$secret" "$scratch/pushes")" 0
is "... of lines that do" "$(jq -r 'select(.path == "/ingest/logs").text' "$scratch/pushes" | grep -c 'cannot sign in: password=\[redacted\]\|db is away\|again')" "$(jq -r 'select(.path == "/ingest/logs").text' "$scratch/pushes" | grep -c 'cannot sign in\|db is away\|again')"
below "KiB of a push of lines" "$(jq -s '[.[] | select(.path == "/ingest/logs").text | utf8bytelength] | max / 1024 | floor' "$scratch/pushes")" 400

# ---- somebody else who answers everybody
: >"$scratch/pushes"
echo "portal /ingest/logs" >"$scratch/mood"
of_crash() { [ "$(jq -c 'select(.path == "/ingest/logs" and (.text | contains("\"pod\":\"crash\"")))' "$scratch/pushes" | wc -l)" -ge "$1" ]; }
agent --logs --interval 1
within "$(patient 15)" of_crash 1 || diag "no lines are pushed"
echo ok >"$scratch/mood"
ok "lines that Loadline has not taken are pushed again" within "$(patient 30)" of_crash 2
like "... which is said" "$(cat "$scratch/agent.log")" 'were not taken .*status=200 error="this is not how Loadline answers'
agent_gone

# ---- where the role does not let it
control faults '{"forbidden": ["pods/log"], "log_endless": []}'
: >"$scratch/pushes"
before=$(asked '/log\?')
agent --logs --interval 1
asked_again() { [ "$(asked '/log\?')" -ge $((before + 3)) ]; }
pushed_twice() { [ "$(wc -l <"$scratch/pushes")" -ge 2 ]; }
within "$(patient 15)" asked_again || diag "no logs were asked for"
control put "$(pod fresh "$running, \"ready\": true}")"
within "$(patient 15)" pushed_twice || diag "no second push"
is "what is forbidden is said once" "$(grep -c 'may not read logs' "$scratch/agent.log")" 1
is "... and all else goes on" "$(jq -sc 'map(select(.status == 200 and .path == "/ingest")) | length >= 2' "$scratch/pushes")" true
is "... without lines of logs" "$(left)" 0
agent_gone
base_url=$real_url
done_testing
