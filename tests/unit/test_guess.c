/* guess: how long an account waits after wrong passwords. */
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#include "web/guess.h"

static void waits_double_up_to_a_quarter_of_an_hour(void **state)
{
    (void)state;
    static const struct {
        int64_t wrong, limit, seconds;
    } rows[] = {
        {0, 10, 0},         {9, 10, 0},           {10, 10, 1},   {11, 10, 2},   {12, 10, 4},
        {19, 10, 512},      {20, 10, 900},        {29, 10, 900}, {30, 10, 900}, {31, 10, 900},
        {1000000, 10, 900}, {INT64_MAX, 10, 900}, {0, 1, 0},     {1, 1, 1},     {INT64_MAX, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(guess_wait(rows[i].wrong, rows[i].limit), rows[i].seconds * 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waits_double_up_to_a_quarter_of_an_hour),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
