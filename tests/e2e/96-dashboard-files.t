#!/bin/bash
# The dashboard's files, the documents and the chart library, as lighttpd, plain CGI and Apache send them:
# types, headers, caching and compression; and that the three send the same.
. "$(dirname "$0")/lib.sh"

# The files that there are, by the path under which a browser asks for them.
paths=$( (cd htdocs && find . -type f -printf '/%P\n') && printf '/docs/%s\n' api.md scoring-curves.svg &&
    printf '/vendor/%s\n' dygraph.min.js dygraph.min.css)
declare -A types=([html]=text/html [js]=text/javascript [css]=text/css [svg]=image/svg+xml [md]=text/plain)

# as_browser METHOD PATH [curl's options]
as_browser() {
    request "$1" "$2" -H 'Accept: text/html,application/xhtml+xml,*/*;q=0.8' --compressed "${@:3}"
}

# sent: status and headers of the last answer, without what is each server's own business: how it frames the
# body, and tags. A small answer is compressed by one and not by another.
sent() {
    echo "$status"
    tail -n +2 <<<"$headers" | sed 's/^\([^:]*\): */\L\1: \E/; s/^\(x-request-id:\).*/\1/' |
        grep -v '^\(date\|server\|etag\|connection\|keep-alive\|accept-ranges\|transfer-encoding\|vary\|content-encoding\|content-length\): \|^$' | sort
}

# what SERVER: its answers, for the comparison.
answers() {
    local path
    for path in / /index.html /vendor/dygraph.min.js /vendor/dygraph.min.css /docs/api.md /docs/scoring-curves.svg \
        /no-such.js /vendor/no-such.js /docs/no-such.md /no/such/path /health; do
        as_browser GET "$path"
        printf '%s %s\n\n' "$path" "$(sent)"
    done
    as_browser HEAD /
    printf 'HEAD / %s\n\n' "$(sent)"
    as_browser POST / -d ''
    printf 'POST / %s\n\n' "$(sent)"
    request GET /
    printf 'no browser: / %s\n\n' "$(sent)"
}

wrong_types() {
    local path
    for path in $paths; do
        as_browser GET "$path"
        [ "$status $(header Content-Type)" = "200 ${types[${path##*.}]}; charset=utf-8" ] ||
            echo "$path: $status $(header Content-Type)"
    done
}

# policy DIRECTIVE: its value in the Content-Security-Policy of the last answer.
policy() {
    header Content-Security-Policy | tr ';' '\n' | sed -n "s/^ *$1 //p"
}

check_page() {
    as_browser GET /
    is "a browser gets the page" "$status $(header Content-Type)" "200 text/html; charset=utf-8"
    is "whole" "$(cksum <"$scratch/body")" "$(cksum <htdocs/index.html)"
    like "which depends on who asks" "$(header Vary)" '(^|,) ?Accept(,|$)'
    is "it asks each time whether it has changed" "$(header Cache-Control)" no-cache
    for directive in default-src font-src object-src base-uri frame-ancestors; do
        is "no $directive" "$(policy $directive)" "'none'"
    done
    for directive in script-src style-src img-src connect-src form-action; do
        is "$directive of its own only" "$(policy $directive)" "'self'"
    done
    is "no string becomes script" "$(policy require-trusted-types-for)" "'script'"
    is "nothing else is allowed" "$(header Content-Security-Policy | grep -cE "unsafe|https?:|\*|data:|blob:")" 0
    is "no address goes to others" "$(header Referrer-Policy)" no-referrer
    is "in no frame" "$(header X-Frame-Options)" DENY
    is "a window of its own" "$(header Cross-Origin-Opener-Policy)" same-origin
    is "for its own origin" "$(header Cross-Origin-Resource-Policy)" same-origin
    is "no camera and the like" "$(header Permissions-Policy | tr ',' '\n' | grep -cv '^ *[a-z-]*=()$')" 0
    is "nosniff, once" "$(grep -ic '^X-Content-Type-Options: nosniff$' <<<"$headers")" 1
    is "Cache-Control, once" "$(grep -ic '^Cache-Control:' <<<"$headers")" 1
    as_browser GET '/?x=1'
    is "with a query, too" "$status $(header Content-Type)" "200 text/html; charset=utf-8"
}

