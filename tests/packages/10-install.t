#!/bin/bash
# The packages on a bare host: installed, set up, used, removed and purged. Nothing is left, and nothing of others is touched.
. "$(dirname "$0")/lib.sh"
host bare

# Of others: a database with an account of its own, a site of Debian's lighttpd, a firewall, and files of the system that a
# purge must leave. The dependencies stay when Loadline goes, so they come first.
dependencies lighttpd
sql "CREATE DATABASE theirs; CREATE TABLE theirs.t (a INT); INSERT INTO theirs.t VALUES (7); DROP DATABASE IF EXISTS test;
    CREATE USER theirs@localhost IDENTIFIED BY 'theirs-1'; GRANT ALL ON theirs.* TO theirs@localhost"
sh_on 'mkdir /srv/theirs && echo theirs >/srv/theirs/index.html
    printf "%s\n" "\$HTTP[\"host\"] == \"theirs.example\" { server.document-root = \"/srv/theirs\" }" >/etc/lighttpd/conf-enabled/50-theirs.conf
    printf "%s\n" "flush ruleset" "table inet theirs { }" >/etc/nftables.conf
    systemctl restart lighttpd'
theirs() {
    on curl -s -H 'Host: theirs.example' http://127.0.0.1/
    on mariadb -utheirs -ptheirs-1 -BN theirs -e 'SELECT a FROM t'
    sh_on 'cat /etc/lighttpd/lighttpd.conf /etc/lighttpd/conf-enabled/*.conf /etc/nftables.conf; find /etc/mysql -type f -exec cat {} + | sha256sum | cut -c1-16'
}
served() { [ "$(theirs | head -n 2 | xargs)" = "theirs 7" ]; }
ok "another site and another database" within 10 served
theirs_before=$(theirs)
before=$(listing) accounts_before=$(accounts_of) passwd_before=$(on cat /etc/passwd /etc/group)

ok "the packages install" install_packages loadline loadline-lighttpd loadline-tools
is "nothing starts unasked" "$(on systemctl list-units --no-legend --state=active 'loadline@*' | wc -l)" 0
is "no unit has failed" "$(on systemctl list-units --no-legend --state=failed | wc -l)" 0
like "the user says what to do next" "$(cat "$work/apt")" 'now run: loadline-setup'
said=$(on loadline-upgrade 2>&1)
like "an upgrade of nothing" "$? $said" '^1 .*run loadline-setup'

said=$(on loadline-setup 2>&1)
is "loadline-setup asks nothing and ends well" "$?" 0
like "and prints where the first account is made" "$said" 'https://host.loadline.example/#/signup$'
like "the settings of a MariaDB with other databases are left alone" "$said" 'other databases, so its settings are left alone'
ok "no file for it" on test ! -e /etc/mysql/mariadb.conf.d/60-loadline.cnf
is "no unit has failed then" "$(on systemctl list-units --no-legend --state=failed)" ""
call GET /health
is "GET /health" "$status $(json .status)" "200 ok"
call GET / -H 'Accept: text/html'
like "the dashboard" "$status $body" '^200 .*<title>'
call GET /vendor/dygraph.min.js
is "charts" "$status" 200
sign_up
is "the first sign-up" "$status" 201
push_sample shop
is "a push" "$status $(json .status)" "200 ok"
like "the gate" "$(gate shop)" '^(SAFE|WARN|BLOCK) [0-9.]+$'
like "the gate's command" "$(on env LOADLINE_API_KEY="$api_key" LOADLINE_URL=http://127.0.0.1:9 loadline-gate shop --retries 0 2>&1; echo $?)" '3$'
said=$(on loadline-setup 2>&1)
like "again: what is there stays" "$? $said" '^0 .*Sign in: https://host.loadline.example/'
is "so do the accounts" "$(sql 'SELECT COUNT(*) FROM loadline.users')" 1

# ---- who runs as whom, and may read what
is "workers run as loadline" "$(sh_on 'ps -o user= -C ingest.fcgi | sort -u')" loadline
is "lighttpd has a user of its own" "$(sh_on 'ps -o user:20= -C lighttpd | sort | uniq -c | sort -rn | xargs')" "1 www-data 1 loadline-web"
is "Debian's own lighttpd is as it was" "$(on systemctl is-active lighttpd)" active
is "secrets are nobody else's" "$(sh_on 'cd /etc/loadline && stat -c "%a %U:%G %n" * | sort -k3 | xargs')" \
    "600 root:root admin.cnf 640 loadline:root audit.keys 640 loadline:root channel.keys 640 loadline:root db.cnf 644 root:root lighttpd.conf 640 loadline:root loadline.conf 640 loadline:root maintain.cnf 640 root:loadline-web tls.pem"

