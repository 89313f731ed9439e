#!/bin/bash
# soak.t: an hour at half load, in which sixty days pass. Clusters push at a steady rate; gates, sign-ins, dashboards,
# pods' logs and alerts come beside it, clusters go and come back, maintenance runs all the time and logs are rotated.
# The clock of the programs runs fast, so that retention has removed as many rows as have come long before the end. Memory,
# descriptors, rows, files and redo are sampled every few seconds, and must not grow. No answer may be 5xx.
#
#   SOAK_SECONDS    how long (3600). Below ten minutes memory and files are told and not judged
#   SOAK_RATE       pushes a second; otherwise half of what the machine takes at the beginning, beside all the rest
#   SOAK_PODS       pods of a cluster (200)
#   SOAK_KEEP       a directory that the samples and logs are copied to
#
# Every twentieth of the time it prints a line. `make soak` runs it; LOADLINE_BUILD says where the programs are.
# shellcheck disable=SC2154 # outbox.sh and lib.sh set them
if [ "${1-}" = --help ]; then
    sed -n '2,/^# shellcheck/{/^# shellcheck/d;s/^# \{0,1\}//p}' "$0"
    exit 0
fi
. "$(dirname "$0")/../e2e/lib.sh"
. tests/e2e/outbox.sh
. tests/chaos/deeds.sh
seconds=${SOAK_SECONDS:-3600} pods=${SOAK_PODS:-200}
tenants=8 each=3
day=$((seconds / 60 > 2 ? seconds / 60 : 2))
step=$((86400 / day)) # of the clock, each second
every=$((seconds / 400 > 1 ? seconds / 400 : 1))
maintain_every=5 log_limit=1048576
children=()
# A child is a shell that waits for the program which it runs.
stop_children() {
    pkill -P "$(IFS=, && echo "${children[*]}")"
    kill "${children[@]}" "${receivers[@]}"
}
trap 'stop_children 2>/dev/null; clean_up; sweep_clock' EXIT

monotonic() { cut -d' ' -f1 /proc/uptime; }

# ---- a stack whose clock runs fast, with tenants whose plan keeps a week
# The database's server keeps the real time: InnoDB waits for moments of the clock, and one that steps ahead by minutes
# leaves the thread that frees pages waiting for seconds. Its pool is so small that it is full before the warm-up is over:
# otherwise the server grows for hours, as it may. Of so few pages it must not try to keep the usual 1,536 free. Of half as
# many it ran out once an hour, and everybody waited for two seconds.
mkdir "$scratch/bin"
cat >"$scratch/bin/mariadbd" <<END
#!/bin/sh
unset LD_PRELOAD
exec "$(type -P mariadbd)" "\$@" --innodb-buffer-pool-size=128M --innodb-lru-scan-depth=512
END
chmod +x "$scratch/bin/mariadbd"
PATH=$scratch/bin:$PATH with_a_clock own_stack --set signup_limit=0/600 --set login_limit=0/300 --set address_limit=0/300 --set login_fail_limit=0/300 \
    --set key_fail_limit=0/60 --set webhook_allow=127.0.0.0/8 --set webhook_allow_http=1 --set audit_days=7 \
    --set stale_warn=604800 --set stale_block=604800 --set session_idle=28800 --set log_path="$scratch/stack1/log/loadline.log"
grep -v '^log_path' "$stack_dir/loadline.conf" >"$scratch/maintain.conf"
run_token=$(sed -n 's/^token=//p' "$stack_dir/run")
receiver plain
keys=()
for ((n = 0; n < tenants; n++)); do
    account "Soak $n"
    keys+=("$api_key")
    ask POST /api/notifications/channels "{\"type\":\"webhook\",\"name\":\"hook\",\"webhookUrl\":\"$plain/ok/hook\"}"
    ask POST /api/notifications/rules '{"condition":"degraded_app"}'
    # overload.py gives cluster load-C to key C % tenants
    jq -nc --arg email "$email" --arg password "$password" --arg key "$api_key" --argjson n $n --argjson t $tenants --argjson e $each \
        '{$email, $password, $key, clusters: [range($e) | "load-\(. * $t + $n)"]}' >>"$scratch/accounts"
