/* Statements run, and their results. */
#include "base/buf.h"
#include "db/internal.h"
#include "db/stmts.h"

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

static enum error ready(struct db *db, enum stmt id, const struct db_value *args, size_t count)
{
    enum error e = stmt_check_args(id, &db->tenant, args, count);
    return e ? e : db_prepare(db, id);
}

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

static enum error execute(struct db *db, enum stmt id, const struct db_value *args, size_t count)
{
    MYSQL_BIND binds[DB_PARAMS_MAX] = {0};
    MYSQL_TIME times[DB_PARAMS_MAX];
    enum error e = ready(db, id, args, count);
    if (e)
        return e;
    const struct stmt_row *row = &stmt_rows[id];
    MYSQL_STMT *stmt = db->prepared[id];
    for (size_t i = 0; row->params[i]; i++)
        bind_value(&binds[i], row->params[i] == '@' ? &db->tenant : args++, &times[i]);
    if (mysql_stmt_bind_param(stmt, binds) || mysql_stmt_execute(stmt))
        return db_failed_stmt(db, id);
    return ERR_OK;
}

enum error db_run(struct db *db, enum stmt id, const struct db_value *args, size_t count,
                  uint64_t *affected)
{
    enum error e = execute(db, id, args, count);
    if (!e && affected)
        *affected = mysql_stmt_affected_rows(db->prepared[id]);
    return e;
}

/* ---- many rows at once: one column of values a parameter ---- */

struct bulk {
    struct db *db;
    struct arena *arena;
    const struct db_value *args;
    size_t rows, stride; /* stride: arguments a row */
};

/* Argument i of each row; -1 stands for the tenant. The client library wants numbers in an array,
 * of everything else an array of pointers. */
static void bind_column(const struct bulk *bulk, ptrdiff_t i, enum db_type type, MYSQL_BIND *bind)
{
    struct arena *arena = bulk->arena;
    long long *numbers = ARENA_ARRAY(arena, bulk->rows, long long);
    const void **pointers = ARENA_ARRAY(arena, bulk->rows, const void *);
    MYSQL_TIME *times = type == DB_TIME ? ARENA_ARRAY(arena, bulk->rows, MYSQL_TIME) : NULL;
    bind->length = ARENA_ARRAY(arena, bulk->rows, unsigned long);
    bind->u.indicator = ARENA_ARRAY(arena, bulk->rows, char);
    for (size_t r = 0; r < bulk->rows; r++) {
        const struct db_value *value =
            i < 0 ? &bulk->db->tenant : &bulk->args[r * bulk->stride + (size_t)i];
        bind->u.indicator[r] = value->null ? STMT_INDICATOR_NULL : STMT_INDICATOR_NONE;
        bind->length[r] = value->s.n;
        numbers[r] = value->i;
        pointers[r] = times ? (const void *)&times[r] : value->s.p ? value->s.p : "";
        if (times && !value->null)
            time_to_sql(value->i, &times[r]);
    }
    bind->buffer_type = wire_type(type);
    bind->buffer = type == DB_INT ? (void *)numbers : (void *)pointers;
}

enum error db_run_many_affected(struct db *db, struct arena *arena, enum stmt id,
                                const struct db_value *args, size_t rows, uint64_t *affected)
{
    MYSQL_BIND binds[DB_PARAMS_MAX] = {0};
    const struct stmt_row *row = &stmt_rows[id];
    struct bulk bulk = {db, arena, args, rows, stmt_args(row)};
    enum error e = ERR_OK;
    *affected = 0;
    for (size_t r = 0; !e && r < rows; r++)
        e = stmt_check_args(id, &db->tenant, args + r * bulk.stride, bulk.stride);
    if (e || rows == 0)
        return e;
    ptrdiff_t next = 0;
    for (size_t i = 0; row->params[i]; i++) {
        bool tenant = row->params[i] == '@';
        bind_column(&bulk, tenant ? -1 : next++,
                    tenant ? DB_UUID : stmt_letter_type(row->params[i]), &binds[i]);
    }
    e = ready(db, id, args, bulk.stride);
    if (e)
        return e;
    MYSQL_STMT *stmt = db->prepared[id];
    unsigned size = (unsigned)rows, single = 0;
    mysql_stmt_attr_set(stmt, STMT_ATTR_ARRAY_SIZE, &size);
    bool done = !mysql_stmt_bind_param(stmt, binds) && !mysql_stmt_execute(stmt);
    mysql_stmt_attr_set(stmt, STMT_ATTR_ARRAY_SIZE, &single);
    if (!done)
        return db_failed_stmt(db, id);
    *affected = mysql_stmt_affected_rows(stmt);
    return ERR_OK;
}

