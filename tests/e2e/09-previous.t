#!/bin/bash
# What loadline-upgrade puts back when it fails: the programs that ran before, however often an upgrade was begun.
. "$(dirname "$0")/lib.sh"
enter=(unshare --mount)
[ "$(id -u)" = 0 ] || enter=(unshare --user --map-root-user --mount)
"${enter[@]}" true 2>/dev/null || skip_all "nobody may make a root of their own here"

# on_host COMMAND...: in a root of its own, whose /etc, /var and /usr/local are empty at first, and stay until empty_host.
host=$scratch/host
on_host() {
    mkdir -p "$host"/{etc,var/lib,tmp,dev,proc,usr,"$PWD"} "$scratch/local"
    cp -a /etc/{alternatives,ld.so.cache} "$host/etc/"
    # shellcheck disable=SC2016 # for the shell that is started
    "${enter[@]}" bash -ec 'host=$1 local=$2
        for dir in dev proc usr "${PWD#/}"; do mount --rbind "/$dir" "$host/$dir"; done
        mount --bind "$local" "$host/usr/local"
        for dir in bin sbin lib lib64; do [ -e "$host/$dir" ] || [ ! -e "/$dir" ] || ln -s "usr/$dir" "$host/$dir"; done
        exec chroot "$host" bash -c "cd \"\$0\" && exec \"\$@\"" "$PWD" "${@:3}"' - "$host" "$scratch/local" "$@" </dev/null
}
empty_host() {
    rm -rf "$host" "$scratch/local"
}
# there_is VERSION: it runs on this host, installed by make install.
there_is() {
    mkdir -p "$host/etc/loadline" "$scratch/local/lib/loadline/cgi-bin" "$scratch/local/share/loadline"
    touch "$host/etc/loadline/loadline.conf"
    echo "$1" >"$scratch/local/lib/loadline/cgi-bin/auth.fcgi"
}
kept() {
    tar -xOf "$host/var/lib/loadline/previous.tar" usr/local/lib/loadline/cgi-bin/auth.fcgi 2>&1 | tr -d "\0" | head -c 100
}
install_here() {
    on_host scripts/install "$build" "" /usr/local >"$scratch/said" 2>&1 || diag "$(tail -5 "$scratch/said")" >&2
}
before_the_package() {
    on_host sh debian/loadline.preinst upgrade 1.0.0 >"$scratch/said" 2>&1 || diag "$(tail -5 "$scratch/said")" >&2
}

while read -r begin; do
    empty_host
    there_is first
    $begin
    is "$begin: what runs is kept" "$(kept)" first
    is "... for root alone" "$(stat -c %a "$host/var/lib/loadline/previous.tar")" 600
    there_is second
    $begin
    is "... also when an upgrade that was killed is begun again" "$(kept)" first
    rm "$host/var/lib/loadline/previous.tar"
    $begin
    isnt "... until one is through" "$(kept)" first
    rm "$host/var/lib/loadline/previous.tar"
    there_is third
    echo half >"$host/var/lib/loadline/previous.tar.new"
    $begin
    is "... and one that was killed while it kept them keeps them anew" "$(kept)" third
    is "... and leaves nothing else" "$(ls "$host/var/lib/loadline")" previous.tar
    rm "$host/var/lib/loadline/previous.tar" "$host/etc/loadline/loadline.conf"
    $begin
    ok "... a host that is not set up has nothing to go back to" test ! -e "$host/var/lib/loadline/previous.tar"
done <<'END'
install_here
before_the_package
END
there_is first
install_here
on_host scripts/uninstall "" /usr/local >"$scratch/said" 2>&1
ok "who uninstalls does not get it back one day" test ! -e "$host/var/lib/loadline/previous.tar"
done_testing
