#!/bin/bash
# The audit trail as evidence: programs cannot change it, a change by somebody else is found, and what is refused is in
# it in bounded number.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
own_stack --workers notify=0 --set key_fail_limit=0/60 --set login_fail_limit=0/300
export LOADLINE_CONF=$stack_dir/loadline.conf

# as ACCOUNT SQL: what the database says to that account
as() {
    local file=$stack_dir/$1.cnf
    mariadb --no-defaults --socket="$(sed -n 's/^socket=//p' "$file")" --user="$(sed -n 's/^user=//p' "$file")" \
        --password="$(sed -n 's/^password=//p' "$file")" --batch --skip-column-names loadline -e "$2" 2>&1
}
maintain() {
    "$build/bin/loadline-maintain" --hurry >"$scratch/maintain.out" 2>"$scratch/maintain.err"
}
# verify: sets code, said (standard output) and complaint
verify() {
    "$build/bin/loadline-admin" audit-verify >"$scratch/verify.out" 2>"$scratch/verify.err"
    code=$? said=$(cat "$scratch/verify.out") complaint=$(cat "$scratch/verify.err")
}
# settle: as if all entries had been noted an hour ago
settle() {
    sql "UPDATE audit a SET noted_at = noted_at - INTERVAL 1 HOUR WHERE noted_at > UTC_TIMESTAMP(3) - INTERVAL 30 MINUTE
         AND NOT EXISTS (SELECT * FROM audit_chain c WHERE c.tenant_id = a.tenant_id AND c.audit_id = a.audit_id)"
}
# entry N: the id of the N-th entry of the tenant's chain
entry() {
    sql "SELECT audit_id FROM audit_chain WHERE tenant_id = '$tenant' AND position = $1"
}

# ---- the programs' account
account Example
for change in "UPDATE audit SET actor = ''" "DELETE FROM audit" "TRUNCATE audit" "REPLACE INTO audit SELECT * FROM audit" "DROP TABLE audit" \
    "ALTER TABLE audit DROP COLUMN actor" "DELETE a FROM audit a JOIN users USING (tenant_id)" "UPDATE audit_chain SET position = 0" \
    "DELETE FROM audit_chain" "INSERT INTO audit SELECT * FROM audit ON DUPLICATE KEY UPDATE actor = ''" "RENAME TABLE audit TO gone" \
    "GRANT DELETE ON audit TO loadline_rows" "CREATE TRIGGER t BEFORE INSERT ON audit FOR EACH ROW SET NEW.actor = ''" \
    "UPDATE schema_migrations SET number = 0"; do
    like "programs may not: $change" "$(as db "$change")" 'denied to user .loadline.@'
done
is "they do what they have to" "$(as db "UPDATE users SET email = email; DELETE FROM links WHERE 1 = 0; SELECT COUNT(*) > 0 FROM audit")" 1
like "maintenance may not change entries either" "$(as maintain "UPDATE audit SET actor = ''")" 'denied to user'
tables=$(sql "SELECT table_name FROM information_schema.tables WHERE table_schema = 'loadline' AND table_name NOT IN ('audit', 'audit_chain', 'schema_migrations')")
empty "of every other table they change rows" "$(for table in $tables; do as db "DELETE FROM $table WHERE 1 = 0"; done)"
sql "CREATE TABLE a_new_one (n INT)"
like "a table that is new is nobody's" "$(as db "DELETE FROM a_new_one")" 'denied to user'
scripts/migrate --defaults-file "$stack_dir/admin.cnf" >/dev/null
is "until migrate has run" "$(as db "DELETE FROM a_new_one; SELECT 1")" 1
sql "DROP TABLE a_new_one"
scripts/accounts "$stack_dir" | mariadb --no-defaults --socket="$stack_dir/sock/mariadb.sock" --user="$(id -un)"
is "accounts can be made again" "$(as db "UPDATE users SET email = email; SELECT 1")" 1

# ---- the chain
for i in {1..5}; do
    ask POST /api/keys "{\"name\":\"key $i\",\"scope\":\"cicd\"}"
