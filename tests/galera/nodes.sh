# shellcheck shell=bash disable=SC2154 # lib.sh sets scratch
# nodes.sh: three MariaDB servers on 127.0.0.1 that replicate to each other with Galera. Sourced, after
# tests/e2e/lib.sh, whose $scratch they live below.
#
#   nodes_start           makes and starts all three; returns when all are synced
#   node_again I          starts one that is down, and waits until it is synced
#   node_reunite          starts the group again after a majority was lost
#   node_await I [STATE]  waits until it says that it is Synced (wsrep_local_state_comment)
#   node_sql I SQL        asks it as the user that runs this
#   node_ask I SQL        the same, after what the others have committed, and again until it answers
#   node_kill I           kill -9, counted in killed
#   node_stop I           an orderly stop; one that hangs in its shutdown is killed, as systemd does
#   node_isolate I        cuts it off from the others; node_rejoin I: and back
#   nodes_stop            kills all of them
#
# Sets nodes_dir, node_port[I] and node_pid[I].

nodes_dir=$scratch/nodes
node_port=() node_pid=()
nodes_listen=()

# node_configure I: data directory, option file. Each node has a port for clients, and for Galera one for the
# group, one for incremental and one for whole transfers of state.
node_configure() {
    local i=$1 dir=$nodes_dir/$1 port=${node_port[$1]} members
    members=$(IFS=, && echo "${nodes_listen[*]}")
    mkdir -p "$dir/data" "$dir/tmp"
    cat >"$dir/my.cnf" <<-END
		!include $PWD/etc/my.cnf
		[mariadbd]
		datadir = $dir/data
		innodb-data-home-dir = $dir/data
		innodb-log-group-home-dir = $dir/data
		socket = $dir/mariadb.sock
		pid-file = $dir/mariadb.pid
		tmpdir = $dir/tmp
		bind-address = 127.0.0.1
		port = $port
		innodb-buffer-pool-size = 128M
		innodb-log-file-size = 128M
		innodb-autoinc-lock-mode = 2
		binlog-format = ROW
		performance-schema = OFF
		wsrep-on = ON
		wsrep-provider = /usr/lib/galera/libgalera_smm.so
		wsrep-cluster-name = loadline-test
		wsrep-cluster-address = gcomm://$members
		wsrep-node-name = node$i
		wsrep-node-address = 127.0.0.1:$((port + 1))
		wsrep-sst-method = rsync
		wsrep-sst-receive-address = 127.0.0.1:$((port + 3))
		wsrep-slave-threads = 2
		wsrep-provider-options = "gmcast.listen_addr=tcp://127.0.0.1:$((port + 1));ist.recv_addr=127.0.0.1:$((port + 2));gcache.size=64M;gcache.dir=$dir/data;evs.suspect_timeout=PT3S;evs.inactive_timeout=PT6S;evs.keepalive_period=PT1S;pc.recovery=true"
	END
    if [ "$(id -u)" -eq 0 ]; then
        echo "user = mysql" >>"$dir/my.cnf"
        chown -R mysql: "$dir"
    fi
    mariadb-install-db --defaults-file="$dir/my.cnf" --skip-test-db --skip-name-resolve --force --wsrep-on=OFF \
        --auth-root-socket-user="$(id -un)" >"$dir/install.log" 2>&1 ||
        { tail -5 "$dir/install.log"; return 1; }
}

node_start() {
    local dir=$nodes_dir/$1
    mariadbd --defaults-file="$dir/my.cnf" "${@:2}" >>"$dir/mariadb.log" 2>&1 </dev/null &
    node_pid[$1]=$!
    disown
}

node_sql() {
    mariadb --no-defaults --socket="$nodes_dir/$1/mariadb.sock" --user="$(id -un)" --batch --skip-column-names \
        --connect-timeout=3 -e "$2" 2>"$scratch/sql.err"
}

node_ask() {
    local tries=30
    until node_sql "$1" "SET SESSION wsrep_sync_wait = 1; $2"; do
        if [ $((tries--)) -le 0 ]; then
            diag "node $1 does not answer: $(cat "$scratch/sql.err")"
            return 1
        fi
        sleep 1
    done
}

node_state() {
    node_sql "$1" "SHOW STATUS LIKE 'wsrep_local_state_comment'" | cut -f2
}

node_await() {
    local tries=600
    until [ "$(node_state "$1")" = "${2-Synced}" ]; do
        if [ $((tries--)) -le 0 ] || [ -z "$(start_time "${node_pid[$1]}")" ]; then
            diag "node $1 is not ${2-Synced}: $(tail -5 "$nodes_dir/$1/mariadb.log")"
            return 1
        fi
        sleep 0.1
    done
}

node_kill() {
    kill -9 "${node_pid[$1]}" && killed=$((killed + 1))
    wait_gone 10 "${node_pid[$1]}"
}

node_stop() {
    kill -TERM "${node_pid[$1]}"
    wait_gone 60 "${node_pid[$1]}" && return
    diag "node $1 hangs in its shutdown: it is killed"
    node_kill "$1"
}

# node_again I: starts one that is down; when the group has lost its majority, node_reunite is wanted.
node_again() {
    node_start "$1" && node_await "$1"
}

# node_reunite: when all nodes are down or none is in the primary component: the most advanced one starts
# the group again, as the manual of Galera says.
node_reunite() {
    local i best=1 most=-1 at
    for i in 1 2 3; do
        [ -z "$(start_time "${node_pid[i]}")" ] || node_kill "$i"
        at=$(mariadbd --defaults-file="$nodes_dir/$i/my.cnf" --wsrep-recover 2>&1 |
            sed -n 's/.*Recovered position:* *[0-9a-f-]*:\([-0-9]*\).*/\1/p' | tail -1)
        [ "${at:--1}" -le "$most" ] || { best=$i most=$at; }
    done
    sed -i 's/^safe_to_bootstrap:.*/safe_to_bootstrap: 1/' "$nodes_dir/$best/data/grastate.dat"
    rm -f "$nodes_dir"/*/data/gvwstate.dat
    node_start "$best" --wsrep-new-cluster && node_await "$best"
    for i in 1 2 3; do
        [ "$i" = "$best" ] || node_again "$i"
    done
}

# node_isolate I, node_rejoin I: the network between it and the others is cut, and back.
node_isolate() {
    node_sql "$1" "SET GLOBAL wsrep_provider_options = 'gmcast.isolate=1'"
}

node_rejoin() {
    node_sql "$1" "SET GLOBAL wsrep_provider_options = 'gmcast.isolate=0'"
}

nodes_start() {
    local i port
    chmod 711 "$scratch"
    mkdir -p "$nodes_dir"
    for i in 1 2 3; do
        port=$(free_port)
        node_port[i]=$port
        nodes_listen+=("127.0.0.1:$((port + 1))")
    done
    for i in 1 2 3; do
        node_configure "$i" || return 1
    done
    node_start 1 --wsrep-new-cluster && node_await 1 && node_again 2 && node_again 3
}

nodes_stop() {
    local i
    for i in 1 2 3; do
        [ -z "${node_pid[i]-}" ] || [ -z "$(start_time "${node_pid[i]}")" ] || node_kill "$i"
    done
}
