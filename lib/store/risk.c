#include "store/risk.h"

#include "base/hash.h"

enum {
    NAMESPACE_MAX = 255,
    RESOURCE_MAX = 512,
    CONTAINER_MAX = 255,
    MESSAGE_MAX = 2000,
    PUT_ARGS = 11,
    CLOSE_ARGS = 3
};

struct merge {
    struct arena *arena;
    struct str cluster;
    const struct risk **sorted; /* the ledger's, by id */
    size_t n;
    const struct ledger *ledger;
    int64_t time;
    int64_t *first_seen;
    struct db_value *puts, *closes; /* arguments of risk_put and risk_close */
    size_t put_count, close_count;
};

static int by_id(const void *a, const void *b)
{
    const struct risk *const *x = a, *const *y = b;
    return strcmp((*x)->id, (*y)->id);
}

/* Of all that risk_put stores and that can change while the id stays. */
static int64_t content_of(const struct risk *risk)
{
    uint64_t hash = hash_bytes((uint64_t)risk->severity << 32 | risk->impact, risk->message);
    return (int64_t)hash;
}

static struct db_value text(struct str s, size_t max)
{
    return db_text(str_utf8_prefix(s.p ? s : STR(""), max));
}

static void put(struct merge *m, const struct risk *risk, int64_t first_seen)
{
    struct db_value *args = m->puts + m->put_count++ * PUT_ARGS;
    args[0] = db_uuid(m->cluster);
    args[1] = db_text(str_of(risk->id));
    args[2] = db_text(str_of(risk->check->id));
    args[3] = db_text(severity_name(risk->severity));
    args[4] = text(risk->namespace, NAMESPACE_MAX);
    args[5] = text(risk->resource, RESOURCE_MAX);
    args[6] = text(risk->container, CONTAINER_MAX);
    args[7] = text(risk->message, MESSAGE_MAX);
    args[8] = db_int(risk->impact);
    args[9] = db_int(content_of(risk));
    args[10] = db_time(first_seen);
}

static void close_risk(struct merge *m, struct str id)
{
    struct db_value *args = m->closes + m->close_count++ * CLOSE_ARGS;
    args[0] = db_time(m->time);
    args[1] = db_uuid(m->cluster);
    args[2] = db_text(id);
}

/* Both lists are in the order of ids. open: rows of risk_open. */
static void merge(struct merge *m, const struct db_rows *open)
{
    size_t o = 0;
    for (size_t i = 0; i < m->n; i++) {
        const struct risk *risk = m->sorted[i];
        struct str id = str_of(risk->id);
        while (o < open->n && str_cmp(open->items[o][0].s, id) < 0)
            close_risk(m, open->items[o++][0].s);
        bool known = o < open->n && str_eq(open->items[o][0].s, id);
        const struct db_value *row = known ? open->items[o] : NULL;
        int64_t first_seen = known ? row[2].i : m->time;
        m->first_seen[risk - m->ledger->risks.items] = first_seen;
        if (!known || row[1].i != content_of(risk))
            put(m, risk, first_seen);
        o += known;
    }
    for (; o < open->n; o++)
        close_risk(m, open->items[o][0].s);
}

enum error risk_replace(struct db *db, struct arena *arena, struct str cluster,
                        const struct ledger *ledger, int64_t time, int64_t **first_seen)
{
    struct db_rows open;
    size_t n = ledger->risks.n;
    enum error e = db_rows(db, arena, STMT_risk_open, DB_ARGS(db_uuid(cluster)), &open);
    if (e)
        return e;
    struct merge m = {.arena = arena,
                      .cluster = cluster,
                      .sorted = ARENA_ARRAY(arena, n, const struct risk *),
                      .n = n,
                      .ledger = ledger,
                      .time = time,
                      .first_seen = ARENA_ARRAY(arena, n, int64_t),
                      .puts = ARENA_ARRAY(arena, n * PUT_ARGS, struct db_value),
                      .closes = ARENA_ARRAY(arena, open.n * CLOSE_ARGS, struct db_value)};
    for (size_t i = 0; i < n; i++)
        m.sorted[i] = &ledger->risks.items[i];
    if (n)
        qsort(m.sorted, n, sizeof(struct risk *), by_id);
    merge(&m, &open);
    *first_seen = m.first_seen;
    e = db_run_many(db, arena, STMT_risk_put, m.puts, m.put_count);
    return e ? e : db_run_many(db, arena, STMT_risk_close, m.closes, m.close_count);
}
