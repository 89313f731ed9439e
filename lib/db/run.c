/* Statements run: one, or one for many rows at once. */
#include "db/db.h"
#include "base/log.h"
#include "db/internal.h"

/* ---- values ---- */

static void time_to_sql(int64_t ms, MYSQL_TIME *out)
{
    struct clock_parts t = {0};
    clock_split(ms, &t); /* what is no time fails as a date of zeros does */
    *out = (MYSQL_TIME){.year = (unsigned)t.year,
                        .month = (unsigned)t.month,
                        .day = (unsigned)t.day,
                        .hour = (unsigned)t.hour,
                        .minute = (unsigned)t.minute,
                        .second = (unsigned)t.second,
                        .second_part = (unsigned long)t.millisecond * 1000,
                        .time_type = MYSQL_TIMESTAMP_DATETIME};
}

enum enum_field_types db_wire_type(enum db_type type)
{
    switch (type) {
    case DB_INT:
        return MYSQL_TYPE_LONGLONG;
    case DB_TIME:
        return MYSQL_TYPE_DATETIME;
    case DB_BYTES:
        return MYSQL_TYPE_BLOB;
    case DB_TEXT:
    case DB_UUID:
        break;
    }
    return MYSQL_TYPE_STRING;
}

/* ---- one row ---- */

static void bind_value(MYSQL_BIND *bind, const struct db_value *value, MYSQL_TIME *time)
{
    bind->buffer_type = value->null ? MYSQL_TYPE_NULL : db_wire_type(value->type);
    if (value->null)
        return;
    if (value->type == DB_INT) {
        bind->buffer = (void *)&value->i;
    } else if (value->type == DB_TIME) {
        time_to_sql(value->i, time);
        bind->buffer = time;
    } else {
        bind->buffer = (void *)(value->s.p ? value->s.p : "");
        bind->buffer_length = value->s.n;
        bind->length_value = value->s.n;
        bind->length = &bind->length_value;
    }
}

/* Outside of transactions statements commit by themselves; the last one has turned that off. */
static enum error commit_alone(struct db *db)
{
    bool stays = db->in_transaction || db->leaves_open;
    db->leaves_open = false;
    return stays || db_server_status(db) & SERVER_STATUS_AUTOCOMMIT
               ? ERR_OK
               : db_send_query(db, "SET autocommit = 1");
}

/* Over its limit, work begins nothing more: who waits for it has been told already, or soon is. */
static enum error begin_statement(struct db *db, const struct stmt *stmt,
                                  struct prepared **prepared)
{
    if (!db_is_over_limit(db)) {
        enum error e = db_prepare(db, stmt, prepared);
        return e ? e : commit_alone(db);
    }
    log_warn("database statement=%s problem=\"the work has taken longer than it may\"", stmt->name);
    return ERR_DATABASE_BUSY;
}

static enum error send_values(struct db *db, const struct stmt *stmt, const struct db_value *values,
                              enum error none, struct prepared **prepared)
{
    MYSQL_BIND binds[DB_PARAMS_MAX] = {0};
    MYSQL_TIME times[DB_PARAMS_MAX];
    enum error e = stmt_check(stmt, &db->tenant, values);
    if (!e)
        e = begin_statement(db, stmt, prepared);
    if (e)
        return db_fail_transaction(db, e);
    const struct prepared *p = *prepared;
    for (size_t i = 0; i < p->order_length; i++)
        bind_value(&binds[i], p->order[i] == STMT_TENANT ? &db->tenant : &values[p->order[i]],
                   &times[i]);
    return db_send_statement(db, *prepared, binds, 0, none);
}

enum error db_run_statement(struct db *db, const struct stmt *stmt, const struct db_value *values,
                            struct prepared **prepared)
{
    enum error e = send_values(db, stmt, values, ERR_OK, prepared);
    return e ? e : db_wait(db, *prepared);
}

/* Is its answer to be waited for? */
static bool is_awaited(const struct db *db, const struct stmt *stmt, const uint64_t *affected)
{
    return !db->sends_ahead || affected || stmt->columns->name;
}

/* After it was sent. */
static enum error finish(struct db *db, struct prepared *prepared, uint64_t *affected)
{
    if (!is_awaited(db, prepared->stmt, affected))
        return ERR_OK;
    enum error e = db_wait(db, prepared);
    if (!e && affected)
        *affected = mysql_stmt_affected_rows(prepared->handle);
    return e;
}

static enum error execute(struct db *db, const struct stmt *stmt, const void *args, enum error none,
                          uint64_t *affected)
{
    struct db_value values[DB_PARAMS_MAX];
    struct prepared *prepared;
    if (affected)
        *affected = 0;
    stmt->put(args, values);
    enum error e = send_values(db, stmt, values, none, &prepared);
    return e ? e : finish(db, prepared, affected);
}

