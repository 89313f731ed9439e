#include "score/apportion.h"

#include "base/asserts.h"
#include "base/radix.h"

/* What is not negative has the order of its bits. */
static uint64_t bits_of(double number)
{
    uint64_t bits;
    assert(number >= 0);
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* Those that may still get one more. */
struct takers {
    struct portion *portions;
    struct radix_item *items;
    uint32_t n, rest; /* so many of them do, at most all */
};

enum { DIGIT_BITS = 8, DIGITS = 64 / DIGIT_BITS, VALUES = 1 << DIGIT_BITS };

static unsigned digit_of(const struct radix_item *item, int digit)
{
    return item->key >> digit * DIGIT_BITS & (VALUES - 1);
}

/* Looks at one digit: gives to those with a lower one than the last that still gets something. What
 * is left are those that have this one. */
static void give_by_digit(struct takers *takers, int digit)
{
    uint32_t counts[VALUES] = {0}, n = 0, given = 0;
    unsigned last = 0;
    for (uint32_t i = 0; i < takers->n; i++)
        counts[digit_of(&takers->items[i], digit)]++;
    for (; given + counts[last] < takers->rest; last++)
        given += counts[last];
    for (uint32_t i = 0; i < takers->n; i++) {
        unsigned value = digit_of(&takers->items[i], digit);
        if (value < last)
            takers->portions[takers->items[i].at].part++;
        else if (value == last)
            takers->items[n++] = takers->items[i];
    }
    takers->n = n;
    takers->rest -= given;
}

/* Gives to those of the lowest keys. What is left are some of equal keys, in their order: of these
 * as many as are to get it, or more. */
static void give_by_key(struct takers *takers)
{
    for (int digit = DIGITS; digit-- > 0 && takers->rest < takers->n;)
        give_by_digit(takers, digit);
}

/* `rest` of these, at most all, get one more: those of the largest remainders. */
static void give(struct portion *portions, struct radix_item *remainders, uint32_t n, uint32_t rest)
{
    struct takers takers = {portions, remainders, n, rest};
    give_by_key(&takers);
    for (uint32_t i = 0; takers.rest < takers.n && i < takers.n; i++)
        takers.items[i].key = portions[takers.items[i].at].key;
    give_by_key(&takers);
    for (uint32_t i = 0; i < takers.rest; i++)
        portions[takers.items[i].at].part++;
}

void apportion(struct arena *arena, uint32_t total, struct portion *portions, uint32_t n)
{
    struct radix_item *remainders = arena_raw(arena, n * sizeof *remainders);
    double sum = 0;
    uint32_t given = 0, taking = 0;
    for (uint32_t i = 0; i < n; i++) {
        sum += portions[i].weight;
        portions[i].part = 0;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (portions[i].weight <= 0)
            continue;
        double exact = total * (portions[i].weight / sum);
        portions[i].part = (uint32_t)exact;
        given += portions[i].part;
        /* The largest comes first. */
        remainders[taking++] = (struct radix_item){~bits_of(exact - portions[i].part), i};
    }
    while (taking && given < total) {
        uint32_t rest = total - given < taking ? total - given : taking;
        give(portions, remainders, taking, rest);
        given += rest;
    }
}
