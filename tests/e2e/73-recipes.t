#!/bin/bash
# What the recipes of etc/ci run, run as their CI would: a cluster that is safe lets them go on, and BLOCK does not.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
stack
account Example
cluster 2 2 >"$scratch/good.json"
push production "$scratch/good.json"
unset GITHUB_ACTIONS GITLAB_CI
export LOADLINE_URL=$base_url LOADLINE_API_KEY=$api_key
here=$PWD
mkdir -p "$scratch/repository/ci" "$scratch/loadline"
cp scripts/gate "$scratch/repository/ci/gate"
cp scripts/gate "$scratch/loadline/gate"

# The parameters of all of them.
export GITHUB_ACTION_PATH=$scratch/loadline CI_REGISTRY_IMAGE=registry.example.com/cart CI_COMMIT_SHA=4ad1 GIT_COMMIT=4ad1 \
    CLUSTER=production NAMESPACE=shop RESOURCE=deployment/api IMAGE=registry.example.com/cart:1 FAIL_ON=BLOCK ON_ERROR=fail WAIT=0

# value FILE FILTER: of its first document
value() {
    tests/yaml_to_json.py "etc/ci/$1" | jq -r ".[0] | $2"
}
value github-action.yml '.runs.steps[0].run' >"$scratch/github"
value gitlab-ci.yml '.loadline.script[]' >"$scratch/gitlab"
value tekton-task.yaml '.spec.steps[0].script' >"$scratch/tekton"
value argocd-presync.yaml '.spec.template.spec.containers[0].command | @sh' >"$scratch/argocd"
sed -n "s/^ *sh '\(sh .*\)'$/\1/p" etc/ci/Jenkinsfile >"$scratch/all"
head -n 1 "$scratch/all" >"$scratch/jenkins"
grep -e '--outcome' "$scratch/all" >"$scratch/jenkins-outcomes"
value gitlab-ci.yml '.deploy.after_script[]' >"$scratch/gitlab-outcome"
sed -i "s|/loadline/gate|$scratch&|; s/'10m'/0/" "$scratch/tekton" "$scratch/argocd"

