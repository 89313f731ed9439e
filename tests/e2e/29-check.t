#!/bin/bash
# loadline-admin check: what is wrong on a host, a line each, and what to do about it.
# shellcheck disable=SC2154 # lib.sh sets them
. "$(dirname "$0")/lib.sh"
own_stack

# check [OPTION]...: sets said, code and lines, which is "state check" a line
check() {
    said=$(LOADLINE_CONF=${conf-$stack_dir/loadline.conf} "${without_rights[@]}" "$build/bin/loadline-admin" check "$@" 2>"$scratch/err")
    code=$?
    lines=$(sed -E 's/^([a-z]+) +(last run|[a-z_]+) .*/\1 \2/' <<<"$said")
}
# finds WHAT STATE CHECK TEXT: one line of it, that text in it, and the exit status of that state.
finds() {
    is "$1" "$(grep -c "^$2 $3\$" <<<"$lines")" 1
    like "... and it says what, where and what to do" "$(grep "^$2 *$3 " <<<"$said")" "$4"
    is "... exit status" "$code" "$([ "$2" = wrong ] && echo 1 || echo 0)"
}
# Even root may not read everything then.
without_rights=()
cap() { if [ "$(id -u)" -eq 0 ]; then echo setpriv --bounding-set=-dac_override,-dac_read_search; fi; }

check
# The machine of a test may have no NTP, and little room.
is "a stack that is well" "$code $(grep -cE '^(wrong|warn)' <<<"$(grep -vE ' (clock|disk|notifier)$' <<<"$lines")")" "0 0"
is "every check has a line" "$(awk '{ $1 = ""; print }' <<<"$lines" | xargs)" \
    "configuration database schema maintenance channel_keys audit_keys workers notifier mail last run certificate clock disk"
check --json
is "--json has the same" "$(jq -r '.[] | "\(.state) \(.check)"' <<<"$said")" "$(conf=$stack_dir/loadline.conf; check; echo "$lines")"

# ---- the configuration
cp "$stack_dir/loadline.conf" "$scratch/good"
conf=$scratch/none
check
finds "no configuration" wrong configuration 'none: No such file.*loadline-setup'
conf=$scratch/mistyped
{ cat "$scratch/good"; echo "stale_wran = 3"; } >"$conf"
check
finds "a mistyped key" wrong configuration "mistyped:$(wc -l <"$conf"): unknown key \"stale_wran\".*Mend that line"
is "nothing else is looked at" "$(wc -l <<<"$said")" 1
mapfile -t without_rights < <(cap | tr ' ' '\n')
chmod 000 "$conf"
check
finds "one that may not be read" wrong configuration 'mistyped: Permission denied\. Run this as root'
said=$(LOADLINE_CONF=$conf "${without_rights[@]}" "$build/bin/loadline-admin" tenants 2>&1)
like "other commands say so, too" "$? $said" "^1 loadline-admin: $conf: Permission denied\. Run this as root"

# ---- the database
conf=$stack_dir/loadline.conf
mode=$(stat -c %a "$stack_dir/db.cnf")
chmod 000 "$stack_dir/db.cnf"
check
finds "an option file that may not be read" wrong database 'db.cnf: Permission denied\. Run this as root'
said=$(LOADLINE_CONF=$conf "${without_rights[@]}" "$build/bin/loadline-admin" tenants 2>&1)
like "other commands do not call the database away" "$? $said" "^1 loadline-admin: $stack_dir/db.cnf: Permission denied"
chmod "$mode" "$stack_dir/db.cnf"
without_rights=()
cp "$stack_dir/maintain.cnf" "$scratch/maintain.cnf"
sed -i 's/^password=.*/password=wrong/' "$stack_dir/maintain.cnf"
check
finds "a password that is not the account's" wrong maintenance 'maintain.cnf: Access denied for user.*loadline-accounts'
cp "$scratch/maintain.cnf" "$stack_dir/maintain.cnf"
newest=$(sql 'SELECT MAX(number) FROM schema_migrations')
sql "UPDATE schema_migrations SET state = 'applying' WHERE number = $newest"
check
finds "an older schema" wrong schema "migration $((newest - 1)), but these programs want $newest.*loadline-upgrade"
sql "UPDATE schema_migrations SET state = 'applied' WHERE number = $newest"
mv "$stack_dir/audit.keys" "$scratch/"
check
finds "keys that are gone" wrong audit_keys 'audit.keys.*Put your copy'
mv "$scratch/audit.keys" "$stack_dir/"

