#!/bin/bash
# apt upgrades from package to package. When a migration fails, the programs of before go on with all that was acknowledged.
. "$(dirname "$0")/lib.sh"

# newer VERSION [SQL]: the package of the server as if it were of that version, with one more migration.
newer() {
    local deb number
    deb=$(find "$host_root/packages" -name 'loadline_*.deb')
    rm -rf "$work/newer"
    dpkg-deb -R "$deb" "$work/newer"
    sed -i "s/^Version: .*/Version: $1/" "$work/newer/DEBIAN/control"
    echo "$1" >"$work/newer/usr/share/loadline/package-version"
    number=$(find "$work/newer/usr/share/loadline/sql" -name '[0-9]*.sql' | wc -l)
    [ -z "${2-}" ] || echo "$2" >"$work/newer/usr/share/loadline/sql/$(printf %04d $((number + 1)))_try.sql"
    dpkg-deb -b "$work/newer" "$host_root/packages/newer_$1.deb" >/dev/null
}
upgrade_to() {
    on apt-get install -y --no-install-recommends "/packages/newer_$1.deb" >"$work/apt" 2>&1
}

host rollback
dependencies lighttpd
ok "the packages install" install_packages loadline loadline-lighttpd
ok "and are set up" on loadline-setup
sign_up
push_sample shop
said=$(gate shop)
counts() { sql "SELECT (SELECT COUNT(*) FROM loadline.score_history), (SELECT COUNT(*) FROM loadline.users), (SELECT COUNT(*) FROM loadline.api_keys)"; }
before=$(counts)

newer 99.1 'CREATE TABLE IF NOT EXISTS first_half (a INT); INSERT IGNORE INTO there_is_no_such_table VALUES (1);'
upgrade_to 99.1
isnt "apt tells of a migration that fails" "$?" 0
like "and so does the upgrade" "$(cat "$work/apt")" 'putting back the programs of before'
ok "the programs of before answer" within 30 healthy
isnt "they are those of before" "$(on cat /usr/share/loadline/package-version)" 99.1
ok "and are kept no longer beside that" sh_on '[ ! -e /var/lib/loadline/previous.tar ]'
is "nothing is lost" "$(counts)" "$before"
is "the gate says the same" "$(gate shop)" "$said"
push_sample shop
is "pushes are taken" "$status" 200
ok "the notifier runs" on systemctl is-active loadline-notify
said=$(on dpkg --configure loadline 2>&1)
like "dpkg does not take them for the new ones" "$? $said" '^1 .*apt install --reinstall loadline'

newer 99.2 'CREATE TABLE IF NOT EXISTS first_half (a INT);'
before=$(counts)
ok "a version that is mended upgrades" upgrade_to 99.2
like "by itself" "$(cat "$work/apt")" 'upgrade: done'
ok "/health says ok" within 30 healthy
is "with all that is there" "$(counts)" "$before"
is "the programs are the new ones" "$(on cat /usr/share/loadline/package-version)" 99.2
is "no unit has failed" "$(on systemctl list-units --no-legend --state=failed)" ""

# ---- what stops an upgrade before anything else has stopped
started=$(on systemctl show -p ActiveEnterTimestampMonotonic --value loadline@ingest)
said=$(on loadline-upgrade --dry-run 2>&1)
like "a dry run says what it would do" "$? $said" '^0 .*would migrate'
sh_on 'cp -a /etc/loadline/loadline.conf /root/; echo "no_such_key = 1" >>/etc/loadline/loadline.conf'
said=$(on loadline-upgrade --dry-run 2>&1)
like "a configuration that is wrong" "$? $said" '^1 .*no_such_key'
is "no worker was restarted" "$(on systemctl show -p ActiveEnterTimestampMonotonic --value loadline@ingest)" "$started"
on cp -a /root/loadline.conf /etc/loadline/loadline.conf
on systemctl stop mariadb.socket mariadb
said=$(on loadline-upgrade --dry-run 2>&1)
like "no database" "$? $said" '^1 .*does not answer'
on systemctl start mariadb
newer 99.3
sql "INSERT INTO loadline.schema_migrations SELECT MAX(number) + 1, 'x', sha256, 'applied', NOW(), NOW() FROM loadline.schema_migrations"
upgrade_to 99.3
isnt "a database that is newer than the programs" "$?" 0
like "is told of" "$(cat "$work/apt")" 'newer than these programs'
done_testing
