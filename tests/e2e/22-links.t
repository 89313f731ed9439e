#!/bin/bash
# How people get in: signup that is open, by invitation or closed; members who are invited; passwords and
# e-mail addresses by a link. A link works once, for some time, for one person.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh

# mails: takes them as sendmail does; each is a file
mkdir "$scratch/mail"
cat >"$scratch/sendmail" <<END
#!/bin/sh
[ ! -e "$scratch/mail.broken" ] || exit 75
{ echo "arguments: \$*"; cat; } >"$scratch/mail.\$\$" && mv "$scratch/mail.\$\$" "$scratch/mail/\$(date +%s%N)"
END
chmod +x "$scratch/sendmail"
own_stack --set signup=closed --set public_url=https://loadline.example --set mail_program="$scratch/sendmail" \
    --set mail_from=loadline@example.com --set login_fail_limit=0/300 --set signup_limit=30/600 --workers people=2

# try COMPANY EMAIL [MEMBERS]: signs up
try() {
    post /api/auth/signup "{\"company\":\"$1\",\"email\":\"$2\",\"password\":\"correct-horse-1\"${3+,$3}}"
}
# mail_to ADDRESS: the newest; waits for it. Takes it away.
mail_to() {
    local file
    within "$(patient 15)" grep -rqsx "To: $1" "$scratch/mail" || return
    file=$(grep -rlx "To: $1" "$scratch/mail" | sort | tail -1)
    cat "$file"
    rm "$file"
}
link_in() {
    sed -n 's|^https://loadline.example/#/link/\(lli_[A-Za-z0-9_-]*\)$|\1|p'
}
accept() {
    post /api/links/accept "{\"token\":\"$1\",\"password\":\"${2-another-horse-2}\"}"
}
admin() {
    said=$(LOADLINE_CONF=$stack_dir/loadline.conf "$build/bin/loadline-admin" "$@" 2>"$scratch/err")
    code=$?
}
# set_conf KEY VALUE: of the stack; its people workers start anew
set_conf() {
    local pid
    sed -i "/^$1 = /d" "$stack_dir/loadline.conf"
    echo "$1 = $2" >>"$stack_dir/loadline.conf"
    for pid in $(pids_of people.fcgi); do kill "$pid"; done
    within 10 works
}
works() {
    request GET /api/auth/signup
    [ "$status" = 200 ]
}

# ---- the first account
request GET /api/auth/signup
is "without an account signup is open" "$status $(json -c .)" '200 {"signup":"open","mail":true}'
for i in 1 2 3 4; do
    curl -sS -m 60 -o /dev/null -w '%{http_code}\n' "$base_url/api/auth/signup" -H 'Content-Type: application/json' \
        -d "{\"company\":\"c\",\"email\":\"first$i@x.example\",\"password\":\"correct-horse-1\"}" >"$scratch/first.$i" &
done
wait
is "of four that would be the first one is" "$(sort "$scratch"/first.* | uniq -c | xargs)" "1 201 3 403"
is "and there is one account, of who runs this" "$(sql 'SELECT plan FROM tenants')" self_hosted
request GET /api/auth/signup
is "then it is closed" "$(json .signup)" closed
try c late@x.example
refused "also for who asks" 403 signup_closed
admin invite
is "and no links are made for it" "$code $(grep -c 'signup = invite' "$scratch/err")" "1 1"
email=$(sql 'SELECT email FROM users')
login "$email" correct-horse-1
token=$(json .token)

# ---- the address of who has signed up
mail=$(mail_to "$email")
like "mail asks whether the address is right" "$mail" $'\nSubject: Is this your address\\?\n'
is "it is handed over as sendmail wants it" "$(sed -n 1p <<<"$mail")" "arguments: -i -f loadline@example.com -- $email"
verify=$(link_in <<<"$mail")
post /api/links "{\"token\":\"$verify\"}"
is "the link tells what it is for" "$status $(json -c 'del(.expiresAt)')" "200 {\"kind\":\"email\",\"email\":\"$email\",\"company\":\"c\"}"
is "nothing is verified by looking" "$(sql 'SELECT COUNT(verified_at) FROM users')" 0
post /api/links/accept "{\"token\":\"$verify\"}"
is "accepted it says so" "$status $(json .email)" "200 $email"
is "the address is verified" "$(sql 'SELECT COUNT(verified_at) FROM users')" 1
post /api/links/accept "{\"token\":\"$verify\"}"
refused "it works once" 404 unknown_link
login "$email" correct-horse-1
is "the password is what it was" "$status" 200

