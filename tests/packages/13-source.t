#!/bin/bash
# make install on a bare host, and away again by the documents: behind lighttpd, each of the two ways.
. "$(dirname "$0")/lib.sh"
build=${LOADLINE_BUILD:-build/release}
host source
dependencies lighttpd
sql "CREATE DATABASE theirs; DROP DATABASE IF EXISTS test"
printf '%s\n' 'flush ruleset' 'table inet theirs { }' >"$host_root/etc/nftables.conf"
sh_on 'mkdir -p /usr/local/share/bash-completion/completions /usr/local/lib/systemd/system /usr/local/lib/sysusers.d /usr/local/lib/tmpfiles.d'
theirs() {
    sh_on 'cat /etc/nftables.conf /etc/lighttpd/lighttpd.conf; curl -s -o /dev/null -w "%{http_code}" http://127.0.0.1/'
}
# What lighttpd has logged is lighttpd's.
everything() {
    listing | grep -v '^var/log/lighttpd/access.log'
    accounts_of
    on sort /etc/passwd /etc/group
}
before=$(everything) theirs_before=$(theirs)

# block LINE: the commands that the documents have in the block with that line, for a host where one is root.
block() {
    awk -v wanted="$1" '/^    / { text = text substr($0, 5) "\n"; if (index($0, wanted)) found = 1; next }
        found { exit } { text = "" } END { if (found) printf "%s", text }' docs/operations.md | sed 's/sudo //g'
}
installed() {
    (umask 022 && scripts/install "$build" "$host_root" /usr/local)
    on systemctl daemon-reload
}
# away: as the documents say; what runs stays until then
away() {
    is "$1: the notifier runs" "$(on systemctl is-active loadline-notify)" active
    block 'make uninstall' | sed 's|^make uninstall|/usr/local/share/loadline/scripts/uninstall "" /usr/local|' >"$host_root/root/away"
    like "$1: the documents say how it goes" "$(cat "$host_root/root/away")" 'scripts/uninstall.*userdel loadline'
    on bash /root/away >"$work/away" 2>&1
    is "$1: no user, and nothing of theirs, is left running" "$(sh_on 'ps -eo user:20=,args= | grep -i loadline | grep -v grep')" ""
    is "$1: nothing is left" "$(diff <(echo "$before") <(everything) | grep '^[<>]')" ""
    is "$1: theirs is as it was" "$(theirs)" "$theirs_before"
    is "$1: no unit has failed" "$(on systemctl list-units --no-legend --state=failed)" ""
}

installed
said=$(on loadline-setup --server lighttpd 2>&1)
like "loadline-setup" "$? $said" '^0 .*https://host.loadline.example/#/signup$'
ok "/health says ok" within 20 healthy
sh_on 'echo "include \"/usr/local/share/loadline/loadline.nft\"" >>/etc/nftables.conf'
away "a lighttpd of its own"

installed
said=$(on loadline-setup --server none 2>&1)
like "the same, without a web server" "$? $said" '^0 '
{ echo "set -e"; block 'lighttpd-host.conf' | grep -v '^apt '; } >"$host_root/root/front"
sh_on 'openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=host.loadline.example -keyout /tmp/k -out /tmp/c 2>/dev/null
    install -m 600 /dev/null /etc/loadline/tls.pem; cat /tmp/c /tmp/k >/etc/loadline/tls.pem; rm /tmp/k /tmp/c; usermod -aG loadline www-data'
ok "lighttpd in front, as the documents say" on bash /root/front
ok "/health says ok" within 20 healthy
away "Debian's lighttpd"
is "which is Debian's again" "$(on dpkg -V lighttpd)" ""
done_testing
