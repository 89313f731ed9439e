# shellcheck shell=bash disable=SC2154 # lib.sh sets them
# askers.sh: somebody who asks on many connections, and how long others wait. Sourced after lib.sh.

# timed CURL-ARGUMENT...: prints status and milliseconds
timed() {
    curl -sS -m 300 -o /dev/null -w '%{http_code} %{time_total}\n' "$@" | awk '{ print $1, int($2 * 1000) }'
}
median() {
    sort -n | awk '{ all[NR] = $1 } END { print all[int((NR + 1) / 2)] }'
}
have_begun() {
    [ "$(cat "$scratch"/big.* | wc -l)" -gt 5 ]
}
# begin_asking N COMMAND...: runs it on N connections, again and again until end_asking; what it prints is in $scratch/big.*
begin_asking() {
    local connections=$1 i
    shift
    : >"$scratch/asking"
    for ((i = 1; i <= connections; i++)); do
        while [ -e "$scratch/asking" ]; do "$@"; done >"$scratch/big.$i" 2>&1 &
    done
    ok "somebody asks what takes long on $connections connections" within "$(patient 60)" have_begun
    sleep 1 # until the worker knows that it is more than a moment
}
end_asking() {
    rm "$scratch/asking"
    wait
}
