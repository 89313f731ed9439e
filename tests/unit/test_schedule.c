/* schedule: when a delivery is tried again. */
#include "deliver/schedule.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static void delays_grow_and_end(void **state)
{
    static const struct {
        int64_t attempts;
        int status;
        int64_t retry_after_ms;
        uint32_t random;
        int64_t want;
    } rows[] = {
        {0, 500, 0, 0, 5000},
        {1, 500, 0, 0, 5000},
        {1, 500, 0, UINT32_MAX, 5500},
        {1, 500, 5200, 0, 5200},
        {1, 500, 7000, UINT32_MAX, 7000},
        {2, 500, 7000, 0, 30000},
        {2, 500, -5, 0, 30000},
        {3, 500, 0, 0, 120000},
        {4, 500, 0, 0, 600000},
        {5, 500, 0, 0, 1800000},
        {6, 500, 0, 0, 7200000},
        {7, 500, 0, 0, 21600000},
        {8, 500, 0, 0, 43200000},
        {8, 500, 0, UINT32_MAX, 47520000},
        {8, 500, INT64_MAX, 0, 86400000},
        {9, 500, 0, 0, SCHEDULE_GIVE_UP},
        {9, 500, 7000, 0, SCHEDULE_GIVE_UP},
        {2, 400, 0, 0, 30000},
        {3, 400, 0, 0, SCHEDULE_GIVE_UP},
        {3, 499, 7000, 0, SCHEDULE_GIVE_UP},
        {7, 404, 0, 0, SCHEDULE_GIVE_UP},
        {3, 399, 0, 0, 120000},
        {3, 408, 0, 0, 120000},
        {3, 425, 0, 0, 120000},
        {3, 429, 0, 0, 120000},
        {3, 0, 0, 0, 120000},
        {INT64_MAX, 500, 0, 0, SCHEDULE_GIVE_UP},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        print_message("# attempt %d\n", (int)rows[i].attempts);
        assert_true(schedule_delay_ms(rows[i].attempts, rows[i].status, rows[i].retry_after_ms,
                                      rows[i].random) == rows[i].want);
    }
}

static void what_could_not_be_tried_waits_for_a_day(void **state)
{
    (void)state;
    assert_true(schedule_unmade_delay_ms(-5) == 30000);
    assert_true(schedule_unmade_delay_ms(0) == 30000);
    assert_true(schedule_unmade_delay_ms(24 * 3600 * 1000 - 1) == 30000);
    assert_true(schedule_unmade_delay_ms(24 * 3600 * 1000) == SCHEDULE_GIVE_UP);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(delays_grow_and_end),
                                       cmocka_unit_test(what_could_not_be_tried_waits_for_a_day)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
