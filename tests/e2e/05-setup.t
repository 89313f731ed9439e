#!/bin/bash
# scripts/setup names what is missing, and changes nothing with --check; what make install lays out, and
# make uninstall takes away.
. "$(dirname "$0")/lib.sh"
command -v dpkg-query >/dev/null || skip_all "this is not Debian"

cp scripts/setup "$scratch/setup"
cp scripts/packages scripts/axe-core "$scratch/"
said=$("$scratch/setup" --check 2>&1)
is "everything is there" "$? $said" "0 "

printf 'no-such-linter\n' >>"$scratch/packages"
sed -i 's/8$/9/' "$scratch/axe-core"
said=$("$scratch/setup" --check 2>&1)
is "tests would miss something" "$? $said" "1 setup: missing packages: no-such-linter axe-core (run scripts/setup)"
said=$("$scratch/setup" --run --check 2>&1)
is "a run would not" "$? $said" "0 "
cp scripts/packages "$scratch/packages"
said=$("$scratch/setup" --check 2>&1)
is "without axe-core most works" "$? $said" "0 setup: missing packages: axe-core (run scripts/setup)"

cp scripts/axe-core "$scratch/"
{ printf 'no-such-package-1\nmake 99:1\nno-such-package-2\n' && cat scripts/packages; } >"$scratch/packages"
said=$("$scratch/setup" --run --check 2>&1)
is "absent and too old" "$? $said" \
    "1 setup: missing packages: no-such-package-1 make no-such-package-2 (run scripts/setup --run)"
said=$("$scratch/setup" --check 2>&1)
is "for tests, too" "$? $said" \
    "1 setup: missing packages: no-such-package-1 make no-such-package-2 (run scripts/setup)"

# ---- what Debian has for some processors only
architecture=$(dpkg --print-architecture)
printf 'no-such-package-1 [%s]\nno-such-package-2 [m68k %s]\nno-such-package-3 [m68k x%s]\nmake [m68k]\n' \
    "$architecture" "$architecture" "$architecture" >"$scratch/packages"
said=$("$scratch/setup" --check 2>&1)
is "is missing on these alone" "$? $said" "1 setup: missing packages: no-such-package-1 no-such-package-2 (run scripts/setup)"
{ printf 'no-such-package-1\nmake 99:1\nno-such-package-2\n' && cat scripts/packages; } >"$scratch/packages"

if [ "$(id -u)" -eq 0 ]; then
    chmod 755 "$scratch"
    said=$(setpriv --reuid=nobody --regid=nogroup --clear-groups env -i PATH=/usr/bin:/bin "$scratch/setup" 2>&1)
    like "without root it says what it needs" "$said" 'missing packages: no-such-package-1 make no-such-package-2 '
else
    skip "without root it says what it needs" "this run is not root's, and would ask sudo"
fi
said=$("$scratch/setup" --chekc 2>&1)
is "an unknown option is refused" "$?" 2
is "is named" "$said" "setup: unknown argument --chekc (see --help)"

cp -r scripts etc "$scratch/"
cp "$scratch/packages" "$scratch/scripts/packages"
said=$("$scratch/scripts/up" --dir "$scratch/run" --port "$(free_port)" 2>&1)
is "up with a package missing" "$? $said" \
    "1 setup: missing packages: no-such-package-1 make no-such-package-2 (run scripts/setup --run)"

# ---- a host
host=$scratch/host
(umask 022 && scripts/install "$build" "$host" /usr/local)
is "commands" "$(cd "$host/usr/local/bin" && echo *)" \
    "loadline-accounts loadline-admin loadline-agent loadline-backup loadline-gate loadline-maintain loadline-migrate loadline-notify loadline-push-snapshot loadline-restore loadline-score loadline-setup loadline-upgrade"
for command in accounts backup restore migrate; do
    is "loadline-$command" "$("$host/usr/local/share/loadline/scripts/$command" --help | head -1)" "$(sed -n '2s/^# //p' "scripts/$command" | sed 's|scripts/|loadline-|g')"
done
like "commands call themselves what they are called" "$("$host/usr/local/share/loadline/scripts/upgrade" --help)" '^upgrade: .* sudo loadline-upgrade '
empty "nor what they are called in a checkout" "$(for command in "$host"/usr/local/bin/*; do
    [ ! -L "$command" ] || command=$host/usr/local/share/loadline/scripts/${command##*/loadline-}
    "$command" --help | grep -H --label="$command" 'scripts/'; done)"
