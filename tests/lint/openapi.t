#!/bin/bash
# Each route of cgi-bin/routes.def is described in cgi-bin/openapi.def, and nothing else is.
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
. tests/lint/unchanged.sh
reads cgi-bin

# rows FILE MACRO: "METHOD path" a line
routes=$(sed -nE 's/^ROUTE\([a-z]+, *([A-Z]+), *"([^"]*)".*/\1 \2/p' cgi-bin/routes.def | sort)
described=$(sed -nE 's/^OPERATION\(([A-Z]+), "([^"]*)".*/\1 \2/p' cgi-bin/openapi.def | sort)
ok "routes were found" [ "$(wc -l <<<"$routes")" -gt 50 ]
empty "every route is described" "$(comm -23 <(echo "$routes") <(echo "$described") | while read -r method path; do
    echo "$method $path: add to cgi-bin/openapi.def OPERATION($method, \"$path\", status, summary, parameters, body, answer)"
    echo "    with \"?\" as the answer; tests/e2e/97-openapi.t then asks it, and says what to put there"
done)"
empty "what is described is a route" "$(comm -13 <(echo "$routes") <(echo "$described") | sed 's|$|: take it out of cgi-bin/openapi.def|')"
empty "each once" "$(uniq -d <<<"$described")"
empty "no answer is left open" "$(grep -n '"?' cgi-bin/openapi.def)"
done_testing
