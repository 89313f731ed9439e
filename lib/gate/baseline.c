#include "gate/baseline.h"

#include <math.h>
#include <stdlib.h>

static int by_id(const void *a, const void *b)
{
    const struct impact *x = a, *y = b;
    return x->id < y->id ? -1 : x->id > y->id;
}

static bool was_there(const struct impacts *then, const struct risk *risk)
{
    struct impact key = {.points = 0};
    return then && risk_id_parse(str_of(risk->id), &key.id) && then->items.n &&
           bsearch(&key, then->items.items, then->items.n, sizeof key, by_id);
}

struct baseline baseline_judge(struct arena *arena, const struct impacts *then,
                               const struct risk *risks, uint32_t n, uint32_t score_exact)
{
    struct baseline baseline = {.score = 100};
    uint64_t points = 0, lost = SCORE_EXACT_MAX - score_exact;
    for (uint32_t i = 0; i < n; i++) {
        if (!risks[i].impact || was_there(then, &risks[i]))
            continue;
        LIST_ADD(arena, baseline.fresh, &risks[i]);
        points += risks[i].impact;
    }
    if (!points || !lost)
        return baseline;
    double hazard = log((double)SCORE_EXACT_MAX / (score_exact ? score_exact : 1));
    double exact = SCORE_EXACT_MAX * exp(-hazard * (double)points / (double)lost);
    baseline.score = (int)(exact / 100 + 1e-6);
    return baseline;
}