enum error db_run_many(struct db *db, struct arena *arena, enum stmt id,
                       const struct db_value *args, size_t rows)
{
    uint64_t affected;
    return db_run_many_affected(db, arena, id, args, rows, &affected);
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

static void bind_result(const char *letters, size_t n, struct column *columns, MYSQL_BIND *binds)
{
    for (size_t i = 0; i < n; i++) {
        binds[i] = (MYSQL_BIND){.buffer_type = wire_type(stmt_letter_type(letters[i])),
                                .buffer = &columns[i].value,
                                .buffer_length = COLUMN_BYTES,
                                .length = &columns[i].length,
                                .is_null = &columns[i].is_null,
                                .error = &columns[i].is_cut};
    }
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
        return db_int(column->value.number);
    if (type == DB_TIME)
        return db_time(time_from_sql(&column->value.time));
    return (struct db_value){.type = type, .s = take_text(room, stmt, column, i)};
}

static struct db_value *add_row(struct arena *arena, struct db_rows *rows, size_t columns,
                                size_t *capacity)
{
    if (rows->n == *capacity) {
        size_t more = *capacity ? *capacity * 2 : 8;
        struct db_value **items = ARENA_ARRAY(arena, more, struct db_value *);
        if (rows->n)
            memcpy(items, rows->items, rows->n * sizeof *items);
        rows->items = items;
        *capacity = more;
    }
    return rows->items[rows->n++] = ARENA_ARRAY(arena, columns, struct db_value);
}

/* A result that is being read. */
struct result {
    struct db *db;
    enum stmt id;
    struct room room;
    size_t width;
    struct column columns[DB_COLUMNS_MAX];
    MYSQL_BIND binds[DB_COLUMNS_MAX];
};

static enum error result_begin(struct result *result, struct db *db, enum stmt id,
                               struct arena *arena)
{
    const char *letters = stmt_rows[id].columns;
    MYSQL_STMT *stmt = db->prepared[id];
    result->db = db;
    result->id = id;
    result->room = (struct room){.arena = arena};
    result->width = strlen(letters);
    bind_result(letters, result->width, result->columns, result->binds);
    db->pending = stmt; /* the arena may unwind from here */
    return mysql_stmt_bind_result(stmt, result->binds) ? db_failed_stmt(db, id) : ERR_OK;
}

static enum error result_next(struct result *result, bool *more)
{
    int fetched = mysql_stmt_fetch(result->db->prepared[result->id]);
    *more = fetched == 0 || fetched == MYSQL_DATA_TRUNCATED;
    return *more || fetched == MYSQL_NO_DATA ? ERR_OK : db_failed_stmt(result->db, result->id);
}

/* The values of the current row. */
static enum error result_take(struct result *result, struct db_value *row)
{
    const char *letters = stmt_rows[result->id].columns;
    MYSQL_STMT *stmt = result->db->prepared[result->id];
    for (unsigned i = 0; i < result->width; i++) {
        enum db_type type = stmt_letter_type(letters[i]);
        row[i] = take_value(&result->room, stmt, &result->columns[i], type, i);
        if (!row[i].null && is_text(type) && !row[i].s.p)
            return db_failed_stmt(result->db, result->id);
    }
    return ERR_OK;
}

static void result_end(struct result *result)
{
    mysql_stmt_free_result(result->db->prepared[result->id]);
    result->db->pending = NULL;
}

enum error db_rows(struct db *db, struct arena *arena, enum stmt id, const struct db_value *args,
                   size_t count, struct db_rows *rows)
{
    struct result result;
    size_t capacity = 0;
    bool more;
    *rows = (struct db_rows){0};
    enum error e = execute(db, id, args, count);
    if (!e)
        e = result_begin(&result, db, id, arena);
    while (!e && !(e = result_next(&result, &more)) && more)
        e = result_take(&result, add_row(arena, rows, result.width, &capacity));
    if (!e)
        result_end(&result);
    return e;
}

enum error db_each(struct db *db, struct arena *arena, enum stmt id, const struct db_value *args,
                   size_t count, enum error (*each)(void *context, const struct db_value *row),
                   void *context)
{
    struct result result;
    struct db_value row[DB_COLUMNS_MAX];
    struct buf buffers[DB_COLUMNS_MAX];
    enum error told = ERR_OK;
    bool more;
    enum error e = execute(db, id, args, count);
    if (!e)
        e = result_begin(&result, db, id, arena);
    for (size_t i = 0; i < DB_COLUMNS_MAX; i++)
        buffers[i] = buf_init(arena, SIZE_MAX / 2);
    result.room.buffers = buffers;
    while (!e && !told && !(e = result_next(&result, &more)) && more) {
        e = result_take(&result, row);
        if (!e)
            told = each(context, row);
    }
    if (!e)
        result_end(&result);
    return e ? e : told;
}

enum error db_row(struct db *db, struct arena *arena, enum stmt id, const struct db_value *args,
                  size_t count, struct db_value **row)
{
    struct db_rows rows;
    enum error e = db_rows(db, arena, id, args, count, &rows);
    *row = e || rows.n == 0 ? NULL : rows.items[0];
    return e;
}

enum error db_number(struct db *db, struct arena *arena, enum stmt stmt,
                     const struct db_value *args, size_t count, int64_t *number)
{
    struct db_value *row;
    enum error e = db_row(db, arena, stmt, args, count, &row);
    *number = row ? row[0].i : 0;
    return e;
}
