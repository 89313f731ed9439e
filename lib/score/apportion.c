#include "score/apportion.h"

#include <stdlib.h>

#include "base/asserts.h"

struct remainder {
    double left;
    uint64_t key;
    uint32_t at;
};

static int by_remainder(const void *a, const void *b)
{
    const struct remainder *x = a, *y = b;
    if (x->left != y->left)
        return x->left > y->left ? -1 : 1;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

void apportion(struct arena *arena, uint32_t total, struct portion *portions, uint32_t n)
{
    struct remainder *remainders = ARENA_ARRAY(arena, n, struct remainder);
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
        remainders[taking++] = (struct remainder){exact - portions[i].part, portions[i].key, i};
    }
    if (!taking)
        return;
    assert(sum > 0);
    qsort(remainders, taking, sizeof *remainders, by_remainder);
    for (uint32_t i = 0; given < total; i = (i + 1) % taking, given++)
        portions[remainders[i].at].part++;
}
