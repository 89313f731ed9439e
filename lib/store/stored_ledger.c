#include "store/stored_ledger.h"

#include "score/score.h"

#include "base/hash.h"
#include "base/log.h"
#include "store/history.h"
#include "store/quota.h"

struct ledger_row {
    int64_t taken, base, check_set, score_exact; /* base: TIME_NONE: body is a whole ledger */
    struct str body;
    int64_t formula;
};
struct ledger_moment {
    int64_t time;
};

#define STATEMENTS "store/stored_ledger.def"
#include "db/statements.inc"

/* ---- reading ---- */

/* The latest row between two times; NULL when there is none. */
static enum error latest(struct db *db, struct arena *arena, struct str cluster, int64_t from,
                         int64_t to, struct ledger_row **row)
{
    return DB_ROW(db, arena, row, ledger_latest, .cluster = cluster, .from = from, .to = to);
}

/* The impacts of the whole ledger of exactly that time. *there: false when there is none. */
static enum error fetch_base(struct db *db, struct arena *arena, struct str cluster, int64_t time,
                             struct impacts *impacts, bool *there)
{
    struct ledger_row *row;
    enum error e = latest(db, arena, cluster, time, time, &row);
    *there = !e && row && row->base == TIME_NONE && impacts_decode(arena, row->body, NULL, impacts);
    return e;
}

static enum error read_row(struct db *db, struct arena *arena, struct str cluster,
                           const struct ledger_row *row, struct stored_ledger *kept)
{
    struct impacts base, *against = row->base == TIME_NONE ? NULL : &base;
    bool there = true;
    enum error e = against ? fetch_base(db, arena, cluster, row->base, against, &there) : ERR_OK;
    if (e)
        return e;
    kept->time = row->taken;
    kept->check_set = row->check_set;
    kept->formula = row->formula;
    if (there && impacts_decode(arena, row->body, against, &kept->impacts) &&
        impacts_score(&kept->impacts) == row->score_exact)
        return ERR_OK;
    char time[CLOCK_TEXT_SIZE];
    log_error("cluster=%" STR_FMT " ledger=%s problem=\"it cannot be read\"", STR_ARG(cluster),
              clock_format(kept->time, time).p);
    return ERR_INTERNAL;
}

/* The newest snapshot up to `time` has the ledger of kept->time, and that is its time. */
static enum error find_snapshot(struct db *db, struct arena *arena, struct str cluster,
                                int64_t time, struct stored_ledger *kept)
{
    int64_t last;
    enum error e = history_last(db, arena, cluster, kept->time, time, &last);
    if (!e && last != TIME_NONE)
        kept->time = last;
    return e;
}

enum error stored_ledger_find(struct db *db, struct arena *arena, struct str cluster, int64_t time,
                              struct stored_ledger **kept)
{
    struct ledger_row *row;
    enum error e = latest(db, arena, cluster, 0, time, &row);
    *kept = NULL;
    if (e || !row)
        return e;
    *kept = ARENA_NEW(arena, struct stored_ledger);
    e = read_row(db, arena, cluster, row, *kept);
    return e ? e : find_snapshot(db, arena, cluster, time, *kept);
}

enum error stored_ledger_oldest(struct db *db, struct arena *arena, struct str cluster,
                                int64_t *time)
{
    struct ledger_moment *oldest;
    enum error e = DB_ROW(db, arena, &oldest, stored_ledger_oldest, .cluster = cluster);
    *time = e || !oldest ? TIME_NONE : oldest->time;
    return e;
}

/* ---- keeping ---- */

struct keeping {
    struct db *db;
    struct arena *arena;
    struct cluster_row *row;
    int64_t time, check_set;
    const struct ledger *ledger;
};

static enum error put(const struct keeping *k, int64_t base, struct str body)
{
    k->row->kept_bytes += QUOTA_LEDGER_BYTES + (int64_t)body.n;
    return DB_RUN(k->db, ledger_put, .cluster = k->row->id, .taken_at = k->time, .base_at = base,
                  .check_set = k->check_set, .score_exact = k->ledger->score_exact, .body = body,
                  .formula = SCORE_FORMULA);
}

/* Told against the day's whole ledger, unless that is gone or little is saved. */
static enum error keep_newest(const struct keeping *k, bool first_of_day)
{
    struct impacts base, impacts = impacts_of(k->arena, k->ledger);
    struct str body = impacts_encode(k->arena, &impacts, NULL), shorter;
    bool there = false;
    enum error e =
        first_of_day ? ERR_OK
                     : fetch_base(k->db, k->arena, k->row->id, k->row->ledger_base, &base, &there);
    if (e)
        return e;
    if (there) {
        shorter = impacts_encode(k->arena, &impacts, &base);
        if (shorter.n < body.n / 2)
            return put(k, k->row->ledger_base, shorter);
    }
    k->row->ledger_base = k->time;
    return put(k, TIME_NONE, body);
}

/* A point before the newest one. The next point may have no ledger of its own, because it was the
 * same as the one before: from now on it is not. */
static enum error keep_between(const struct keeping *k)
{
    int64_t next;
    struct impacts impacts = impacts_of(k->arena, k->ledger);
    enum error e = put(k, TIME_NONE, impacts_encode(k->arena, &impacts, NULL));
    if (!e)
        e = history_next(k->db, k->arena, k->row->id, k->time, k->row->newest, &next);
    if (e || next == TIME_NONE)
        return e;
    return DB_RUN(k->db, ledger_repeat, .cluster = k->row->id, .taken_at = next,
                  .from = k->time - 2 * CLOCK_DAY, .before = k->time);
}

static bool is_same_day(int64_t a, int64_t b)
{
    return a != TIME_NONE && a / CLOCK_DAY == b / CLOCK_DAY;
}

enum error stored_ledger_put(struct db *db, struct arena *arena, struct cluster_row *row,
                             int64_t time, const struct ledger *ledger, int64_t check_set)
{
    struct keeping k = {db, arena, row, time, check_set, ledger};
    int64_t hash = impacts_hash(ledger) ^ check_set ^ SCORE_FORMULA;
    bool first_of_day = !is_same_day(row->ledger_base, time);
    if (row->newest != TIME_NONE && time < row->newest)
        return keep_between(&k);
    bool same = hash == row->ledger_hash;
    row->newest = time;
    row->ledger_hash = hash;
    return same && !first_of_day ? ERR_OK : keep_newest(&k, first_of_day);
}
