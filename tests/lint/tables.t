#!/bin/bash
# The tables (.def) against everything that repeats them: web servers, samples, documents.
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
. tests/lint/unchanged.sh
reads cgi-bin bin lib etc docs README.md SECURITY.md scripts tests htdocs/js/views/settings-actions.js '*.def'

# rows FILE MACRO: the arguments of each row, commas and blanks squeezed, quotes dropped.
rows() {
    sed -n "s/^$2( *\(.*\))\$/\1/p" "$1" | sed 's/" *, */", /g; s/  */ /g'
}

# routes: "program METHOD /path"
routes=$(sed -n 's/^ROUTE( *\([a-z]*\), *\([A-Z]*\), *"\([^"]*\)".*/\1 \2 \3/p' cgi-bin/routes.def)
ok "routes were found" [ "$(wc -l <<<"$routes")" -gt 1 ]

lighttpd=$(sed -n 's|^ *"\(/[^"]*\)" *=> (( "socket" => var.sockets + "/\([a-z]*\)\.sock".*|\1 \2|p' etc/lighttpd.conf)
apache=$(sed -n 's|^ *ProxyPass *"\(/[^"]*\)" *"unix:${loadline_sockets}/\([a-z]*\)\.sock.*|\1 \2|p' etc/apache-site.conf)
cgi=$(sed -n 's|^ *"\(/[^"]*\)" *=> var.programs + "/\([a-z]*\)\.fcgi/\{0,1\}".*|\1 \2|p' etc/lighttpd-cgi.conf)
workers=$(sed -n 's/^\([a-z]\{1,\}\) .*/\1/p' etc/workers | sort)

# misrouted TABLE: routes that the first fitting prefix of the table gives to another program.
misrouted() {
    awk 'NR == FNR { prefix[++n] = $1; to[n] = $2; next }
         { for (i = 1; i <= n && index($3, prefix[i]) != 1; i++);
           if (to[i] != $1) print $2, $3, "goes to", to[i], "instead of", $1 }' <(echo "$1") <(echo "$routes")
}
empty "lighttpd sends every route to its program" "$(misrouted "$lighttpd")"
empty "Apache does too" "$(misrouted "$apache")"
is "both have the same rows" "$apache" "$lighttpd"
is "and so has lighttpd without workers" "$cgi" "$lighttpd"
programs=$(find cgi-bin -maxdepth 1 -name '*.c' -printf '%f\n' | sed 's/\.c$//' | sort)
is "every program has workers" "$workers" "$programs"
is "and is routed to" "$(cut -d' ' -f2 <<<"$lighttpd" | sort -u)" "$programs"
ok "and loadline.target brings them all along" grep -qx 'Wants=@POOLS@' etc/loadline.target
is "and has routes" "$(cut -d' ' -f1 <<<"$routes" | sort -u)" "$programs"

documented=$(sed -n 's/^| *`\([A-Z]*\) \(\/[^`?]*\)[^`]*`.*/\1 \2/p' README.md | sort -u)
is "README's API table has every route" "$documented" "$(cut -d' ' -f2,3 <<<"$routes" | sort -u)"
documented=$(sed -n 's/^### \([A-Z]* \/.*\)/\1/p' docs/api.md | sort -u)
is "docs/api.md has a section for every route" "$documented" "$(cut -d' ' -f2,3 <<<"$routes" | sort -u)"

# keys: the sample has each with its default, and nothing else.
keys=$(rows lib/service/conf.def CONF | sed -n 's/^\([a-z_]*\), [A-Z]*, "\([^"]*\)".*/\1 = \2/p')
sample=$(sed -n 's/^#\{0,1\}\([a-z_]* =\) *\(.*\)$/\1 \2/p' etc/loadline.conf)
is "etc/loadline.conf has every key with its default" "$sample" "$keys"

# errors: the front end's own pages say what the table says.
wrong=$(for page in etc/errors/*.html; do
    status=${page##*/} status=${status%.html}
    code=$(jq -r .code "$page") sentence=$(jq -r .error "$page")
    rows lib/base/errors.def ERROR | grep -qxF "$(rows lib/base/errors.def ERROR |
        grep -F ", $status, \"$code\", \"$sentence\"")" || echo "$page is no row of errors.def"
