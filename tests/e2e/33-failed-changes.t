#!/bin/bash
# Everything that is changed over the API, while the database refuses rows of one table after another, and while its
# connections are cut: 2xx says that all of it is stored, anything else that nothing is, or that nobody knows, and afterwards
# the same request is carried out.
# shellcheck disable=SC2034,SC2119,SC2154 # refusals.sh and lib.sh set and read them, arm takes arguments
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
own_stack --workers notify=0 --set signup_limit=0/600 --set login_limit=0/300 --set login_fail_limit=0/300 --set change_limit=100000/300 \
    --set address_limit=0/300 --set manifest_limit=100000/60 --set log_limit=0/60
. tests/e2e/refusals.sh
. tests/e2e/cuts.sh
. tests/e2e/whole.sh
account Example
sql "UPDATE loadline.tenants SET plan = 'self_hosted'"
cluster 2 2 >"$scratch/cluster.json"
push production "$scratch/cluster.json"
is "there is a cluster" "$status" 200
n=0 other_password=other-horse-$RANDOM

# id: of the last answer
id() { json .id; }
in_hours() { date -ud "$1 hours" +%FT%TZ; }
# another NAME: sets `at` to what no other request has
another() {
    n=$((n + 1))
    at=$1-$n
}
bearer() { request "$1" "$2" -H "Authorization: Bearer $3" ${4+-H 'Content-Type: application/json' --data-binary "$4"}; }

# ---- each change: do_NAME asks for it, begin_NAME makes what it needs
channel_body='{"type":"webhook","webhookUrl":"https://hooks.example.com/x"}'
# There may be so many of some kinds, and each try leaves one.
afresh() { sql "$quietly DELETE FROM $1"; }
begin_channel() { afresh channels; ask POST /api/notifications/channels "$channel_body"; at=$(id); }
do_channel_new() { ask POST /api/notifications/channels "$channel_body"; }
begin_channel_change() { begin_channel; }
do_channel_change() { ask PATCH /api/notifications/channels "{\"id\":\"$at\",\"name\":\"other\",\"enabled\":false,\"webhookUrl\":\"https://hooks.example.com/y\"}"; }
begin_channel_delete() {
    begin_channel
    ask POST /api/notifications/rules "{\"condition\":\"score_drop\",\"threshold\":50,\"channelIds\":[\"$at\"]}"
    ask POST /api/notifications/channels/test "{\"id\":\"$at\"}"
    sql "$quietly UPDATE outbox SET event = 'Score Drop'"
}
do_channel_delete() { ask DELETE /api/notifications/channels "{\"id\":\"$at\"}"; }
begin_channel_rotate() { begin_channel; }
do_channel_rotate() { ask POST /api/notifications/channels/rotate "{\"id\":\"$at\"}"; }
begin_channel_test() { begin_channel; sql "$quietly UPDATE outbox SET event = 'Score Drop'"; }
do_channel_test() { ask POST /api/notifications/channels/test "{\"id\":\"$at\"}"; }
begin_replay() {
    begin_channel_test
    do_channel_test
    at=$(id)
    sql "$quietly UPDATE outbox SET state = 'sent'"
}
do_replay() { ask POST /api/notifications/deliveries/replay "{\"id\":\"$at\"}"; }
begin_rule() { afresh rules; ask POST /api/notifications/rules '{"condition":"score_drop","threshold":50}'; at=$(id); }
do_rule_new() { ask POST /api/notifications/rules '{"condition":"degraded_app"}'; }
begin_rule_change() { begin_rule; }
do_rule_change() { ask PATCH /api/notifications/rules "{\"id\":\"$at\",\"threshold\":60}"; }
begin_rule_delete() { begin_rule; }
do_rule_delete() { ask DELETE /api/notifications/rules "{\"id\":\"$at\"}"; }
do_silence_new() { ask POST /api/notifications/silences "{\"until\":\"$(in_hours 1)\"}"; }
begin_silence_end() { afresh silences; do_silence_new; at=$(id); }
do_silence_end() { ask DELETE /api/notifications/silences "{\"id\":\"$at\"}"; }

do_exemption_new() { ask POST /api/exemptions "{\"allClusters\":true,\"check\":\"privileged-container\",\"reason\":\"x\",\"owner\":\"y\",\"expires\":\"$(in_hours 24)\"}"; }
begin_exemption_change() { afresh exemptions; do_exemption_new; at=$(id); }
do_exemption_change() { ask PATCH /api/exemptions "{\"id\":\"$at\",\"reason\":\"other\"}"; }
begin_exemption_end() { begin_exemption_change; }
do_exemption_end() { ask DELETE /api/exemptions "{\"id\":\"$at\"}"; }
do_override_new() { ask POST /api/overrides "{\"clusterId\":\"production\",\"reason\":\"x\",\"until\":\"$(in_hours 1)\"}"; }
begin_override_end() { afresh overrides; do_override_new; at=$(id); }
do_override_end() { ask DELETE /api/overrides "{\"id\":\"$at\"}"; }

