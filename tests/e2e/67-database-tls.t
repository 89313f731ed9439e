#!/bin/bash
# A database on another machine: programs reach it over TLS, and refuse a server that cannot show whose it is.
. "$(dirname "$0")/lib.sh"
PATH=$PATH:/usr/sbin
trap 'mariadb-admin --no-defaults --socket="$scratch/db.sock" shutdown 2>/dev/null; clean_up' EXIT

# authority NAME, certificate NAME AUTHORITY DAYS NAMES
authority() {
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$scratch/$1.key" -out "$scratch/$1.pem" -days 2 -subj "/CN=$1" 2>/dev/null
}
certificate() {
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$scratch/$1.key" -out "$scratch/$1.csr" -subj "/CN=$1" 2>/dev/null
    openssl x509 -req -in "$scratch/$1.csr" -CA "$scratch/$2.pem" -CAkey "$scratch/$2.key" -CAcreateserial -out "$scratch/$1.pem" -days "$3" \
        -extfile <(echo "subjectAltName=$4") 2>/dev/null
}
authority ours
authority theirs
certificate good ours 2 IP:127.0.0.1
certificate expired ours -1 IP:127.0.0.1
certificate elsewhere ours 2 DNS:elsewhere.example
certificate forged theirs 2 IP:127.0.0.1

# ---- a server
port=$(free_port)
mkdir "$scratch/data"
cat >"$scratch/my.cnf" <<END
!include $PWD/etc/my.cnf
[mariadbd]
datadir = $scratch/data
socket = $scratch/db.sock
pid-file = $scratch/db.pid
user = $(id -un)
bind-address = 127.0.0.1
port = $port
ssl-cert = $scratch/shown.pem
ssl-key = $scratch/shown.key
innodb-log-file-size = 64M
innodb-buffer-pool-size = 64M
performance-schema = OFF
END
mariadb-install-db --defaults-file="$scratch/my.cnf" --skip-test-db --skip-name-resolve --force --auth-root-socket-user="$(id -un)" \
    --user="$(id -un)" >"$scratch/install.log" 2>&1
root_sql() {
    mariadb --no-defaults --socket="$scratch/db.sock" --user="$(id -un)" -e "$1"
}
# shows NAME: the server has that certificate from now on
shows() {
    cp "$scratch/$1.pem" "$scratch/shown.pem"
    cp "$scratch/$1.key" "$scratch/shown.key"
    [ ! -e "$scratch/db.pid" ] || root_sql "FLUSH SSL"
}
shows good
mariadbd --defaults-file="$scratch/my.cnf" >"$scratch/server.log" 2>&1 </dev/null &
within "$(patient 20)" root_sql "SELECT 1" || { echo "Bail out! $(tail -3 "$scratch/server.log")"; exit 1; }
root_sql "CREATE DATABASE loadline CHARACTER SET utf8mb4"
printf '[client]\nuser=%s\nsocket=%s\n[mariadb-client]\ndatabase=loadline\n' "$(id -un)" "$scratch/db.sock" >"$scratch/admin.cnf"
root_sql "CREATE ROLE loadline_rows"
scripts/migrate --defaults-file "$scratch/admin.cnf" >"$scratch/migrate.log" 2>&1 || diag "$(tail -3 "$scratch/migrate.log")"
root_sql "CREATE USER loadline@127.0.0.1 IDENTIFIED BY 'one' REQUIRE SSL; GRANT ALL ON loadline.* TO loadline@127.0.0.1;
    CREATE USER loadline@localhost IDENTIFIED BY 'one' REQUIRE SSL; GRANT ALL ON loadline.* TO loadline@localhost"

# ---- what a program says: status and cause, with the option file's lines
cat >"$scratch/loadline.conf" <<END
database = $scratch/db.cnf
spool_directory = $scratch
metrics_file = $scratch/metrics
waiting_file = $scratch/waiting
END
health() {
    printf '[loadline]\nuser=loadline\npassword=one\nhost=127.0.0.1\nport=%s\ndatabase=loadline\n' "$port" >"$scratch/db.cnf"
    printf '%s\n' "$@" | sed "s,@,$scratch/,g" >>"$scratch/db.cnf"
    LOADLINE_CONF=$scratch/loadline.conf REQUEST_METHOD=GET REQUEST_URI=/health "$build/cgi-bin/status.fcgi" 2>"$scratch/said" </dev/null |
        sed -n 's/^Status: \([0-9]*\).*/\1/p'
    sed -n 's/.* \(error\|problem\)="\([^"]*\)".*/\2/p' "$scratch/said" | head -1
}
while IFS='|' read -r what shown one two expected; do
    shows "$shown"
    like "$what" "$(health "$one" "$two" | tr '\n' ' ')" "^$expected"
done <<'END'
encrypted, and the server is who it says|good|ssl-ca=@ours.pem|ssl-verify-server-cert=1|200 $
the same in another spelling|good|ssl_ca = @ours.pem|ssl_verify_server_cert = 1|200 $
without TLS this account is refused|good||skip-ssl|503 Access denied
a server of another authority|forged|ssl-ca=@ours.pem|ssl-verify-server-cert=1|503 TLS/SSL error: .*(certificate|verif)
also when nobody asks for its name|forged|ssl-ca=@ours.pem||503 TLS/SSL error: .*(certificate|verif)
an expired certificate|expired|ssl-ca=@ours.pem|ssl-verify-server-cert=1|503 TLS/SSL error: .*expired
a certificate of another host|elsewhere|ssl-ca=@ours.pem|ssl-verify-server-cert=1|503 TLS/SSL error: .*(Validation|name)
a name that is to be checked, and the library would not|elsewhere|ssl-ca=@ours.pem|ssl-verify-server-cert|503 write ssl-verify-server-cert = 1
the same where the name is right|good|ssl-ca=@ours.pem|ssl_verify_server_cert|503 write ssl-verify-server-cert = 1
no file of authorities|good|ssl-ca=@nothing.pem|ssl-verify-server-cert=1|503 TLS/SSL error: No such file
END
shows good
is "and well again" "$(health 'ssl-ca=@ours.pem' ssl-verify-server-cert=1 | tr '\n' ' ')" "200 "
done_testing
