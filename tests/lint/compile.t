#!/bin/bash
# What the build does not see: clang's warnings, and headers that need another one before them.
# CFLAGS comes from the Makefile (make lint).
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
: "${CFLAGS:=-std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -Ilib -include lib/base/banned.h}"
export CFLAGS

by_clang=$(git ls-files '*.c' | xargs -P "$(nproc)" -n 16 bash -c 'clang $CFLAGS -fsyntax-only "$@" 2>&1' _)
empty "clang warns of nothing" "$by_clang"

alone() {
    for header; do
        # shellcheck disable=SC2086 # a list
        echo "#include \"$header\"" | gcc $CFLAGS -I. -fsyntax-only -x c - 2>&1 | sed "s|^|$header: |"
    done
}
export -f alone
empty "every header compiles alone" "$(git ls-files '*.h' | xargs -P "$(nproc)" -n 16 bash -c 'alone "$@"' _)"

# The parameters of a statement: what does not belong is refused, and what does is not.
refused() {
    # shellcheck disable=SC2086 # a list
    printf '#include "store/tenant.h"\nstruct slots { struct str plan; int64_t clusters; };\n#define STATEMENTS "store/tenant.def"\n#include "db/statements.inc"\nvoid f(struct db *db, struct arena *arena, struct slots **slots, struct plan **plan);\nvoid f(struct db *db, struct arena *arena, struct slots **slots, struct plan **plan) { (void)arena; (void)slots; (void)plan; (void)%s; }\n' "$1" |
        if gcc $CFLAGS -fsyntax-only -x c - 2>/dev/null; then echo "compiles: $1"; else echo "refused: $1"; fi
}
insert='DB_RUN(db, tenant_insert, .company = STR("a"), .plan = STR("b"), .created_at'
compiles=$(refused "$insert = 1)" && refused 'DB_RUN(db, tenant_take_slot)' && refused 'DB_ROW(db, arena, slots, tenant_slots)')
empty "parameters by name compile" "$(grep refused <<<"$compiles")"
empty "one that is missing, unknown, there twice or of another type does not, nor another row" "$({
    refused 'DB_RUN(db, tenant_insert, .company = STR("a"), .created_at = 1)'
    refused "$insert = 1, .clusters = 1)"
    refused "$insert = 1, .created_at = 1)"
    refused "$insert = STR(\"c\"))"
    refused 'DB_RUN(db, tenant_take_slot, 1)'
    refused 'DB_ROW(db, arena, plan, tenant_slots)'
} | grep compiles)"
done_testing
