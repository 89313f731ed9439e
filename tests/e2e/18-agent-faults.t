#!/bin/bash
# loadline-agent and an API server with which things go wrong: certificates, tokens, answers that are late, cut off or
# refused. What takes minutes is tests/agent.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
. tests/e2e/agent.sh
command -v python3 >/dev/null || skip_all "there is no python3"

bulky_cluster

# dry: the objects that --dry-run prints; sets status
dry() {
    "$agent_program" --kubeconfig "$scratch/kubeconfig" --dry-run "$@" 2>"$scratch/err" >"$scratch/dry.json"
    status=$?
    objects=$(jq -s '[.[].items[]?] | length' "$scratch/dry.json")
}

# ---- certificates and credentials
api_server "$scratch/cluster.json" --tls "$scratch/one.pem" "$scratch/one.key" --tokens "$scratch/tokens"
cp "$scratch/one.pem" "$scratch/ca.pem"
dry
is "a file beside the kubeconfig has the authority" "$status $objects" "0 $total"
sed -i "s|certificate-authority: ca.pem|certificate-authority-data: $(base64 -w0 "$scratch/one.pem")|" "$scratch/kubeconfig"
dry
is "or it is in there" "$status $objects" "0 $total"
cp "$scratch/other.pem" "$scratch/ca.pem"
kubeconfig
dry
is "another authority" "$status $objects" "1 0"
like "... is said" "$(cat "$scratch/err")" 'does not tell what it serves .*error=.*certificate'
sed -i 's|certificate-authority: ca.pem|insecure-skip-tls-verify: true|' "$scratch/kubeconfig"
dry
like "to check no certificate is refused" "$status $(cat "$scratch/err")" '^2 loadline-agent: .*--allow-insecure'
dry --allow-insecure
is "... unless told" "$status $objects" "0 $total"
sed -i 's/secret-token/wrong-token/' "$scratch/kubeconfig"
dry --allow-insecure
like "a wrong token" "$status $(cat "$scratch/err")" '^1 .*status=401'
is "... is not logged" "$(grep -c wrong-token "$scratch/err")" 0

# ---- an API server that has better things to do
cp "$scratch/one.pem" "$scratch/ca.pem"
kubeconfig
for faults in '{"throttle": 6}' '{"fail": 4}' '{"cut": 3}' '{"page_gone": 2}' '{"slow": 0.03}' '{"groups_away": ["keda.sh"]}'; do
    control faults "$faults"
    dry
    is "whatever happens, all of it is there: $faults" "$status $objects" "0 $total"
    control faults '{"throttle": 0, "fail": 0, "cut": 0, "page_gone": 0, "slow": 0, "groups_away": []}'
done
done_testing
