#include "service/db.h"

#include <mariadb/errmsg.h>
#include <mariadb/mysql.h>
#include <mariadb/mysqld_error.h>
#include <poll.h>
#include <unistd.h>

#include "base/log.h"
#include "service/stmts.h"

enum {
    TRANSACTION_TRIES = 6,
    CONNECT_SECONDS = 3,
    ANSWER_SECONDS = 60,
    COLUMN_BYTES = 256 /* longer values are fetched apart */
};

struct db {
    const char *option_file;
    MYSQL *mysql; /* NULL: not connected */
    MYSQL_STMT *prepared[STMT_COUNT];
    MYSQL_STMT *pending; /* its result has not been read to the end */
    bool in_transaction, committing;
    bool broken;            /* lost inside a transaction: nothing may run until that is over */
    struct db_value tenant; /* null while there is none */
    char tenant_text[UUID_TEXT_LEN + 1];
};

/* ---- connection ---- */

struct db *db_new(const char *option_file)
{
    struct db *db = calloc(1, sizeof *db);
    if (db) {
        db->option_file = option_file;
        db->tenant = db_uuid((struct str){0});
    }
    return db;
}

static void disconnect(struct db *db)
{
    db->pending = NULL;
    db->in_transaction = false;
    for (size_t i = 0; i < STMT_COUNT; i++) {
        if (db->prepared[i])
            mysql_stmt_close(db->prepared[i]);
        db->prepared[i] = NULL;
    }
    if (db->mysql)
        mysql_close(db->mysql);
    db->mysql = NULL;
}

void db_free(struct db *db)
{
    if (!db)
        return;
    disconnect(db);
    free(db);
}

static bool is_connection_lost(unsigned code)
{
    switch (code) {
    case CR_SERVER_GONE_ERROR:
    case CR_SERVER_LOST:
    case CR_CONNECTION_ERROR:
    case CR_CONN_HOST_ERROR:
    case CR_COMMANDS_OUT_OF_SYNC: /* ours to blame, but nothing on it can be believed any more */
    case ER_SERVER_SHUTDOWN:
    case ER_CONNECTION_KILLED:
    case ER_UNKNOWN_COM_ERROR: /* a Galera node that is not ready */
        return true;
    default:
        return false;
    }
}

static enum error failed(struct db *db, const char *what, unsigned code, const char *message)
{
    bool busy = code == ER_LOCK_DEADLOCK || code == ER_LOCK_WAIT_TIMEOUT;
    log_write(busy ? LOG_LEVEL_WARN : LOG_LEVEL_ERROR, "database statement=%s code=%u error=%s",
              what, code, log_quote(str_of(message)));
    if (is_connection_lost(code)) {
        bool committing = db->committing;
        db->broken = db->in_transaction;
        disconnect(db);
        return committing ? ERR_COMMIT_UNKNOWN : ERR_DATABASE_AWAY;
    }
    return busy ? ERR_DATABASE_BUSY : ERR_INTERNAL;
}

static enum error failed_stmt(struct db *db, enum stmt id)
{
    MYSQL_STMT *stmt = db->prepared[id];
    return failed(db, stmt_rows[id].name, mysql_stmt_errno(stmt), mysql_stmt_error(stmt));
}

static void set_options(MYSQL *mysql, const char *option_file)
{
    static const char session[] =
        "SET time_zone = '+00:00', NAMES utf8mb4, "
        "sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,NO_ENGINE_SUBSTITUTION', "
        "tx_isolation = 'READ-COMMITTED'";
    unsigned connect_seconds = CONNECT_SECONDS, answer_seconds = ANSWER_SECONDS;
    my_bool no = 0;
    mysql_options(mysql, MYSQL_READ_DEFAULT_FILE, option_file);
    mysql_options(mysql, MYSQL_READ_DEFAULT_GROUP, "loadline");
    mysql_options(mysql, MYSQL_SET_CHARSET_NAME, "utf8mb4");
    mysql_options(mysql, MYSQL_INIT_COMMAND, session);
    mysql_options(mysql, MYSQL_OPT_CONNECT_TIMEOUT, &connect_seconds);
    mysql_options(mysql, MYSQL_OPT_READ_TIMEOUT, &answer_seconds);
    mysql_options(mysql, MYSQL_OPT_WRITE_TIMEOUT, &answer_seconds);
    mysql_options(mysql, MYSQL_OPT_RECONNECT, &no);
    mysql_options(mysql, MYSQL_OPT_LOCAL_INFILE, NULL);
}

