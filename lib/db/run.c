/* Statements run, and their results. */
#include "base/buf.h"
#include "base/list.h"
#include "db/db.h"
#include "base/log.h"
#include "db/internal.h"

enum { COLUMN_BYTES = 256 /* longer values are fetched apart */ };

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

static int64_t time_from_sql(const MYSQL_TIME *in)
{
    return clock_join(&(struct clock_parts){.year = (int)in->year,
                                            .month = (int)in->month,
                                            .day = (int)in->day,
                                            .hour = (int)in->hour,
                                            .minute = (int)in->minute,
                                            .second = (int)in->second,
                                            .millisecond = (int)(in->second_part / 1000)});
}

static enum enum_field_types wire_type(enum db_type type)
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
    bind->buffer_type = value->null ? MYSQL_TYPE_NULL : wire_type(value->type);
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

/* Over its limit, work begins nothing more: who waits for it has been told already, or soon is. */
static enum error begin_statement(struct db *db, const struct stmt *stmt,
                                  struct prepared **prepared)
{
    if (!db_is_over_limit(db))
        return db_prepare(db, stmt, prepared);
    log_warn("database statement=%s problem=\"the work has taken longer than it may\"", stmt->name);
    return ERR_DATABASE_BUSY;
}

static enum error execute(struct db *db, const struct stmt *stmt, const struct db_value *values,
                          struct prepared **prepared)
{
    MYSQL_BIND binds[DB_PARAMS_MAX] = {0};
    MYSQL_TIME times[DB_PARAMS_MAX];
    enum error e = stmt_check(stmt, &db->tenant, values);
    if (!e)
        e = begin_statement(db, stmt, prepared);
    if (e)
        return e;
    const struct prepared *p = *prepared;
    for (size_t i = 0; i < p->order_length; i++)
        bind_value(&binds[i], p->order[i] == STMT_TENANT ? &db->tenant : &values[p->order[i]],
                   &times[i]);
    int64_t start = clock_monotonic();
    bool done = !mysql_stmt_bind_param(p->handle, binds) && !mysql_stmt_execute(p->handle);
    db->spent += clock_monotonic() - start;
    return done ? db_statement_done(db, p) : db_failed_stmt(db, *prepared);
}

enum error db_execute(struct db *db, const struct stmt *stmt, const void *args, uint64_t *affected)
{
    struct db_value values[DB_PARAMS_MAX];
    struct prepared *prepared;
    if (affected)
        *affected = 0;
    stmt->put(args, values);
    enum error e = execute(db, stmt, values, &prepared);
    if (!e && affected)
        *affected = mysql_stmt_affected_rows(prepared->handle);
    return e;
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
    MYSQL_BIND bind = {.buffer_type = wire_type(column->type), .length = column->lengths};
    bind.buffer = column->numbers ? (void *)column->numbers : (void *)column->pointers;
    bind.u.indicator = column->indicators;
    return bind;
}

/* All rows have been checked. */
static enum error execute_many(struct db *db, struct prepared *prepared, MYSQL_BIND *binds,
                               size_t rows)
{
    unsigned size = (unsigned)rows, single = 0;
    MYSQL_STMT *handle = prepared->handle;
    mysql_stmt_attr_set(handle, STMT_ATTR_ARRAY_SIZE, &size);
    int64_t start = clock_monotonic();
    bool done = !mysql_stmt_bind_param(handle, binds) && !mysql_stmt_execute(handle);
    db->spent += clock_monotonic() - start;
    mysql_stmt_attr_set(handle, STMT_ATTR_ARRAY_SIZE, &single);
    return done ? db_statement_done(db, prepared) : db_failed_stmt(db, prepared);
}