do_key_new() { ask POST /api/keys '{"name":"k","scope":"agent"}'; }
begin_key_revoke() { do_key_new; at=$(id); }
do_key_revoke() { ask DELETE /api/keys "{\"id\":\"$at\"}"; }
begin_lifetime() { days=$((n += 1)); }
do_lifetime() { ask PATCH /api/keys/lifetime "{\"defaultDays\":$days}"; }
begin_member_new() { another m; at+=@example.com; }
do_member_new() { ask POST /api/members "{\"email\":\"$at\",\"password\":\"some-horse-11\",\"role\":\"member\"}"; }
begin_invitation() { begin_member_new; }
do_invitation() { ask POST /api/members "{\"email\":\"$at\",\"role\":\"member\"}"; }
begin_role() { begin_member_new; do_member_new; at=$(id); }
do_role() { ask PATCH /api/members "{\"id\":\"$at\",\"role\":\"operator\"}"; }
begin_member_remove() { begin_role; }
do_member_remove() { ask DELETE /api/members "{\"id\":\"$at\"}"; }
begin_accept() { begin_invitation; do_invitation; at=$(json .invitation); }
again_accept() { do_accept; }
do_accept() { post /api/links/accept "{\"token\":\"$at\",\"password\":\"another-horse-2\"}"; }
begin_signup() { another s; at+=@example.com; }
again_signup() { do_signup; }
do_signup() { post /api/auth/signup "{\"company\":\"Other\",\"email\":\"$at\",\"password\":\"correct-horse-1\"}"; }

do_login() { login "$email" "$password"; }
begin_refresh() { do_login; at=$(json .token); }
again_refresh() { do_refresh; }
do_refresh() { post /api/auth/refresh "{\"token\":\"$at\"}"; }
begin_logout() { begin_refresh; }
do_logout() { bearer POST /api/auth/logout "$at" ''; }
# After a commit of which nobody knew it may be the other one.
begin_password() {
    do_login
    [ "$status" = 200 ] || read -r password other_password <<<"$other_password $password"
}
do_password() {
    ask POST /api/auth/password "{\"currentPassword\":\"$password\",\"newPassword\":\"$other_password\"}"
    [ "$status" != 200 ] || read -r password other_password <<<"$other_password $password"
}
begin_session_end() {
    do_login
    get /api/sessions
    at=$(json '[.[] | select(.current | not)][0].id')
}
do_session_end() { ask DELETE /api/sessions "{\"id\":\"$at\"}"; }
begin_others_end() { do_login; }
do_others_end() { ask DELETE /api/sessions/others; }

begin_scope() { scope=$([ "${scope-}" = namespaces ] && echo cluster || echo namespaces); }
do_scope() { ask PATCH /api/clusters "{\"id\":\"production\",\"scope\":\"$scope\"}"; }
begin_cluster_delete() { another c; push "$at" "$scratch/cluster.json"; }
do_cluster_delete() { ask DELETE "/api/clusters?id=$at"; }
begin_decision() { begin_cluster_delete; }
do_decision() { validate "$at" '{"resource":"deploy/api","namespace":"shop"}'; }
begin_decision_of_manifest() { begin_decision; }
do_decision_of_manifest() {
    validate "$at" "$(jq -nc '{manifest: {apiVersion: "v1", kind: "Namespace", metadata: {name: "n"}}}')"
}
begin_outcome() { begin_decision; do_decision; at=$(json .decision_id); }
do_outcome() { post /api/decisions/outcome "{\"decision_id\":\"$at\",\"outcome\":\"failure\",\"note\":\"x\"}" -H "X-API-Key: $api_key"; }
begin_logs() { another logs; sql "$quietly DELETE FROM logs; DELETE FROM log_streams; DELETE FROM log_errors"; }
do_logs() {
    post /ingest/logs "{\"namespace\":\"shop\",\"pod\":\"api-7d9f8b6c5-x2k4p\",\"container\":\"api\",\"lines\":[
        {\"timestamp\":\"$(date -u +%FT%T)Z\",\"level\":\"error\",\"message\":\"first $at\"},{\"timestamp\":\"$(date -u +%FT%T)Z\",\"message\":\"$at\"}]}" \
        -H "X-API-Key: $api_key" -H "X-Cluster-Id: production" -H "Idempotency-Key: $at"
}

# What is left of a deleted cluster is removed by maintenance, when it cannot be now.
may_wait() {
    [ "$1" = cluster_delete ] && { [ $# -eq 1 ] || { [ "$3" = DELETE ] && grep -q "($2)" lib/store/cluster_tables.def; }; }
}

# unread TABLE NAME: what the answer shows of that table cannot be read
unread() {
    begin_one "$2"
    arm
    sql "RENAME TABLE loadline.$1 TO loadline.test_away"
    "do_$2"
    sql "RENAME TABLE loadline.test_away TO loadline.$1"
    disarm
    like "$2 whose answer cannot be made of $1" "$status" '^5'
    is "... is not stored either" "$after" "$before"
    "do_$2"
    like "... and afterwards it is" "$status" '^2'
}
unread alert_state scope
unread exemption_use exemption_new
unread exemption_use exemption_change

# All of them, or those that are named.
change_all "$@"
done_testing
