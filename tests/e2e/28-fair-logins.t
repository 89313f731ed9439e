#!/bin/bash
# Waiting for a password is fair by address: who keeps the workers busy from one address, with right
# passwords of as many accounts as they like, keeps nobody out who comes from another.
. "$(dirname "$0")/lib.sh"
[ "$server" != cgi ] || skip_all "as plain CGI processes take turns in no order"
own_stack --set trusted_proxies=127.0.0.1 --set password_wait="$(patient 3)" --set password_cost=15
account Example
attackers=20 victims=6

# people N NAME: so many further users of the tenant, with the password of the first
people() {
    sql "INSERT INTO users (user_id, tenant_id, email, password, role, created_at)
         SELECT UUID(), tenant_id, CONCAT('$2', seq, '-$email'), password, 'member', NOW(3)
         FROM users, seq_1_to_$1 WHERE email = '$email'"
}
people $attackers attacker
people $victims victim

# try NAME ADDRESS: signs in; prints the status
try() {
    curl -sS -m 300 -o /dev/null -w '%{http_code}\n' "$base_url/api/auth/login" -H 'Content-Type: application/json' \
        -H "X-Forwarded-For: $2" -d "{\"email\":\"$1-$email\",\"password\":\"$password\"}"
}
# attack N: signs in from one address, again and again, until the file is gone
attack() {
    while [ -e "$scratch/attack" ]; do try "attacker$1" 192.0.2.99; done >"$scratch/attacker.$1" 2>&1
}

: >"$scratch/attack"
for ((i = 1; i <= attackers; i++)); do attack $i & done
has_begun() { cat "$scratch"/attacker.* 2>/dev/null | grep -q 503; }
ok "an attack is under way: more come than can be served" within "$(patient 20)" has_begun
# one after another: so many at once would keep each other waiting
for ((i = 1; i <= victims; i++)); do try "victim$i" "192.0.2.$i" >"$scratch/victim.$i" 2>&1; done
rm "$scratch/attack"
wait
is "people at other addresses get in, all of them" "$(sort "$scratch"/victim.* | uniq -c | xargs)" "$victims 200"
diag "the attacker's answers: $(cat "$scratch"/attacker.* | sort | uniq -c | xargs)"
ok "the attacker gets in at times" [ "$(cat "$scratch"/attacker.* | grep -c 200)" -gt 0 ]
ok "and is sent away at others" [ "$(cat "$scratch"/attacker.* | grep -c 503)" -gt 0 ]
is "once it is over the address is served as any" "$(try attacker1 192.0.2.99)" 200
done_testing
