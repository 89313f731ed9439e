#include "store/snapshot.h"

enum error snapshot_put(struct db *db, struct str cluster, const struct snapshot *snapshot)
{
    return db_run(db, STMT_snapshot_put,
                  DB_ARGS(db_uuid(cluster), db_time(snapshot->received), db_time(snapshot->taken),
                          db_bytes(snapshot->body)),
                  NULL);
}

enum error snapshot_revision(struct db *db, struct arena *arena, struct str cluster,
                             int64_t *revision)
{
    return db_number(db, arena, STMT_snapshot_revision, DB_ARGS(db_uuid(cluster)), revision);
}

static enum error put_piece(void *context, const struct db_value *row)
{
    return spool_put(context, row[0].s) ? ERR_OK : ERR_INTERNAL;
}

enum error snapshot_spool(struct db *db, struct arena *arena, struct str cluster,
                          struct spool *body)
{
    return db_each(db, arena, STMT_snapshot_pieces, DB_ARGS(db_uuid(cluster)), put_piece, body);
}