/* Between two exchanges the server has nothing to say: what can be read is its farewell. */
static bool has_hung_up(MYSQL *mysql)
{
    struct pollfd socket = {.fd = (int)mysql_get_socket(mysql), .events = POLLIN};
    return poll(&socket, 1, 0) != 0;
}

static enum error connect_if_needed(struct db *db)
{
    if (db->broken)
        return ERR_DATABASE_AWAY;
    if (db->mysql && (db->in_transaction || !has_hung_up(db->mysql)))
        return ERR_OK;
    disconnect(db);
    MYSQL *mysql = mysql_init(NULL);
    if (!mysql)
        return ERR_INTERNAL;
    set_options(mysql, db->option_file);
    if (mysql_real_connect(mysql, NULL, NULL, NULL, NULL, 0, NULL, CLIENT_REMEMBER_OPTIONS)) {
        db->mysql = mysql;
        return ERR_OK;
    }
    log_error("database statement=connect code=%u error=%s", mysql_errno(mysql),
              log_quote(str_of(mysql_error(mysql))));
    mysql_close(mysql);
    return ERR_DATABASE_AWAY;
}

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

/* ---- statements ---- */

static enum error prepare(struct db *db, enum stmt id)
{
    enum error e = connect_if_needed(db);
    if (e || db->prepared[id])
        return e;
    MYSQL_STMT *stmt = mysql_stmt_init(db->mysql);
    if (!stmt)
        return ERR_INTERNAL;
    db->prepared[id] = stmt;
    if (mysql_stmt_prepare(stmt, stmt_rows[id].sql, strlen(stmt_rows[id].sql)) == 0)
        return ERR_OK;
    e = failed_stmt(db, id);
    if (db->prepared[id]) {
        mysql_stmt_close(stmt);
        db->prepared[id] = NULL;
    }
    return e;
}

