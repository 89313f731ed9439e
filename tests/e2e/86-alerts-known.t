#!/bin/bash
# A worker knows the rules and channels of a calm cluster and does not read them again: it counts at once when they
# change, whichever worker gets the push, and what another worker has found firing is not forgotten.
# shellcheck disable=SC2154 # cluster.sh and lib.sh set them
. "$(dirname "$0")/lib.sh"
unset -f jq # that which keeps the order of members
. tests/e2e/cluster.sh
own_stack --workers notify=0 --workers ingest=2

start=$(($(date +%s) - 86400)) second=0
# see FILE [SECONDS]: pushes it, so many seconds after the one before
see() {
    second=$((second + ${2:-10}))
    push production "$scratch/$1" -H "X-Snapshot-Time: $(date -u -d "@$((start + second))" +%Y-%m-%dT%H:%M:%SZ)"
    [ "$status" = 200 ] || diag "push: $status $body"
}
# calm: pushes until both workers know the rules
calm() {
    local i
    for i in {1..12}; do see good $((i == 1 ? 70 : 1)); done
}
# news: what was queued of the app since it was last asked
news() {
    sql "SELECT title FROM loadline.outbox WHERE state = 'queued' AND title LIKE 'Deployment%' ORDER BY title"
    sql "UPDATE loadline.outbox SET state = 'sent', next_attempt_at = NULL"
}
# recover: all is over and told, and both workers know that
recover() {
    local i
    for i in {1..8}; do see good; done
    news >/dev/null
    calm
}
executed() {
    sql "SHOW GLOBAL STATUS LIKE 'Com_stmt_execute'" | cut -f2
}
# statements [SQL]: sets how many ten pushes of the good snapshot take, with that before each. The least of three:
# what others ask meanwhile counts as well.
statements() {
    local before i
    took=''
    for _ in {1..3}; do
        before=$(executed)
        for i in {1..10}; do
            [ -z "${1-}" ] || sql "$1"
            see good 1
        done
        before=$(($(executed) - before))
        [ -n "$took" ] && [ "$took" -le "$before" ] || took=$before
    done
}
is_calm() {
    sql "SELECT calm_at = received_at FROM loadline.clusters WHERE name = 'production'"
}

cluster 2 2 >"$scratch/good"
cluster 2 0 >"$scratch/down"
account Example
sql "UPDATE loadline.tenants SET plan = 'enterprise'"
ask POST /api/notifications/channels '{"type":"webhook","name":"hook","url":"https://example.com/hook"}'
hook=$(json .id)
calm
is "a cluster of which nothing fires is calm" "$(is_calm)" 1
statements
known=$took
statements "UPDATE loadline.clusters SET calm_at = NULL"
is "what is known is not read" "$((took - known))" 10
statements "UPDATE loadline.clusters SET calm_at = calm_at - INTERVAL 1 SECOND"
is "a push that does not say so leaves nobody calm" "$((took - known))" 10
is "but the next one says so" "$(is_calm)" 1

# ---- a rule
ask POST /api/notifications/rules '{"condition":"degraded_app"}'
rule=$(json .id)
see down
is "a rule that is new counts with the next push" "$(news)" "Deployment shop/api in cluster production has no available replicas"
is "the cluster is not calm" "$(is_calm)" NULL
for i in {1..6}; do see down; done
is "no worker forgets what is firing" "$(news)" ""
see good
for i in {1..7}; do see good; done
is "and one tells of its end, once" "$(news)" "Deployment shop/api in cluster production is available again"
calm
is "then it is calm again" "$(is_calm)" 1
ask PATCH /api/notifications/rules "{\"id\":\"$rule\",\"enabled\":false}"
for i in {1..4}; do see down; done
is "a rule that was turned off tells nothing" "$(news)" ""
calm
ask PATCH /api/notifications/rules "{\"id\":\"$rule\",\"enabled\":true}"
calm
ask DELETE "/api/notifications/rules?id=$rule"
for i in {1..4}; do see down; done
is "nor does one that was deleted" "$(news)" ""

# ---- a channel
ask POST /api/notifications/rules '{"condition":"degraded_app"}'
calm
ask PATCH /api/notifications/channels "{\"id\":\"$hook\",\"enabled\":false}"
for i in {1..4}; do see down; done
is "a channel that was turned off is told nothing" "$(news)" ""
ask PATCH /api/notifications/channels "{\"id\":\"$hook\",\"enabled\":true}"
see down
is "and is told at once when it is back" "$(news | wc -l)" 1
recover
ask POST /api/notifications/channels '{"type":"webhook","name":"second","url":"https://example.com/second"}'
second_hook=$(json .id)
see down
is "a channel that is new is told, too" "$(news | wc -l)" 2
recover
ask DELETE "/api/notifications/channels?id=$second_hook"
see down
is "one that was deleted is not" "$(news | wc -l)" 1
recover

# ---- a silence, for the day of the snapshots and today
ask POST /api/notifications/silences "{\"until\":\"$(date -ud '1 hour' +%FT%TZ)\"}"
is "a silence" "$status" 201
for i in {1..4}; do see down; done
is "counts at once" "$(news)" ""
done_testing
