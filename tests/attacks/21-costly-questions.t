#!/bin/bash
# The gate's forecast of manifests that were made to cost: CPU a question, in a cluster of 10,000 pods and in clusters
# that were made for it. Each is answered, or refused in words (422).
. "$(dirname "$0")/../e2e/lib.sh"
command -v python3 >/dev/null || skip_all "there is no python3"
own_stack --set manifest_limit=0/60
account Questions
sql "UPDATE tenants SET plan = 'enterprise' WHERE tenant_id = '$tenant'"
mkdir "$scratch/questions"
python3 tests/attacks/questions.py "$scratch/questions"

# cpu: milliseconds that the workers of validate have used
cpu() {
    local pid sum=0
    for pid in $(pids_of validate.fcgi); do sum=$((sum + $(awk '{ print $14 + $15 }' "/proc/$pid/stat"))); done
    echo $((sum * 10))
}
most=300 # ms of CPU a question
for file in "$scratch"/questions/*.json; do
    name=$(basename "$file" .json)
    [[ $name = *:* ]] || { push "$name" "$file"; is "$name is pushed" "$status" 200; }
done
for file in "$scratch"/questions/*:*.json; do
    name=$(basename "$file" .json)
    { printf '{"cluster_id":"%s","manifest":' "${name%:*}"; cat "$file"; printf '}'; } >"$scratch/question"
    before=$(cpu)
    request POST /api/validate -H 'Content-Type: application/json' -H "X-API-Key: $api_key" --data-binary "@$scratch/question"
    took=$(($(cpu) - before))
    like "$name: answered or refused" "$status$(json .code)" '^(200null|422too_complex)$'
    below "$name: ms of CPU" "$took" $most
done
done_testing
