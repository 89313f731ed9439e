#!/bin/bash
# Questions to the gate that wait at the same time are stored in one transaction: each is answered, and stored for whose
# it is, and nobody fails because of another.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
own_stack --workers validate=1
cluster 2 1 >"$scratch/cluster.json"
file=$scratch/cluster.json

# root STATEMENT: asks the database as the one who may see what everybody does.
root() {
    mariadb --no-defaults --socket="$stack_dir/sock/mariadb.sock" --batch --skip-column-names --unbuffered ${1+-e "$1"} loadline
}
# waits N: so many requests are in the socket of this stack's gate workers, beside the listener itself
waits() {
    [ "$(grep -c " $stack_dir/sock/validate.sock$" /proc/net/unix)" -gt "$1" ]
}
commits() {
    root "SHOW GLOBAL STATUS LIKE 'Com_commit'" | cut -f2
}
# ask NUMBER KEY CLUSTER [JSON to add [options of curl]]: in the background; the answer goes into files of that number
ask() {
    curl -sS -m 30 -o "$scratch/answer.$1" -w '%{http_code}' "$base_url/api/validate" -H "X-API-Key: $2" "${@:5}" \
        -H 'Content-Type: application/json' -d "$(jq -nc --arg c "$3" --argjson more "${4:-{\}}" '{cluster_id: $c} + $more')" \
        >"$scratch/status.$1" &
    asking+=($!)
}
asking=()
# answered: all that have asked
answered() {
    wait "${asking[@]}"
    asking=()
}
# hold, release: the only worker does nothing meanwhile
hold() {
    worker=$(pids_of validate.fcgi)
    kill -STOP "$worker"
}
release() {
    within "$(patient 10)" waits "$1" || diag "no $1 requests wait"
    kill -CONT "$worker"
    answered
}
statuses() {
    cat "$scratch"/status.* | sed 's/.../&\n/g' | sort | uniq -c | xargs
}

declare -A tenants
account One
key_one=$api_key token_one=$token tenants[one]=$tenant
push a "$file"
push b "$file"
push again "$file"
account Two
key_two=$api_key tenants[two]=$tenant
push a "$file"

# ---- of two tenants, in turns
hold
for n in 10 12 14 16 18 20; do
    ask $n "$key_one" a '{"source":"one"}'
    ask $((n + 1)) "$key_two" a '{"source":"two"}'
done
ask 30 "$key_one" nowhere
ask 31 ll_wrong a
before=$(commits)
release 14
is "each is answered" "$(statuses)" "12 200 1 401 1 404"
within=$(($(commits) - before))
ok "in fewer transactions than answers ($within)" [ "$within" -le 8 ]
is "every decision has an id of its own" "$(jq -r '.decision_id // empty' "$scratch"/answer.* | sort -u | wc -l)" 12
for who in one two; do
    is "those of $who are stored for $who" \
        "$(sql "SELECT COUNT(*), COUNT(DISTINCT k.tenant_id), MAX(d.source) FROM loadline.decisions d JOIN loadline.api_keys k USING (key_id)
            JOIN loadline.clusters c ON c.cluster = d.cluster AND c.tenant_id = d.tenant_id WHERE d.tenant_id = '${tenants[$who]}'
            AND k.tenant_id = d.tenant_id" | xargs)" "6 1 $who"
    is "... with an entry in the trail of $who each" \
        "$(sql "SELECT COUNT(*) FROM loadline.audit WHERE tenant_id = '${tenants[$who]}' AND action = 'decision'")" 6
done
is "the ids that were told are those" \
    "$(sql "SELECT decision_id FROM loadline.decisions" | sort | xargs)" "$(jq -r '.decision_id // empty' "$scratch"/answer.* | sort | xargs)"
rm "$scratch"/answer.* "$scratch"/status.*

# ---- one that cannot be stored: somebody holds the place of its risks
coproc holder { root; }
echo "START TRANSACTION; INSERT INTO decision_risks (cluster, risks_hash, tenant_id, risks)
    SELECT b.cluster, b.risks_hash, b.tenant_id, '' FROM briefs b JOIN clusters c USING (cluster)
    WHERE c.name = 'b'; SELECT 'held';" >&"${holder[1]}"
read -r -t "$(patient 10)" _ <&"${holder[0]}" || diag "nothing is held"
hold
for n in 40 41 42; do
    ask $n "$key_two" a
done
ask 43 "$key_one" b
for n in 44 45; do
    ask $n "$key_one" a
