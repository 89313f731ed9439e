#include "store/partition.h"

#include <stdio.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/log.h"

enum {
    AHEAD = 14,      /* days */
    DROP_MARGIN = 3, /* days: a ledger may be a difference from an earlier one */
    SPLIT_MAX = 500, /* days at once */
    TRIES = 5,
    TRY_AGAIN_MS = 500,
    REST = 4, /* times as long as pushes have waited */
    SQL_MAX = 64 * 1024
};

struct partition_name {
    struct str name;
};

#define STATEMENTS "store/partition.def"
#include "db/statements.inc"

/* Each counts the rows that its table has in p_future, up to a limit. */
#define PARTITIONED(table, kept)                                                                   \
    static enum error count_##table(const struct partition_work *work, int64_t limit,              \
                                    int64_t *rows)                                                 \
    {                                                                                              \
        return DB_NUMBER(work->db, work->arena, rows, future_##table, .limit = limit);             \
    }
#include "store/partitions.def"
#undef PARTITIONED

enum kept { KEPT_PLAN, KEPT_LOGS };

static const struct table {
    const char *name;
    enum kept kept;
    enum error (*count)(const struct partition_work *work, int64_t limit, int64_t *rows);
} tables[] = {
#define PARTITIONED(table, kept) {#table, KEPT_##kept, count_##table},
#include "store/partitions.def"
#undef PARTITIONED
};

/* ---- names: p20261121 has the rows of that day ---- */

static int64_t day_of(struct str name)
{
    struct clock_parts parts = {0};
    int64_t number;
    if (name.n != 9 || name.p[0] != 'p' || !str_to_i64(str_sub(name, 1, 8), &number))
        return TIME_NONE;
    parts.year = (int)(number / 10000);
    parts.month = (int)(number / 100 % 100);
    parts.day = (int)(number % 100);
    return clock_join(&parts) / CLOCK_DAY;
}

static struct clock_parts parts_of(int64_t day)
{
    struct clock_parts parts = {0};
    clock_split(day * CLOCK_DAY, &parts);
    return parts;
}

static void put_name(struct buf *sql, int64_t day)
{
    struct clock_parts p = parts_of(day);
    buf_printf(sql, "p%04d%02d%02d", p.year, p.month, p.day);
}

static void put_day(struct buf *sql, int64_t day)
{
    struct clock_parts end = parts_of(day + 1);
    buf_printf(sql, "PARTITION ");
    put_name(sql, day);
    buf_printf(sql, " VALUES LESS THAN ('%04d-%02d-%02d'), ", end.year, end.month, end.day);
}

/* ---- one table ---- */

struct days {
    bool has_future;
    size_t n;
    int64_t *items; /* ascending */
};

static enum error list_days(const struct partition_work *work, const struct table *table,
                            struct days *days)
{
    struct partition_name *names;
    size_t n;
    enum error e = DB_ROWS(work->db, work->arena, &names, &n, partition_list,
                           .table_name = str_of(table->name));
    *days = (struct days){.items = ARENA_ARRAY(work->arena, n, int64_t)};
    for (size_t i = 0; !e && i < n; i++) {
        int64_t day = day_of(names[i].name);
        days->has_future |= str_eq(names[i].name, STR("p_future"));
        if (day != TIME_NONE)
            days->items[days->n++] = day;
    }
    return e;
}

static void tell(const struct partition_work *work, const struct table *table,
                 enum partition_change change, size_t n, int64_t first, int64_t last)
{
    work->tell(work->context, &(struct partition_report){.table = table->name,
                                                         .change = change,
                                                         .days = n,
                                                         .first = first * CLOCK_DAY,
                                                         .last = last * CLOCK_DAY});
}

/* Others may hold the table longer than a second: then again, a little later. */
static enum error alter(const struct partition_work *work, const struct buf *sql)
{
    enum error e = ERR_DATABASE_BUSY;
    if (sql->full)
        return ERR_INTERNAL;
    for (int i = 0; e == ERR_DATABASE_BUSY && i < TRIES && !*work->throttle->stop; i++) {
        if (i > 0)
            usleep(TRY_AGAIN_MS * 1000);
        e = db_alter(work->db, buf_str(sql));
        throttle_rest(work->throttle, REST);
    }
    return e;
}

static struct buf begin_alter(const struct partition_work *work, const struct table *table)
{
    struct buf sql = buf_init(work->arena, SQL_MAX);
    buf_printf(&sql, "ALTER TABLE %s WAIT 1 ", table->name);
    return sql;
}

/* Has p_future more rows than may be copied while pushes wait? */
static enum error is_too_full(const struct partition_work *work, const struct table *table,
                              bool *too_full)
{
    int64_t rows;
    enum error e = table->count(work, work->split_max + 1, &rows);
    *too_full = rows > work->split_max;
    if (*too_full)
        log_warn("table=%s problem=\"p_future has more than %lld rows: no days are split off, "
                 "because pushes would wait; see --split-max\"",
                 table->name, (long long)work->split_max);
    return e;
}

static enum error split_days(const struct partition_work *work, const struct table *table,
                             int64_t first, int64_t last)
{
    struct buf sql = begin_alter(work, table);
    buf_printf(&sql, "REORGANIZE PARTITION p_future INTO (");
    for (int64_t day = first; day <= last; day++)
        put_day(&sql, day);
    buf_printf(&sql, "PARTITION p_future VALUES LESS THAN (MAXVALUE))");
    return work->only_show ? ERR_OK : alter(work, &sql);
}

/* The first day also has all that is older. Up to today there may be rows, which are copied once;
 * later days are split off one by one, unless nobody minds, so that pushes wait for two new files
 * at a time. */
static enum error split(const struct partition_work *work, const struct table *table,
                        const struct days *days, bool *complete)
{
    int64_t today = work->now / CLOCK_DAY, first = days->n ? days->items[days->n - 1] + 1 : today;
    int64_t last = today + AHEAD, next;
    bool too_full;
    if (!days->has_future || first > last)
        return ERR_OK;
    enum error e = is_too_full(work, table, &too_full);
    if (e || too_full) {
        *complete = false;
        return e;
    }
    first = last - first < SPLIT_MAX ? first : last - SPLIT_MAX;
    next = first;
    while (!e && next <= last && !*work->throttle->stop) {
        int64_t end = work->throttle->hurry ? last : next < today ? today : next;
        e = split_days(work, table, next, end);
        next = e ? next : end + 1;
    }
    if (next > first)
        tell(work, table, PARTITION_SPLIT, (size_t)(next - first), first, next - 1);
    return e;
}

static enum error drop_day(const struct partition_work *work, const struct table *table,
                           int64_t day)
{
    struct buf sql = begin_alter(work, table);
    buf_printf(&sql, "DROP PARTITION ");
    put_name(&sql, day);
    return work->only_show ? ERR_OK : alter(work, &sql);
}

/* Days before `before`; the last one stays whatever it is. */
static enum error drop(const struct partition_work *work, const struct table *table,
                       const struct days *days, int64_t before)
{
    enum error e = ERR_OK;
    size_t n = 0;
    while (!e && n + 1 < days->n && days->items[n] < before && !*work->throttle->stop) {
        e = drop_day(work, table, days->items[n]);
        n += !e;
    }
    if (n > 0)
        tell(work, table, PARTITION_DROPPED, n, days->items[0], days->items[n - 1]);
    return e;
}

static enum error maintain(const struct partition_work *work, const struct table *table,
                           bool *complete)
{
    struct days days;
    int64_t kept = table->kept == KEPT_LOGS ? work->logs_days : work->plan_days;
    enum error e = list_days(work, table, &days);
    if (!e)
        e = drop(work, table, &days, work->now / CLOCK_DAY - kept - DROP_MARGIN);
    return e ? e : split(work, table, &days, complete);
}

enum error partition_maintain(const struct partition_work *work, bool *complete)
{
    int64_t locked;
    enum error e = DB_NUMBER(work->db, work->arena, &locked, maintenance_lock);
    *complete = !e;
    if (e)
        return e;
    if (locked != 1) {
        log_info("partitions=0 reason=\"another loadline-maintain is at them\"");
        return ERR_OK;
    }
    for (size_t i = 0; i < sizeof tables / sizeof tables[0] && !*work->throttle->stop; i++) {
        enum error one = maintain(work, &tables[i], complete);
        *complete &= !one;
        e = e ? e : one;
    }
    return e;
}
