#!/bin/bash
# A pushed snapshot becomes a score, a history point, a cluster and a stored document; a bad one
# becomes a named error and nothing else.
. "$(dirname "$0")/lib.sh"
unset -f jq # that which keeps the order of members
. tests/e2e/cluster.sh
stack
account Example
cluster 3 3 >"$scratch/good.json"
gzip -kf "$scratch/good.json"
zstd -qkf "$scratch/good.json"

# stored: what the database has of this tenant, in figures and checksums
stored() {
    sql "SELECT COUNT(*), SUM(score), MAX(taken_at) FROM score_history WHERE tenant_id = '$tenant';
         SELECT name, received_at, score_exact, risks FROM clusters WHERE tenant_id = '$tenant' ORDER BY name;
         SELECT received_at, base, SHA2(delta, 256), SHA2(b.body, 256) FROM snapshots s JOIN snapshot_bases b USING (cluster, base)
             WHERE s.tenant_id = '$tenant' ORDER BY cluster;
         SELECT COUNT(*), SUM(closed_at IS NULL) FROM risks WHERE tenant_id = '$tenant'"
}

# ---- what is accepted
push production "$scratch/good.json.gz"
is "gzip" "$status $(json 'keys | join(" ")')" "200 csc_score decision risks status verdict"
is "the answer" "$(json '.status, (.csc_score | type), (.risks | type), (.verdict | type)' | xargs)" "ok number number string"
like "a decision" "$(json .decision)" '^(SAFE|WARN|BLOCK)$'
first=$body
ingest() {
    request POST /ingest -H "X-API-Key: $api_key" -H "X-Cluster-Id: ${cluster_id-production}" "$@"
}
ingest --data-binary "@$scratch/good.json" -H 'Content-Encoding: identity'
is "identity" "$status $body" "200 $first"
ingest --data-binary "@$scratch/good.json"
is "no encoding, and JSON" "$status $body" "200 $first"
ingest --data-binary "@$scratch/good.json.gz"
is "no encoding, and gzip" "$status $body" "200 $first"
ingest --data-binary "@$scratch/good.json.gz" -H 'Content-Encoding: X-GZIP' -H 'Content-Type: text/plain'
is "an old name of gzip, in capitals" "$status $body" "200 $first"
ingest --data-binary @- < <(jq -c '.items[]' "$scratch/good.json")
is "several values one after another" "$status $body" "200 $first"
ingest --data-binary @- < <(jq -c '{pods: [.items[] | select(.kind == "Pod") | del(.kind, .apiVersion)],
        deployments: {kind: "DeploymentList", items: [.items[] | select(.kind == "Deployment")]},
        nodes: [.items[] | select(.kind == "Node")], gadgets: [1, 2]}' "$scratch/good.json")
is "an object of collections" "$status $(jq -c 'del(.not_read)' <<<"$body")" "200 $first"
is "what is not read is named" "$(json '.not_read | "\(.objects) \(.kinds[0].kind)"')" "2 gadgets"
ingest --data-binary @- -H 'Content-Encoding: gzip' < <(jq . "$scratch/good.json" | gzip -9)
is "pretty" "$status $body" "200 $first"
ingest --data-binary @- < <((gzip -c <(head -c 1000 "$scratch/good.json"); gzip -c <(tail -c +1001 "$scratch/good.json")))
is "gzip of two members" "$status $body" "200 $first"
for options in -1 -19 --no-check; do
    ingest --data-binary @- -H 'Content-Encoding: zstd' < <(zstd -qc "$options" "$scratch/good.json")
    is "zstd $options" "$status $body" "200 $first"
done
ingest --data-binary "@$scratch/good.json.zst"
is "no encoding, and zstd" "$status $body" "200 $first"
ingest --data-binary "@$scratch/good.json.zst" -H 'Content-Encoding: Zstd'
is "zstd in other letters" "$status $body" "200 $first"
# passed_over N: a frame of zstd with N bytes that mean nothing
passed_over() {
    printf '%b' '\x5A\x2A\x4D\x18' "$(printf '\\x%02x' $(($1 & 255)) $(($1 >> 8 & 255)) $(($1 >> 16 & 255)) 0)"
    head -c "$1" /dev/zero
}
ingest --data-binary @- -H 'Content-Encoding: zstd' < <((passed_over 7; zstd -qc <(head -c 1000 "$scratch/good.json"); passed_over 0
    zstd -qc <(tail -c +1001 "$scratch/good.json"); passed_over 9))
