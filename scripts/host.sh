# shellcheck shell=bash
# host.sh: what scripts/install, host-setup and host-upgrade know about a host. Sourced after common.sh.
#
# What they make is below $destdir/etc/loadline. A file that is there is kept, so it gets its name when it is whole.
# shellcheck disable=SC2154 # root is of common.sh
destdir=${destdir-}

# new_account FILE MODE: an option file with a password that nobody has.
new_account() {
    local target=$destdir/etc/loadline/$1 line password
    [ ! -e "$target" ] || return 0
    install -m "$2" /dev/null "$target.part"
    password=$(secret)
    while IFS= read -r line; do
        [ "$line" != "password =" ] || line="$line $password"
        printf '%s\n' "$line"
    done <"$root/etc/$1" >"$target.part"
    mv "$target.part" "$target"
}

# new_key FILE: URLs and secrets of channels are encrypted with channel.keys, and the audit trail is chained with
# audit.keys.
new_key() {
    local target=$destdir/etc/loadline/$1 key
    [ ! -e "$target" ] || return 0
    install -m 640 /dev/null "$target.part"
    key=$(secret)
    key+=$(secret)
    echo "$key" >"$target.part"
    mv "$target.part" "$target"
}

# new_configuration: a new one names these keys. One that is there is kept, and docs/operations.md tells what to do.
new_configuration() {
    local target=$destdir/etc/loadline/loadline.conf
    [ ! -e "$target" ] || return 0
    install -m 640 "$root/etc/loadline.conf" "$target.part"
    sed -i 's|^#channel_keys =$|channel_keys = /etc/loadline/channel.keys|
        s|^#audit_keys =$|audit_keys = /etc/loadline/audit.keys|' "$target.part"
    mv "$target.part" "$target"
}

configure() {
    install -d "$destdir/etc/loadline"
    new_configuration
    new_key channel.keys
    new_key audit.keys
    new_account db.cnf 640
    new_account maintain.cnf 640
    new_account admin.cnf 600
}

# ---- a running host: as root, without $destdir

# shellcheck disable=SC2034 # for those that source this
programs=$(awk '/^[a-z]/ { print $1 }' "$root/etc/workers")

# Files of others that may include ours.
including=(/etc/lighttpd/lighttpd.conf /etc/apache2/sites-available/loadline.conf /etc/nftables.conf)

# keep_previous PREFIX: an installation as it is, so that loadline-upgrade can put it back. debian/loadline.preinst does
# the same. One that is kept already stays: it is of before an upgrade that is not through, and what is installed now may
# be the new programs, or half of them.
keep_previous() {
    local files=() kept=/var/lib/loadline/previous.tar
    [ -d "$1/lib/loadline" ] && [ -e /etc/loadline/loadline.conf ] && [ ! -e "$kept" ] || return 0
    mapfile -t files < <(ls -d "$1"/{lib,share}/loadline "$1"/bin/loadline-* {"$1",}/lib/systemd/system/loadline* \
        /etc/cron.d/loadline /etc/systemd/system/loadline.target.wants 2>/dev/null || true
        grep -ls "$1/share/loadline" "${including[@]}" || true)
    install -d -m 700 /var/lib/loadline
    # Whole or not at all.
    (umask 077 && tar -C / -cpf "$kept.new" "${files[@]#/}")
    sync "$kept.new"
    mv -f "$kept.new" "$kept"
}

# as_loadline COMMAND...
as_loadline() {
    runuser -u loadline -- "$@"
}

with_systemd() {
    [ -d /run/systemd/system ]
}

# make_user: and the directories that it writes to.
make_user() {
    getent passwd loadline >/dev/null ||
        useradd --system --home /nonexistent --no-create-home --shell /usr/sbin/nologin loadline
    install -d -o loadline -g loadline -m 750 /var/log/loadline
    install -d -m 700 /var/lib/loadline /var/lib/loadline/backups
}

own_files() {
    local file
    for file in loadline.conf db.cnf maintain.cnf channel.keys audit.keys; do
        [ ! -e "/etc/loadline/$file" ] || chown loadline "/etc/loadline/$file"
    done
}

# server_root COMMAND...: mariadb as root of a server on this host, by its own socket.
server_root() {
    mariadb --no-defaults --protocol=socket --batch --skip-column-names "$@"
}

# database_is_here: whether this host's root may change the accounts of the server that admin.cnf names.
database_is_here() {
    grep -q '^socket *=' /etc/loadline/admin.cnf && server_root -e 'SELECT 1' >/dev/null 2>&1
}

# ask_database SQL: as the account that changes the schema.
ask_database() {
    mariadb --defaults-file=/etc/loadline/admin.cnf --batch --skip-column-names -e "$1"
}

# make_accounts: makes them, or gives them the rights and passwords of now.
make_accounts() {
    "$root/scripts/accounts" | server_root
}

# answer_of PATH: what the programs say, without a web server and a socket in between: the head and the body. What they
# complain of is on standard error.
answer_of() {
    as_loadline env -i LOADLINE_CONF=/etc/loadline/loadline.conf GATEWAY_INTERFACE=CGI/1.1 REQUEST_METHOD=GET \
        REQUEST_URI="$1" REMOTE_ADDR=127.0.0.1 "${root%/share/loadline}/lib/loadline/cgi-bin/status.fcgi"
}

# web_server: the one that serves Loadline on this host, else nothing: its unit.
web_server() {
    local unit
    for unit in loadline-lighttpd apache2 lighttpd; do
        case $unit in
        loadline-lighttpd) [ -e /etc/loadline/lighttpd.conf ] || continue ;;
        apache2) grep -qs loadline /etc/apache2/sites-enabled/* || continue ;;
        lighttpd) grep -qs loadline /etc/lighttpd/lighttpd.conf || continue ;;
        esac
        echo "$unit"
        return
    done
}

# tried_for SECONDS COMMAND...: true as soon as the command is.
tried_for() {
    local tries=$(($1 * 5))
    shift
    until "$@"; do
        [ $((tries--)) -gt 0 ] || return 1
        sleep 0.2
    done
}

# workers_are_up: each pool has its socket, and all that keep it.
workers_are_up() {
    local program
    for program in $programs; do
        [ -S "/run/loadline/$program.sock" ] && systemctl --quiet is-active "loadline@$program" || return 1
    done
}
