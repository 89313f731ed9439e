#include "store/open_risks.h"

#include "store/risk_row.h"

struct opened {
    struct risk risk;
    int64_t first_seen;
};

static int by_words(const void *a, const void *b)
{
    const struct opened *x = a, *y = b;
    return risk_order(&x->risk, &y->risk);
}

static int by_id(const void *a, const void *b)
{
    const struct opened *x = a, *y = b;
    if (x->risk.impact != y->risk.impact)
        return x->risk.impact > y->risk.impact ? -1 : 1;
    return memcmp(x->risk.id, y->risk.id, RISK_ID_LEN);
}

/* What cost something at that time was not exempt then, whatever is said of it now. */
static void count_it(struct risk *risk)
{
    risk->exempt = false;
    risk->exempt_reason = (struct str){0};
    risk->would_cost = 0;
}

static enum error read_risks(struct db *db, struct arena *arena, struct str cluster,
                             const struct stored_ledger *kept,
                             int (*compare)(const void *, const void *), struct open_risks *risks)
{
    struct risk_rows rows;
    enum error e = risk_list(db, arena, cluster, kept->time, &rows);
    if (e)
        return e;
    uint32_t n = kept->impacts.items.n;
    struct opened *opened = ARENA_ARRAY(arena, n, struct opened);
    for (uint32_t i = 0; i < n; i++) {
        struct impact item = kept->impacts.items.items[i];
        struct risk_row row = risk_find(&rows, item.id);
        opened[i] = (struct opened){row.risk, row.first_seen};
        opened[i].risk.impact = item.points;
        if (item.points)
            count_it(&opened[i].risk);
    }
    if (n)
        qsort(opened, n, sizeof *opened, compare);
    risks->n = n;
    risks->items = ARENA_ARRAY(arena, n, struct risk);
    risks->first_seen = ARENA_ARRAY(arena, n, int64_t);
    for (uint32_t i = 0; i < n; i++) {
        risks->items[i] = opened[i].risk;
        risks->first_seen[i] = opened[i].first_seen;
    }
    return ERR_OK;
}

enum error open_risks_of(struct db *db, struct arena *arena, struct str cluster,
                         const struct stored_ledger *kept, struct open_risks *risks)
{
    return read_risks(db, arena, cluster, kept, by_id, risks);
}

enum error open_risks_fetch(struct db *db, struct arena *arena, struct str cluster, int64_t time,
                            struct open_risks *risks)
{
    struct stored_ledger *kept;
    enum error e = stored_ledger_find(db, arena, cluster, time, &kept);
    *risks = (struct open_risks){0};
    return e || !kept ? e : read_risks(db, arena, cluster, kept, by_words, risks);
}
