#include "store/open_risks.h"

struct stored {
    struct risk risk;
    int64_t first_seen;
};

static enum severity severity_of(struct str name)
{
    for (enum severity s = 0; s < SEVERITY_COUNT; s++)
        if (str_eq(severity_name(s), name))
            return s;
    return SEVERITY_LOW;
}

static const struct check *check_of(struct arena *arena, struct str id, enum severity severity)
{
    const struct check *known = check_find(id);
    if (known)
        return known;
    struct check *check = ARENA_NEW(arena, struct check);
    *check = (struct check){.id = arena_str(arena, id).p,
                            .severity = severity,
                            .title = "",
                            .recommendation = "",
                            .frameworks = ""};
    return check;
}

static struct stored stored_of(struct arena *arena, const struct db_value *v)
{
    enum severity severity = severity_of(v[2].s);
    struct stored stored = {.risk = {.check = check_of(arena, v[1].s, severity),
                                     .severity = severity,
                                     .namespace = v[3].s,
                                     .resource = v[4].s,
                                     .container = v[5].s,
                                     .message = v[6].s,
                                     .count = 1,
                                     .impact = (uint32_t)v[7].i},
                            .first_seen = v[8].i};
    struct str id = str_sub(v[0].s, 0, RISK_ID_LEN);
    memcpy(stored.risk.id, id.p, id.n);
    return stored;
}

static int by_cost(const void *a, const void *b)
{
    const struct stored *x = a, *y = b;
    return risk_order(&x->risk, &y->risk);
}

enum error open_risks_fetch(struct db *db, struct arena *arena, struct str cluster,
                            struct open_risks *risks)
{
    struct db_rows rows;
    enum error e = db_rows(db, arena, STMT_risk_list, DB_ARGS(db_uuid(cluster)), &rows);
    if (e)
        return e;
    struct stored *stored = ARENA_ARRAY(arena, rows.n, struct stored);
    for (size_t i = 0; i < rows.n; i++)
        stored[i] = stored_of(arena, rows.items[i]);
    if (rows.n)
        qsort(stored, rows.n, sizeof *stored, by_cost);
    risks->n = (uint32_t)rows.n;
    risks->items = ARENA_ARRAY(arena, rows.n, struct risk);
    risks->first_seen = ARENA_ARRAY(arena, rows.n, int64_t);
    for (size_t i = 0; i < rows.n; i++) {
        risks->items[i] = stored[i].risk;
        risks->first_seen[i] = stored[i].first_seen;
    }
    return ERR_OK;
}
