/* The ledger's properties, on random findings: sums, bounds, monotony, order, doubling. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "score/ledger.h" /* before cmocka.h, whose fail() would hide ours */

#include <cmocka.h>

enum { ROUNDS = 200, OBJECTS_MAX = 40 };

static uint64_t seed;

static uint32_t pick(uint32_t below)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % below;
}

static struct findings *empty(struct arena *arena, uint32_t objects)
{
    struct findings *f = ARENA_NEW(arena, struct findings);
    f->checks = ARENA_ARRAY(arena, CHECK_COUNT, struct check_result);
    for (int c = 0; c < CHECK_COUNT; c++) {
        f->checks[c].evaluated = objects;
        f->cause_evaluated[checks[c].cause] = objects;
    }
    return f;
}

/* Random findings over `objects` objects, each of them `copies` times; all checks evaluated on all.
 */
static struct findings *make(struct arena *arena, uint32_t objects, uint32_t copies)
{
    struct findings *f = empty(arena, objects * copies);
    struct object *all = ARENA_ARRAY(arena, (size_t)objects * copies, struct object);
    uint32_t density = pick(100);
    f->items = ARENA_ARRAY(arena, (size_t)objects * CHECK_COUNT * copies, struct finding);
    for (uint32_t i = 0; i < objects * copies; i++)
        all[i] = (struct object){.kind_name = STR("Deployment"),
                                 .meta.name = arena_printf(arena, "app-%u", i)};
    for (uint32_t at = 0; at < objects * CHECK_COUNT; at++) {
        const struct check *check = &checks[at / objects];
        enum severity severity = pick(8) ? check->severity : (enum severity)pick(4);
        bool fails = pick(100) < density / (1 + pick(8)), exempt = pick(20) == 0;
        for (uint32_t copy = 0; fails && copy < copies; copy++) {
            uint32_t ordinal = copy * objects + at % objects;
            f->items[f->n++] = (struct finding){.check = check,
                                                .object = &all[ordinal],
                                                .ordinal = ordinal,
                                                .severity = severity,
                                                .message = STR("x."),
                                                .count = 1,
                                                .exempt = exempt};
        }
    }
    return f;
}

static struct findings *copy_of(struct arena *arena, const struct findings *from)
{
    struct findings *f = ARENA_NEW(arena, struct findings);
    *f = *from;
    f->items = ARENA_ARRAY(arena, from->n, struct finding);
    for (uint32_t i = 0; i < from->n; i++)
        f->items[i] = from->items[i];
    return f;
}

static void each_round(void (*test)(struct arena *arena))
{
    for (uint64_t round = 1; round <= ROUNDS; round++) {
        struct arena *arena = arena_new(SIZE_MAX / 2);
        seed = round;
        test(arena);
        arena_free(arena);
    }
}

static void sums(struct arena *arena)
{
    struct ledger *ledger = ledger_build(arena, make(arena, 1 + pick(OBJECTS_MAX), 1));
    uint32_t impacts[CATEGORY_COUNT] = {0}, total = 0;
    for (uint32_t i = 0; i < ledger->risks.n; i++) {
        const struct risk *risk = &ledger->risks.items[i];
        impacts[risk->check->category] += risk->impact;
        if (risk->exempt || risk->absorbed_by)
            assert_int_equal(risk->impact, 0);
    }
    for (int c = 0; c < CATEGORY_COUNT; c++) {
        assert_int_equal(impacts[c], ledger->categories[c].lost);
        assert_true(ledger->categories[c].lost <= ledger->categories[c].budget);
        total += impacts[c];
    }
    assert_int_equal(ledger->score_exact, 10000 - total);
    assert_in_range(ledger->csc_score, 0, 100);
    assert_int_equal(ledger->csc_score, (ledger->score_exact + 50) / 100);
}

static void impacts_sum_to_losses_and_losses_to_the_score(void **state)
{
    (void)state;
    each_round(sums);
}