enum error db_execute(struct db *db, const struct stmt *stmt, const void *args, uint64_t *affected)
{
    return execute(db, stmt, args, ERR_OK, affected);
}

enum error db_execute_or(struct db *db, enum error none, const struct stmt *stmt, const void *args)
{
    return execute(db, stmt, args, none, NULL);
}

/* ---- many rows at once: one column of values a parameter ---- */

/* What stands for a ? in each row. The client library wants numbers in an array, of everything else
 * an array of pointers. */
struct column_in {
    enum db_type type;
    long long *numbers;
    const void **pointers;
    MYSQL_TIME *times;
    unsigned long *lengths;
    char *indicators;
};

static struct column_in column_in(struct arena *arena, enum db_type type, size_t rows)
{
    bool is_time = type == DB_TIME, is_number = type == DB_INT;
    return (struct column_in){.type = type,
                              .numbers = is_number ? ARENA_ARRAY(arena, rows, long long) : NULL,
                              .pointers = is_number ? NULL : ARENA_ARRAY(arena, rows, const void *),
                              .times = is_time ? ARENA_ARRAY(arena, rows, MYSQL_TIME) : NULL,
                              .lengths = ARENA_ARRAY(arena, rows, unsigned long),
                              .indicators = ARENA_ARRAY(arena, rows, char)};
}

static void column_put(const struct column_in *column, size_t row, const struct db_value *value)
{
    column->indicators[row] = value->null ? STMT_INDICATOR_NULL : STMT_INDICATOR_NONE;
    column->lengths[row] = value->s.n;
    if (column->numbers) {
        column->numbers[row] = value->i;
    } else if (column->times) {
        column->pointers[row] = &column->times[row];
        if (!value->null)
            time_to_sql(value->i, &column->times[row]);
    } else {
        column->pointers[row] = value->s.p ? value->s.p : "";
    }
}

static MYSQL_BIND column_bind(const struct column_in *column)
{
    MYSQL_BIND bind = {.buffer_type = db_wire_type(column->type), .length = column->lengths};
    bind.buffer = column->numbers ? (void *)column->numbers : (void *)column->pointers;
    bind.u.indicator = column->indicators;
    return bind;
}

/* All rows have been checked. */
static enum error send_many(struct db *db, struct prepared *prepared, MYSQL_BIND *binds,
                            size_t rows, enum error none)
{
    unsigned size = (unsigned)rows, single = 0;
    MYSQL_STMT *handle = prepared->handle;
    uint64_t connection = db->connects;
    mysql_stmt_attr_set(handle, STMT_ATTR_ARRAY_SIZE, &size);
    enum error e = db_send_statement(db, prepared, binds, rows, none);
    if (db->mysql && db->connects == connection)
        mysql_stmt_attr_set(handle, STMT_ATTR_ARRAY_SIZE, &single);
    return e;
}

static enum error execute_many(struct db *db, struct arena *arena, const struct stmt *stmt,
                               const void *args, size_t n, enum error none, uint64_t *affected)
{
    struct db_value values[DB_PARAMS_MAX];
    struct column_in columns[DB_PARAMS_MAX];
    MYSQL_BIND binds[DB_PARAMS_MAX] = {0};
    struct prepared *p;
    if (n == 1)
        return execute(db, stmt, args, none, affected);
    if (affected)
        *affected = 0;
    if (n == 0)
        return ERR_OK;
    enum error e = begin_statement(db, stmt, &p);
    if (e)
        return db_fail_transaction(db, e);
    for (size_t i = 0; i < p->order_length; i++) {
        bool tenant = p->order[i] == STMT_TENANT;
        columns[i] = column_in(arena, tenant ? DB_UUID : stmt->params[p->order[i]].type, n);
    }
    for (size_t r = 0; !e && r < n; r++) {
        stmt->put((const char *)args + r * stmt->args_size, values);
        e = stmt_check(stmt, &db->tenant, values);
        for (size_t i = 0; !e && i < p->order_length; i++)
            column_put(&columns[i], r,
                       p->order[i] == STMT_TENANT ? &db->tenant : &values[p->order[i]]);
    }
    for (size_t i = 0; i < p->order_length; i++)
        binds[i] = column_bind(&columns[i]);
    if (!e)
        e = send_many(db, p, binds, n, none);
    return e ? db_fail_transaction(db, e) : finish(db, p, affected);
}

enum error db_execute_many(struct db *db, struct arena *arena, const struct stmt *stmt,
                           const void *args, size_t n, uint64_t *affected)
{
    return execute_many(db, arena, stmt, args, n, ERR_OK, affected);
}

enum error db_execute_many_or(struct db *db, struct arena *arena, enum error none,
                              const struct stmt *stmt, const void *args, size_t n)
{
    return execute_many(db, arena, stmt, args, n, none, NULL);
}