done
maintain
is "what was noted a moment ago is not chained yet" "$(sql "SELECT COUNT(*) FROM audit_chain")" 0
verify
is "which is no finding" "$code $complaint" "0 "
like "but told" "$said" "^$tenant  whole  checked=0 waiting=6 position=0"
settle
maintain
is "later it is" "$(sql "SELECT GROUP_CONCAT(position ORDER BY position) FROM audit_chain WHERE tenant_id = '$tenant'")" 1,2,3,4,5,6
verify
like "and whole" "$code $said $complaint" "^0 $tenant  whole  checked=6 waiting=0 position=6 head=[0-9a-f]{64} $"
head=${said##*head=}
like "the head is in the log of maintenance" "$(cat "$scratch/maintain.err")" "audit=$tenant position=6 head=$head"
before=$(sql "SELECT HEX(mac) FROM audit_chain ORDER BY position")
maintain & maintain & maintain
wait
is "again, and several at once, make nothing else" "$(sql "SELECT HEX(mac) FROM audit_chain ORDER BY position")" "$before"
ask POST /api/keys '{"name":"key 6","scope":"cicd"}'
settle
maintain & maintain & maintain
wait
verify
like "it goes on" "$code $said" "^0 $tenant  whole  checked=7 waiting=0 position=7"

# Each change by somebody who may, what is found, and how it is put right again.
while IFS='|' read -r what change position problem; do
    sql "CREATE TABLE kept_audit AS SELECT * FROM audit; CREATE TABLE kept_chain AS SELECT * FROM audit_chain"
    # shellcheck disable=SC2034 # for the change
    fourth=$(entry 4) first=$(entry 1) last=$(entry 7)
    sql "$(eval "echo \"$change\"")"
    verify
    is "$what" "$code $(grep -c . <<<"$complaint") $(grep -o 'position [0-9]*' <<<"$complaint")" "1 1 ${position:+position $position}"
    like "$what, in words" "$complaint" "^loadline-admin: tenant $tenant, entry [0-9a-f-]{36} of .*: .*$problem"
    like "$what: the state" "$said" "^$tenant  BROKEN "
    sql "DELETE FROM audit; INSERT INTO audit SELECT * FROM kept_audit; DELETE FROM audit_chain; INSERT INTO audit_chain SELECT * FROM kept_chain; DROP TABLE kept_audit, kept_chain"
done <<'END_OF_LIST'
who did it|UPDATE audit SET actor = 'mallory' WHERE audit_id = '$fourth'|4|was changed
from where|UPDATE audit SET address = '192.0.2.1' WHERE audit_id = '$fourth'|4|was changed
a letter moves to the next field|UPDATE audit SET actor = LEFT(actor, CHAR_LENGTH(actor) - 1), address = CONCAT(RIGHT(actor, 1), address) WHERE audit_id = '$fourth'|4|was changed
when|UPDATE audit SET at = at - INTERVAL 1 SECOND WHERE audit_id = '$fourth'|4|was changed
when it was noted|UPDATE audit SET noted_at = noted_at - INTERVAL 1 SECOND WHERE audit_id = '$fourth'|4|is gone
an entry removed|DELETE FROM audit WHERE audit_id = '$fourth'|4|is gone
with its link|DELETE FROM audit WHERE audit_id = '$fourth'; DELETE FROM audit_chain WHERE audit_id = '$fourth'|5|links before it are gone
and the others moved up|DELETE FROM audit WHERE audit_id = '$fourth'; DELETE FROM audit_chain WHERE audit_id = '$fourth'; UPDATE audit_chain SET position = position - 1 WHERE position > 4 ORDER BY position|4|was changed
the first ones|DELETE FROM audit WHERE audit_id = '$first'; DELETE FROM audit_chain WHERE position = 1|2|before their time
the first one, its link left|DELETE FROM audit WHERE audit_id = '$first'|1|before their time
one added in between|INSERT INTO audit SELECT tenant_id, at, UUID(), actor_id, actor, address, action, subject, result, noted_at - INTERVAL 1 SECOND FROM audit WHERE audit_id = '$fourth'||was added later
the same one twice|INSERT INTO audit SELECT tenant_id, at - INTERVAL 1 SECOND, audit_id, actor_id, actor, address, action, subject, result, noted_at FROM audit WHERE audit_id = '$fourth'|4|
two exchanged|UPDATE audit_chain a JOIN audit_chain b ON a.position = 3 AND b.position = 4 SET a.audit_id = b.audit_id, a.noted_at = b.noted_at, b.audit_id = a.audit_id, b.noted_at = a.noted_at|3|was changed
the last link, forged|UPDATE audit_chain SET mac = REPEAT('x', 32) WHERE position = 7|7|of another key
not chained for two days|DELETE FROM audit_chain WHERE position = 7; UPDATE audit SET noted_at = noted_at - INTERVAL 2 DAY WHERE audit_id = '$last'||was added later
END_OF_LIST
verify
is "put right it is whole" "$code $complaint" "0 "
sql "DELETE FROM audit_chain WHERE position = 7; DELETE FROM audit WHERE tenant_id = '$tenant' AND subject LIKE 'key 6%'"
verify
is "who cuts off the end is only seen by the head" "$code $said" "0 ${said/position=6*}position=6 head=$head"
sql "DELETE FROM audit_chain"
settle
sql "UPDATE audit SET noted_at = noted_at - INTERVAL 2 DAY"
verify
like "what nobody chains is found after a day" "$code $complaint" "^1 .*does loadline-maintain run"