check_product() {
    local accept document
    for accept in '*/*' application/json ''; do
        request GET / -H "Accept: $accept"
        is "whoever is no browser ($accept) gets JSON" "$status $(header Content-Type) $(json .product)" "200 application/json Loadline"
    done
    is "with the version" "$(json .version)" "$(sed -n 's/^#define LOADLINE_VERSION "\(.*\)"$/\1/p' lib/base/version.h)"
    is "and no header of a page" "$(header Content-Security-Policy)" ""
    for document in $(json '.health, .documents[]'); do
        request GET "$document"
        is "$document is there" "$status" 200
    done
    request POST / -d ''
    is "nothing else can be done with it" "$status $(header Allow)" "405 GET, HEAD"
    is "all documents are named" "$(request GET / && json '.documents[]' | sort)" "$(printf '/%s\n' docs/*.md | sort)"
}

check_caching() {
    local tag since
    as_browser GET /vendor/dygraph.min.js
    is "compressed" "$(header Content-Encoding) $(cksum <"$scratch/body")" "gzip $(cksum </usr/share/javascript/dygraphs/dygraph.min.js)"
    like "which depends on who asks" "$(header Vary)" 'Accept-Encoding'
    tag=$(header ETag) since=$(header Last-Modified)
    like "it has a tag" "$tag" '^"[^"]+"$'
    as_browser GET /vendor/dygraph.min.js -H "If-None-Match: $tag"
    is "unchanged" "$status $(stat -c %s "$scratch/body")" "304 0"
    is "and still to be asked for" "$(header Cache-Control)" no-cache
    as_browser GET /vendor/dygraph.min.js -H 'If-None-Match: "of-before"'
    is "changed" "$status" 200
    as_browser GET /vendor/dygraph.min.js -H "If-Modified-Since: $since"
    is "unchanged since" "$status" 304
    request GET /vendor/dygraph.min.js
    is "plain for who wants it plain" "$(header Content-Encoding) $(cksum <"$scratch/body")" " $(cksum </usr/share/javascript/dygraphs/dygraph.min.js)"
    tag=$(header ETag)
    request GET /vendor/dygraph.min.js -H "If-None-Match: $tag"
    is "unchanged, too" "$status" 304
}

check_nothing_else() {
    local path
    for path in /no-such.js /vendor/no-such.js /vendor/ /vendor/dygraph.js /docs/ /docs/../etc/lighttpd.conf /docs/../README.md \
        /docs/%2e%2e/README.md /docs/..%2fREADME.md /../README.md /htdocs/index.html /index.html/ /index.html/x.js /INDEX.HTML; do
        as_browser GET "$path" --path-as-is
        case $status in
        404 | 400) ;;
        *) echo "$path: $status" ;;
        esac
        [ "$(header Content-Type)" = application/json ] || echo "$path: $(header Content-Type)"
    done
}

for server in lighttpd cgi apache; do
    if [ "$server" = "${LOADLINE_TEST_SERVER:-lighttpd}" ]; then stack; else own_stack --workers notify=0; fi
    diag "behind $server"
    check_page
    empty "every file has its type" "$(wrong_types)"
    check_product
    check_caching
    empty "nothing else is served" "$(check_nothing_else)"
    answers >"$scratch/$server.answers"
done
is "plain CGI sends what lighttpd sends" "$(diff "$scratch/lighttpd.answers" "$scratch/cgi.answers")" ""
is "and so does Apache" "$(diff "$scratch/lighttpd.answers" "$scratch/apache.answers")" ""
done_testing
