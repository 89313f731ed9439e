#!/bin/bash
# GET /api/export: the report of a cluster in four formats that say the same, and nothing that was
# redacted.
. "$(dirname "$0")/lib.sh"
unset -f jq # that which keeps the order of members
. tests/e2e/cluster.sh
stack
account Example
sql "UPDATE tenants SET plan = 'enterprise' WHERE tenant_id = '$tenant'"

# report CLUSTER FORMAT [curl's options]
report() {
    local cluster=$1 format=$2
    shift 2
    request GET "/api/export?clusterId=$cluster&format=$format" -H "Authorization: Bearer $token" "$@"
    cp "$scratch/body" "$scratch/report.$format"
}

# Names that spreadsheets and CSV readers trip over.
cluster 3 2 '(.items[] | select(.kind == "Pod")) |= (.metadata.ownerReferences = [{apiVersion: "apps/v1", kind: "ReplicaSet", name: "api-7d", controller: true}]
        | .status.containerStatuses = [{name: "api", ready: (.status.conditions[0].status == "True"), restartCount: 4,
            state: (if .metadata.name == "api-2" then {waiting: {reason: "CrashLoopBackOff", message: "back-off"}} else {running: {}} end)}])
    | .items += [{apiVersion: "apps/v1", kind: "ReplicaSet", metadata: {name: "api-7d", namespace: "shop",
          ownerReferences: [{apiVersion: "apps/v1", kind: "Deployment", name: "api", controller: true}]}, spec: {replicas: 3}},
      {apiVersion: "apps/v1", kind: "Deployment", metadata: {name: "=HYPERLINK(\"http://x\",\"y\")", namespace: "+shop"},
          spec: {template: {spec: {containers: [{name: "-c", image: "@x,\"y\"\nz"}]}}}},
      {apiVersion: "apps/v1", kind: "Deployment", metadata: {name: "\t1+1", namespace: "a\rb"},
          spec: {replicas: 0, template: {spec: {containers: [{name: "c", image: "été:latest"}]}}}},
      {apiVersion: "v1", kind: "Pod", metadata: {name: "-alone", namespace: "@x"}, spec: {containers: [{name: "=c", image: "i"}]}},
      {apiVersion: "v1", kind: "Node", metadata: {name: "=n"}, spec: {unschedulable: true}}]' >"$scratch/c.json"
push 'a:b/c' "$scratch/c.json"
is "pushed" "$status" 200
score=$(json .csc_score) risks=$(json .risks)

# ---- JSON
report 'a:b/c' json
is "JSON" "$status $(header Content-Type)" "200 application/json"
like "is a file" "$(header Content-Disposition)" '^attachment; filename="loadline-a-b-c-[0-9]{8}T[0-9]{6}Z\.json"$'
is "that nobody keeps" "$(header Cache-Control)" no-store
is "its members" "$(json -c 'keys_unsorted')" \
    '["cluster","generated_at","taken_at","score","score_exact","decision","provider","region","scope","verdict","categories","deployments","pods","risks","nodes"]'
is "cluster, score and region" "$(json -c '[.cluster, .score, .provider, .region]')" "[\"a:b/c\",$score,\"aws\",\"eu-central-1\"]"
is "as many as were pushed" "$(json -c '[.deployments, .pods, .nodes, .risks | length]')" "[3,4,2,$risks]"
is "categories" "$(json -c '.categories | map_values(keys_unsorted)')" \
    "$(jq -nc '[("policy", "runtime", "history", "health") | {(.): ["lost", "hazard", "checks", "evaluated"]}] | add')"
is "what is lost is what is missing" "$(json '[.categories[].lost] | add + 0.001 | . * 100 | floor')" "$(json '(100 - .score_exact) * 100 | round')"
is "the risks too" "$(json '[.risks[].impact] | add * 100 | round')" "$(json '(100 - .score_exact) * 100 | round')"
is "a deployment" "$(json -c '.deployments[] | select(.name == "api") | [.namespace, .desired, .ready, .available, .updated, .images]')" \
    '["shop",3,2,2,3,"registry.example.com/api:1.4.1"]'
is "a pod" "$(json -c '.pods[] | select(.name == "api-2") | [.status, .reason, .containers, .ready, .restarts, .node, .owner]')" \
    '["Running","CrashLoopBackOff",1,0,4,"n1","deployment/api"]'
