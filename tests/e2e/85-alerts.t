#!/bin/bash
# Pushes become alerts: what is queued for whom, when it is repeated and when it is over. The snapshots' own
# time (X-Snapshot-Time) moves the clock; the outbox is what is looked at.
# shellcheck disable=SC2154 # cluster.sh and lib.sh set them
. "$(dirname "$0")/lib.sh"
unset -f jq # that which keeps the order of members
. tests/e2e/cluster.sh
own_stack --workers notify=0

channel() {
    ask POST /api/notifications/channels "{\"type\":\"$2\",\"name\":\"$1\",\"url\":\"https://example.com/$1\"}"
    json .id
}
rule() {
    ask POST /api/notifications/rules "$1"
    json .id
}

start=$(($(date +%s) - 86400))
# at SECONDS: of the story, as a time
at() {
    date -u -d "@$((start + $1))" +%Y-%m-%dT%H:%M:%SZ
}
# see SECONDS FILE [CLUSTER]: pushes it as it was then
see() {
    push "${3:-production}" "$scratch/$2" -H "X-Snapshot-Time: $(at "$1")"
    [ "$status" = 200 ] || diag "push: $status $body"
}
# news: channel and title of what was queued since it was last asked, in the order of each channel
news() {
    sql "SELECT c.name, o.title FROM loadline.outbox o JOIN loadline.channels c USING (channel_id) WHERE o.state = 'queued'
        ORDER BY c.name, o.position"
    sql "UPDATE loadline.outbox SET state = 'sent', next_attempt_at = NULL"
}
# bodies: what was queued, rendered
bodies() {
    sql "SELECT o.body FROM loadline.outbox o WHERE o.state = 'queued' ORDER BY o.position"
}
states() {
    sql "SELECT COUNT(*) FROM loadline.alert_state"
}

cluster 2 2 >"$scratch/good"
cluster 2 0 >"$scratch/down"
cluster 0 0 >"$scratch/zero"
cluster 2 2 '.items |= map(if .kind == "Deployment" then .metadata.name = "web" else . end)' >"$scratch/gone"
cluster 2 2 '.items |= map(select(.kind == "Node"))' >"$scratch/nodes"
cluster 2 0 '.items |= map(if .kind == "Node" then .status.conditions[0].status = "False"
    elif .kind == "Deployment" then .spec.template.spec += {hostNetwork: true, hostPID: true, hostIPC: true,
        volumes: [{name: "v", hostPath: {path: "/"}}]} | .spec.template.spec.containers[0] += {image: "api:latest",
        env: [{name: "DB_PASSWORD", value: "s3cretPassw0rd!"}], volumeMounts: [{name: "v", mountPath: "/host"}],
        securityContext: {privileged: true, capabilities: {add: ["ALL"]}}}
    else .status.containerStatuses = [{name: "api", ready: false, restartCount: 50, lastState: {terminated: {exitCode: 1, reason: "Error"}},
        state: {waiting: {reason: "CrashLoopBackOff"}}}] end)' >"$scratch/bad"

account Example
sql "UPDATE loadline.tenants SET plan = 'enterprise'"
see 0 bad
bad=$(json .csc_score)
below "the bad cluster scores below 50" "$bad" 50
is "without a channel nobody is told" "$(news)" ""
is "but it is known" "$(states)" 1
hook=$(channel hook webhook)
see 10 bad
is "the first channel is told at once" "$(bodies | jq -c 'del(.detail)')" \
    "{\"event\":\"Score Drop\",\"title\":\"Cluster production CSC score dropped to $bad (threshold: 50)\",\"source\":\"loadline\",\"timestamp\":\"$(at 10 | sed 's/Z$/.000Z/')\"}"
like "with the risks" "$(bodies | jq -r .detail)" '^[1-9][0-9]* active risks detected; below the threshold for 10 s\. BLOCK: 3 of 3 workloads are unavailable; .+\.$'
is "about the cluster" "$(sql "SELECT DISTINCT cluster_name, attempts, next_attempt_at = created_at FROM loadline.outbox")" "production	0	1"
news >/dev/null

# ---- an hour of bad snapshots
for ((i = 2; i < 362; i++)); do
    [ $i = 2 ] || echo next
    printf 'url = "%s/ingest"\nheader = "X-Snapshot-Time: %s"\n' "$base_url" "$(at $((i * 10)))"
    printf 'header = "X-API-Key: %s"\nheader = "X-Cluster-Id: production"\n' "$api_key"
    printf 'header = "Content-Type: application/json"\ndata-binary = "@%s"\noutput = "/dev/null"\nwrite-out = "%%{http_code}\\n"\n' "$scratch/bad"
