#!/bin/bash
# scripts/gate as CI runs it: each outcome, under the shells of CI images, with and without jq. LOADLINE_TEST_LONG: under
# four shells in place of two.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
. tests/e2e/outbox.sh
stack
account Example
mkdir "$scratch/files"
receiver plain --files "$scratch/files"

# shellcheck disable=SC2154 # receiver sets it
odd=$plain
cluster 2 2 >"$scratch/good.json"
push production "$scratch/good.json"
unset GITHUB_ACTIONS GITHUB_STEP_SUMMARY GITHUB_OUTPUT GITLAB_CI
export LOADLINE_URL=$base_url LOADLINE_API_KEY=$api_key

# Three images: no jq, all of busybox with curl as in Alpine, and everything that is here.
mkdir "$scratch/bare" "$scratch/alpine"
for tool in awk sed tr head cat date mktemp rm sleep wc curl; do ln -s "$(command -v $tool)" "$scratch/bare/$tool"; done
for tool in $(busybox --list); do ln -s "$(command -v busybox)" "$scratch/alpine/$tool"; done
ln -s "$(command -v curl)" "$scratch/alpine/curl"
shells=("$(command -v dash)" "$(command -v bash) -u" "$(command -v bash) --posix" "$scratch/alpine/sh")
[ -n "${LOADLINE_TEST_LONG-}" ] || shells=("${shells[@]:0:2}")
paths=("$scratch/bare" "$PATH" "$PATH" "$scratch/alpine")

# gate EXPECTED WHAT OPTIONS...: the exit status, under every shell. What the last one said is in $said and err.
gate() {
    local expected=$1 what=$2 i got=
    shift 2
    for i in "${!shells[@]}"; do
        # shellcheck disable=SC2086 # a shell and its option
        PATH=${paths[i]} ${shells[i]} scripts/gate "$@" >"$scratch/said.$i" 2>"$scratch/err.$i"
        got+=" $?"
    done
    is "$what" "$got" "$(printf " $expected%.0s" "${shells[@]}")"
    [ -z "${got//[ $expected]/}" ] || diag "$(head -3 "$scratch"/err.*)"
    said=$(cat "$scratch/said.$i")
    err=$(cat "$scratch/err.$i")
}

