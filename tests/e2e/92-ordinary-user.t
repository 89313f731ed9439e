#!/bin/bash
# Everything but apt works without being root.
. "$(dirname "$0")/lib.sh"
[ "$(id -u)" -eq 0 ] || skip_all "this whole run is an ordinary user's"
command -v setpriv >/dev/null || skip_all "setpriv is not installed"

dir=$scratch/nobody
port=$(free_port)
mkdir "$dir"
chown nobody "$dir"
chmod 711 "$scratch"
# The programs and scripts may be where nobody cannot reach them.
cp -r "$build/cgi-bin" "$build/bin" scripts etc sql "$scratch/" 2>/dev/null
chmod -R a+rX "$scratch/cgi-bin" "$scratch/bin" "$scratch/scripts" "$scratch/etc" "$scratch/sql" 2>/dev/null

as_nobody() {
    (cd / && setpriv --reuid=nobody --regid=nogroup --clear-groups env -i "PATH=/usr/bin:/bin" "$@")
}

said=$(as_nobody "$scratch/scripts/up" --dir "$dir/run" --port "$port" --build "$scratch" 2>&1)
is "up as nobody" "$said" "base_url=http://127.0.0.1:$port"
base_url=http://127.0.0.1:$port stack_dir=$dir/run
request GET /health
is "health" "$status" 200
is "MariaDB is nobody's" "$(stat -c %U "/proc/$(pids_of mariadbd)")" nobody
ok "down as nobody" as_nobody "$scratch/scripts/down" --dir "$dir/run"
is "nothing is left" "$(pids_of lighttpd)$(pids_of mariadbd)" ""
if [ "$(cat /proc/sys/net/ipv4/ip_unprivileged_port_start)" -gt 81 ]; then
    said=$(as_nobody "$scratch/scripts/up" --dir "$dir/run" --port 81 --build "$scratch" 2>&1)
    is "a port that is root's is not said to be taken" "$? $(tail -n 1 <<<"$said")" "1 up: port 81 is for root alone; choose one from 1024 on with --port"
    empty "nor how what was started before it was stopped" "$(grep Killed <<<"$said")"
else
    skip "a port that is root's" "here is none"
fi
done_testing