is "zstd of two frames, among some that are passed over" "$status $body" "200 $first"
cluster_id=$(printf 'a%.0s' {1..128}) ingest --data-binary "@$scratch/good.json"
is "a cluster id of 128" "$status" 200
cluster_id='A.b_c:d/e-9' ingest --data-binary "@$scratch/good.json"
is "all the characters of an id" "$status" 200

get /api/clusters
is "the cluster" "$(json -c '.[] | select(.id == "production") | [.name, .provider, .region, .status, .nodes, .pods]')" \
    '["production","aws","eu-central-1","connected",1,3]'
is "its score" "$(json '.[] | select(.id == "production") | .cscScore')" "$(jq .csc_score <<<"$first")"
is "its verdict" "$(json '.[] | select(.id == "production") | .verdict // ""')" "$(jq -r .verdict <<<"$first")"
is "one history point a push" "$(sql "SELECT COUNT(*) FROM score_history h JOIN clusters c USING (cluster) WHERE c.name = 'production' AND c.tenant_id = '$tenant'")" 15
is "one snapshot a cluster" "$(sql "SELECT COUNT(*) FROM snapshots WHERE tenant_id = '$tenant'")" 3

# ---- behind a byte order mark
bom=$'\xEF\xBB\xBF'
for encoding in cat gzip 'zstd -qc'; do
    ingest --data-binary @- < <((printf %s "$bom"; cat "$scratch/good.json") | $encoding)
    is "behind a byte order mark, $encoding" "$status $body" "200 $first"
    get '/api/cluster?id=production&include=pods'
    is "... which is not stored" "$status $(json '.pods | length')" "200 3"
done

# ---- its time
time=2026-03-17T12:00:00Z
account Example
ingest --data-binary "@$scratch/good.json" -H "X-Snapshot-Time: $time"
is "a time of its own" "$status" 200
get "/api/score-history?clusterId=production"
is "stands in the history" "$(json '.[].timestamp')" 2026-03-17T12:00:00.000Z
ingest --data-binary "@$scratch/good.json.gz" -H "X-Snapshot-Time: $time"
ingest --data-binary @- -H "X-Snapshot-Time: 2026-03-17T14:00:00.000+02:00" < <(jq . "$scratch/good.json")
get "/api/score-history?clusterId=production"
is "the same time again, and another body, is another point" "$(json -c '[.[].timestamp[17:]]')" '["00.000Z","00.001Z","00.002Z"]'
ingest --data-binary "@$scratch/good.json" -H "X-Snapshot-Time: $(date -u -d '2 minutes' +%FT%TZ)"
is "a clock that is a little ahead" "$status" 200
get /api/clusters
below "counts as now" "$(($(date -d "$(json '.[0].lastSnapshot')" +%s) - $(date +%s)))" 2

# ---- the release that has to serve it
old='{"apiVersion":"policy/v1beta1","kind":"PodDisruptionBudget","metadata":{"name":"a","namespace":"shop"},"spec":{}}'
for version in 1.24 v1.25.3; do
    ingest --data-binary "$old" -H "X-Target-Version: $version"
    get "/api/risks?clusterId=production"
    is "what Kubernetes $version does not serve is a risk" \
        "$(json '[.[] | select(.check == "api-version-removed")] | length')" "$([ $version = 1.24 ] && echo 0 || echo 1)"
done

# ---- what is refused
account Example
push production "$scratch/good.json.gz"
before=$(stored)
cluster_id='' ingest --data-binary "@$scratch/good.json"
refused "no cluster id" 400 missing_field X-Cluster-Id
for id in "$(printf 'a%.0s' {1..129})" 'a b' 'ä' 'a;b' 'a?b' "a'b"; do
    cluster_id=$id ingest --data-binary "@$scratch/good.json"
    refused "cluster id $(head -c 10 <<<"$id")" 400 invalid_field X-Cluster-Id
