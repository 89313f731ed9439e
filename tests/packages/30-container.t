#!/bin/bash
# What etc/container does, step by step in a bare root, without systemd and without a container engine: the packages of
# its Containerfile, its start script, and a MariaDB that knows it by TCP only.
. "$(dirname "$0")/lib.sh"
host_files container
inside() { # COMMAND...: in the container, as its first process does
    systemd-nspawn -q -D "$host_root" --register=no --keep-unit --private-network --as-pid2 --console=pipe "$@" </dev/null
}
mapfile -t files < <(grep -o 'build/deb/[a-z_-]*\*.deb' etc/container/Containerfile)
is "the Containerfile takes packages that there are" "$(for file in "${files[@]}"; do compgen -G "$file" | grep -c . ; done | xargs)" "1 1"
rm -f "$host_root"/packages/*
for file in "${files[@]}"; do
    mapfile -t found < <(compgen -G "$file")
    cp "${found[@]}" "$host_root/packages/"
done
install -m 755 etc/container/start "$host_root/usr/share/loadline-start"
printf '#!/bin/sh\nexit 101\n' >"$host_root/usr/sbin/policy-rc.d"
chmod 755 "$host_root/usr/sbin/policy-rc.d"
run=$(sed -n 's/.*\(apt-get install .*[^ ]\) *\\$/\1/p' etc/container/Containerfile)
like "its RUN installs them" "$run" '/packages/\*\.deb'
ok "which works" inside bash -c "DEBIAN_FRONTEND=noninteractive $run >/tmp/apt 2>&1 || { tail -n 5 /tmp/apt; exit 1; }"

cat >"$host_root/usr/bin/try" <<'END'
#!/bin/bash
# In the container: a database, and the start script in front of requests. Prints "NAME VALUE" lines.
exec 2>/root/try.log
install -d -o mysql /run/mysqld
mariadbd --user=mysql --skip-name-resolve --bind-address=127.0.0.1 --port=3306 >/tmp/mariadb.log 2>&1 &
until mariadb-admin ping >/dev/null 2>&1; do sleep 0.1; done
mariadb -e "CREATE USER root@'127.0.0.1' IDENTIFIED BY 'secret'; GRANT ALL ON *.* TO root@'127.0.0.1' WITH GRANT OPTION"
export LOADLINE_DATABASE=127.0.0.1 LOADLINE_DATABASE_PASSWORD=secret LOADLINE_PUBLIC_URL=https://loadline.example
start() {
    mkdir -p /usr/share/loadline
    setsid /usr/share/loadline-start >>/root/start.log 2>&1 &
    started=$!
    for ((i = 0; i < 300; i++)); do
        curl -fsS -o /tmp/health http://127.0.0.1:8080/health && break
        kill -0 $started || break
        sleep 0.2
    done
}
start
echo "health $(grep -o '"status":"ok"' /tmp/health)"
echo "page $(curl -s -H 'Accept: text/html' http://127.0.0.1:8080/ | grep -c '<title>')"
curl -s http://127.0.0.1:8080/api/auth/signup -H 'Content-Type: application/json' -d '{"company":"A","email":"a@b.example","password":"an-unlikely-horse-7"}' >/tmp/account
key=$(grep -o 'll_[A-Za-z0-9_-]*' /tmp/account)
echo "push $(curl -s http://127.0.0.1:8080/ingest -H "X-API-Key: $key" -H 'X-Cluster-Id: shop' -H 'Content-Type: application/json' --data-binary @/usr/share/loadline/sample/shop.json | grep -o '"status":"ok"')"
echo "gate $(curl -s http://127.0.0.1:8080/api/validate -H "X-API-Key: $key" -H 'Content-Type: application/json' -d '{"cluster_id":"shop"}' | grep -oE '"decision":"(SAFE|WARN|BLOCK)"' | head -1)"
echo "users $(ps -o user= -C ingest.fcgi,lighttpd,loadline-notify | sort -u | xargs)"
echo "check $(loadline-admin check | grep -c '^wrong') $(loadline-admin check | grep '^wrong' | xargs)"
loadline-admin reload >/dev/null
echo "reload $?"
kill -TERM $started
wait $started
echo "stopped $?"
echo "left $(pgrep -cu loadline,loadline-web) $(pgrep -au loadline,loadline-web | xargs)"
unset LOADLINE_DATABASE_PASSWORD
start
echo "again $(grep -o '"status":"ok"' /tmp/health) $(curl -s http://127.0.0.1:8080/api/validate -H "X-API-Key: $key" -H 'Content-Type: application/json' -d '{"cluster_id":"shop"}' | grep -o '"decision"' | head -1)"
pkill -x lighttpd
wait $started
echo "ends $?"
END
chmod 755 "$host_root/usr/bin/try"
said=$(timeout 300 systemd-nspawn -q -D "$host_root" --register=no --keep-unit --private-network --as-pid2 --console=pipe try </dev/null)
of() { sed -n "s/^$1 //p" <<<"$said"; }
is "/health" "$(of health)" '"status":"ok"'
is "the dashboard" "$(of page)" 1
is "a push" "$(of push)" '"status":"ok"'
like "the gate" "$(of gate)" '"decision":"[A-Z]+"'
is "nothing that serves requests is root" "$(of users)" "loadline loadline-web"
is "loadline-admin check finds nothing wrong" "$(of check)" "0 "
is "reload" "$(of reload)" 0
is "when it is told to stop, it does" "$(of stopped)" 0
is "... and nothing is left" "$(of left)" "0 "
is "it starts again without the password of root, with its data" "$(of again)" '"status":"ok" "decision"'
is "it ends when a process of it does" "$(of ends)" 1
[[ $(of health) == *ok* ]] || diag "$said" "$(grep -hv applied "$host_root/root/start.log" | head -n 25; tail -n 5 "$host_root/root/try.log" 2>/dev/null)"
done_testing
