#!/bin/bash
# What a new user sees: make run, push-snapshot and gate.
. "$(dirname "$0")/lib.sh"

stack_dir=$scratch/run
own_dirs+=("$stack_dir")
port=$(free_port)
said=$(NO_COLOR=1 scripts/run --dir "$stack_dir" --port "$port" --build "$build" 2>&1)
is "run succeeds" "$?" 0
diag "$said"
like "it shows the score" "$said" 'sample-shop  scores [0-9]+ of 100: (SAFE|WARN|BLOCK)'
for category in policy runtime history health; do
    like "points lost to $category" "$said" "$category +[0-9]+\.[0-9]{2} +[#.]{50}"
done
is "five risks with what to do" "$(sed -n '/the costliest/,/^$/p' <<<"$said" | grep -cE '^ +[0-9]+\.[0-9]{2}  ')" 5
like "the rollback is among them" "$said" 'taken up again'
like "the gate" "$said" 'The gate says SAFE'
like "where the page is" "$said" "Open http://127\.0\.0\.1:$port and sign in"
like "how the sample goes" "$said" 'scripts/sample --remove --dir'
like "how to push" "$said" 'scripts/push-snapshot my-cluster'
like "how to stop" "$said" "scripts/down --dir"
is "the account is for its owner only" "$(stat -c %a "$stack_dir/account.env")" 600
asked=$(sed -n 's/^  \(scripts\/gate .*\)/\1/p' <<<"$said")
is "what it tells to ask the gate works, on this port" \
    "$(env -u LOADLINE_URL bash -c ". $stack_dir/account.env; export LOADLINE_URL LOADLINE_API_KEY; $asked" | head -1 | cut -d' ' -f1)" SAFE

# ---- a port that somebody has
taken=$(free_port)
python3 -c 'import socket, sys, time
s = socket.create_server(("127.0.0.1", int(sys.argv[1])))
print("there", flush=True)
time.sleep(60)' "$taken" >"$scratch/taken" &
listener=$!
ok "somebody listens" within 10 grep -q there "$scratch/taken"
again=$(scripts/run --dir "$stack_dir" --port "$taken" --build "$build" 2>&1)
like "run refuses the port" "$? $again" "^1 .*port $taken is taken"
is "and what runs goes on" "$(curl -s -o /dev/null -w '%{http_code}' "http://127.0.0.1:$port/health")" 200
said_by_make=$(env -u MAKEFLAGS -u MAKELEVEL make run PORT="$taken" B="$scratch/unbuilt" CC=false 2>&1)
like "make run refuses it before it builds anything" "$? $said_by_make" "^2 run: port $taken is taken; choose another with --port \(make run PORT=\.\.\.\)"
kill $listener
wait $listener 2>/dev/null
mkdir "$scratch/crashed"
echo "base_url=http://127.0.0.1:$port" >"$scratch/crashed/run"
like "nor is a port its own that it had before a crash" "$(scripts/run --check-place --dir "$scratch/crashed" --port "$port" 2>&1)" "port $port is taken"
is "nor will a directory with a space do" "$(scripts/run --check-place --dir "$scratch/a b" --port "$taken" 2>&1; echo $?)" \
    "run: $scratch/a b has a space or a quote in its name; choose another --dir"$'\n1'
is "its own will do, and so will one that nobody has" \
    "$(scripts/run --check-place --dir "$stack_dir" --port "$port" 2>&1 && scripts/run --check-place --port "$taken" 2>&1; echo $?)" 0

# ---- options that are refused stop nothing
while IFS='|' read -r message options; do
    # shellcheck disable=SC2086 # words
    again=$(timeout 60 scripts/run --dir "$stack_dir" --build "$build" $options 2>&1)
    is "run $options" "$? $again" "1 run: $message"
    is "... and what runs goes on" "$(curl -s -o /dev/null -w '%{http_code}' "http://127.0.0.1:$port/health")" 200
done <<END
--port 99999 is not a port|--port 99999
--port abc is not a port|--port=abc
--port needs a number (see --help)|--port
unknown argument --bogus (see --help)|--bogus
unknown argument --check (see --help)|--check
--server is lighttpd, apache or cgi, not nginx|--port $port --server nginx
--set stale_warn is not KEY=VALUE|--port $port --set stale_warn
--set: unknown key "nonsense"|--port $port --set nonsense=1
--build needs a directory (see --help)|--port $port --build
$scratch/none does not exist; run make first|--port $port --build $scratch/none
--workers x=1 is not PROGRAM=N (programs: $(sed -n 's/^\([a-z]\{1,\}\) .*/\1/p' etc/workers | xargs) notify maintain)|--port $port --workers x=1
END

