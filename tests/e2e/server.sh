# shellcheck shell=bash disable=SC2034,SC2119,SC2120,SC2154 # lib.sh sets scratch, the tests use the rest
# server.sh: a MariaDB server of the test's own, on 127.0.0.1. Sourced after lib.sh.
#
#   server_configure [FILE]...   in $server_dir, with the settings of the FILEs as well
#   server_start [NAME=VALUE]... with that environment; returns when it answers
#   server_kill           kill -9
#   server_stop           an orderly stop
#   root_sql ARGUMENT...  mariadb, as the user that runs this
#   server_accounts [--host ADDRESS]...   makes the accounts of option files in $scratch/cnf, for scripts/up --database

PATH=$PATH:/usr/sbin
server_dir=$scratch/server server_port=$(free_port) server_pid=
trap 'clean_up; server_kill' EXIT

server_configure() {
    mkdir -p "$server_dir"/{data,tmp}
    cat - "$@" >"$server_dir/my.cnf" <<-END
		!include $PWD/etc/my.cnf
		[mariadbd]
		datadir = $server_dir/data
		socket = $server_dir/socket
		pid-file = $server_dir/pid
		tmpdir = $server_dir/tmp
		bind-address = 127.0.0.1
		port = $server_port
		user = $(id -un)
		innodb-buffer-pool-size = 128M
		innodb-log-file-size = 64M
		performance-schema = OFF
	END
    mariadb-install-db --defaults-file="$server_dir/my.cnf" --skip-test-db --skip-name-resolve --force \
        --auth-root-socket-user="$(id -un)" --user="$(id -un)" >"$server_dir/install.log" 2>&1 ||
        diag "$(tail -5 "$server_dir/install.log")"
}

server_start() {
    env "$@" mariadbd --defaults-file="$server_dir/my.cnf" >>"$server_dir/log" 2>&1 </dev/null &
    server_pid=$!
    disown
    within "$(patient 30)" root_sql -e "SELECT 1" || diag "$(tail -5 "$server_dir/log")"
}

server_kill() {
    [ -z "$server_pid" ] || { kill -9 "$server_pid" && tail --pid="$server_pid" -f /dev/null; } 2>/dev/null
    server_pid=
}

server_stop() {
    mariadb-admin --no-defaults --socket="$server_dir/socket" --user="$(id -un)" shutdown &&
        tail --pid="$server_pid" -f /dev/null
    server_pid=
}

root_sql() {
    mariadb --no-defaults --socket="$server_dir/socket" --user="$(id -un)" --batch --skip-column-names "$@"
}

server_accounts() {
    local file name user group
    mkdir -p "$scratch/cnf"
    for file in db:loadline:loadline maintain:loadline_maintain:loadline admin:loadline_admin:client; do
        IFS=: read -r name user group <<<"$file"
        printf '[%s]\nuser=%s\npassword=%s\nhost=127.0.0.1\nport=%s\ndefault-character-set=utf8mb4\n[mariadb-client]\ndatabase=loadline\n' \
            "$group" "$user" "secret-$name" "$server_port" >"$scratch/cnf/$name.cnf"
        [ "$group" = client ] || sed -i '/^port=/a database=loadline' "$scratch/cnf/$name.cnf"
    done
    scripts/accounts --host 127.0.0.1 "$@" "$scratch/cnf" | root_sql
}
