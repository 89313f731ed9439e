#include "store/history.h"

enum { CROWDED_MS = 60 * 1000 };

enum error history_fetch(struct db *db, struct arena *arena, struct str cluster, int64_t from,
                         int64_t to, int64_t step, struct history *history)
{
    struct db_rows rows;
    enum error e;
    if (step)
        e = db_rows(db, arena, STMT_history_steps,
                    DB_ARGS(db_uuid(cluster), db_time(from), db_time(to), db_int(step / 1000)),
                    &rows);
    else
        e = db_rows(db, arena, STMT_history_newest,
                    DB_ARGS(db_uuid(cluster), db_time(from), db_time(to)), &rows);
    if (e)
        return e;
    history->n = rows.n;
    history->points = ARENA_ARRAY(arena, rows.n, struct history_point);
    for (size_t i = 0; i < rows.n; i++) {
        const struct db_value *v = rows.items[rows.n - 1 - i];
        int64_t time = step ? v[0].i - v[0].i % step : v[0].i;
        history->points[i] = (struct history_point){time, v[1].i, v[2].i, v[3].i, v[4].i};
    }
    return ERR_OK;
}

static enum error insert(struct db *db, const struct cluster_row *row, int64_t time, bool *inserted)
{
    uint64_t affected = 0;
    enum error e = db_run(db, STMT_history_insert,
                          DB_ARGS(db_uuid(row->id), db_time(time), db_int(row->score),
                                  db_int(row->score_exact), db_int(row->nodes), db_int(row->pods),
                                  db_int(row->risks)),
                          &affected);
    *inserted = affected == 1;
    return e;
}

enum error history_add(struct db *db, struct arena *arena, const struct cluster_row *row)
{
    struct db_value *last;
    bool inserted;
    enum error e = insert(db, row, row->taken, &inserted);
    if (e || inserted)
        return e;
    e = db_row(db, arena, STMT_history_last,
               DB_ARGS(db_uuid(row->id), db_time(row->taken), db_time(row->taken + CROWDED_MS)),
               &last);
    if (!e)
        e = insert(db, row, last[0].i + 1, &inserted);
    return e || inserted ? e : ERR_INTERNAL;
}
