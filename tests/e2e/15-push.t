#!/bin/bash
# scripts/push-snapshot reads a cluster in pages: all of it arrives, a kind whole or not at all, empty lists too.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
command -v python3 >/dev/null || skip_all "there is no python3"

score=$build/bin/loadline-score
options=(--format json --all-namespaces --time 2026-11-21T10:00:00Z)
mkdir "$scratch/bin"
ln -s "$PWD/tests/e2e/kubectl.py" "$scratch/bin/kubectl"
# A curl that keeps the body, and takes every push.
cat >"$scratch/bin/curl" <<'END'
#!/bin/sh
printf '%s\n' "$@" >"$KEPT.arguments"
while [ $# -gt 0 ]; do
    case $1 in
    --data-binary) cp "${2#@}" "$KEPT"; shift ;;
    -o) echo "$ANSWER" >"$2"; shift ;;
    esac
    shift
done
printf 200
END
chmod +x "$scratch/bin/curl"
export LOADLINE_API_KEY=x ANSWER='{"status":"ok","csc_score":100}' KEPT=$scratch/body.gz FAKE_ASKED=$scratch/asked FAKE_SNAPSHOT=$scratch/snapshot.json

# push [NAME=VALUE]...: what was pushed is in $scratch/body.json; what was said in $err
pushed() {
    rm -f "$KEPT" "$FAKE_ASKED"
    err=$(env PATH="$scratch/bin:$PATH" "$@" "$scratch/push-snapshot" cluster 2>&1 >/dev/null)
    status=$?
    [ ! -e "$KEPT" ] || gzip -dc "$KEPT" >"$scratch/body.json"
}
# Pages of three, so that a small cluster has many.
sed 's/^page=500$/page=3/' scripts/push-snapshot >"$scratch/push-snapshot"
chmod +x "$scratch/push-snapshot"
isnt "the script pages" "$(cmp "$scratch/push-snapshot" scripts/push-snapshot)" ""

jq '.items += [range(8) | {apiVersion: "argoproj.io/v1alpha1", kind: "Rollout",
        metadata: {name: "r\(.)", namespace: "shop", continue: "9", annotations: {a: "{\"metadata\":{\"continue\":\"8\"}}"}},
        spec: {replicas: 1, metadata: {continue: "9"}}}]' tests/fixtures/worked-example.json >"$FAKE_SNAPSHOT"
# typed FILE: the lists that the API would print in one piece each
typed() {
    jq -c '.items | group_by([.apiVersion, .kind])[] | {kind: (.[0].kind + "List"), apiVersion: .[0].apiVersion, items: .}' "$1"
}
expected=$(typed "$FAKE_SNAPSHOT" | "$score" "${options[@]}" -)
pushed FAKE_CUSTOM=rollouts
is "all pages arrive" "$status $err" "0 "
is "... and give the ledger of the whole" "$("$score" "${options[@]}" "$scratch/body.json")" "$expected"
is "each object once" "$(jq -s '[.[].items[]] | length' "$scratch/body.json")" "$(jq '.items | length' "$FAKE_SNAPSHOT")"
said=$(TERM=xterm PATH=$scratch/bin:$PATH script -qec "$scratch/push-snapshot --tries=1 cluster" /dev/null </dev/null)
like "on a terminal it says how far it is" "$said" 'push-snapshot: reading 1 of ([0-9]+) kinds: [a-z]+.*reading [0-9]+ of [0-9]+ kinds: rollouts'
pushed FAKE_CUSTOM=rollouts
pods=$(jq '[.items[] | select(.kind == "Pod")] | length' "$FAKE_SNAPSHOT")
is "a request a page" "$(grep -c '^/api/v1/pods?limit=3' "$FAKE_ASKED")" $(((pods + 2) / 3))
is "custom resources, whose token stands at the end" "$(grep -c '/rollouts?' "$FAKE_ASKED")" 3
is "what an object says is no token" "$(grep -c 'continue=[89]$' "$FAKE_ASKED")" 0
pushed FAKE_CUSTOM=rollouts FAKE_MORE='v1 limitranges LimitRange,v1 gadgets Gadget,example.com/v1 pods Pod'
is "an empty list is pushed: there are none" "$(jq -c 'select(.kind == "LimitRangeList") | .items' "$scratch/body.json")" "[]"
is "what no check reads is not asked for" "$(grep -cE 'gadgets|example\.com' "$FAKE_ASKED")" 0
pushed FAKE_GONE=rollouts FAKE_CUSTOM=rollouts
is "a page that is gone: the kind is read whole" "$status $(jq -s '[.[] | select(.kind == "RolloutList") | .items[]] | length' "$scratch/body.json")" "0 8"
is "... in one request" "$(grep /rollouts "$FAKE_ASKED" | tail -1)" /apis/argoproj.io/v1alpha1/rollouts
pushed FAKE_FORBIDDEN="nodes"
is "what may not be listed is left out" "$status $(jq -s '[.[] | select(.kind == "NodeList")] | length' "$scratch/body.json")" "0 0"
like "... and said" "$err" '^push-snapshot: left out: nodes: Error from server \(Forbidden\): nodes is forbidden$'
pushed FAKE_FORBIDDEN="$(jq -r '.items[].kind | ascii_downcase | sub("y$"; "ie") | sub("s$"; "se") + "s"' "$FAKE_SNAPSHOT" | sort -u | tr '\n' ' ') endpoints"
like "where nothing may be listed nothing is pushed" "$status $err" '^1 push-snapshot: kubectl could not read the cluster: .*forbidden$'
ok "... at all" test ! -e "$KEPT"
pushed FAKE_LOST=1
is "a kubectl that knows no cluster" "$status $err" \
    "1 push-snapshot: kubectl could not read the cluster: Error from server (NotFound): the server could not find the requested resource (it has no current context: is KUBECONFIG set?)"
err=$(env PATH="$scratch/bin:$PATH" FAKE_LOST=1 "$scratch/push-snapshot" cluster --context there 2>&1)
like "... unless one was named" "$? $err" 'could not find the requested resource$'
pushed ANSWER='<html>Sign in</html>'
is "a page that answers everybody has stored nothing" "$status $err" \
    "1 push-snapshot: http://127.0.0.1:8080 answers, but not as Loadline does: is LOADLINE_URL right?"
pushed ANSWER='<html>Sign in</html>' LOADLINE_URL=https://me:planted@loadline.example/x/
is "the password of an address is not shown" "$status $err" \
    "1 push-snapshot: https://loadline.example/x answers, but not as Loadline does: is LOADLINE_URL right?"
is "... nor in the arguments of curl" "$(grep -c data-binary "$KEPT.arguments") $(grep -c planted "$KEPT.arguments")" "1 0"
port=$(free_port)
echo moved >"$scratch/mood"
python3 tests/e2e/pushed.py --port "$port" --log "$scratch/pushes" --mood "$scratch/mood" 2>/dev/null &
receiver_pid=$!
listens() { (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; }
within "$(patient 10)" listens || diag "nobody takes pushes"
jq -jc . "$FAKE_SNAPSHOT" >"$scratch/printed.json"
err=$(LOADLINE_URL=http://somebody:planted@127.0.0.1:$port scripts/push-snapshot cluster --file "$scratch/printed.json" 2>&1)
is "a redirect is said, without a password of the URL and what it passes on" "$? $err" \
    "1 push-snapshot: http://127.0.0.1:$port redirects to https://moved.example.com/ingest, which is not followed: is LOADLINE_URL right?"
kill "$receiver_pid"
is "not asked for Secrets" "$(grep -c secrets "$FAKE_ASKED")" 0
done_testing