done >"$scratch/hour"
is "an hour of bad snapshots is taken in" "$(curl -sS -K "$scratch/hour" | sort | uniq -c | xargs)" "360 200"
is "and says nothing more" "$(news)" ""
see 14409 bad
is "nothing before four hours have passed" "$(news)" ""
see 14410 bad
is "then it repeats" "$(news)" "hook	Cluster production CSC score is still at $bad (threshold: 50)"
see 14420 good
good=$(json .csc_score)
see 14479 good
is "nothing within the minute" "$(news)" ""
see 14480 good
is "one recovery" "$(news)" "hook	Cluster production CSC score recovered to $good (threshold: 50)"
is "and nothing is left of it" "$(states)" 0
see 14490 good
is "nor is anything said after it" "$(news)" ""

# ---- one message a channel and snapshot
rule '{"condition":"score_drop","threshold":75}' >/dev/null
rule "{\"condition\":\"score_drop\",\"threshold\":80,\"channelIds\":[\"$hook\"]}" >/dev/null
channel teams teams >/dev/null
see 15000 bad
is "each channel gets one" "$(news)" "hook	Cluster production CSC score dropped to $bad (threshold: 75)
teams	Cluster production CSC score dropped to $bad (threshold: 75)"
see 15010 good
see 15070 good
is "and one recovery" "$(news)" "hook	Cluster production CSC score recovered to $good (threshold: 75)
teams	Cluster production CSC score recovered to $good (threshold: 75)"

# ---- flapping
for ((i = 0; i < 20; i++)); do
    see $((16000 + i * 20)) bad
    see $((16010 + i * 20)) good
done
is "a score that flaps is one alert" "$(news | cut -f2)" "Cluster production CSC score dropped to $bad (threshold: 75)
Cluster production CSC score dropped to $bad (threshold: 75)"
see 16450 good
is "and one recovery when it rests" "$(news | cut -f2 | sort -u)" "Cluster production CSC score recovered to $good (threshold: 75)"

# ---- apps
apps=$(rule '{"condition":"degraded_app","channelIds":["'"$hook"'"]}')
see 20000 down app-cluster
down=$(json .csc_score)
below "a cluster whose app is down scores below 75" "$down" 75
is "a degraded app" "$(news)" "hook	Cluster app-cluster CSC score dropped to $down (threshold: 75)
hook	Deployment shop/api in cluster app-cluster has no available replicas
teams	Cluster app-cluster CSC score dropped to $down (threshold: 75)"
see 20010 nodes app-cluster
see 20080 nodes app-cluster
is "a snapshot without deployments ends nothing" "$(news | grep -c Deployment)" 0
see 20090 good app-cluster
see 20150 good app-cluster
is "it comes back" "$(news | grep Deployment)" "hook	Deployment shop/api in cluster app-cluster is available again"
see 20200 down app-cluster
see 20210 gone app-cluster
see 20270 gone app-cluster
is "deleted while it was down" "$(news | grep Deployment)" "hook	Deployment shop/api in cluster app-cluster has no available replicas
hook	Deployment shop/api is gone from cluster app-cluster"
see 20300 down app-cluster
see 20310 zero app-cluster
see 20370 zero app-cluster
is "scaled to zero while it was down" "$(news | grep Deployment | tail -1)" "hook	Deployment shop/api in cluster app-cluster was scaled to zero"
cluster 2 0 '.items |= map(if .kind == "Deployment" then .metadata.name = "<!channel> @here" else . end)' >"$scratch/loud"
channel slack slack >/dev/null
ask PATCH "/api/notifications/rules?id=$apps" '{"channelIds":null}'
see 20400 loud app-cluster
is "a name calls nobody on Slack" "$(sql "SELECT COUNT(*) FROM loadline.outbox o JOIN loadline.channels c USING (channel_id)
    WHERE c.name = 'slack' AND event = 'Degraded App' AND (body LIKE '%<!%' OR body LIKE '%@here%')")" 0
is "though it is told" "$(sql "SELECT COUNT(*) FROM loadline.outbox o JOIN loadline.channels c USING (channel_id)
    WHERE c.name = 'slack' AND event = 'Degraded App' AND body LIKE '%&lt;!channel&gt;%'")" 1
news >/dev/null

# ---- rules that change while they fire
see 21000 bad other
news >/dev/null
ask GET /api/notifications/rules
for id in $(json '.[].id'); do
    ask DELETE "/api/notifications/rules?id=$id"
done
see 21010 bad other
is "deleted rules end unheard" "$(news) $(sql "SELECT COUNT(*) FROM loadline.alert_state s JOIN loadline.clusters c USING (cluster) WHERE c.name = 'other'")" " 1"
rule '{"condition":"score_drop","threshold":70,"clusterId":"other"}' >/dev/null
see 21020 bad other
is "a rule made meanwhile fires" "$(news | sort -u -k2)" "hook	Cluster other CSC score dropped to $bad (threshold: 70)"
see 21030 bad third
is "elsewhere it does not" "$(news | cut -f2 | sort -u)" "Cluster third CSC score dropped to $bad (threshold: 50)"

