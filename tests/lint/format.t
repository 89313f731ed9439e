#!/bin/bash
# How the sources and the tables are laid out.
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
. tests/lint/unchanged.sh

unformatted() {
    clang-format --dry-run "$@" 2>&1 | sed -n 's/^\([^:]*\):[0-9]*:[0-9]*: warning.*/\1/p' | sort -u
    printf '%s: .clang-format\n' "$@" >&3
}

misguarded() {
    local file guard
    for file; do
        guard=${file#lib/} guard=${guard//[\/.]/_}
        guard=LOADLINE_${guard^^}
        grep -q "^#ifndef $guard\$" "$file" || echo "$file should have the guard $guard"
    done
}

# Tables: a legend that shows the form of each macro's rows, or names the header that does; rows below a
# heading stand in its columns; no line is longer than 210.
untidy() {
    local table macro legend
    for table; do
        [[ $(head -n 1 "$table") == "/* "* ]] || echo "$table begins without a legend"
        legend=$(sed -n '1s/.*the words are those of \([a-z/]*\.h\).*/lib\/\1/p' "$table")
        printf '%s: %s\n' "$table" "$legend" >&3
        sed -n 's/^\([A-Z]*\)(.*/\1/p' "$table" | sort -u | while read -r macro; do
            grep -q "^ \* $macro([A-Za-z]" "${legend:-$table}" || echo "$table: the legend has no $macro(...)"
        done
    done
    awk 'function columns(row,    c, i, depth, quoted, wanted, list) {
             wanted = 1
             for (i = index(row, "(") + 1; i <= length(row); i++) {
                 c = substr(row, i, 1)
                 if (wanted && c != " ") { list = list " " i; wanted = 0 }
                 if (quoted) { if (c == "\\") i++; else if (c == "\"") quoted = 0 }
                 else if (c == "\"") quoted = 1
                 else if (c == "(") depth++
                 else if (c == ")" && --depth < 0) break
                 else if (c == "," && !depth) wanted = 1
             }
             return list
         }
         FNR == 1 || /^$/ { tidy = above = "" }
         /^\/\*   +[a-zA-Z]+  .*\*\/$/ { tidy = 1; above = ""; next }
         tidy && /^[A-Z]+\(.*\)$/ {
             if (above && columns($0) != above) print FILENAME ":" FNR ": not in the columns of the row above"
             above = columns($0)
         }
         length > 210 { print FILENAME ":" FNR ": longer than 210" }' "$@"
}

mapfile -t sources < <(git ls-files '*.c' '*.h')
mapfile -t headers < <(git ls-files 'lib/*.h')
mapfile -t tables < <(git ls-files '*.def')
each "clang-format leaves every file as it is" clang-format unformatted "${sources[@]}"
each "include guards are named after their files" bash misguarded "${headers[@]}"
each "tables have legends and columns" awk untidy "${tables[@]}"

# editor SECTION KEY: what .editorconfig says of it.
editor() {
    sed -n "/^\[$1\]/,/^\[/s/^$2 = //p" .editorconfig
}
clang() {
    sed -n "s/^$1: //p" .clang-format
}
is "editors indent as clang-format does" "$(editor '\*' indent_size)" "$(clang IndentWidth)"
is "and know its longest line" "$(editor '\*.{c,h}' max_line_length)" "$(clang ColumnLimit)"

# What the legend on top of the Makefile calls a target, make knows, and the other way round. Some are
# parts of others.
targets=$(sed -n 's/^\.PHONY: //p' Makefile | tr ' ' '\n' | grep -vxE 'all|packages|fuzz-targets|stack|(e2e|browser)-(short|long)|(page-)?behind-[a-z]+' | sort)
shown=$(make -s help | grep -oE '\bmake [a-z][a-z0-9-]*' | sed 's/make //' | sort -u)
is "make help shows every target" "$shown" "$targets"
done_testing
