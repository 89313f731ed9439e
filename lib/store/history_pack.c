#include "store/history_pack.h"

#include "base/log.h"
#include "store/history_points.h"
#include "store/history_rollup.h"

enum {
    REST = 2,                    /* times as long as the work */
    SETTLED_MS = 15 * 60 * 1000, /* after an hour: most that come late have come */
    HOURS_AT_ONCE = 240,
    CLUSTERS_AT_ONCE = 100
};

struct pack_cluster {
    struct str tenant, cluster;
};
struct pack_progress {
    int64_t packed, rolled;
};
struct pack_moment {
    int64_t time;
};
struct pack_point {
    int64_t time, score, score_exact, nodes, pods, risks, formula;
};
struct pack_body {
    struct str body;
};

#define STATEMENTS "store/history_pack.def"
#include "db/statements.inc"

/* A piece of work on a cluster. */
struct piece {
    struct history_packing *p;
    struct str cluster;
    int64_t from, before;
    uint64_t done; /* hours or points */
};

static bool goes_on(const struct history_packing *p)
{
    return !*p->throttle->stop && (!p->deadline || clock_monotonic() < p->deadline);
}

/* *there: false when the cluster is gone. */
static enum error lock(struct db *db, const struct piece *piece, struct pack_progress *progress,
                       bool *there)
{
    struct pack_progress *row;
    enum error e = DB_ROW(db, piece->p->arena, &row, pack_lock, .cluster = piece->cluster);
    *there = !e && row;
    *progress = *there ? *row : (struct pack_progress){TIME_NONE, TIME_NONE};
    return e;
}

/* Runs work in a transaction of its own, then rests. */
static enum error do_piece(struct piece *piece, enum error (*work)(struct db *db, void *arg))
{
    struct history_packing *p = piece->p;
    enum error e = db_transact(p->db, work, piece);
    p->progress(p->context);
    throttle_rest(p->throttle, REST);
    return e;
}

/* ---- steps ---- */

static bool has_open_steps(const struct pack_progress *progress, int64_t until)
{
    return progress->rolled != TIME_NONE && progress->rolled < until;
}

/* The caller holds the lock. */
static enum error close_steps(struct db *db, const struct piece *piece,
                              const struct pack_progress *progress)
{
    return has_open_steps(progress, piece->before)
               ? history_rollup_advance(db, piece->cluster, progress->rolled, piece->before)
               : ERR_OK;
}

static enum error lock_and_close_steps(struct db *db, void *arg)
{
    const struct piece *piece = arg;
    struct pack_progress progress;
    bool there;
    arena_reset(piece->p->arena);
    enum error e = lock(db, piece, &progress, &there);
    return e ? e : close_steps(db, piece, &progress);
}

/* ---- hours ---- */

/* A push may have opened a step since they were closed. */
static enum error add_hours(struct db *db, void *arg)
{
    struct piece *piece = arg;
    struct pack_progress progress;
    bool there;
    piece->done = 0;
    arena_reset(piece->p->arena);
    enum error e = lock(db, piece, &progress, &there);
    if (e || !there || progress.packed >= piece->before)
        return e;
    int64_t from = progress.packed > piece->from ? progress.packed : piece->from;
    e = close_steps(db, piece, &progress);
    if (!e)
        e = DB_RUN_COUNT(db, &piece->done, pack_hours, .cluster = piece->cluster, .from = from,
                         .before = piece->before);
    return e ? e : DB_RUN(db, pack_done, .cluster = piece->cluster, .packed_to = piece->before);
}

/* All hours until a moment, some at a time. The steps of one that pushes no more are open still. */
static enum error pack_hours(struct history_packing *p, struct str cluster, int64_t until)
{
    struct pack_progress *progress;
    struct pack_moment *next;
    int64_t from = 0;
    enum error e = DB_ROW(p->db, p->arena, &progress, pack_progress, .cluster = cluster);
    if (!e && progress && progress->packed != TIME_NONE)
        from = progress->packed;
    if (!e && progress && has_open_steps(progress, until))
        e = do_piece(&(struct piece){p, cluster, 0, until, 0}, lock_and_close_steps);
    while (!e && goes_on(p)) {
        e = DB_ROW(p->db, p->arena, &next, pack_next_step, .cluster = cluster, .from = from,
                   .before = until);
        if (e || !next)
            break;
        int64_t start = history_hour(next->time),
                end = start + (int64_t)HOURS_AT_ONCE * POINT_CHUNK_MS;
        struct piece piece = {p, cluster, start, end < until ? end : until, 0};
        e = do_piece(&piece, add_hours);
        p->hours += e ? 0 : piece.done;
        from = piece.before;
    }
    return e;
}

/* ---- points ---- */

static struct chunk_point chunk_point_of(const struct pack_point *row)
{
    return (struct chunk_point){.time = row->time,
                                .nodes = (uint32_t)row->nodes,
                                .pods = (uint32_t)row->pods,
                                .risks = (uint32_t)row->risks,
                                .score_exact = (uint16_t)row->score_exact,
                                .score = (uint8_t)row->score,
                                .formula = (uint8_t)row->formula};
}

/* What is packed of the hour already. */
static enum error read_chunk(struct db *db, const struct piece *piece, struct chunk_point *points,
                             size_t *n)
{
    struct pack_body *chunk;
    *n = 0;
    enum error e = DB_ROW(db, piece->p->arena, &chunk, pack_chunk, .cluster = piece->cluster,
                          .hour_at = piece->from);
    if (e || !chunk)
        return e;
    return history_chunk_read(piece->cluster, piece->from, chunk->body, points, n);
}