is "a pod of nobody's" "$(json -c '.pods[] | select(.name == "-alone") | [.status, .owner, .node]')" '[null,null,null]'
is "a node" "$(json -c '.nodes[] | select(.name == "n1") | [.status, .cpu_millicores, .memory_bytes, .pods]')" '["Ready",4000,8589934592,3]'
is "a node that is kept free" "$(json -c '.nodes[] | select(.name == "=n") | [.status, .cpu_millicores]')" '["NotReady,SchedulingDisabled",null]'
request GET '/api/export?clusterId=a:b/c' -H "Authorization: Bearer $token"
is "JSON unless said" "$(json -c '[.cluster, (.pods | length)]')" '["a:b/c",4]'

# ---- CSV
report 'a:b/c' csv
is "CSV" "$status $(header Content-Type)" "200 text/csv; charset=utf-8"
like "is a file, too" "$(header Content-Disposition)" '\.csv"$'
is "the same records as in JSON, by Python's csv" "$(python3 tests/e2e/compare_export.py "$scratch/report.json" "$scratch/report.csv" 2>&1)" \
    "$((1 + 4 + 3 + 4 + risks + 2)) records"
is "formulas are defused" "$(grep -c "^deployment,.*'=HYPERLINK" "$scratch/report.csv")" 1
if command -v soffice >/dev/null; then
    mkdir "$scratch/office"
    # UTF-8, all columns text: a number of sixteen digits is no number to a spreadsheet otherwise.
    columns=$(seq "$(head -1 "$scratch/report.csv" | tr ',' '\n' | wc -l)" | sed 's|$|/2|' | paste -sd /)
    timeout 60 soffice --headless "-env:UserInstallation=file://$scratch/profile" \
        --infilter="Text - txt - csv (StarCalc):44,34,76,1,$columns,0,false,false,false" \
        --convert-to 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1' \
        --outdir "$scratch/office" "$scratch/report.csv" >/dev/null 2>&1
    is "LibreOffice has the same records" \
        "$(python3 tests/e2e/compare_export.py --one-newline "$scratch/report.json" "$scratch/office/"*.csv 2>&1)" "$((1 + 4 + 3 + 4 + risks + 2)) records"
else
    skip "LibreOffice has the same records" "soffice is not installed"
fi

# ---- OCSF: the attributes that schema 1.3.0 requires of class 2003 and of the objects used
report 'a:b/c' ocsf
is "OCSF" "$status $(header Content-Type)" "200 application/x-ndjson"
is "one object a line and a risk" "$(wc -l <"$scratch/report.ocsf") $(jq -cs 'map(type) | unique' "$scratch/report.ocsf")" "$risks [\"object\"]"
empty "what is required is there, of its type and value" "$(jq -r '
    def want($path; $type): select((try getpath($path) catch null | type) != $type) | "\($path | join(".")) is no \($type)";
    def one_of($path; $values): select(getpath($path) as $v | $values | index($v) | not) | "\($path | join(".")) is \(getpath($path))";
    (want(["activity_id"]; "number"), want(["category_uid"]; "number"), want(["class_uid"]; "number"), want(["type_uid"]; "number"),
     want(["severity_id"]; "number"), want(["time"]; "number"), want(["metadata"]; "object"), want(["metadata", "version"]; "string"),
     want(["metadata", "product"]; "object"), want(["metadata", "product", "name"]; "string"), want(["metadata", "product", "vendor_name"]; "string"), want(["metadata", "product", "version"]; "string"),
     want(["finding_info"]; "object"), want(["finding_info", "uid"]; "string"), want(["finding_info", "title"]; "string"),
     want(["finding_info", "analytic", "type_id"]; "number"), want(["compliance"]; "object"), want(["compliance", "standards"]; "array"),
     want(["compliance", "standards", 0]; "string"), want(["remediation", "desc"]; "string"), want(["resources", 0, "name"]; "string"),
     one_of(["activity_id"]; [1, 2, 3]), one_of(["category_uid"]; [2]), one_of(["class_uid"]; [2003]), one_of(["severity_id"]; [2, 3, 4, 5]),
     one_of(["compliance", "status_id"]; [1, 2, 3]), one_of(["status_id"]; [1, 3]), one_of(["metadata", "version"]; ["1.3.0"]),
     (select(.type_uid != .class_uid * 100 + .activity_id) | "type_uid is \(.type_uid)"),
     (select(.time < 1e12 or .time > 1e13 or .time != (.time | floor)) | "time is not in milliseconds"))' "$scratch/report.ocsf")"
empty "no attribute that the class does not have" "$(jq -r 'keys - ["activity_id", "activity_name", "category_name", "category_uid", "class_name",
    "class_uid", "compliance", "finding_info", "message", "metadata", "remediation", "resources", "severity", "severity_id", "status", "status_id",
    "time", "type_uid", "unmapped"] | .[]' "$scratch/report.ocsf")"
