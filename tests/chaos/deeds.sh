# shellcheck shell=bash disable=SC2034,SC2154 # lib.sh's and chaos.t's
# deeds.sh: what chaos.t does to a stack. Each deed_NAME takes back what it did before it ends.
#
#   small_disk            before the stack: its directory becomes a small file system of its own, where that is allowed
#   small_disk_away       stops the stack and takes its disk away
#   with_a_clock COMMAND...   with a clock that deed_clock moves: that of everything which COMMAND starts

deeds=(worker worker worker worker watcher watcher server server database database notifier maintenance freeze readonly connections clock receiver)
clock=/usr/lib/$(uname -m)-linux-gnu/faketime/libfaketimeMT.so.1
disk_size=1600 # MiB: MariaDB's log takes 1024 of them

small_disk() {
    local free
    free=$(awk '/^MemAvailable/ { print int($2 / 1024) }' /proc/meminfo)
    disk=$scratch/stack1
    mkdir "$disk"
    if [ "$free" -gt $((disk_size * 2)) ] && mount -t tmpfs -o "size=${disk_size}m" loadline-chaos "$disk" 2>/dev/null; then
        deeds+=(disk)
    else
        skip "the disk is full" "no file system can be mounted here, or memory is short"
        disk=
    fi
}

small_disk_away() {
    [ -z "$disk" ] || { scripts/down --dir "$disk" && umount "$disk"; }
    sweep_clock
}

# Who is killed leaves what the clock shares with its children, and the next process of that number cannot start.
sweep_clock() {
    local left
    for left in /dev/shm/faketime_shm_* /dev/shm/sem.faketime_sem_*; do
        [ -d "/proc/${left##*_}" ] || rm -f "$left"
    done
}

with_a_clock() {
    sweep_clock
    echo "+0" >"$scratch/clock"
    LD_PRELOAD=$clock FAKETIME_TIMESTAMP_FILE=$scratch/clock FAKETIME_CACHE_DURATION=1 FAKETIME_DONT_FAKE_MONOTONIC=1 "$@"
}

root_sql() {
    mariadb --no-defaults --socket="$stack_dir/sock/mariadb.sock" --user="$(id -un)" -e "$1" >>"$scratch/root_sql.log" 2>&1
}

deed_worker() {
    local programs=(ingest ingest validate auth status)
    kill_some "${programs[RANDOM % ${#programs[@]}]}.fcgi" 2
}

# The watcher of a program, as whose unit systemd is: it ends the workers that are left, and starts all anew.
# Every other time the workers are left alone for a second first: they answer without a watcher, too.
deed_watcher() {
    local programs=(ingest ingest validate auth status notify) program pid words left
    program=${programs[RANDOM % ${#programs[@]}]}
    pid=$(leaders "$stack_dir" | sed -n "s/^$program //p")
    [ -n "$pid" ] || return 0
    mapfile -d '' -t words <"/proc/$pid/cmdline"
    # Without what its clock shared with its children: that is gone.
    mapfile -d '' -t variables < <(grep -zv '^FAKETIME_SHARED=' "/proc/$pid/environ")
    ! kill -9 "$pid" 2>/dev/null || killed=$((killed + 1))
    left=$(pgrep -s "$pid" | grep -vx "$pid") # its session is what the unit's control group is
    [ $((RANDOM % 2)) = 0 ] || sleep 1
    # shellcheck disable=SC2086 # a list
    kill $left 2>/dev/null
    # shellcheck disable=SC2086
    wait_gone 20 $left || fail "workers of $program end when their unit does"
    [ "$program" = notify ] || words=(spawn-fcgi -n -b 4096 -s "$stack_dir/sock/$program.sock" -- "${words[@]}")
    start_unit "$program" "${words[@]}" || fail "$program starts when its unit does"
}

# unit_works PROGRAM PID: it has a worker, or has ended already.
unit_works() {
    local name=$1.fcgi
    [ "$1" != notify ] || name=loadline-notify
    [ -z "$(start_time "$2")" ] || [ -n "$(pids_of "$name")" ]
}

# start_unit PROGRAM COMMAND...: and again when it ends at once, as Restart= has it.
start_unit() {
    local program=$1 pid try
    shift
    for try in 1 2 3; do
        # shellcheck disable=SC2016 # for the shell that is started; a killed process of its number may have left a clock
        setsid sh -c 'rm -f "/dev/shm/faketime_shm_$$" "/dev/shm/sem.faketime_sem_$$" && exec env -i "$@"' sh \
            "${variables[@]}" "$@" </dev/null >>"$stack_dir/log/$program.log" 2>&1 &
        pid=$!
        sed -i "s/^$program .*/$program $pid $(start_time "$pid")/" "$stack_dir/pids"
        if within 10 unit_works "$program" "$pid" && [ -n "$(start_time "$pid")" ]; then
            disown "$pid"
            return 0
        fi
        wait "$pid"
        diag "$program ended with $? when it was started (try $try): $(tail -n 2 "$stack_dir/log/$program.log" | cut -c1-300)"
    done
    return 1
}

deed_server() { kill_some lighttpd 1; }

deed_database() { kill_some mariadbd 1; }

deed_notifier() { kill_some loadline-notify 1; }

# It is at work for less than a second, and some of the time it has ended before.
deed_maintenance() {
    local pid
    LOADLINE_CONF=$stack_dir/loadline.conf "$build/bin/loadline-maintain" --hurry >>"$scratch/maintain.log" 2>&1 &
    pid=$!
    sleep 0.$((RANDOM % 9 + 1))
    kill -9 $pid 2>/dev/null && killed=$((killed + 1))
    wait $pid 2>/dev/null
}

deed_freeze() {
    local pid
    pid=$(pids_of mariadbd | head -1)
    [ -n "$pid" ] || return 0
    kill -STOP "$pid"
    pause $((RANDOM % 4 + 2))
    kill -CONT "$pid"
}

deed_readonly() {
    root_sql "SET GLOBAL read_only = 1"
    pause 2
    root_sql "SET GLOBAL read_only = 0"
}

deed_connections() {
    root_sql "SET GLOBAL max_connections = 10; KILL CONNECTION USER loadline"
    pause 3
    root_sql "SET GLOBAL max_connections = 151"
}

# The clock of everything: two hours ahead, then an hour back, then right again.
deed_clock() {
    local by
    for by in +7200 -3600 +0; do
        echo "$by" >"$scratch/clock"
        pause 2
    done
}

deed_receiver() {
    kill -STOP "${receivers[0]}"
    pause 3
    kill -CONT "${receivers[0]}"
}

# For the database, the spool and the logs at once.
deed_disk() {
    dd if=/dev/zero of="$disk/filler" bs=1M status=none 2>/dev/null
    pause 3
    rm -f "$disk/filler"
}