# ---- workers
watcher=$(leaders "$stack_dir" | sed -n 's/^rules //p')
kill -STOP "$watcher"
mapfile -t victims < <(pids_of rules.fcgi)
kill -9 "${victims[@]}"
wait_gone 5 "${victims[@]}"
check
finds "a program without workers" wrong workers 'rules has none.*systemctl status loadline@rules'
kill -CONT "$watcher"
again() { check && grep -q '^ok workers$' <<<"$lines"; }
ok "it is well again" within 5 again
mv "$stack_dir/sock/risks.sock" "$scratch/"
check
finds "a socket that is gone" wrong workers 'risks.sock: No such file.*systemctl restart loadline@risks'
mv "$scratch/risks.sock" "$stack_dir/sock/"

# ---- maintenance
check
finds "maintenance that has not run since the start" ok 'last run' 'due within the hour'
touch -d '-3 hours' "$stack_dir/waiting"
check
finds "for hours" wrong 'last run' 'has not ended well for two hours: .*loadline-maintain.timer'
LOADLINE_CONF=$conf "$build/bin/loadline-maintain" --dry-run >/dev/null 2>&1
check
finds "a dry run is none" wrong 'last run' 'has not ended'
LOADLINE_CONF=$conf "$build/bin/loadline-maintain" --hurry >/dev/null 2>&1
check
finds "it has" ok 'last run' "ended well at $(date -u +%Y-%m-%d)"
touch -d '-3 hours' "$stack_dir/maintain.done"
check
finds "not for hours" wrong 'last run' "two hours, since $(date -u -d '-3 hours' +%Y-%m-%d)"
touch "$stack_dir/maintain.done"

