#!/bin/bash
# What the build does not see: clang's warnings, and headers that need another one before them.
# CFLAGS comes from the Makefile (make lint).
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
. tests/lint/unchanged.sh
: "${CFLAGS:=-std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -Ilib -include lib/base/banned.h}"
export CFLAGS

# Most of clang's time is its start: one compiler, called as clang would call it, takes all files. Each counts as read with
# what any of them includes.
warnings() {
    local cc1 flags included
    included=$(mktemp)
    read -ra flags <<<"$CFLAGS"
    eval "cc1=($(clang "${flags[@]}" -### -fsyntax-only "$1" 2>&1 | tail -n 1))"
    unset 'cc1[-1]'
    "${cc1[@]}" -header-include-file "$included" "$@" 2>&1
    printf "%s: $(grep -v '^/' "$included" | sort -u | tr '\n' ' ')\n" "$@" >&3
    rm "$included"
}

# later: headers that no .c begins with. The others stand alone in the build, and in clang's eyes above.
later() {
    comm -23 <(git ls-files '*.h' | sort) <(
        git ls-files '*.c' | xargs -d '\n' awk '
            FNR == 1 { begins = 1 }
            begins && /^#include "/ {
                split($0, part, "\""); path = FILENAME; sub(/[^\/]*$/, "", path); path = path part[2]
                if ((getline ignored < path) < 0) path = "lib/" part[2]
                print path; close(path)
            }
            /^[^ *\/]/ { begins = 0 }' | sort -u
    )
}

alone() {
    local header rules flags n=0
    rules=$(mktemp -d)
    read -ra flags <<<"$CFLAGS"
    for header; do
        n=$((n + 1))
        gcc "${flags[@]}" -I. -fsyntax-only -MMD -MF "$rules/$n" -MT "$header" -x c - 2>&1 <<<"#include \"$header\"" |
            sed "s|^|$header: |"
    done
    cat "$rules"/* >&3
    rm -r "$rules"
}

# What the parameters of a statement are told by compiles when it belongs there, and only then.
parameters() {
    local flags code='#include "store/tenant.h"
struct slots { struct str plan; int64_t clusters; };
struct company { struct str name; };
#define STATEMENTS "store/tenant.def"
#include "db/statements.inc"
extern struct db *db;
extern struct arena *arena;
extern struct slots **slots;
extern struct plan **plan;
void f(void);
void f(void) { (void)'
    read -ra flags <<<"$CFLAGS"
    compiles() {
        gcc "${flags[@]}" -fsyntax-only "${@:2}" -x c - 2>/dev/null <<<"$code$1; }"
    }
    local insert='DB_RUN(db, tenant_insert, .company = STR("a"), .plan = STR("b"), .created_at'
    compiles "$insert = 1)" -MMD -MF /dev/fd/3 -MT "$1" || echo "it is refused: $insert = 1)"
    for call in 'DB_RUN(db, tenant_take_slot)' 'DB_ROW(db, arena, slots, tenant_slots)'; do
        compiles "$call" || echo "it is refused: $call"
    done
    for call in 'DB_RUN(db, tenant_insert, .company = STR("a"), .created_at = 1)' "$insert = 1, .clusters = 1)" \
        "$insert = 1, .created_at = 1)" "$insert = STR(\"c\"))" 'DB_RUN(db, tenant_take_slot, 1)' \
        'DB_ROW(db, arena, plan, tenant_slots)'; do
        ! compiles "$call" || echo "it compiles: $call"
    done
}

mapfile -t sources < <(git ls-files '*.c')
mapfile -t headers < <(later)
each "clang warns of nothing" clang warnings "${sources[@]}"
each "every header compiles alone, also those that no file begins with" gcc alone "${headers[@]}"
each "a statement takes its own parameters and row, each once and of its type, and nothing else" gcc parameters \
    lib/store/tenant.def
done_testing