done
for time in yesterday 2026-03-17 "$(date -u -d '10 minutes' +%FT%TZ)" 1969-12-31T23:59:59Z 2026-13-01T00:00:00Z; do
    ingest --data-binary "@$scratch/good.json" -H "X-Snapshot-Time: $time"
    refused "time $time" 400 invalid_field X-Snapshot-Time
done
for version in 1 latest 0.9 -1.30 '1.29, 1.30' '1.30;x' '1.30 x' 1.99999999999 "1.$(printf '3%.0s' {1..400})"; do
    ingest --data-binary "@$scratch/good.json" -H "X-Target-Version: $version"
    refused "target version ${version:0:20}" 400 invalid_field X-Target-Version
done
for encoding in br deflate compress 'gzip, gzip' 'zstd, gzip' x; do
    ingest --data-binary "@$scratch/good.json.gz" -H "Content-Encoding: $encoding"
    refused "encoding $encoding" 415 unsupported_encoding
    is "... and what would do" "$(header Accept-Encoding)" "zstd, gzip"
done
ingest --data-binary "@$scratch/good.json" -H 'Content-Encoding: gzip'
refused "JSON called gzip" 400 bad_gzip
ingest --data-binary "@$scratch/good.json.gz" -H 'Content-Encoding: identity'
refused "gzip called identity" 400 bad_json
size=$(stat -c %s "$scratch/good.json.gz")
for cut in 1 4 8 9 20 $((size / 2)) $((size - 10)); do
    ingest --data-binary @- -H 'Content-Encoding: gzip' < <(head -c $((size - cut)) "$scratch/good.json.gz")
    refused "gzip cut by $cut" 400 bad_gzip
done
ingest --data-binary @- -H 'Content-Encoding: gzip' < <((cat "$scratch/good.json.gz"; echo more))
refused "gzip and more" 400 bad_gzip
ingest --data-binary @- -H 'Content-Encoding: gzip' < <((head -c $((size - 8)) "$scratch/good.json.gz"; printf 'abcdefgh'))
refused "gzip with a wrong checksum" 400 bad_gzip
ingest --data-binary '' -H 'Content-Encoding: gzip'
refused "an empty gzip" 400 bad_gzip
ingest --data-binary "@$scratch/good.json" -H 'Content-Encoding: zstd'
refused "JSON called zstd" 400 bad_zstd
ingest --data-binary "@$scratch/good.json.gz" -H 'Content-Encoding: zstd'
refused "gzip called zstd" 400 bad_zstd
ingest --data-binary "@$scratch/good.json.zst" -H 'Content-Encoding: gzip'
refused "zstd called gzip" 400 bad_gzip
ingest --data-binary "@$scratch/good.json.zst" -H 'Content-Encoding: identity'
refused "zstd called identity" 400 bad_json
size=$(stat -c %s "$scratch/good.json.zst")
for cut in 1 4 5 20 $((size / 2)) $((size - 3)); do
    ingest --data-binary @- -H 'Content-Encoding: zstd' < <(head -c $((size - cut)) "$scratch/good.json.zst")
    refused "zstd cut by $cut" 400 bad_zstd
done
for more in x '{}' "$(printf '\x28\xB5')"; do
    ingest --data-binary @- -H 'Content-Encoding: zstd' < <((cat "$scratch/good.json.zst"; printf %s "$more"))
    refused "zstd and more" 400 bad_zstd
done
ingest --data-binary @- -H 'Content-Encoding: zstd' < <((head -c $((size - 4)) "$scratch/good.json.zst"; printf abcd))
refused "zstd with a wrong checksum" 400 bad_zstd
ingest --data-binary '' -H 'Content-Encoding: zstd'
refused "an empty zstd" 400 bad_zstd
ingest --data-binary @- -H 'Content-Encoding: zstd' < <(passed_over 100)
refused "zstd of nothing" 400 no_objects
ingest --data-binary @- -H 'Content-Encoding: zstd' < <(zstd -qc -D "$scratch/good.json" <(cat "$scratch/good.json"))
refused "zstd with a dictionary" 400 bad_zstd
ingest --data-binary @- -H 'Content-Encoding: zstd' < <(zstd -qc --long=24 <"$scratch/good.json")
refused "zstd with a window of 16 MiB" 400 bad_zstd
like "... and what to do" "$(json .error)" 'a window of more than 8 MiB: compress it without --ultra and --long'
while IFS='|' read -r what code document; do
    ingest --data-binary "$document"
    refused "$what" 400 "$code"
    [ "$what" != nothing ] || like "... which is said" "$(json .error)" 'is empty: what was to print it has printed nothing'
    [ "${what% kinds}" = "$what" ] || like "... which are named" "$(json .error)" 'no object of a kind that is read, but Gadget \(1\)\.$'
