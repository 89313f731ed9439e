/* Which of many refusals are told in the audit trail. */
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#include "scratch.h"
#include "web/audit_trail.h"

static void the_first_ten_and_powers_of_ten(void **state)
{
    static const struct {
        int64_t n;
        bool told;
    } rows[] = {{1, true},     {2, true},       {10, true},       {11, false},       {19, false},
                {20, false},   {90, false},     {99, false},      {100, true},       {101, false},
                {110, false},  {200, false},    {1000, true},     {1001, false},     {2000, false},
                {10000, true}, {1000000, true}, {1000001, false}, {INT64_MAX, false}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        if (audit_refusal_counts(rows[i].n) != rows[i].told)
            fail_msg("%lld", (long long)rows[i].n);
}

/* However many there are, an hour of one address has few entries. */
static void there_are_few(void **state)
{
    int told = 0;
    (void)state;
    for (int64_t n = 1; n <= 1000000; n++)
        told += audit_refusal_counts(n);
    assert_int_equal(told, 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_ten_and_powers_of_ten),
        cmocka_unit_test(there_are_few),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