# ---- keys
cp "$stack_dir/audit.keys" "$scratch/old.keys"
maintain
verify
is "chained anew" "$code" 0
{ printf '%064d\n' 7; cat "$scratch/old.keys"; } >"$stack_dir/audit.keys"
ask POST /api/keys '{"name":"key 7","scope":"cicd"}'
settle
maintain
verify
is "a new key goes on where the old one ended" "$code $complaint" "0 "
printf '%064d\n' 7 >"$stack_dir/audit.keys"
verify
like "without the old one nobody can tell" "$code $complaint" '^1 .*position 1: .*of another key'
{ printf '%064d\n' 7; cat "$scratch/old.keys"; } >"$stack_dir/audit.keys"
sed -i 's/^audit_keys/#audit_keys/' "$LOADLINE_CONF"
verify
like "without any" "$code $complaint" '^1 .*names no audit_keys'
maintain
is "maintenance does the rest all the same" $? 0
sed -i 's/^#audit_keys/audit_keys/' "$LOADLINE_CONF"

# ---- retention leaves a link to begin with
sql "UPDATE audit a JOIN audit_chain c ON a.audit_id = c.audit_id SET a.noted_at = a.noted_at - INTERVAL 500 DAY, c.noted_at = c.noted_at - INTERVAL 500 DAY
     WHERE c.tenant_id = '$tenant' AND c.position <= 3"
sql "DELETE FROM audit_chain"
maintain
is "what is too old is removed, and its links but for the last" "$(sql "SELECT COUNT(*) FROM audit WHERE noted_at < UTC_TIMESTAMP(3) - INTERVAL 400 DAY"; sql "SELECT MIN(position) FROM audit_chain WHERE tenant_id = '$tenant'")" "0
3"
verify
is "the rest is whole" "$code $complaint" "0 "
sql "INSERT INTO audit_chain SELECT tenant_id, seq, noted_at - INTERVAL 3 - seq HOUR, UUID(), mac FROM audit_chain, seq_1_to_2 WHERE tenant_id = '$tenant' AND position = 3"
verify
like "and so it is when maintenance was killed before it removed the links, too" "$code $complaint $said" "^0 +$tenant  whole "
sql "DELETE FROM audit_chain WHERE tenant_id = '$tenant' AND position = 2"
verify
like "but not with a link missing in between" "$code $complaint" '^1 .*position 3: links before it are gone'
maintain
verify
is "the next one removes what is left of them" "$code $complaint $(sql "SELECT MIN(position) FROM audit_chain WHERE tenant_id = '$tenant'")" "0  3"
sed -i 's/^audit_days.*//; $a audit_days = 800' "$LOADLINE_CONF"
verify
like "unless it should be there" "$code $complaint" '^1 .*position 3: .*before their time'
sed -i '/^audit_days/d' "$LOADLINE_CONF"
sql "DELETE FROM audit WHERE audit_id = '$(entry 4)'"
verify
like "the first that is left is checked" "$code $complaint" '^1 .*position 4: its entry is gone'

# ---- a long chain of a server that has not counted its rows yet
account Long
sql "INSERT INTO audit (tenant_id, at, audit_id, actor, address, action, subject, result) SELECT '$tenant', UTC_TIMESTAMP(3) - INTERVAL 2 HOUR, UUID(), 'a', 'b', 'c', 'd', 'e' FROM seq_1_to_5000"
settle
maintain
started=$(date +%s%N)
verify
like "5,000 entries of one moment are whole" "$said" "$tenant  whole  checked=5001 waiting=0"
below "and are checked in less than so many ms" $((($(date +%s%N) - started) / 1000000)) "$(patient 5000)"

