#include "store/history_rollup.h"

#include "score/score.h"
#include "store/history_points.h"

struct rollup_moment {
    int64_t time;
};

#define STATEMENTS "store/history_rollup.def"
#include "db/statements.inc"

int64_t history_rollup_step(int64_t time)
{
    return history_step_start(time, HISTORY_ROLLUP_MS);
}

enum error history_rollup_oldest(struct db *db, struct arena *arena, const struct cluster_row *row,
                                 int64_t *oldest)
{
    struct rollup_moment *first;
    enum error e = DB_ROW(db, arena, &first, rollup_oldest, .cluster = row->id);
    if (e)
        return e;
    *oldest = first ? first->time : row->rolled == TIME_NONE ? 0 : row->rolled;
    return ERR_OK;
}

enum error history_rollup_advance(struct db *db, struct str cluster, int64_t from, int64_t before)
{
    enum error e = DB_RUN(db, rollup_make, .seconds = HISTORY_ROLLUP_MS / 1000, .cluster = cluster,
                          .from = from, .before = before);
    return e ? e : DB_RUN(db, rollup_done, .cluster = cluster, .rolled_to = before);
}

/* Where all steps are there, those from there on are open with the first point of a new one. */
static enum error open_step(struct db *db, struct cluster_row *row, int64_t step)
{
    int64_t before = row->rolled;
    if (step == before)
        return ERR_OK;
    row->rolled = step;
    return before == TIME_NONE ? DB_RUN(db, rollup_done, .cluster = row->id, .rolled_to = step)
                               : history_rollup_advance(db, row->id, before, step);
}

static bool is_open(const struct cluster_row *row, int64_t step)
{
    if (row->rolled != TIME_NONE)
        return step >= row->rolled;
    return row->taken >= row->packed &&
           (row->newest == TIME_NONE || step > history_rollup_step(row->newest));
}

#define ADDED_POINT_OF(row)                                                                        \
    .score_min = (row)->score_exact, .worst_at = (row)->taken, .score_sum = (row)->score_exact,    \
    .score_last = (row)->score_exact, .last_at = (row)->taken, .nodes_min = (row)->nodes,          \
    .pods_min = (row)->pods, .risks_max = (row)->risks, .formula = SCORE_FORMULA

/* What is packed has been rolled up before. */
enum error history_rollup_note(struct db *db, struct cluster_row *row)
{
    int64_t step = history_rollup_step(row->taken);
    if (is_open(row, step))
        return open_step(db, row, step);
    enum error e = DB_RUN(db, rollup_add, .cluster = row->id, .step_at = step, ADDED_POINT_OF(row));
    if (e || row->taken >= row->packed)
        return e;
    return DB_RUN(db, hours_add, .cluster = row->id, .hour_at = history_hour(row->taken),
                  ADDED_POINT_OF(row));
}
