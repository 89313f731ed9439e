#!/bin/bash
# The Helm chart of the agent says what etc/kubernetes says, as far as one can tell without helm; make check-kubernetes
# compares what helm makes of it.
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
. tests/lint/unchanged.sh
# shellcheck disable=SC2034 # unchanged.sh looks at it
read_tools=(python3 jq)
reads etc/helm etc/kubernetes lib/base/version.h tests/yaml_to_json.py

work=$(mktemp -d)
# shellcheck disable=SC2154 # keep_names is of unchanged.sh
trap 'rm -rf "$work"; keep_names' EXIT
chart=etc/helm/loadline-agent

for name in Chart values rules; do
    tests/yaml_to_json.py $chart/$name.yaml 2>"$work/complaints" | jq '.[0]' >"$work/$name.json"
    is "$name.yaml is YAML" "$(cat "$work/complaints")" ""
done
ok "values.schema.json is JSON" jq . $chart/values.schema.json

version=$(sed -n 's/^#define LOADLINE_VERSION "\(.*\)"$/\1/p' lib/base/version.h)
is "it is of this version" "$(jq -r '[.version, .appVersion] | join(" ")' "$work/Chart.json")" "$version $version"
is "and so is the image of etc/kubernetes" "$(sed -n 's/^ *image: .*loadline-agent://p' etc/kubernetes/agent.yaml)" "$version"

# ---- values: each has a comment and a row in the schema, and something looks at it
differ() { diff <(echo "$1") <(echo "$2") | grep '^[<>]'; }
settings='[paths(type != "object" or length == 0) | map(select(type == "string")) | select(.[0] != "resources") | select(.[:2] != ["networkPolicy", "egress"] or length == 2) | join(".")] | unique[]'
values=$(jq -r "$settings" "$work/values.json" | sort)
ok "there are values" [ "$(wc -l <<<"$values")" -gt 20 ]
schema=$(jq -r '[paths | select(length > 1 and .[-2] == "properties") | map(select(. != "properties"))] as $all
    | $all[] | . as $one | select(all($all[]; .[:($one | length)] != $one or length == ($one | length))) | select(.[0] != "resources") | join(".")' \
    $chart/values.schema.json | grep -vx global | sort)
empty "the schema knows the same values" "$(differ "$schema" "$values")"
empty "... and no others" "$(jq -r 'paths(type == "object" and has("properties") and .additionalProperties != false) | join(".")' $chart/values.schema.json)"
empty "each value has a comment" "$(awk '
    /^ *#/ { told = 1; next }
    /^ *[a-zA-Z]+:/ { if (!told && $0 !~ /^ *[a-zA-Z]+: *$/ && !inside) print FILENAME ":" FNR ": " $0
                      inside = ($1 == "resources:" || $1 == "egress:" && NF == 1) }
    { told = 0 }' $chart/values.yaml | grep -v 'limits:')"
used=$(cat $chart/templates/* | grep -oE '\$?\.Values(\.[a-zA-Z]+)+' | sed 's/.*\.Values\.//' | sort -u)
unused=$(while IFS= read -r value; do
    # A block that is taken as a whole names only its head.
    grep -qxF -e "$value" -e "${value%.*}" <<<"$used" || echo "$value"
done <<<"$values")
empty "each value is used" "$unused"
empty "... and there is no other" "$(while IFS= read -r value; do grep -qE "^${value//./\\.}(\.|$)" <<<"$values" || [ "$value" = resources ] || echo "$value"; done <<<"$used")"

# ---- the same as etc/kubernetes
tests/yaml_to_json.py etc/kubernetes/access.yaml >"$work/access.json"
is "the rules are those of etc/kubernetes" "$(jq -cS . "$work/rules.json")" \
    "$(jq -cS '.[] | select(.kind == "ClusterRole") | .rules' "$work/access.json")"
empty "without Secrets" "$(jq -r '.[].resources[]' "$work/rules.json" | grep -x secrets)"
objects() { sed -n 's/^kind: //p' "$@" | sort; }
of_kustomize="$(sed -n '/^resources:/,/^#/s|^  - |etc/kubernetes/|p' etc/kubernetes/kustomization.yaml) etc/kubernetes/with-logs/access.yaml"
# shellcheck disable=SC2086 # a list of files
is "the same kinds of objects" "$(objects $chart/templates/*.yaml)" "$(objects $of_kustomize)"
# plain FILE: its lines, with the values in their places and without what is said twice
set_value() { jq -r --arg path "$1" 'getpath($path / ".") // ""' "$work/values.json"; }
plain() {
    local script='' value
    while IFS= read -r value; do
        script+="s|{{ *[$]\{0,1\}\.Values\.$value *\(. quote\)\{0,1\} *}}|$(set_value "$value")|g;"
    done <<<"$(printf '%s\n' name namespace.name url cluster apiKey.secret apiKey.key)"
    sed "$script" "$1" | grep -v '^ *#' | sed 's/"//g; s/^ *//' | sort -u
}
for name in namespace access agent network logs; do
    file=etc/kubernetes/$name.yaml
    [ $name != logs ] || file=etc/kubernetes/with-logs/access.yaml
    missing=$(comm -23 <(plain "$file") <(plain $chart/templates/$name.yaml))
    case $name in
    access) missing=$(grep -vE '^(- apiGroups|resources): \[' <<<"$missing") ;; # compared above
    network) missing=$(grep -vxF -e "$(sed -n '/^  egress:/,$s/^ *- {/- {/p' $chart/values.yaml)" <<<"$missing") ;;
    agent) # its image, resources and arguments are of the values
        is "the same resources" "$(jq -cS .resources "$work/values.json")" \
            "$(tests/yaml_to_json.py etc/kubernetes/agent.yaml | jq -cS '.[0].spec.template.spec.containers[0].resources')"
        missing=$(grep -vE '^(image|args|resources):|^(requests|limits): {' <<<"$missing") ;;
    esac
    empty "templates/$name.yaml has the lines of $file" "$missing"
done
for file in README.md docs/agent.md; do
    ok "$file names it" grep -qF "etc/helm/loadline-agent" "$file"
done
done_testing
