#!/bin/bash
# What is redacted is in no answer and in no file of the database: Secrets, ConfigMaps, environment,
# annotations, in every form of a snapshot.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
own_stack
account Example

# Each value is told apart, so that one that is found says where it stood.
cluster 1 1 '.items += [
    {apiVersion: "v1", kind: "Secret", metadata: {name: "s", namespace: "shop",
        annotations: {"kubectl.kubernetes.io/last-applied-configuration": "{\"data\":{\"a\":\"planted-applied\"}}"}},
        data: {a: "planted-secret-data"}, stringData: {b: "planted-string-data"}},
    {apiVersion: "v1", kind: "ConfigMap", metadata: {name: "c", namespace: "shop",
        managedFields: [{manager: "planted-manager", fieldsV1: {"f:planted-field": {}}}]},
        data: {a: "planted-config", "password.txt": "planted-password=x"}, binaryData: {b: "planted-binary"}},
    {apiVersion: "apps/v1", kind: "ControllerRevision", metadata: {name: "r", namespace: "shop"}, revision: 1,
        data: {spec: {template: {spec: {containers: [{name: "c", image: "i", env: [{name: "X", value: "planted-revision"}]}]}}}}},
    {apiVersion: "example.com/v1", kind: "Widget", metadata: {name: "w"}, spec: {token: "planted-widget"}}]
    | (.items[] | select(.kind == "Pod" or .kind == "Deployment")) |=
        (.metadata.annotations = {"kubectl.kubernetes.io/last-applied-configuration": "planted-workload-applied", "kapp.k14s.io/original": "planted-kapp"}
         | .metadata.managedFields = [{manager: "planted-workload-manager"}])
    | (.items[] | select(.kind == "Pod") | .spec.containers[0]) += {env: [{name: "PASSWORD", value: "planted-pod-env"}]}
    | (.items[] | select(.kind == "Deployment") | .spec.template.spec.containers[0]) += {env: [{name: "PASSWORD", value: "planted-template-env"}]}' >"$scratch/list.json"
planted=$(grep -o 'planted-[a-z-]*' "$scratch/list.json" | sort -u)
ok "values are planted" [ "$(wc -l <<<"$planted")" -ge 14 ]

jq -c '.items[]' "$scratch/list.json" >"$scratch/values.json"
jq . "$scratch/list.json" >"$scratch/pretty.json"
# Raw items, that say nothing of their kind.
jq -c '.items | group_by(.kind) | map({key: (.[0].kind | ascii_downcase + "s"), value: map(del(.kind, .apiVersion))}) | from_entries' \
    "$scratch/list.json" >"$scratch/collections.json"
sql "UPDATE tenants SET plan = 'enterprise' WHERE tenant_id = '$tenant'"
for form in list values pretty collections; do
    push "$form" "$scratch/$form.json"
    is "$form: pushed" "$status" 200
    validate "$form"
    cat "$scratch/body" >>"$scratch/answers"
    for path in "cluster?id=$form" "export?clusterId=$form" "export?clusterId=$form&format=csv" "export?clusterId=$form&format=ocsf" \
        "export?clusterId=$form&format=sarif" "score-history?clusterId=$form"; do
        get "/api/$path"
        [ "$status" = 200 ] || diag "$path: $status"
        cat "$scratch/body" >>"$scratch/answers"
    done
    get "/api/cluster?id=$form"
    is "$form: names and keys are there" "$(json -c '[.secrets[0].metadata.name, .configmaps[0].metadata.name, (.pods[0].spec.containers[0].env[0].name)]')" \
        '["s","c","PASSWORD"]'
done
ok "all was answered" [ "$(grep -cE '"kind": ?"Secret"' "$scratch/answers")" -ge 4 ]
empty "no planted value is in an answer" "$(grep -oF "$planted" "$scratch/answers" | sort | uniq -c)"
for cluster in $(sql "SELECT cluster FROM snapshots"); do
    sql "SELECT TO_BASE64(body) FROM snapshots WHERE cluster = '$cluster'" | sed 's/\\n/\n/g' | base64 -d | gzip -dc
done >"$scratch/bodies"
is "no planted value is in a stored snapshot (one has no kinds)" "$(grep -cE '"kind": ?"Secret"' "$scratch/bodies") $(grep -oF "$planted" "$scratch/bodies" | sort | uniq -c)" "3 "
empty "nor in any column" "$(mariadb-dump --defaults-file="$stack_dir/admin.cnf" loadline 2>/dev/null | grep -oF "$planted" | sort | uniq -c)"
scripts/down --dir "$stack_dir"
empty "nor in a file of the database, a log or what is left elsewhere" "$(grep -raoF "$planted" "$stack_dir" | sort | uniq -c)"
ok "where the names are" grep -raqF registry.example.com "$stack_dir/data"
done_testing
