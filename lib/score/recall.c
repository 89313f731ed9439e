#include "score/recall.h"

#include <stdlib.h>

static int by_object(const void *a, const void *b)
{
    const struct risk *x = ((const struct recalled *)a)->risk;
    const struct risk *y = ((const struct recalled *)b)->risk;
    int order = (x->check > y->check) - (x->check < y->check);
    if (!order)
        order = str_cmp(x->namespace, y->namespace);
    return order ? order : str_cmp(x->resource, y->resource);
}

struct recall recall_difference(struct arena *arena, const struct risk *pushed, uint32_t pushed_n,
                                const struct ledger *judged, bool both)
{
    risk_index before = risks_by_id(arena, pushed, pushed_n);
    risk_index after = risks_by_id(arena, judged->risks.items, judged->risks.n);
    struct recall recall = {0};
    const struct risk **risk;
    LIST_EACH (risk, before)
        if ((*risk)->check && !risk_same(&after, *risk))
            LIST_ADD(arena, recall.items, ((struct recalled){*risk, true}));
    if (both)
        LIST_EACH (risk, after)
            if (!risk_same(&before, *risk))
                LIST_ADD(arena, recall.items, ((struct recalled){*risk, false}));
    LIST_SORT(recall.items, by_object);
    return recall;
}

const struct recalled *recall_find(const struct recall *recall, const struct check *check,
                                   struct str namespace, struct str resource)
{
    struct risk risk = {.check = check, .namespace = namespace, .resource = resource};
    struct recalled key = {.risk = &risk};
    return LIST_FIND(recall->items, &key, by_object);
}
