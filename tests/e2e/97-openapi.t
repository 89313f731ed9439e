#!/bin/bash
# Every request that /openapi.json describes, made: the answers are as it says.
# shellcheck disable=SC2154 # cluster.sh and lib.sh set them
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
own_stack --workers notify=0 --set signup_limit=0/600 --set login_fail_limit=0/300 --set key_fail_limit=0/60 --set manifest_limit=1000/60 \
    --set metrics_token=0123456789abcdef --set mail_program=/bin/true --set mail_from=loadline@example.com --set public_url=https://loadline.example
cluster 2 2 >"$scratch/snapshot"

# described STATUS: lines "method path true" or "false", by whether it is said to answer so
described() {
    json '.paths | to_entries[] | .key as $path | .value | to_entries[] | "\(.key) \($path) \(.value.responses | has("'"$1"'"))"' | sort
}

# A route that asks for a limit has a row that says so: rate_limit_check() insists on it.
get /openapi.json
described 429 >"$scratch/described"
sed -nE 's/^ROUTE\([a-z]+, *([A-Z]+), *"([^"]*)", *([A-Z_]+), *[A-Z]+, *([A-Z]+),.*/\1 \2 \3 \4/p' cgi-bin/routes.def |
    awk '{print tolower($1), $2, $3 == "API_KEY" || $4 != "NONE" ? "true" : "false"}' | sort >"$scratch/limited"
missing=$(diff "$scratch/limited" "$scratch/described" || true)
if [ -n "$missing" ] || [ "$(grep -c true "$scratch/limited")" -le 30 ]; then
    echo "not ok - 429 is described where there is a limit: $missing"
    exit 1
fi
for route in 'post /api/auth/refresh' 'get /api/audit' 'post /api/links/reset' 'post /api/auth/oidc' 'post /ingest'; do
    grep -qx "$route true" "$scratch/described" || { echo "not ok - 429 of $route"; exit 1; }
done
# A body can be of a wrong type wherever one is read.
described 415 >"$scratch/described"
sed -nE 's/^ROUTE\([a-z]+, *([A-Z]+), *"([^"]*)", *[A-Z_]+, *[A-Z]+, *[A-Z]+, *([^,]+),.*/\1 \2 \3/p' cgi-bin/routes.def |
    awk '{print tolower($1), $2, $3 == "0" ? "false" : "true"}' | sort >"$scratch/read"
missing=$(diff "$scratch/read" "$scratch/described" || true)
if [ -n "$missing" ] || [ "$(grep -c true "$scratch/read")" -le 30 ]; then
    echo "not ok - 415 is described where a body is read: $missing"
    exit 1
fi
python3 tests/e2e/openapi.py "$base_url" 0123456789abcdef "$scratch/snapshot"
