/* Which kinds of a cluster are remembered, and for how long. */
#include "store/shown.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#include "kube/kinds.h"
#include "scratch.h"

#define BIT(kind) ((uint64_t)1 << KIND_##kind)
enum { NOW = 1000 };

static void what_a_snapshot_leaves(void **state)
{
    (void)state;
    static const struct {
        const char *kept;
        uint64_t kinds;
        int64_t time;
        uint64_t before;
        const char *after;
    } rows[] = {
        {"", 0, NOW, 0, ""},
        {"", BIT(POD) | BIT(NODE), NOW, 0, "Pod Node"},
        {"Pod Node", BIT(POD) | BIT(NODE), NOW, BIT(POD) | BIT(NODE), "Pod Node"},
        {"Pod Node", BIT(NODE), NOW, BIT(POD) | BIT(NODE), "Pod=1000 Node"},
        {"Pod=1000 Node", BIT(NODE), NOW + 1, BIT(POD) | BIT(NODE), "Pod=1000 Node"},
        {"Pod=1000 Node", BIT(NODE), NOW + SHOWN_KEPT_MS - 1, BIT(POD) | BIT(NODE),
         "Pod=1000 Node"},
        {"Pod=1000 Node", BIT(NODE), NOW + SHOWN_KEPT_MS, BIT(NODE), "Node"},
        {"Pod=1000 Node", BIT(POD) | BIT(NODE), NOW + 1, BIT(POD) | BIT(NODE), "Pod Node"},
        {"Pod=1000", BIT(POD), NOW + 2 * SHOWN_KEPT_MS, 0, "Pod"},
        /* a pause without snapshots is not a week without the kind */
        {"Pod", 0, NOW + 2 * SHOWN_KEPT_MS, BIT(POD), "Pod=1209601000"},
        /* older than what was seen last */
        {"Pod=1000", 0, 0, BIT(POD), "Pod=1000"},
        /* of another release, or damaged */
        {"Gadget Pod Gizmo=1", BIT(POD), NOW, BIT(POD), "Pod"},
        {"Node Pod", BIT(POD) | BIT(NODE), NOW, BIT(POD) | BIT(NODE), "Pod Node"},
        {"Pod=", 0, NOW, 0, ""},
        {"Pod=x Node=-1", 0, NOW, 0, ""},
        {"Pod=9223372036854775808", 0, NOW, 0, ""},
        {"=1 = pod", 0, NOW, 0, ""},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct str kept = str_of(rows[i].kept);
        struct str after = shown_after(arena, kept, rows[i].kinds, rows[i].time);
        if (shown_before(kept, rows[i].time) != rows[i].before ||
            !str_eq(after, str_of(rows[i].after)))
            fail_msg("row %zu, \"%s\": %" STR_FMT, i, rows[i].kept, STR_ARG(after));
    }
}

/* All kinds, all of them missed, fit into the column. */
static void all_kinds_are_kept(void **state)
{
    (void)state;
    struct str all = shown_after(arena, STR(""), UINT64_MAX, NOW);
    uint64_t kinds = shown_before(all, NOW);
    for (enum kind kind = KIND_NONE + 1; kind < KIND_COUNT; kind++)
        assert_true(kinds >> kind & 1);
    all = shown_after(arena, all, 0, INT64_C(1773749659000));
    assert_true(shown_before(all, INT64_C(1773749659000)) == kinds);
    assert_true(all.n < 4000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_snapshot_leaves),
        cmocka_unit_test(all_kinds_are_kept),
    };
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
