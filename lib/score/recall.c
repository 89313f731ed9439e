#include "score/recall.h"

#include <stdlib.h>

static int by_id(const void *a, const void *b)
{
    return strcmp((*(const struct risk *const *)a)->id, (*(const struct risk *const *)b)->id);
}

static int by_object(const void *a, const void *b)
{
    const struct risk *x = ((const struct recalled *)a)->risk;
    const struct risk *y = ((const struct recalled *)b)->risk;
    int order = (x->check > y->check) - (x->check < y->check);
    if (!order)
        order = str_cmp(x->namespace, y->namespace);
    return order ? order : str_cmp(x->resource, y->resource);
}

typedef LIST(const struct risk *) risk_pointers;

static risk_pointers sorted(struct arena *arena, const struct risk *risks, uint32_t n)
{
    risk_pointers list;
    LIST_RESERVE(arena, list, n);
    for (uint32_t i = 0; i < n; i++)
        LIST_PUT(list, &risks[i]);
    LIST_SORT(list, by_id);
    return list;
}

static bool has(const risk_pointers *list, const struct risk *risk)
{
    return LIST_FIND(*list, &risk, by_id) != NULL;
}

struct recall recall_difference(struct arena *arena, const struct risk *pushed, uint32_t pushed_n,
                                const struct ledger *judged, bool both)
{
    risk_pointers before = sorted(arena, pushed, pushed_n);
    risk_pointers after = sorted(arena, judged->risks.items, judged->risks.n);
    struct recall recall = {0};
    const struct risk **risk;
    LIST_EACH (risk, before)
        if ((*risk)->check && !has(&after, *risk))
            LIST_ADD(arena, recall.items, ((struct recalled){*risk, true}));
    if (both)
        LIST_EACH (risk, after)
            if (!has(&before, *risk))
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
