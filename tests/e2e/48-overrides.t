#!/bin/bash
# Overrides of the gate: who may, for how long, what they cover, and that every answer says so.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
stack
account Example
admin=$token admin_email=$email
overrides=/api/overrides
cluster 2 2 >"$scratch/cluster.json"
push production "$scratch/cluster.json"
push other "$scratch/cluster.json"
sql "UPDATE clusters SET score = 40, score_exact = 4000 WHERE tenant_id = '$tenant'"
unset GITHUB_ACTIONS GITHUB_STEP_SUMMARY GITHUB_OUTPUT GITLAB_CI
export LOADLINE_URL=$base_url LOADLINE_API_KEY=$api_key

# hours N: so many from now
hours() {
    date -ud "$1 hours" +%FT%TZ
}

# override [JSON to add]
override() {
    ask POST $overrides "$(jq -nc --arg until "$(hours 2)" --argjson more "${1:-{\}}" '{clusterId: "production", reason: "hotfix", until: $until} + $more')"
}

# held: what the last answer of the gate says
held() {
    json -c '[.decision, .overridden, .override.by, .override.reason]'
}

# ---- without one
get $overrides
is "none at first" "$status $body" "200 []"
validate production
is "an answer says that there is none" "$(json -c '[.decision, .overridden, has("override")]')" '["BLOCK",false,false]'
dash scripts/gate production >"$scratch/said" 2>&1
is "and the gate holds" "$?" 2

# ---- what is refused
while IFS='|' read -r what code more; do
    override "$more"
    # shellcheck disable=SC2086 # words
    refused "$what" $code
done <<END_OF_ROWS
no cluster|400 missing_field clusterId|{"clusterId":null}
an unknown one|404 unknown_cluster|{"clusterId":"nowhere"}
one that is no name|400 invalid_field clusterId|{"clusterId":"a b"}
no reason|400 missing_field reason|{"reason":null}
blanks for a reason|400 invalid_field reason|{"reason":" \t "}
a reason too long|400 invalid_field reason|{"reason":"$(printf 'x%.0s' {1..501})"}
a number for a reason|400 invalid_field reason|{"reason":7}
no end|400 missing_field until|{"until":null}
an end that is past|400 invalid_field until|{"until":"2026-01-01T00:00:00Z"}
one that is no time|400 invalid_field until|{"until":"tomorrow"}
one that is too far|400 invalid_field until|{"until":"$(date -ud '72 hours 2 minutes' +%FT%TZ)"}
a namespace that is none|400 invalid_field namespace|{"namespace":"Shop"}
an empty one|400 invalid_field namespace|{"namespace":""}
one too long|400 invalid_field namespace|{"namespace":"$(printf 'x%.0s' {1..256})"}
END_OF_ROWS
get $overrides
is "and nothing of that is kept" "$body" "[]"

# ---- one of a namespace
override '{"namespace":"shop","reason":"  the outage, see curl -u ci:hunter2 https://example.com  "}'
shop=$(json .id)
is "one is made" "$status $(json -c '[.clusterId, .namespace, .reason, .state, .createdBy, .endedBy, .endedAt]')" \
    "201 [\"production\",\"shop\",\"the outage, see curl -u ci:[redacted] https://example.com\",\"active\",\"$admin_email\",null,null]"
is "the audit trail has it" "$(audited override_created | sed 's/until [^ ]*Z:/until then:/')" \
    'cluster production, namespace shop until then: the outage, see curl -u ci:[redacted] https://example.com'
validate production '{"namespace":"shop"}'
is "it holds in its namespace" "$(json -c '[.decision, .csc_score, .overridden, .override.by, .override.namespace, .override.id]')" \
    "[\"BLOCK\",40,true,\"$admin_email\",\"shop\",\"$shop\"]"
like "a reason says so" "$(json '.reasons[1]')" "^$admin_email overrides the gate in shop until .*: the outage, .* \(without that: BLOCK\)\.$"
kept=$(json .decision_id)
is "the audit trail says so" "$(audited decision)" 'production (BLOCK 40, overridden)'
validate production '{"namespace":"payments"}'
is "not in another" "$(held)" '["BLOCK",false,null,null]'
validate production '{"resource":"deployment/api"}'
is "nor in default" "$(held)" '["BLOCK",false,null,null]'
validate production
is "nor for the whole cluster" "$(held)" '["BLOCK",false,null,null]'
validate other '{"namespace":"shop"}'
is "nor in another cluster" "$(held)" '["BLOCK",false,null,null]'
service() {
    jq -nc --arg n "$1" '{apiVersion: "v1", kind: "Service", metadata: {name: "s-\($n)", namespace: $n}, spec: {}}'
}
validate production "{\"namespace\":\"shop\",\"manifest\":$(service shop)}"
is "for a manifest of its namespace" "$status $(json .overridden)" "200 true"
validate production "{\"namespace\":\"shop\",\"manifest\":[$(service shop),$(service payments)]}"
is "not for one that changes another namespace, too" "$status $(json .overridden)" "200 false"
validate production '{"namespace":"shop","manifest":{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","metadata":{"name":"c","namespace":"shop"},"rules":[]}}'
is "nor for one that changes the cluster" "$status $(json .overridden)" "200 false"
definition='{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"x.example.com"}}'
validate production "{\"namespace\":\"shop\",\"manifest\":$definition}"
is "nor for one of a kind that may be the cluster's" "$status $(json -c '[.overridden, .manifest[0].change]')" '200 [false,"not_read"]'