# alike: all shells said the same. Identifiers and times differ.
alike() {
    local i
    for ((i = 1; i < ${#shells[@]}; i++)); do
        is "$1: ${shells[i]##*/} says the same" "$(cat "$scratch/said.$i")" "$(cat "$scratch/said.0")"
    done
}

scored() {
    sql "UPDATE clusters SET score = $1, taken_at = UTC_TIMESTAMP(3) WHERE tenant_id = '$tenant'"
}

# ---- decisions
while read -r points decision lenient strict; do
    scored "$points"
    gate "$lenient" "$points is $decision" production
    like "it says so" "$said" "^$decision  score $points of 100"
    alike "$points"
    gate "$strict" "$points with --fail-on WARN" production --fail-on WARN --on-error pass
done <<'END'
100 SAFE 0 0
70 SAFE 0 0
69 WARN 0 1
50 WARN 0 1
49 BLOCK 2 2
0 BLOCK 2 2
END
is "points have two decimals" "$(grep -E '^ +[0-9.]+  (critical|high|medium|low) ' "$scratch/said.0" | grep -cvE '^ +[0-9]+\.[0-9]{2} ') $(grep -cE '^ +[0-9]+\.[0-9]{2}  ' "$scratch/said.0")" "0 5"
like "with the reasons" "$said" $'\n  - The score is 0: below 50 is BLOCK\.'
scored 90
gate 0 "a change" production --namespace shop --resource deployment/api --image 'cart "quoted" \back:latest' --action update --target-version=1.34
like "what is wrong with it" "$said" 'The image cart "quoted" \\back:latest has no fixed version'
is "is said once" "$(grep -c 'has no fixed version' <<<"$said")" 1
get '/api/decisions?clusterId=production&limit=1'
is "what was asked is kept" "$(json '.[0] | [.resource, .namespace, .action, .image, .source] | join("|")')" \
    'deployment/api|shop|update|cart "quoted" \back:latest|ci'
gate 0 "what is odd in an option" production --image $'a\nb\tc:1' --namespace 'ü' --resource '-' --user $'\001'
get '/api/decisions?clusterId=production&limit=1'
is "is kept as it is" "$(json -c '.[0] | [.image, .namespace, .resource, .user]')" '["a\nb\tc:1","ü","-","\u0001"]'
gate 4 "and refused where Loadline does" production --image $'\xff'
like "with its words" "$err" '^gate: no decision, 400: .*UTF-8'
GITHUB_ACTIONS=true GITHUB_ACTOR=octocat gate 0 "in a job of GitHub" production
get '/api/decisions?clusterId=production&limit=1'
is "who deploys" "$(json '.[0].user')" octocat
GITLAB_CI=true GITLAB_USER_LOGIN=tanuki gate 0 "in a job of GitLab" production
get '/api/decisions?clusterId=production&limit=1'
is "who deploys there" "$(json '.[0].user')" tanuki

# ---- --json
gate 0 "--json" production --json
is "is the answer" "$(for i in "${!shells[@]}"; do jq -c '[.decision, .csc_score, (.risks | length > 0)]' "$scratch/said.$i"; done | sort -u)" '["SAFE",90,true]'
is "of many lines where jq is" "$(wc -l <"$scratch/said.0") $([ "$(wc -l <"$scratch/said.1")" -gt 10 ] && echo many)" "1 many"

# ---- the question cannot be answered: nothing lets that pass
while IFS='|' read -r what message options; do
    # shellcheck disable=SC2086 # words
    gate 4 "$what" --on-error pass $options
    like "$what: why" "$err" "^gate: $message"
done <<'END'
an unknown option|unknown argument --nope|production --nope
a short one|unknown argument -x|production -x
no cluster|which cluster
two clusters|one cluster id|production staging
an option without its value|--image needs a value|production --image
a decision that is none|--fail-on is WARN or BLOCK, not SAFE|production --fail-on SAFE
--on-error|--on-error is pass or fail, not ignore|production --on-error ignore
a time that is none|--wait is a time|production --wait soon
a negative one|--wait is a time|production --wait -1
one that is empty|--wait is a time such as 90s, 10m or 1h, not "m"|production --wait m
one with two units|--wait is a time such as 90s, 10m or 1h, not "10mm"|production --wait 10mm
one that is too long|--wait is 24h at most, not "25h"|production --wait 25h
one that is longer|--wait is 24h at most, not "1441m"|production --wait 1441m
one that is far too long|--wait is 24h at most, not "99999999999999999999s"|production --wait 99999999999999999999s
one of --timeout|--timeout is 1h at most, not "3601"|production --timeout 3601
--timeout 0|--timeout is a second at least|production --timeout 0
too many retries|--retries is a number of at most 100|production --retries 101
a number that is too long|--retries is a number|production --retries 99999999999999999999
a report that is none|--report is junit|production --report html x
a report without a file|--report needs a type and a file|production --report junit
a report to nowhere|--report junit needs|production --report junit=
an unknown cluster|no decision, 404: There is no such cluster|nobody
a wrong release|no decision, 400: .*target_version|production --target-version x
END
LOADLINE_API_KEY='' gate 4 "no key" production --on-error pass
like "is said" "$err" '^gate: LOADLINE_API_KEY is not set'
unset LOADLINE_API_KEY
gate 4 "nor any" production
export LOADLINE_API_KEY=$api_key
gate 4 "a cluster that is no name" 'a b' --on-error pass
like "is said, too" "$err" '^gate: no decision, 400: cluster_id '
LOADLINE_API_KEY=ll_wrong gate 4 "a wrong key" production --on-error pass
like "a wrong key is said" "$err" '^gate: no decision, 401: .*API key'
for odd_key in 'll_a b"c' $'ll_a\nheader = "X-Other: x"' 'll_ä' '$(id)'; do
    LOADLINE_API_KEY=$odd_key gate 4 "a key that is none" production --on-error pass
    like "it is not passed on" "$err" '^gate: (LOADLINE_API_KEY is not an API key|no decision, 401)'
done
LOADLINE_API_KEY=" $api_key"$'\r\n' gate 0 "a key with the end of its line" production
ask POST /api/keys '{"name":"agent","scope":"agent"}'
LOADLINE_API_KEY=$(json .apiKey) gate 4 "a key of another scope" production --on-error pass
like "a key of another scope is said" "$err" '^gate: no decision, 403: .*scope'
LOADLINE_URL=ftp://example.org gate 4 "another protocol" production --on-error pass
LOADLINE_URL=$base_url/nothing gate 4 "a path where nothing is" production --on-error pass
like "a path where nothing is, is said" "$err" '^gate: no decision, 404: There is nothing at this path'
LOADLINE_URL=https://nowhere.invalid gate 4 "a host that is none" production --on-error pass --retries 0
like "a host that is none is said" "$err" '^gate: https://nowhere.invalid does not answer: .*resolve'
LOADLINE_URL=https://${base_url#*://} gate 4 "https where there is none" production --on-error pass
like "https where there is none is said" "$err" '^gate: https://.* does not answer: .*; is there https\? Is LOADLINE_URL right\?$'
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -keyout "$scratch/tls.key" -out "$scratch/tls.pem" 2>/dev/null
tls_port=$(free_port)
openssl s_server -accept "127.0.0.1:$tls_port" -key "$scratch/tls.key" -cert "$scratch/tls.pem" -quiet >"$scratch/tls.log" 2>&1 &
tls=$!
within "$(patient 10)" bash -c "exec 3<>/dev/tcp/127.0.0.1/$tls_port" 2>/dev/null
LOADLINE_URL=http://127.0.0.1:$tls_port gate 3 "http where there is https" production --retries 0
kill $tls
like "http where there is https is said" "$err" '^gate: http://.* does not answer: .*; does it want https://\?$'
LOADLINE_URL=$odd/moved gate 4 "an address that leads elsewhere" production --on-error pass
LOADLINE_URL=$odd/ok gate 4 "an answer that is none of Loadline's" production --on-error pass
is "the head names the cluster" "$(received /ok | tail -n 1 | jq -r '.headers["x-cluster-id"]')" production
for odd_cluster in $'a\nheader = "X-Other: x"' 'a"b' 'ü'; do
    LOADLINE_URL=$odd/ok gate 4 "a cluster that is none" "$odd_cluster" --on-error pass
    is "... is in the question alone" "$(received /ok | tail -n 1 | jq -c '[.headers | has("x-cluster-id", "x-other")]')" '[false,false]'
done
like "is told from one" "$err" '^gate: http://127.0.0.1:[0-9]+/ok answers, but not as Loadline'
LOADLINE_URL=$odd/ok gate 4 "nor is an outcome kept there" --outcome success --decision 00000000-0000-4000-8000-000000000000 --on-error pass
like "which is said" "$err" '^gate: http://127.0.0.1:[0-9]+/ok answers, but not as Loadline'
gate 4 "an outcome of what is no decision's id" --outcome success --decision bad --on-error pass
is "which is said in plain words" "$err" "gate: the outcome is not kept, 400: decision_id must be an id as answers give it, a UUID."
gate 4 "one of a decision that is not there" --outcome success --decision 00000000-0000-4000-8000-000000000000
is "is said, too" "$err" "gate: the outcome is not kept, 404: There is no such decision."
printf 'decision\tMAYBE\n' >"$scratch/files/maybe"
LOADLINE_URL=$odd/says/maybe gate 4 "a decision that is none of ours" production --on-error pass

# ---- an answer that is made to harm: of a host that is not ours, or of who is on the way
printf 'decision\tSAFE\ncsc_score\t90\ncsc_score\tinjected\ndecision_id\t1\ndecision_id\tFOO=bar\nmessage\thello\033[2J\007\r::stop-commands::x\nreasons.0\tr\302\2332J\r::add-mask::a ##[add-path]x\nrisks.0.check\tx\nrisks.0.message\tm\r::b\nrisks.0.impact\t1\njson\t{"a":"\033[2J"}\n' >"$scratch/files/twice"
export GITHUB_ACTIONS=true GITHUB_OUTPUT=$scratch/output GITHUB_STEP_SUMMARY=$scratch/summary
for mode in '' --json; do
    : >"$scratch/output"
    LOADLINE_URL=$odd/says/twice gate 0 "lines and characters that do not belong there $mode" production $mode
    is "no line is added to the outputs" "$(sort -u "$scratch/output")" $'decision=SAFE\ndecision_id=1\noverridden=false\nscore=90'
    empty "nothing steers a terminal" "$(cat "$scratch/summary" "$scratch"/said.* "$scratch"/err.* | LC_ALL=C grep -aP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]')"
    empty "nothing is a command of the job" "$(cat "$scratch"/said.* "$scratch"/err.* | grep -E '^ *::|##' | grep -vE '^::(notice|error) title=Loadline ')"
done
unset GITHUB_ACTIONS GITHUB_OUTPUT GITHUB_STEP_SUMMARY
printf 'decision\tSAFE\ncsc_score\t9x\n' >"$scratch/files/score"
LOADLINE_URL=$odd/says/score gate 4 "a score that is no number" production --on-error pass
{ printf 'decision\tSAFE\ncsc_score\t90\nmessage\t'; head -c 40000000 /dev/zero | tr '\0' x; } >"$scratch/files/huge"
LOADLINE_URL=$odd/says/huge gate 3 "an answer without end" production --retries 0
like "it is given up" "$err" '^gate: http.* does not answer: '
rm "$scratch/files/huge"
isnt "curl is wanted" "$(PATH=$scratch/empty /bin/dash scripts/gate production 2>&1)" ""

# ---- there is no answer
nobody=http://127.0.0.1:$(free_port)
LOADLINE_URL=$nobody gate 3 "nobody there" production --retries 0
like "nobody there is said" "$err" "^gate: $nobody does not answer: "
LOADLINE_URL=$nobody gate 0 "nobody there with --on-error pass" production --retries 0 --on-error pass
like "it says that it goes ahead without" "$err" 'goes ahead without a decision'
LOADLINE_URL=${nobody/127/me:planted@127} gate 3 "an address with a password" production --retries 0
is "shows none" "$(grep -c planted "$scratch"/err.* | sed 's/.*://' | sort -u)" 0
LOADLINE_URL=$odd/hang gate 3 "no answer in time" production --retries 0 --timeout 1
LOADLINE_URL=$odd/cut gate 3 "an answer that is cut" production --retries 0
for code in 500 502 503 504 429 408; do
    LOADLINE_URL=$odd/status/$code gate 3 "$code" production --retries 0
done
sql "INSERT INTO clusters (cluster, tenant_id, name, created_at) VALUES (UUID(), '$tenant', 'new', UTC_TIMESTAMP(3))"
gate 3 "a cluster that was never scored" new
gate 0 "with --on-error pass" new --on-error pass

# ---- no room for what it writes is not an answer that is missing
if crammed 4k true 2>/dev/null; then
    jq -n '{apiVersion: "v1", kind: "ConfigMap", metadata: {name: "m"}, data: {a: ("x" * 40000)}}' >"$scratch/large.json"
    scored 40
    for i in "${!shells[@]}"; do
        for size in 4k 8k 16k 24k 32k; do
            # shellcheck disable=SC2086 # a shell and its option
            crammed "$size" env PATH="${paths[i]}" ${shells[i]} scripts/gate production --retries 0 --on-error pass >"$scratch/said" 2>"$scratch/err"
            is "$size of room: exit" "$?" 4
            like "$size of room is said, and nothing else" "$(cat "$scratch/err")" "^gate: cannot write below $crammed/[^ :]*: [^:]*\$"
        done
        # shellcheck disable=SC2086 # a shell and its option
        said=$(crammed 32k env PATH="${paths[i]}" ${shells[i]} scripts/gate production --on-error pass --manifest - 2>&1 <"$scratch/large.json")
        like "no room for the question" "$? $said" "^4 gate: cannot write below $crammed/"
    done
else
    skip "no room for temporary files" "nothing may be mounted here"
fi

# ---- an error that tells a lot
{ printf '{"error": "x'; head -c 300000 /dev/zero | sed 's/\x0/é/g'; printf '"}'; } >"$scratch/files/wordy"
LOADLINE_URL=$odd/refuses/wordy gate 4 "an error of 600,000 bytes" production --report junit "$scratch/x.xml"
is "is cut behind a letter" "$err" "gate: no decision, 400: x$(printf 'é%.0s' {1..499})"

# asked PATH: how often, and the whole seconds between the first and the last time
asked() {
    jq -rs --arg path "$1/" '[.[] | select(.path | startswith($path)) | .time] | "\(length) \(if length > 0 then (max - min | floor) else 0 end)"' "$scratch/plain.log"
}
one() {
    LOADLINE_URL=$odd/$1 dash scripts/gate production "${@:2}" >"$scratch/said" 2>"$scratch/err"
    echo "$? $(asked "/$1")"
}
is "it tries three times, a second and two apart" "$(one status/503/a)" "3 3 3"
is "or as often as --retries says" "$(one status/503/b --retries 1)" "3 2 1"
is "Retry-After is obeyed" "$(one later/4/c)" "4 2 4"
is "one that is too long is not tried again" "$(one later/61/d)" "3 1 0"
is "what is refused is asked once" "$(one status/401/e)" "4 1 0"

# ---- --wait
scored 90
gate 0 "--wait: nothing to wait for" production --wait 1h
scored 40
(sleep 4; scored 90) &
started=$(date +%s)
dash scripts/gate production --wait 10m >"$scratch/said" 2>"$scratch/err"
is "--wait: until it is over" "$? $(head -c 4 "$scratch/said")" "0 SAFE"
below "and no longer" $(($(date +%s) - started)) "$(patient 15)"
like "it says what it waits for" "$(cat "$scratch/err")" '^gate: BLOCK, score 40; asks again for [0-9]+ s'
wait $!
scored 60
is "WARN is waited for where it fails the job" "$(dash scripts/gate production --wait 2 --fail-on WARN 2>&1 >/dev/null | grep -c 'WARN, score 60; asks again')" 1
dash scripts/gate production --wait 1h >/dev/null 2>"$scratch/err"
is "and elsewhere not" "$? $(cat "$scratch/err")" "0 "
scored 40
dash scripts/gate production --wait 2s >"$scratch/said" 2>&1
is "what is not over by then fails the job" "$?" 2
is "--wait obeys Retry-After" "$(one later/6/f --wait 20 --retries 0)" "4 2 6"
is "and does not wait for what comes too late" "$(one later/30/g --wait 10 --retries 0)" "3 1 0"
is "a key that is refused is not waited for" "$(one status/401/h --wait 1h)" "4 1 0"

# ---- the key shows nowhere
mkdir "$scratch/watch"
cat >"$scratch/watch/curl" <<END
#!/bin/sh
{ printf '%s\n' "\$@"; env; cat /proc/\$PPID/cmdline; } >>"$scratch/seen"
{ printf '%s\n' "\$@"; cat /proc/\$PPID/cmdline; } >>"$scratch/arguments"
exec $(command -v curl) "\$@"
END
chmod +x "$scratch/watch/curl"
scored 90
for shell in dash bash "busybox sh"; do
    # shellcheck disable=SC2086 # a shell and its applet
    PATH=$scratch/watch:$PATH $shell -x scripts/gate production --json >>"$scratch/seen" 2>&1
    is "$shell -x" "$?" 0
done
LOADLINE_URL=${nobody/127/me:planted@127} PATH=$scratch/watch:$PATH bash -x scripts/gate production --retries 0 >>"$scratch/seen" 2>&1
ok "what was seen is looked at" grep -q question "$scratch/seen"
is "nor is the password of an address in the arguments" "$(grep -c data-binary "$scratch/arguments") $(grep -c planted "$scratch/arguments")" "4 0"
is "the key is not in it" "$(grep -cFe "${api_key#ll_}" "$scratch/seen")" 0

# ---- reports
for points in 90 40; do
    scored $points
    expected=0
    [ $points = 90 ] || expected=2
    for i in "${!shells[@]}"; do
        # shellcheck disable=SC2086 # a shell and its option
        PATH=${paths[i]} ${shells[i]} scripts/gate production --image 'a<b>&"c:latest' --report junit "$scratch/$i.xml" --report=sarif="$scratch/$i.sarif" \
            --report markdown "$scratch/$i.md" --report codequality="$scratch/$i.json" >/dev/null 2>&1
        is "$points: reports" "$?" $expected
    done
    python3 - "$scratch" >"$scratch/read" <<'END'
import glob, sys, xml.etree.ElementTree as tree
for name in sorted(glob.glob(sys.argv[1] + "/[0-9].xml")):
    suite = tree.parse(name).getroot()[0]
    print(suite.get("tests"), suite.get("failures"), suite.get("errors"), [child.tag for child in suite[0]], 'a<b>&"c:latest' in suite[0][0].text)
END
    is "$points: JUnit" "$(sort -u "$scratch/read")" "$([ $points = 90 ] && echo "1 0 0 ['system-out'] True" || echo "1 1 0 ['failure'] True")"
    is "$points: SARIF" "$(cat "$scratch"/[0-9].sarif | jq -c '.runs[0] | [.tool.driver.name, .invocations[0].executionSuccessful, (.results | length > 5),
        ([.results[] | .ruleId] == [(.results[] | .ruleIndex) as $i | .tool.driver.rules[$i].id]), ([.results[].level] | unique - ["error", "warning", "note"])]' | sort -u)" \
        '["loadline-gate",true,true,true,[]]'
    is "$points: GitLab's" "$(cat "$scratch"/[0-9].json | jq -c '[length > 5, (map(keys) | unique), (map(.severity) | unique - ["info", "minor", "major", "critical", "blocker"]),
        (map(.fingerprint) | length == (unique | length))]' | sort -u)" \
        '[true,[["check_name","description","fingerprint","location","severity"]],[],true]'
    is "$points: SARIF has risks' ids as loadline-score has" "$(cat "$scratch"/[0-9].sarif | jq -c '[.runs[0].results[].partialFingerprints | keys[]] | unique' | sort -u)" '["loadlineRiskId/v1"]'
    is "$points: points have two decimals" "$(grep -cE '^\| [0-9]+\.[0-9]{2} \| (critical|high|medium|low) ' "$scratch/0.md")" "$(grep -cE '^\| [^|]* \| (critical|high|medium|low) ' "$scratch/0.md")"
    like "$points: Markdown" "$(cat "$scratch/0.md")" '^### Loadline: production: .*a&#60;b&#62;&#38;"c:latest'
done
LOADLINE_URL=$nobody dash scripts/gate production --retries 0 --report junit "$scratch/x.xml" --report sarif "$scratch/x.sarif" \
    --report codequality "$scratch/x.json" --report markdown "$scratch/x.md" >/dev/null 2>&1
is "without an answer" "$? $(grep -c '<error ' "$scratch/x.xml") $(jq -c '.runs[0].invocations[0].executionSuccessful' "$scratch/x.sarif") $(jq -r '.[].severity' "$scratch/x.json") $(grep -c 'no decision' "$scratch/x.md")" \
    "3 1 false blocker 1"
scored 90
gate 4 "a report that cannot be written" production --report junit "$scratch/no/such/x.xml"
for points in 90 60 40; do
    scored $points
    expected=4
    [ $points = 90 ] || expected=$([ $points = 60 ] && echo 1 || echo 2)
    rm "$scratch/x.md"
    gate "$expected" "$points: two that cannot be written, and what was decided stands" production --fail-on WARN --on-error pass --report junit "$scratch/no/x.xml" \
        --report sarif "$scratch/no/x.sarif" --report markdown "$scratch/x.md"
    is "$points: which is said of each" "$err" "gate: $scratch/no/x.xml cannot be written"$'\n'"gate: $scratch/no/x.sarif cannot be written"
    like "$points: the others are written" "$(cat "$scratch/x.md")" "^### Loadline: production: [A-Z]+, score $points of 100"
done
LOADLINE_URL=$nobody gate 3 "nor is there an answer" production --retries 0 --report junit "$scratch/no/x.xml"
LOADLINE_URL=$nobody gate 4 "nor does that pass" production --retries 0 --on-error pass --report junit "$scratch/no/x.xml"
said=$(dash scripts/gate production --report markdown "$scratch/x.md" 2>&1 >/dev/full)
like "BLOCK is BLOCK where nobody can read it" "$? $said" '^2 .*gate: standard output cannot be written$'
scored 90

# ---- a manifest: what will be decides
scored 90
printf '%s\n' $'decision\tSAFE' $'csc_score\t90' $'message\tm' $'predicted_score\t40' $'predicted_decision\tBLOCK' \
    $'new_risks.0.points\t-50' $'new_risks.0.risk.severity\thigh' $'new_risks.0.risk.message\tIt is down.' $'json\t{}' >"$scratch/files/worse"
printf '{"apiVersion":"v1","kind":"Service","metadata":{"name":"a"},"spec":{}}\n' >"$scratch/a.json"
printf '\n [{"apiVersion":"v1","kind":"Service","metadata":{"name":"b"},"spec":{}}]\n' >"$scratch/b.json"
printf 'apiVersion: v1\nkind: Service\n' >"$scratch/c.yaml"
worse() {
    LOADLINE_URL=$odd/says/worse gate "$@"
}
worse 2 "what will be decides" production --manifest "$scratch/a.json"
like "it says so" "$said" $'^BLOCK  score 40 of 100 with the manifest\n'
like "and what it is now, and what is new" "$said" $'With the manifest: BLOCK, score 40 of 100; now SAFE, 90\n +-50\.00  new  high +It is down\\.'
worse 0 "or what is now" production --manifest "$scratch/a.json" --on now
like "which it says, too" "$said" $'^SAFE  score 90 of 100\n'
worse 0 "without a manifest it is what is now" production
gate 0 "several manifests" production --manifest "$scratch/a.json" --manifest="$scratch/b.json" --json
is "are all asked about" "$(jq -c '[.manifest[].name]' "$scratch/said.0")" '["a","b"]'
is "one from standard input" "$(dash scripts/gate production --manifest - --manifest "$scratch/b.json" --json <"$scratch/a.json" | jq -c '[.manifest[].name]')" '["a","b"]'
{ cat "$scratch/a.json"; printf '{\n"apiVersion":"v1","kind":"Service",\n    "metadata":{\n"name":"d","annotations":{"x":"\\"}{\\\\"}\n}\n}\r\n\n'; cat "$scratch/b.json"; } >"$scratch/behind=1.json"
gate 0 "documents one behind the other, as kubectl prints them" production --manifest "$scratch/behind=1.json" --json
is "are read as well" "$(for i in "${!shells[@]}"; do jq -c '[.manifest[].name]' "$scratch/said.$i"; done | sort -u)" '["a","d","b"]'
PATH=$PATH gate 4 "--on predicted without one" production --on predicted --on-error pass
gate 4 "--on what is not" production --on later --manifest "$scratch/a.json"
gate 4 "a manifest that is not there" production --manifest "$scratch/none.json" --on-error pass
: >"$scratch/empty.json"
gate 4 "an empty one" production --manifest "$scratch/empty.json" --on-error pass
gate 4 "a directory" production --manifest "$scratch/files" --on-error pass
is "is none, which is said" "$err" "gate: $scratch/files is a directory; name a file"
# The first shell has no jq, and the second has. Others of the same question are well.
while IFS='|' read -r what text without with; do
    printf '%b' "$text" >"$scratch/what is.json"
    gate 4 "$what" production --manifest "$scratch/a.json" --manifest "$scratch/what is.json" --manifest "$scratch/b.json" --on-error pass
    like "$what: the file and the place" "$(cat "$scratch/err.0")" "^gate: (no decision: )?$scratch/what is.json is not $without\$"
    like "$what: with jq" "$(cat "$scratch/err.1")" "^gate: (no decision: )?$scratch/what is.json is not $with\$"
done <<'END'
half of a manifest|{"apiVersion":"v1"|JSON: its brackets do not match|JSON: Unfinished JSON term at EOF at line 1, column 18
a comma too many|{\n"a":1,\n"b":[1,2,]\n}\n|valid JSON: not a value \(line 3\)|JSON: .* at line 3, column .*
a name without quotes behind another document|{}\n{"a":\n{b:1}}|valid JSON: .* \(line 3\)|JSON: .* at line 3, column .*
bytes that are no UTF-8|\n{"a":\n"\xff"}|UTF-8 \(line 3\)|UTF-8 \(line 3\)
END
is "one from standard input that is broken" "$(PATH=$scratch/bare "${shells[0]}" scripts/gate production --manifest "$scratch/a.json" --manifest - 2>&1 <<<'{"a":}'; echo $?)" \
    $'gate: no decision: standard input is not valid JSON: not a value (line 1)\n4'
printf '{"a":tru}' >"$scratch/what is.json"
PATH=$scratch/bare "${shells[0]}" scripts/gate production --manifest "$scratch/what is.json" --report markdown "$scratch/x.md" 2>/dev/null
like "a report names the file, too" "$(cat "$scratch/x.md")" 'what is.json is not valid JSON'
is "YAML without kubectl" "$(PATH=$scratch/bare "${shells[0]}" scripts/gate production --manifest "$scratch/c.yaml" 2>&1; echo $?)" \
    "gate: $scratch/c.yaml is not JSON, and kubectl is not here to read it as YAML"$'\n4'
mkdir "$scratch/with-kubectl"
cat >"$scratch/with-kubectl/kubectl" <<'END'
#!/bin/sh
for file; do :; done
[ -s "$file" ] || exit 1
[ "$1 $2" = "patch --local" ] || { echo "error: the server was asked" >&2; exit 1; }
case $file in
*bad*) printf '%s\n' 'E1126 10:00:00.000001   7 memcache.go:265] "Unhandled Error" err="no server"' 'Warning: old' 'error: no matches for kind "X"' >&2; exit 1 ;;
*logs*) echo 'E1126 10:00:00.000001   7 run.go:72] "command failed" err="no such file"' >&2; exit 1 ;;
esac
printf '{\n    "apiVersion": "v1",\n    "kind": "Service",\n    "metadata": {"name": "%s"}\n}\n' c d
END
chmod +x "$scratch/with-kubectl/kubectl"
for i in "${!paths[@]}"; do paths[i]+=":$scratch/with-kubectl"; done
paths[1]=$scratch/with-kubectl:$PATH paths[2]=$scratch/with-kubectl:$PATH
gate 0 "YAML with kubectl" production --manifest "$scratch/c.yaml" --manifest "$scratch/a.json" --json
is "which prints one document behind the other" "$(for i in "${!shells[@]}"; do jq -c '[.manifest[].name]' "$scratch/said.$i"; done | sort -u)" '["c","d","a"]'
cp "$scratch/c.yaml" "$scratch/bad.yaml"
gate 4 "YAML that kubectl refuses" production --manifest "$scratch/bad.yaml" --on-error pass
like "with its words, and not those of its log" "$err" '^gate: kubectl cannot read [^ ]*bad.yaml: error: no matches for kind "X"$'
cp "$scratch/c.yaml" "$scratch/logs.yaml"
gate 4 "YAML of which only its log tells" production --manifest "$scratch/logs.yaml"
like "with what it tells" "$err" '^gate: kubectl cannot read [^ ]*logs.yaml: E1126 .*err="no such file"$'
if command -v kubectl >/dev/null; then
    printf 'apiVersion: v1\nkind: Service\nmetadata: {name: web}\n---\napiVersion: keda.sh/v1alpha1\nkind: ScaledObject\nmetadata: {name: z}\nspec: {max: 07}\n' >"$scratch/real.yaml"
    printf '{"apiVersion":"v1","kind":"Config","current-context":"c","clusters":[{"name":"c","cluster":{"server":"%s"}}],"contexts":[{"name":"c","context":{"cluster":"c","namespace":"elsewhere"}}]}' \
        "$odd/kubernetes" >"$scratch/kubeconfig"
    is "YAML with a real kubectl" "$(KUBECONFIG=$scratch/kubeconfig dash scripts/gate production --namespace shop --manifest "$scratch/real.yaml" --json |
        jq -c '[.manifest[] | [.name, .namespace, .change]]')" '[["web","shop","added"],["z","shop","added"]]'
    is "which asks no API server" "$(received /kubernetes | wc -l)" 0
    printf 'a: [' >"$scratch/half.yaml"
    like "half of YAML" "$(dash scripts/gate production --manifest "$scratch/half.yaml" 2>&1)" '^gate: kubectl cannot read [^ ]*half.yaml: error: .*half.yaml.*did not find expected'
