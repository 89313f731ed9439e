#!/bin/bash
# Keys and passwords of a host are whole or not there: an installation that was cut off is done again, and what it finds is kept.
. "$(dirname "$0")/lib.sh"
etc=$scratch/host/etc/loadline
mkdir "$scratch/bin"
real=$(type -P od)
cat >"$scratch/bin/od" <<END
#!/bin/sh
[ ! -s "$scratch/left" ] && exec $real "\$@"
sed -i 1d "$scratch/left"
[ -s "$scratch/left" ] || exit 1
exec $real "\$@"
END
chmod +x "$scratch/bin/od"
# install_failing N: the N-th secret cannot be made; 0: all can
install_failing() {
    seq "$1" >"$scratch/left"
    PATH=$scratch/bin:$PATH scripts/install "$build" "$scratch/host" /usr/local >"$scratch/said" 2>&1
}
whole() {
    grep -LE '^[0-9a-f]{64}$' "$etc"/*.keys
    grep -LE '^password = [0-9a-f]{32}$' "$etc"/*.cnf
    grep -LE '^channel_keys = /etc/loadline/channel.keys$' "$etc/loadline.conf"
}
# There are two for each key, and one for each of three accounts.
for n in 1 2 4 7; do
    rm -rf "$scratch/host"
    install_failing $n
    isnt "without secret $n an installation fails" $? 0
    empty "... and leaves nothing under its name that is not whole" "$(whole 2>/dev/null)"
    install_failing 0
    is "... and is whole when it is done again" "$? $(whole 2>&1)" "0 "
done
kept=$(cat "$etc"/*.keys "$etc"/*.cnf)
install_failing 0
is "what is there is kept" "$(cat "$etc"/*.keys "$etc"/*.cnf)" "$kept"
is "and nothing else is there" "$(cd "$etc" && echo *)" "admin.cnf audit.keys channel.keys db.cnf loadline.conf maintain.cnf workers"
done_testing
