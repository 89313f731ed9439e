#!/bin/bash
# Every request that /openapi.json describes, made: the answers are as it says.
# shellcheck disable=SC2154 # cluster.sh and lib.sh set them
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
own_stack --workers notify=0 --set signup_limit=0/600 --set login_fail_limit=0/300 --set key_fail_limit=0/60 --set manifest_limit=1000/60 \
    --set metrics_token=0123456789abcdef --set mail_program=/bin/true --set mail_from=loadline@example.com --set public_url=https://loadline.example
cluster 2 2 >"$scratch/snapshot"
python3 tests/e2e/openapi.py "$base_url" 0123456789abcdef "$scratch/snapshot"
