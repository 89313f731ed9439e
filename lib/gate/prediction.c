#include "gate/prediction.h"

#include <stdlib.h>

#include "score/apportion.h"

static int by_points(const void *a, const void *b)
{
    const struct predicted_risk *x = a, *y = b;
    int64_t x_points = llabs(x->points), y_points = llabs(y->points);
    if (x_points != y_points)
        return x_points > y_points ? -1 : 1;
    return risk_order(x->risk, y->risk);
}

/* Says the finding itself something else, beside what it costs? */
static bool is_worded_anew(const struct risk *a, const struct risk *b)
{
    return a->severity != b->severity || a->count != b->count || a->exempt != b->exempt;
}

/* Both ledgers side by side, by id. own: entries are what opened, closed or says something else;
 * else what only costs more or less. */
static void walk(struct arena *arena, struct prediction *p, const risk_index *before,
                 const risk_index *after, bool own)
{
    for (uint32_t i = 0, j = 0; i < before->n || j < after->n;) {
        int order = i == before->n  ? 1
                    : j == after->n ? -1
                                    : strcmp(before->items[i]->id, after->items[j]->id);
        const struct risk *a = order <= 0 ? before->items[i++] : NULL;
        const struct risk *b = order >= 0 ? after->items[j++] : NULL;
        struct predicted_risk entry = {.risk = b ? b : a, .changed = a && b};
        entry.points = (int64_t)(a ? a->impact : 0) - (b ? b->impact : 0);
        entry.resolved = !b || entry.points > 0;
        if (own ? !entry.changed || is_worded_anew(a, b) : entry.changed && entry.points)
            LIST_ADD(arena, p->entries, entry);
    }
}

/* Divides what is left of the difference among the entries. */
static void divide_rest(struct arena *arena, struct prediction *p)
{
    struct portion *portions = ARENA_ARRAY(arena, p->entries.n + 1, struct portion);
    int64_t rest = p->predicted - p->score;
    for (uint32_t i = 0; i < p->entries.n; i++) {
        struct predicted_risk *entry = &p->entries.items[i];
        rest -= entry->points;
        portions[i].weight = (double)llabs(entry->points);
        risk_id_parse(str_of(entry->risk->id), &portions[i].key);
    }
    bool weightless = true;
    for (uint32_t i = 0; i < p->entries.n; i++)
        weightless = weightless && portions[i].weight <= 0;
    for (uint32_t i = 0; weightless && i < p->entries.n; i++)
        portions[i].weight = 1;
    apportion(arena, (uint32_t)llabs(rest), portions, p->entries.n);
    for (uint32_t i = 0; i < p->entries.n; i++)
        p->entries.items[i].points += rest < 0 ? -(int64_t)portions[i].part : portions[i].part;
}

struct prediction prediction_of(struct arena *arena, int64_t score, const struct ledger *before,
                                const struct ledger *after)
{
    struct prediction p = {.score = score};
    risk_index a = risks_by_id(arena, before->risks.items, before->risks.n);
    risk_index b = risks_by_id(arena, after->risks.items, after->risks.n);
    p.predicted = score + (int64_t)after->score_exact - before->score_exact;
    p.predicted = p.predicted < 0                 ? 0
                  : p.predicted > SCORE_EXACT_MAX ? SCORE_EXACT_MAX
                                                  : p.predicted;
    walk(arena, &p, &a, &b, true);
    if (!p.entries.n)
        walk(arena, &p, &a, &b, false);
    divide_rest(arena, &p);
    LIST_SORT(p.entries, by_points);
    return p;
}
