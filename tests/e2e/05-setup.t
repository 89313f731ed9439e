#!/bin/bash
# scripts/setup names what is missing, and changes nothing with --check; what make install lays out.
. "$(dirname "$0")/lib.sh"
command -v dpkg-query >/dev/null || skip_all "this is not Debian"

cp scripts/setup "$scratch/setup"
cp scripts/packages "$scratch/packages"
said=$("$scratch/setup" --check 2>&1)
is "everything is there" "$? $said" "0 "

printf 'no-such-package-1\nmake 99:1\nno-such-package-2\n' >>"$scratch/packages"
said=$("$scratch/setup" --check 2>&1)
is "absent and too old" "$? $said" \
    "1 setup: missing packages: no-such-package-1 make no-such-package-2 (run scripts/setup)"

if [ "$(id -u)" -eq 0 ]; then
    chmod 755 "$scratch"
    said=$(setpriv --reuid=nobody --regid=nogroup --clear-groups env -i PATH=/usr/bin:/bin "$scratch/setup" 2>&1)
    like "without root it says what it needs" "$said" 'missing packages: no-such-package-1 make no-such-package-2 '
else
    skip "without root it says what it needs" "this run is not root's, and would ask sudo"
fi
said=$("$scratch/setup" --chekc 2>&1)
is "an unknown option" "$?" 2
like "is answered with how to call it" "$said" 'scripts/setup --check'

cp -r scripts etc "$scratch/"
cp "$scratch/packages" "$scratch/scripts/packages"
said=$("$scratch/scripts/up" --dir "$scratch/run" --port "$(free_port)" 2>&1)
is "up with a package missing" "$? $said" \
    "1 setup: missing packages: no-such-package-1 make no-such-package-2 (run scripts/setup)"

(umask 022 && scripts/install "$build" "$scratch/host" /usr/local)
is "files with secrets are nobody else's" "$(find "$scratch/host/etc/loadline" -type f -printf '%m %f\n' | sort | xargs)" \
    "600 admin.cnf 640 loadline.conf 640 maintain.cnf 640 my.cnf 644 workers"
empty "nobody else writes anywhere" "$(find "$scratch/host" ! -type l -perm /022)"
echo '# mine' >>"$scratch/host/etc/loadline/loadline.conf"
scripts/install "$build" "$scratch/host" /usr/local
is "configuration is kept" "$(tail -1 "$scratch/host/etc/loadline/loadline.conf")" "# mine"
empty "no placeholder is left" "$(grep -rlE '@(LIB|SHARE|BIN)@' "$scratch/host" --exclude='*.fcgi' --exclude-dir=bin)"
done_testing
