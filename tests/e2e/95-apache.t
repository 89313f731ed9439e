#!/bin/bash
# The same programs behind Apache.
. "$(dirname "$0")/lib.sh"
own_stack --server apache

request GET /health
is "health" "$status" 200
request GET /no/such/path
is "unknown path" "$status $(json .code)" "404 not_found"
request DELETE /health
is "wrong method" "$status $(json .code)" "405 method_not_allowed"
is "Allow" "$(header Allow)" "GET, HEAD"
account "Behind Apache"
is "signup" "$status" 201
request GET /api/clusters -H "Authorization: Bearer $token"
is "Authorization reaches the programs" "$status $body" "200 []"
request GET /api/clusters
is "and its absence too" "$status $(json .code)" "401 unauthorized"
is "WWW-Authenticate comes back" "$(header WWW-Authenticate)" 'Bearer realm="loadline"'

parent=$(pgrep -x apache2 -P "$(leaders "$stack_dir" | sed -n 's/^apache //p')")
kill -9 "$parent"
back() {
    pids_of apache2 | grep -vx "$parent" >"$scratch/pids" && curl -sf "$base_url/health"
}
ok "Apache is back although its children still had the port" within "$(patient 5)" back
new=$(pgrep -x apache2 -P "$(leaders "$stack_dir" | sed -n 's/^apache //p')")
isnt "it is another parent" "$new" "$parent"
is "with children of its own only" "$(pids_of apache2 | grep -vx "$new" | xargs -r ps -o ppid= -p | sort -u | tr -d ' ')" "$new"
done_testing
