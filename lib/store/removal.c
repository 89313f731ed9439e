#include "store/removal.h"

#include "store/cluster.h"
#include "store/retry.h"
#include "store/stored_exemption.h"
#include "store/tenant.h"

enum { BATCH = 5000, SWEEP_MS = 250 /* at a stretch */ };

struct removal {
    struct str cluster, tenant;
    int64_t deleted;
};

#define STATEMENTS "store/removal.def"
#include "db/statements.inc"

/* Each empties its table of the cluster, BATCH rows at a time. */
#define CLUSTER_TABLE(table)                                                                       \
    static enum error empty_##table(struct db *db, struct str cluster, uint64_t *removed)          \
    {                                                                                              \
        return DB_RUN_COUNT(db, removed, remove_##table, .cluster = cluster, .limit = BATCH);      \
    }
#include "store/cluster_tables.def"
#undef CLUSTER_TABLE
static enum error (*const tables[])(struct db *db, struct str cluster, uint64_t *removed) = {
#define CLUSTER_TABLE(table) empty_##table,
#include "store/cluster_tables.def"
#undef CLUSTER_TABLE
};

enum error removal_bury(struct db *db, struct str cluster, int64_t now)
{
    enum error e = DB_RUN(db, cluster_delete, .cluster = cluster);
    return e ? e : DB_RUN(db, removal_insert, .cluster = cluster, .deleted_at = now);
}

/* The tenant is locked before the cluster, as by a push of a new one. */
enum error removal_begin(struct db *db, struct arena *arena, struct str name, int64_t now,
                         struct str *cluster)
{
    struct cluster_row *row = NULL;
    enum error e = tenant_lock(db, arena);
    if (!e)
        e = cluster_lock(db, arena, name, &row);
    if (e || !row)
        return e ? e : ERR_UNKNOWN_CLUSTER;
    *cluster = row->id;
    e = removal_bury(db, row->id, now);
    if (!e)
        e = tenant_free_slot(db);
    if (!e)
        e = exemption_end_of_cluster(db, name, now);
    return e ? e : DB_RUN(db, outbox_remove_cluster, .cluster_name = name);
}

enum error removal_continue(struct db *db, struct str cluster, int64_t deadline, bool *done)
{
    enum error e = ERR_OK;
    *done = false;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        uint64_t removed = BATCH;
        while (!e && removed == BATCH) {
            if (clock_monotonic() >= deadline)
                return ERR_OK;
            e = tables[i](db, cluster, &removed);
        }
    }
    *done = !e;
    return e;
}

/* Whether another cluster may fare better. */
static bool is_of_one(enum error e)
{
    return e != ERR_OK && e != ERR_DATABASE_UNAVAILABLE && e != ERR_SCHEMA_OLD;
}

enum error removal_sweep(struct db *db, struct arena *arena, int64_t now, int64_t deadline,
                         bool *done)
{
    struct removal *removals;
    size_t n;
    enum error e = DB_ROWS(db, arena, &removals, &n, removal_list);
    enum error refused = ERR_OK;
    *done = !e;
    for (size_t i = 0; !e && *done && i < n; i++) {
        const struct removal *r = &removals[i];
        int64_t begun = clock_monotonic();
        db_set_tenant(db, r->tenant);
        e = removal_continue(db, r->cluster, deadline, done);
        if (!e && *done && r->deleted + REMOVAL_KEPT_MS <= now)
            e = DB_RUN(db, removal_delete, .cluster = r->cluster);
        if (is_of_one(e)) {
            deadline += clock_monotonic() - begun; /* the others have their time all the same */
            refused = refused ? refused : e;
            e = ERR_OK;
            *done = true;
        }
    }
    if (!e && *done && refused)
        e = refused;
    *done = *done && !e;
    return e;
}

struct finishing {
    struct db *db;
    struct arena *arena;
    int64_t now;
    bool done;
};

static enum error sweep_once(void *arg)
{
    struct finishing *f = arg;
    arena_reset(f->arena);
    return removal_sweep(f->db, f->arena, f->now, clock_monotonic() + SWEEP_MS, &f->done);
}

enum error removal_finish(struct db *db, struct arena *arena, int64_t now,
                          struct throttle *throttle, void (*progress)(void *context), void *context)
{
    struct finishing f = {db, arena, now, false};
    enum error e = ERR_OK;
    while (!e && !f.done && !*throttle->stop) {
        e = retry_when_free(throttle, sweep_once, &f);
        progress(context);
    }
    return e;
}

enum error removal_count(struct db *db, struct arena *arena, size_t *count)
{
    struct removal *removals;
    return DB_ROWS(db, arena, &removals, count, removal_list);
}