# ---- the sample: a fleet with a week behind it
base_url=http://127.0.0.1:$port
# shellcheck disable=SC1091
. "$stack_dir/account.env"
for word in "$LOADLINE_EMAIL" "$LOADLINE_PASSWORD"; do
    like "who can sign in there" "$said" "$word"
done
login "$LOADLINE_EMAIL" "$LOADLINE_PASSWORD"
token=$(json .token)
is "and does" "$status" 200
get '/api/clusters?include=history'
is "three clusters" "$(json -c '[.[] | [.id, .cscScore >= 70, .decision]]')" \
    '[["sample-shop",true,"SAFE"],["sample-shop-staging",false,"BLOCK"],["sample-shop-us",true,"SAFE"]]'
is "the score fell and is back" "$(json -c '.[0] | [.cscScore >= 70, (.history | map(select(.) | select(. < 50)) | length > 0)]')" '[true,true]'
ok "one is stale for a day" [ $(($(date +%s) - $(date -d "$(json '.[1].takenAt')" +%s))) -gt 86400 ]
get /api/decisions
is "the gate said BLOCK meanwhile, for the score" "$(json -c '[.[] | [.decision, .csc_score < 50, .user]] | .[-1]')" '["BLOCK",true,"deploy-bot"]'
get '/api/notifications/deliveries?clusterId=sample-shop'
is "an alert fired and is over" "$(json -c '[.[].event]')" '["Score Recovered","Score Drop"]'
is "and went nowhere" "$(json -c '[.[].state] | unique')" '["cancelled"]'
get '/api/notifications/ended?clusterId=sample-shop'
is "the alerts that fired are over" "$(json -c '[.[] | [.threshold, .recovered]] | sort')" '[[50,true],[70,true]]'
get '/api/cluster?id=sample-shop&include=events'
is "it has events" "$(json '.events | length')" 3
happened=$(json -c '[.events[].lastTimestamp]')
get '/api/deploys?clusterId=sample-shop'
is "and what was deployed and rolled back" "$(json -c '[.[] | select(.resource == "deployment/checkout") | .event]')" '["finished","rolled_back","started"]'
get '/api/logs?cluster=sample-shop&level=error'
is "and logs" "$(json length)" 2
for cluster in sample-shop sample-shop-us sample-shop-staging; do
    get "/api/score-history?clusterId=$cluster"
    like "$cluster has a week behind it" "$(json '[length > 50, ((.[0].timestamp | sub("\\.[0-9]*Z$"; "Z") | fromdate) < now - 6.9 * 86400)] | @csv')" '^true,true$'
done
get /api/cluster-slots
is "there is room for one's own" "$(json .plan)" self_hosted

before=$(cat "$stack_dir/account.env")
get /api/decisions && decisions=$(json length)
get '/api/score-history?clusterId=sample-shop' && points=$(json length)
said=$(NO_COLOR=1 scripts/run --dir "$stack_dir" --port "$port" --build "$build" 2>&1)
is "run again succeeds" "$?" 0
is "with the same account" "$(cat "$stack_dir/account.env")" "$before"
get '/api/score-history?clusterId=sample-shop'
more=$(($(json length) - points))
ok "the sample is brought up to now, not made again ($more)" [ $more -ge 1 -a $more -le 30 ]