enum error db_execute_many(struct db *db, struct arena *arena, const struct stmt *stmt,
                           const void *args, size_t n, uint64_t *affected)
{
    struct db_value values[DB_PARAMS_MAX];
    struct column_in columns[DB_PARAMS_MAX];
    MYSQL_BIND binds[DB_PARAMS_MAX] = {0};
    struct prepared *p;
    if (n == 1)
        return db_execute(db, stmt, args, affected);
    if (affected)
        *affected = 0;
    enum error e = n ? begin_statement(db, stmt, &p) : ERR_OK;
    if (e || n == 0)
        return e;
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
        e = execute_many(db, p, binds, n);
    if (!e && affected)
        *affected = mysql_stmt_affected_rows(p->handle);
    return e;
}

/* ---- results ---- */

struct column {
    union {
        long long number;
        MYSQL_TIME time;
        char bytes[COLUMN_BYTES];
    } value;
    unsigned long length;
    my_bool is_null, is_cut;
};

/* How many columns there are. */
static size_t bind_result(const struct db_field *fields, struct column *columns, MYSQL_BIND *binds)
{
    size_t n = 0;
    for (; fields[n].name; n++)
        binds[n] = (MYSQL_BIND){.buffer_type = wire_type(fields[n].type),
                                .buffer = &columns[n].value,
                                .buffer_length = COLUMN_BYTES,
                                .length = &columns[n].length,
                                .is_null = &columns[n].is_null,
                                .error = &columns[n].is_cut};
    return n;
}

/* Where values of a row go that the column's buffer cannot hold: new memory for each, or, when
 * there is one, a buffer for each column that the next row uses again. */
struct room {
    struct arena *arena;
    struct buf *buffers;
};

static char *room_for(const struct room *room, unsigned i, size_t n)
{
    if (!room->buffers)
        return arena_bytes(room->arena, n);
    room->buffers[i].n = 0;
    return buf_reserve(&room->buffers[i], n);
}

/* A text of the current row: the column's buffer holds it, or its beginning. Absent when the rest
 * cannot be had. */
static struct str take_text(const struct room *room, MYSQL_STMT *stmt, struct column *column,
                            unsigned i)
{
    bool fits = column->length <= COLUMN_BYTES;
    if (fits && room->buffers)
        return (struct str){column->value.bytes, column->length};
    if (fits)
        return arena_str(room->arena, (struct str){column->value.bytes, column->length});
    MYSQL_BIND whole = {.buffer_type = MYSQL_TYPE_BLOB,
                        .buffer = room_for(room, i, column->length),
                        .buffer_length = column->length,
                        .length = &column->length};
    if (mysql_stmt_fetch_column(stmt, &whole, i, 0))
        return (struct str){0};
    return (struct str){whole.buffer, column->length};
}

static bool is_text(enum db_type type)
{
    return type != DB_INT && type != DB_TIME;
}

static struct db_value take_value(const struct room *room, MYSQL_STMT *stmt, struct column *column,
                                  enum db_type type, unsigned i)
{
    if (column->is_null)
        return (struct db_value){.type = type, .null = true, .i = type == DB_TIME ? TIME_NONE : 0};
    if (type == DB_INT)
        return stmt_value_i(type, column->value.number);
    if (type == DB_TIME)
        return stmt_value_i(type, time_from_sql(&column->value.time));
    return (struct db_value){.type = type, .s = take_text(room, stmt, column, i)};
}

/* A result that is being read. */
struct result {
    struct db *db;
    struct prepared *prepared;
    struct room room;
    struct column columns[DB_COLUMNS_MAX];
    MYSQL_BIND binds[DB_COLUMNS_MAX];
    struct db_value row[DB_COLUMNS_MAX]; /* the current one */
};

/* Runs the statement; its result is there to be read. */
static enum error result_begin(struct result *result, struct db *db, struct arena *arena,
                               const struct stmt *stmt, const struct db_value *values)
{
    result->db = db;
    result->room = (struct room){.arena = arena};
    enum error e = execute(db, stmt, values, &result->prepared);
    if (e)
        return e;
    MYSQL_STMT *handle = result->prepared->handle;
    bind_result(stmt->columns, result->columns, result->binds);
    db->pending = handle; /* the arena may unwind from here */
    return mysql_stmt_bind_result(handle, result->binds) ? db_failed_stmt(db, result->prepared)
                                                         : ERR_OK;
}

