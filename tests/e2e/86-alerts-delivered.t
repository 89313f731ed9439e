#!/bin/bash
# From a push to the receivers, with the notifiers of the stack: what Slack, Teams and a webhook get, signed
# with the secret that was shown once; and no alert of an acknowledged push is lost when workers and the
# database are killed.
# shellcheck disable=SC2154 # cluster.sh, outbox.sh and lib.sh set them
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
. tests/e2e/outbox.sh
own_stack --workers notify=2 --set webhook_allow=127.0.0.0/8 --set webhook_allow_http=1
receiver plain
account Example
sql "UPDATE loadline.tenants SET plan = 'enterprise'"

got() {
    [ "$(received "$1" | wc -l)" -ge "$2" ]
}
for type in slack teams webhook; do
    ask POST /api/notifications/channels "{\"type\":\"$type\",\"name\":\"$type\",\"webhookUrl\":\"$plain/ok/$type\"}"
    is "a channel of type $type" "$status" 201
done
hook=$(json .id)
first_secret=$(json .secret)
like "its secret is shown once" "$first_secret" '^whsec_[A-Za-z0-9+/]{43}=$'
ask POST /api/notifications/rules '{"condition":"degraded_app"}'
is "a rule" "$status" 201

# One app of many, so that the score alone, which has a rule of its own, alerts nobody.
others='.items += [range(30) | {apiVersion: "apps/v1", kind: "Deployment", metadata: {name: "app-\(.)", namespace: "shop", generation: 1},
    spec: {replicas: 1}, status: {observedGeneration: 1, replicas: 1, updatedReplicas: 1, availableReplicas: 1}}]'
cluster 2 0 "$others" >"$scratch/down"
pushed=$(date +%s%N)
push production "$scratch/down"
is "an app is down" "$status" 200
ok "Slack is told" within "$(patient 10)" got /ok/slack 1
ok "Teams is told" within "$(patient 10)" got /ok/teams 1
ok "the webhook is told" within "$(patient 10)" got /ok/webhook 1
took=$(received /ok/webhook | jq -r --arg pushed "$pushed" '(.time * 1000 - ($pushed | tonumber) / 1000000) | floor')
below "within seconds, ms" "$took" "$(patient 3000)"
is "exactly these members" "$(received /ok/webhook | jq -r .body | command jq -c 'keys_unsorted')" '["event","title","detail","source","timestamp"]'
is "event, title and source" "$(received /ok/webhook | jq -r .body | jq -c '[.event, .title, .source]')" \
    '["Degraded App","Deployment shop/api in cluster production has no available replicas","loadline"]'
like "Slack's text" "$(received /ok/slack | jq -r .body | jq -r .text)" 'Deployment shop/api in cluster production'
is "Slack's blocks" "$(received /ok/slack | jq -r .body | jq -r '.blocks | type')" array
is "Teams' card" "$(received /ok/teams | jq -r .body | jq -c '[.type, .attachments[0].contentType, .attachments[0].content.type]')" \
    '["message","application/vnd.microsoft.card.adaptive","AdaptiveCard"]'
received /ok/webhook >"$scratch/one"
is "signed with the secret" "$(signed_by "$scratch/one" "$first_secret")" 1

ask POST /api/notifications/channels/rotate "{\"id\":\"$hook\"}"
second_secret=$(json .secret)
isnt "another secret" "$second_secret" "$first_secret"
ask POST /api/notifications/channels/test "{\"id\":\"$hook\"}"
is "a test" "$status" 202
ok "arrives" within "$(patient 10)" got /ok/webhook 2
received /ok/webhook | tail -1 >"$scratch/two"
is "it is a test" "$(jq -r .body "$scratch/two" | jq -r .event)" Test
is "signed with both secrets" "$(signed_by "$scratch/two" "$first_secret") $(signed_by "$scratch/two" "$second_secret")" "1 1"
sql "UPDATE loadline.channels SET secret_previous_until = UTC_TIMESTAMP(3)"
ask POST /api/notifications/channels/test "{\"id\":\"$hook\"}"
within "$(patient 10)" got /ok/webhook 3
received /ok/webhook | tail -1 >"$scratch/three"
is "after a day with the new one alone" "$(signed_by "$scratch/three" "$first_secret") $(signed_by "$scratch/three" "$second_secret")" "0 1"

# Each cluster's first push is bad. Workers and the database die while they come in.
clusters=40
for ((i = 1; i <= clusters; i++)); do
    case $i in
    10 | 20 | 30) for pid in $(pids_of ingest.fcgi); do kill -KILL "$pid"; done ;;
    15 | 35) kill -KILL "$(pids_of mariadbd)" ;;
    esac
    for try in {1..60}; do
        push "cluster-$i" "$scratch/down"
        [ "$status" != 200 ] || break
        sleep 0.5
    done
    [ "$status" = 200 ] || diag "cluster-$i: $status $body after $try tries"
done
titles() {
    received /ok/webhook | jq -r .body | jq -r 'select(.title | test("in cluster cluster-[0-9]+ ")) | .title' | sort
}
all_told() {
    [ "$(titles | uniq | wc -l)" -ge "$clusters" ]
}
ok "every acknowledged push told its alert" within "$(patient 45)" all_told
is "each once" "$(titles | uniq -d)" ""
# Each channel has a pace of its own.
at_both() { echo "$(received /ok/slack | grep -c 'cluster cluster-') $(received /ok/teams | grep -c 'cluster cluster-')"; }
both_told() { [ "$(at_both)" = "$clusters $clusters" ]; }
within "$(patient 45)" both_told
is "as did Slack and Teams" "$(at_both)" "$clusters $clusters"
done_testing
