/* A ledger of few risks by name adds up to the same score as all of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "score/exemption.h"
#include "score/fold.h" /* before cmocka.h, whose fail() would hide ours */
#include "score/impacts.h"
#include "store/quota.h"

#include <cmocka.h>

enum { N = 300 };

/* Of two checks in turn; the costliest first. */
static struct ledger *make(struct arena *arena)
{
    struct ledger *ledger = ARENA_NEW(arena, struct ledger);
    ledger->score_exact = SCORE_EXACT_MAX;
    LIST_RESERVE(arena, ledger->risks, N);
    for (uint32_t i = 0; i < N; i++) {
        struct risk risk = {.check = &checks[i % 2],
                            .severity = i % 4 < 2 ? SEVERITY_LOW : SEVERITY_HIGH,
                            .namespace = STR("n"),
                            .resource = arena_printf(arena, "pod/p-%u", i),
                            .count = 1,
                            .impact = i < N / 2 ? 9 : i < N - 10,
                            .exempt = i >= N - 2,
                            .exempt_reason = i >= N - 2 ? STR("because") : (struct str){0}};
        risk_identify(&risk);
        ledger->categories[risk.check->category].lost += risk.impact;
        ledger->score_exact -= risk.impact;
        LIST_PUT(ledger->risks, risk);
    }
    return ledger;
}

static void nothing_is_lost(void **state)
{
    (void)state;
    struct arena *arena = arena_new(SIZE_MAX / 2);
    const struct ledger *ledger = make(arena);
    assert_ptr_equal(ledger_fold(arena, ledger, N), ledger);
    assert_ptr_equal(ledger_fold(arena, ledger, N + 1), ledger);
    for (uint32_t named = 0; named < N; named++) {
        const struct ledger *folded = ledger_fold(arena, ledger, named);
        struct impacts all = impacts_of(arena, ledger), few = impacts_of(arena, folded);
        uint32_t count = 0, points = 0;
        for (uint32_t i = 0; i < folded->risks.n; i++) {
            count += folded->risks.items[i].count;
            points += folded->risks.items[i].impact;
            if (i < named)
                assert_string_equal(folded->risks.items[i].id, ledger->risks.items[i].id);
        }
        assert_int_equal(count, N);
        assert_int_equal(points, SCORE_EXACT_MAX - ledger->score_exact);
        assert_in_range(folded->risks.n, named + 1, named + 2);
        assert_int_equal(few.items.n, folded->risks.n); /* each id once */
        assert_int_equal(impacts_score(&all), impacts_score(&few));
    }
    arena_free(arena);
}

static void the_others_are_one_of_each_check(void **state)
{
    (void)state;
    struct arena *arena = arena_new(SIZE_MAX / 2);
    const struct ledger *folded = ledger_fold(arena, make(arena), 100);
    const struct risk *first = &folded->risks.items[100], *second = &folded->risks.items[101];
    assert_int_equal(folded->risks.n, 102);
    assert_ptr_equal(first->check, &checks[0]);
    assert_ptr_equal(second->check, &checks[1]);
    assert_true(str_eq(first->resource, STR(FOLD_RESOURCE)) && first->namespace.n == 0);
    assert_int_equal(first->severity, SEVERITY_HIGH); /* the most severe */
    assert_int_equal(first->count, 100);
    assert_non_null(strstr(first->message.p, "100 more objects"));
    assert_false(first->exempt);
    /* only what is exempt is left */
    folded = ledger_fold(arena, make(arena), N - 2);
    assert_true(folded->risks.items[N - 2].exempt && folded->risks.items[N - 2].impact == 0);
    arena_free(arena);
}

/* What would cost much stays by name, although it costs nothing. */
static void what_is_exempt_stays(void **state)
{
    (void)state;
    static const struct exemption accepted = {.reason = STR("because")};
    static const struct {
        uint32_t exempt, named, stay;
    } rows[] = {{0, 100, 0},    {1, 100, 1}, {20, 100, 20}, {21, 100, 20},
                {200, 100, 20}, {9, 4, 0},   {200, 10, 2},  {300, 100, 100}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct arena *arena = arena_new(SIZE_MAX / 2);
        struct ledger *ledger = make(arena);
        for (uint32_t i = N - rows[k].exempt; i < N; i++) {
            struct risk *risk = &ledger->risks.items[i];
            ledger->score_exact += risk->impact;
            ledger->categories[risk->check->category].lost -= risk->impact;
            risk->impact = 0;
            risk->exempt = true;
            risk->exemption = &accepted;
            risk->would_cost = i + 1; /* the last one most */
        }
        const struct ledger *folded = ledger_fold(arena, ledger, rows[k].named);
        uint32_t stay = 0;
        for (uint32_t i = 0; i < folded->risks.n; i++) {
            const struct risk *risk = &folded->risks.items[i];
            bool is_named = !str_eq(risk->resource, STR(FOLD_RESOURCE));
            stay += is_named && risk->would_cost;
            assert_true(!risk->would_cost || risk->exempt);
            assert_int_equal(is_named, i < rows[k].named);
        }
        assert_int_equal(stay, rows[k].stay);
        if (rows[k].stay) /* the one that would cost most is among them */
            assert_string_equal(folded->risks.items[rows[k].named - 1].id,
                                ledger->risks.items[N - 1].id);
        struct impacts all = impacts_of(arena, ledger), few = impacts_of(arena, folded);
        assert_int_equal(impacts_score(&all), impacts_score(&few));
        arena_free(arena);
    }
}

static void counts_fade_as_days_pass(void **state)
{
    const int64_t day = CLOCK_DAY, rate = 1000;
    int64_t kept = 0;
    (void)state;
    for (int i = 0; i < 100; i++) /* who pushes evenly: as much as the plan keeps */
        kept = quota_aged(kept, i * day, (i + 1) * day, 7) + rate;
    assert_in_range(kept, 6 * rate, 7 * rate);
    assert_int_equal(quota_aged(kept, 5 * day, 6 * day - 1, 7), kept);
    assert_int_equal(quota_aged(kept, TIME_NONE, day, 7), kept);
    assert_int_equal(quota_aged(kept, 2 * day, day, 7), kept); /* a clock that went back */
    assert_int_equal(quota_aged(kept, 0, 14 * day, 7), 0);
    assert_int_equal(quota_aged(1, 0, day, 400), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_lost),
        cmocka_unit_test(the_others_are_one_of_each_check),
        cmocka_unit_test(what_is_exempt_stays),
        cmocka_unit_test(counts_fade_as_days_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
