/* db: MariaDB, through prepared statements that are rows of stmts.def. Nobody but the
 * files of this directory names the client library (internal.h is theirs).
 *
 * A TENANT statement gets its tenant from here, never from the caller, and is refused while no
 * tenant is set. One struct db is one connection, opened when first needed and again after it was
 * lost; statements are prepared once per connection. Nothing is retried that could happen twice:
 * see db_transact().
 *
 * Errors: DATABASE_AWAY (the connection cannot be had, or broke), DATABASE_BUSY (lock wait,
 * deadlock), COMMIT_UNKNOWN, INTERNAL (anything else: logged).
 */
#ifndef LOADLINE_DB_DB_H
#define LOADLINE_DB_DB_H

#include "base/arena.h"
#include "base/clock.h"
#include "base/rand.h"
#include "base/errors.h"

enum { DB_PARAMS_MAX = 32, DB_COLUMNS_MAX = 32 };

enum stmt {
#define STMT(name, scope, params, columns, sql) STMT_##name,
#include "db/stmts.def"
#undef STMT
    STMT_COUNT
};

/* The letters of stmts.def. */
enum db_type { DB_INT = 'i', DB_TEXT = 's', DB_UUID = 'u', DB_TIME = 't', DB_BYTES = 'b' };

struct db_value {
    enum db_type type;
    bool null;
    int64_t i;    /* DB_INT; DB_TIME in milliseconds, TIME_NONE when null */
    struct str s; /* the others; absent when null */
};

static inline struct db_value db_int(int64_t i)
{
    return (struct db_value){.type = DB_INT, .i = i};
}

/* TIME_NONE is NULL. */
static inline struct db_value db_time(int64_t ms)
{
    return (struct db_value){.type = DB_TIME, .i = ms, .null = ms == TIME_NONE};
}

/* An absent slice is NULL, an empty one is ''. */
static inline struct db_value db_text(struct str s)
{
    return (struct db_value){.type = DB_TEXT, .s = s, .null = !s.p};
}

/* An absent slice is '' too. */
static inline struct db_value db_text_or_empty(struct str s)
{
    return db_text(s.p ? s : STR(""));
}

static inline struct db_value db_uuid(struct str s)
{
    return (struct db_value){.type = DB_UUID, .s = s, .null = !s.p};
}

static inline struct db_value db_bytes(struct str s)
{
    return (struct db_value){.type = DB_BYTES, .s = s, .null = !s.p};
}

/* db_run(db, STMT_x, DB_ARGS(db_int(1), db_text(name)), NULL); without parameters DB_NO_ARGS. */
#define DB_ARGS(...)                                                                               \
    (struct db_value[]){__VA_ARGS__},                                                              \
        sizeof((struct db_value[]){__VA_ARGS__}) / sizeof(struct db_value)
#define DB_NO_ARGS NULL, 0

struct db;

/* option_file: a MariaDB option file whose group [loadline] is read at each connect; must outlive
 * the db. Does not connect. NULL without memory. */
struct db *db_new(const char *option_file);
void db_free(struct db *db);
/* From here on count() is told of every statement and connection of this process that fails. */
void db_count_errors(void (*count)(enum error e));

/* Whose rows TENANT statements see from here on; a copy is kept. For where a credential is checked
 * (web/gate.c, cgi-bin/auth.c), tenant_create(), and what goes from tenant to tenant by itself
 * (notifier, maintenance). */
void db_set_tenant(struct db *db, struct str tenant);
/* After every piece of work, however it ended: frees pending results, rolls back an open
 * transaction, forgets the tenant. */
void db_reset(struct db *db);

/* affected (may be NULL): rows changed; an INSERT ... ON DUPLICATE KEY UPDATE that changed nothing
 * counts 0. */
enum error db_run(struct db *db, enum stmt stmt, const struct db_value *args, size_t count,
                  uint64_t *affected);
/* Runs stmt once per row of args (rows * parameters values, row after row) in one round trip. */
enum error db_run_many(struct db *db, struct arena *arena, enum stmt stmt,
                       const struct db_value *args, size_t rows);
/* The same; affected: of all rows together, counted as db_run() does. */
enum error db_run_many_affected(struct db *db, struct arena *arena, enum stmt stmt,
                                const struct db_value *args, size_t rows, uint64_t *affected);

/* All rows of a result, in the arena: items[row][column]. */
struct db_rows {
    size_t n;
    struct db_value **items;
};
enum error db_rows(struct db *db, struct arena *arena, enum stmt stmt, const struct db_value *args,
                   size_t count, struct db_rows *rows);
/* The first row, or NULL when there is none. */
enum error db_row(struct db *db, struct arena *arena, enum stmt stmt, const struct db_value *args,
                  size_t count, struct db_value **row);

/* What a statement such as SELECT COUNT(*) says: the whole number in the first row; 0 when there is
 * none. */
enum error db_number(struct db *db, struct arena *arena, enum stmt stmt,
                     const struct db_value *args, size_t count, int64_t *number);

/* Calls each() with every row of a result as it comes in, for results that are too large for the
 * arena together: the row is valid until each() returns. each() must not use db; its error ends the
 * reading and is returned. */
enum error db_each(struct db *db, struct arena *arena, enum stmt stmt, const struct db_value *args,
                   size_t count, enum error (*each)(void *context, const struct db_value *row),
                   void *context);

/* Changes the schema: the partitions of a table. sql is made of our own names and of dates, never
 * of what somebody sent: for store/partition.c only. */
enum error db_alter(struct db *db, struct str sql);
/* How long a statement may take before the connection is given up, from the next connect on; a
 * minute unless said. */
void db_set_patience(struct db *db, unsigned seconds);

/* Runs work between BEGIN and COMMIT; ERR_OK means committed and durable. When work fails
 * everything is rolled back and its error returned. When the server says that it rolled the
 * transaction back (deadlock, lock wait, Galera certification), work is called again, a few times.
 * A connection lost during COMMIT is COMMIT_UNKNOWN, before it DATABASE_AWAY; neither is tried
 * again. Does not nest. */
enum error db_transact(struct db *db, enum error (*work)(struct db *db, void *arg), void *arg);

/* Runs work, which only reads, so that all its statements see the database as it was at one moment.
 * Nothing is locked and nothing is tried again. Does not nest. */
enum error db_read(struct db *db, enum error (*work)(struct db *db, void *arg), void *arg);

/* Is the database there? Asks it. */
enum error db_ping(struct db *db);

/* Prepares every statement and compares parameters and columns with what the server says; report
 * gets a sentence for each difference. Returns how many there are. */
size_t db_check(struct db *db, void (*report)(void *context, const char *problem), void *context);

#endif
