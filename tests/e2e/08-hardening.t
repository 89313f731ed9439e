#!/bin/bash
# What a mistake in a worker is worth to an attacker: how programs are built, what a worker may ask of the kernel,
# and what systemd gives its pool.
. "$(dirname "$0")/lib.sh"

built() {
    [[ $build == build/release* ]]
}
for program in "$build"/cgi-bin/ingest.fcgi "$build"/bin/loadline-score; do
    if ! built; then
        skip "$program" "these flags are of release builds"
        continue
    fi
    name=${program##*/}
    dynamic=$(readelf -dW "$program") segments=$(readelf -hlW "$program")
    like "$name has no address of its own" "$segments" 'Type: *DYN'
    like "$name is bound when it starts" "$dynamic" 'FLAGS_1.*NOW'
    like "$name: what it was bound to is read-only" "$segments" 'GNU_RELRO'
    like "$name: its stack is not executed" "$segments" 'GNU_STACK( *0x[0-9a-f]*){5} *RW  *0x'
    empty "$name: nothing is written and executed" "$(grep -E '^ *LOAD.* RWE ' <<<"$segments")"
    flags=$(readelf -p .debug_str "$program" | grep -m1 'GNU C11')
    for flag in stack-protector-strong stack-clash-protection PIE $([ "$(uname -m)" = x86_64 ] && echo cf-protection); do
        like "$name is built with -f$flag" "$flags" "-f$flag"
    done
done

# ---- what a worker may ask of the kernel (tests/unit/test_confine.c has what that is)
# confined: programs of the stack with a worker that the kernel does not hold
unconfined() {
    local pid program
    while read -r program _; do
        case $program in '' | '#'*) continue ;; esac
        for pid in $(pids_of "$program.fcgi"); do
            [ "$(sed -n 's/^\(NoNewPrivs\|Seccomp\):[[:blank:]]*//p' "/proc/$pid/status" | xargs)" = "1 2" ] || echo "$program"
        done
    done <etc/workers
}
if [ "$server" = cgi ] || ! built || ! grep -q '^Seccomp:' /proc/self/status; then
    skip "workers are confined" "no workers, or no filter in this build or kernel"
else
    own_stack
    empty "every worker is confined" "$(unconfined)"
    account Confined
    printf '{"kind":"Namespace","apiVersion":"v1","metadata":{"name":"a"}}' >"$scratch/one.json"
    push confined "$scratch/one.json"
    is "and works" "$status" 200
    own_stack --set seccomp=0
    like "it can be switched off" "$(unconfined | xargs)" '^auth auth .* status$'
fi

# ---- systemd
if ! command -v systemd-analyze >/dev/null; then
    skip "the pool's unit" "there is no systemd-analyze"
else
    scripts/install "$build" "$scratch/host" /usr/local
    said=$(systemd-analyze security --offline=true --no-pager "$scratch/host/usr/local/lib/systemd/system/loadline@.service" 2>&1)
    exposure=$(sed -n 's/^.*Overall exposure level.*: \([0-9]*\)\.\([0-9]*\) .*/\1\2/p' <<<"$said")
    below "systemd's measure of what a pool is exposed to (tenths)" "${exposure:-100}" 16
fi
done_testing
