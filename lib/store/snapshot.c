#include "store/snapshot.h"

enum error snapshot_fetch(struct db *db, struct arena *arena, struct str cluster,
                          struct snapshot **snapshot)
{
    struct db_value *row;
    enum error e = db_row(db, arena, STMT_snapshot_fetch, DB_ARGS(db_uuid(cluster)), &row);
    *snapshot = NULL;
    if (e || !row)
        return e;
    *snapshot = ARENA_NEW(arena, struct snapshot);
    **snapshot = (struct snapshot){.received = row[0].i, .taken = row[1].i, .body = row[2].s};
    return ERR_OK;
}

enum error snapshot_put(struct db *db, struct str cluster, const struct snapshot *snapshot)
{
    return db_run(db, STMT_snapshot_put,
                  DB_ARGS(db_uuid(cluster), db_time(snapshot->received), db_time(snapshot->taken),
                          db_bytes(snapshot->body)),
                  NULL);
}
