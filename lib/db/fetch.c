/* What statements answer: rows, a row at a time. */
#include "base/buf.h"
#include "base/list.h"
#include "db/db.h"
#include "db/internal.h"

enum { COLUMN_BYTES = 256 /* longer values are fetched apart */ };

/* ---- columns ---- */

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
    for (; fields[n].name; n++) {
        assert(n < DB_COLUMNS_MAX);
        binds[n] = (MYSQL_BIND){.buffer_type = db_wire_type(fields[n].type),
                                .buffer = &columns[n].value,
                                .buffer_length = COLUMN_BYTES,
                                .length = &columns[n].length,
                                .is_null = &columns[n].is_null,
                                .error = &columns[n].is_cut};
    }
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

/* ---- results ---- */

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
    enum error e = db_run_statement(db, stmt, values, &result->prepared);
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
