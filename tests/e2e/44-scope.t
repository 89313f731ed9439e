#!/bin/bash
# PATCH /api/clusters: a cluster of which some namespaces are shown only is called that wherever its
# score is told.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
stack
account Example
cluster 2 1 >"$scratch/c.json"
push production "$scratch/c.json"
push other "$scratch/c.json"

# change JSON: the session to ask with is $token
change() {
    ask PATCH /api/clusters "$1"
}
# scopes: of all clusters
scopes() {
    get /api/clusters
    json -c 'map([.id, .scope])'
}
is "the whole cluster, unless said" "$(scopes)" '[["other","cluster"],["production","cluster"]]'
get '/api/clusters'
listed=$(json -c '.[1] | del(.status, .scope)')
get '/api/cluster?id=production&include=nodes'
tag=$(header ETag)
change '{"id":"production","scope":"namespaces"}'
is "it is changed" "$status $(json .scope)" "200 namespaces"
is "the answer is the cluster as it is listed" "$(json -c 'del(.status, .scope)')" "$listed"
is "no other is" "$(scopes)" '[["other","cluster"],["production","namespaces"]]'
is "it is in the audit trail" "$(audited cluster_changed)" "production, scope namespaces"
change '{"id":"production","scope":"namespaces"}'
is "the same again is good" "$status" 200
push production "$scratch/c.json"
is "a push leaves it" "$status $(scopes)" '200 [["other","cluster"],["production","namespaces"]]'

# ---- where it is told
validate production
is "by the gate" "$(json .scope)" namespaces
like "in its message" "$(json .message)" 'namespaces shown only\.$'
is "and its reasons" "$(json '.reasons | map(select(contains("namespaces shown only"))) | length')" 1
validate other
is "not of another cluster" "$(json '"\(.scope) \([.message, .reasons[]] | map(select(contains("shown only"))) | length)"')" "cluster 0"
get '/api/cluster?id=production&include=nodes'
is "with its snapshot" "$(json .scope)" namespaces
isnt "which is another document by that" "$(header ETag)" "$tag"
get '/api/export?clusterId=production'
is "in the report" "$(json .scope)" namespaces
get '/api/export?clusterId=production&format=csv'
is "in CSV too" "$(python3 -c 'import csv, sys; print(next(csv.DictReader(sys.stdin))["scope"])' <"$scratch/body")" namespaces
ask POST /api/notifications/channels '{"type":"webhook","name":"hook","url":"https://example.com/hook"}'
ask POST /api/notifications/rules '{"condition":"score_drop","threshold":100}'
push production "$scratch/c.json"
push other "$scratch/c.json"
# detail CLUSTER: of the alert about its score
detail() {
    sql "SELECT body FROM outbox WHERE tenant_id = '$tenant' AND cluster_name = '$1'" | jq -r .detail
}
like "in an alert" "$(detail production)" ' active risks? detected\. [A-Z]+: .+ \(of the namespaces shown\)\.$'
like "in one about another cluster there is a verdict" "$(detail other)" ' active risks? detected\. [A-Z]+: .+\.$'
is "... of all of it" "$(detail other | grep -c 'namespaces shown')" 0

# ---- and back
request PATCH '/api/clusters?id=production' -H "Authorization: Bearer $token" -H 'Content-Type: application/json' -d '{"id":"other","scope":"cluster"}'
is "the parameter counts" "$status $(scopes)" '200 [["other","cluster"],["production","cluster"]]'
is "back" "$(audited cluster_changed)" "production, scope cluster"
sql "INSERT INTO clusters (cluster, tenant_id, name, created_at) VALUES (UUID(), '$tenant', 'new', UTC_TIMESTAMP(3))"
change '{"id":"new","scope":"namespaces"}'
is "one that was never scored" "$status $(json -c '[.scope, .cscScore, .verdict]')" '200 ["namespaces",null,null]'

# ---- refusals
before=$(scopes)
while IFS='|' read -r what field code document; do
    change "$document"
    refused "$what" 400 "$code" "$field"
done <<END
nothing|id|missing_field|{}
no scope|scope|missing_field|{"id":"production"}
a scope of null|scope|missing_field|{"id":"production","scope":null}
no id|id|missing_field|{"scope":"namespaces"}
an id that is none|id|invalid_field|{"id":"a b","scope":"namespaces"}
an empty id|id|invalid_field|{"id":"","scope":"namespaces"}
an id of 129|id|invalid_field|{"id":"$(printf 'a%.0s' {1..129})","scope":"namespaces"}
an id that is a number|id|invalid_field|{"id":1,"scope":"namespaces"}
another scope|scope|invalid_field|{"id":"production","scope":"namespace"}
other letters|scope|invalid_field|{"id":"production","scope":"Namespaces"}
a blank more|scope|invalid_field|{"id":"production","scope":"namespaces "}
an empty scope|scope|invalid_field|{"id":"production","scope":""}
a long one|scope|invalid_field|{"id":"production","scope":"namespaces-namespaces"}
a number|scope|invalid_field|{"id":"production","scope":1}
true|scope|invalid_field|{"id":"production","scope":true}
a list|scope|invalid_field|{"id":"production","scope":["namespaces"]}
a NUL|scope|invalid_field|{"id":"production","scope":"namespaces\u0000"}
a list around it||bad_json|[{"id":"production","scope":"namespaces"}]
half a document||bad_json|{"id":"production"
END
change "{\"id\":\"$(printf 'a%.0s' {1..128})\",\"scope\":\"namespaces\"}"
refused "an id of 128 that is nobody's" 404 unknown_cluster
change '{"id":"nowhere","scope":"namespaces"}'
refused "an unknown one" 404 unknown_cluster
request PATCH '/api/clusters?id=a%20b' -H "Authorization: Bearer $token" -H 'Content-Type: application/json' -d '{"scope":"cluster"}'
refused "a parameter that is no id" 400 invalid_field id
change "$(printf '%16385s' '{"id":"production","scope":"namespaces"}')"
refused "16 KiB and one" 413 too_large
change "$(printf '%16384s' '{"id":"production","scope":"cluster"}')"
is "16 KiB" "$status" 200
request PATCH /api/clusters -H "Authorization: Bearer $token" -d 'id=production&scope=namespaces'
refused "a form" 415 not_json
request PATCH /api/clusters/ -H "Authorization: Bearer $token" -H 'Content-Type: application/json' -d '{"id":"production","scope":"namespaces"}'
refused "a slash too many" 404 not_found
request PUT /api/clusters -H "Authorization: Bearer $token" -H 'Content-Type: application/json' -d '{"id":"production","scope":"namespaces"}'
is "PUT" "$status $(header Allow)" "405 GET, HEAD, PATCH, DELETE"

# ---- who may
request PATCH /api/clusters -H 'Content-Type: application/json' -d '{"id":"production","scope":"namespaces"}'
refused "nobody" 401 unauthorized
request PATCH /api/clusters -H "X-API-Key: $api_key" -H 'Content-Type: application/json' -d '{"id":"production","scope":"namespaces"}'
refused "an API key" 401 unauthorized
for role in member operator; do
    sql "UPDATE users SET role = '$role' WHERE tenant_id = '$tenant'"
    change '{"id":"production","scope":"cluster"}'
    is "$role" "$status $(json '.code // .scope')" "$([ $role = operator ] && echo 200 cluster || echo 403 forbidden_role)"
done
mine=$token
account "Somebody Else"
change '{"id":"production","scope":"namespaces"}'
refused "somebody else's" 404 unknown_cluster
token=$mine
is "none of it changed anything" "$(scopes)" "$before"
done_testing
