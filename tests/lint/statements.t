#!/bin/bash
# Statements stand beside the C that uses them, and what has a column's name is of that column.
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
. tests/lint/unchanged.sh
reads lib cgi-bin bin

tables=$(grep -l '^ *STMT(' lib/store/*.def)
listed=$(sed -n 's/^#include "\(.*\)"$/lib\/\1/p' lib/store/statements.def)
is "store/statements.def lists every table of statements" "$listed" "$tables"

empty "each has a .c beside it, which makes it its own, and no other does" "$(
    for table in $tables; do
        users=$(grep -lxF "#define STATEMENTS \"${table#lib/}\"" -r lib cgi-bin bin)
        [ "$users" = "${table%.def}.c" ] || echo "$table is used by: $users"
    done
)"
# The engine asks the server about itself when it connects, before any statement is prepared.
empty "SQL stands nowhere else" "$(
    grep -nE '"(SELECT|INSERT|REPLACE|UPDATE|DELETE|CALL|TRUNCATE) ' -r lib cgi-bin bin --include='*.c' | grep -v '^lib/db/server\.c:[0-9]*:.*"SELECT '
)"
empty "every statement is used beside its table" "$(
    for table in $tables; do
        sed -n 's/^ *STMT(\([a-z_]*\),.*/\1/p' "$table" | while read -r name; do
            grep -qE "\b(DB|STMT|RISK)_[A-Z_]*\([^;]*\b$name\b" <(tr '\n' ' ' <"${table%.def}.c") || echo "$table: $name"
        done
    done
)"

# statements: "name: SQL", a line each, macros expanded
statements=$(printf '#define ROW(...)\n#define STMT(name, scope, parameters, row, sql) @@name: sql\n#include "store/statements.def"\n' |
    gcc -E -P -x c -Ilib - | tr '\n' ' ' | sed 's/@@/\n/g' | sed 's/" *"//g; s/  */ /g; s/[;"]//g')
ok "statements were found" [ "$(grep -c : <<<"$statements")" -gt 100 ]

# misnamed: "name: column = :parameter" of parameters that another column is set to or compared with.
misnamed=$(grep -oE '^[a-z_]+:|\b[a-z_]+ = :[a-z_]+' <<<"$statements" | awk '
    / = / { column = $1; parameter = substr($3, 2); sub(/^(before|since)_/, "", parameter)
            if (column == "tenant_id") column = "tenant"
            if (column != parameter) print statement, $0
            next }
    { statement = $1 }')
empty "a parameter has the name of its column" "$misnamed"
misplaced=$(sed -nE 's/^([a-z_]+): INSERT INTO [a-z_]+ \(([^)]*)\) (SELECT|VALUES \() ?(.*)$/\1|\2|\4/p' <<<"$statements" |
    awk -F'|' '{ columns = split($2, column, ", *"); split($3, item, ", *")
        for (i = 1; i <= columns; i++) {
            if (item[i] !~ /^:[a-z_]+$/) continue
            if (column[i] == "tenant_id") column[i] = "tenant"
            if (item[i] != ":" column[i]) print $1 ": " item[i] " becomes " column[i] } }')
empty "and stands in its place" "$misplaced"
done_testing
