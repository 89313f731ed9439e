#include "store/history.h"

#include "score/score.h"
#include "store/history_rollup.h"
#include "store/history_sums.h"

/* A push comes every ten seconds, or a little later. */
enum { CROWDED_MS = 60 * 1000, TRIES_MAX = 60, WINDOW_GROWTH = 8, PUSH_MS = 10500 };

#define STATEMENTS "store/history.def"
#include "db/statements.inc"

static int64_t down_to(int64_t time, int64_t unit)
{
    return history_step_start(time, unit);
}

static int64_t up_to(int64_t time, int64_t unit)
{
    return down_to(time + unit - 1, unit);
}

/* ---- reading: newest first, until there are enough ---- */

/* What steps are made of. */
enum steps_of { OF_POINTS, OF_ROLLUP, OF_HOURS };

struct reading {
    struct db *db;
    struct arena *arena;
    const struct cluster_row *row;
    const struct history_range *range;
    int64_t to;     /* what is newer has been read, or is not wanted */
    int64_t step;   /* 0 while points are read */
    int64_t window; /* of points, the next one; 0: none has been read */
    struct history_steps steps;
};

static enum error read_window(struct reading *r, enum steps_of of, int64_t from, int64_t to)
{
    switch (of) {
    case OF_POINTS:
        break;
    case OF_ROLLUP:
        return history_sum_rollup(r->db, r->arena, r->row->id, r->step, from, to, &r->steps);
    case OF_HOURS:
        return history_sum_hours(r->db, r->arena, r->row->id, r->step, from, to, &r->steps);
    }
    return history_points_take(r->db, r->arena, r->row->id, r->step, from, to, &r->steps);
}

/* Is there room, or is the last step not yet complete? */
static bool wants_more(const struct reading *r, int64_t to)
{
    const struct history_steps *steps = &r->steps;
    return steps->n < steps->max || (r->step && to >= steps->items[steps->n - 1].time);
}

/* How far the next window reaches, when one found so many steps, and so many are wanted still: as
 * far as they should be, and a quarter more. */
static int64_t next_window(int64_t window, size_t found, size_t wanted)
{
    int64_t most = window > CLOCK_DAY * 365 ? window : window * WINDOW_GROWTH;
    double times = found ? 1.25 * (double)wanted / (double)found : WINDOW_GROWTH;
    int64_t next = times < WINDOW_GROWTH ? (int64_t)((double)window * times) : most;
    return next > CLOCK_HOUR ? next : CLOCK_HOUR;
}

/* Backwards in windows, so that no more steps are added up than are wanted. A window begins where a
 * step does. */
static enum error read_back(struct reading *r, enum steps_of of, int64_t from, int64_t to)
{
    int64_t unit = r->step ? r->step : 1, window = HISTORY_POINTS_MAX * (r->step ? unit : PUSH_MS);
    enum error e = ERR_OK;
    window = r->window && !r->step ? r->window : window;
    while (!e && from <= to && wants_more(r, to)) {
        size_t before = r->steps.n;
        int64_t start = to - from > window ? down_to(to - window, unit) : from;
        start = start > from ? start : from;
        e = read_window(r, of, start, to);
        to = start - 1;
        window = next_window(window, r->steps.n - before, r->steps.max - r->steps.n);
    }
    return e;
}

/* Whole rows of score_rollup. Where steps are of whole hours, those that are packed are read. */
static enum error read_rows_of_steps(struct reading *r, int64_t from, int64_t end)
{
    int64_t first = up_to(from, POINT_CHUNK_MS), last = down_to(end, POINT_CHUNK_MS);
    int64_t packed = r->row->packed;
    last = packed < last ? packed : last; /* TIME_NONE is before all */
    if (r->step % POINT_CHUNK_MS || first >= last)
        return read_back(r, OF_ROLLUP, from, end - 1);
    enum error e = read_back(r, OF_ROLLUP, last, end - 1);
    if (!e)
        e = read_back(r, OF_HOURS, first, last - 1);
    return e ? e : read_back(r, OF_ROLLUP, from, first - 1);
}