# ends RECIPE: with what status its script does
ends() {
    (cd "$scratch/repository" && busybox sh -e "$scratch/$1" >"$scratch/said" 2>&1)
    echo $?
}
for points in 90 40; do
    sql "UPDATE clusters SET score = $points, taken_at = UTC_TIMESTAMP(3) WHERE tenant_id = '$tenant'"
    for recipe in github gitlab jenkins argocd tekton; do
        is "$recipe: $points" "$(ends $recipe)" "$([ $points = 90 ] && echo 0 || echo 2)"
        like "$recipe: $points, as it was asked" "$(cat "$scratch/said")" "score $points of 100"
        LOADLINE_API_KEY=ll_wrong
        is "$recipe: a wrong key" "$(ends $recipe)" 4
        LOADLINE_API_KEY=$api_key
    done
    is "GitLab's reports are there" "$(find "$scratch/repository" -name '*.json' -o -name '*.xml' | wc -l)" 2
    rm -f "$scratch"/repository/*.{json,xml}
done
ON_ERROR=pass
LOADLINE_URL=http://127.0.0.1:$(free_port)
is "GitHub, away, on-error: pass" "$(ends github)" 0
is "GitLab, away" "$(ends gitlab)" 3
is "no decision has no id" "$(wc -c <"$scratch/repository/loadline-decision")" 0
LOADLINE_URL=$base_url

# ---- what became of it
# last: the outcome of the last decision about the cluster
last() {
    sql "SELECT CONCAT_WS(' ', outcome, outcome_by, outcome_note) FROM decisions WHERE tenant_id = '$tenant' ORDER BY decided_at DESC LIMIT 1"
}
sql "UPDATE clusters SET score = 90, taken_at = UTC_TIMESTAMP(3) WHERE tenant_id = '$tenant'"
export CI_JOB_STATUS=failed CI_PIPELINE_URL=https://gitlab.example/1
is "GitLab: the gate, then what became of it" "$(ends gitlab; ends gitlab-outcome; last)" $'0\n0\nfailure reported https://gitlab.example/1'
CI_JOB_STATUS=success
is "... or that it went well" "$(ends gitlab-outcome; last)" $'0\nsuccess reported https://gitlab.example/1'
CI_JOB_STATUS=canceled
is "of a job that was canceled nothing is told" "$(ends gitlab; ends gitlab-outcome; last)" $'0\n0\n  '
sed -n 1p "$scratch/jenkins-outcomes" >"$scratch/jenkins-success"
sed -n 2p "$scratch/jenkins-outcomes" >"$scratch/jenkins-failure"
for became in success failure; do
    is "Jenkins: $became" "$(ends jenkins; ends jenkins-$became; last)" $'0\n0\n'"$became reported "
done
GITHUB_ACTIONS=true GITHUB_OUTPUT=$scratch/output ends github >/dev/null
export DECISION_ID OUTCOME=success
DECISION_ID=$(sed -n 's/^decision_id=//p' "$scratch/output")
is "GitHub: the same action tells it" "$(ends github; last)" $'0\nsuccess reported '
OUTCOME=skipped
is "and nothing of a step that was skipped" "$(ends github; last)" $'0\nsuccess reported '
unset DECISION_ID OUTCOME
sql "UPDATE clusters SET score = 40, taken_at = UTC_TIMESTAMP(3) WHERE tenant_id = '$tenant'"

# ---- Argo Rollouts asks by itself
value argo-rollouts.yaml '.spec.metrics[0].provider.web.jsonBody | walk(if . == "{{args.cluster}}" then "production" elif type == "string" then sub("{{args.[a-z]*}}"; "") else . end)' >"$scratch/question"
headers=$(value argo-rollouts.yaml '.spec.metrics[0].provider.web.headers[] | "\(.key): \(.value)"' | sed "s/{{args.api-key}}/$api_key/")
mapfile -t lines <<<"$headers"
request POST "$(value argo-rollouts.yaml '.spec.metrics[0].provider.web.url' | sed 's|https://[^/]*||')" -H "${lines[0]}" -H "${lines[1]}" --data-binary "@$scratch/question"
is "the question of the analysis is one" "$status $(json .decision) $(json .overridden)" "200 BLOCK false"
is "a decision is what it looks at" "$(value argo-rollouts.yaml '.spec.metrics[0] | [.failureCondition, .provider.web.jsonPath] | join(" ")')" '!result.overridden && result.decision == "BLOCK" {$}'

# ---- cron
printf '%s\n' "$api_key" >"$scratch/key"
chmod 600 "$scratch/key"
unset LOADLINE_API_KEY
export LOADLINE_KEY_FILE=$scratch/key LOADLINE_GATE=$here/scripts/gate LOADLINE_GATE_OPTIONS='--namespace shop --resource deployment/api'
# shellcheck disable=SC2016 # for the shell that deploys
deploy=(env busybox sh etc/ci/deploy-when-safe production sh -c 'echo deployed "$@" ${LOADLINE_API_KEY-}' x 'a b')
said=$("${deploy[@]}" 2>&1)
like "BLOCK: it does not deploy, and says why" "$? $said" '^2 BLOCK  score 40 of 100'
is "once" "$("${deploy[@]}" 2>&1; echo $?)" 2
sql "UPDATE clusters SET score = 90, taken_at = UTC_TIMESTAMP(3) WHERE tenant_id = '$tenant'"
is "SAFE: it deploys, without the key" "$("${deploy[@]}" 2>&1; echo $?)" $'deployed a b\n0'
is "it tells what became of it" "$(last)" "success reported "
is "the command's status is its own" "$(dash etc/ci/deploy-when-safe production sh -c 'exit 7' 2>&1; echo $?)" 7
is "which is a failure" "$(last)" "failure reported "
is "of another cluster it tells anew" "$(dash etc/ci/deploy-when-safe other true 2>&1; echo $?)" $'gate: no decision, 404: There is no such cluster.\n4'
is "nothing to deploy" "$(dash etc/ci/deploy-when-safe production 2>&1; echo $?)" $'deploy-when-safe: which cluster, and what deploys? (see --help)\n4'
is "no key" "$(LOADLINE_KEY_FILE=/nowhere/key dash etc/ci/deploy-when-safe production true 2>&1; echo $?)" \
    $'deploy-when-safe: no API key can be read in /nowhere/key; LOADLINE_KEY_FILE names another file\n4'
like "--help" "$(dash etc/ci/deploy-when-safe --help)" '^deploy-when-safe: for cron'
done_testing
