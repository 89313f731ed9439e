#include "store/log.h"

enum {
    INSERT_ARGS = 9,
    ERROR_ARGS = 6,
    STREAM_FRESH_MS = 60 * 1000, /* pushed_at is not written more often */
    COUNTED_MS = 2 * 3600 * 1000 /* errors that are older are in no window any more */
};

struct adding {
    struct arena *arena;
    const struct log_push *push;
    int64_t now;
    struct log_limit limit;
    struct str cluster;
    bool stream_is_fresh;
    struct db_value *args; /* of log_insert, room for all lines */
    uint64_t added;        /* lines that were not there */
};

static int64_t minute_of(int64_t time)
{
    return time - time % CLOCK_MINUTE;
}

/* ---- the limit ---- */

static int64_t bytes_of(const struct log_push *push)
{
    const struct log_line *line;
    int64_t bytes = 0;
    LIST_EACH (line, push->lines)
        bytes += (int64_t)line->message.n + LOG_LINE_BYTES;
    return bytes;
}

static int64_t rate_of(struct log_limit limit)
{
    return limit.bytes / limit.seconds + 1;
}

/* In the bucket, bytes at counted_at. A bucket that is empty takes any push. */
static enum error check_limit(const struct adding *a, int64_t bytes, int64_t counted_at,
                              int64_t *wait)
{
    if (a->limit.bytes == 0 || counted_at == TIME_NONE)
        return ERR_OK;
    double rate = (double)rate_of(a->limit);
    double elapsed = a->now > counted_at ? (double)(a->now - counted_at) / 1000 : 0;
    double left = (double)bytes - elapsed * rate;
    double over = left + (double)bytes_of(a->push) - (double)a->limit.bytes;
    if (left <= 0 || over <= 0)
        return ERR_OK;
    *wait = (int64_t)((over < left ? over : left) / rate) + 1;
    return ERR_LOG_LIMIT;
}

/* Lines that were there already cost nothing. */
static enum error count_usage(struct db *db, const struct adding *a)
{
    uint32_t lines = a->push->lines.n;
    if (a->limit.bytes == 0 || a->added == 0)
        return ERR_OK;
    int64_t bytes = (int64_t)((double)bytes_of(a->push) * (double)a->added / lines);
    return db_run(
        db, STMT_log_usage_add,
        DB_ARGS(db_uuid(a->cluster), db_int(bytes), db_time(a->now), db_int(rate_of(a->limit))),
        NULL);
}

/* ---- lines ---- */

static void put_line(const struct adding *a, const struct log_line *line, struct db_value *args)
{
    args[0] = db_uuid(a->cluster);
    args[1] = db_time(line->time);
    args[2] = db_int(line->nanos);
    args[3] = db_int(line->id);
    args[4] = db_int(a->push->stream);
    args[5] = db_int(line->severity);
    args[6] = db_text_or_empty(line->level);
    args[7] = db_int(line->position);
    args[8] = db_text(line->message);
}

/* Errors are counted by the minute, and only those that were not there already: so those of a
 * minute go together. Anything else is of minute TIME_NONE. */
static int64_t counted_minute(const struct adding *a, const struct log_line *line)
{
    bool counts = line->severity >= LOG_ERROR && line->time > a->now - COUNTED_MS;
    return counts ? minute_of(line->time) : TIME_NONE;
}

/* Inserts the lines of one counted minute from `from` on: they are sorted by time. */
static enum error insert_minute(struct db *db, const struct adding *a, uint32_t from,
                                int64_t minute, uint64_t *added)
{
    const struct log_push *push = a->push;
    size_t n = 0;
    for (uint32_t i = from; i < push->lines.n; i++) {
        const struct log_line *line = &push->lines.items[i];
        if (minute != TIME_NONE && line->time >= minute + CLOCK_MINUTE)
            break;
        if (counted_minute(a, line) == minute)
            put_line(a, line, a->args + n++ * INSERT_ARGS);
    }
    return db_run_many_affected(db, a->arena, STMT_log_insert, a->args, n, added);
}

static void put_errors(const struct adding *a, int64_t minute, uint64_t errors,
                       struct db_value *args)
{
    args[0] = db_uuid(a->cluster);
    args[1] = db_time(minute);
    args[2] = db_text(a->push->namespace);
    args[3] = db_text(a->push->family.base);
    args[4] = db_int(a->push->family.shape);
    args[5] = db_int((int64_t)errors);
}

/* Errors first, minute by minute; then all other lines at once. */
static enum error insert_lines(struct db *db, struct adding *a)
{
    enum { MINUTES_MAX = (COUNTED_MS + LOG_AHEAD_MS) / CLOCK_MINUTE + 2 };
    struct db_value *errors = ARENA_ARRAY(a->arena, MINUTES_MAX * ERROR_ARGS, struct db_value);
    int64_t last = TIME_NONE;
    size_t minutes = 0;
    uint64_t added;
    enum error e = ERR_OK;
    a->added = 0;
    for (uint32_t i = 0; !e && i < a->push->lines.n; i++) {
        int64_t minute = counted_minute(a, &a->push->lines.items[i]);
        if (minute == TIME_NONE || minute == last)
            continue;
        last = minute;
        e = insert_minute(db, a, i, minute, &added);
        if (added)
            put_errors(a, minute, added, errors + minutes++ * ERROR_ARGS);
        a->added += added;
    }
    if (!e)
        e = insert_minute(db, a, 0, TIME_NONE, &added);
    a->added += e ? 0 : added;
    return e ? e : db_run_many(db, a->arena, STMT_log_errors_add, errors, minutes);
}

