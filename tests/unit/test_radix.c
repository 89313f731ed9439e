/* A sort by numbers against one by insertion. */
#include "base/radix.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "scratch.h"

enum { ITEMS_MAX = 600, ROUNDS = 200 };

static uint64_t state_of_pick = 1;

/* 64 bits, the same in every run. */
static uint64_t pick(void)
{
    state_of_pick = state_of_pick * 6364136223846793005u + 1442695040888963407u;
    return state_of_pick ^ state_of_pick >> 29;
}

/* Stable, and too simple to be wrong. */
static void sort_by_insertion(struct radix_item *items, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        struct radix_item item = items[i];
        uint32_t at = i;
        for (; at > 0 && items[at - 1].key > item.key; at--)
            items[at] = items[at - 1];
        items[at] = item;
    }
}

static void is_sorted_like(const char *name, struct radix_item *items, uint32_t n)
{
    struct radix_item expected[ITEMS_MAX];
    if (n)
        memcpy(expected, items, n * sizeof *items);
    sort_by_insertion(expected, n);
    radix_sort(arena, items, n);
    for (uint32_t i = 0; i < n; i++)
        if (items[i].key != expected[i].key || items[i].at != expected[i].at)
            fail_msg("%s: number %u of %u is the %u. with %016llx, should be the %u. with %016llx",
                     name, i, n, items[i].at, (unsigned long long)items[i].key, expected[i].at,
                     (unsigned long long)expected[i].key);
}

static void all_shapes(void **state)
{
    (void)state;
    /* Keys of so many bits, shifted: few values are many equal ones. */
    static const struct {
        const char *name;
        unsigned bits, shift;
    } shapes[] = {
        {"all equal", 0, 0},     {"two values", 1, 0},        {"two values, at the top", 1, 63},
        {"one byte", 8, 0},      {"one byte, inside", 8, 27}, {"two bytes", 12, 4},
        {"half of them", 32, 0}, {"the upper half", 32, 32},  {"all bits", 64, 0},
    };
    for (size_t s = 0; s < COUNT(shapes); s++)
        for (uint32_t round = 0; round < ROUNDS; round++) {
            struct radix_item items[ITEMS_MAX];
            uint32_t n = round < 4 ? round : (uint32_t)(pick() % ITEMS_MAX);
            uint64_t mask = shapes[s].bits == 64 ? UINT64_MAX : (UINT64_C(1) << shapes[s].bits) - 1;
            for (uint32_t i = 0; i < n; i++)
                items[i] = (struct radix_item){(pick() & mask) << shapes[s].shift, i};
            is_sorted_like(shapes[s].name, items, n);
        }
}

static void nothing_at_all(void **state)
{
    (void)state;
    radix_sort(arena, NULL, 0);
}

static void runs(void **state)
{
    (void)state;
    static const struct radix_item items[] = {{3, 0}, {3, 1}, {3, 2}, {7, 3}, {9, 4}, {9, 5}};
    static const uint32_t expected[] = {3, 2, 1, 1, 2, 1};
    for (uint32_t i = 0; i < COUNT(items); i++)
        assert_int_equal(radix_run(&items[i], (uint32_t)COUNT(items) - i), expected[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_shapes),
        cmocka_unit_test(nothing_at_all),
        cmocka_unit_test(runs),
    };
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
