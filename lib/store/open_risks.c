#include "store/open_risks.h"

#include "base/asserts.h"
#include "store/risk_row.h"

/* More are had sooner by reading all. */
enum { BY_ID_MAX = 1000 };

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

static void word_them(struct arena *arena, const struct risk_rows *rows, const struct impact *items,
                      uint32_t n, int (*compare)(const void *, const void *),
                      struct open_risks *risks)
{
    struct opened *opened = ARENA_ARRAY(arena, n, struct opened);
    for (uint32_t i = 0; i < n; i++) {
        struct impact item = items[i];
        struct risk_row row = risk_find(rows, item.id);
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
}

static enum error read_risks(struct db *db, struct arena *arena, struct str cluster,
                             const struct stored_ledger *kept,
                             int (*compare)(const void *, const void *), struct open_risks *risks)
{
    struct risk_rows rows;
    enum error e = risk_list(db, arena, cluster, kept->time, &rows);
    if (!e)
        word_them(arena, &rows, kept->impacts.items.items, kept->impacts.items.n, compare, risks);
    return e;
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

/* ---- what is new since ---- */

typedef LIST(struct impact) impact_list;

static impact_list fresh_of(struct arena *arena, const struct impacts *now,
                            const struct impacts *then)
{
    static const struct impacts nothing;
    struct impacts_walk walk = impacts_walk(then ? then : &nothing, now);
    const struct impact *before, *after;
    impact_list fresh = {0};
    while (impacts_walk_next(&walk, &before, &after))
        if (after && !before && after->points)
            LIST_ADD(arena, fresh, *after);
    return fresh;
}

static int by_points(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return (*x < *y) - (*x > *y);
}

/* What the costliest ones cost at the least. */
static uint32_t least_of(struct arena *arena, const impact_list *fresh, uint32_t costliest)
{
    if (fresh->n <= costliest)
        return 0;
    uint32_t *points = ARENA_ARRAY(arena, fresh->n, uint32_t);
    for (uint32_t i = 0; i < fresh->n; i++)
        points[i] = fresh->items[i].points;
    qsort(points, fresh->n, sizeof *points, by_points);
    return points[costliest - 1];
}

enum error open_risks_fresh(struct db *db, struct arena *arena, struct str cluster,
                            const struct stored_ledger *kept, const struct impacts *then,
                            uint32_t worded, struct open_risks *risks)
{
    assert(worded > 0);
    impact_list fresh = fresh_of(arena, &kept->impacts, then);
    uint32_t least = least_of(arena, &fresh, worded);
    uint64_t *ids = ARENA_ARRAY(arena, fresh.n, uint64_t);
    struct risk_rows rows;
    uint32_t n = 0;
    for (uint32_t i = 0; i < fresh.n; i++)
        if (fresh.items[i].points >= least)
            ids[n++] = fresh.items[i].id;
    enum error e = n > BY_ID_MAX ? risk_list(db, arena, cluster, kept->time, &rows)
                                 : risk_list_of(db, arena, cluster, ids, n, &rows);
    if (!e)
        word_them(arena, &rows, fresh.items, fresh.n, by_words, risks);
    return e;
}
