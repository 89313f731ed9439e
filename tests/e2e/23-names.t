#!/bin/bash
# What a person calls a thing has no control characters, wherever it is given: it would break a line of a list, or a terminal.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
stack
account Example
url=https://hooks.example.com/x
ask POST /api/notifications/channels "{\"type\":\"webhook\",\"webhookUrl\":\"$url\"}"
channel=$(json .id)
exemption='"check":"host-pid","allClusters":true,"reason":"two\nlines","expires":"'$(date -ud "30 days" +%FT%TZ)'"'

# give METHOD PATH FIELD DOCUMENT: "NAME" in it stands for what is given
while read -r method path field document; do
    for control in '\n' '\t' '\u0001' '\u001b[31m' '\u007f' '\u0085' '\u009b'; do
        ask "$method" "$path" "${document//NAME/a${control}b}"
        refused "$path: $field with $control" 400 invalid_field "$field"
    done
    like "... which is said" "$(json .error)" 'must not contain control characters'
done <<END
POST /api/auth/signup company {"company":"NAME","email":"names@example.com","password":"a long enough sentence"}
POST /api/keys name {"name":"NAME","scope":"agent"}
POST /api/notifications/channels name {"type":"webhook","webhookUrl":"$url","name":"NAME"}
PATCH /api/notifications/channels name {"id":"$channel","name":"NAME"}
POST /api/exemptions owner {"owner":"NAME",$exemption}
END

ask POST /api/keys '{"name":"Zoë  key – 鍵 \u00a0","scope":"agent"}'
is "any other characters are a name" "$status" 201
ask POST /api/exemptions "{\"owner\":\"me\",$exemption}"
is "a reason may have lines" "$status $(json .reason)" "201 two
lines"
push "$(printf 'a%%0Ab')" "$(cluster 1 1 >"$scratch/c.json"; echo "$scratch/c.json")"
is "the name of a cluster never had one" "$status $(json .code)" "400 invalid_field"
done_testing
