#!/bin/bash
# 4,000 clients that send half a request and then a byte now and again: others are answered all the same. The
# slower half of tests/e2e/39-slow-clients.t. Each kind comes twice: slower than the server waits, and as slowly
# as it can stand, with a new one for each that is closed.
. "$(dirname "$0")/../e2e/lib.sh"
for server in lighttpd apache; do
    own_stack --server "$server"
    for kind in header body silent; do
        for gap in 15 5; do
            again=()
            [ $gap = 15 ] || again=(--again)
            tests/attacks/slow.py "$stack_port" 4000 "$kind" "$gap" 40 "${again[@]}" >"$scratch/result"
            diag "$server $kind $gap: $(cat "$scratch/result")"
            is "$server, $kind, a byte in $gap s: /health is answered" "$(jq .failed "$scratch/result")" 0
            below "$server, $kind, a byte in $gap s: soon (ms)" "$(jq .worst_ms "$scratch/result")" "$(patient 5000)"
        done
    done
    scripts/down --dir "$stack_dir"
done
done_testing
