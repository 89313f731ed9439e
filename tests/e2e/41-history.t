#!/bin/bash
# Score history and the list of clusters.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
stack
account Example
cluster 2 2 >"$scratch/c.json"
push c "$scratch/c.json"
id=$(sql "SELECT cluster FROM clusters WHERE tenant_id = '$tenant'")

formula=$(sed -n 's/.* SCORE_FORMULA = \([0-9]*\) .*/\1/p' lib/score/score.h)
# points COUNT SECONDS: the history is COUNT points, one every SECONDS, up to 2026-03-17T12:00:00Z
points() {
    sql "DELETE FROM score_history WHERE cluster = '$id';
         INSERT INTO score_history (cluster, taken_at, tenant_id, score, score_exact, nodes, pods, risks, formula)
         SELECT '$id', '2026-03-17 12:00:00.000' - INTERVAL (seq - 1) * $2 SECOND, '$tenant', 50 + seq % 7, 5000 + seq % 7, 3, 10 + seq % 3, seq % 5, $formula
         FROM seq_1_to_$1"
    roll_up "$id"
}
history() {
    get "/api/score-history?clusterId=c$1"
}

history ''
is "a point" "$(json -c '.[0] | keys')" '["nodes","pods","risks","score","timestamp"]'
points 3 10
history ''
is "ascending" "$(json -c '[.[].timestamp[11:23]]')" '["11:59:40.000","11:59:50.000","12:00:00.000"]'
is "values" "$(json -c '.[0]')" '{"timestamp":"2026-03-17T11:59:40.000Z","score":53,"nodes":3,"pods":10,"risks":3}'
history '&format=csv'
is "CSV" "$status $(header Content-Type)" "200 text/csv; charset=utf-8"
is "its lines" "$(tr '\n' '|' <"$scratch/body")" "timestamp,score,nodes,pods,risks|2026-03-17T11:59:40.000Z,53,3,10,3|2026-03-17T11:59:50.000Z,52,3,12,2|2026-03-17T12:00:00.000Z,51,3,11,1|"
history '&from=2026-03-17T11:59:50Z'
is "from" "$(json length)" 2
history '&to=2026-03-17T12:59:50%2B01:00'
is "to, with an offset" "$(json length)" 2
history '&from=2026-03-17T11:59:45Z&to=2026-03-17T11:59:55Z'
is "both" "$(json -c '[.[].timestamp[17:19]]')" '["50"]'
for same in 2026-03-17T12:59:45%2B01:00 2026-03-17T12:59:45+01:00 2026-03-17T11:59:45 2026-03-17T11:59:45.000; do
    history "&from=$same&to=2026-03-17T11:59:55"
    is "from $same" "$status $(json length)" "200 1"
done
history '&from=2026-03-17&to=2026-03-18'
is "from midnight" "$status $(json length)" "200 3"
history '&to=2026-03-17'
is "to midnight" "$status $(json length)" "200 0"
history '&from=2027-01-01T00:00:00Z'
is "nothing there" "$status $(json -c .)" "200 []"
points 8700 10
history ''
is "8,640 at most" "$(json length)" 8640
is "the newest" "$(json -c '[.[0].timestamp, .[-1].timestamp]')" '["2026-03-16T12:00:10.000Z","2026-03-17T12:00:00.000Z"]'
history '&step=3600'
is "steps" "$(json length)" 26
is "of the lowest" "$(json -c '.[-2] | [.timestamp, .score, .nodes, .pods, .risks]')" '["2026-03-17T11:00:00.000Z",50,3,10,4]'
history '&step=86400&format=csv'
is "steps as CSV" "$(wc -l <"$scratch/body")" 3
request HEAD '/api/score-history?clusterId=c' -H "Authorization: Bearer $token"
is "HEAD" "$status $(header Content-Type)" "200 application/json"
is "without a body" "$(curl -sS --head -o /dev/null -w '%{size_download}' -H "Authorization: Bearer $token" "$base_url/api/score-history?clusterId=c")" 0