while IFS='|' read -r resource namespace expected; do
    validate production "{\"namespace\":\"$namespace\",\"resource\":\"$resource\"}"
    is "$resource in \"$namespace\"" "$status $(json .overridden)" "200 $expected"
done <<'END_OF_ROWS'
deployments.v1.apps/api|shop|true
svc/api|shop|true
widget.example.com/w|shop|true
clusterrole/ci|shop|false
ClusterRoleBindings.rbac.authorization.k8s.io/ci|shop|false
ns/shop|shop|false
node/n1|shop|false
node.longhorn.io/n1|shop|true
END_OF_ROWS

get "/api/decisions?id=$kept"
is "the decision that was overridden says so" "$(json -c '[.decision, .override.by, .override.id]')" "[\"BLOCK\",\"$admin_email\",\"$shop\"]"
get '/api/decisions?clusterId=other'
is "the others that they were not" "$(json -c '[.[].override] | unique')" '[null]'

# ---- the script
for shell in dash "bash --posix" "busybox sh"; do
    # shellcheck disable=SC2086 # a shell and its applet
    $shell scripts/gate production --namespace shop --fail-on WARN --report junit "$scratch/x.xml" --report markdown "$scratch/x.md" >"$scratch/said" 2>&1
    is "$shell: the gate lets it pass" "$?" 0
    like "$shell: and says so" "$(cat "$scratch/said")" $'^BLOCK  score 40 of 100\n'"OVERRIDDEN by $admin_email until 20[^ ]*Z: the outage, see "
    is "$shell: in reports, too" "$(grep -c 'failures="0"' "$scratch/x.xml") $(grep -c OVERRIDDEN "$scratch/x.xml") $(grep -c OVERRIDDEN "$scratch/x.md")" "1 1 1"
done
GITHUB_ACTIONS=true GITHUB_OUTPUT=$scratch/output dash scripts/gate production --namespace shop >/dev/null 2>"$scratch/err"
is "GitHub is warned" "$? $(grep -c '^::warning title=Loadline BLOCK score 40::OVERRIDDEN by' "$scratch/err") $(grep overridden= "$scratch/output")" "0 1 overridden=true"
dash scripts/gate production --namespace payments >/dev/null 2>&1
is "elsewhere it holds" "$?" 2

# ---- one of the cluster, beside it
override "{\"until\":\"$(hours 1)\",\"reason\":\"all\"}"
all=$(json .id)
validate production '{"namespace":"shop"}'
is "of two the one that lasts longest is named" "$(json .override.id)" "$shop"
validate production
is "one of the cluster is for all of it" "$(held)" "[\"BLOCK\",true,\"$admin_email\",\"all\"]"
get "/api/gate?clusterId=production&namespace=payments"
is "a question is told, too" "$status $(held)" "200 [\"BLOCK\",true,\"$admin_email\",\"all\"]"
post /api/validate '{"cluster_id":"production"}' -H "X-API-Key: $api_key" -H 'Accept: text/plain'
is "a shell as well" "$(grep -c $'^overridden\ttrue$' "$scratch/body") $(grep -c $'^override.reason\tall$' "$scratch/body")" "1 1"
sql "UPDATE clusters SET score = 90, score_exact = 9000 WHERE tenant_id = '$tenant'"
validate production
is "a decision that is SAFE stays" "$(held)" "[\"SAFE\",true,\"$admin_email\",\"all\"]"
get "$overrides?clusterId=production"
is "both are listed, the newest first" "$(json -c 'map(.id)')" "[\"$all\",\"$shop\"]"
get "$overrides?limit=1"
is "in pages" "$(json -c 'map(.id)') $(header Link | grep -c 'rel="next"')" "[\"$all\"] 1"
get "$overrides?clusterId=other"
is "of another cluster there are none" "$body" "[]"

