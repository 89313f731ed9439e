#include "store/history_points.h"

#include "base/log.h"
#include "store/history_sums.h"

struct history_moment {
    int64_t time;
};
struct history_part {
    int64_t time;
    struct str body;
    int64_t score, nodes, pods, risks, formula;
};
struct history_chunk {
    int64_t start;
    struct str body;
};

#define STATEMENTS "store/history_points.def"
#include "db/statements.inc"

enum error history_chunk_read(struct str cluster, int64_t start, struct str body,
                              struct chunk_point *points, size_t *n)
{
    char time[CLOCK_TEXT_SIZE];
    if (point_chunk_decode(body, start, points, n))
        return ERR_OK;
    log_error("cluster=%" STR_FMT " points=%s problem=\"they cannot be read\"", STR_ARG(cluster),
              clock_format(start, time).p);
    return ERR_INTERNAL;
}

int64_t history_hour(int64_t time)
{
    return history_step_start(time, POINT_CHUNK_MS);
}

/* ---- rows, and what is packed, newest first ---- */

struct joining {
    struct str cluster;
    int64_t step, from, to;
    struct history_steps rows; /* of them the first are in steps already */
    size_t joined;
    struct chunk_point *points; /* room for a chunk */
    struct history_steps *steps;
};

static struct history_step step_of(const struct chunk_point *point, int64_t step)
{
    struct history_step out = {.time = point->time,
                               .worst = point->score,
                               .nodes = point->nodes,
                               .pods = point->pods,
                               .risks = point->risks,
                               .formula = point->formula};
    if (step == 0)
        return out;
    out.time = history_step_start(point->time, step);
    out.points = 1;
    out.sum = point->score_exact;
    out.worst = point->score_exact * HISTORY_WORST_UNIT + point->time;
    out.last = point->time * HISTORY_LAST_UNIT + point->score_exact;
    return out;
}

/* Rows that are not older. */
static void join_rows(struct joining *j, int64_t time)
{
    for (; j->joined < j->rows.n && j->rows.items[j->joined].time >= time; j->joined++)
        history_steps_take(j->steps, &j->rows.items[j->joined]);
}

/* Is no point of the chunk wanted? Those that are newer have filled the room, and none belongs to
 * the last step. */
static bool is_beyond(const struct joining *j, const struct history_chunk *chunk)
{
    const struct history_steps *steps = j->steps;
    return steps->n == steps->max &&
           chunk->start + POINT_CHUNK_MS <= steps->items[steps->n - 1].time;
}

static enum error take_chunk(void *context, const void *row)
{
    struct joining *j = context;
    const struct history_chunk *chunk = row;
    size_t n;
    if (is_beyond(j, chunk))
        return ERR_OK;
    enum error e = history_chunk_read(j->cluster, chunk->start, chunk->body, j->points, &n);
    while (!e && n--) {
        const struct chunk_point *point = &j->points[n];
        if (point->time < j->from || point->time > j->to)
            continue;
        struct history_step step = step_of(point, j->step);
        join_rows(j, step.time);
        history_steps_take(j->steps, &step);
    }
    return e;
}

static enum error take_part(void *context, const void *row)
{
    struct joining *j = context;
    const struct history_part *part = row;
    if (part->body.p)
        return take_chunk(j, &(struct history_chunk){part->time, part->body});
    history_steps_take(&j->rows, &(struct history_step){.time = part->time,
                                                        .worst = part->score,
                                                        .nodes = part->nodes,
                                                        .pods = part->pods,
                                                        .risks = part->risks,
                                                        .formula = part->formula});
    return ERR_OK;
}

/* Of the first and the last hour all points may lie on the wrong side of a moment. Each between has
 * one at least. */
enum { CHUNKS_OF_THE_ENDS = 2 };

/* The arrays are not zeroed: of most no more than the beginning is used. */
enum error history_points_take(struct db *db, struct arena *arena, struct str cluster, int64_t step,
                               int64_t from, int64_t to, struct history_steps *steps)
{
    struct joining j = {
        .cluster = cluster,
        .step = step,
        .from = from,
        .to = to,
        .rows = {.items = arena_raw(arena, steps->max * sizeof(struct history_step)),
                 .max = steps->max},
        .points = arena_raw(arena, POINT_CHUNK_MAX * sizeof(struct chunk_point)),
        .steps = steps};
    enum error e =
        step ? history_sum_rows(db, arena, cluster, step, from, to, &j.rows)
             : DB_EACH(db, arena, take_part, &j, history_parts, .cluster = cluster, .from = from,
                       .hour = history_hour(from), .to = to, .rows = (int64_t)steps->max,
                       .chunks = (int64_t)steps->max + CHUNKS_OF_THE_ENDS);
    if (!e && step)
        e = DB_EACH(db, arena, take_chunk, &j, history_chunks, .cluster = cluster,
                    .from = history_hour(from), .to = to);
    if (!e)
        join_rows(&j, INT64_MIN);
    return e;
}

