/* schedule: when a delivery is tried again. */
#include "deliver/schedule.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static void delays_grow_and_end(void **state)
{
    static const struct {
        int64_t attempts, retry_after_ms;
        uint32_t random;
        int64_t want;
    } rows[] = {
        {0, 0, 0, 5000},
        {1, 0, 0, 5000},
        {1, 0, UINT32_MAX, 5500},
        {1, 5200, 0, 5200},
        {1, 7000, UINT32_MAX, 7000},
        {2, 7000, 0, 30000},
        {2, -5, 0, 30000},
        {3, 0, 0, 120000},
        {4, 0, 0, 600000},
        {5, 0, 0, 1800000},
        {6, 0, 0, 7200000},
        {7, 0, 0, 21600000},
        {8, 0, 0, 43200000},
        {8, 0, UINT32_MAX, 47520000},
        {8, INT64_MAX, 0, 86400000},
        {9, 0, 0, SCHEDULE_GIVE_UP},
        {9, 7000, 0, SCHEDULE_GIVE_UP},
        {INT64_MAX, 0, 0, SCHEDULE_GIVE_UP},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        print_message("# attempt %d\n", (int)rows[i].attempts);
        assert_true(schedule_delay_ms(rows[i].attempts, rows[i].retry_after_ms, rows[i].random) ==
                    rows[i].want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(delays_grow_and_end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
