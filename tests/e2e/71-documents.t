#!/bin/bash
# Every command that README and docs/ give to a user of the API, to the letter and in their order.
. "$(dirname "$0")/lib.sh"
own_stack --workers notify=0 # nothing is sent to the addresses of the examples
account Reader
repository=$PWD
mkdir -p "$scratch/user/run"
ln -s "$repository"/{scripts,build,etc} "$repository/scripts/gate" "$scratch/user"
printf '%s\n' "LOADLINE_URL=$base_url" "LOADLINE_EMAIL=$email" "LOADLINE_PASSWORD=$password" "LOADLINE_API_KEY=$api_key" >"$scratch/user/run/account.env"
kubectl() {
    cat "$repository/etc/sample/shop.json"
}

# commands FILE: the indented blocks that begin like a command, each ended by a NUL.
commands() {
    awk '/^    / { block = block substr($0, 5) "\n"; next }
         { if (block ~ /^(curl|kubectl|\. run|\.\/gate|LOADLINE_URL=|CHANNEL=)/) printf "%s%c", block, 0; block = "" }
         END { if (block != "") printf "%s%c", block, 0 }' "$1"
}

# works BLOCK: it succeeds, and no answer is an error. It may set variables for those that follow.
works() {
    local block=${1//http:\/\/127.0.0.1:8080/$base_url} good=0
    block=${block//build\/release/$build}
    cd "$scratch/user" || return 1
    eval "$block" >"$scratch/said" 2>&1 || good=$?
    cd "$repository" || return 1
    ! grep -q '^{"error":\|^curl: ' "$scratch/said" || good=1
    [ "$good" = 0 ] || diag "$(head -c 500 "$scratch/said")"
    return "$good"
}

export LOADLINE_URL=$base_url LOADLINE_API_KEY=$api_key
push production etc/sample/shop.json -H "X-Snapshot-Time: $(date -ud '5 minutes ago' +%FT%TZ)"
ok "scripts/push-snapshot" scripts/push-snapshot production --file etc/sample/shop.json
for document in README.md docs/api.md docs/ci.md docs/alerts.md; do
    count=0
    while IFS= read -r -d '' block; do
        ok "$document: $(head -1 <<<"$block")" works "$block"
        count=$((count + 1))
    done < <(commands "$document")
    ok "$document has commands" [ $count -gt 0 ]
done
done_testing
