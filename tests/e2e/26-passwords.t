#!/bin/bash
# E-mail addresses and passwords where they are awkward: letters of all kinds, every field, old hashes.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
stack

signup() {
    post /api/auth/signup "$(jq -nc '{company: "c"} + $ARGS.named' --arg email "$1" --arg password "$2")" "${@:3}"
}

# ---- e-mail addresses: kept as given, compared in lower case
unique=$$-$RANDOM
for hidden in '\u0085' '\u202e' '\u200b' '\u2066' '\ufeff' ' '; do
    post /api/auth/signup "{\"company\":\"c\",\"email\":\"a${hidden}b.$unique@x.example\",\"password\":\"12345678\"}"
    refused "an e-mail with $hidden, which nobody sees" 400 invalid_field email
done
signup "JÖRG.Ⅷ.Σ+x.$unique@Exämple.DE" "пароль-🐴🐴"
is "an e-mail as RFC 6531 has it" "$status $(json .email)" "201 JÖRG.Ⅷ.Σ+x.$unique@Exämple.DE"
is "kept as it was given" "$(sql "SELECT email FROM users WHERE tenant_id = '$(json .tenantId)'")" "JÖRG.Ⅷ.Σ+x.$unique@Exämple.DE"
login "jörg.ⅷ.σ+X.$unique@EXÄMPLE.de" "пароль-🐴🐴"
is "logs in in lower case" "$status $(json .email)" "200 JÖRG.Ⅷ.Σ+x.$unique@Exämple.DE"
login "JÖRG.Ⅷ.Σ+x.$unique@Exämple.DE" "ПАРОЛЬ-🐴🐴"
refused "passwords are not folded" 401 bad_login
signup "jörg.ⅷ.σ+x.$unique@exämple.de" 12345678
refused "the same in lower case is taken" 409 email_taken
signup "jorg.ⅷ.σ+x.$unique@exämple.de" 12345678
is "without the dots it is another" "$status" 201
signup "$(printf 'jo\xcc\x88rg.%s@x.example' "$unique")" 12345678
is "composed otherwise it is another" "$status" 201
emails=("Race.$unique@x.example" "race.$unique@x.example" "RACE.$unique@X.EXAMPLE" "rAcE.$unique@x.Example")
for i in {0..7}; do
    curl -sS -m 60 -o /dev/null -w '%{http_code}\n' "$base_url/api/auth/signup" -H 'Content-Type: application/json' \
        -d "{\"company\":\"c\",\"email\":\"${emails[i % 4]}\",\"password\":\"12345678\"}" >"$scratch/race.$i" &
done
wait
is "of eight racing signups of one e-mail in four cases one wins" "$(cat "$scratch"/race.* | sort | uniq -c | xargs)" "1 201 7 409"
is "and one tenant is there" "$(sql "SELECT COUNT(*) FROM users u JOIN tenants t USING (tenant_id) WHERE u.email_key = 'race.$unique@x.example'")" 1

# ---- every field: NUL, not UTF-8, one over, twice
while IFS='|' read -r path document field; do
    post "$path" "${document/VALUE/a\\u0000b@x.example}"
    refused "$path: NUL in $field" 400 invalid_field "$field"
    post "$path" "$(printf '%b' "${document/VALUE/\\xff@x.example}")"
    refused "$path: not UTF-8 in $field" 400 bad_json
    post "$path" "$(printf '%b' "${document/VALUE/\\xed\\xa0\\x80@x.example}")"
    refused "$path: a surrogate in $field" 400 bad_json
    printf '%s%1048576s%s' "${document%VALUE*}" x "${document#*VALUE}" >"$scratch/large.json"
    post "$path" "@$scratch/large.json"
    refused "$path: 1 MiB in $field" 413 too_large
    post "$path" "${document%\}},\"$field\":7}"
    refused "$path: of two $field the last counts" 400 invalid_field "$field"
