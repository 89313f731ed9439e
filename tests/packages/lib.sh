# shellcheck shell=bash disable=SC2034 # variables are for the tests
# lib.sh: bare hosts of Debian 12 that boot with systemd, in containers without a network. Sourced first; it changes to
# the repository. Only root can do this. Needed: scripts/setup --packaging, make deb, and Debian's mirror for the first
# run: what was fetched stays below build/packages.
#
#   host NAME          boots one; each begins as a Debian with a MariaDB, and has the packages in /packages
#   on COMMAND...      runs it there, as root
#   sh_on SCRIPT       the same for a line of shell
#   power_off, boot    stops it, and starts it again with what it had
#   host_off           ends it; what it has left is below $host_root until the test ends
#   call METHOD PATH [curl's options]    asks it; sets status and body
#   listing, accounts_of, healthy       what there is; whether /health says ok
#
# One test at a time: hosts share the control groups of the machine, and systemd in one would end processes of another.
#
# LOADLINE_MIRROR: where Debian comes from, when not from debootstrap's own.
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
. tests/tap.sh
[ "$(id -u)" -eq 0 ] || skip_all "only root can make a host"
command -v systemd-nspawn debootstrap >/dev/null || skip_all "scripts/setup --packaging installs what is missing"
export LC_ALL=C.UTF-8

exec 9>/run/lock/loadline-packages
flock -w 1200 9 || { echo "Bail out! another host runs here (/run/lock/loadline-packages)"; exit 1; }
store=$PWD/build/packages
work=$(mktemp -d)
nspawn='' leader='' host_root=''
# What a host has before Loadline comes. The rest is fetched beforehand and installed by the test.
bare='systemd systemd-sysv dbus mariadb-server curl logrotate'
with_lighttpd='lighttpd lighttpd-mod-openssl lighttpd-mod-deflate lighttpd-modules-lua'
later='spawn-fcgi multiwatch libjs-dygraphs openssl procps jq libfcgi0ldbl libinih1 libisal2 libjson-c5 libmariadb3 liboath0 libqrencode4 libscrypt0 libseccomp2 libzxcvbn0 libyaml-0-2 libarchive13 ca-certificates'

