#!/bin/bash
# What etc/monitoring asks Prometheus for is what GET /metrics says, names and labels; and all of that is shown.
# shellcheck disable=SC2154 # lib.sh sets them
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
own_stack --workers notify=0 --set metrics_token=0123456789abcdef
account Monitoring
cluster 1 1 >"$scratch/snapshot"
push shop "$scratch/snapshot"
is "a cluster" "$status" 200
request GET /metrics -H 'Authorization: Bearer 0123456789abcdef'
is "GET /metrics" "$status" 200

expressions() {
    jq -r '.. | .expr? // empty' etc/monitoring/grafana.json
    python3 -c 'import sys, yaml
for group in yaml.safe_load(open("etc/monitoring/alerts.yml"))["groups"]:
    for rule in group["rules"]:
        print(rule["expr"].replace("\n", " "))'
}
asked=$(expressions | grep -oE 'loadline_[a-z_]+' | sort -u)
families=$(sed -n 's/^# TYPE \(loadline_[a-z_]*\) .*/\1/p' <<<"$body" | sort)
ok "expressions were found" [ "$(wc -l <<<"$asked")" -gt 10 ]
empty "every metric that is asked for is there" "$(comm -23 <(sed -E 's/_(bucket|sum|count)$//' <<<"$asked" | sort -u) <(echo "$families"))"
empty "every metric that is there is shown" "$(comm -13 <(sed -E 's/_(bucket|sum|count)$//' <<<"$asked" | sort -u) <(echo "$families"))"
# labels METRIC: those that its samples have
labels() {
    grep -E "^$1(\{| )" <<<"$body" | grep -oE '[{,][a-z]+="' | tr -d '{,="' | sort -u
}
empty "so is every label that one is chosen by" "$(expressions | grep -oE 'loadline_[a-z_]+\{[^}]*\}' | while IFS='{' read -r metric choice; do
    grep -oE '[a-z]+(=~|!=|=)' <<<"$choice" | tr -d '=~!' | grep -vx instance | while read -r label; do
        labels "$metric" | grep -qx "$label" || echo "$metric has no label $label"
    done
done)"
empty "and every value" "$(expressions | grep -oE 'loadline_[a-z_]+\{[^}]*\}' | while IFS='{' read -r metric choice; do
    grep -oE '(state|result|decision)!?="[a-z_]+"' <<<"$choice" | tr -d '!' | while read -r value; do
        grep -E "^$metric\{" <<<"$body" | grep -qF "$value" || echo "$metric has no $value"
    done
done)"
codes=$(expressions | grep -oE 'code=~"[^"]*"' | cut -d'"' -f2 | tr '|' '\n' | sort -u)
empty "and every code of an error" "$(comm -23 <(echo "$codes") <(sed -nE 's/^ERROR\([A-Z_]+, *[0-9]+, *"([a-z_]+)".*/\1/p' lib/base/errors.def | sort))"
empty "and every label that a sum is by" "$(expressions | grep -oE 'by \([a-z, ]+\)' | grep -oE '[a-z]+' | grep -vx 'by\|instance\|le' | sort -u | while read -r label; do
    grep -qE "[{,]$label=\"" <<<"$body" || echo "no metric has a label $label"
done)"
is "panels do not lie on one another" "$(jq -r '[.panels[].gridPos | . as $p | range($p.y; $p.y + $p.h) as $y | range($p.x; $p.x + $p.w) as $x | "\($x) \($y)"] | length - (unique | length)' etc/monitoring/grafana.json)" 0
is "each has a number of its own" "$(jq '[.panels[].id] | length - (unique | length)' etc/monitoring/grafana.json)" 0
if command -v promtool >/dev/null; then
    ok "promtool is content" promtool check rules etc/monitoring/alerts.yml
else
    skip "promtool is content" "Debian's package prometheus has it"
fi
done_testing