# ---- members
invite() {
    ask POST /api/members "{\"email\":\"$1\",\"role\":\"${2-member}\"}"
}
invite bob@x.example
is "a member without a password is invited" "$status $(json -c '[.email, .role, .invited]')" '201 ["bob@x.example","member",true]'
like "with a link that is shown once" "$(json .invitation)" '^lli_[A-Za-z0-9_-]{43}$'
shown=$(json .invitation) bob=$(json .id)
get /api/members
is "the list says who has not come yet" "$(json -c '[.[] | .invited]')" '[true,null]'
is "the token is in no table" "$(sql "SELECT COUNT(*) FROM links WHERE token_hash = UNHEX(SHA2('$shown', 256))")" 1
login bob@x.example ''
refused "nobody signs in before" 400 invalid_field password
login bob@x.example another-horse-2
refused "whatever the password" 401 bad_login
mail=$(mail_to bob@x.example)
mailed=$(link_in <<<"$mail")
like "the link is mailed, too" "$mail" $'\nSubject: You are invited to Loadline\n'
ok "and is another one" [ "$mailed" != "$shown" ]
accept "$shown" short
refused "a password is one" 400 invalid_field password
accept "${shown%?}_"
refused "another token is none" 404 unknown_link
accept nonsense
refused "nor is something else" 404 unknown_link
for i in 1 2 3 4; do
    link=$mailed
    [ $((i % 2)) = 0 ] || link=$shown
    curl -sS -m 60 -o /dev/null -w '%{http_code}\n' "$base_url/api/links/accept" -H 'Content-Type: application/json' \
        -d "{\"token\":\"$link\",\"password\":\"another-horse-$i\"}" >"$scratch/accept.$i" &
done
wait
is "of four that accept by two links one does" "$(sort "$scratch"/accept.* | uniq -c | xargs)" "1 200 3 404"
winner=$(grep -lx 200 "$scratch"/accept.*)
login bob@x.example "another-horse-${winner##*.}"
is "whose password it is" "$status" 200
bob_token=$(json .token)
get /api/members
is "now he is a member" "$(json -c '[.[] | .invited]')" '[null,null]'
is "the trail has both" "$(audited member_invited), $(audited invitation_accepted)" "bob@x.example (member), bob@x.example"
request POST /api/members -H 'Content-Type: application/json' -H "Authorization: Bearer $bob_token" -d '{"email":"eve@x.example","role":"member"}'
refused "a member invites nobody" 403 forbidden_role
invite bob@x.example
refused "who is there is not invited" 409 email_taken
ask POST /api/members '{"email":"carol@x.example","role":"member","password":"correct-horse-1"}'
is "a first password still does" "$status $(json 'has("invitation")')" "201 false"
ask POST /api/members '{"email":"dan@x.example","role":"member","password":null}'
is "null is none" "$status $(json .invited)" "201 true"
ask POST /api/members '{"email":"dora@x.example","role":"member","password":""}'
refused "but an empty password is a mistake" 400 invalid_field password
invite dave@x.example
shown=$(json .invitation) dave=$(json .id)
sql "UPDATE links SET expires_at = NOW(3) WHERE user_id = '$dave'"
accept "$shown"
refused "a link ends" 404 unknown_link
request DELETE "/api/members?id=$dave" -H "Authorization: Bearer $token"
invite dave@x.example
shown=$(json .invitation)
request DELETE "/api/members?id=$(json .id)" -H "Authorization: Bearer $token"
accept "$shown"
refused "and goes with the member" 404 unknown_link
is "none is left" "$(sql "SELECT COUNT(*) FROM links l LEFT JOIN users u USING (user_id) WHERE u.user_id IS NULL")" 0

# ---- a new password by mail
reset() {
    post /api/links/reset "{\"email\":\"$1\"}"
}
reset nobody@x.example
is "whether there is such an account" "$status $(json -c .)" '202 {"status":"ok"}'
reset bob@x.example
is "is not said" "$status $(json -c .)" '202 {"status":"ok"}'
first=$(mail_to bob@x.example | link_in)
reset BOB@x.example
second=$(mail_to bob@x.example | link_in)
for i in 1 2 3 4; do reset bob@x.example; done
is "there are three at a time, however many ask" "$(sql "SELECT COUNT(*) FROM links WHERE user_id = '$bob'")" 3
accept "$first" a-third-horse-3
is "one sets the password" "$status" 200
accept "$second" a-fourth-horse-4
refused "the others are dead" 404 unknown_link
request GET /api/clusters -H "Authorization: Bearer $bob_token"
is "sessions are ended" "$status" 401
login bob@x.example a-third-horse-3
is "and the password is the new one" "$status" 200
is "the trail says it" "$(audited password_reset)" bob@x.example
login bob@x.example a-third-horse-3
admin_token=$token token=$(json .token)
reset bob@x.example
link=$(mail_to bob@x.example | link_in)
ask POST /api/auth/password '{"currentPassword":"a-third-horse-3","newPassword":"a-sixth-horse-6"}'
is "bob changes it himself" "$status" 200
accept "$link" a-fourth-horse-4
refused "links of before are dead" 404 unknown_link
token=$admin_token
reset bob@x.example
link=$(mail_to bob@x.example | link_in)
admin password bob@x.example <<<a-third-horse-3
is "the operator sets it" "$code" 0
accept "$link" a-fourth-horse-4
refused "then, too" 404 unknown_link
reset 'nobody'
refused "an e-mail is one" 400 invalid_field email