done
release 6
is "whose place is held is told so" "$(cat "$scratch/status.43") $(jq -r .code "$scratch/answer.43")" "503 database_busy"
is "the others are answered" "$(cat "$scratch"/status.4[01245])" "200200200200200"
is "... and stored once" "$(sql "SELECT COUNT(*) FROM loadline.decisions WHERE decision_id IN ('$(jq -r .decision_id "$scratch"/answer.4[01245] | xargs | sed "s/ /','/g")')")" 5
is "nothing of the one is" "$(sql "SELECT COUNT(*) FROM loadline.decisions JOIN loadline.clusters c USING (cluster) WHERE c.name = 'b'")" 0
input=${holder[1]}
echo "ROLLBACK;" >&"$input"
exec {input}>&-
wait
rm "$scratch"/answer.* "$scratch"/status.*

# ---- a question that takes long waits for nobody, and nobody for it
hold
ask 50 "$key_one" a
ask 51 "$key_one" a '{"baseline":"last_safe"}'
ask 52 "$key_one" a
release 3
is "with a baseline in between" "$(statuses)" "3 200"
is "... which is answered" "$(jq -r '.baseline.asked' "$scratch/answer.51")" last_safe

# ---- those with a manifest are answered as they came, and not the last first
manifest=$(jq -nc '{apiVersion: "apps/v1", kind: "Deployment", metadata: {name: "new", namespace: "shop",
    annotations: {example: ("x" * 1500)}}, spec: {replicas: 1, selector: {matchLabels: {app: "new"}},
    template: {metadata: {labels: {app: "new"}}, spec: {containers: [{name: "new", image: "registry.example.com/new:1"}]}}}}')
hold
for n in 1 2 3; do
    ask 5$n "$key_one" a "{\"manifest\":$manifest}" -H 'X-Cluster-Id: a' -D "$scratch/head.5$n"
    within "$(patient 10)" waits $n || diag "no $n requests wait"
done
release 3
ids=$(sed -n 's/^x-request-id: \([-0-9a-f]*\).*/\1/Ip' "$scratch"/head.5[123])
is "those with a manifest are answered" "$(cat "$scratch"/status.5[123])" 200200200
is "... as they came" "$(grep ' path=.* status=' "$stack_dir/log/validate.log" | grep -oF "$ids")" "$ids"

# ---- nor for an outcome that waits for a lock: a push of its cluster has it
decision=$(jq -r .decision_id "$scratch/answer.50")
coproc holder { root; }
echo "START TRANSACTION; SELECT 'held' FROM clusters WHERE tenant_id = '${tenants[one]}' AND name = 'a' FOR UPDATE;" >&"${holder[1]}"
read -r -t "$(patient 10)" _ <&"${holder[0]}" || diag "nothing is held"
hold
ask 60 "$key_two" a
within "$(patient 10)" waits 1 || diag "the question does not wait"
curl -sS -m 30 -o "$scratch/answer.61" -w '%{http_code}' "$base_url/api/decisions/outcome" -H "X-API-Key: $key_one" \
    -H 'Content-Type: application/json' -d "{\"decision_id\":\"$decision\",\"outcome\":\"success\"}" >"$scratch/status.61" &
asking+=($!)
release 2
is "an outcome whose cluster is locked is told so" "$(cat "$scratch/status.61") $(jq -r .code "$scratch/answer.61")" "503 database_busy"
is "the question before it is answered" "$(cat "$scratch/status.60")" 200
below "... without waiting for it (ms)" "$(grep "path=.*/api/validate.* tenant=${tenants[two]} " "$stack_dir/log/validate.log" |
    tail -n 1 | sed 's/.* ms=\([0-9]*\) .*/\1/')" "$(patient 900)"
input=${holder[1]}
echo "ROLLBACK;" >&"$input"
exec {input}>&-
wait

# ---- whose keys and clusters are read at once: what has changed while they waited counts
# key NAME [more JSON]: a key of tenant one
key() {
    post /api/keys "$(jq -nc --arg n "$1" --argjson more "${2:-{\}}" '{name: $n, scope: "cicd"} + $more')" -H "Authorization: Bearer $token_one"
    json .apiKey
}
bound=$(key bound '{"clusters":["b"]}') revoked=$(key revoked) expired=$(key expired) agent=$(key agent)
elsewhere=$(key elsewhere '{"addresses":["192.0.2.1"]}')
hold
ask 70 "$bound" a '{}' -H 'X-Cluster-Id: a'
ask 71 "$bound" a '{}' -H 'X-Cluster-Id: b'
ask 72 "$bound" b '{}' -H 'X-Cluster-Id: b'
ask 73 "$key_one" b '{}' -H 'X-Cluster-Id: a'
ask 74 "$key_two" b '{}' -H 'X-Cluster-Id: b'
ask 75 "$revoked" a '{}' -H 'X-Cluster-Id: a'
ask 76 "$expired" a '{}' -H 'X-Cluster-Id: a'
ask 77 "$agent" a '{}' -H 'X-Cluster-Id: a'
ask 78 "$elsewhere" a '{}' -H 'X-Cluster-Id: a'
ask 79 "$key_one" A '{}' -H 'X-Cluster-Id: A'
ask 80 "$key_one" again '{}' -H 'X-Cluster-Id: again'
ask 81 "$key_two" a '{}' -H 'X-Cluster-Id: a'
within "$(patient 10)" waits 12 || diag "they do not wait"
sql "UPDATE loadline.api_keys SET revoked_at = UTC_TIMESTAMP(3) WHERE tenant_id = '${tenants[one]}' AND name = 'revoked';
    UPDATE loadline.api_keys SET expires_at = UTC_TIMESTAMP(3) WHERE tenant_id = '${tenants[one]}' AND name = 'expired';
    UPDATE loadline.api_keys SET scope = 'agent' WHERE tenant_id = '${tenants[one]}' AND name = 'agent'"