done
is "there are tenants, and their alerts go to a receiver" "$status" 201

# ---- snapshots: pods come, go and crash, and now and then some deployments have no replica
bodies=()
for variant in $(seq 0 11); do
    body=$scratch/body$variant.gz
    "$build/tests/bench/bench_generate" $((pods + variant % 5)) compact "$variant" | gzip -dc |
        jq -c --argjson down $((variant % 4 == 3 ? 3 : 0)) \
            '[.items | to_entries[] | select(.value.kind == "Deployment") | .key][:$down] as $hit |
             reduce $hit[] as $i (.; .items[$i].status.availableReplicas = 0)' | gzip -1 >"$body"
    bodies+=("$body")
done

# ---- time passes, maintenance runs, logs are rotated
# The file changes as a whole: nobody reads half a number.
run_clock() {
    local offset=0
    while sleep 1; do
        offset=$((offset + step))
        echo "+$offset" >"$scratch/clock.new"
        mv "$scratch/clock.new" "$scratch/clock"
    done
}
# rotate FILE PROGRAM...: when it is large, as logrotate does it: away with it, and SIGHUP to who writes it.
rotate() {
    local log=$stack_dir/log/$1
    shift
    [ "$(stat -c %s "$log" 2>/dev/null || echo 0)" -ge $log_limit ] || return 0
    mv "$log" "$log.1"
    # shellcheck disable=SC2046 # a list
    kill -HUP $(for program; do pids_of "${program##*/}"; done)
    echo "${log##*/}" >>"$scratch/rotated"
}
run_maintenance() {
    local began
    while sleep $maintain_every; do
        began=$(monotonic)
        maintain || echo "exit $?" >>"$scratch/maintain.failed"
        echo "$began $(monotonic)" >>"$scratch/maintenance"
        rotate loadline.log "$build"/cgi-bin/*.fcgi
        rotate access.log lighttpd
    done
}
under_the_clock() {
    LD_PRELOAD=$clock FAKETIME_TIMESTAMP_FILE=$scratch/clock FAKETIME_CACHE_DURATION=1 FAKETIME_DONT_FAKE_MONOTONIC=1 "$@"
}
# maintain [OPTION]...: as one of the stack's processes
maintain() {
    under_the_clock env LOADLINE_CONF="$scratch/maintain.conf" LOADLINE_RUN="$run_token" \
        "$build/bin/loadline-maintain" "$@" >>"$scratch/maintain.log" 2>&1
}
push_for() {
    under_the_clock tests/e2e/overload.py --url "$base_url" --key "${keys[@]}" --body "${bodies[@]}" \
        --clusters $((tenants * each)) --back $((2 * step)) "$@"
}

maintain --hurry
push_for --clients 2 --seconds 4 >/dev/null
touch "$scratch"/{rotated,maintenance,maintain.failed,pushes,samples}
run_clock & children+=($!)
run_maintenance & children+=($!)
# visit SECONDS NAME: people for so long, in the background: $scratch/NAME is their log, NAME.json what they were told.
visit() {
    under_the_clock tests/soak/people.py --url "$base_url" --seconds "$1" --accounts "$scratch/accounts" --pause 0.2 \
        --back $((2 * step)) --log "$scratch/$2" >"$scratch/$2.json" &
    visitors=$!
    children+=("$visitors")
}
rate=${SOAK_RATE-}
if [ -z "$rate" ]; then
    # What the machine takes while everything else runs beside it, as it does later.
    visit 20 first
    rate=$(push_for --clients 4 --seconds 20 | jq '.accepted_a_second / 2 * 10 | round / 10')
    wait $visitors
fi
diag "SOAK_SECONDS=$seconds SOAK_RATE=$rate: $((tenants * each)) clusters of $pods pods, a day lasts $day s; load average $(cut -d' ' -f1-3 /proc/loadavg)"
: >"$scratch/maintenance"
began=$(monotonic)
visit "$seconds" others
others=$visitors
push_for --rate "$rate" --seconds "$seconds" --log "$scratch/pushes" >"$scratch/pushes.json" &
pushes=$!
children+=("$pushes")
tests/soak/sample.py --stack "$stack_dir" --seconds "$seconds" --every $every --out "$scratch/samples" & children+=($!)
sampler=$!

progress() {
    diag "$(awk -v now="$(monotonic)" -v began="$began" -v day=$day '{ all++; good += $3 == 200; if ($4 > most) most = $4 }
        END { printf "%d s, day %d: %d pushes, %d of them stored, %d ms at the most", now - began, (now - began) / day, all, good, most }' \
        "$scratch/pushes"); $(wc -l <"$scratch/maintenance") times maintained, $(wc -l <"$scratch/rotated") times rotated; $(
        tail -400 "$scratch/samples" | awk '$2 ~ /^rss.(mariadbd|ingest.fcgi|lighttpd)$/ { v[$2] = $3 }
            END { for (n in v) printf "%s %d MiB, ", substr(n, 5), v[n] / 1024 }')load average $(cut -d' ' -f1 /proc/loadavg)"
}
while kill -0 $pushes 2>/dev/null; do
    sleep $((seconds / 20 + 1)) & children+=($!)
    wait -n $pushes $! || true
    progress
done
wait $pushes $others $sampler
stopped=()
for child in "${children[@]:0:2}"; do kill "$child" 2>/dev/null && stopped+=("$child"); done
wait "${stopped[@]}" 2>/dev/null

# ---- afterwards
[ -z "${SOAK_KEEP-}" ] || { mkdir -p "$SOAK_KEEP" && cp -r "$scratch"/{samples,pushes,others,others.json,maintenance,maintain.log} "$stack_dir/log" "$SOAK_KEEP"; }
short=()
[ "$seconds" -ge 600 ] || short=(--short)
tests/soak/judge.py --samples "$scratch/samples" --pushes "$scratch/pushes" --others "$scratch/others" \
    --maintenance "$scratch/maintenance" --warm "$(echo "$began $seconds" | awk '{ print $1 + $2 * 0.22 }')" "${short[@]}" >"$scratch/judged"
sed -n 's/^figure:/#/p' "$scratch/judged"
diag "load average at the end: $(cut -d' ' -f1-3 /proc/loadavg)"
diag "others: $(jq -c . "$scratch/others.json")"
empty "nothing has grown, and every answer was one" "$(grep -v '^figure\|^busy' "$scratch/judged")"
if grep '^busy' "$scratch/judged" >"$scratch/busy"; then
    skip "pushes are fast beside maintenance, and none is refused" "others use this machine: $(tr '\n' ' ' <"$scratch/busy")"
else
    pass "pushes are fast beside maintenance, and none is refused"
fi
ok "pushes were stored" [ "$(awk '$3 == 200' "$scratch/pushes" | wc -l)" -gt 0 ]
ok "maintenance ran beside them" [ -s "$scratch/maintenance" ]
empty "and had nothing to complain of" "$(cat "$scratch/maintain.failed")$(grep -E 'level=(error|warn)' "$scratch/maintain.log" | cut -c1-300 | head -5)"
empty "the programs had no error to log" "$(cat "$stack_dir"/log/loadline.log* | grep -E 'level=error|status=5' | grep -v code=overloaded | cut -c1-300 | head -5)"
ok "alerts arrived" [ "$(received /ok/hook | wc -l)" -gt 0 ]
isnt "retention removed rows" "$(grep -c 'rows=[1-9]' "$scratch/maintain.log")" 0
done_testing
