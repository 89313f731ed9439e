#include "store/removal.h"

#include "store/cluster.h"
#include "store/tenant.h"

enum { BATCH = 5000 };

static const enum stmt statements[] = {
#define CLUSTER_TABLE(table) STMT_remove_##table,
#include "db/cluster_tables.def"
#undef CLUSTER_TABLE
};

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
    e = db_run(db, STMT_cluster_delete, DB_ARGS(db_uuid(row->id)), NULL);
    if (!e)
        e = tenant_free_slot(db);
    if (!e)
        e = db_run(db, STMT_outbox_remove_cluster, DB_ARGS(db_text(name)), NULL);
    return e ? e : db_run(db, STMT_removal_insert, DB_ARGS(db_uuid(row->id), db_time(now)), NULL);
}

enum error removal_continue(struct db *db, struct str cluster, int64_t deadline, bool *done)
{
    enum error e = ERR_OK;
    *done = false;
    for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++) {
        uint64_t removed = BATCH;
        while (!e && removed == BATCH) {
            if (clock_monotonic() >= deadline)
                return ERR_OK;
            e = db_run(db, statements[i], DB_ARGS(db_uuid(cluster), db_int(BATCH)), &removed);
        }
    }
    *done = !e;
    return e;
}

enum error removal_sweep(struct db *db, struct arena *arena, int64_t now, int64_t deadline,
                         bool *done)
{
    struct db_rows rows;
    enum error e = db_rows(db, arena, STMT_removal_list, DB_NO_ARGS, &rows);
    *done = !e;
    for (size_t i = 0; !e && *done && i < rows.n; i++) {
        const struct db_value *row = rows.items[i];
        db_set_tenant(db, row[1].s);
        e = removal_continue(db, row[0].s, deadline, done);
        if (!e && *done && row[2].i + REMOVAL_KEPT_MS <= now)
            e = db_run(db, STMT_removal_delete, DB_ARGS(db_uuid(row[0].s)), NULL);
    }
    return e;
}