/* Whole rows of score_rollup; what they do not cover at either end is read from the points, and
 * where those are not kept any more, a row more. Of the newest step there may be no row yet. */
static enum error read_rollup(struct reading *r, int64_t from, int64_t to)
{
    int64_t first = up_to(from, HISTORY_ROLLUP_MS), end = down_to(to + 1, HISTORY_ROLLUP_MS);
    if (from < r->range->points_from)
        first = down_to(from, HISTORY_ROLLUP_MS);
    if (to < r->range->points_from)
        end = down_to(to, HISTORY_ROLLUP_MS) + HISTORY_ROLLUP_MS;
    if (r->row->rolled != TIME_NONE && r->row->rolled < end)
        end = r->row->rolled;
    if (first >= end)
        return read_back(r, OF_POINTS, from, to);
    enum error e = read_back(r, OF_POINTS, end, to);
    if (!e)
        e = read_rows_of_steps(r, first, end);
    return e ? e : read_back(r, OF_POINTS, from, first - 1);
}

static enum error read_range(struct reading *r, int64_t from, int64_t to)
{
    int64_t limit = down_to(r->range->points_from, HISTORY_ROLLUP_MS);
    r->step = r->range->step;
    if (r->step && r->step % HISTORY_ROLLUP_MS == 0)
        return read_rollup(r, from, to);
    enum error e = read_back(r, OF_POINTS, from > limit ? from : limit, to);
    if (e || from >= limit || r->steps.n == r->steps.max)
        return e;
    r->step = r->step > HISTORY_ROLLUP_MS ? r->step : HISTORY_ROLLUP_MS;
    r->step = down_to(r->step, HISTORY_ROLLUP_MS);
    return read_rollup(r, from, to < limit ? to : limit - 1);
}

static struct history_point point_of(const struct history_step *step)
{
    struct history_point point = {.time = step->time,
                                  .score = step->worst,
                                  .nodes = step->nodes,
                                  .pods = step->pods,
                                  .risks = step->risks,
                                  .formula = step->formula};
    if (step->points == 0)
        return point;
    point.score = score_rounded(step->formula, step->worst / HISTORY_WORST_UNIT);
    point.points = step->points;
    point.mean = (step->sum + step->points / 2) / step->points;
    point.last = score_rounded(step->formula, step->last % HISTORY_LAST_UNIT);
    point.worst_at = step->worst % HISTORY_WORST_UNIT;
    return point;
}

/* The end of the newest step. */
static int64_t newest(const struct cluster_row *row)
{
    int64_t last = row->newest == TIME_NONE ? row->taken : row->newest;
    return last == TIME_NONE ? last : down_to(last, HISTORY_ROLLUP_MS) + HISTORY_ROLLUP_MS - 1;
}

static enum error read_history(struct db *db, void *arg)
{
    struct reading *r = arg;
    int64_t from;
    enum error e = history_rollup_oldest(db, r->arena, r->row, &from);
    if (e)
        return e;
    from = r->range->from > from ? r->range->from : from;
    return from <= r->to ? read_range(r, from, r->to) : ERR_OK;
}

/* The newest points, which are all that most ask for. One statement needs no transaction, and does
 * not ask where the history begins. */
static enum error read_newest(struct reading *r)
{
    int64_t limit = down_to(r->range->points_from, HISTORY_ROLLUP_MS);
    int64_t from = r->range->from > limit ? r->range->from : limit;
    int64_t window = HISTORY_POINTS_MAX * PUSH_MS;
    if (r->range->step || from > r->to)
        return ERR_OK;
    from = r->to - from > window ? r->to - window : from;
    enum error e = read_window(r, OF_POINTS, from, r->to);
    r->to = from - 1;
    r->window = next_window(window, r->steps.n, r->steps.max - r->steps.n);
    return e;
}

