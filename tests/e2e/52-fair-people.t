#!/bin/bash
# Questions that take long are answered in turn: who asks them on many connections keeps others waiting for one answer,
# and not for all.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
. tests/e2e/askers.sh
[ "$server" != cgi ] || skip_all "as plain CGI there is no queue of ours"
own_stack --set login_limit=0/300
account Small
small=$token small_email=$email small_password=$password
cluster 1 1 >"$scratch/one.json"
push shop "$scratch/one.json"
account Big
big=$token
push shop "$scratch/one.json"
id=$(sql "SELECT cluster FROM clusters WHERE tenant_id = '$tenant'")
# A year of steps: to add them up takes a while.
sql "INSERT IGNORE INTO score_rollup (cluster, step_at, tenant_id, points, score_min, worst_at, score_sum, score_last, last_at,
     nodes_min, pods_min, risks_max)
     SELECT '$id', at, '$tenant', 1, 7000, at, 7000, 7000, at, 1, 1, 1
     FROM (SELECT '2026-01-01' - INTERVAL 300 * seq SECOND AS at FROM seq_1_to_120000) steps"

# question HEADER PARAMETERS: prints status and milliseconds
question() {
    timed -H "$1" "$base_url/api/score-history?clusterId=shop$2"
}
# The same credential is written in another way each time.
asks() {
    question "Authorization: Bearer$(printf '%*s' $((RANDOM % 4000 + 1)) '')$big" '&step=604800&from=2020-01-01T00:00:00Z'
}

begin_asking 24 asks
for ((i = 1; i <= 6; i++)); do question "Authorization: Bearer $small" ''; done >"$scratch/small"
for ((i = 1; i <= 3; i++)); do
    login "$small_email" "$small_password"
    question "Authorization: Bearer $(json .token)" ''
done >"$scratch/newcomer"
end_asking
waited=$(cut -d' ' -f2 "$scratch"/big.* | median)
diag "somebody else waited, ms: $(cut -d' ' -f2 "$scratch/small" | xargs); newcomers: $(cut -d' ' -f2 "$scratch/newcomer" | xargs)"
is "another company is answered" "$(cut -d' ' -f1 "$scratch/small" | sort -u)" 200
below "... in a part of the time that the others wait for each other, ms" "$(cut -d' ' -f2 "$scratch/small" | median)" $((waited / 4))
is "so is who has just signed in there" "$(cut -d' ' -f1 "$scratch/newcomer" | sort -u)" 200
below "... however the others write their token, ms" "$(cut -d' ' -f2 "$scratch/newcomer" | median)" $((waited / 4))
is "and those many are answered, all of them" "$(cut -d' ' -f1 "$scratch"/big.* | sort -u)" 200
done_testing