see 21040 bad owed
outlasts=$(rule '{"condition":"score_drop","threshold":95,"clusterId":"owed","channelIds":["'"$hook"'"]}')
see 21050 good owed
news >/dev/null
see 21110 good owed
is "an end is not told where another rule's alert lasts" "$(news)" "slack	Cluster owed CSC score recovered to $good (threshold: 50)
teams	Cluster owed CSC score recovered to $good (threshold: 50)"
ask DELETE "/api/notifications/rules?id=$outlasts"
see 21120 good owed
is "once that rule is deleted it is" "$(news)" "hook	Cluster owed CSC score recovered to $good (threshold: 50)"
see 21130 good owed
is "once" "$(news) $(sql "SELECT COUNT(*) FROM loadline.owed_ends")" " 0"

# ---- silences
see 22000 good quiet
until=$(date -u -d '+1 hour' +%Y-%m-%dT%H:%M:%SZ)
ask POST /api/notifications/silences "{\"clusterId\":\"quiet\",\"until\":\"$until\",\"reason\":\"r\"}"
silence=$(json .id)
see 22010 bad quiet
see 22020 bad quiet
is "a silenced cluster is silent" "$(news)" ""
see 22030 bad loud
is "others are not" "$(news | cut -f2 | sort -u)" "Cluster loud CSC score dropped to $bad (threshold: 50)"
ask DELETE "/api/notifications/silences?id=$silence"
see 22040 bad quiet
is "what was taken before its end is silent still" "$(news)" ""
push quiet "$scratch/bad"
is "after the silence it is told, for it lasts" "$(news | cut -f2 | sort -u)" "Cluster quiet CSC score dropped to $bad (threshold: 50)"

# ---- order of arrival
see 30000 good late
see 29000 bad late
is "an older snapshot raises no alert" "$(news)" ""
see 29010 bad late
is "nor does one that is newer than that one only" "$(news)" ""
see 30010 bad late
is "a newer one does" "$(news | cut -f2 | sort -u)" "Cluster late CSC score dropped to $bad (threshold: 50)"

# ---- other tenants, and all or nothing
account Stranger
see 40000 bad production
is "a stranger's cluster of the same name alerts nobody else" "$(news)" ""
ask GET /api/notifications/deliveries
is "nor does it see anything" "$body" "[]"
mine=$(channel mine webhook)
printf '{"kind":"List","apiVersion":"v1","items":[' >"$scratch/cut"
push production "$scratch/cut" -H "X-Snapshot-Time: $(at 40010)"
is "a refused push alerts nobody" "$status $(news)" "400 "
see 40020 bad production
is "the next good one does" "$(news)" "mine	Cluster production CSC score dropped to $bad (threshold: 50)"
ask GET "/api/notifications/deliveries?channelId=$mine&clusterId=production&state=sent"
is "deliveries tell" "$(json -c '[.[] | .event, .clusterId]')" '["Score Drop","production"]'

# ---- a hundred rules about three thousand deployments
account Crowded
sql "INSERT INTO rules (rule_id, tenant_id, kind, enabled, created_at)
    SELECT UUID(), '$tenant', 'degraded_app', 1, UTC_TIMESTAMP(3) FROM seq_1_to_100"
crowd() { # AVAILABLE
    jq -nc --argjson n "$1" '{kind: "List", items: [range(3000) | {apiVersion: "apps/v1", kind: "Deployment",
        metadata: {name: "app\(.)", namespace: "shop"}, spec: {replicas: 1}, status: {replicas: 1, availableReplicas: $n}}]}'
}
mine() {
    sql "SELECT COUNT(*) FROM loadline.$1 WHERE tenant_id = '$tenant'"
}
kept() {
    sql "SELECT kept_bytes FROM loadline.clusters WHERE tenant_id = '$tenant'"
}
crowd 0 >"$scratch/none"
crowd 1 >"$scratch/one"
see 50000 none
is "5,000 fire, of 300,000, and the score" "$(mine alert_state)" 5001
see 50010 one
before=$(kept)
see 50080 one
is "and are over" "$(mine alert_state) $(mine ended_alerts)" "0 5001"
ok "what is kept of them counts" [ $(($(kept) - before)) -gt $((5000 * 150)) ]

# ---- what is told counts
sql "DELETE FROM rules WHERE tenant_id = '$tenant'"
channel one webhook >/dev/null
channel two webhook >/dev/null
see 51000 good
see 51010 bad
# falls SECONDS ENABLED: bytes that are counted when the score falls, and these channels are enabled
falls() {
    local before
    see $(($1 - 100)) good
    see $(($1 - 10)) good
    sql "UPDATE channels SET enabled = $2 WHERE tenant_id = '$tenant'"
    before=$(kept)
    see "$1" bad
    echo $(($(kept) - before))
}
without=$(falls 51200 0)
with=$(falls 51400 1)
ok "messages count" [ $((with - without)) -ge $((2 * 300)) ]
done_testing
