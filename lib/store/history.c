#include "store/history.h"

enum { CROWDED_MS = 60 * 1000, WINDOW_GROWTH = 8 };

/* Statements give the lowest score with its moment, and the last moment with its score, as one
 * number each: score * worst_unit + moment, moment * last_unit + score. */
static const int64_t worst_unit = 100000000000000, last_unit = 100000;

/* ---- reading: newest first, until there are enough ---- */

struct step {
    int64_t time, points, worst, last, sum, nodes, pods, risks;
};

struct reading {
    struct db *db;
    struct arena *arena;
    struct str cluster;
    int64_t step;       /* 0 while points are read */
    struct step *steps; /* newest first; a point is a step of 0 points, with its score in `worst` */
    size_t n;
};

static int64_t down_to(int64_t time, int64_t unit)
{
    int64_t rest = time % unit;
    return time - (rest < 0 ? rest + unit : rest);
}

static void merge(struct step *into, const struct step *from)
{
    into->points += from->points;
    into->sum += from->sum;
    into->worst = from->worst < into->worst ? from->worst : into->worst;
    into->last = from->last > into->last ? from->last : into->last;
    into->nodes = from->nodes < into->nodes ? from->nodes : into->nodes;
    into->pods = from->pods < into->pods ? from->pods : into->pods;
    into->risks = from->risks > into->risks ? from->risks : into->risks;
}

/* A step may come in parts, one after another. */
static void take(struct reading *r, struct step step)
{
    if (r->n && step.points && r->steps[r->n - 1].time == step.time)
        merge(&r->steps[r->n - 1], &step);
    else if (r->n < HISTORY_POINTS_MAX)
        r->steps[r->n++] = step;
}

static enum error read_points(struct reading *r, int64_t from, int64_t to)
{
    struct db_rows rows;
    enum error e = db_rows(
        r->db, r->arena, STMT_history_newest,
        DB_ARGS(db_uuid(r->cluster), db_time(from), db_time(to), db_int(HISTORY_POINTS_MAX)),
        &rows);
    for (size_t i = 0; !e && i < rows.n; i++) {
        const struct db_value *v = rows.items[i];
        take(
            r,
            (struct step){
                .time = v[0].i, .worst = v[1].i, .nodes = v[2].i, .pods = v[3].i, .risks = v[4].i});
    }
    return e;
}

static enum error read_steps(struct reading *r, enum old_stmt stmt, int64_t from, int64_t to)
{
    struct db_rows rows;
    enum error e = db_rows(r->db, r->arena, stmt,
                           DB_ARGS(db_int(r->step / 1000), db_uuid(r->cluster), db_time(from),
                                   db_time(to), db_int(HISTORY_POINTS_MAX)),
                           &rows);
    for (size_t i = 0; !e && i < rows.n; i++) {
        const struct db_value *v = rows.items[i];
        take(r, (struct step){.time = v[0].i * r->step,
                              .points = v[1].i,
                              .worst = v[2].i,
                              .last = v[3].i,
                              .sum = v[4].i,
                              .nodes = v[5].i,
                              .pods = v[6].i,
                              .risks = v[7].i});
    }
    return e;
}

/* Is there room, or is the last step not yet complete? */
static bool wants_more(const struct reading *r, int64_t to)
{
    return r->n < HISTORY_POINTS_MAX || (r->step && to >= r->steps[r->n - 1].time);
}

/* Backwards in windows that grow, so that only partitions that matter are opened. A window begins
 * where a step does. */
static enum error read_back(struct reading *r, enum old_stmt stmt, int64_t from, int64_t to)
{
    int64_t unit = r->step ? r->step : 1, window = HISTORY_POINTS_MAX * (r->step ? unit : 10000);
    enum error e = ERR_OK;
    while (!e && from <= to && wants_more(r, to)) {
        int64_t start = to - from > window ? down_to(to - window, unit) : from;
        start = start > from ? start : from;
        e = r->step ? read_steps(r, stmt, start, to) : read_points(r, start, to);
        to = start - 1;
        window = window > CLOCK_DAY * 365 ? window : window * WINDOW_GROWTH;
    }
    return e;
}

/* Whole rows of score_rollup; what they do not cover at either end is read from the points, and
 * where those are not kept any more, a row more. */
static enum error read_rollup(struct reading *r, const struct history_range *range, int64_t from,
                              int64_t to)
{
    int64_t first = down_to(from + HISTORY_ROLLUP_MS - 1, HISTORY_ROLLUP_MS);
    int64_t end = down_to(to + 1, HISTORY_ROLLUP_MS);
    if (from < range->points_from)
        first = down_to(from, HISTORY_ROLLUP_MS);
    if (to < range->points_from)
        end = down_to(to, HISTORY_ROLLUP_MS) + HISTORY_ROLLUP_MS;
    if (first >= end)
        return read_back(r, STMT_history_steps, from, to);
    enum error e = read_back(r, STMT_history_steps, end, to);
    if (!e)
        e = read_back(r, STMT_rollup_steps, first, end - 1);
    return e ? e : read_back(r, STMT_history_steps, from, first - 1);
}

