# shellcheck shell=bash disable=SC2034,SC2154 # lib.sh sets stack_dir
# kills.sh: kill -9, counted. Sourced after lib.sh.
#
#   kill_some COMM N      N times one of the stack's processes of this name, if there is one
#   pause SECONDS         a sleep, whole seconds, in each of which one more process of the stack is killed: while one thing
#                         is broken, another one breaks
#   enough SECONDS KILLS SINCE   whether both are reached, or three times the seconds
#
# Sets killed, how many there were.

killed=0
kill_some() {
    local victims i
    mapfile -t victims < <(pids_of "$1")
    for ((i = 0; i < $2 && ${#victims[@]} > 0; i++)); do
        ! kill -9 "${victims[RANDOM % ${#victims[@]}]}" 2>/dev/null || killed=$((killed + 1))
    done
}

pause() {
    local programs=(ingest.fcgi ingest.fcgi ingest.fcgi validate.fcgi auth.fcgi status.fcgi lighttpd loadline-notify) i
    for ((i = 0; i < $1; i++)); do
        sleep 0.9
        kill_some "${programs[RANDOM % ${#programs[@]}]}" 1
    done
}

enough() {
    local took=$(($(date +%s) - $3))
    [ $took -ge $((3 * $1)) ] || { [ $took -ge "$1" ] && [ $killed -ge "$2" ]; }
}
