#!/bin/bash
# Under systemd: what is killed comes back, however often; alerts and letters leave; a configuration that is refused stops a
# unit and does not make it cycle.
. "$(dirname "$0")/lib.sh"
host units
dependencies lighttpd
ok "the packages install" install_packages loadline loadline-lighttpd
ok "and are set up" on loadline-setup
sign_up
is "an account" "$status" 201

of_unit() { on systemctl show -p "$1" --value "$2"; }
workers() { on pgrep -cx "$1.fcgi"; }
# has PROGRAM COUNT: so many workers, and they answer
has() { [ "$(workers "$1")" = "$2" ] && healthy; }
takes_pushes() { push_sample shop && [ "$status" = 200 ]; }
ok "pushes are taken" takes_pushes
wanted=$(workers ingest)

# ---- workers: their watcher fills each place again, and systemd has nothing to do
for _ in 1 2 3 4 5 6; do
    on pkill -KILL -x ingest.fcgi
    sh_on "until pgrep -x ingest.fcgi >/dev/null; do sleep 0.01; done"
done
ok "all workers killed six times in a row: each place is filled" within 10 has ingest "$wanted"
ok "pushes are taken" takes_pushes
is "systemd did not have to start the pool again" "$(of_unit NRestarts loadline@ingest)" 0
killed=$(on pgrep -c '\.fcgi$')
on pkill -KILL '\.fcgi$'
all_there() { [ "$(on pgrep -c '\.fcgi$')" = "$killed" ] && healthy; }
ok "the workers of every program at once" within 10 all_there
is "loadline-admin check finds nothing wrong" "$(on loadline-admin check | grep '^wrong')" ""

# ---- the watcher: systemd starts the pool anew
watcher='' killed_before='' watchers=0
# MainPID is 0 while there is none, and kill 0 would end this test.
another() { watcher=$(of_unit MainPID loadline@ingest) && [[ $watcher =~ ^[1-9] && $watcher != "$killed_before" ]]; }
for _ in 1 2 3 4 5 6; do
    within 30 another && watchers=$((watchers + 1)) && on kill -KILL "$watcher"
    killed_before=$watcher
done
is "six watchers in a row are killed" "$watchers" 6
ok "there is a seventh" within 30 another
ok "with all its workers" within 10 has ingest "$wanted"
ok "pushes are taken" takes_pushes
on pkill -KILL -x multiwatch
ok "the watchers of every program at once" within 30 all_there
on pkill -KILL -x loadline-notify
notifies() { [ "$(on pgrep -cx loadline-notify)" = 1 ]; }
ok "the notifier" within 10 notifies
on pkill -KILL -x -u loadline-web lighttpd
ok "the web server" within 10 healthy
is "loadline-admin check finds nothing wrong" "$(on loadline-admin check | grep '^wrong')" ""
is "no unit has failed" "$(on systemctl list-units --no-legend --state=failed)" ""

# ---- alerts
cat >"$host_root/root/receiver.pl" <<'END'
use IO::Socket::INET;
my $server = IO::Socket::INET->new(LocalAddr => "127.0.0.1", LocalPort => 9099, Listen => 5, ReuseAddr => 1) or die;
open my $kept, ">>", "/root/alerts" or die;
while (my $client = $server->accept) {
    my $length = 0;
    while (<$client>) { $length = $1 if /^content-length: *(\d+)/i; last if /^\r?$/ }
    read $client, my $body, $length;
    print $kept "$body\n";
    $kept->flush;
    print $client "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    close $client;
}
END
on systemd-run -q --unit=receiver perl /root/receiver.pl
sh_on 'printf "webhook_allow = 127.0.0.0/8\nwebhook_allow_http = 1\n" >>/etc/loadline/loadline.conf'
said=$(on loadline-admin reload 2>&1)
like "a new configuration" "$? $said" '^0 '
ok "the notifier takes it, too" within 10 notifies
call POST /api/notifications/channels -H "Authorization: Bearer $token" --data-binary '{"type": "webhook", "webhookUrl": "http://127.0.0.1:9099/"}'
is "a channel" "$status" 201
call POST /api/notifications/rules -H "Authorization: Bearer $token" --data-binary '{"condition": "score_drop", "threshold": 100}'
is "a rule" "$status" 201
ok "a push that it is for" takes_pushes
arrived() { sh_on "grep -q '\"event\": *\"Score Drop\"' /root/alerts"; }
ok "the alert arrives" within 20 arrived

# ---- mail: by a program that may become somebody else
on install -d -o loadline /var/letters
cat >"$host_root/usr/local/bin/sendmail" <<'END'
#!/bin/sh
{ sed -n 's/^NoNewPrivs:[[:space:]]*/may not become others: /p' /proc/self/status; echo "arguments: $*"; cat; } >/var/letters/new
mv /var/letters/new /var/letters/letter
END
chmod 755 "$host_root/usr/local/bin/sendmail"
sh_on 'printf "mail_program = /usr/local/bin/sendmail\nmail_from = loadline@host.example\n" >>/etc/loadline/loadline.conf'
like "a mail program that nothing runs yet is wrong" "$(on loadline-admin check)" 'wrong +mail +nothing runs /usr/local/bin/sendmail.*systemctl restart loadline-mail'
ok "the configuration of now" on loadline-admin reload
ok "the unit starts" on systemctl restart loadline-mail
mails() { [ "$(on systemctl is-active loadline-mail)" = active ] && on loadline-admin check | grep -q '^ok  *mail '; }
ok "and is seen" within 10 mails
call POST /api/links/reset --data-binary '{"email": "you@shop.example"}'
letter() { on test -e /var/letters/letter; }
ok "a letter leaves" within 20 letter
like "by a program that may become another user" "$(on cat /var/letters/letter)" '^may not become others: 0.*To: you@shop.example'
confined() { sh_on 'grep -q "^NoNewPrivs:[[:space:]]*1$" "/proc/$(systemctl show -p MainPID --value loadline-notify)/status"'; }
ok "the notifier may not" within 10 confined
diag "$(sh_on 'systemd-analyze security --no-pager loadline-mail.service' | sed -n 's/.*exposure/exposure of loadline-mail: exposure/p')"
sh_on 'sed -i "/^mail_/d" /etc/loadline/loadline.conf && systemctl restart loadline.target'
stopped() { [ "$(on systemctl is-active loadline-mail)" = inactive ]; }
ok "without a mail program it does not run" within 10 stopped
is "and has not failed" "$(on systemctl is-failed loadline-mail)" inactive

# ---- a configuration that is refused
ok "all answers" within 20 healthy
sh_on 'echo "stale_wran = 3" >>/etc/loadline/loadline.conf; systemctl restart loadline-notify'
refused_notify() { [ "$(on systemctl is-failed loadline-notify)" = failed ]; }
ok "the notifier fails" within 10 refused_notify
is "and is not started again and again" "$(of_unit NRestarts loadline-notify)" 0
is "its status is that of a configuration" "$(of_unit ExecMainStatus loadline-notify)" 78
like "its log says where it is wrong" "$(on journalctl -q -u loadline-notify -n 5)" 'loadline.conf:[0-9]+: unknown key "stale_wran"'
sh_on 'sed -i "/^stale_wran/d" /etc/loadline/loadline.conf; systemctl restart loadline.target'
ok "mended, it runs" within 20 notifies

# ---- the host starts anew
power_off
boot
ok "after a reboot all is back" within 30 all_there
ok "pushes are taken" takes_pushes
is "no unit has failed" "$(on systemctl list-units --no-legend --state=failed)" ""
done_testing