# ---- it is pushed on, as by an agent
pushers() { pgrep -f -- "scripts/sample --keep --dir $stack_dir "; }
isnt "somebody pushes it on" "$(pushers)" ""
# To try the lock from here would take it.
is_held() { inode=$(stat -c %i "$stack_dir/sample.lock") && grep -q ":$inode " /proc/locks; }
ok "and holds the lock" within "$(patient 10)" is_held
ok "one is enough: another ends at once" timeout 20 scripts/sample --keep --dir "$stack_dir" --build "$build"
mkdir "$scratch/away"
cp "$stack_dir/account.env" "$scratch/away"
echo "base_url=http://127.0.0.1:$(free_port)" >"$scratch/away/run"
is "which asks nothing of Loadline first" "$(flock "$scratch/away/sample.lock" timeout 20 scripts/sample --keep --dir "$scratch/away" 2>&1; echo $?)" 0
like "one that has the lock does" "$(timeout 20 scripts/sample --keep --dir "$scratch/away" 2>&1; echo $?)" $'does not answer\n1$'
pushers | xargs kill
no_pusher() { [ -z "$(pushers)" ]; }
ok "it can be ended" within 10 no_pusher
taken() { get /api/clusters && json -r '[.[] | select(.id != "sample-shop-staging") | .takenAt] | min'; }
last=$(taken) silent=$(json -r '.[1].takenAt')
LOADLINE_RUN=$(sed -n 's/^token=//p' "$stack_dir/run") scripts/sample --keep --every 1 --dir "$stack_dir" --build "$build" &
later() { [[ $(taken) > $last ]]; }
ok "both that are well are pushed" within "$(patient 10)" later
is "and the silent one is not" "$(get /api/clusters && json -r '.[1].takenAt')" "$silent"
get '/api/cluster?id=sample-shop&include=events'
is "what happened happened once" "$(json -c '[.events[].lastTimestamp]')" "$happened"
get /api/decisions
is "the gate was asked once more" "$(json length)" $((decisions + 1))
ok "the sample goes" scripts/sample --remove --dir "$stack_dir"
get /api/clusters
is "all of it" "$(json -c .)" "[]"
get /api/notifications/channels
is "with its channel" "$(json -c .)" "[]"
get /api/notifications/rules
is "and its rule" "$(json -c .)" "[]"
is "where there is none, it says so" "$(scripts/sample --remove --dir "$stack_dir" 2>&1) $?" "sample: there is none here 0"
said=$(NO_COLOR=1 scripts/run --dir "$stack_dir" --port "$port" --build "$build" 2>&1)
is "run does not bring it back" "$? $(get /api/clusters && json -c .)" "0 []"
like "and says where the page is" "$said" "Open http://127\.0\.0\.1:$port"
said=$(TERM=xterm script -qec "scripts/sample --dir '$stack_dir' --build '$build'" /dev/null </dev/null)
is "nobody but who asks for it" $? 0
like "who sees on a terminal what goes on" "$said" 'sample: pushing [0-9]+ snapshots of three clusters \.\.\.'
like "cut off where the terminal is narrow" "$said" $'\e\\[K\e\\[\\?7lsample: pushing [^\e]*\e\\[\\?7h'
is "and nothing of it in the end" "${said##*$'\r'}" $'\e[K'
get /api/clusters
is "does" "$(json length)" 3

# ---- a key and a password that are not those of the file any more
# of_account NAME: as the file has it
of_account() { sed -n "s/^$1=//p" "$stack_dir/account.env"; }
login "$(of_account LOADLINE_EMAIL)" "$(of_account LOADLINE_PASSWORD)"
token=$(json .token)
get /api/keys
revoked=$(of_account LOADLINE_API_KEY)
request DELETE "/api/keys?id=$(json -r '.[0].id')" -H "Authorization: Bearer $token"
said=$(NO_COLOR=1 scripts/run --dir "$stack_dir" --port "$port" --build "$build" 2>&1)
is "run goes on when its key was revoked" "$? $(grep -c '^run: the API key in .*account.env was refused' <<<"$said")" "0 1"
isnt "... with another key" "$(of_account LOADLINE_API_KEY)" "$revoked"
is "... of the same account, for its owner only" \
    "$(of_account LOADLINE_EMAIL) $(LOADLINE_CONF=$stack_dir/loadline.conf "$build/bin/loadline-admin" tenants | grep -c 'Sample Shop') $(stat -c %a "$stack_dir/account.env")" "$LOADLINE_EMAIL 1 600"
right=$(of_account LOADLINE_PASSWORD)
sed -i 's/^LOADLINE_PASSWORD=.*/LOADLINE_PASSWORD=not-this-one/' "$stack_dir/account.env"
said=$(NO_COLOR=1 scripts/run --dir "$stack_dir" --port "$port" --build "$build" 2>&1)
like "where the password is another one it fails" "$? $said" "^1 .*sample: $stack_dir/account.env: a sign-in with its e-mail and password is refused \(The e-mail or the password is wrong\.\)\. Put the right ones there"
like "... and says where the page is all the same" "$said" "Open http://127\.0\.0\.1:$port"
sed -i 's/^LOADLINE_API_KEY=.*/LOADLINE_API_KEY=ll_not-this-one-either/' "$stack_dir/account.env"
kept=$(cat "$stack_dir/account.env")
said=$(NO_COLOR=1 scripts/run --dir "$stack_dir" --port "$port" --build "$build" 2>&1)
like "with neither it makes no other account" "$? $said" "^1 .*run: $stack_dir/account.env: its API key is refused, and so is a sign-in .* move the file away to get another account"
is "... and the file stays as it is" "$(grep -v '^LOADLINE_URL' "$stack_dir/account.env")" "$(grep -v '^LOADLINE_URL' <<<"$kept")"
sed -i "s/^LOADLINE_PASSWORD=.*/LOADLINE_PASSWORD=$right/" "$stack_dir/account.env"
said=$(NO_COLOR=1 scripts/run --dir "$stack_dir" --port "$port" --build "$build" 2>&1)
is "with the right one it goes on" "$?" 0

