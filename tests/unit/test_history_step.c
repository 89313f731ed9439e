/* Steps of a history: what is one step, and in which order they stand. */
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#include "store/history_step.h"

#define COUNT(items) (sizeof(items) / sizeof *(items))

enum { S = 1000 };

static void starts(void **state)
{
    static const struct {
        int64_t time, unit, start;
    } rows[] = {
        {0, 300, 0}, {299, 300, 0}, {300, 300, 300}, {1000, 700, 700}, {-1, 300, -300},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_int_equal(history_step_start(rows[i].time, rows[i].unit), rows[i].start);
}

/* Steps of points, of 700 s, and behind them roll-ups of five minutes: one that begins within the
 * last step is a part of it. */
static void roll_ups_behind_points(void **state)
{
    static const int64_t times[] = {2100 * S, 1400 * S, 1400 * S, 1800 * S, 1200 * S, 600 * S};
    static const int64_t steps[] = {2100 * S, 1400 * S, 1200 * S, 600 * S};
    static const int64_t points[] = {1, 3, 1, 1};
    struct history_step items[8];
    struct history_steps taken = {.items = items, .max = COUNT(items)};
    (void)state;
    for (size_t i = 0; i < COUNT(times); i++)
        history_steps_take(&taken,
                           &(struct history_step){.time = times[i], .points = 1, .worst = 50});
    assert_int_equal(taken.n, COUNT(steps));
    for (size_t i = 0; i < taken.n; i++) {
        assert_int_equal(taken.items[i].time, steps[i]);
        assert_int_equal(taken.items[i].points, points[i]);
    }
}

static void no_more_than_fit(void **state)
{
    struct history_step items[2];
    struct history_steps taken = {.items = items, .max = COUNT(items)};
    (void)state;
    for (int64_t time = 10; time > 0; time--)
        history_steps_take(&taken, &(struct history_step){.time = time, .points = 1});
    assert_int_equal(taken.n, 2);
    assert_int_equal(taken.items[1].time, 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts),
        cmocka_unit_test(roll_ups_behind_points),
        cmocka_unit_test(no_more_than_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
