#include "base/radix.h"

enum { DIGITS = sizeof(uint64_t), DIGIT_BITS = 8, VALUES = 1 << DIGIT_BITS };

static unsigned digit_of(const struct radix_item *item, int digit)
{
    return item->key >> (digit * DIGIT_BITS) & (VALUES - 1);
}

/* From how often each value comes to where the first item of it goes. */
static void find_places(uint32_t counts[VALUES])
{
    uint32_t at = 0;
    for (int value = 0; value < VALUES; value++) {
        uint32_t count = counts[value];
        counts[value] = at;
        at += count;
    }
}

/* The bits in which keys differ. */
static uint64_t find_differences(const struct radix_item *items, uint32_t n)
{
    uint64_t differences = 0;
    for (uint32_t i = 1; i < n; i++)
        differences |= items[i].key ^ items[0].key;
    return differences;
}

void radix_sort(struct arena *arena, struct radix_item *items, uint32_t n)
{
    if (n < 2)
        return;
    struct radix_item *from = items, *to = arena_raw(arena, n * sizeof *items);
    const struct radix_item differences = {.key = find_differences(items, n)};
    for (int digit = 0; digit < DIGITS; digit++) {
        uint32_t counts[VALUES] = {0};
        if (!digit_of(&differences, digit))
            continue;
        for (uint32_t i = 0; i < n; i++)
            counts[digit_of(&from[i], digit)]++;
        find_places(counts);
        for (uint32_t i = 0; i < n; i++)
            to[counts[digit_of(&from[i], digit)]++] = from[i];
        struct radix_item *sorted = to;
        to = from;
        from = sorted;
    }
    if (from != items)
        memcpy(items, from, n * sizeof *items);
}

uint32_t radix_run(const struct radix_item *items, uint32_t n)
{
    uint32_t run = 1;
    while (run < n && items[run].key == items[0].key)
        run++;
    return run;
}
