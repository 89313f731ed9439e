#include "store/log_lines.h"

enum {
    STREAM_FRESH_MS = 60 * 1000,  /* pushed_at is not written more often */
    COUNTED_MS = 2 * 3600 * 1000, /* errors that are older are in no window any more */
    STREAMS_READ = 20000,         /* of a cluster, for a score: those that were pushed last */
    MINUTES_READ = 100000         /* with errors of a workload, the last ones */
};

/* What a push goes to: the cluster, its stream and its bucket. */
struct target {
    struct str cluster;
    int64_t pushed, bytes, counted;
};
struct error_sum {
    struct str namespace;
    struct pod_family family;
    int64_t errors;
};

#define STATEMENTS "store/log_lines.def"
#include "db/statements.inc"

struct adding {
    struct arena *arena;
    const struct log_push *push;
    int64_t now;
    struct log_limit limit;
    struct str cluster;
    bool stream_is_new, stream_is_fresh;
    struct log_insert_args *args; /* room for all lines */
    uint64_t added;               /* lines that were not there, */
    uint64_t minutes;             /* and minutes with errors of their workload */
    const struct log_answer *answer;
};

static int64_t minute_of(int64_t time)
{
    return time - time % CLOCK_MINUTE;
}

/* ---- the limit ---- */

static int64_t bytes_of_lines(const struct log_push *push)
{
    const struct log_line *line;
    int64_t bytes = 0;
    LIST_EACH (line, push->lines)
        bytes += (int64_t)line->message.n + LOG_ROW_BYTES;
    return bytes;
}

static int64_t bytes_of_stream(const struct adding *a)
{
    const struct log_push *push = a->push;
    if (!a->stream_is_new || push->lines.n == 0)
        return 0;
    return LOG_ROW_BYTES +
           (int64_t)(push->namespace.n + push->pod.n + push->container.n + push->family.base.n);
}

static int64_t bytes_of_minute(const struct log_push *push)
{
    return LOG_ROW_BYTES + (int64_t)(push->namespace.n + push->family.base.n);
}

static int64_t rate_of(struct log_limit limit)
{
    assert(limit.seconds > 0);
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
    double more = (double)(bytes_of_lines(a->push) + bytes_of_stream(a));
    double over = left + more - (double)a->limit.bytes;
    if (left <= 0 || over <= 0)
        return ERR_OK;
    *wait = (int64_t)((over < left ? over : left) / rate) + 1;
    return ERR_LOG_LIMIT;
}

/* What was there already costs nothing. */
static enum error count_usage(struct db *db, const struct adding *a, struct str answer)
{
    uint32_t lines = a->push->lines.n;
    double part = lines ? (double)a->added / lines : 0;
    int64_t bytes = (int64_t)((double)bytes_of_lines(a->push) * part) + bytes_of_stream(a) +
                    (int64_t)a->minutes * bytes_of_minute(a->push) +
                    (answer.n ? LOG_ROW_BYTES + (int64_t)answer.n : 0);
    if (a->limit.bytes == 0 || bytes == 0)
        return ERR_OK;
    return DB_RUN(db, log_usage_add, .cluster = a->cluster, .bytes = bytes, .counted_at = a->now,
                  .rate = rate_of(a->limit));
}

/* ---- lines ---- */

static struct log_insert_args insert_args(const struct adding *a, const struct log_line *line)
{
    return STMT_ARGS(log_insert, .cluster = a->cluster, .at = line->time, .nanos = line->nanos,
                     .line = line->id, .stream = a->push->stream, .severity = line->severity,
                     .level = str_or_empty(line->level), .position = line->position,
                     .message = line->message);
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
            a->args[n++] = insert_args(a, line);
    }
    return DB_RUN_MANY_COUNT(db, a->arena, added, log_insert, a->args, n);
}

static struct log_errors_add_args errors_args(const struct adding *a, int64_t minute,
                                              uint64_t errors)
{
    return STMT_ARGS(log_errors_add, .cluster = a->cluster, .minute = minute,
                     .namespace = a->push->namespace, .workload = a->push->family.base,
                     .shape = a->push->family.shape, .errors = (int64_t)errors);
}

/* Of these minutes, how many had none before: a row that is new is one that is changed, and one
 * that grows is two. */
static enum error add_errors(struct db *db, struct adding *a,
                             const struct log_errors_add_args *errors, size_t minutes)
{
    uint64_t changed = 0;
    if (minutes == 0)
        return ERR_OK;
    enum error e = DB_RUN_MANY_COUNT(db, a->arena, &changed, log_errors_add, errors, minutes);
    a->minutes = 2 * minutes > changed ? 2 * minutes - changed : 0;
    return e;
}

