# shellcheck shell=bash disable=SC2034,SC2154 # lib.sh sets some, the tests read others
# notifiers.sh: notifiers in the background, and what became of messages. Sourced after outbox.sh.

# notifier [CONFIGURATION [SECONDS]]: starts one; its pid is in $notifier.
notifier() {
    LOADLINE_CONF=${1-$stack_dir/loadline.conf} "$build/bin/loadline-notify" --for "${2-600}" 2>>"$scratch/notify.log" &
    notifier=$!
}
# ends [PID]...: the one that was started last, or these
ends() {
    local pid
    for pid in "${@:-$notifier}"; do
        kill "$pid"
        wait "$pid"
    done
}
dies() {
    kill -KILL "$1"
    wait "$1" 2>/dev/null
}
await() {
    within "$(patient 20)" "$@" || diag "waited in vain: $*"
}
# came PATH: how many requests; arrived PATH [N]: have as many?
came() {
    received "$1" | wc -l
}
arrived() {
    [ "$(came "$1")" -ge "${2-1}" ]
}
is_sent() {
    [[ $(states "$1") == "sent "* ]]
}
# What refusals.sh refuses and notes is what programs write, and not this.
leases_run_out() {
    sql "SET @quiet = 1; UPDATE loadline.outbox SET lease_until = UTC_TIMESTAMP(3) WHERE lease_until > UTC_TIMESTAMP(3)"
}
