#!/bin/bash
# Headers that CGI cannot tell apart: whoever asks through a trusted proxy cannot take the proxy's place by
# another spelling of X-Forwarded-For, and a header that decides something is not there twice.
. "$(dirname "$0")/lib.sh"
own_stack --set trusted_proxies=127.0.0.1 --set metrics_allow=127.0.0.1/32 --set login_fail_limit=2/600 \
    --set signup_limit=0/600
port=$stack_port

# raw BYTES (printf's %b): sends them as they are; the answer is in $scratch/raw, its status in $status
raw() {
    exec 3<>"/dev/tcp/127.0.0.1/$port"
    printf '%b' "$1" >&3
    timeout 10 cat <&3 | tr -d '\r\0' >"$scratch/raw"
    exec 3>&-
    status=$(sed -n '1s/^HTTP\/1\.[01] \([0-9]*\) .*/\1/p' "$scratch/raw")
}

# ask_with REQUEST HEADERS [BODY]
ask_with() {
    raw "$1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n$2${3+Content-Type: application/json\r\nContent-Length: ${#3}\r\n}\r\n${3-}"
}

account Headers
ask_with 'GET /metrics' ''
is "the proxy itself may read the metrics" "$status" 200
ask_with 'GET /metrics' 'X-Forwarded-For: 203.0.113.9\r\n'
is "a client of the proxy may not" "$status" 404

# What a name may have beside letters and digits (RFC 9110, token). As \0ooo, which printf makes of it.
odd=()
for char in '!' '#' '$' '%' '&' "'" '*' '+' '.' '^' '_' '`' '|' '~'; do
    odd+=("$(printf '\\0%03o' "'$char")")
done
# Apache drops such a header; the others refuse the request.
if [ "$server" = apache ]; then dropped=404 alone=200; else dropped=400 alone=400; fi
for char in "${odd[@]}"; do
    for name in "X${char}Forwarded${char}For" "X-Forwarded${char}For" "x${char}fORWARDED-For"; do
        name_shown=$(printf '%b' "$name")
        ask_with 'GET /metrics' "X-Forwarded-For: 203.0.113.9\r\n$name: 203.0.113.8\r\n"
        is "metrics, $name_shown behind the proxy's" "$status" $dropped
        ask_with 'GET /metrics' "$name: 203.0.113.8\r\nX-Forwarded-For: 203.0.113.9\r\n"
        is "metrics, $name_shown in front of the proxy's" "$status" $dropped
    done
    ask_with 'GET /health' "X${char}Anything: 1\r\n"
    is "X${name_shown:1:1}Anything, alone" "$status" $alone
done
if [ "$server" != apache ]; then
    like "refused in JSON" "$(tail -1 "$scratch/raw")" '^\{"error":".*","code":"bad_request"\}$'
    request GET /metrics --http2-prior-knowledge -H 'X.Forwarded.For: 203.0.113.8' -H 'X-Forwarded-For: 203.0.113.9'
    refused "over HTTP/2, too" 400 bad_request
fi

# The address that limits and the audit trail see.
wrong=$(jq -nc '$ARGS.named' --arg email "$email" --arg password wrong-password)
for spelling in X.Forwarded.For X_Forwarded_For X~Forwarded-For; do
    ask_with 'POST /api/auth/login' "$spelling: 198.51.100.7\r\nX-Forwarded-For: 203.0.113.9\r\n" "$wrong"
done
is "no failed login was noted from a forged address" \
    "$(sql "SELECT COUNT(*) FROM audit WHERE action = 'sign_in_failed' AND address <> '203.0.113.9'")" 0
is "and none from the proxy's" "$(grep -c 'path="/api/auth/login".*client="\(127.0.0.1\|198.51.100.7\)"' "$(log_of auth)")" 0

# Twice: what may be a list is one, anything else is refused.
credential="Authorization: Bearer $token\r\n"
key="X-API-Key: $api_key\r\n"
ask_with 'GET /metrics' 'X-Forwarded-For: 127.0.0.1\r\nX-Forwarded-For: 203.0.113.9\r\n'
is "X-Forwarded-For twice is a list: the last one counts" "$status" 404
ask_with 'GET /metrics' 'X-Forwarded-For: 203.0.113.9\r\nX-Forwarded-For: 127.0.0.1, 127.0.0.1\r\n'
is "through three trusted ones" "$status" 404
while IFS='|' read -r what expected method headers body; do
    headers=${headers//CREDENTIAL/$credential} headers=${headers//KEY/$key}
    if [ -n "$body" ]; then ask_with "$method" "$headers" "$body"; else ask_with "$method" "$headers"; fi
    like "$what" "$status" "^(${expected//,/|})\$"
done <<'END_OF_LIST'
Authorization once|200|GET /api/clusters|CREDENTIAL
Authorization twice|400,401|GET /api/clusters|CREDENTIALCREDENTIAL
a good and a bad Authorization|400,401|GET /api/clusters|CREDENTIALAuthorization: Bearer x\r\n
a bad and a good Authorization|400,401|GET /api/clusters|Authorization: Bearer x\r\nCREDENTIAL
an empty and a good Authorization|200,400,401|GET /api/clusters|Authorization:\r\nCREDENTIAL
X-API-Key once|404|POST /api/validate|KEY|{"cluster_id":"c"}
X-API-Key twice|400,401|POST /api/validate|KEYKEY|{"cluster_id":"c"}
a good X-API-Key and a bad one|400,401|POST /api/validate|KEYX-API-Key: ll_x\r\n|{"cluster_id":"c"}
X-Cluster-Id once|400|POST /ingest|KEYX-Cluster-Id: a\r\n|{}
X-Cluster-Id twice|400|POST /ingest|KEYX-Cluster-Id: a\r\nX-Cluster-Id: b\r\n|{"kind":"List","items":[{"kind":"Namespace","apiVersion":"v1","metadata":{"name":"a"}}]}
X-Cluster-Id twice, the same|400|POST /ingest|KEYX-Cluster-Id: a\r\nX-Cluster-Id: a\r\n|{"kind":"List","items":[{"kind":"Namespace","apiVersion":"v1","metadata":{"name":"a"}}]}
X-Snapshot-Time twice|400|POST /ingest|KEYX-Cluster-Id: a\r\nX-Snapshot-Time: 2026-03-17T10:00:00Z\r\nX-Snapshot-Time: 2026-03-17T10:00:00Z\r\n|{"kind":"List","items":[{"kind":"Namespace","apiVersion":"v1","metadata":{"name":"a"}}]}
X-Target-Version twice|400|POST /ingest|KEYX-Cluster-Id: a\r\nX-Target-Version: 1.29\r\nX-Target-Version: 1.30\r\n|{"kind":"List","items":[{"kind":"Namespace","apiVersion":"v1","metadata":{"name":"a"}}]}
Content-Encoding twice|400,415|POST /ingest|KEYX-Cluster-Id: a\r\nContent-Encoding: gzip\r\nContent-Encoding: identity\r\n|{"kind":"List","items":[{"kind":"Namespace","apiVersion":"v1","metadata":{"name":"a"}}]}
Content-Type twice|400,415|POST /api/auth/verify|Content-Type: text/plain\r\n|{"token":"x"}
Content-Length twice|400|POST /api/auth/verify|Content-Length: 13\r\n|{"token":"x"}
END_OF_LIST
is "nothing was stored by any of these" "$(sql 'SELECT COUNT(*) FROM clusters')" 0
done_testing
