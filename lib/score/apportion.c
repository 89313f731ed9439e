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

/* `rest` of these have equal remainders and get one more: those of the lowest keys. */
static void give_among_equals(struct arena *arena, struct portion *portions,
                              struct radix_item *equals, uint32_t n, uint32_t rest)
{
    for (uint32_t i = 0; i < n; i++)
        equals[i].key = portions[equals[i].at].key;
    radix_sort(arena, equals, n);
    for (uint32_t i = 0; i < rest; i++)
        portions[equals[i].at].part++;
}

/* `rest` of these, at most all, get one more: those of the largest remainders. */
static void give(struct arena *arena, struct portion *portions, struct radix_item *remainders,
                 uint32_t n, uint32_t rest)
{
    radix_sort(arena, remainders, n);
    for (uint32_t i = 0, run; rest > 0; i += run) {
        run = radix_run(&remainders[i], n - i);
        uint32_t getting = run < rest ? run : rest;
        give_among_equals(arena, portions, &remainders[i], run, getting);
        rest -= getting;
    }
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
        give(arena, portions, remainders, taking, rest);
        given += rest;
    }
}