/* Both are in order of time. */
static void merge(struct chunk_point *into, const struct chunk_point *packed, size_t packed_n,
                  const struct pack_point *rows, size_t rows_n)
{
    size_t i = 0, j = 0;
    while (i < packed_n || j < rows_n) {
        bool first = j == rows_n || (i < packed_n && packed[i].time <= rows[j].time);
        *into++ = first ? packed[i++] : chunk_point_of(&rows[j++]);
    }
}

static enum error put_chunk(struct db *db, const struct piece *piece,
                            const struct chunk_point *points, size_t n)
{
    struct str body = point_chunk_encode(piece->p->arena, piece->from, points, n);
    enum error e = DB_RUN(db, pack_put, .cluster = piece->cluster, .hour_at = piece->from,
                          .points = (int64_t)n, .body = body);
    if (!e)
        e = DB_RUN(db, pack_remove, .cluster = piece->cluster, .from = piece->from,
                   .before = piece->before);
    return e;
}

/* The hour's steps are added up once more: programs of before leave the hour alone when a point
 * comes late. */
static enum error pack_hour(struct db *db, void *arg)
{
    struct piece *piece = arg;
    struct arena *arena = piece->p->arena;
    struct pack_progress progress;
    bool there;
    piece->done = 0;
    arena_reset(arena);
    enum error e = lock(db, piece, &progress, &there);
    if (e || !there || progress.packed < piece->before)
        return e;
    struct chunk_point *packed = ARENA_ARRAY(arena, POINT_CHUNK_MAX, struct chunk_point);
    struct pack_point *rows;
    size_t packed_n, rows_n = 0;
    e = read_chunk(db, piece, packed, &packed_n);
    if (!e)
        e = DB_ROWS(db, arena, &rows, &rows_n, pack_points, .cluster = piece->cluster,
                    .from = piece->from, .before = piece->before, .limit = POINT_CHUNK_MAX + 1);
    if (e || rows_n == 0 || packed_n + rows_n > POINT_CHUNK_MAX)
        return e;
    struct chunk_point *all = ARENA_ARRAY(arena, packed_n + rows_n, struct chunk_point);
    merge(all, packed, packed_n, rows, rows_n);
    e = put_chunk(db, piece, all, packed_n + rows_n);
    piece->done = rows_n;
    return e ? e
             : DB_RUN(db, pack_hours, .cluster = piece->cluster, .from = piece->from,
                      .before = piece->before);
}

/* All points until a moment, an hour at a time. An hour with more points than a chunk has room for
 * keeps its rows, and so does one whose chunk cannot be read. */
static enum error pack_points(struct history_packing *p, struct str cluster, int64_t until)
{
    struct pack_moment *next;
    int64_t from = 0;
    enum error e = ERR_OK, failed = ERR_OK;
    while (!e && goes_on(p)) {
        e = DB_ROW(p->db, p->arena, &next, pack_next_point, .cluster = cluster, .from = from,
                   .before = until);
        if (e || !next)
            break;
        struct piece piece = {p, cluster, history_hour(next->time),
                              history_hour(next->time) + POINT_CHUNK_MS, 0};
        enum error hour = do_piece(&piece, pack_hour);
        p->points += hour ? 0 : piece.done;
        failed = hour ? hour : failed;
        e = hour == ERR_INTERNAL ? ERR_OK : hour;
        from = piece.before;
    }
    return e ? e : failed;
}

/* ---- all clusters ---- */

static enum error pack_cluster(struct history_packing *p, struct str tenant, struct str cluster)
{
    int64_t until = history_hour(p->now - SETTLED_MS);
    arena_reset(p->arena);
    db_set_tenant(p->db, tenant);
    enum error e = pack_hours(p, cluster, until);
    if (!e)
        e = pack_points(p, cluster, until);
    return e == ERR_DATABASE_BUSY ? ERR_OK : e; /* others have locked it: the next run does it */
}

/* Outlives the arena's resets. */
struct page {
    char tenants[CLUSTERS_AT_ONCE][UUID_TEXT_LEN + 1],
        clusters[CLUSTERS_AT_ONCE][UUID_TEXT_LEN + 1];
    size_t n;
};

static void copy_id(char out[UUID_TEXT_LEN + 1], struct str id)
{
    size_t n = id.n < UUID_TEXT_LEN ? id.n : UUID_TEXT_LEN;
    memcpy(out, id.p, n);
    out[n] = 0;
}

static enum error read_page(struct history_packing *p, const char *after, struct page *page)
{
    struct pack_cluster *rows;
    arena_reset(p->arena);
    enum error e = DB_ROWS(p->db, p->arena, &rows, &page->n, pack_page, .after = str_of(after),
                           .limit = CLUSTERS_AT_ONCE);
    page->n = e ? 0 : page->n;
    for (size_t i = 0; i < page->n; i++) {
        copy_id(page->tenants[i], rows[i].tenant);
        copy_id(page->clusters[i], rows[i].cluster);
    }
    return e;
}

enum error history_pack(struct history_packing *p)
{
    char after[UUID_TEXT_LEN + 1] = UUID_NIL;
    struct page page = {.n = CLUSTERS_AT_ONCE};
    enum error e = ERR_OK, failed = ERR_OK;
    while (!e && page.n == CLUSTERS_AT_ONCE && goes_on(p)) {
        e = read_page(p, after, &page);
        for (size_t i = 0; i < page.n && goes_on(p); i++) {
            enum error of_cluster =
                pack_cluster(p, str_of(page.tenants[i]), str_of(page.clusters[i]));
            failed = of_cluster ? of_cluster : failed;
        }
        if (page.n)
            copy_id(after, str_of(page.clusters[page.n - 1]));
    }
    return e ? e : failed;
}