else
    skip "YAML with a real kubectl" "there is none"
fi

# ---- GitHub
scored 40
for i in "${!shells[@]}"; do
    rm -f "$scratch/summary" "$scratch/output"
    # shellcheck disable=SC2086 # a shell and its option
    PATH=${paths[i]} GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=$scratch/summary GITHUB_OUTPUT=$scratch/output ${shells[i]} scripts/gate production --json >"$scratch/said" 2>"$scratch/err"
    is "GitHub: exit" "$?" 2
    like "an annotation" "$(cat "$scratch/err")" '^::error title=Loadline BLOCK score 40::[^%]*%0A- The score is 40'
    like "the summary" "$(cat "$scratch/summary")" '^### Loadline: production: BLOCK, score 40 of 100'
    like "outputs" "$(cat "$scratch/output")" $'^decision=BLOCK\nscore=40\ndecision_id=[0-9a-f-]{36}\noverridden=false$'
    ok "JSON stays alone" jq -e .decision "$scratch/said"
done
scored 60
GITHUB_ACTIONS=true gate 0 "GitHub: WARN" production
like "is a warning" "$err" '^::warning title=Loadline WARN score 60::'
LOADLINE_URL=$nobody GITHUB_ACTIONS=true gate 3 "GitHub: no answer" production --retries 0
like "is an error" "$err" '::error title=Loadline no decision::http://127'
LOADLINE_URL=$nobody GITHUB_ACTIONS=true gate 0 "GitHub: no answer that passes" production --retries 0 --on-error pass
like "is a warning, too" "$err" '::warning title=Loadline no decision::'

# ---- words of a cluster steer no log: GitHub takes ::, and ## anywhere, for commands
printf '%s\n' $'decision\tBLOCK' $'csc_score\t1' $'message\t::set-output name=x::y ##[set-env name=PATH]x' \
    $'reasons.0\t##vso[task.setvariable variable=x]y 100% | `a` <img src=x>' $'risks.0.check\tx' $'risks.0.message\t##teamcity[x]' \
    $'json\t{}' >"$scratch/files/hostile"
LOADLINE_URL=$odd/says/hostile GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=$scratch/summary gate 2 "a hostile answer" production --report markdown "$scratch/x.md"
is "##" "$(grep -c '##' <<<"$said")" 0
is "no line begins like a command" "$(grep -cE '^ *::' <<<"$said")" 0
is "the annotation is one line" "$(grep -c '' <<<"$err") $(grep -c '100%25 ' <<<"$err")" "1 1"
is "no HTML, no table broken" "$(grep -c '<img\|`a`' "$scratch/x.md") $(grep -c '&#124;' "$scratch/x.md")" "0 1"
done_testing