# ---- logs
tags=$(sh_on 'journalctl -q -o json --output-fields=SYSLOG_IDENTIFIER -u "loadline@*" -u loadline-notify -u loadline-maintain' | jq -r .SYSLOG_IDENTIFIER | sort -u)
like "the journal's tags are the programs' names" "$(xargs <<<"$tags")" 'loadline-ingest .*loadline-status'
is "and not sh's" "$(grep -vc '^loadline-\|^systemd$' <<<"$tags")" 0
sh_on 'echo "log_path = /var/log/loadline/loadline.log" >>/etc/loadline/loadline.conf && systemctl restart loadline.target'
sock() { on test -S /run/loadline/status.sock; }
ok "with a log_path the workers start" within 20 sock
ok "and answer" within 20 healthy
is "the log is theirs, and the group may read it" "$(on stat -c '%a %U:%G' /var/log/loadline/loadline.log)" "640 loadline:loadline"
like "it has requests" "$(on cat /var/log/loadline/loadline.log)" 'path=.*/health'
ok "logrotate is content with its file" on logrotate --debug /etc/logrotate.d/loadline
ok "it rotates" on logrotate --force /etc/logrotate.d/loadline
call GET /health
again() { call GET /health && on grep -q /health /var/log/loadline/loadline.log; }
ok "workers write to the new file" within 20 again
is "which has the same mode" "$(on stat -c '%a %U:%G' /var/log/loadline/loadline.log)" "640 loadline:loadline"

# ---- maintenance and the notifier
on systemctl start loadline-maintain
is "maintenance runs" "$(on systemctl show -p Result --value loadline-maintain)" success
is "and is due again" "$(on systemctl is-active loadline-maintain.timer)" active
is "the notifier runs" "$(on systemctl is-active loadline-notify)" active

# ---- a certificate that was renewed
shown() { sh_on 'openssl s_client -connect 127.0.0.1:443 </dev/null 2>/dev/null | openssl x509 -noout -fingerprint'; }
first=$(shown)
sh_on 'openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=host.loadline.example -keyout /tmp/k -out /tmp/c 2>/dev/null; cat /tmp/c /tmp/k >/etc/loadline/tls.pem; rm /tmp/k /tmp/c'
ok "a reload" on systemctl reload loadline-lighttpd
renewed() { [ "$(shown)" != "$first" ] && healthy; }
ok "takes the certificate of now" within 20 renewed

shown_before=$(shown)
sh_on 'mkdir /root/lineage && openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=host.loadline.example -addext subjectAltName=DNS:host.loadline.example -keyout /root/lineage/privkey.pem -out /root/lineage/fullchain.pem 2>/dev/null'
ok "so does the hook for certbot" on env RENEWED_LINEAGE=/root/lineage /usr/share/loadline/certbot-deploy
renewed_again() { [ "$(shown)" != "$shown_before" ] && healthy; }
ok "which reloads lighttpd" within 20 renewed_again
is "and nobody else can read the key" "$(on stat -c '%a %U:%G' /etc/loadline/tls.pem)" "640 root:loadline-web"
is "it answers on IPv6, too" "$(on curl -sgk -m 10 -o /dev/null -w '%{http_code}' 'https://[::1]/health')" 200

# ---- a mistyped key
sh_on 'echo "stale_wran = 3" >>/etc/loadline/loadline.conf; systemctl restart loadline@risks'
failed() { [ "$(on systemctl is-failed loadline@risks)" = failed ]; }
ok "a unit with a configuration that is refused fails" within 10 failed
is "and is not started again and again" "$(on systemctl show -p NRestarts --value loadline@risks)" 0
like "its log says where it is wrong, and what to do" "$(on journalctl -q -u loadline@risks -n 5)" 'loadline.conf:[0-9]+: unknown key "stale_wran". Mend it'
like "so does loadline-admin check" "$(on loadline-admin check)" '^wrong +configuration +/etc/loadline/loadline.conf:[0-9]+: unknown key'
sh_on 'sed -i "/^stale_wran/d" /etc/loadline/loadline.conf; systemctl restart loadline.target'
ok "mended, it runs" within 20 healthy

# ---- a workers file that is older than a program
sh_on 'echo "ingest 3" >/etc/loadline/workers && systemctl restart loadline.target'
ok "pools that it does not name start" within 20 healthy
is "with as many as Loadline ships, and the others as it says" \
    "$(sh_on 'sleep 1; pgrep -cx ingest.fcgi; pgrep -cx auth.fcgi' | xargs)" "3 2"

