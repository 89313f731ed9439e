#!/bin/bash
# What may become a password: nothing that is guessed first, nothing of the e-mail, not the old one; at
# every place where one is chosen.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
own_stack --set password_guesses=100000 --set signup_limit=0/600 --set login_fail_limit=0/300

easy() {
    refused "$1" 400 invalid_field "$2"
    like "$1: in words" "$(json .error)" "^$2 is too easy to guess"
}
person=zworykin.$$-$RANDOM@example.com
for password in 12345678 Passw0rd 'P@ssw0rd123' qwertyuiop 11111111 iloveyou zworykin1 Example.com "$person"; do
    post /api/auth/signup "$(jq -nc '{company: "c"} + $ARGS.named' --arg email "$person" --arg password "$password")"
    easy "signup: $password" password
done
is "nothing was made" "$(sql "SELECT COUNT(*) FROM users WHERE email = '$person'")" 0
account Example
login "$email" "$password"
is "another will do" "$status" 200
token=$(json .token)

ask POST /api/members '{"email":"bob@x.example","role":"member","password":"password1"}'
easy "a member's first password" password
ask POST /api/members '{"email":"bob@x.example","role":"member"}'
invitation=$(json .invitation)
post /api/links/accept "{\"token\":\"$invitation\",\"password\":\"trustno1\"}"
easy "that of who is invited" password
post /api/links/accept "{\"token\":\"$invitation\",\"password\":\"solder-the-flux-9\"}"
is "the link is still good" "$status" 200

change() {
    ask POST /api/auth/password "$(jq -nc '$ARGS.named' --arg currentPassword "$1" --arg newPassword "$2")"
}
change "$password" letmein123
easy "a change of the password" newPassword
change "$password" "$password"
refused "to the current one" 400 invalid_field newPassword
like "in words" "$(json .error)" 'must not be the current one'
change solder-the-rosin-6 solder-the-rosin-6
refused "whether it is the current one is said to who knows it" 401 bad_login
change "$password" "solder-the-flux-8"
is "another will do" "$status" 200
link() {
    LOADLINE_CONF=$stack_dir/loadline.conf "$build/bin/loadline-admin" link "$email" | sed 's|.*/||'
}
link=$(link)
post /api/links/accept "{\"token\":\"$link\",\"password\":\"solder-the-flux-8\"}"
refused "by a link: the one that it was" 400 invalid_field password
post /api/links/accept "{\"token\":\"$link\",\"password\":\"solder-the-flux-7\"}"
is "by a link: another" "$status" 200
login "$email" solder-the-flux-7
is "which lets in" "$status" 200
done_testing