like "nor in what they complain of" "$("$host/usr/local/share/loadline/scripts/backup" 2>&1)" 'into which file\? loadline-backup BACKUP$'
like "... which is by a name of their own" "$("$host/usr/local/bin/loadline-push-snapshot" 2>&1)" '^loadline-push-snapshot: which cluster\? loadline-push-snapshot CLUSTER_ID$'
is "the target brings every pool along" "$(sed -n 's/^Wants=loadline@/loadline@/p' "$host/usr/local/lib/systemd/system/loadline.target" | tr ' ' '\n' | sort | xargs)" \
    "$(cd "$build/cgi-bin" && printf 'loadline@%s\n' *.fcgi | sed 's/fcgi$/service/' | sort | xargs)"
is "files with secrets are nobody else's" "$(find "$host/etc/loadline" -type f -printf '%m %f\n' | sort | xargs)" \
    "600 admin.cnf 640 audit.keys 640 channel.keys 640 db.cnf 640 loadline.conf 640 maintain.cnf 644 workers"
empty "nobody else writes anywhere" "$(find "$host" ! -type l -perm /022)"
empty "no placeholder is left" "$(grep -rlE '@(LIB|SHARE|BIN|POOLS)@' "$host" --exclude='*.fcgi' --exclude-dir=bin)"
passwords=$(sed -n 's/^password = \([0-9a-f]\{32\}\)$/\1/p' "$host"/etc/loadline/*.cnf)
is "each account has a password of its own" "$(sort -u <<<"$passwords" | wc -l)" 3
is "and is made with it" "$(scripts/accounts "$host/etc/loadline" | sed -n "s/.*IDENTIFIED BY '\(.*\)';/\1/p" | sort)" "$(sort <<<"$passwords")"
like "channels have a key" "$(cat "$host/etc/loadline/channel.keys")" '^[0-9a-f]{64}$'
like "the audit trail has another" "$(cat "$host/etc/loadline/audit.keys")" '^[0-9a-f]{64}$'
isnt "which is its own" "$(cat "$host/etc/loadline/audit.keys")" "$(cat "$host/etc/loadline/channel.keys")"
is "which the configuration names" "$(grep '^[^#]' "$host/etc/loadline/loadline.conf" | sort | xargs)" \
    "audit_keys = /etc/loadline/audit.keys channel_keys = /etc/loadline/channel.keys"
key=$(cat "$host/etc/loadline/channel.keys")
mkdir "$scratch/some"
cp "$host"/etc/loadline/{db,maintain}.cnf "$scratch/some"
said=$(scripts/accounts "$scratch/some" 2>"$scratch/err")
is "with a file missing nothing is made" "$? $said$(cat "$scratch/err")" "1 accounts: cannot read $scratch/some/admin.cnf"
said=$(scripts/accounts etc 2>&1)
like "no account without one" "$? $(tail -1 <<<"$said")" '^1 accounts: etc/db.cnf has no password'
echo '# mine' >>"$host/etc/loadline/loadline.conf"
scripts/install "$build" "$host" /usr/local
is "configuration is kept" "$(tail -1 "$host/etc/loadline/loadline.conf")" "# mine"
is "and so is the key" "$(cat "$host/etc/loadline/channel.keys")" "$key"
sed -i '/^channel_keys/d' "$host/etc/loadline/loadline.conf"
scripts/install "$build" "$host" /usr/local
is "a configuration of before does not get one by itself" "$(grep -c '^channel_keys' "$host/etc/loadline/loadline.conf")" 0
is "and so are passwords" "$(sed -n 's/^password = //p' "$host"/etc/loadline/*.cnf)" "$passwords"
echo old >"$host/usr/local/lib/loadline/cgi-bin/gone.fcgi"
scripts/install "$build" "$host" /usr/local
ok "a program that is gone is not served on" test ! -e "$host/usr/local/lib/loadline/cgi-bin/gone.fcgi"
scripts/install --package "$build" "$scratch/package" /usr
ok "a package has no configuration of a host" test ! -e "$scratch/package/etc/loadline"
like "uninstall says what it leaves" "$(scripts/uninstall "$host" /usr/local)" 'etc/loadline, the database and the user loadline are left'
is "and leaves nothing else" "$(cd "$host" && find . -type f | sort | xargs)" \
    "./etc/loadline/admin.cnf ./etc/loadline/audit.keys ./etc/loadline/channel.keys ./etc/loadline/db.cnf ./etc/loadline/loadline.conf ./etc/loadline/maintain.cnf ./etc/loadline/workers"
done_testing