ids() {
    sql "SELECT cluster FROM loadline.clusters WHERE tenant_id = '${tenants[one]}' AND name = 'again'"
}
before=$(ids)
request DELETE '/api/clusters?id=again' -H "Authorization: Bearer $token_one"
api_key=$key_one push again "$file"
release 12
is "each is told what holds for itself" "$(for n in 7{0..9} 80 81; do echo "$n $(cat "$scratch/status.$n") $(jq -r '.code // .cluster_id' "$scratch/answer.$n")"; done)" "70 403 forbidden_cluster
71 403 forbidden_cluster
72 200 b
73 200 b
74 404 unknown_cluster
75 401 bad_api_key
76 401 bad_api_key
77 403 forbidden_scope
78 403 forbidden_address
79 404 unknown_cluster
80 200 again
81 200 a"
isnt "a cluster that was deleted meanwhile is another one" "$(ids)" "$before"
is "... and it is asked" "$(sql "SELECT cluster FROM loadline.decisions WHERE decision_id = '$(jq -r .decision_id "$scratch/answer.80")'")" "$(ids)"
is "... each decision is by the key that asked" "$(for n in 72 73 80 81; do sql "SELECT k.name, c.name, d.tenant_id = k.tenant_id, d.tenant_id = c.tenant_id
    FROM loadline.decisions d JOIN loadline.api_keys k USING (key_id) JOIN loadline.clusters c ON c.cluster = d.cluster
    WHERE decision_id = '$(jq -r .decision_id "$scratch/answer.$n")'"; done | sed 's/\t/ /g')" "bound b 1 1
signup b 1 1
signup again 1 1
signup a 1 1"
is "the trail has as many decisions" "$(sql "SELECT COUNT(*) FROM loadline.audit WHERE action = 'decision'")" "$(sql "SELECT COUNT(*) FROM loadline.decisions")"

# ---- the database hangs: who asks is told so, however much was to be read at once
database=$(pids_of mariadbd)
kill -STOP "$database"
ask 90 "$key_one" a '{}' -H 'X-Cluster-Id: a'
ask 91 "$key_two" a '{}' -H 'X-Cluster-Id: a'
answered
kill -CONT "$database"
is "when the database hangs" "$(cat "$scratch"/status.9[01]) $(jq -r .code "$scratch"/answer.9[01] | xargs)" "503503 database_away database_away"

# ---- the worker is killed: whoever was answered is stored
account Three
push c "$file"
for n in {100..139}; do
    ask "$n" "$api_key" c
    [ "$n" != 115 ] || kill -KILL "$(pids_of validate.fcgi)"
done
answered
told=$(for n in {100..139}; do [ "$(cat "$scratch/status.$n")" != 200 ] || jq -r .decision_id "$scratch/answer.$n"; done | sort)
ok "some were answered" [ -n "$told" ]
is "all of them are stored" "$(comm -23 <(echo "$told") <(sql "SELECT decision_id FROM loadline.decisions WHERE tenant_id = '$tenant'" | sort))" ""
is "as many entries as decisions" "$(sql "SELECT COUNT(*) FROM loadline.audit WHERE tenant_id = '$tenant' AND action = 'decision'")" \
    "$(sql "SELECT COUNT(*) FROM loadline.decisions WHERE tenant_id = '$tenant'")"
validate c
is "and the gate goes on" "$status" 200

# ---- what a worker remembers
is "the summary that is remembered" "$(json '.risks_total')" "$(cat "$scratch"/answer.1[0-3][0-9] | jq -s 'map(.risks_total // empty)[0]')"
cluster 3 0 >"$scratch/bad.json"
push c "$scratch/bad.json"
validate c
bad=$(json '[.risks[].check] | join(" ")')
push c "$file"
validate c
good=$(json '[.risks[] | .check + " " + .first_seen] | join(" ")')
isnt "is not told after a push that changes it" "$bad" "$(json '[.risks[].check] | join(" ")')"
kill -TERM "$(pids_of validate.fcgi)"
within "$(patient 5)" test -n "$(pids_of validate.fcgi)"
validate c
is "one that remembers nothing says the same" "$(json '[.risks[] | .check + " " + .first_seen] | join(" ")')" "$good"
done_testing
