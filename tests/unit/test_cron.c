#include "kube/cron.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define M            INT64_C(60000)
#define H            (60 * M)
#define D            (24 * H)

static void longest_gap(void **state)
{
    static const struct {
        const char *schedule;
        int64_t gap;
    } rows[] = {
        {"* * * * *", M},
        {"*/5 * * * *", 5 * M},
        {"*/7 * * * *", 7 * M}, /* the last gap of an hour is shorter */
        {"*/45 * * * *", 45 * M},
        {"3/20 * * * *", 20 * M},
        {"0 * * * *", H},
        {"0,30 * * * *", 30 * M},
        {"10 0-6,20-22 * * *", 14 * H},
        {"0 3 * * *", D},
        {"0 3,4 * * *", 23 * H},
        {"0 9 * * 1-5", 3 * D}, /* over the week-end */
        {"0 9 * * MON-fri", 3 * D},
        {"0 9-17 * * 1-5", 2 * D + 16 * H},
        {"0 0 * * 0", 7 * D},
        {"0 0 1 * *", 31 * D},
        {"0 0 31 * *", 61 * D}, /* a month of 30 days between */
        {"0 0 1 1 *", 366 * D},
        {"0 0 29 2 *", 1461 * D},
        {"0 0 1,15 * *", 17 * D},
        {"0 0 1 * 1", 7 * D},   /* two fields of days: either will do */
        {"0 0 */2 * 1", 2 * D}, /* a step is no star: either will do */
        {"0 0 ? * 1", 7 * D},
        {"0 0 * JAN,Jul *", 154 * D},
        {"TZ=Europe/Berlin 0 3 * * *", D},
        {"CRON_TZ=UTC 0 3 * * *", D},
        {"  0  3 * *  * ", D},
        {"@hourly", H},
        {"@daily", D},
        {"@midnight", D},
        {"@weekly", 7 * D},
        {"@monthly", 31 * D},
        {"@yearly", 366 * D},
        {"@every 90s", 90000},
        {"@every 1h30m", 90 * M},
        {"", CRON_UNKNOWN},
        {"* * * *", CRON_UNKNOWN},
        {"* * * * * *", CRON_UNKNOWN},
        {"60 * * * *", CRON_UNKNOWN},
        {"* 24 * * *", CRON_UNKNOWN},
        {"* * 0 * *", CRON_UNKNOWN},
        {"* * * 13 *", CRON_UNKNOWN},
        {"* * * * 7", CRON_UNKNOWN},
        {"5-1 * * * *", CRON_UNKNOWN},
        {"*/0 * * * *", CRON_UNKNOWN},
        {"x * * * *", CRON_UNKNOWN},
        {"-1 * * * *", CRON_UNKNOWN},
        {"99999999999999999999 * * * *", CRON_UNKNOWN},
        {"*/99999999999999 * * * *", H}, /* only the first minute */
        {"0 0 30 2 *", CRON_NEVER},
        {"0 0 31 2,4,6 *", CRON_NEVER},
        {"0\t3\t*\t*\t*", D},
        {"0 \t 3\t\t* *\t*\t", D},
        {"0\t3\t*\t*", CRON_UNKNOWN},
        {"@reboot", CRON_UNKNOWN},
        {"@every", CRON_UNKNOWN},
        {"@every 5", CRON_UNKNOWN},
        {"@every 0s", CRON_UNKNOWN},
        {"@every 5x", CRON_UNKNOWN},
        {"@every 99999999999999999999h", CRON_UNKNOWN},
        {"@every 1000000000h", 1000000000 * H},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        if (cron_longest_gap(str_of(rows[i].schedule)) != rows[i].gap)
            fail_msg("\"%s\": %lld, expected %lld", rows[i].schedule,
                     (long long)cron_longest_gap(str_of(rows[i].schedule)), (long long)rows[i].gap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(longest_gap)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