static enum error ready(struct db *db, enum stmt id, const struct db_value *args, size_t count)
{
    enum error e = stmt_check_args(id, &db->tenant, args, count);
    return e ? e : prepare(db, id);
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
        return failed_stmt(db, id);
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

enum error db_run_many(struct db *db, struct arena *arena, enum stmt id,
                       const struct db_value *args, size_t rows)
{
    MYSQL_BIND binds[DB_PARAMS_MAX] = {0};
    const struct stmt_row *row = &stmt_rows[id];
    struct bulk bulk = {db, arena, args, rows, stmt_args(row)};
    enum error e = ERR_OK;
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
    return done ? ERR_OK : failed_stmt(db, id);
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

/* A text of the current row: the column's buffer holds it, or its beginning. */
static struct str take_text(struct arena *arena, MYSQL_STMT *stmt, struct column *column,
                            unsigned i)
{
    if (column->length <= COLUMN_BYTES)
        return arena_str(arena, (struct str){column->value.bytes, column->length});
    MYSQL_BIND whole = {.buffer_type = MYSQL_TYPE_BLOB,
                        .buffer = arena_bytes(arena, column->length),
                        .buffer_length = column->length,
                        .length = &column->length};
    if (mysql_stmt_fetch_column(stmt, &whole, i, 0))
        return (struct str){0};
    return (struct str){whole.buffer, column->length};
}

static struct db_value take_value(struct arena *arena, MYSQL_STMT *stmt, struct column *column,
                                  enum db_type type, unsigned i)
{
    if (column->is_null)
        return (struct db_value){.type = type, .null = true, .i = type == DB_TIME ? TIME_NONE : 0};
    if (type == DB_INT)
        return db_int(column->value.number);
    if (type == DB_TIME)
        return db_time(time_from_sql(&column->value.time));
    return (struct db_value){.type = type, .s = take_text(arena, stmt, column, i)};
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

static enum error fetch_rows(struct db *db, struct arena *arena, enum stmt id, struct db_rows *rows)
{
    const char *letters = stmt_rows[id].columns;
    struct column columns[DB_COLUMNS_MAX];
    MYSQL_BIND binds[DB_COLUMNS_MAX];
    MYSQL_STMT *stmt = db->prepared[id];
    size_t width = strlen(letters), capacity = 0;
    *rows = (struct db_rows){0};
    bind_result(letters, width, columns, binds);
    db->pending = stmt; /* the arena may unwind from here */
    if (mysql_stmt_bind_result(stmt, binds))
        return failed_stmt(db, id);
    int fetched;
    while ((fetched = mysql_stmt_fetch(stmt)) == 0 || fetched == MYSQL_DATA_TRUNCATED) {
        struct db_value *row = add_row(arena, rows, width, &capacity);
        for (unsigned i = 0; i < width; i++)
            row[i] = take_value(arena, stmt, &columns[i], stmt_letter_type(letters[i]), i);
    }
    if (fetched != MYSQL_NO_DATA)
        return failed_stmt(db, id);
    mysql_stmt_free_result(stmt);
    db->pending = NULL;
    return ERR_OK;
}

enum error db_rows(struct db *db, struct arena *arena, enum stmt id, const struct db_value *args,
                   size_t count, struct db_rows *rows)
{
    enum error e = execute(db, id, args, count);
    return e ? e : fetch_rows(db, arena, id, rows);
}

enum error db_row(struct db *db, struct arena *arena, enum stmt id, const struct db_value *args,
                  size_t count, struct db_value **row)
{
    struct db_rows rows;
    enum error e = db_rows(db, arena, id, args, count, &rows);
    *row = e || rows.n == 0 ? NULL : rows.items[0];
    return e;
}

/* ---- transactions ---- */

static enum error query(struct db *db, const char *sql)
{
    if (mysql_query(db->mysql, sql) == 0)
        return ERR_OK;
    return failed(db, sql, mysql_errno(db->mysql), mysql_error(db->mysql));
}

static enum error begin(struct db *db)
{
    enum error e = connect_if_needed(db);
    if (!e)
        e = query(db, "START TRANSACTION");
    if (!e)
        db->in_transaction = true;
    return e;
}

static enum error commit(struct db *db)
{
    db->committing = true;
    enum error e = query(db, "COMMIT");
    db->committing = false;
    if (!e)
        db->in_transaction = false;
    return e;
}

static void rollback(struct db *db)
{
    if (!db->mysql || !db->in_transaction)
        return;
    db->in_transaction = false;
    if (mysql_rollback(db->mysql))
        disconnect(db);
}

enum error db_transact(struct db *db, enum error (*work)(struct db *db, void *arg), void *arg)
{
    enum error e = ERR_OK;
    for (unsigned attempt = 0; attempt < TRANSACTION_TRIES; attempt++) {
        db->broken = false;
        e = begin(db);
        if (!e)
            e = work(db, arg);
        if (!e)
            e = commit(db);
        if (!e)
            break;
        rollback(db);
        if (e != ERR_DATABASE_BUSY)
            break;
        unsigned char jitter;
        rand_bytes(&jitter, 1);
        usleep((1000u << attempt) + jitter * 20u);
    }
    db->broken = false;
    return e;
}

void db_set_tenant(struct db *db, struct str tenant)
{
    struct str kept = str_sub(tenant, 0, UUID_TEXT_LEN);
    memcpy(db->tenant_text, kept.p, kept.n);
    db->tenant = db_uuid((struct str){db->tenant_text, kept.n});
}

void db_reset(struct db *db)
{
    if (db->pending)
        mysql_stmt_free_result(db->pending);
    db->pending = NULL;
    rollback(db);
    db->broken = false;
    db->tenant = db_uuid((struct str){0});
}

enum error db_ping(struct db *db)
{
    enum error e = connect_if_needed(db);
    if (!e && mysql_ping(db->mysql))
        e = failed(db, "ping", mysql_errno(db->mysql), mysql_error(db->mysql));
    return e;
}

/* ---- are the statements what stmts.def says? ---- */

static bool column_is(const MYSQL_FIELD *field, enum db_type type)
{
    MARIADB_CONST_STRING name = {NULL, 0};
    mariadb_field_attr(&name, field, MARIADB_FIELD_ATTR_DATA_TYPE_NAME);
    bool is_uuid = str_eq((struct str){name.str, name.length}, STR("uuid"));
    bool is_bytes = field->charsetnr == 63; /* the character set "binary" */
    switch (field->type) {
    case MYSQL_TYPE_TINY:
    case MYSQL_TYPE_SHORT:
    case MYSQL_TYPE_INT24:
    case MYSQL_TYPE_LONG:
    case MYSQL_TYPE_LONGLONG:
        return type == DB_INT;
    case MYSQL_TYPE_DATETIME:
        return type == DB_TIME;
    case MYSQL_TYPE_STRING:
    case MYSQL_TYPE_VAR_STRING:
    case MYSQL_TYPE_BLOB:
        return type == (is_uuid ? DB_UUID : is_bytes ? DB_BYTES : DB_TEXT);
    default:
        return false;
    }
}

typedef void (*reporter)(void *context, const char *problem);

static size_t check_columns(const struct stmt_row *row, MYSQL_RES *result, reporter report,
                            void *context)
{
    size_t problems = 0, n = result ? mysql_num_fields(result) : 0;
    char text[256];
    if (n != strlen(row->columns)) {
        snprintf(text, sizeof text, "%s has %zu columns", row->name, n);
        report(context, text);
        return 1;
    }
    for (unsigned i = 0; i < n; i++) {
        const MYSQL_FIELD *field = mysql_fetch_field_direct(result, i);
        bool may_be_null = !(field->flags & NOT_NULL_FLAG);
        if (column_is(field, stmt_letter_type(row->columns[i])) &&
            (!may_be_null || stmt_letter_allows_null(row->columns[i])))
            continue;
        snprintf(text, sizeof text, "%s: column %s is of type %d, %s NULL", row->name, field->name,
                 (int)field->type, may_be_null ? "may be" : "never");
        report(context, text);
        problems++;
    }
    return problems;
}

static size_t check_stmt(struct db *db, enum stmt id, reporter report, void *context)
{
    const struct stmt_row *row = &stmt_rows[id];
    char text[512];
    if (prepare(db, id)) {
        snprintf(text, sizeof text, "%s cannot be prepared", row->name);
        report(context, text);
        return 1;
    }
    size_t problems = 0;
    bool scoped = strchr(row->params, '@') != NULL;
    if (mysql_stmt_param_count(db->prepared[id]) != strlen(row->params) || scoped != row->tenant) {
        snprintf(text, sizeof text, "%s has %lu parameters, or '@' and its scope differ", row->name,
                 mysql_stmt_param_count(db->prepared[id]));
        report(context, text);
        problems++;
    }
    MYSQL_RES *result = mysql_stmt_result_metadata(db->prepared[id]);
    problems += check_columns(row, result, report, context);
    if (result)
        mysql_free_result(result);
    return problems;
}

size_t db_check(struct db *db, reporter report, void *context)
{
    size_t problems = 0;
    for (size_t i = 0; i < STMT_COUNT; i++)
        problems += check_stmt(db, (enum stmt)i, report, context);
    return problems;
}
