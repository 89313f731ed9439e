#!/bin/bash
# What concerns the target of a change, apart from the rest: its own risks, those of its nodes, of what it leans on, and of
# its namespace; and how it is, in words.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
stack
account Example
unset GITHUB_ACTIONS GITHUB_STEP_SUMMARY GITHUB_OUTPUT GITLAB_CI
export LOADLINE_URL=$base_url LOADLINE_API_KEY=$api_key

# shop/api lacks two pods and its rollout is stuck; pay/cash is down, on a node of its own that is down, too.
cluster 5 3 '
    def down($name; $namespace; $node): [
        (.items[1] | .metadata |= (.name = $name | .namespace = $namespace | .uid = "uid-\($name)")
            | .spec.replicas = 1 | .spec.selector.matchLabels.app = $name | .spec.template.metadata.labels.app = $name
            | .status = {observedGeneration: 2, replicas: 1, updatedReplicas: 1}),
        (.items[2] | .metadata |= (.name = "\($name)-0" | .namespace = $namespace | .uid = "uid-\($name)-0" | .labels.app = $name)
            | .spec.nodeName = $node | .status.conditions[0].status = "False")];
    def owned: if .kind == "Pod" then .metadata.ownerReferences = [{apiVersion: "apps/v1", kind: "Deployment", controller: true,
        name: .metadata.labels.app, uid: "uid-\(.metadata.labels.app)"}] else . end;
    down("cash"; "pay"; "n2") as $cash
    | .items[1].status.conditions = [{type: "Progressing", status: "False", reason: "ProgressDeadlineExceeded",
        lastTransitionTime: "2026-03-17T11:30:00Z", message: "it has timed out"}]
    | .items += $cash + [(.items[0] | .metadata.name = "n2" | .status.conditions[0].status = "False"),
        {apiVersion: "v1", kind: "Namespace", metadata: {name: "empty"}, status: {phase: "Active"}}]
    | .items |= map(owned)' >"$scratch/c.json"
cluster 2 2 >"$scratch/good.json"
push a "$scratch/c.json"

# told: of the last answer, the members about the target
told() {
    json '[keys[] | select(startswith("target_"))] | sort | join(" ")'
}

# ---- a workload
validate a
is "without a target nothing is told apart" "$status $(told)" "200 "
plain=$(json -c '[.decision, .csc_score, .risks_total]')
validate a '{"namespace":"shop","resource":"deployment/api"}'
is "its state is told" "$(json .target_state)" "3 of 5 pods ready; rollout of deployment/api is stuck since 2026-03-17T11:30:00Z."
is "the decision stays the score's" "$(json -c '[.decision, .csc_score, .risks_total - ([.risks[] | select(.scope == "change")] | length)]')" "$plain"
is "its members" "$(told)" "target_points target_risks target_risks_left_out target_risks_total target_state"
is "what concerns it" "$(json -c '[.target_risks[] | .concerns] | unique - ["node"]')" '["change","target"]'
is "what is about the change comes first" "$(json '.target_risks[0] | "\(.concerns) \(.check)"')" "change change-target-degraded"
is "then the costliest" "$(json '[.target_risks[] | select(.concerns == "target") | .impact] | . == (sort | reverse) and min > 0')" true
is "those of others are not among them" "$(json -c '[.target_risks[] | select(.namespace == "pay" or .resource == "node/n2")]')" '[]'
is "they are those of the cluster" "$(json '[.risks[] | {id, impact, message}] as $all | [.target_risks[] | {id, impact, message}] - $all | length')" 0
since='(.risks | map({key: .id, value: .first_seen}) | from_entries) as $all
    | [.target_risks[] | select(.scope == "cluster") | (.first_seen | type) == "string" and .first_seen == $all[.id]] | unique'
