/* Parts are whole, and add up. */
#include "score/apportion.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "scratch.h"

enum { PORTIONS_MAX = 6, MANY = 5000 };

static void by_largest_remainder(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t total, n;
        struct portion portions[PORTIONS_MAX];
        uint32_t expected[PORTIONS_MAX];
    } rows[] = {
        {"nobody", 100, 0, {{0, 0, 0}}, {0}},
        {"nothing for one", 0, 1, {{1, 1, 7}}, {0}},
        {"all for one", 100, 1, {{.weight = 1e-300}}, {100}},
        {"nobody has weight", 100, 2, {{0, 1, 7}, {0, 2, 7}}, {0, 0}},
        {"who has no weight gets nothing", 1, 3, {{0, 0, 0}, {1, 2, 0}, {0, 1, 0}}, {0, 1, 0}},
        {"halves", 100, 2, {{3, 1, 0}, {3, 2, 0}}, {50, 50}},
        {"the odd one goes to the lower key", 101, 2, {{3, 2, 0}, {3, 1, 0}}, {50, 51}},
        {"... of equal keys, to the first", 101, 2, {{3, 1, 0}, {3, 1, 0}}, {51, 50}},
        {"... wherever it stands", 1, 3, {{1, 9, 0}, {1, 3, 0}, {1, 5, 0}}, {0, 1, 0}},
        {"the larger remainder before the lower key",
         10,
         3,
         {{1, 0, 0}, {1, 1, 0}, {4, 9, 0}}, /* 1.67, 1.67, 6.67 */
         {2, 2, 6}},
        {"less than one each", 2, 4, {{1, 4, 0}, {1, 3, 0}, {1, 2, 0}, {1, 1, 0}}, {0, 0, 1, 1}},
        {"a key above 32 bits",
         1,
         2,
         {{1, UINT64_C(1) << 32, 0}, {1, UINT64_C(0xffffffff), 0}},
         {0, 1}},
        {"weights far apart", 10000, 2, {{1e-12, 1, 0}, {1e12, 2, 0}}, {0, 10000}},
        {"the most there is", UINT32_MAX, 2, {{1, 1, 0}, {1, 2, 0}}, {0x80000000, 0x7fffffff}},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct portion portions[PORTIONS_MAX];
        memcpy(portions, rows[i].portions, sizeof portions);
        apportion(arena, rows[i].total, portions, rows[i].n);
        for (uint32_t n = 0; n < rows[i].n; n++)
            if (portions[n].part != rows[i].expected[n])
                fail_msg("%s: number %u gets %u, should get %u", rows[i].name, n, portions[n].part,
                         rows[i].expected[n]);
    }
}

static uint64_t seed = 1;

static uint32_t pick(uint32_t below)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % below;
}

static void parts_add_up(void **state)
{
    (void)state;
    struct portion *portions = ARENA_ARRAY(arena, MANY, struct portion);
    for (uint32_t round = 0; round < 200; round++) {
        uint32_t n = 1 + pick(MANY), total = pick(10001), given = 0;
        double sum = 0;
        for (uint32_t i = 0; i < n; i++) {
            portions[i] = (struct portion){pick(3) ? pick(1000) / 7.0 : 0, pick(100), 99};
            sum += portions[i].weight;
        }
        apportion(arena, total, portions, n);
        for (uint32_t i = 0; i < n; i++) {
            double exact = sum > 0 ? total * portions[i].weight / sum : 0;
            assert_true(portions[i].part < exact + 1 && portions[i].part > exact - 1);
            given += portions[i].part;
        }
        assert_int_equal(given, sum > 0 ? total : 0);
    }
}

/* Who weighs more never gets less. */
static void more_weight_more_part(void **state)
{
    (void)state;
    struct portion portions[60];
    for (uint32_t round = 0; round < 200; round++) {
        for (size_t i = 0; i < COUNT(portions); i++)
            portions[i] = (struct portion){pick(50) / 3.0, pick(1000), 0};
        apportion(arena, pick(200), portions, COUNT(portions));
        for (size_t i = 0; i < COUNT(portions); i++)
            for (size_t j = 0; j < COUNT(portions); j++)
                if (portions[i].weight > portions[j].weight)
                    assert_true(portions[i].part + 1 > portions[j].part);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_largest_remainder),
        cmocka_unit_test(parts_add_up),
        cmocka_unit_test(more_weight_more_part),
    };
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