# shellcheck disable=SC1091
. "$stack_dir/account.env"
export LOADLINE_API_KEY LOADLINE_URL=http://127.0.0.1:$port

# A kubectl that answers from the sample, of a cluster with Argo Rollouts and leases of nodes.
mkdir "$scratch/bin"
ln -s "$PWD/tests/e2e/kubectl.py" "$scratch/bin/kubectl"
jq '.items += [{apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: {name: "n", namespace: "kube-node-lease"}},
    {apiVersion: "v1", kind: "Secret", metadata: {name: "s", namespace: "shop"}, type: "Opaque"}]' etc/sample/shop.json >"$scratch/shop.json"
export FAKE_SNAPSHOT=$scratch/shop.json FAKE_ASKED=$scratch/kubectl.asked FAKE_FORBIDDEN=configmaps
export FAKE_MORE='argoproj.io/v1alpha1 rollouts Rollout,argoproj.io/v1alpha1 analysisruns AnalysisRun,v1 configmaps ConfigMap'
said=$(PATH=$scratch/bin:$PATH scripts/push-snapshot mine 2>"$scratch/err")
is "push-snapshot succeeds with what could be read" "$?" 0
like "and shows the answer" "$said" '"csc_score":'
like "and says what it left out" "$(cat "$scratch/err")" 'left out: configmaps: .*configmaps is forbidden'
is "it asks for extensions that the cluster has, and a check reads" \
    "$(grep argoproj "$scratch/kubectl.asked")" "/apis/argoproj.io/v1alpha1/rollouts?limit=500"
is "and not for Secrets" "$(grep -c secrets "$scratch/kubectl.asked")" 0
is "of leases for those of nodes" "$(grep leases "$scratch/kubectl.asked")" \
    "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases?limit=500"
token=$(jq -n '$ARGS.named' --arg email "$LOADLINE_EMAIL" --arg password "$LOADLINE_PASSWORD" |
    curl -sS "$LOADLINE_URL/api/auth/login" -H "Content-Type: application/json" --data-binary @- | jq -r .token)
is "both are pushed" "$(curl -sS "$LOADLINE_URL/api/cluster?id=mine&include=leases,deployments" -H "Authorization: Bearer $token" |
    jq -c '[(.leases | length), (.deployments | length > 0)]')" '[1,true]'
mkdir "$scratch/empty"
cat >"$scratch/empty/kubectl" <<'END'
#!/bin/sh
echo 'E1126 10:00:00.000001   7 memcache.go:265] "Unhandled Error" err="no server"' >&2
[ "$1 ${NO_KINDS-}" != "api-resources " ] || { echo 'pods  po  v1  true  Pod'; exit; }
printf 'Warning: old\nerror: %s\n' "${NO_KINDS:-forbidden}" >&2
exit 1
END
chmod +x "$scratch/empty/kubectl"
said=$(PATH=$scratch/empty:$PATH scripts/push-snapshot mine 2>&1)
is "where nothing may be listed, nothing is pushed" "$said $?" "push-snapshot: kubectl could not read the cluster: pods: error: forbidden 1"
said=$(NO_KINDS='You must be logged in to the server (Unauthorized)' PATH=$scratch/empty:$PATH scripts/push-snapshot mine 2>&1)
is "what kubectl says is told, and not its log" "$said $?" \
    "push-snapshot: kubectl could not read the cluster: error: You must be logged in to the server (Unauthorized) 1"