is "each finding once" "$(jq -r .finding_info.uid "$scratch/report.ocsf" | sort -u | wc -l)" "$risks"
is "by cluster and risk" "$(jq -r .finding_info.uid "$scratch/report.ocsf" | sort)" "$(jq -r '.cluster as $c | .risks[] | "\($c)/\(.id)"' "$scratch/report.json" | sort)"
push 'a:b/c' "$scratch/c.json"
report 'a:b/c' ocsf
is "an open one is updated" "$(jq -s 'map(.activity_id) | unique' -c "$scratch/report.ocsf")" "[2]"

# ---- SARIF
report 'a:b/c' sarif
is "SARIF" "$status $(header Content-Type) $(json -c '[.version, (.runs | length)]')" '200 application/sarif+json ["2.1.0",1]'
like "by which release" "$(json '.runs[0].tool.driver.semanticVersion')" '^[0-9]+\.[0-9]+\.[0-9]+$'
is "a result a risk" "$(json '.runs[0].results | length')" "$risks"
empty "results refer to their rules" "$(json -r '.runs[0] as $run | $run.results[] | select($run.tool.driver.rules[.ruleIndex].id != .ruleId) | .ruleId')"
is "and have the risk's id" "$(json -r '.runs[0].results[].partialFingerprints["loadlineRiskId/v1"]' | sort)" "$(jq -r '.risks[].id' "$scratch/report.json" | sort)"

# ---- gzip, HEAD
report 'a:b/c' csv -H 'Accept-Encoding: gzip'
is "gzip" "$(header Content-Encoding) $(gzip -dc <"$scratch/report.csv" | head -c 6)" "gzip record"
request HEAD '/api/export?clusterId=a:b/c&format=csv' -H "Authorization: Bearer $token"
is "HEAD" "$status $(header Content-Type)" "200 text/csv; charset=utf-8"

# ---- odd clusters
jq -nc '{kind: "Node", apiVersion: "v1", metadata: {name: "n"}}' >"$scratch/empty.json"
push empty "$scratch/empty.json"
for format in json csv ocsf sarif; do report empty $format; done
is "nothing but a node" "$(jq -c '[.deployments, .pods]' "$scratch/report.json") $(jq '.nodes | length' "$scratch/report.json")" "[[],[]] 1"
is "in CSV too" "$(python3 tests/e2e/compare_export.py "$scratch/report.json" "$scratch/report.csv" 2>&1)" \
    "$((1 + 4 + 1 + $(jq '.risks | length' "$scratch/report.json"))) records"
jq -nc '{pods: [{name: "a", namespace: "x", status: "CrashLoopBackOff", restarts: 3}], deployments: [{name: "d", replicas: 2, readyReplicas: 2}]}' >"$scratch/summaries.json"
push summaries "$scratch/summaries.json"
report summaries json
is "summary items say what they say" "$(json -c '[.pods[0].reason, .pods[0].restarts, .pods[0].ready, .deployments[0].desired, .deployments[0].ready, .deployments[0].updated]')" \
    '["CrashLoopBackOff",3,null,2,2,null]'

# ---- what is refused
for bad in xml CSV 'json,csv' 'csv%20'; do
    get "/api/export?clusterId=empty&format=$bad"
    is "format=$bad" "$status $(json .code) $(json .field) $(header Content-Disposition)" "400 invalid_field format "
done
get '/api/export'
is "no cluster" "$status $(json .code) $(json .field)" "400 missing_field clusterId"
get '/api/export?clusterId=a%20b'
is "a bad one" "$status $(json .code) $(json .field)" "400 invalid_field clusterId"
get '/api/export?clusterId=nowhere&format=csv'
is "an unknown one" "$status $(header Content-Type) $(json .code)" "404 application/json unknown_cluster"
request GET '/api/export?clusterId=empty'
is "nobody" "$status" 401
mine=("$token" "$tenant")
account "Somebody Else"
get '/api/export?clusterId=empty'
is "somebody else's" "$status $(json .code)" "404 unknown_cluster"
token=${mine[0]} tenant=${mine[1]}
sql "INSERT INTO clusters (cluster, tenant_id, name, created_at) VALUES (UUID(), '$tenant', 'fresh', NOW(3))"
get '/api/export?clusterId=fresh'
is "never scored" "$status $(json .code)" "409 no_snapshot"
get '/api/audit?action=export'
is "exports are audited, refusals are none" "$(json -r '[.[].subject] | unique | join(", ")')" \
    "a:b/c (csv), a:b/c (json), a:b/c (ocsf), a:b/c (sarif), empty (csv), empty (json), empty (ocsf), empty (sarif), summaries (json)"
is "nothing is left of any of it" "$(find "$stack_dir/tmp" -type f | wc -l)" 0
done_testing