enum error history_fetch(struct db *db, struct arena *arena, const struct cluster_row *row,
                         const struct history_range *range, struct history *history)
{
    struct reading r = {
        .db = db,
        .arena = arena,
        .row = row,
        .range = range,
        .to = range->to < newest(row) ? range->to : newest(row),
        .steps = {.items = arena_raw(arena, HISTORY_POINTS_MAX * sizeof(struct history_step)),
                  .max = HISTORY_POINTS_MAX}};
    enum error e = read_newest(&r);
    if (!e && r.steps.n < r.steps.max && range->from <= r.to)
        e = db_read(db, read_history, &r);
    history->n = r.steps.n;
    history->points = arena_raw(arena, r.steps.n * sizeof(struct history_point));
    for (size_t i = 0; i < r.steps.n; i++)
        history->points[i] = point_of(&r.steps.items[r.steps.n - 1 - i]);
    return e;
}

/* ---- adding ---- */

#define POINT_OF(row)                                                                              \
    .cluster = (row)->id, .taken_at = (row)->taken, .score = (row)->score,                         \
    .score_exact = (row)->score_exact, .nodes = (row)->nodes, .pods = (row)->pods,                 \
    .risks = (row)->risks, .formula = SCORE_FORMULA

static enum error insert(struct db *db, const struct cluster_row *row, bool *inserted)
{
    uint64_t affected = 0;
    enum error e = DB_RUN_COUNT(db, &affected, history_insert, POINT_OF(row));
    *inserted = affected == 1;
    return e;
}

/* What is packed has no key that says so. Only a point of such an hour has to look. */
static enum error insert_once(struct db *db, struct arena *arena, const struct cluster_row *row,
                              bool *inserted)
{
    bool packed = false;
    enum error e = insert(db, row, inserted);
    if (!e && *inserted && row->taken < row->packed)
        e = history_is_packed(db, arena, row->id, row->taken, &packed);
    if (e || !packed)
        return e;
    *inserted = false;
    return DB_RUN(db, history_take_back, .cluster = row->id, .taken_at = row->taken);
}

static enum error insert_after_last(struct db *db, struct arena *arena, struct cluster_row *row)
{
    int64_t last;
    bool inserted = false;
    enum error e = history_last(db, arena, row->id, row->taken, row->taken + CROWDED_MS, &last);
    if (e)
        return e;
    row->taken = last + 1;
    e = insert_once(db, arena, row, &inserted);
    return e || inserted ? e : ERR_INTERNAL;
}

/* In the next free millisecond: what came late must not pass by what was taken meanwhile. Of an
 * hour that is packed each is tried, up to so many. */
static enum error insert_behind(struct db *db, struct arena *arena, struct cluster_row *row)
{
    bool inserted = false;
    enum error e = ERR_OK;
    for (int tries = 0; !e && !inserted && tries < TRIES_MAX; tries++) {
        int64_t last;
        e = history_run_end(db, arena, row->id, row->taken, row->taken + CROWDED_MS, &last);
        row->taken = last + 1;
        if (!e)
            e = insert_once(db, arena, row, &inserted);
    }
    return e || inserted ? e : insert_after_last(db, arena, row);
}

static enum error insert_anywhere(struct db *db, struct arena *arena, struct cluster_row *row)
{
    bool inserted;
    enum error e = insert_once(db, arena, row, &inserted);
    return e || inserted ? e : insert_behind(db, arena, row);
}

enum error history_add(struct db *db, struct arena *arena, struct cluster_row *row, bool surely_new)
{
    enum error e = surely_new ? DB_RUN_OR(db, ERR_DATABASE_BUSY, history_insert, POINT_OF(row))
                              : insert_anywhere(db, arena, row);
    return e ? e : history_rollup_note(db, row);
}