# ---- points of before: the formula was another, and rounded another way
points 4 10
# older TIME: what is from before that is of the first formula, and scored 69.50
older() {
    sql "UPDATE score_history SET formula = 1, score = 70, score_exact = 6950 WHERE cluster = '$id' AND taken_at < '2026-03-17 $1'"
    roll_up "$id"
}
history ''
is "points of the present formula do not say so" "$(json -c 'map(has("formula")) | unique')" '[false]'
older 11:59:50
history ''
is "those of another one do" "$(json -c '[.[].formula]')" '[1,1,null,null]'
is "as they were scored" "$(json -c '[.[].score]')" '[70,70,52,51]'
for step in 60 300; do
    history "&step=$step"
    is "a step of $step s with both has the older one" "$(json -c '[.[].formula]')" '[1,null]'
done
history '&step=60&format=csv'
is "CSV has the same columns" "$(tr '\n' '|' <"$scratch/body")" "timestamp,score,nodes,pods,risks|2026-03-17T11:59:00.000Z,50,3,10,4|2026-03-17T12:00:00.000Z,50,3,11,1|"
points 2 600
sql "UPDATE score_history SET score_exact = 6950, score = 69 WHERE cluster = '$id'"
older 11:59:50
for step in 60 300; do
    history "&step=$step"
    is "each rounds as its formula does, by $step s" "$(json -c '[.[] | [.score, .last, .mean]]')" '[[70,70,69.5],[69,69,69.5]]'
done

for bad in step=0 step=-1 step=x step=604801 step=9223372036854775807 from=yesterday from=2026-03-32 from=2026-3-17 from=2026-03-17T11:59 to=1 format=xml format=CSV; do
    history "&$bad"
    refused "$bad" 400 invalid_field "${bad%%=*}"
done
get /api/score-history
refused "no cluster" 400 missing_field clusterId
get '/api/score-history?clusterId=a%20b'
refused "a bad one" 400 invalid_field clusterId
get '/api/score-history?clusterId=%zz'
is "a bad escape" "$status $(json .code)" "400 bad_request"
get '/api/score-history?clusterId=nowhere'
is "an unknown one" "$status $(json .code)" "404 unknown_cluster"
get '/api/score-history/?clusterId=c'
is "a slash too many" "$status" 404
request POST '/api/score-history?clusterId=c' -d '{}' -H "Authorization: Bearer $token"
is "POST" "$status $(header Allow)" "405 GET, HEAD"

# ---- clusters
push b "$scratch/c.json"
sql "INSERT INTO clusters (cluster, tenant_id, name, created_at) VALUES (UUID(), '$tenant', 'a', UTC_TIMESTAMP(3))"
get /api/clusters
is "by name" "$(json -c '[.[].id]')" '["a","b","c"]'
is "members" "$(json -c '.[1] | keys')" '["categories","cscScore","decision","firingAlerts","id","lastSnapshot","name","nodes","pods","provider","region","risks","scope","scoreExact","status","takenAt","verdict"]'
is "never scored" "$(json -c '.[0] | [.cscScore, .status, .provider, .region, .lastSnapshot, .scope, .verdict]')" '[null,"disconnected","unknown","unknown",null,"cluster",null]'
is "nor anything about a score" "$(json -c '.[0] | [.scoreExact, .decision, .categories, .takenAt, .firingAlerts]')" '[null,null,null,null,0]'
get '/api/clusters?limit=2'
is "a page" "$(json -c '[.[].id]') $(header Link)" '["a","b"] </api/clusters?limit=2&cursor=b>; rel="next"'
get '/api/clusters?limit=2&cursor=b'
is "the last page" "$(json -c '[.[].id]') $(header Link)" '["c"] '
get '/api/clusters?cursor=a/x:1'
is "behind one that is gone" "$(json -c '[.[].id]')" '["b","c"]'
for bad in limit=0 limit=1001 limit=x cursor=a%20b; do
    get "/api/clusters?$bad"
    refused "$bad" 400 invalid_field "${bad%%=*}"
done
# status SECONDS: of a cluster whose last snapshot is so old
cluster_status() {
    sql "UPDATE clusters SET received_at = UTC_TIMESTAMP(3) - INTERVAL $1 SECOND WHERE tenant_id = '$tenant' AND name = 'b'"
    get /api/clusters
    json '.[1].status'
}
is "58 s" "$(cluster_status 58)" connected
is "61 s" "$(cluster_status 61)" stale
is "898 s" "$(cluster_status 898)" stale
is "901 s" "$(cluster_status 901)" disconnected
done_testing
