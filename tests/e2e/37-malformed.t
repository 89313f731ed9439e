#!/bin/bash
# Requests that nobody sends by accident: lengths that contradict each other, requests inside of others,
# paths that are written otherwise, header and log lines that are forged.
. "$(dirname "$0")/lib.sh"
stack
port=${base_url##*:}

# raw BYTES (printf's %b): sends them as they are; the answers are in $scratch/raw
raw() {
    exec 3<>"/dev/tcp/127.0.0.1/$port"
    printf '%b' "$1" >&3
    timeout 5 cat <&3 | tr -d '\r\0' >"$scratch/raw"
    exec 3>&-
}

verify='POST /api/auth/verify HTTP/1.1\r\nHost: x\r\nConnection: close\r\n'
health='GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n'
while IFS='|' read -r what expected bytes; do
    bytes=${bytes/#VERIFY /$verify} bytes=${bytes/#HEALTH /$health}
    raw "$bytes"
    like "$what" "$(sed -n '1s/^HTTP\/1\.[01] \([0-9]*\) .*/\1/p' "$scratch/raw")" "^(${expected//,/|})\$"
    case $expected in
    200*) ;;
    *) like "$what: as JSON" "$(grep -o '{"error":.*}' "$scratch/raw" | head -1 | jq -r .code)" '^[a-z_]+$' ;;
    esac
    is "$what: one answer" "$(grep -c '^HTTP/1' "$scratch/raw")" 1
done <<'END_OF_LIST'
two lengths|400|VERIFY Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}x
one length twice|400|VERIFY Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}
a list of lengths|400|VERIFY Content-Length: 2, 2\r\n\r\n{}
a length with a sign|400|VERIFY Content-Length: +2\r\n\r\n{}
a length in hex|400|VERIFY Content-Length: 0x2\r\n\r\n{}
a length below zero|400|VERIFY Content-Length: -1\r\n\r\n{}
a length beyond 64 bits|400|VERIFY Content-Length: 99999999999999999999\r\n\r\n{}
chunks and a length|400|VERIFY Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n2\r\n{}\r\n0\r\n\r\n
a blank before the colon|400|VERIFY Transfer-Encoding : chunked\r\nContent-Length: 2\r\n\r\n{}
an encoding like chunked|400,501|VERIFY Transfer-Encoding: xchunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n
a chunk of no size|400|VERIFY Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n
lines without CR|400|GET /health HTTP/1.1\nHost: x\nConnection: close\n\n
a NUL in a header|400|HEALTH X-A: a\0000b\r\n\r\n
a header without a colon|400|HEALTH nonsense\r\n\r\n
a header without a name|400|HEALTH : x\r\n\r\n
no Host|400|GET /health HTTP/1.1\r\nConnection: close\r\n\r\n
a Host with a path|400|GET /health HTTP/1.1\r\nHost: a/b\r\nConnection: close\r\n\r\n
TRACE|405|TRACE /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n
another method in a header|405|GET /api/auth/login HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-HTTP-Method-Override: POST\r\n\r\n
another method in the query|405|GET /api/auth/login?_method=POST HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n
dots|404|GET /x/../health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n
encoded dots|404|GET /x/%2e%2e/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n
two slashes|404|GET //health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n
an encoded slash|404|GET /api%2fclusters HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n
an encoded letter|404|GET /healt%68 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n
an encoded NUL|400,404|GET /health%00 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n
a semicolon|404|GET /health;x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n
a line in the path|400,404|GET /a%0a%0d%22forged HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n
a line in the query|400,404|GET /a?%0aforged HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n
two credentials|401|GET /api/clusters HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b\r\n\r\n
an upgrade to HTTP/2 without TLS|200|GET /health HTTP/1.1\r\nHost: x\r\nConnection: close, Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n\r\n
an upgrade to websockets|200|GET /health HTTP/1.1\r\nHost: x\r\nConnection: close, Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n
a file beside the documents|404,400|GET /docs/../README.md HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n
with encoded dots|404,400|GET /docs/%2e%2e/README.md HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n
with encoded slashes|404,400|GET /docs%2f..%2fREADME.md HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n
with dots encoded twice|404,400|GET /docs/%252e%252e/README.md HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n
with dots in overlong UTF-8|404,400|GET /docs/%c0%ae%c0%ae/README.md HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n
with backslashes|404,400|GET /docs/..\\README.md HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n
of the system|404,400|GET /vendor/../../../etc/passwd.css HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n
by its whole address|404,400|GET http://x/docs/../README.md HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n
a NUL behind a file|404,400|GET /index.html%00.js HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n
a file in capitals|404|GET /INDEX.HTML HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n
a file as a directory|404|GET /index.html/x.html HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n
a stream of a file|404|GET /index.html::$DATA HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n
a list of files|404|GET /docs/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n
a hidden file|404|GET /.htaccess HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n
a hidden file with an ending|404|GET /js/.hidden.js HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n
writing a file|404|PUT /index.html HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n
a request in a body that nobody reads|404|POST /api/nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 45\r\n\r\nGET /api/smuggled HTTP/1.1\r\nHost: x\r\nX: yyyyy
a request in a body of GET|200,400|HEALTH Content-Length: 45\r\n\r\nGET /api/smuggled HTTP/1.1\r\nHost: x\r\nX: yyyyy
END_OF_LIST
is "no request came out of another" "$(grep -rhE 'path="/api/smuggled"|GET /api/smuggled' "$stack_dir/log")" ""
is "no line of a log was forged" "$(grep -rhE '^("?forged|%22forged)' "$stack_dir/log")" ""
done_testing