static enum error put_stream(struct db *db, const struct adding *a)
{
    const struct log_push *push = a->push;
    if (a->stream_is_fresh)
        return ERR_OK;
    return db_run(db, STMT_log_stream_put,
                  DB_ARGS(db_uuid(a->cluster), db_int(push->stream), db_text(push->namespace),
                          db_text(push->pod), db_text(push->container), db_text(push->family.base),
                          db_int(push->family.shape), db_time(a->now)),
                  NULL);
}

static enum error add(struct db *db, void *arg)
{
    struct adding *a = arg;
    enum error e = put_stream(db, a);
    if (!e)
        e = insert_lines(db, a);
    return e ? e : count_usage(db, a);
}

enum error log_add(struct db *db, struct arena *arena, struct str cluster_name,
                   const struct log_push *push, int64_t now, struct log_limit limit,
                   struct log_added *added)
{
    struct adding a = {.arena = arena, .push = push, .now = now, .limit = limit};
    struct db_value *row;
    *added = (struct log_added){0};
    enum error e = db_row(db, arena, STMT_log_target,
                          DB_ARGS(db_int(push->stream), db_text(cluster_name)), &row);
    if (e || !row)
        return e ? e : ERR_UNKNOWN_CLUSTER;
    a.cluster = row[0].s;
    a.args = ARENA_ARRAY(arena, push->lines.n * INSERT_ARGS, struct db_value);
    a.stream_is_fresh = row[1].i != TIME_NONE && now - row[1].i < STREAM_FRESH_MS;
    if (push->lines.n)
        e = check_limit(&a, row[2].i, row[3].i, &added->wait);
    if (!e && push->lines.n)
        e = db_transact(db, add, &a);
    added->duplicates = push->lines.n - a.added;
    return e;
}

/* ---- what the scorer reads ---- */

static struct pod_family family_of(const struct db_value *row)
{
    return (struct pod_family){row[1].s, (enum pod_shape)row[2].i};
}

static enum error fetch_families(struct db *db, struct arena *arena, struct str cluster_name,
                                 int64_t since, pod_log_list *logs)
{
    struct db_rows rows;
    enum error e = db_rows(db, arena, STMT_log_families,
                           DB_ARGS(db_text(cluster_name), db_time(since)), &rows);
    if (e)
        return e;
    logs->n = (uint32_t)rows.n;
    LIST_ROOM(arena, *logs);
    for (size_t i = 0; i < rows.n; i++)
        LIST_PUT(*logs, ((struct pod_log){rows.items[i][0].s, family_of(rows.items[i]), 0, 0}));
    pod_logs_sort(*logs);
    return ERR_OK;
}

/* Adds up the minutes after since, until included. */
static enum error fetch_sums(struct db *db, struct arena *arena, struct str cluster_name,
                             int64_t since, int64_t until, pod_log_list logs, bool recent)
{
    struct db_rows rows;
    enum error e = db_rows(db, arena, STMT_log_error_sums,
                           DB_ARGS(db_text(cluster_name), db_time(since), db_time(until)), &rows);
    for (size_t i = 0; !e && i < rows.n; i++) {
        const struct db_value *row = rows.items[i];
        struct pod_log *log = (struct pod_log *)pod_log_find(logs, row[0].s, family_of(row));
        if (log)
            *(recent ? &log->recent : &log->before) = row[3].i;
    }
    return e;
}

/* A workload may have several families, all of one namespace; a Deployment has but its own. */
static bool may_be_burst(pod_log_list logs)
{
    const struct pod_log *log;
    struct str namespace = {0};
    int64_t sum = 0;
    LIST_EACH (log, logs) {
        if (!str_eq(log->namespace, namespace))
            sum = 0;
        namespace = log->namespace;
        if (log->family.shape != POD_SHAPE_DEPLOYMENT)
            sum += log->recent;
        if (log->recent >= POD_LOG_BURST || sum >= POD_LOG_BURST)
            return true;
    }
    return false;
}

enum error log_recent(struct db *db, struct arena *arena, struct str cluster_name, int64_t time,
                      pod_log_list *logs)
{
    int64_t recent = time - POD_LOG_RECENT_MINUTES * CLOCK_MINUTE;
    int64_t oldest = recent - POD_LOG_BEFORE_MINUTES * CLOCK_MINUTE;
    enum error e = fetch_families(db, arena, cluster_name, oldest, logs);
    if (!e && logs->n)
        e = fetch_sums(db, arena, cluster_name, recent, time, *logs, true);
    if (!e && may_be_burst(*logs))
        e = fetch_sums(db, arena, cluster_name, oldest, recent, *logs, false);
    return e;
}