# ---- the certificate
# certificate NAME DAYS [TYPE]: $scratch/NAME.pem, for that DNS name or IP address.
certificate() {
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days "$2" -subj "/CN=$1" -addext "subjectAltName=${3-DNS}:$1" \
        -keyout "$scratch/key" -out "$scratch/$1.pem" 2>/dev/null
    cat "$scratch/key" >>"$scratch/$1.pem"
}
conf=$scratch/with-name
{ cat "$scratch/good"; echo "public_url = https://a.example:8443/x"; } >"$conf"
certificate a.example 90
check --certificate "$scratch/a.example.pem"
finds "a certificate" ok certificate 'a.example.pem is good for (89|90) more days'
certificate a.example 10
check --certificate "$scratch/a.example.pem"
finds "one that ends soon" warn certificate 'good for (9|10) more days\. Renew it'
{ sed -n '/BEGIN CERT/,/END CERT/p' "$scratch/a.example.pem"; openssl ecparam -name prime256v1 -genkey -noout; } >"$scratch/mixed.pem"
check --certificate "$scratch/mixed.pem"
finds "another's key" wrong certificate 'mixed.pem: its key is missing, or belongs to another'
sed -n '/BEGIN CERT/,/END CERT/p' "$scratch/a.example.pem" >"$scratch/bare.pem"
check --certificate "$scratch/bare.pem"
finds "no key" wrong certificate 'its key is missing'
certificate b.example 90
check --certificate "$scratch/b.example.pem"
finds "another name" wrong certificate 'b.example.pem is not for a.example, which public_url names'
for host in 192.0.2.1 '[2001:db8::1]'; do
    address=${host//[][]/}
    { cat "$scratch/good"; echo "public_url = https://$host:8443/x"; } >"$conf"
    certificate "$address" 90 IP
    check --certificate "$scratch/$address.pem"
    finds "one for the address $address" ok certificate "$address.pem is good for (89|90) more days"
    check --certificate "$scratch/b.example.pem"
    finds "... and one that is not" wrong certificate "b.example.pem is not for $address, which public_url names"
done
{ cat "$scratch/good"; echo "public_url = https://a.example:8443/x"; } >"$conf"
faketime -f '-400d' openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 390 -subj /CN=a.example -keyout "$scratch/key" -out "$scratch/old.pem" 2>/dev/null
cat "$scratch/key" >>"$scratch/old.pem"
check --certificate "$scratch/old.pem"
finds "one that is over" wrong certificate 'old.pem is over since (9|10|11) days.*Renew it'
echo nonsense >"$scratch/nonsense.pem"
check --certificate "$scratch/nonsense.pem"
finds "none" wrong certificate 'nonsense.pem has no certificate in PEM'
check --certificate "$scratch/nowhere.pem"
finds "no file" wrong certificate 'nowhere.pem: No such file'

# ---- the disk, the clock
conf=$scratch/elsewhere
sed "s|^spool_directory.*|spool_directory = $scratch/nowhere|" "$scratch/good" >"$conf"
check
finds "a directory that is gone" wrong disk 'nowhere: No such file'
conf=$stack_dir/loadline.conf
said=$(LOADLINE_CONF=$conf faketime -f '+90s' "$build/bin/loadline-admin" check)
code=$? lines=$(awk '{ print $1, $2 }' <<<"$said")
finds "a clock that is wrong" wrong clock '(89|90|91) seconds apart.*NTP'

# ---- the notifier
runs() { check; grep -q '^ok notifier$' <<<"$lines"; }
ok "the notifier is seen" within 5 runs
read_only() { mariadb --no-defaults --socket="$stack_dir/sock/mariadb.sock" -e "SET GLOBAL read_only = $1"; }
account Example
read_only 1
check
finds "a database that is read-only" wrong database "db\.cnf: The server is read-only\. It is a replica, or somebody has set it so: SET GLOBAL read_only = 0$"
like "other commands say so, too" "$(LOADLINE_CONF=$stack_dir/loadline.conf "$build/bin/loadline-admin" plan "$tenant" professional 2>&1)" \
    'loadline-admin: The [^.]*--read-only option[^.]*\. loadline-admin check tells what to do\.$'
read_only 0
kill -STOP "$(leaders "$stack_dir" | sed -n 's/^notify //p')"
notifier=$(pids_of loadline-notify)
kill -9 "$notifier"
wait_gone 5 "$notifier"
check
finds "no notifier" wrong notifier 'loadline-notify does not run.*cron'

# ---- one that mails alone
conf=$scratch/mails
{ cat "$scratch/good"; printf 'public_url = https://loadline.example\nmail_from = a@loadline.example\nmail_program = /bin/true\n'; } >"$conf"
check
finds "letters that nobody mails" wrong mail 'nothing runs /bin/true.*systemctl restart loadline-mail, or look at cron'
LOADLINE_CONF=$conf "$build/bin/loadline-notify" --only mail --for 60 2>/dev/null &
mailer=$!
mails() { check; grep -q '^ok mail$' <<<"$lines"; }
ok "one that mails is seen" within 5 mails
finds "it delivers no alerts" wrong notifier 'loadline-notify does not run'
kill "$mailer"
wait "$mailer"
is "told to stop it ends well" "$?" 0
LOADLINE_CONF=$scratch/mistyped "$build/bin/loadline-notify" 2>/dev/null
is "a notifier whose configuration is refused says so to systemd" "$?" 78
said=$("$build/bin/loadline-notify" --only letters 2>&1)
like "alerts or mail, nothing else" "$? $said" '^2 loadline-notify: --only is alerts or mail, not letters'
conf=$stack_dir/loadline.conf

kill -STOP "$(leaders "$stack_dir" | sed -n 's/^mariadb //p')"
kill -9 "$(pids_of mariadbd)"
# The kernel closes its socket a moment after the process is gone. Until then it says "lost connection".
refuses() { mariadb --no-defaults --socket="$stack_dir/sock/mariadb.sock" -e 'SELECT 1' 2>&1 | grep -q "Can't connect"; }
ok "a database that was killed refuses" within 5 refuses
check
finds "a database that is away" wrong database "db.cnf: Can't connect to local server.*systemctl status mariadb"
is "the rest is looked at all the same" "$(grep -c '^ok workers$' <<<"$lines")" 1
kill -CONT "$(leaders "$stack_dir" | sed -n 's/^mariadb //p')"
done_testing
