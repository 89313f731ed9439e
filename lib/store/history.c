#include "store/history.h"

#include "score/score.h"

enum { CROWDED_MS = 60 * 1000, WINDOW_GROWTH = 8 };

struct history_moment {
    int64_t time;
};
struct step {
    int64_t time, points, worst, last, sum, nodes, pods, risks, formula;
};

#define STATEMENTS "store/history.def"
#include "db/statements.inc"

/* Statements give the lowest score with its moment, and the last moment with its score, as one
 * number each: score * worst_unit + moment, moment * last_unit + score. */
static const int64_t worst_unit = 100000000000000, last_unit = 100000;

/* ---- reading: newest first, until there are enough ---- */

/* What steps are made of. */
enum steps_of { OF_POINTS, OF_ROLLUP };

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
    assert(unit > 0);
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
    into->formula = from->formula < into->formula ? from->formula : into->formula;
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
    struct history_point *points;
    size_t n;
    enum error e = DB_ROWS(r->db, r->arena, &points, &n, history_newest, .cluster = r->cluster,
                           .from = from, .to = to, .limit = HISTORY_POINTS_MAX);
    for (size_t i = 0; !e && i < n; i++)
        take(r, (struct step){.time = points[i].time,
                              .worst = points[i].score,
                              .nodes = points[i].nodes,
                              .pods = points[i].pods,
                              .risks = points[i].risks,
                              .formula = points[i].formula});
    return e;
}

static enum error read_steps(struct reading *r, enum steps_of of, int64_t from, int64_t to)
{
    struct step *steps;
    size_t n;
    enum error e =
        of == OF_ROLLUP
            ? DB_ROWS(r->db, r->arena, &steps, &n, rollup_steps, .seconds = r->step / 1000,
                      .cluster = r->cluster, .from = from, .to = to, .limit = HISTORY_POINTS_MAX)
            : DB_ROWS(r->db, r->arena, &steps, &n, history_steps, .seconds = r->step / 1000,
                      .cluster = r->cluster, .from = from, .to = to, .limit = HISTORY_POINTS_MAX);
    for (size_t i = 0; !e && i < n; i++) {
        steps[i].time *= r->step;
        take(r, steps[i]);
    }
    return e;
}

/* Is there room, or is the last step not yet complete? */
static bool wants_more(const struct reading *r, int64_t to)
{
    return r->n < HISTORY_POINTS_MAX || (r->step && to >= r->steps[r->n - 1].time);
}

/* Backwards in windows that grow, so that no more steps are added up than are wanted. A window
 * begins where a step does. */
static enum error read_back(struct reading *r, enum steps_of of, int64_t from, int64_t to)
{
    int64_t unit = r->step ? r->step : 1, window = HISTORY_POINTS_MAX * (r->step ? unit : 10000);
    enum error e = ERR_OK;
    while (!e && from <= to && wants_more(r, to)) {
        int64_t start = to - from > window ? down_to(to - window, unit) : from;
        start = start > from ? start : from;
        e = r->step ? read_steps(r, of, start, to) : read_points(r, start, to);
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
        return read_back(r, OF_POINTS, from, to);
    enum error e = read_back(r, OF_POINTS, end, to);
    if (!e)
        e = read_back(r, OF_ROLLUP, first, end - 1);
    return e ? e : read_back(r, OF_POINTS, from, first - 1);
}

static enum error read_range(struct reading *r, const struct history_range *range, int64_t from,
                             int64_t to)
{
    int64_t limit = down_to(range->points_from, HISTORY_ROLLUP_MS);
    r->step = range->step;
    if (range->step && range->step % HISTORY_ROLLUP_MS == 0)
        return read_rollup(r, range, from, to);
    enum error e = read_back(r, OF_POINTS, from > limit ? from : limit, to);
    if (e || from >= limit || r->n == HISTORY_POINTS_MAX)
        return e;
    r->step = range->step > HISTORY_ROLLUP_MS ? range->step : HISTORY_ROLLUP_MS;
    r->step = down_to(r->step, HISTORY_ROLLUP_MS);
    return read_rollup(r, range, from, to < limit ? to : limit - 1);
}

static struct history_point point_of(const struct step *step)
{
    struct history_point point = {.time = step->time,
                                  .score = step->worst,
                                  .nodes = step->nodes,
                                  .pods = step->pods,
                                  .risks = step->risks,
                                  .formula = step->formula};
    if (step->points == 0)
        return point;
    point.score = score_rounded(step->formula, step->worst / worst_unit);
    point.points = step->points;
    point.mean = (step->sum + step->points / 2) / step->points;
    point.last = score_rounded(step->formula, step->last % last_unit);
    point.worst_at = step->worst % worst_unit;
    return point;
}

/* Where the history begins and ends; the start of the one step and the end of the other. */
static enum error find_ends(struct reading *r, const struct cluster_row *row, int64_t *oldest,
                            int64_t *newest)
{
    struct history_moment *first;
    enum error e = DB_ROW(r->db, r->arena, &first, rollup_oldest, .cluster = r->cluster);
    if (e)
        return e;
    *oldest = first->time == TIME_NONE ? 0 : first->time;
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

/* ---- moments ---- */

enum error history_last(struct db *db, struct arena *arena, struct str cluster, int64_t from,
                        int64_t to, int64_t *time)
{
    struct history_moment *last;
    enum error e =
        DB_ROW(db, arena, &last, history_last, .cluster = cluster, .from = from, .to = to);
    *time = e ? TIME_NONE : last->time;
    return e;
}

enum error history_next(struct db *db, struct arena *arena, struct str cluster, int64_t after,
                        int64_t to, int64_t *time)
{
    struct history_moment *next;
    enum error e =
        DB_ROW(db, arena, &next, history_next, .cluster = cluster, .after = after, .to = to);
    *time = e ? TIME_NONE : next->time;
    return e;
}

/* ---- adding ---- */

static enum error insert(struct db *db, const struct cluster_row *row, bool *inserted)
{
    uint64_t affected = 0;
    enum error e =
        DB_RUN_COUNT(db, &affected, history_insert, .cluster = row->id, .taken_at = row->taken,
                     .score = row->score, .score_exact = row->score_exact, .nodes = row->nodes,
                     .pods = row->pods, .risks = row->risks, .formula = SCORE_FORMULA);
    *inserted = affected == 1;
    return e;
}

static enum error insert_after_last(struct db *db, struct arena *arena, struct cluster_row *row)
{
    int64_t last;
    bool inserted = false;
    enum error e = history_last(db, arena, row->id, row->taken, row->taken + CROWDED_MS, &last);
    if (e)
        return e;
    row->taken = last + 1;
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
    return DB_RUN(db, rollup_add, .cluster = row->id,
                  .step_at = down_to(row->taken, HISTORY_ROLLUP_MS), .score_min = row->score_exact,
                  .worst_at = row->taken, .score_sum = row->score_exact,
                  .score_last = row->score_exact, .last_at = row->taken, .nodes_min = row->nodes,
                  .pods_min = row->pods, .risks_max = row->risks, .formula = SCORE_FORMULA);
}