clean_up() {
    host_off
    rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 1' INT TERM HUP

# base: made once for each list of packages, and never booted.
base() {
    local base
    base=$store/base-$(echo "$bare $later" | sha256sum | cut -c1-12)
    if [ ! -e "$base" ]; then
        mkdir -p "$store"
        rm -rf "$base.new"
        {
            # shellcheck disable=SC2086 # lists; a mirror or none
            debootstrap --variant=minbase bookworm "$base.new" ${LOADLINE_MIRROR-} &&
                cp /etc/resolv.conf "$base.new/etc/" && printf '#!/bin/sh\nexit 101\n' >"$base.new/usr/sbin/policy-rc.d" &&
                chmod 755 "$base.new/usr/sbin/policy-rc.d" &&
                DEBIAN_FRONTEND=noninteractive chroot "$base.new" sh -ec "apt-get update
                    apt-get install -y --no-install-recommends $bare
                    apt-get install -y --no-install-recommends --download-only $(tr '\n' ' ' <<<"$later") $with_lighttpd apache2" &&
                rm "$base.new/usr/sbin/policy-rc.d" && rm -f "$base.new/etc/resolv.conf" && mv "$base.new" "$base"
        } >"$store/base.log" 2>&1 </dev/null || { tail -n 5 "$store/base.log" >&2; echo "Bail out! no bare host (build/packages/base.log)"; exit 1; }
    fi
    echo "$base"
}

host() {
    host_files "$1"
    boot
}

# host_files NAME: its files, without booting it: $host_root.
host_files() {
    local lower
    host_off
    lower=$(base) || exit 1
    mkdir -p "$work/$1"
    mount -t tmpfs -o mode=755 tmpfs "$work/$1"
    mkdir "$work/$1/upper" "$work/$1/work" "$work/$1/root"
    host_root=$work/$1/root
    mount -t overlay -o "lowerdir=$lower,upperdir=$work/$1/upper,workdir=$work/$1/work" overlay "$host_root"
    echo host.loadline.example >"$host_root/etc/hostname"
    echo "127.0.0.1 host.loadline.example localhost" >"$host_root/etc/hosts"
    mkdir "$host_root/packages"
    cp build/deb/loadline*.deb "$host_root/packages"
    rm -f "$host_root"/packages/*dbgsym*
}

boot() {
    systemd-nspawn -q -D "$host_root" --boot --register=no --keep-unit --private-network --console=pipe >"$work/console" 2>&1 </dev/null &
    nspawn=$!
    within 60 up || { tail "$work/console" >&2; echo "Bail out! the host does not boot"; exit 1; }
}

up() {
    leader=$(pgrep -P "$nspawn" | head -1)
    [ -n "$leader" ] && case $(on systemctl is-system-running 2>/dev/null) in running | degraded) return 0 ;; *) return 1 ;; esac
}

on() {
    nsenter -t "$leader" -a env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 HOME=/root DEBIAN_FRONTEND=noninteractive "$@" </dev/null
}

sh_on() {
    on bash -c "$1"
}

power_off() {
    [ -n "$nspawn" ] || return 0
    on systemctl poweroff >/dev/null 2>&1 || true
    within 30 gone || kill -KILL "$nspawn" 2>/dev/null
    wait "$nspawn" 2>/dev/null
    nspawn=''
}

host_off() {
    [ -n "$host_root" ] || return 0
    power_off
    umount "$host_root" "${host_root%/root}"
    host_root=''
}

gone() {
    ! kill -0 "$nspawn" 2>/dev/null
}

# dependencies lighttpd|apache2: what stays when Loadline goes.
dependencies() {
    local wanted=$later
    if [ "$1" = lighttpd ]; then wanted="$wanted $with_lighttpd"; else wanted="$wanted $1"; fi
    # shellcheck disable=SC2086 # a list
    on apt-get install -y --no-install-recommends $wanted >"$work/apt" 2>&1 || diag "$(tail -n 5 "$work/apt")"
}

# install_packages PACKAGE...: ours by name, with what they depend on.
install_packages() {
    local files=() package
    for package; do files+=("$(cd "$host_root" && find packages -name "${package}_*.deb" -printf '/%p')"); done
    on apt-get install -y --no-install-recommends "${files[@]}" >"$work/apt" 2>&1 || { tail -n 15 "$work/apt" | sed 's/^/# /' >&2; return 1; }
}

call() {
    local said
    said=$(on curl -sSk -m 60 -w '\n%{http_code}' -X "$1" -H 'Content-Type: application/json' "${@:3}" "https://host.loadline.example$2" 2>&1)
    status=${said##*$'\n'} body=${said%$'\n'*}
}

json() {
    jq -r "$@" <<<"$body" 2>/dev/null || echo "not json: ${body:0:200}"
}

# listing: the files of the host, but for what its own services write.
listing() {
    sh_on 'cd /; find etc usr lib/systemd var/lib var/log var/cache run/systemd/system -xdev \( -path var/lib/mysql -o -path var/lib/dpkg -o -path var/lib/apt \
        -o -path var/cache -o -path var/log/journal -o -path var/log/apt -o -path var/lib/systemd -o -path var/lib/logrotate -o -path usr/share/mime \) -prune -o \( -type f -o -type l -o -type d \) -print | sort'
}

# accounts_of: the database's accounts, roles and schemata.
accounts_of() {
    sql "SELECT user, host FROM mysql.user UNION SELECT schema_name, '' FROM information_schema.schemata ORDER BY 1, 2"
}

healthy() {
    call GET /health && [ "$status" = 200 ]
}

sql() {
    on mariadb --batch --skip-column-names -e "$1"
}

# sign_up: sets token and api_key.
sign_up() {
    call POST /api/auth/signup --data-binary '{"company": "Shop", "email": "you@shop.example", "password": "an-unlikely-horse-7"}'
    token=$(json .token) api_key=$(json .apiKey)
}

# push_sample CLUSTER: the sample of the repository, which every edition reads.
push_sample() {
    cp etc/sample/shop.json "$host_root/root/shop.json"
    call POST /ingest -H "X-API-Key: $api_key" -H "X-Cluster-Id: $1" --data-binary @/root/shop.json
}

# gate CLUSTER: decision and score.
gate() {
    call POST /api/validate -H "X-API-Key: $api_key" --data-binary "{\"cluster_id\": \"$1\"}"
    json '"\(.decision) \(.csc_score)"'
}

within() {
    local end=$(($(date +%s) + $1))
    shift
    until "$@" >/dev/null 2>&1; do
        [ "$(date +%s)" -lt $end ] || return 1
        sleep 0.1
    done
}
