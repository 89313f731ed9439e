#!/bin/bash
# A host that was installed by hand from an older commit becomes one of packages: by one command, with all that it has.
#
# LOADLINE_UPGRADE_FROM   commits (default: the first whose installation worked, and one of 100 commits ago)
. "$(dirname "$0")/lib.sh"
git rev-parse --verify -q 41eca39 >/dev/null || skip_all "the history is not here"

# old_build COMMIT: built once.
old_build() {
    local dir=$store/old-$1
    [ ! -e "$dir/built" ] || return 0
    rm -rf "$dir"
    mkdir -p "$dir"
    git archive "$1" | tar -x -C "$dir" && make -C "$dir" -o packages "-j$(nproc)" all >"$store/old-$1.log" 2>&1 && touch "$dir/built"
}

# by_the_book: what docs/operations.md has said since then, for lighttpd.
by_the_book() {
    local programs
    programs=$(awk '/^[a-z]/ { print $1 }' "$store/old-$1/etc/workers" | tr '\n' ' ')
    (cd "$store/old-$1" && scripts/install build/release "$host_root" /usr/local)
    sh_on "set -e
        useradd --system --home /nonexistent --shell /usr/sbin/nologin loadline
        for file in loadline.conf db.cnf maintain.cnf {channel,audit}.keys; do
            [ ! -e /etc/loadline/\$file ] || chown loadline:loadline /etc/loadline/\$file
        done
        printf 'stale_warn = 86400\nstale_block = 604800\n' >>/etc/loadline/loadline.conf
        install -m 644 /usr/local/share/loadline/my.cnf /etc/mysql/mariadb.conf.d/60-loadline.cnf
        systemctl restart mariadb
        loadline-accounts | mariadb
        loadline-migrate
        runuser -u loadline /usr/local/bin/loadline-maintain
        systemctl daemon-reload
        for program in $programs; do systemctl enable loadline.target loadline@\$program; done
        systemctl start loadline.target
        usermod -aG loadline www-data
        openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=host.loadline.example -keyout /tmp/k -out /tmp/c
        install -m 600 /dev/null /etc/loadline/tls.pem; cat /tmp/c /tmp/k >/etc/loadline/tls.pem
        cp /usr/local/share/loadline/lighttpd-host.conf /etc/lighttpd/lighttpd.conf
        install -d -o www-data -m 700 /var/cache/lighttpd/uploads
        systemctl restart lighttpd" >"$work/book" 2>&1 || diag "$(tail -n 5 "$work/book")"
}

# rows: of each table that was there.
rows() {
    local table
    for table in $tables; do echo "$table $(sql "SELECT COUNT(*) FROM loadline.$table")"; done
}

for commit in ${LOADLINE_UPGRADE_FROM:-41eca39 $(git rev-parse --short HEAD~100)}; do
    ok "$commit builds" old_build "$commit"
    host "from-$commit"
    dependencies lighttpd
    by_the_book "$commit"
    ok "$commit: it runs" within 30 healthy
    sign_up
    for cluster in one two; do
        push_sample $cluster
        is "$commit: a push" "$status" 200
    done
    said=$(gate one)
    like "$commit: the gate" "$said" '^(SAFE|WARN|BLOCK) [0-9.]+$'
    tables=$(sql "SHOW TABLES FROM loadline" | grep -vx 'rate_limit\|schema_migrations')
    before=$(rows)

    ok "$commit: the packages install" install_packages loadline loadline-lighttpd
    like "$commit: and upgrade" "$(tail -n 20 "$work/apt")" 'upgrade: done'
    ok "$commit: /health says ok" within 30 healthy
    is "$commit: each table has the rows of before" "$(diff <(echo "$before") <(rows) | grep '^[<>]')" ""
    is "$commit: the gate says the same" "$(gate one)" "$said"
    call POST /api/auth/login --data-binary '{"email": "you@shop.example", "password": "an-unlikely-horse-7"}'
    is "$commit: people sign in" "$status" 200
    call GET /api/exemptions -H "Authorization: Bearer $(json .token)"
    is "$commit: routes that are new are there" "$status" 200
    push_sample one
    is "$commit: a push" "$status" 200
    is "$commit: a backup is there" "$(on find /var/lib/loadline/backups -name '*.sql.gz' -size +1k | wc -l)" 1
    is "$commit: nothing of before is left below /usr/local" "$(on find /usr/local -name '*loadline*')" ""
    is "$commit: no job of cron" "$(on find /etc/cron.d -name loadline)" ""
    is "$commit: maintenance and the notifier are units" "$(on systemctl is-active loadline-maintain.timer loadline-notify | xargs)" "active active"
    is "$commit: no unit has failed" "$(on systemctl list-units --no-legend --state=failed)" ""
    is "$commit: programs run that are of the package" "$(sh_on 'readlink /proc/$(pgrep -ox ingest.fcgi)/exe')" /usr/lib/loadline/cgi-bin/ingest.fcgi
    host_off
done
done_testing
