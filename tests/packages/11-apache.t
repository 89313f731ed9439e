#!/bin/bash
# Loadline behind an Apache that serves another site: beside it, and gone again without it.
. "$(dirname "$0")/lib.sh"
host apache
dependencies apache2
sh_on 'mkdir /srv/theirs && echo theirs >/srv/theirs/index.html
    printf "<VirtualHost *:80>\nServerName theirs.example\nDocumentRoot /srv/theirs\n<Directory /srv/theirs>\nRequire all granted\n</Directory>\n</VirtualHost>\n" \
        >/etc/apache2/sites-available/theirs.conf && a2ensite -q theirs && systemctl restart apache2' >/dev/null
theirs() { on curl -s -H 'Host: theirs.example' http://127.0.0.1/; }
is "another site" "$(theirs)" theirs
sites=$(on find /etc/apache2/sites-available /etc/apache2/sites-enabled | sort)

ok "the packages install" install_packages loadline loadline-apache loadline-agent
said=$(on loadline-setup --name loadline.example 2>&1)
like "set up" "$? $said" '^0 .*https://loadline.example/#/signup$'
call GET /health
is "GET /health" "$status" 200
is "the site has its name" "$(on sed -n 's/^ *ServerName //p' /etc/apache2/sites-available/loadline.conf)" loadline.example
is "links begin with it" "$(on sed -n 's/^public_url = //p' /etc/loadline/loadline.conf)" https://loadline.example
sign_up
push_sample shop
is "a push" "$status" 200
call GET / -H 'Accept: text/html'
like "the dashboard" "$status $body" '^200 .*<title>'
is "the certificate is root's" "$(on stat -c '%a %U' /etc/loadline/tls.pem)" "600 root"
is "another site is as it was" "$(theirs)" theirs
like "the agent" "$(on loadline-agent --version)" '^loadline-agent [0-9.]+$'
# A MariaDB of nobody else's has the settings that Loadline wants.
is "large snapshots pass" "$(sql 'SELECT @@max_allowed_packet')" 134217728

ok "they are purged" on apt-get purge -y loadline loadline-apache loadline-agent
is "Apache runs, with the other site" "$(on systemctl is-active apache2) $(theirs)" "active theirs"
ok "and would start again" on apache2ctl configtest
is "its sites are those of before" "$(on find /etc/apache2/sites-available /etc/apache2/sites-enabled | sort)" "$sites"
is "www-data is in no group of Loadline's" "$(on id -nG www-data)" www-data
is "no settings of MariaDB are left" "$(on find /etc/mysql -name '*loadline*')" ""
ok "which starts without them" on systemctl restart mariadb
done_testing
