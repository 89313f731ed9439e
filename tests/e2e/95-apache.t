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

# What Apache refuses before it has read the request.
request GET "/$(head -c 9000 /dev/zero | tr '\0' a)"
is "an address too long" "$status $(json .code)" "414 uri_too_long"
request CONNECT /health
is "a method out of place" "$status $(json .code)" "400 bad_request"
request POST /ingest -H 'Content-Length: -1'
is "a length below zero" "$status $(json .code)" "400 bad_request"
is "its type" "$(header Content-Type)" application/json
is "nosniff, once" "$(grep -ic '^X-Content-Type-Options: nosniff$' <<<"$headers")" 1
like "an id" "$(header X-Request-Id)" '^t=[0-9]+$'
# raw REQUEST (printf's %b): the first line of the answer, and its code
raw() {
    exec 3<>"/dev/tcp/127.0.0.1/$stack_port"
    printf '%b' "$1" >&3
    timeout 5 cat <&3 | tr -d '\r' | sed -n '1s/ [A-Z].*//p; $s/.*"code":"\([^"]*\)".*/\1/p' | xargs
    exec 3>&-
}
is "a line of HTTP/0.9" "$(raw 'GET /health\r\n')" "HTTP/1.1 400 bad_request"
is "as HTTP/1.0 it is answered" "$(raw 'GET /health HTTP/1.0\r\n\r\n' | cut -d' ' -f1,2)" "HTTP/1.1 200"
many=$(printf 'X-A%d: 1\\r\\n' {1..201})
is "more than 200 headers" "$(raw "GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n$many\r\n")" "HTTP/1.1 400 bad_request"
request GET /health -H 'Range: bytes=0-5'
is "a part of an answer is not to be had" "$status $(json .status)" "200 ok"
like "the id is the program's" "$(header X-Request-Id)" '^[0-9a-f-]{36}$'

# ---- large answers
"$build/tests/bench/bench_generate" 3000 compact 0 >"$scratch/large.json.gz"
push large "$scratch/large.json.gz"
is "a large push" "$status" 200
request GET '/api/cluster?id=large' -H "Authorization: Bearer $token"
is "comes back in chunks" "$status $(header Transfer-Encoding)" "200 chunked"
sum=$(sha256sum <"$scratch/body")
request GET '/api/cluster?id=large' -H "Authorization: Bearer $token" --compressed
is "the same as gzip" "$(header Content-Encoding) $(sha256sum <"$scratch/body")" "gzip $sum"
curl -s -m 20 --limit-rate 5M -o "$scratch/cut" -w '%{http_code} %{exitcode}' -H "Authorization: Bearer $token" \
    "$base_url/api/cluster?id=large" >"$scratch/cut.end" &
cut=$!
begun() {
    [ "$(stat -c %s "$scratch/cut")" -gt 0 ]
}
ok "a slow reader" within "$(patient 5)" begun
for pid in $(pids_of export.fcgi); do kill -9 "$pid"; done
wait $cut
is "whose worker dies sees that the answer is cut" "$(cat "$scratch/cut.end")" "200 18"

# ---- the site that make install leaves for an Apache that has others, too, on the same sockets
scripts/install "$build" "$scratch/host" /usr/local
share=$scratch/host/usr/local/share/loadline site_port=$(free_port)
modules="authz_core authn_core authz_host mpm_event $(sed -n 's/^# *a2enmod \(.*\) && .*/\1/p' "$share/apache-host.conf")"
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=loadline.example.com \
    -keyout "$scratch/tls.key" -out "$scratch/tls.pem" 2>/dev/null