said=$(PATH=$scratch/bin:$PATH LOADLINE_API_KEY=ll_wrong scripts/push-snapshot mine 2>&1 >/dev/null)
is "a wrong key fails" "$?" 1
like "with the reason" "$said" 'refused with 401: .*API key'
mkdir "$scratch/bare"
for tool in bash cat cp curl grep gzip head mktemp mv od rm sed sleep tail tr; do ln -sf "$(command -v $tool)" "$scratch/bare/$tool"; done
said=$(PATH=$scratch/bare LOADLINE_API_KEY=ll_wrong bash scripts/push-snapshot mine --file etc/sample/shop.json 2>&1)
like "also where there is no jq" "$said" 'refused with 401: .*API key'
said=$(LOADLINE_API_KEY=" $LOADLINE_API_KEY"$'\r\n' scripts/push-snapshot mine --file etc/sample/shop.json | jq -r .status)
is "a key with the end of its line does" "$said" ok
for odd in 'mine"x' 'mine\nx' $'mine\nx' 'mi ne' "$(printf 'a%.0s' {1..129})"; do
    said=$(scripts/push-snapshot "$odd" --file etc/sample/shop.json 2>&1)
    is "a name that no cluster has is pushed as no other: ${odd:0:9}" "$said $?" "push-snapshot: a cluster id is 1 to 128 of A-Z a-z 0-9 . _ : / and - 1"
done
said=$(LOADLINE_API_KEY='ll_"a' scripts/push-snapshot mine --file etc/sample/shop.json 2>&1)
like "nor is a key" "$said" 'LOADLINE_API_KEY is not an API key'
scripts/push-snapshot mine --file etc/sample/shop.json >/dev/null 2>&1
is "a file can be pushed" "$?" 0
is "and not of a context" "$(scripts/push-snapshot mine --file etc/sample/shop.json --context x 2>&1) $?" \
    "push-snapshot: --file or --context, not both 1"
is "nor does it say what is pushed of it" "$(scripts/push-snapshot mine --secrets --file etc/sample/shop.json 2>&1) $?" \
    "push-snapshot: --file or --secrets, not both: a file is pushed with all that is in it 1"
said=$(echo '{}' | scripts/push-snapshot mine --file - 2>&1)
is "nothing to see fails" "$?" 1
like "with its reason" "$said" 'refused with 400: .*no Kubernetes object'
if crammed 4k true 2>/dev/null; then
    gzip -c etc/sample/shop.json >"$scratch/shop.gz"
    for size in 4k 12k 20k 64k; do
        said=$(crammed "$size" env PATH="$scratch/bin:$PATH" scripts/push-snapshot mine 2>&1)
        like "$size of room for a cluster" "$? $said" "^1 push-snapshot: cannot write below $crammed/[^ :]*: No space left on device\$"
        said=$(crammed "$size" scripts/push-snapshot mine --file etc/sample/shop.json 2>&1)
        like "$size of room for a file" "$? $said" "^1 push-snapshot: cannot write below $crammed/[^ :]*: No space left on device\$"
    done
    said=$(crammed 12k scripts/push-snapshot mine --file "$scratch/shop.gz" 2>&1)
    like "and for one that is gzip" "$? $said" "^1 push-snapshot: cannot write below $crammed/"
else
    skip "no room for a snapshot" "nothing may be mounted here"
fi
said=$(LOADLINE_URL=http://127.0.0.1:$(free_port) scripts/push-snapshot mine --file=etc/sample/shop.json --tries=2 2>&1)
like "nobody there" "$said" 'does not answer'

# gate_exit EXPECTED OPTIONS...: its exit status against the decision.
decision=$(scripts/gate mine --json | jq -r .decision)
declare -A lenient=([SAFE]=0 [WARN]=0 [BLOCK]=2) strict=([SAFE]=0 [WARN]=1 [BLOCK]=2)
scripts/gate mine >"$scratch/said"
is "gate: $decision" "$?" "${lenient[$decision]}"
scripts/gate mine --fail-on WARN >/dev/null
is "gate: $decision with --fail-on WARN" "$?" "${strict[$decision]}"
like "it says why" "$(cat "$scratch/said")" "^$decision  score [0-9]+ of 100"
said=$(scripts/gate mine --namespace shop --resource deployment/cart --image cart:latest --json)
like "it asks about the change" "$said" 'change-mutable-tag'
is "gate: an option and its value in one" "$(scripts/gate mine --resource=deployment/cart --namespace=shop --json | jq -c '[.risks[] | select(.scope == "change")]')" '[]'
is "gate: an unknown option" "$(scripts/gate mine --nope 2>&1) $?" "gate: unknown argument --nope (see --help) 4"
is "install: --help" "$(scripts/install --help | head -1)" "install: what make install does. Lays out a host and starts nothing."
said=$(scripts/gate nobody 2>&1)
is "an unknown cluster is no decision" "$?" 4
like "and says so" "$said" 'no decision, 404'
LOADLINE_API_KEY='' scripts/gate mine >/dev/null 2>&1
is "no key is no decision" "$?" 4
ok "maintenance has run" within "$(patient 15)" grep -q 'tenants=1 clusters=' "$stack_dir/log/maintain.log"
done_testing