done)
empty "the front end's errors are rows of the table" "$wrong"

# actions: AUDIT_NAME of each row, as programs write it
actions=$(rows lib/store/actions.def ACTION | sed 's/^\([A-Z_]*\), .*/AUDIT_\1/')
ok "actions were found" [ "$(wc -l <<<"$actions")" -gt 10 ]
empty "every action is one that is written" \
    "$(for action in $actions; do git grep -qw "$action" -- cgi-bin bin lib || echo "$action"; done)"
is "and one that the dashboard's filter has" "$(sed -n 's/^    "\([a-z_]*\)",$/\1/p' htdocs/js/views/settings-actions.js)" \
    "$(rows lib/store/actions.def ACTION | sed 's/^[A-Z_]*, "\([a-z_]*\)".*/\1/')"
empty "no statement changes an entry of the audit trail" "$(grep -nE '(UPDATE|REPLACE INTO|ON DUPLICATE.*) audit' lib/store/*.def)"

# mentioned FILE TABLE MACRO COLUMN: names of the table that the document does not have in backquotes.
mentioned() {
    local name
    rows "$2" "$3" | awk -F', ' -v column="$4" '{ gsub(/"/, "", $column); print $column }' | while read -r name; do
        grep -qF "\`$name\`" "$1" || echo "$1 does not mention $name"
    done
}
# What SECURITY.md states is shown by files; NAME.t alone is an end-to-end test.
missing=$(grep -oE '`[A-Za-z0-9_./@-]+\.(t|c|h|def|conf|service)`' SECURITY.md | tr -d '`' | sort -u | while read -r file; do
    [ -e "$file" ] || [ -e "tests/e2e/$file" ] || echo "$file"
done)
empty "the files that SECURITY.md names are there" "$missing"
unknown=$(for table in $(git ls-files '*.def' | grep -vxF "$(sed -n 's/^#include "\(.*\)"/lib\/\1/p' lib/store/statements.def)"); do
    grep -qF "\`$table\`" docs/architecture.md || echo "$table"
done)
empty "docs/architecture.md lists every table" "$unknown"
ok "docs/checks.md is what scripts/gen-checks-doc makes" scripts/gen-checks-doc --check

# docs/peers.md: what stands in code type is a check. The frameworks that checks.def names are in the table of CIS.
ids=$(sed -n 's/^CHECK([a-z0-9_]*, "\([a-z0-9-]*\)".*/\1/p' lib/score/checks.def)
named=$(grep -o '`[^`]*`' docs/peers.md | tr -d '`' | sort -u)
ok "docs/peers.md names checks" [ "$(wc -l <<<"$named")" -gt 100 ]
empty "every check that docs/peers.md names exists" "$(grep -vxF "$ids" <<<"$named")"
silent=$(awk -F'|' '/^\|/ && !/^\|---/ && $(NF - 1) !~ /[^ ]/ && ($(NF - 2) !~ /`/ || NF < 5)' docs/peers.md)
empty "every row of it names a check or says why none does" "$silent"
controls=$(awk -F'"' '/^CHECK\(/ { id = $2 } { for (i = 2; i <= NF; i += 2) { n = split($i, word, " ")
    for (j = 1; j <= n; j++) if (word[j] ~ /^CIS:[0-9]/) print substr(word[j], 5), id } }' lib/score/checks.def)
ok "controls of CIS were found" [ "$(wc -l <<<"$controls")" -gt 50 ]
empty "its table of CIS has every control that checks.def names" "$(while read -r control id; do
    grep -E "^\| ${control//./\\.} \|" docs/peers.md | grep -qF "\`$id\`" || echo "$control: $id"
done <<<"$controls")"
for table in \
    "docs/api.md lib/base/errors.def ERROR 3" \
    "docs/api.md lib/store/actions.def ACTION 2" \
    "docs/alerts.md lib/alert/channel_types.def CHANNEL_TYPE 1" \
    "docs/operations.md lib/service/conf.def CONF 1" \
    "docs/operations.md lib/service/metrics.def METRIC 2"; do
    # shellcheck disable=SC2086 # fields
    set -- $table
    if [ -e "$1" ]; then empty "$1 has every row of $2" "$(mentioned "$@")"; else skip "$1" "not written yet"; fi
done
done_testing