done <<'END'
nothing|no_objects|
a blank|no_objects| 
null|no_objects|null
an empty object|no_objects|{}
an empty list of pods|no_objects|{"pods":[]}
objects of unknown kinds|no_objects|{"kind":"List","items":[{"apiVersion":"x/v1","kind":"Gadget","metadata":{"name":"g"}}]}
a List that is cut|cut_json|{"kind":"List","items":[{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"}}
a string that is cut|cut_json|{"kind":"Li
a comma too many|bad_json|{"kind":"List","items":[{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"}},]}
YAML|bad_json|kind: List
a lone surrogate|bad_utf8|{"kind":"Pod","apiVersion":"v1","metadata":{"name":"\ud800"}}
NaN|bad_json|{"kind":"Pod","apiVersion":"v1","metadata":{"name":"p"},"spec":{"priority":NaN}}
END
# ---- other things than JSON: what to do is said
advice() { # advice WHAT SENTENCE [curl's options]: of the body on standard input
    ingest --data-binary @- "${@:3}"
    is "$1: 400 bad_json" "$status $(json .code)" "400 bad_json"
    like "... and what to do" "$(json .error)" "$2"
}
advice YAML 'The body is YAML; send JSON, which kubectl prints with -o json' < <(printf 'apiVersion: v1\nkind: List\n')
advice "YAML behind ---" 'is YAML' < <(printf -- '---\nkind: List\n')
advice "YAML behind a comment" 'is YAML' < <(printf '# Source: x\nkind: List\n')
advice "YAML in gzip" 'is YAML' -H 'Content-Encoding: gzip' < <(printf 'kind: List\n' | gzip)
advice "a form" 'is a form; send the file alone' -H 'Content-Type: multipart/form-data; boundary=------------------------aa' \
    < <(printf -- '--------------------------aa\r\nContent-Disposition: form-data; name="file"\r\n\r\n{}\r\n--------------------------aa--\r\n')
advice "UTF-16" 'is UTF-16, as PowerShell writes files; send it as UTF-8' < <(iconv -t UTF-16 "$scratch/good.json")
advice "UTF-16 without a mark" 'is UTF-16' < <(iconv -t UTF-16LE "$scratch/good.json")
advice "a tar" 'is an archive; .* loadline-score' < <(tar -C "$scratch" -cf - good.json)
advice "a tgz" 'is an archive' < <(tar -C "$scratch" -czf - good.json)
advice "gzip in gzip" 'is gzip still' -H 'Content-Encoding: gzip' < <(gzip -c "$scratch/good.json.gz")
advice "zstd in gzip" 'is zstd still' -H 'Content-Encoding: gzip' < <(gzip -c "$scratch/good.json.zst")
advice "something else" 'The body is no JSON from its first byte on; send what kubectl prints with -o json' < <(echo '<html>')
advice "what kubectl says" 'no JSON from its first byte on' < <(echo 'No resources found')
advice "what begins as JSON" 'at byte 3' < <(echo '[1e]')
ingest --data-binary '{"kind":"Status","apiVersion":"v1","status":"Failure","message":"Unauthorized","code":401}'
refused "a Status" 400 no_objects
like "... with what the API server said" "$(json .error)" 'the cluster.s API server said "Unauthorized"'
ingest --data-binary @- < <(printf '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"p\xff"}}')
refused "bytes that are not UTF-8" 400 bad_utf8
ingest --data-binary @- < <(printf '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"p"},"x":"\xc0\x80"}')
refused "the same in what nobody reads" 400 bad_utf8
ingest --data-binary @- < <((printf '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"p"},"x":'; printf '[%.0s' {1..64}; printf ']%.0s' {1..64}; echo '}'))
refused "65 levels" 400 too_deep
ingest --data-binary @- < <((printf '{"a":'; head -c 1000000 /dev/zero | tr '\0' '['))
refused "a million levels" 400 too_deep
head -c $(((64 << 20) + 1)) /dev/zero >"$scratch/large"
ingest --data-binary "@$scratch/large" -H Expect:
refused "64 MiB and one" 413 too_large
(printf '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"p"},"x":"'; head -c $(((1 << 30) + 10)) /dev/zero | tr '\0' 'a'; echo '"}') | gzip -1 >"$scratch/bomb"
ingest --data-binary "@$scratch/bomb" -H 'Content-Encoding: gzip'
refused "more than 1 GiB inflated" 413 too_large
gzip -dc "$scratch/bomb" | zstd -qc1 >"$scratch/bomb.zst"
ingest --data-binary "@$scratch/bomb.zst" -H 'Content-Encoding: zstd'
refused "the same as zstd, $(stat -c %s "$scratch/bomb.zst") bytes" 413 too_large
like "... is more than gzip could be" "$(json .error)" 'to more than 1 MiB and more than 1032 times its size'
ingest --data-binary @- -H 'Content-Encoding: zstd' < <((passed_over $((1 << 20)); cat "$scratch/bomb.zst"))
refused "the same, with a MiB that means nothing" 413 too_large
like "... is too large all the same" "$(json .error)" 'to more than 1024 MiB'
rm "$scratch/large" "$scratch/bomb"
below_peak "memory of a worker after all that, MiB" ingest.fcgi 160
request GET /ingest -H "X-API-Key: $api_key"
is "GET" "$status $(header Allow)" "405 POST"
request POST /ingest/ -d x -H "X-API-Key: $api_key"
refused "a slash too many" 404 not_found
exec 3<>"/dev/tcp/127.0.0.1/${base_url##*:}"
printf 'POST /ingest HTTP/1.1\r\nHost: x\r\nX-API-Key: %s\r\nX-Cluster-Id: production\r\nContent-Length: 1000\r\n\r\n{"pods"' "$api_key" >&3
exec 3>&-
is "none of it changed anything" "$(stored)" "$before"
get /api/clusters
is "the cluster stands as it was" "$(json length)" 1

# ---- risks from snapshot to snapshot
account Example
risks() {
    sql "SELECT COUNT(*), SUM(closed_at IS NULL), COUNT(DISTINCT first_seen) FROM risks WHERE tenant_id = '$tenant'" | tr '\t' ' '
}
cluster 2 2 '(.items[] | select(.kind != "Node") | .. | .securityContext? | select(. != null)) |= .' >"$scratch/a.json"
cluster 2 2 '(.items[] | select(.kind == "Deployment") | .spec.template.spec.containers[0]) += {securityContext: {privileged: true}}' >"$scratch/b.json"
push risky "$scratch/a.json" -H 'X-Snapshot-Time: 2026-03-17T12:00:00Z'
few=$(json .risks)
is "as many risks as the answer says" "$(risks)" "$few $few 1"
push risky "$scratch/b.json" -H 'X-Snapshot-Time: 2026-03-17T12:00:10Z'
more=$(json .risks)
below "a privileged container is a risk more" "$few" "$more"
isnt "a new risk is first seen now" "$(risks | cut -d' ' -f3)" 1
push risky "$scratch/a.json" -H 'X-Snapshot-Time: 2026-03-17T12:00:20Z'
is "mended, it is closed and kept" "$(risks | cut -d' ' -f2)" "$few"
is "when" "$(sql "SELECT DISTINCT closed_at FROM risks WHERE tenant_id = '$tenant' AND closed_at IS NOT NULL")" "2026-03-17 12:00:20.000"
push risky "$scratch/b.json" -H 'X-Snapshot-Time: 2026-03-17T12:00:30Z'
is "back, it opens anew" "$(sql "SELECT first_seen FROM risks WHERE tenant_id = '$tenant' AND check_id LIKE '%privileged%'" | sort -u)" "2026-03-17 12:00:30.000"
is "the others stayed" "$(sql "SELECT COUNT(*) FROM risks WHERE tenant_id = '$tenant' AND first_seen = '2026-03-17 12:00:00.000'")" "$few"

# ---- kinds that were shown
account Example
# remembered: by the cluster, moments without their date
remembered() {
    sql "SELECT shown FROM clusters WHERE tenant_id = '$tenant'" | sed 's/=[0-9]*/=/g'
}
# push_at TIME FILE
push_at() {
    push seen "$2" -H "X-Snapshot-Time: 2026-$1Z"
}
cluster 1 1 'del(.items[] | select(.kind == "Node"))' >"$scratch/fewer.json"
push_at 03-01T12:00:00 "$scratch/good.json"
is "what a snapshot has is remembered" "$(remembered)" "Pod Deployment Node"
push_at 03-01T12:00:10 "$scratch/fewer.json"
is "what the next one lacks, as missed" "$(remembered)" "Pod Deployment Node="
missed=$(sql "SELECT shown FROM clusters WHERE tenant_id = '$tenant'")
push_at 03-08T12:00:09 "$scratch/fewer.json"
is "since when, and nothing else, for a week" "$(sql "SELECT shown FROM clusters WHERE tenant_id = '$tenant'")" "$missed"
push_at 03-02T12:00:00 "$scratch/good.json"
is "one that comes late changes nothing" "$(remembered)" "Pod Deployment Node="
push_at 03-08T12:00:10 "$scratch/fewer.json"
is "then it is forgotten" "$(remembered)" "Pod Deployment"
push_at 03-08T12:00:20 "$scratch/good.json"
is "and is there again when it is back" "$(remembered)" "Pod Deployment Node"

# ---- redaction
account Example
secret=hunter2-$$-zxcvb
cluster 1 1 '.items += [{apiVersion: "v1", kind: "Secret", metadata: {name: "s", namespace: "shop", annotations: {"kubectl.kubernetes.io/last-applied-configuration": "'$secret'"}}, data: {a: "'$secret'"}, stringData: {b: "'$secret'"}},
    {apiVersion: "v1", kind: "ConfigMap", metadata: {name: "c", namespace: "shop"}, data: {a: "'$secret'"}}]
    | (.items[] | select(.kind == "Pod") | .spec.containers[0]) += {env: [{name: "PASSWORD", value: "'$secret'"}]}' >"$scratch/secret.json"
for encoding in gzip zstd identity; do
    ingest --data-binary @- -H "Content-Encoding: $encoding" < <(
        case $encoding in gzip | zstd) $encoding -c "$scratch/secret.json" ;; *) cat "$scratch/secret.json" ;; esac)
    is "a push with secrets ($encoding)" "$status" 200
    stored_text "s.tenant_id = '$tenant'" >"$scratch/kept"
    ok "is kept" grep -q '"kind":"Secret"' "$scratch/kept"
    is "without them" "$(grep -c "$secret" "$scratch/kept")" 0
done
is "nor are they anywhere else" "$(mariadb-dump --defaults-file="$stack_dir/admin.cnf" loadline 2>/dev/null | grep -c "$secret")" 0
is "nor in a log" "$(grep -rcF "$secret" "$stack_dir/log" | grep -vc ':0$')" 0
jq -c 'del(.. | .env?)' "$scratch/good.json" | gzip -n9 >"$scratch/plain.gz"
whole="UPDATE snapshots SET delta_surplus = -1 WHERE tenant_id = '$tenant'" # the next one is stored so
sql "$whole"
ingest --data-binary "@$scratch/plain.gz"
is "what holds none is kept as it came" "$(sql "SELECT SHA2(body, 256) FROM snapshot_bases WHERE tenant_id = '$tenant'")" \
    "$(sha256sum "$scratch/plain.gz" | cut -d' ' -f1)"
gzip -dc "$scratch/plain.gz" | zstd -qc19 >"$scratch/plain.zst"
sql "$whole"
ingest --data-binary "@$scratch/plain.zst"
is "as zstd, too" "$(sql "SELECT SHA2(body, 256) FROM snapshot_bases WHERE tenant_id = '$tenant'")" \
    "$(sha256sum "$scratch/plain.zst" | cut -d' ' -f1)"
done_testing