done <<'END2'
/api/auth/signup|{"company":"VALUE","email":"a@b.example","password":"12345678"}|company
/api/auth/signup|{"company":"c","email":"VALUE","password":"12345678"}|email
/api/auth/signup|{"company":"c","email":"a@b.example","password":"VALUE"}|password
/api/auth/login|{"email":"VALUE","password":"12345678"}|email
/api/auth/login|{"email":"a@b.example","password":"VALUE"}|password
/api/auth/verify|{"token":"VALUE"}|token
/api/auth/refresh|{"token":"VALUE"}|token
END2
password512=$(printf 'ä%.0s' {1..256})
signup "long-$unique@x.example" "$password512"
is "a password of 512 bytes" "$status" 201
token=$(json .token)
login "long-$unique@x.example" "$password512"
is "and it is all of it that counts" "$status" 200
login "long-$unique@x.example" "${password512%?}a"
is "to the last byte" "$status" 401
signup "eight-$unique@x.example" "äöüßéèêç"
is "eight characters of two bytes" "$status" 201
for document in '{"currentPassword":"a\u0000b","newPassword":"12345678"}|currentPassword' '{"currentPassword":"x","newPassword":"1234567\u0000"}|newPassword' \
    '{"currentPassword":"x","newPassword":"1234567"}|newPassword' '{"currentPassword":["x"],"newPassword":"12345678"}|currentPassword'; do
    post /api/auth/password "${document%|*}" -H "Authorization: Bearer $token"
    refused "password: $document" 400 invalid_field "${document#*|}"
done

# ---- hashes of weaker parameters are made anew at a login, and only then; at the price that people pay
own_stack --set signup_limit=0/600 --set login_fail_limit=0/300 --set password_cost="$(sed -n 's/^#password_cost = //p' etc/loadline.conf)"
account Example
scrypt() {
    python3 -c 'import base64, hashlib, os, sys
log_n, r, p, password, salt = *map(int, sys.argv[1:4]), sys.argv[4].encode(), os.urandom(16)
hash = hashlib.scrypt(password, salt=salt, n=1 << log_n, r=r, p=p, maxmem=1 << 28, dklen=64)
print("$s1$%02x%02x%02x$%s$%s" % (log_n, r, p, base64.b64encode(salt).decode(), base64.b64encode(hash).decode()))' "$@"
}
parameters() {
    sql "SELECT LEFT(password, 10) FROM users WHERE tenant_id = '$tenant'"
}
is "a new password costs what OWASP wants at least" "$(parameters)" '$s1$0f0803'

# ticks of CPU so far: of workers, or of the processes that lighttpd has seen end (plain CGI)
ticks() {
    {
        for pid in $(pids_of auth.fcgi); do cut -d' ' -f14,15 "/proc/$pid/stat"; done
        for pid in $(pids_of lighttpd); do cut -d' ' -f16,17 "/proc/$pid/stat"; done
    } | awk '{ n += $1 + $2 } END { print n }'
}
# cost EMAIL: CPU ticks of six wrong logins
cost() {
    local before
    before=$(ticks)
    for _ in 1 2 3 4 5 6; do login "$1" wrong-password; done
    echo $(($(ticks) - before))
}
known=$(cost "$email") unknown=$(cost nobody@b.example)
ok "an unknown e-mail takes as long ($known and $unknown ticks)" [ $((unknown * 10)) -gt $((known * 7)) ]
ok "and no longer" [ $((unknown * 10)) -lt $((known * 14)) ]

while read -r log_n r p before after; do
    sql "UPDATE users SET password = '$(scrypt "$log_n" "$r" "$p" "$password")' WHERE tenant_id = '$tenant'"
    login "$email" wrong-password
    is "a wrong password does not replace $before" "$status $(parameters)" "401 $before"
    login "$email" "$password"
    is "the right one makes of it $after" "$status $(parameters)" "200 $after"
    login "$email" "$password"
    is "and is right afterwards" "$status" 200
done <<'END2'
14 8 1 $s1$0e0801 $s1$0f0803
15 8 1 $s1$0f0801 $s1$0f0803
15 4 6 $s1$0f0406 $s1$0f0803
15 8 4 $s1$0f0804 $s1$0f0804
16 8 2 $s1$100802 $s1$100802
END2

done_testing