# ---- mail that does not go out
: >"$scratch/mail.broken"
reset carol@x.example
within "$(patient 15)" grep -q 'kind=password try=1 result=failed' "$(log_of notify)"
before=$(sql "SELECT HEX(token_hash) FROM links JOIN users USING (user_id) WHERE email = 'carol@x.example'")
rm "$scratch/mail.broken"
sql "UPDATE links SET mail_at = NOW(3), expires_at = expires_at - INTERVAL 50 MINUTE WHERE mail_at IS NOT NULL"
carol=$(mail_to carol@x.example | link_in)
ok "is tried again" [ -n "$carol" ]
ok "its hour begins when it is mailed, as it says" [ "$(sql "SELECT MAX(expires_at > NOW(3) + INTERVAL 58 MINUTE)
    FROM links JOIN users USING (user_id) WHERE email = 'carol@x.example'")" = 1 ]
is "with a token of its own" "$(sql "SELECT HEX(token_hash) = '$before' FROM links JOIN users USING (user_id) WHERE email = 'carol@x.example'")" 0
ended() {
    [ "$(sql "SELECT COUNT(mail_at) FROM links JOIN users USING (user_id) WHERE email = 'carol@x.example'")" = 0 ]
}
ok "and then not any more" within "$(patient 10)" ended ||
    diag "$(grep 'kind=password\|database' "$(log_of notify)" | tail -5; sql "SELECT kind, mail_tries, mail_at FROM links")"

# ---- loadline-admin
admin link carol@x.example
is "the operator makes a link" "$code" 0
like "of the whole address" "$said" '^https://loadline.example/#/link/lli_[A-Za-z0-9_-]{43}$'
accept "${said##*/}" a-fifth-horse-5
is "which sets the password" "$status" 200
is "a link that was shown verifies no address" "$(sql "SELECT COUNT(verified_at) FROM users WHERE email = 'carol@x.example'")" 0
is "the trail says it was made" "$(audited link_made)" carol@x.example
admin link nobody@x.example
is "for somebody who is there" "$code" 1

# ---- signup by invitation
set_conf signup invite
request GET /api/auth/signup
is "the page is told" "$(json .signup)" invite
try c new@x.example
refused "nobody signs up without a link" 403 signup_closed
try c new@x.example '"invitation":"lli_0000000000000000000000000000000000000000000"'
refused "nor with one that is none" 404 unknown_link
admin link carol@x.example
try c new@x.example "\"invitation\":\"${said##*/}\""
refused "nor with one for something else" 404 unknown_link
admin invite
like "the operator makes one" "$said" '^https://loadline.example/#/signup\?invitation=lli_[A-Za-z0-9_-]{43}$'
invitation=${said##*=}
accept "$invitation"
refused "which is not for a password" 404 unknown_link
try c bob@x.example "\"invitation\":\"$invitation\""
refused "a signup that fails" 409 email_taken
try c new@x.example "\"invitation\":\"$invitation\""
is "does not use it up" "$status" 201
try c newer@x.example "\"invitation\":\"$invitation\""
refused "one that succeeds does" 404 unknown_link

# ---- alerts by one, letters by another
notify() {
    LOADLINE_CONF=$stack_dir/loadline.conf "$build/bin/loadline-notify" "$@" 2>/dev/null
}
all_mailed() { [ "$(sql 'SELECT COUNT(*) FROM links WHERE mail_at IS NOT NULL')" = 0 ]; }
ok "what was due is mailed" within "$(patient 15)" all_mailed # a mail program would outlive its notifier
watcher=$(leaders "$stack_dir" | sed -n 's/^notify //p')
kill -STOP "$watcher"
pids_of loadline-notify | xargs kill -9
rm -f "$scratch"/mail/*
reset bob@x.example
notify --only alerts
is "one that delivers alerts mails nothing" "$? $(find "$scratch/mail" -type f | wc -l)" "0 0"
notify --only mail
is "one that mails ends well" "$?" 0
isnt "and has mailed" "$(mail_to bob@x.example | link_in)" ""

# Somebody changes the user while a letter to them is due.
user=$(sql "SELECT user_id FROM loadline.users WHERE email = 'bob@x.example'")
reset bob@x.example
sql "BEGIN; SELECT user_id FROM loadline.users WHERE user_id = '$user' FOR UPDATE; SELECT SLEEP(5); ROLLBACK" >/dev/null &
locker=$!
is_locked() {
    [ "$(sql "SELECT COUNT(*) FROM (SELECT user_id FROM loadline.users WHERE user_id = '$user' FOR UPDATE SKIP LOCKED) u")" = 0 ]
}
ok "their row is locked" within 4 is_locked
notify --only mail
ok "and still is" is_locked
isnt "who is being changed gets the letter, too" "$(mail_to bob@x.example | link_in)" ""
wait $locker
kill -CONT "$watcher"

# ---- without mail
set_conf mail_program ''
reset bob@x.example
refused "without mail somebody has to be asked" 409 no_mail
set_conf signup open
try c free@x.example
is "and open is open, for trial" "$status $(json .plan)" "201 trial"
is "no token is in a log" "$(grep -rlE 'lli_[A-Za-z0-9_-]{43}' "$stack_dir/log")" ""
done_testing