/* ---- moments ---- */

/* Of an hour that a moment falls into all points may lie on the wrong side of it. Those of the next
 * chunk do not. */
enum { CHUNKS_OF_A_MOMENT = 2 };

/* The last point between two moments of which chunks tell, or the first; TIME_NONE: there is none.
 * A chunk that cannot be read tells of none, so that late pushes go on. */
static int64_t find_packed(struct arena *arena, struct str cluster,
                           const struct history_chunk *chunks, size_t chunks_n, bool last,
                           int64_t from, int64_t to)
{
    if (chunks_n == 0)
        return TIME_NONE;
    struct chunk_point *points = ARENA_ARRAY(arena, POINT_CHUNK_MAX, struct chunk_point);
    for (size_t i = 0; i < chunks_n; i++) {
        size_t n;
        if (history_chunk_read(cluster, chunks[i].start, chunks[i].body, points, &n))
            continue;
        for (size_t k = 0; k < n; k++) {
            int64_t time = points[last ? n - 1 - k : k].time;
            if (time >= from && time <= to)
                return time;
        }
    }
    return TIME_NONE;
}

enum error history_last(struct db *db, struct arena *arena, struct str cluster, int64_t from,
                        int64_t to, int64_t *time)
{
    struct history_moment *last;
    struct history_chunk *chunks;
    size_t n;
    *time = TIME_NONE;
    enum error e =
        DB_ROW(db, arena, &last, history_last, .cluster = cluster, .from = from, .to = to);
    if (e)
        return e;
    *time = last ? last->time : TIME_NONE;
    from = *time == TIME_NONE ? from : *time;
    e = DB_ROWS(db, arena, &chunks, &n, history_last_chunks, .cluster = cluster,
                .from = history_hour(from), .to = to, .limit = CHUNKS_OF_A_MOMENT);
    if (e)
        return e;
    int64_t packed = find_packed(arena, cluster, chunks, n, true, from, to);
    *time = packed == TIME_NONE ? *time : packed;
    return ERR_OK;
}

enum error history_run_end(struct db *db, struct arena *arena, struct str cluster, int64_t from,
                           int64_t to, int64_t *time)
{
    struct history_moment *last;
    enum error e =
        DB_ROW(db, arena, &last, history_run_end, .cluster = cluster, .taken_at = from, .to = to);
    *time = !e && last ? last->time : from;
    return e;
}

enum error history_next(struct db *db, struct arena *arena, struct str cluster, int64_t after,
                        int64_t to, int64_t *time)
{
    struct history_moment *next;
    struct history_chunk *chunks;
    size_t n;
    *time = TIME_NONE;
    enum error e =
        DB_ROW(db, arena, &next, history_next, .cluster = cluster, .after = after, .to = to);
    if (e)
        return e;
    *time = next ? next->time : TIME_NONE;
    to = *time == TIME_NONE ? to : *time;
    e = DB_ROWS(db, arena, &chunks, &n, history_next_chunks, .cluster = cluster,
                .from = history_hour(after), .to = to, .limit = CHUNKS_OF_A_MOMENT);
    if (e)
        return e;
    int64_t packed = find_packed(arena, cluster, chunks, n, false, after + 1, to);
    *time = packed == TIME_NONE ? *time : packed;
    return ERR_OK;
}

enum error history_is_packed(struct db *db, struct arena *arena, struct str cluster, int64_t time,
                             bool *packed)
{
    struct history_chunk *chunks;
    size_t n;
    *packed = false;
    enum error e = DB_ROWS(db, arena, &chunks, &n, history_last_chunks, .cluster = cluster,
                           .from = history_hour(time), .to = history_hour(time), .limit = 1);
    if (!e)
        *packed = find_packed(arena, cluster, chunks, n, true, time, time) != TIME_NONE;
    return e;
}
