#include "score/priced.h"

#include <stdlib.h>
#include <string.h>

bool priced_is_same(const struct priced *a, const struct priced *b)
{
    if (a->n != b->n || a->total != b->total)
        return false;
    for (uint32_t i = 0; i < a->n; i++) {
        const struct portion *x = &a->portions[i], *y = &b->portions[i];
        if (x->key != y->key || memcmp(&x->weight, &y->weight, sizeof x->weight) != 0)
            return false;
    }
    return true;
}

size_t priced_bytes(const struct priced *priced)
{
    return priced ? sizeof *priced + priced->n * (sizeof *priced->portions + sizeof *priced->order)
                  : 0;
}

struct priced *priced_copy(const struct priced *priced, size_t max)
{
    size_t bytes = priced_bytes(priced);
    struct priced *copy = bytes && bytes <= max ? malloc(bytes) : NULL;
    if (!copy)
        return NULL;
    struct portion *portions = (struct portion *)(copy + 1);
    uint32_t *order = (uint32_t *)(portions + priced->n);
    *copy = (struct priced){priced->n, priced->total, portions, order};
    for (uint32_t i = 0; i < priced->n; i++) {
        portions[i] = priced->portions[i];
        order[i] = priced->order[i];
    }
    return copy;
}