is "since when they are open" "$(json -c "$since")" '[true]'
is "and so is what is about the change" "$(json '[.risks[], .target_risks[] | select(.scope == "change") | .first_seen] | unique | length')" 1
is "their points are told" "$(json '.target_points > 0 and (.target_points - ([.target_risks[].impact] | add) - .target_risks_left_out.points | fabs) < 0.005')" true
told='[.target_state, (.target_risks | map(if .scope == "change" then del(.first_seen) else . end)), .target_risks_total, .target_points]'
json -c "$told" >"$scratch/asked"
get "/api/gate?clusterId=a&namespace=shop&resource=deploy/api"
is "a session is told the same" "$status $(json -c "$told" | sed 's,deploy/api,deployment/api,g; s/"id":"[^"]*"//g')" \
    "200 $(sed 's/"id":"[^"]*"//g' "$scratch/asked")"
# asked: whether answers of the workers tell since when risks are open as their summary does, and when that is, a line each
asked() {
    for _ in 1 2 3 4 5 6; do
        validate a '{"namespace":"shop","resource":"deployment/api"}'
        json -c "[($since), ([.target_risks[] | select(.scope == \"cluster\").first_seen] | unique)]"
    done | sort -u
}
first=$(asked)
like "so say all that answer" "$first" '^\[\[true\],\["[^"]*"\]\]$'
push a "$scratch/good.json"
push a "$scratch/c.json"
again=$(asked)
like "a risk that comes back is open since then" "$again" '^\[\[true\],'
ok "and no worker says otherwise" [ "$(wc -l <<<"$again")" = 1 ] && [ "$again" != "$first" ]
validate a '{"namespace":"pay","resource":"cash"}'
is "a node that is down concerns who is on it" "$(json -c '[.target_risks[] | select(.resource == "node/n2") | .concerns] | unique')" '["node"]'
is "which is how it is" "$(json .target_state)" "0 of 1 pods ready."

# ---- what is not there, and a namespace
validate a '{"namespace":"shop","resource":"deployment/new","action":"create"}'
like "a new workload is normal" "$(json .target_state)" '^deployment/new is not in the last snapshot, which is normal before .* Namespace shop: 0 of 1 workloads ready; '
is "its neighbours are told" "$(json -c '[.target_risks[] | .concerns] | unique')" '["namespace"]'
validate a '{"namespace":"empty"}'
is "a namespace without workloads" "$(json -c '[.target_state, ([.target_risks[] | .resource] | unique - ["namespace/empty"])]')" '["Namespace empty has no workloads.",[]]'
validate a '{"namespace":"gone"}'
is "a namespace that is not there" "$(json -c '[.target_state, .target_risks, .target_risks_total, .target_points]')" '["Namespace gone is not in the last snapshot.",[],0,0]'
validate a '{"resource":"deployment/api"}'
like "the namespace is default, unless said" "$(json .target_state)" '^deployment/api is not in .* Namespace default is not in the last snapshot'
validate a '{"namespace":"pay"}'
is "of a namespace alone its nodes count" "$(json -c '[.target_risks[] | select(.resource == "node/n2") | .concerns] | unique')" '["node"]'

# ---- hostile names
while read -r name; do
    validate a "$(jq -nc --argjson name "$name" '{namespace: $name, resource: "deployment/\($name)"}')"
    is "a name such as ${name:0:40} is only a name" "$status $(json -c '[.target_risks[] | select(.scope != "change")]') $(json --argjson name "$name" '.target_state | contains($name)')" "200 [] true"
done <<END
"'; DROP TABLE briefs; -- "
"shop\\tdeployment/api"
"shop\\nw\\tshop"
"../../shop"
"<script>alert(1)</script>"
"%s%n\\\\"
"$(printf 'x%.0s' {1..500})"
END
validate a "{\"namespace\":\"$(printf 'x%.0s' {1..513})\"}"
refused "too long" 400 invalid_field namespace
validate a '{"namespace":"shop","resource":"deployment/password=hunter2hunter2"}'
is "a secret in it is cut out" "$(grep -c hunter2 "$scratch/body")" 0

# ---- the script
mkdir "$scratch/bare"
for tool in awk sed tr head cat date mktemp rm sleep curl; do ln -s "$(command -v $tool)" "$scratch/bare/$tool"; done
for shell in dash "bash --posix" "busybox sh"; do
    read -ra run <<<"$shell"
    path=$PATH
    [ "$shell" != dash ] || path=$scratch/bare
    run[0]=$(command -v "${run[0]}")
    PATH=$path "${run[@]}" scripts/gate a --namespace shop --resource deployment/api >"$scratch/said" 2>&1
    like "$shell: the target comes first" "$(sed -n '2,4p' "$scratch/said")" $'^Target: 3 of 5 pods ready; rollout of deployment/api is stuck since 2026-03-17T11:30:00Z.\n +0\\.00  high  shop deployment/api  .*\\(change\\)\n +[0-9.]+  [a-z]+  shop deployment/api  .*\\(target\\)$'
done
dash scripts/gate a >"$scratch/said" 2>&1
is "without a target there is none" "$(grep -c '^Target' "$scratch/said")" 0
dash scripts/gate a --namespace '##vso[x]
::stop-commands::x' --report markdown "$scratch/x.md" --report junit "$scratch/x.xml" >"$scratch/said" 2>&1
is "a hostile name is no command" "$(grep -cE '##|^ *::' "$scratch/said" "$scratch/x.md" | xargs)" "$scratch/said:0 $scratch/x.md:1"
like "reports name the target" "$(cat "$scratch/x.md" "$scratch/x.xml")" 'Target: Namespace .*Target: Namespace '

# ---- other programs, other clusters, others
stored() {
    sql "SELECT COUNT(*) FROM briefs WHERE scope IS NOT NULL AND tenant_id = '$tenant'"
}
is "what leans on what is kept" "$(stored)" 1
push b "$scratch/good.json"
sql "UPDATE briefs x JOIN clusters c ON c.cluster = x.cluster JOIN briefs y ON y.cluster != x.cluster AND y.tenant_id = x.tenant_id
    SET x.scope = y.scope WHERE c.name = 'b' AND x.tenant_id = '$tenant'"
# renamed: as whoever writes a summary does: what a worker of the gate remembers has another name
renamed() {
    sql "UPDATE clusters SET brief_hash = brief_hash + 65536 WHERE tenant_id = '$tenant'"
}
renamed
validate b '{"namespace":"shop","resource":"deployment/api"}'
is "what belongs to another summary is not believed" "$status $(json -c '[.target_state, .target_risks]')" '200 ["What concerns the target is known after the next push.",[]]'
sql "DELETE FROM risks WHERE tenant_id = '$tenant' AND namespace = 'shop'"
validate a '{"namespace":"shop","resource":"deployment/api"}'
is "of a risk without a name of its own nobody knows since when" "$status $(json -c '[.target_risks[] | select(.concerns == "target") | .first_seen] | unique')" \
    '200 [null]'
sql "UPDATE briefs SET scope = NULL WHERE tenant_id = '$tenant'"
renamed
validate a '{"namespace":"shop","resource":"deployment/api"}'
is "nor is there any before the first push" "$status $(json -c '[.target_state, ([.target_risks[].scope] | unique)]')" '200 ["What concerns the target is known after the next push.",["change"]]'
cluster 4 4 >"$scratch/more.json"
push b "$scratch/more.json"
validate b '{"namespace":"shop","resource":"deployment/api"}'
is "which brings it" "$(json .target_state)" "4 of 4 pods ready."
ask POST /api/keys '{"name":"bound","scope":"cicd","clusters":["b"]}'
bound=$(json .apiKey)
api_key=$bound validate a '{"namespace":"shop"}'
refused "a key of another cluster" 403 forbidden_cluster
is "is told nothing" "$(told)" ""
account Other
validate a '{"namespace":"shop","resource":"deployment/api"}'
refused "another tenant" 404 unknown_cluster
push a "$scratch/good.json"
validate a '{"namespace":"shop","resource":"deployment/api"}'
is "has a target of its own" "$(json .target_state)" "2 of 2 pods ready."
done_testing