# ---- a tenant that is purged takes its chain along
other=$tenant
account Purged
settle
maintain
is "a chain" "$(sql "SELECT COUNT(*) FROM audit_chain WHERE tenant_id = '$tenant'")" 1
"$build/bin/loadline-admin" --yes purge "$tenant" >/dev/null
is "purged" "$? $(sql "SELECT (SELECT COUNT(*) FROM audit_chain WHERE tenant_id = '$tenant') + (SELECT COUNT(*) FROM audit WHERE tenant_id = '$tenant')")" "0 0"
isnt "others keep theirs" "$(sql "SELECT COUNT(*) FROM audit_chain WHERE tenant_id = '$other'")" 0

# ---- what is refused
account Refused
refusals() {
    sql "SELECT GROUP_CONCAT(CONCAT(subject, ' ', result) ORDER BY at SEPARATOR '; ') FROM audit WHERE tenant_id = '${2-$tenant}' AND action = '$1'"
}
member_email=member-$$@x.example
ask POST /api/members "{\"email\":\"$member_email\",\"password\":\"12345678\",\"role\":\"member\"}"
login "$member_email" 12345678
admin=$token member=$(json .token)
token=$member
ask DELETE "/api/keys?id=x"
is "a role that does not do" "$status $(refusals access_refused)" "403 DELETE /api/keys forbidden_role"
token=$admin
ask POST /api/keys '{"name":"ci","scope":"cicd"}'
ci=$(json .apiKey) prefix=$(json .prefix) id=$(json .id)
request POST /ingest -H "X-API-Key: $ci" -H 'X-Cluster-Id: c' -d '{}'
is "a scope that does not do" "$status $(sql "SELECT CONCAT_WS(' ', actor, subject, result) FROM audit WHERE tenant_id = '$tenant' AND action = 'access_refused' ORDER BY at DESC LIMIT 1")" \
    "403 ci POST /ingest forbidden_scope"
ask DELETE "/api/keys?id=$id"
request POST /api/validate -H "X-API-Key: $ci" -d '{}'
is "a key that is revoked" "$status $(refusals key_refused)" "401 ci ($prefix) bad_api_key"
service=00000000-0000-0000-0000-000000000000
for key in "ll_$(printf 'x%.0s' {1..43})" short; do
    request POST /api/validate -H "X-API-Key: $key" -d '{}'
    is "a key that nobody knows" "$status" 401
done
is "is in the trail of the service" "$(refusals key_refused $service)" "a key that nobody knows bad_api_key; a key that nobody knows bad_api_key"
login "nobody-$$@x.example" wrong-password
is "and so is an e-mail that nobody has, which is not told" "$(refusals sign_in_failed $service)" "an e-mail that nobody has bad_login"
like "the operator reads it" "$("$build/bin/loadline-admin" refusals)" 'sign_in_failed *127.0.0.1 .*"an e-mail that nobody has"'
token=$member
for _ in {1..119}; do printf 'url = "%s/api/members"\noutput = /dev/null\n' "$base_url"; done |
    curl -s -H "Authorization: Bearer $token" -K -
is "of 120 refusals of one address 11 are told, with how many there were" \
    "$(sql "SELECT COUNT(*), SUM(subject = 'GET /api/members (the 100th within an hour)') FROM audit WHERE tenant_id = '$tenant' AND action = 'access_refused'")" "11	1"
sql "UPDATE rate_limit SET attempts = 1000 WHERE class = 'refusal' AND subject = '$tenant'; UPDATE rate_limit SET attempts = 9 WHERE class = 'refusal' AND subject LIKE '$tenant access_refused%'"
ask GET /api/members
is "and of a tenant a thousand an hour" "$status $(sql "SELECT COUNT(*) FROM audit WHERE tenant_id = '$tenant' AND action = 'access_refused'")" "403 11"
sql "UPDATE rate_limit SET since = since - INTERVAL 61 MINUTE WHERE class = 'refusal'"
ask GET /api/members
is "in the next hour they are told again" "$status $(sql "SELECT COUNT(*) FROM audit WHERE tenant_id = '$tenant' AND action = 'access_refused'")" "403 12"
done_testing