# ---- what is wrong, and a new configuration
said=$(on loadline-admin check)
like "loadline-admin check" "$? $said" '^0 ok +configuration  /etc/loadline/loadline.conf'
is "it finds nothing wrong" "$(grep '^wrong' <<<"$said")" ""
like "it knows the certificate" "$said" 'certificate +/etc/loadline/tls.pem is good for [0-9]+ more days'
like "and when maintenance ran" "$said" 'last run +loadline-maintain ended well at'
like "a user may not read it" "$(on runuser -u nobody -- loadline-admin check; echo $?)" 'loadline.conf: Permission denied\. Run this as root.*1$'
sh_on 'chmod 600 /etc/loadline/loadline.conf && chown root /etc/loadline/loadline.conf'
before_reload=$(sh_on 'pgrep "\.fcgi$" | sort')
said=$(on loadline-admin reload 2>&1)
like "a configuration that only root may read" "$? $said" '^1 .*Permission denied\. All workers go on'
is "replaces nobody" "$(sh_on 'pgrep "\.fcgi$" | sort')" "$before_reload"
sh_on 'chmod 640 /etc/loadline/loadline.conf && chown loadline /etc/loadline/loadline.conf && echo "signup = open" >>/etc/loadline/loadline.conf'
sh_on 'touch /tmp/go; (while [ -e /tmp/go ]; do curl -sk -o /dev/null -w "%{http_code}\n" https://host.loadline.example/health; done) >/tmp/statuses 2>&1 &'
sh_on 'until [ "$(wc -l </tmp/statuses)" -ge 5 ]; do sleep 0.1; done'
ok "reload" on loadline-admin reload
ok "systemd reloads a pool" on systemctl reload loadline@status loadline@ingest
is "every worker is a new one" "$(comm -12 <(echo "$before_reload") <(sh_on 'pgrep "\.fcgi$" | sort'))" ""
call GET /api/auth/signup
is "they know the new configuration" "$(json .signup)" open
sh_on 'n=$(wc -l </tmp/statuses); until [ "$(wc -l </tmp/statuses)" -ge $((n + 5)) ]; do sleep 0.1; done; rm /tmp/go'
is "no request is lost" "$(on sort -u /tmp/statuses)" 200
sh_on 'sed -i "/^signup = open/d" /etc/loadline/loadline.conf; rm /tmp/statuses'

# ---- systemd's own opinion
empty "units are as systemd wants them" "$(sh_on 'systemd-analyze verify --man=no /lib/systemd/system/loadline@ingest.service /lib/systemd/system/loadline*.{service,target,timer} 2>&1 | grep -i loadline')"
for unit in loadline@ingest loadline-maintain loadline-lighttpd loadline-notify; do
    exposure=$(sh_on "systemd-analyze security --no-pager $unit.service" | sed -n 's/.*exposure level.*: \([0-9.]*\).*/\1/p')
    below "$unit: exposure in tenths" "${exposure/./}" 20
done
is "the one that becomes other users does not run: there is no mail program" "$(on systemctl is-active loadline-mail)" inactive

# ---- away
sh_on 'echo "include \"/usr/share/loadline/loadline.nft\"" >>/etc/nftables.conf'
is "the notifier runs" "$(on systemctl is-active loadline-notify)" active
ok "they are removed" on apt-get remove -y loadline loadline-lighttpd loadline-tools
is "nothing of Loadline runs" "$(sh_on 'pgrep -u loadline,loadline-web | wc -l')" 0
is "the data is there" "$(sql 'SELECT COUNT(*) FROM loadline.users')" 1
ok "back again" install_packages loadline loadline-lighttpd loadline-tools
ok "works at once" within 30 healthy
like "and knows what it knew" "$(gate shop)" '^(SAFE|WARN|BLOCK) [0-9.]+$'
ok "they are purged" on apt-get purge -y loadline loadline-lighttpd loadline-tools
is "no file is left" "$(diff <(echo "$before") <(listing) | grep '^[<>]')" ""
is "no account and no database" "$(accounts_of)" "$accounts_before"
is "no user" "$(on cat /etc/passwd /etc/group | sort)" "$(sort <<<"$passwd_before")"
is "theirs is as it was" "$(theirs)" "$theirs_before"
is "and comes back after the next boot" "$(sh_on 'lighttpd -tt -f /etc/lighttpd/lighttpd.conf; echo $?; systemctl restart lighttpd mariadb; systemctl is-active lighttpd mariadb' | xargs)" "0 active active"
is "no process has files of Loadline" "$(on find /proc -maxdepth 2 -name exe -lname "*loadline*" 2>/dev/null)" ""
done_testing
