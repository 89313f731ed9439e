# shellcheck shell=bash disable=SC2034,SC2119,SC2120,SC2154 # lib.sh and the tests share them
# outbox.sh: receivers of alerts, and messages for them put into the database directly. Sourced after
# cluster.sh, before a stack is there.
#
#   receiver NAME [receiver.py's options]   starts one; $NAME is its URL, its log is scratch/NAME.log
#   received PATH         what the receiver `plain` got at paths that begin so, a line of JSON each
#   channel NAME TYPE URL
#   queue CHANNEL BODY    a message, behind what is queued for the channel
#   delivery CHANNEL COLUMN     of its oldest message
#   states CHANNEL        state and attempts of all its messages
#   notify [OPTION]...    loadline-notify; its log goes to scratch/notify.log
#   signed_by FILE SECRET   how many signatures of the requests in the file are of that secret
#   due_now CHANNEL       its first message is, and need not wait for its next attempt

secret=whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=
receivers=()
trap 'kill "${receivers[@]}" 2>/dev/null; clean_up' EXIT

receiver() {
    local name=$1 scheme=http
    shift
    [ "${1-}" != --tls ] || scheme=https
    python3 tests/e2e/receiver.py --log "$scratch/$name.log" --port-file "$scratch/$name.port" "$@" &
    receivers+=($!)
    within "$(patient 10)" test -s "$scratch/$name.port" || fail "the receiver $name starts"
    printf -v "$name" '%s://127.0.0.1:%s' "$scheme" "$(cat "$scratch/$name.port")"
}

received() {
    jq -c --arg path "$1" 'select(.path | startswith($path))' "$scratch/plain.log"
}

channel() {
    local secret_column=NULL
    [ "$2" != webhook ] || secret_column="CONCAT('P', '$secret')"
    sql "INSERT INTO loadline.channels (channel_id, tenant_id, type, name, url, url_masked, secret, enabled, created_at)
        VALUES (UUID(), '00000000-0000-0000-0000-0000000000aa', '$2', '$1', CONCAT('P', '$3'), '', $secret_column, 1, UTC_TIMESTAMP(3))"
}

queue() {
    local body=${2//\\/\\\\}
    sql "INSERT INTO loadline.outbox (delivery_id, tenant_id, channel_id, event, title, body, created_at, next_attempt_at, state, position)
        SELECT UUID(), tenant_id, channel_id, 'Test', '', '$body', UTC_TIMESTAMP(3), UTC_TIMESTAMP(3), 'queued',
            (SELECT COALESCE(MAX(position), 0) + 1 FROM loadline.outbox o WHERE o.channel_id = c.channel_id)
        FROM loadline.channels c WHERE name = '$1'"
}

delivery() {
    sql "SELECT o.$2 FROM loadline.outbox o JOIN loadline.channels c USING (channel_id) WHERE name = '$1'
        ORDER BY position LIMIT 1"
}

states() {
    sql "SELECT o.state, o.attempts FROM loadline.outbox o JOIN loadline.channels c USING (channel_id)
        WHERE name = '$1' ORDER BY position" | tr '\t' ' '
}

notify() {
    LOADLINE_CONF=$stack_dir/loadline.conf "$build/bin/loadline-notify" "$@" 2>>"$scratch/notify.log"
}

due_now() {
    sql "UPDATE loadline.outbox SET next_attempt_at = UTC_TIMESTAMP(3) WHERE next_attempt_at IS NOT NULL
        AND channel_id = (SELECT channel_id FROM loadline.channels WHERE name = '$1')"
}

# By another implementation than ours; the timestamp must be that of the attempt.
signed_by() {
    python3 - "$1" "$2" <<'PYTHON'
import base64, hashlib, hmac, json, sys
key, count = base64.b64decode(sys.argv[2].removeprefix("whsec_")), 0
for line in open(sys.argv[1], encoding="utf-8"):
    request = json.loads(line)
    headers = request["headers"]
    signed = ".".join([headers["webhook-id"], headers["webhook-timestamp"], request["body"]])
    good = "v1," + base64.b64encode(hmac.new(key, signed.encode(), hashlib.sha256).digest()).decode()
    if abs(request["time"] - int(headers["webhook-timestamp"])) < 30:
        count += headers["webhook-signature"].split(" ").count(good)
print(count)
PYTHON
}