cat "$scratch/tls.key" >>"$scratch/tls.pem"
{
    printf 'ServerRoot /usr/lib/apache2\nServerName other.example.com\nPidFile %s\nListen 127.0.0.1:%s\nErrorLog %s\nTypesConfig /etc/mime.types\n' \
        "$scratch/site.pid" "$site_port" "$scratch/site.log"
    for module in proxy $modules; do
        echo "LoadModule ${module}_module modules/mod_$module.so"
    done
    [ "$(id -u)" -ne 0 ] || printf 'User www-data\nGroup www-data\n'
    printf '<VirtualHost *:%s>\nServerName other.example.com\nRedirect 410 /\nSSLEngine on\nSSLCertificateFile %s\n</VirtualHost>\n' \
        "$site_port" "$scratch/tls.pem"
    sed "s|/run/loadline|$(readlink -f "$stack_dir/sock")|; s|:443>|:$site_port>|; s|/usr/local|$scratch/host&|; s|/etc/loadline/tls.pem|$scratch/tls.pem|" \
        "$share/apache-host.conf"
} >"$scratch/site.conf"
chmod 711 "$scratch" # Apache's children read the page
APACHE_LOG_DIR=$scratch apache2 -D FOREGROUND -f "$scratch/site.conf" >"$scratch/site.out" 2>&1 &
site=$!
of_site() {
    curl -sk -m 10 --resolve "loadline.example.com:$site_port:127.0.0.1" "${@:2}" "https://loadline.example.com:$site_port$1"
}
ok "Apache takes the site" within "$(patient 5)" of_site /health -f
is "it answers as ours" "$(of_site "/api/clusters?x=1" -H "Authorization: Bearer $token" | jq -r '.[0].id')" large
is "also for what is refused" "$(of_site /health -o /dev/null -w '%{http_code} %{content_type}' -X TRACE)" "405 application/json"
is "with the methods that there are" "$(of_site /api/members -o /dev/null -D - -X TRACE | tr -d '\r' | sed -n 's/^Allow: //Ip')" "GET, HEAD, POST, PATCH, DELETE"
like "a client that came once comes back with TLS" "$(of_site /health -i | tr -d '\r')" 'Strict-Transport-Security: max-age='
of_site / -i --compressed -H 'Accept: text/html' | tr -d '\r' >"$scratch/page"
like "a browser gets the page" "$(cat "$scratch/page")" '^HTTP/1.1 200 .*Content-Security-Policy: .*<!doctype html>'
like "it comes back with TLS, too" "$(cat "$scratch/page")" 'Strict-Transport-Security: max-age='
is "the documents are installed" "$(of_site /docs/api.md | cksum)" "$(cksum <docs/api.md)"
is "its log has no query" "$(grep -o '/api/clusters[^ ]* HTTP' "$scratch/loadline-access.log")" "/api/clusters HTTP"
is "other sites are left alone" "$(curl -sk -o /dev/null -w '%{http_code}' "https://127.0.0.1:$site_port/health")" 410
kill "$site"
wait "$site" || true

# ---- an Apache of which others want HTTP/2 wherever it can be had
h2_port=$(free_port)
sed "s|^ServerTokens|LoadModule http2_module modules/mod_http2.so\nProtocols h2 h2c http/1.1\nH2Direct on\n&|" \
    etc/apache.conf >"$scratch/h2.part"
mkdir "$scratch/h2"
sed "s|^Define port .*|Define port $h2_port|; s|^Define state .*|Define state $scratch/h2|; s|^Include .*|Include $scratch/h2.part|" \
    "$stack_dir/apache.conf" >"$scratch/h2.conf"
apache2 -D FOREGROUND -f "$scratch/h2.conf" >"$scratch/h2.out" 2>&1 &
site=$!
ok "Apache takes HTTP/2" within "$(patient 5)" curl -sf -m 5 -o "$scratch/body" "http://127.0.0.1:$h2_port/health"
is "an upgrade without TLS is not made" "$(curl -s -m 5 --http2 -o "$scratch/body" -w '%{http_code} %{http_version}' "http://127.0.0.1:$h2_port/health")" "200 1.1"
is "and nobody begins with it" "$(curl -s -m 5 --http2-prior-knowledge -o "$scratch/body" -w '%{http_code}' "http://127.0.0.1:$h2_port/health")" 000
kill "$site"
wait "$site" || true

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
