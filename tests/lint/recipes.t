#!/bin/bash
# The recipes of etc/ci: each is what it says it is, and the shell in it is good.
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
. tests/lint/unchanged.sh
# shellcheck disable=SC2034 # unchanged.sh looks at it
read_tools=(shellcheck python3)
reads etc/ci docs/ci.md scripts/gate tests/yaml_to_json.py

work=$(mktemp -d)
# shellcheck disable=SC2154 # keep_names is of unchanged.sh
trap 'rm -rf "$work"; keep_names' EXIT

# recipe FILE: its documents are in $work/json
recipe() {
    tests/yaml_to_json.py "$1" >"$work/json" 2>"$work/complaints"
}
ask() {
    jq -c "$@" "$work/json"
}

# Whatever a CI gives to a shell: script and run, a text or a list of them, or the arguments of sh.
shell_of='def texts: if type == "array" then .[] else . end;
    [.. | objects | (.script?, .after_script?, .run? | select(. != null) | texts | strings), (.command? | arrays | select(.[0] == "sh") | .[1:] | @sh | "sh " + .)]'
for file in etc/ci/*.yaml etc/ci/*.yml; do
    name=${file##*/}
    recipe "$file"
    is "$name is YAML" "$? $(cat "$work/complaints")" "0 "
    scripts=$(ask "$shell_of | length")
    for ((i = 0; i < scripts; i++)); do
        ask -r "$shell_of | .[$i]" >"$work/script"
        sed -i '1{/^#!/!s/^/#!\/bin\/sh\n/}' "$work/script"
        empty "$name, script $((i + 1))" "$(shellcheck -s sh -S style "$work/script" 2>&1)"
        empty "$name, script $((i + 1)): no value is pasted into it" "$(grep -nE '\$\{\{|\$\((params|tasks|workspaces)\.' "$work/script")"
    done
    [ "$name" = argo-rollouts.yaml ] || ok "$name asks the gate" [ "$scripts" -gt 0 ]
done

# What makes the gate one: nothing that deploys runs beside it.
recipe etc/ci/gitlab-ci.yml
is "GitLab: the gate's stage comes first, and is its own" \
    "$(ask '.[0] | .stages[0] as $first | [$first, [to_entries[] | select(.value | type == "object" and .stage == $first) | .key]]')" '["gate",["loadline"]]'
is "GitLab: what deploys needs it" "$(ask '.[0] | .deploy | [.stage, .needs]')" '["deploy",["loadline"]]'
is "GitLab: each job names its image" "$(ask '.[0] | [to_entries[] | select((.value | type) == "object" and (.value | has("script")) and (.value | has("image") | not)) | .key]')" '[]'
recipe etc/ci/argocd-presync.yaml
is "Argo CD: a Job that is not tried again, before the sync" \
    "$(ask '.[0] | [.apiVersion, .kind, .metadata.annotations["argocd.argoproj.io/hook"], .spec.backoffLimit, .spec.template.spec.restartPolicy]')" '["batch/v1","Job","PreSync",0,"Never"]'
recipe etc/ci/tekton-task.yaml
is "Tekton: a Task whose parameters are told" \
    "$(ask '.[0] | [.apiVersion, .kind, ([.spec.params[].name] - [.. | strings | scan("\\$\\(params\\.([a-z]+)\\)")[]])]')" '["tekton.dev/v1","Task",[]]'
recipe etc/ci/argo-rollouts.yaml
is "Argo Rollouts: an analysis whose arguments are told" \
    "$(ask '.[0] | [.kind, ([.. | strings | scan("\\{\\{args\\.([a-z-]+)\\}\\}")[]] - [.spec.args[].name])]')" '["AnalysisTemplate",[]]'
recipe etc/ci/github-action.yml
is "GitHub: a composite action whose inputs are told" \
    "$(ask '.[0] | [.runs.using, ([.. | strings | scan("\\$\\{\\{ inputs\\.([a-z-]+) \\}\\}")[]] - (.inputs | keys))]')" '["composite",[]]'

# Groovy: as far as one can tell without it.
sed -n "s/^ *sh '\(.*\)'$/\1/p" etc/ci/Jenkinsfile >"$work/script"
sed -i '1s/^/#!\/bin\/sh\n/' "$work/script"
empty "Jenkinsfile: its shell" "$(shellcheck -s sh -S style "$work/script" 2>&1)"
is "Jenkinsfile: the gate, then what deploys" "$(tail -n +2 "$work/script" | cut -d' ' -f1-2 | tr '\n' ';')" "sh ci/gate;./deploy.sh;sh ci/gate;sh ci/gate;"
is "Jenkinsfile: brackets" "$(grep -v '^ *//' etc/ci/Jenkinsfile | tr -dc '{' | wc -c)" "$(grep -v '^ *//' etc/ci/Jenkinsfile | tr -dc '}' | wc -c)"
ok "Jenkinsfile: it knows where Loadline is" grep -q "LOADLINE_URL = 'https://" etc/ci/Jenkinsfile

# No recipe goes ahead on what only the job's author can mend.
empty "no recipe lets exit 4 pass" "$(grep -nE 'exit_codes|continue-on-error|\|\| *(true|:|\[)|-eq 4' etc/ci/*)"
for file in etc/ci/*; do
    ok "docs/ci.md names ${file##*/}" grep -qF "${file##*/}" docs/ci.md
done
done_testing
