#!/bin/bash
# The gate answers tenants in turn: who asks what takes long on many connections keeps others waiting for one answer, and
# not for all. A tenant is known by its keys and by its sessions.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
. tests/e2e/askers.sh
[ "$server" != cgi ] || skip_all "as plain CGI there is no queue of ours"
own_stack --set manifest_limit=0/60 --workers validate=1
account Small
small_key=$api_key small_token=$token
cluster 1 1 >"$scratch/one.json"
push shop "$scratch/one.json"
account Big
sql "UPDATE tenants SET plan = 'enterprise' WHERE tenant_id = '$tenant'"
big_key=$api_key
"$build/tests/bench/bench_generate" 800 compact 0 >"$scratch/large.json.gz"
request POST /ingest -H "X-API-Key: $big_key" -H 'X-Cluster-Id: shop' -H 'Content-Type: application/json' \
    -H 'Content-Encoding: gzip' --data-binary "@$scratch/large.json.gz"
is "a large cluster" "$status" 200
gzip -dc "$scratch/large.json.gz" | jq -c '[.items[] | select(.kind == "Deployment")][0] | del(.status)
    | {cluster_id: "shop", namespace: .metadata.namespace, manifest: .}' >"$scratch/question.json"

# What a manifest would do.
asks() {
    timed "$base_url/api/validate" -H "X-API-Key: $big_key" -H 'Content-Type: application/json' --data-binary "@$scratch/question.json"
}

begin_asking 16 asks
for ((i = 1; i <= 6; i++)); do
    timed "$base_url/api/validate" -H "X-API-Key: $small_key" -H 'Content-Type: application/json' -d '{"cluster_id":"shop"}'
done >"$scratch/job"
for ((i = 1; i <= 6; i++)); do
    timed "$base_url/api/gate?clusterId=shop" -H "Authorization: Bearer $small_token"
done >"$scratch/person"
end_asking
waited=$(cut -d' ' -f2 "$scratch"/big.* | median)
diag "another company's job waited, ms: $(cut -d' ' -f2 "$scratch/job" | xargs); a person: $(cut -d' ' -f2 "$scratch/person" | xargs); they: $waited"
is "another company's job is answered" "$(cut -d' ' -f1 "$scratch/job" | sort -u)" 200
below "... in a part of the time that the others wait for each other, ms" "$(cut -d' ' -f2 "$scratch/job" | median)" $((waited / 4))
is "so is a person who asks with a session" "$(cut -d' ' -f1 "$scratch/person" | sort -u)" 200
below "... likewise, ms" "$(cut -d' ' -f2 "$scratch/person" | median)" $((waited / 4))
is "and those many are answered, all of them" "$(cut -d' ' -f1 "$scratch"/big.* | sort -u)" 200
is "each of which was kept once" "$(sql "SELECT COUNT(*) FROM decisions WHERE tenant_id = '$tenant'")" "$(cat "$scratch"/big.* | wc -l)"
done_testing