static enum error take_row(struct result *result)
{
    const struct db_field *fields = result->prepared->stmt->columns;
    MYSQL_STMT *handle = result->prepared->handle;
    for (unsigned i = 0; fields[i].name; i++) {
        struct db_value *value = &result->row[i];
        *value = take_value(&result->room, handle, &result->columns[i], fields[i].type, i);
        if (!value->null && is_text(fields[i].type) && !value->s.p)
            return db_failed_stmt(result->db, result->prepared);
    }
    return ERR_OK;
}

/* The next row into result->row. *more is false, and the result has ended, when there is none. */
static enum error result_next(struct result *result, bool *more)
{
    int fetched = mysql_stmt_fetch(result->prepared->handle);
    *more = fetched == 0 || fetched == MYSQL_DATA_TRUNCATED;
    if (*more)
        return take_row(result);
    if (fetched != MYSQL_NO_DATA)
        return db_failed_stmt(result->db, result->prepared);
    return db_statement_done(result->db, result->prepared);
}

static void result_end(struct result *result)
{
    mysql_stmt_free_result(result->prepared->handle);
    result->db->pending = NULL;
}

enum error db_fetch(struct db *db, struct arena *arena, const struct stmt *stmt, const void *args,
                    void *items, size_t *n)
{
    struct result result;
    struct db_value values[DB_PARAMS_MAX];
    LIST(char) rows = {0}; /* of row_size each */
    bool more;
    assert(stmt->row_size > 0);
    stmt->put(args, values);
    enum error e = result_begin(&result, db, arena, stmt, values);
    while (!e && !(e = result_next(&result, &more)) && more) {
        if (rows.n == rows.room)
            rows.items = list_grow(arena, rows.items, rows.n, stmt->row_size, &rows.room);
        stmt->take(result.row, rows.items + rows.n++ * stmt->row_size);
    }
    if (!e)
        result_end(&result);
    memcpy(items, &rows.items, sizeof rows.items); /* a pointer to some struct */
    *n = rows.n;
    return e;
}

enum error db_fetch_row(struct db *db, struct arena *arena, const struct stmt *stmt,
                        const void *args, void *row)
{
    size_t n;
    const void *none = NULL;
    enum error e = db_fetch(db, arena, stmt, args, row, &n);
    if (e)
        memcpy(row, &none, sizeof none);
    return e;
}

enum error db_fetch_number(struct db *db, struct arena *arena, const struct stmt *stmt,
                           const void *args, int64_t *number)
{
    struct number *row;
    enum error e = db_fetch_row(db, arena, stmt, args, &row);
    *number = row ? row->number : 0;
    return e;
}

enum error db_fetch_each(struct db *db, struct arena *arena, const struct stmt *stmt,
                         const void *args, enum error (*each)(void *context, const void *row),
                         void *context)
{
    struct result result;
    struct db_value values[DB_PARAMS_MAX];
    struct buf buffers[DB_COLUMNS_MAX];
    void *row = arena_alloc(arena, stmt->row_size);
    enum error told = ERR_OK;
    bool more;
    stmt->put(args, values);
    enum error e = result_begin(&result, db, arena, stmt, values);
    for (size_t i = 0; i < DB_COLUMNS_MAX; i++)
        buffers[i] = buf_init(arena, SIZE_MAX / 2);
    result.room.buffers = buffers;
    while (!e && !told && !(e = result_next(&result, &more)) && more) {
        stmt->take(result.row, row);
        told = each(context, row);
    }
    if (!e)
        result_end(&result);
    return e ? e : told;
}
