#!/bin/bash
# Requests that are stored together, with a real database: who fails because of whom, and what is read ahead of them.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
stack
cluster 1 1 >"$scratch/cluster.json"
account Other
push one "$scratch/cluster.json"
export LOADLINE_TEST_KEY_OTHER=$api_key
account Example
push one "$scratch/cluster.json"
push two "$scratch/cluster.json"
export LOADLINE_TEST_KEY=$api_key
post /api/keys '{"name":"revoked","scope":"cicd"}' -H "Authorization: Bearer $token"
LOADLINE_TEST_KEY_REVOKED=$(json .apiKey)
export LOADLINE_TEST_KEY_REVOKED
request DELETE "/api/keys?id=$(json .id)" -H "Authorization: Bearer $token"
[ "$status" = 200 ] || echo "Bail out! the key is not revoked: $body"
export LOADLINE_TEST_DB=$stack_dir/db.cnf
tests/unit/run "$build/tests/unit/test_together.t"