static void mend(struct arena *arena)
{
    struct findings *all = make(arena, 1 + pick(OBJECTS_MAX), 1);
    uint32_t before = ledger_build(arena, copy_of(arena, all))->score_exact;
    for (int tries = 0; all->n && tries < 20; tries++) {
        struct findings *fewer = copy_of(arena, all);
        uint32_t mended = pick(all->n);
        fewer->items[mended] = fewer->items[--fewer->n];
        assert_true(ledger_build(arena, fewer)->score_exact >= before);
    }
}

static void mending_one_finding_never_lowers_the_score(void **state)
{
    (void)state;
    each_round(mend);
}

static void shuffle(struct arena *arena)
{
    struct findings *one = make(arena, 1 + pick(OBJECTS_MAX), 1), *two = copy_of(arena, one);
    for (uint32_t i = two->n; i > 1; i--) {
        struct finding *a = &two->items[i - 1], *b = &two->items[pick(i)], keep = *a;
        *a = *b;
        *b = keep;
    }
    struct ledger *x = ledger_build(arena, one), *y = ledger_build(arena, two);
    /* Sums of doubles in another order may differ in their last bit. */
    assert_in_range(x->score_exact + 1 - y->score_exact, 0, 2);
}

static void order_of_findings_does_not_matter(void **state)
{
    (void)state;
    each_round(shuffle);
}

static void twice(struct arena *arena)
{
    uint32_t objects = 1 + pick(OBJECTS_MAX);
    uint64_t start = seed;
    struct ledger *once = ledger_build(arena, make(arena, objects, 1));
    seed = start;
    struct ledger *doubled = ledger_build(arena, make(arena, objects, 2));
    for (int c = 0; c < CATEGORY_COUNT; c++)
        assert_in_range(once->categories[c].lost + 2 - doubled->categories[c].lost, 0, 4);
}

static void doubling_every_object_changes_nothing(void **state)
{
    (void)state;
    each_round(twice);
}

/* One object among n fails one check: the loss of the cluster, in hundredths. */
static uint32_t loss_of_one(struct arena *arena, const char *check_id, uint32_t n)
{
    const struct check *check = check_find(str_of(check_id));
    assert_non_null(check);
    struct object object = {.kind_name = STR("Deployment"), .meta.name = STR("api")};
    struct finding finding = {
        .check = check, .object = &object, .severity = check->severity, .count = 1};
    struct findings *f = empty(arena, n);
    f->items = &finding;
    f->n = 1;
    return 10000 - ledger_build(arena, f)->score_exact;
}

/* The formula, by hand: 32 / sqrt(500) = 1.4311; 28 * (1 - exp(-1.4311 / 28)) = 1.3951. */
static void figures_computed_by_hand(void **state)
{
    (void)state;
    struct arena *arena = arena_new(SIZE_MAX / 2);
    assert_int_equal(loss_of_one(arena, "container-crash-loop", 500), 140);
    assert_int_equal(loss_of_one(arena, "container-crash-loop", 1), 1907);
    assert_int_equal(loss_of_one(arena, "privileged-container", 4), 242);
    assert_int_equal(loss_of_one(arena, "node-not-ready", 3), 1027);
    assert_int_equal(loss_of_one(arena, "rollout-stalled", 9), 458);
    arena_free(arena);
}

static void causes_are_of_one_kind(void **state)
{
    const struct check *first[CAUSE_COUNT] = {NULL};
    (void)state;
    for (int i = 0; i < CHECK_COUNT; i++) {
        const struct check *check = &checks[i], **one = &first[check->cause];
        *one = *one ? *one : check;
        if (check->cause == CAUSE_none)
            continue;
        if (check->category != (*one)->category || check->subject != (*one)->subject)
            fail_msg("%s and %s share a cause", check->id, (*one)->id);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(causes_are_of_one_kind),
        cmocka_unit_test(impacts_sum_to_losses_and_losses_to_the_score),
        cmocka_unit_test(mending_one_finding_never_lowers_the_score),
        cmocka_unit_test(order_of_findings_does_not_matter),
        cmocka_unit_test(doubling_every_object_changes_nothing),
        cmocka_unit_test(figures_computed_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
