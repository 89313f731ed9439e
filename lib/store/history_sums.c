#include "store/history_sums.h"

struct history_hour {
    int64_t time, points, score_min, worst, sum, score_last, last, nodes, pods, risks, formula;
};

#define STATEMENTS "store/history_sums.def"
#include "db/statements.inc"

static void take_all(struct history_step *rows, size_t n, int64_t step, struct history_steps *steps)
{
    for (size_t i = 0; i < n; i++) {
        rows[i].time *= step;
        history_steps_take(steps, &rows[i]);
    }
}

enum error history_sum_rows(struct db *db, struct arena *arena, struct str cluster, int64_t step,
                            int64_t from, int64_t to, struct history_steps *steps)
{
    struct history_step *rows;
    size_t n;
    enum error e =
        DB_ROWS(db, arena, &rows, &n, history_of_rows, .seconds = step / 1000, .cluster = cluster,
                .from = from, .to = to, .limit = (int64_t)steps->max);
    if (!e)
        take_all(rows, n, step, steps);
    return e;
}

enum error history_sum_rollup(struct db *db, struct arena *arena, struct str cluster, int64_t step,
                              int64_t from, int64_t to, struct history_steps *steps)
{
    struct history_step *rows;
    size_t n;
    enum error e =
        DB_ROWS(db, arena, &rows, &n, rollup_steps, .seconds = step / 1000, .cluster = cluster,
                .from = from, .to = to, .limit = (int64_t)steps->max);
    if (!e)
        take_all(rows, n, step, steps);
    return e;
}

struct adding {
    int64_t step;
    struct history_steps *steps;
};

static enum error take_hour(void *context, const void *row)
{
    const struct adding *a = context;
    const struct history_hour *hour = row;
    history_steps_take(a->steps, &(struct history_step){
                                     .time = history_step_start(hour->time, a->step),
                                     .points = hour->points,
                                     .worst = hour->score_min * HISTORY_WORST_UNIT + hour->worst,
                                     .last = hour->last * HISTORY_LAST_UNIT + hour->score_last,
                                     .sum = hour->sum,
                                     .nodes = hour->nodes,
                                     .pods = hour->pods,
                                     .risks = hour->risks,
                                     .formula = hour->formula});
    return ERR_OK;
}

enum error history_sum_hours(struct db *db, struct arena *arena, struct str cluster, int64_t step,
                             int64_t from, int64_t to, struct history_steps *steps)
{
    struct adding adding = {step, steps};
    return DB_EACH(db, arena, take_hour, &adding, history_hours, .cluster = cluster, .from = from,
                   .to = to);
}