# ---- its end
sql "UPDATE loadline.overrides SET until = UTC_TIMESTAMP(3) WHERE override_id = '$all'"
validate production
is "it ends by itself" "$(json .overridden)" false
ask DELETE "$overrides?id=$all"
refused "what is over cannot be ended" 404 unknown_override
for _ in 1 2 3 4; do
    curl -sS -o /dev/null -w '%{http_code}\n' -X DELETE -H "Authorization: Bearer $token" -H 'Content-Length: 0' "$base_url$overrides?id=$shop" &
done >"$scratch/raced"
wait
is "of four who end one at once one does" "$(sort "$scratch/raced" | xargs)" "200 404 404 404"
is "the audit trail has it once" "$(audited override_ended)" "cluster production, namespace shop"
validate production '{"namespace":"shop"}'
is "and then it holds no more" "$(json .overridden)" false
get $overrides
is "none is listed" "$body" "[]"
get "$overrides?include=ended"
is "but those that are over" "$(json -c 'map([.id, .state, .endedBy])')" "[[\"$all\",\"over\",null],[\"$shop\",\"ended\",\"$admin_email\"]]"
get "$overrides?id=$shop"
is "or one alone" "$status $(json .state)" "200 ended"
get "/api/decisions?id=$kept"
is "a decision still names it" "$(json .override.reason)" "the outage, see curl -u ci:[redacted] https://example.com"
for bad in include=all limit=0 cursor=x id=x 'clusterId=a%20b'; do
    get "$overrides?$bad"
    refused "$bad" 400 invalid_field "${bad%%=*}"
done
ask DELETE $overrides '{}'
refused "which one" 400 missing_field id

# ---- a question that names no namespace
override '{"namespace":"default"}'
default=$(json .id)
while IFS='|' read -r resource expected; do
    validate production "{\"resource\":\"$resource\"}"
    is "$resource" "$status $(json .overridden)" "200 $expected"
done <<'END_OF_ROWS'
api|true
deploy/api|true
configmap/api|true
node/n1|false
storageclass/fast|false
widget.example.com/w|false
END_OF_ROWS
ask DELETE "$overrides?id=$default"

# ---- who may
for role in member operator; do
    ask POST /api/members "{\"email\":\"$role-$$@example.com\",\"password\":\"correct horse $role\",\"role\":\"$role\"}"
    login "$role-$$@example.com" "correct horse $role"
    token=$(json .token)
    override
    made=$(json .id)
    [ "$role" = operator ] || { refused "a member may not" 403 forbidden_role; made=$all; }
    get $overrides
    is "a $role may look" "$status" 200
    ask DELETE "$overrides?id=$made"
    [ "$role" = operator ] || refused "nor end one" 403 forbidden_role
    token=$admin
done
is "an operator may" "$status" 200
is "and is named" "$(audited override_created | sed 's/ until.*//')" "cluster production"
request POST $overrides -H "X-API-Key: $api_key" -d '{}'
is "a key may not" "$status" 401

# ---- a hundred, and the one that is too many
sql "INSERT INTO loadline.overrides (cluster, until, override_id, tenant_id, namespace, reason, created_by, created_at)
     SELECT c.cluster, UTC_TIMESTAMP(3) + INTERVAL 1 HOUR, UUID(), c.tenant_id, '', 'r', 'x', UTC_TIMESTAMP(3)
     FROM clusters c, seq_1_to_99 WHERE c.tenant_id = '$tenant' AND c.name = 'other'"
for _ in 1 2 3; do
    curl -sS -o /dev/null -w '%{http_code}\n' "$base_url$overrides" -H "Authorization: Bearer $token" -H 'Content-Type: application/json' \
        -d "{\"clusterId\":\"other\",\"reason\":\"r\",\"until\":\"$(hours 1)\"}" &
done >"$scratch/raced"
wait
is "of three at once one is the hundredth" "$(sort "$scratch/raced" | xargs)" "201 403 403"
override
refused "one more is too many" 403 plan_limit

# ---- the cluster goes, and comes back
ask DELETE '/api/clusters?id=other'
is "with its cluster they go" "$(sql "SELECT COUNT(*) FROM loadline.overrides o JOIN clusters c USING (cluster) WHERE c.name = 'other' AND c.tenant_id = '$tenant'")" 0
push other "$scratch/cluster.json"
validate other
is "one of the same name begins without" "$(json .overridden)" false
override
is "and there is room again" "$status" 201

account Other
push production "$scratch/cluster.json"
validate production
is "another tenant's cluster of that name is not overridden" "$(json .overridden)" false
get "$overrides?include=ended"
is "nor has it any" "$status $body" "200 []"
get "$overrides?id=$shop"
refused "nor finds one" 404 unknown_override
done_testing