static enum error read_range(struct reading *r, const struct history_range *range, int64_t from,
                             int64_t to)
{
    int64_t limit = down_to(range->points_from, HISTORY_ROLLUP_MS);
    r->step = range->step;
    if (range->step && range->step % HISTORY_ROLLUP_MS == 0)
        return read_rollup(r, range, from, to);
    enum error e = read_back(r, STMT_history_steps, from > limit ? from : limit, to);
    if (e || from >= limit || r->n == HISTORY_POINTS_MAX)
        return e;
    r->step = range->step > HISTORY_ROLLUP_MS ? range->step : HISTORY_ROLLUP_MS;
    r->step = down_to(r->step, HISTORY_ROLLUP_MS);
    return read_rollup(r, range, from, to < limit ? to : limit - 1);
}

static int64_t rounded_score(int64_t exact)
{
    return (exact + 50) / 100;
}

static struct history_point point_of(const struct step *step)
{
    struct history_point point = {.time = step->time,
                                  .score = step->worst,
                                  .nodes = step->nodes,
                                  .pods = step->pods,
                                  .risks = step->risks};
    if (step->points == 0)
        return point;
    point.score = rounded_score(step->worst / worst_unit);
    point.points = step->points;
    point.mean = (step->sum + step->points / 2) / step->points;
    point.last = rounded_score(step->last % last_unit);
    point.worst_at = step->worst % worst_unit;
    return point;
}

/* Where the history begins and ends; the start of the one step and the end of the other. */
static enum error find_ends(struct reading *r, const struct cluster_row *row, int64_t *oldest,
                            int64_t *newest)
{
    struct db_value *value;
    enum error e =
        db_row(r->db, r->arena, STMT_rollup_oldest, DB_ARGS(db_uuid(r->cluster)), &value);
    if (e)
        return e;
    *oldest = value[0].null ? 0 : value[0].i;
    *newest = row->newest == TIME_NONE ? row->taken : row->newest;
    if (*newest != TIME_NONE)
        *newest = down_to(*newest, HISTORY_ROLLUP_MS) + HISTORY_ROLLUP_MS - 1;
    return ERR_OK;
}

enum error history_fetch(struct db *db, struct arena *arena, const struct cluster_row *row,
                         const struct history_range *range, struct history *history)
{
    struct reading r = {.db = db, .arena = arena, .cluster = row->id};
    int64_t from, to;
    enum error e = find_ends(&r, row, &from, &to);
    if (e)
        return e;
    from = range->from > from ? range->from : from;
    to = range->to < to ? range->to : to;
    r.steps = ARENA_ARRAY(arena, HISTORY_POINTS_MAX, struct step);
    if (from <= to)
        e = read_range(&r, range, from, to);
    history->n = r.n;
    history->points = ARENA_ARRAY(arena, r.n, struct history_point);
    for (size_t i = 0; i < r.n; i++)
        history->points[i] = point_of(&r.steps[r.n - 1 - i]);
    return e;
}

/* ---- adding ---- */

static enum error insert(struct db *db, const struct cluster_row *row, bool *inserted)
{
    uint64_t affected = 0;
    enum error e = db_run(db, STMT_history_insert,
                          DB_ARGS(db_uuid(row->id), db_time(row->taken), db_int(row->score),
                                  db_int(row->score_exact), db_int(row->nodes), db_int(row->pods),
                                  db_int(row->risks)),
                          &affected);
    *inserted = affected == 1;
    return e;
}

static enum error insert_after_last(struct db *db, struct arena *arena, struct cluster_row *row)
{
    struct db_value *last;
    bool inserted = false;
    enum error e = db_row(
        db, arena, STMT_history_last,
        DB_ARGS(db_uuid(row->id), db_time(row->taken), db_time(row->taken + CROWDED_MS)), &last);
    if (e)
        return e;
    row->taken = last[0].i + 1;
    e = insert(db, row, &inserted);
    return e || inserted ? e : ERR_INTERNAL;
}

enum error history_add(struct db *db, struct arena *arena, struct cluster_row *row)
{
    bool inserted;
    enum error e = insert(db, row, &inserted);
    if (!e && !inserted)
        e = insert_after_last(db, arena, row);
    if (e)
        return e;
    return db_run(db, STMT_rollup_add,
                  DB_ARGS(db_uuid(row->id), db_time(down_to(row->taken, HISTORY_ROLLUP_MS)),
                          db_int(row->score_exact), db_time(row->taken), db_int(row->score_exact),
                          db_int(row->score_exact), db_time(row->taken), db_int(row->nodes),
                          db_int(row->pods), db_int(row->risks)),
                  NULL);
}