/* Errors first, minute by minute; then all other lines at once. */
static enum error insert_lines(struct db *db, struct adding *a)
{
    enum { MINUTES_MAX = (COUNTED_MS + LOG_AHEAD_MS) / CLOCK_MINUTE + 2 };
    struct log_errors_add_args *errors =
        ARENA_ARRAY(a->arena, MINUTES_MAX, struct log_errors_add_args);
    int64_t last = TIME_NONE;
    size_t minutes = 0;
    uint64_t added;
    enum error e = ERR_OK;
    a->added = a->minutes = 0;
    for (uint32_t i = 0; !e && i < a->push->lines.n; i++) {
        int64_t minute = counted_minute(a, &a->push->lines.items[i]);
        if (minute == TIME_NONE || minute == last)
            continue;
        last = minute;
        e = insert_minute(db, a, i, minute, &added);
        if (added)
            errors[minutes++] = errors_args(a, minute, added);
        a->added += added;
    }
    if (!e)
        e = insert_minute(db, a, 0, TIME_NONE, &added);
    a->added += e ? 0 : added;
    return e ? e : add_errors(db, a, errors, minutes);
}

static enum error put_stream(struct db *db, const struct adding *a)
{
    const struct log_push *push = a->push;
    if (a->stream_is_fresh || push->lines.n == 0)
        return ERR_OK;
    return DB_RUN(db, log_stream_put, .cluster = a->cluster, .stream = push->stream,
                  .namespace = push->namespace, .pod = push->pod, .container = push->container,
                  .workload = push->family.base, .shape = push->family.shape, .pushed_at = a->now);
}

static struct log_added added_of(const struct adding *a, int64_t wait)
{
    return (struct log_added){.duplicates = a->push->lines.n - a->added, .wait = wait};
}

/* Last, because the answer tells what was added; when it is there already everything is undone. */
static enum error remember(struct db *db, const struct adding *a, struct str answer)
{
    return push_remember(db, a->arena, a->cluster, a->answer->id, a->now, answer);
}

static enum error add(struct db *db, void *arg)
{
    struct adding *a = arg;
    struct str answer = {0};
    enum error e = put_stream(db, a);
    if (!e)
        e = insert_lines(db, a);
    if (e)
        return e;
    struct log_added added = added_of(a, 0);
    if (push_has_id(a->answer->id))
        answer = a->answer->write(a->answer->context, &added);
    e = count_usage(db, a, answer);
    return e || !answer.n ? e : remember(db, a, answer);
}

enum error log_lines_add(struct db *db, struct arena *arena, struct str cluster_name,
                         const struct log_push *push, int64_t now, struct log_limit limit,
                         const struct log_answer *answer, struct log_added *added)
{
    struct adding a = {.arena = arena, .push = push, .now = now, .limit = limit, .answer = answer};
    struct target *target;
    *added = (struct log_added){0};
    enum error e =
        DB_ROW(db, arena, &target, log_target, .name = cluster_name, .stream = push->stream);
    if (!target)
        return e ? e : ERR_UNKNOWN_CLUSTER;
    a.cluster = target->cluster;
    a.args = ARENA_ARRAY(arena, push->lines.n, struct log_insert_args);
    a.stream_is_new = target->pushed == TIME_NONE;
    a.stream_is_fresh = target->pushed != TIME_NONE && now - target->pushed < STREAM_FRESH_MS;
    if (push->lines.n == 0 && !push_has_id(answer->id))
        return e;
    e = check_limit(&a, target->bytes, target->counted, &added->wait);
    if (!e)
        e = db_transact(db, add, &a);
    *added = added_of(&a, added->wait);
    return e;
}

/* ---- what the scorer reads ---- */

static enum error fetch_families(struct db *db, struct arena *arena, struct str cluster_name,
                                 int64_t since, pod_log_list *logs)
{
    size_t n;
    enum error e = DB_ROWS(db, arena, &logs->items, &n, log_families, .name = cluster_name,
                           .after = since, .limit = STREAMS_READ);
    logs->n = (uint32_t)n;
    if (e)
        return e;
    pod_logs_sort(*logs);
    return ERR_OK;
}

/* Adds up the minutes after since, until included. */
static enum error fetch_sums(struct db *db, struct arena *arena, struct str cluster_name,
                             int64_t since, int64_t until, pod_log_list logs, bool recent)
{
    struct error_sum *sums;
    size_t n;
    enum error e = DB_ROWS(db, arena, &sums, &n, log_error_sums, .name = cluster_name,
                           .after = since, .until = until, .limit = MINUTES_READ);
    for (size_t i = 0; !e && i < n; i++) {
        struct pod_log *log =
            (struct pod_log *)pod_log_find(logs, sums[i].namespace, sums[i].family);
        if (log)
            *(recent ? &log->recent : &log->before) = sums[i].errors;
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

enum error log_lines_recent(struct db *db, struct arena *arena, struct str cluster_name,
                            int64_t time, pod_log_list *logs)
{
    int64_t recent = time - POD_LOG_RECENT_MINUTES * CLOCK_MINUTE;
    int64_t oldest = time - POD_LOG_MINUTES * CLOCK_MINUTE;
    enum error e = fetch_families(db, arena, cluster_name, oldest, logs);
    if (!e && logs->n)
        e = fetch_sums(db, arena, cluster_name, recent, time, *logs, true);
    if (!e && may_be_burst(*logs))
        e = fetch_sums(db, arena, cluster_name, oldest, recent, *logs, false);
    return e;
}
