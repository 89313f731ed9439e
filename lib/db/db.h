/* db: MariaDB, through prepared statements, which stand in tables beside the C that uses them
 * (stmt.h); none of them is known here. Nobody but the files of this directory names the client
 * library (internal.h is theirs).
 *
 * A TENANT statement gets its tenant from here, never from the caller, and is refused while no
 * tenant is set. One struct db is one connection, opened when first needed and again after it was
 * lost; statements are prepared once per connection. Nothing is retried that could happen twice:
 * see db_transact().
 *
 * Errors: DATABASE_UNAVAILABLE (the connection cannot be had, or broke; the server is read-only,
 * out of room, or a node that is cut off), DATABASE_BUSY (lock wait, deadlock, a transaction given
 * up by the server), COMMIT_UNKNOWN, INTERNAL (anything else: logged).
 */
#ifndef LOADLINE_DB_DB_H
#define LOADLINE_DB_DB_H

#include "base/arena.h"
#include "base/rand.h"
#include "db/stmt.h"

struct db;

/* option_file: a MariaDB option file whose group [loadline] is read at each connect; must outlive
 * the db. When its host is a list (hosts.h), it is read now, and a server that is away, read-only,
 * full or cut off from its group is left for the next one. Does not connect. NULL without memory.
 */
struct db *db_new(const char *option_file);
void db_free(struct db *db);
/* From here on count() is told of every statement and connection of this process that fails. */
void db_count_errors(void (*count)(enum error e));

/* Whose rows TENANT statements see from here on; a copy is kept. For where a credential is checked
 * (web/admission.c, cgi-bin/auth.c), tenant_create(), and what goes from tenant to tenant by itself
 * (notifier, maintenance). */
void db_set_tenant(struct db *db, struct str tenant);
/* After every piece of work, however it ended: frees pending results, rolls back an open
 * transaction, forgets the tenant. */
void db_reset(struct db *db);

/* The next statement reads, outside of transactions, what one is about to change: it need not be
 * committed by itself, which spares the server a command. Until that transaction, or the next
 * statement outside of one, or db_rest(), no table that it read can be altered. */
void db_leave_open(struct db *db);
/* Ends what was left open. For who is about to wait for anything but the database; what is not open
 * costs nothing. */
void db_rest(struct db *db);

/* ---- statements ----
 *
 *     e = DB_RUN(db, user_set_role, .role = role, .user_id = id);
 *     e = DB_ROW(db, arena, &user, user_by_id, .user_id = id);
 *
 * name is that of a STMT, what follows are its parameters, each by its name. */

/* In a transaction (db_transact()) it is not waited for, when it has no rows: its error is that of
 * a later statement, or of the commit. */
#define DB_RUN(db, ...) DB_RUN_(db, NULL, __VA_ARGS__, )
/* The same, and `none` when no row was changed, which is an error of the whole then. */
#define DB_RUN_OR(db, none, ...) DB_RUN_OR_(db, none, __VA_ARGS__, )
/* affected (uint64_t *): rows changed; an INSERT ... ON DUPLICATE KEY UPDATE that changed nothing
 * counts 0, and so does what failed. */
#define DB_RUN_COUNT(db, affected, ...) DB_RUN_(db, affected, __VA_ARGS__, )
/* The first row, in the arena; NULL when there is none. row: struct ROW **. */
#define DB_ROW(db, arena, row, ...) DB_ROW_(db, arena, row, __VA_ARGS__, )
/* All rows, in the arena. items: struct ROW **, n: size_t *. */
#define DB_ROWS(db, arena, items, n, ...) DB_ROWS_(db, arena, items, n, __VA_ARGS__, )
/* What a statement such as SELECT COUNT(*) says, whose ROW is number: the whole number in the first
 * row; 0 when there is none. number: int64_t *. */
#define DB_NUMBER(db, arena, number, ...) DB_NUMBER_(db, arena, number, __VA_ARGS__, )
/* Calls each(context, row) with every row of a result as it comes in, for results that are too
 * large for the arena together: the row is valid until each() returns. each() must not use db; its
 * error ends the reading and is returned. */
#define DB_EACH(db, arena, each, context, ...) DB_EACH_(db, arena, each, context, __VA_ARGS__, )
/* Runs a statement once per element of args, sent as one; waited for as by DB_RUN(). args: struct
 * NAME_args *, filled by STMT_ARGS(). */
#define DB_RUN_MANY(db, arena, name, args, n)                                                      \
    db_execute_many(db, arena, &name##_stmt, (const struct name##_args *){args}, n, NULL)
/* The same; affected: of all together, counted as DB_RUN_COUNT() does. */
#define DB_RUN_MANY_COUNT(db, arena, affected, name, args, n)                                      \
    db_execute_many(db, arena, &name##_stmt, (const struct name##_args *){args}, n, affected)

/* The same as DB_RUN_MANY(), and `none` when fewer than n rows were changed. */
#define DB_RUN_MANY_OR(db, arena, none, name, args, n)                                             \
    db_execute_many_or(db, arena, none, &name##_stmt, (const struct name##_args *){args}, n)

#define DB_CALL_(name, ...)              &name##_stmt, &STMT_ARGS_(name, __VA_ARGS__)
#define DB_RUN_(db, affected, name, ...) db_execute(db, DB_CALL_(name, __VA_ARGS__), affected)
#define DB_RUN_OR_(db, none, name, ...)  db_execute_or(db, none, DB_CALL_(name, __VA_ARGS__))
#define DB_ROW_(db, arena, row, name, ...)                                                         \
    db_fetch_row(db, arena, DB_CALL_(name, __VA_ARGS__), (name##_row **){row})
#define DB_ROWS_(db, arena, items, n, name, ...)                                                   \
    db_fetch(db, arena, DB_CALL_(name, __VA_ARGS__), (name##_row **){items}, n)
#define DB_NUMBER_(db, arena, out, name, ...)                                                      \
    db_fetch_number(db, arena, DB_CALL_(name, __VA_ARGS__),                                        \
                    _Generic((name##_row *)NULL, struct number *                                   \
                             : (out)))
#define DB_EACH_(db, arena, each, context, name, ...)                                              \
    db_fetch_each(db, arena, DB_CALL_(name, __VA_ARGS__), each, context)

/* What the macros call; args is the statement's struct NAME_args, row and items are addresses of
 * pointers to its ROW. */
enum error db_execute(struct db *db, const struct stmt *stmt, const void *args, uint64_t *affected);
enum error db_execute_or(struct db *db, enum error none, const struct stmt *stmt, const void *args);
enum error db_execute_many(struct db *db, struct arena *arena, const struct stmt *stmt,
                           const void *args, size_t n, uint64_t *affected);
enum error db_execute_many_or(struct db *db, struct arena *arena, enum error none,
                              const struct stmt *stmt, const void *args, size_t n);
enum error db_fetch_row(struct db *db, struct arena *arena, const struct stmt *stmt,
                        const void *args, void *row);
enum error db_fetch(struct db *db, struct arena *arena, const struct stmt *stmt, const void *args,
                    void *items, size_t *n);
enum error db_fetch_number(struct db *db, struct arena *arena, const struct stmt *stmt,
                           const void *args, int64_t *number);
enum error db_fetch_each(struct db *db, struct arena *arena, const struct stmt *stmt,
                         const void *args, enum error (*each)(void *context, const void *row),
                         void *context);

/* For programs that somebody waits for, from the next connect on: a connect, and each answer of the
 * server, is waited for so many seconds at most, and a lock a fifth of that. A piece of work (until
 * db_reset()) that has spent more than that, connects and statements together, begins no further
 * statement: DATABASE_BUSY. What does not count: COMMIT, and rows that are fetched. Each may
 * wait for its answer as long by itself. */
void db_set_limit(struct db *db, unsigned seconds);

/* Of that limit, how many milliseconds this piece of work has taken; and so many it had taken when
 * it goes on after a db_reset(). */
int64_t db_spent(const struct db *db);
void db_go_on(struct db *db, int64_t spent);

/* Runs work between BEGIN and COMMIT; ERR_OK means committed and durable. When work fails
 * everything is rolled back and its error returned; so it is when a statement failed in it and work
 * returns ERR_OK all the same. When the server has rolled the transaction back
 * (deadlock, lock wait, Galera certification), whether it says so or not, work is called again, a
 * few times within the limit, and nothing of the attempt stays.
 * A connection lost during COMMIT is COMMIT_UNKNOWN, which is never tried again. Before it, it is
 * DATABASE_UNAVAILABLE, and tried again where there are several hosts. Does not nest. */
enum error db_transact(struct db *db, enum error (*work)(struct db *db, void *arg), void *arg);

/* Runs work, which only reads, so that all its statements see the database as it was at one moment.
 * The error of a statement that failed in it is returned, also when work returns ERR_OK. Nothing is
 * locked and nothing is tried again. Does not nest. */
enum error db_read(struct db *db, enum error (*work)(struct db *db, void *arg), void *arg);

/* From the next connect on, a database whose newest migration has a lower number is refused:
 * SCHEMA_OLD. */
void db_need_schema(struct db *db, int64_t number);

/* Is the database there, with the schema that is needed, and does it take writes? Asks it: a server
 * that is read-only, or a Galera node outside the primary component, is DATABASE_UNAVAILABLE.
 * SCHEMA_OLD. */
enum error db_ping(struct db *db);
/* Is a commit on disk when it is answered? As of db_ping(), or of the connect when a schema is
 * needed; true before either. */
bool db_is_durable(const struct db *db);

/* The number of the present connection: another one after each connect. 0 while there is none. */
uint64_t db_connection(const struct db *db);

/* What the last failure was, in the words of the server or the client library, without a full stop;
 * "" before one. */
const char *db_problem(const struct db *db);
/* Of which sort it was, when it was DATABASE_UNAVAILABLE. UNREACHABLE: of none of the others. */
enum db_reason {
    DB_UNREACHABLE,
    DB_READ_ONLY,
    DB_CUT_OFF, /* from the group that it is a node of */
    DB_DISK_FULL,
    DB_TOO_MANY_CONNECTIONS
};
enum db_reason db_reason(const struct db *db);

/* Prepares the statement and compares its parameters and the names and types of its columns with
 * what the server says; report gets a sentence for each difference. Returns how many there are. */
size_t db_check(struct db *db, const struct stmt *stmt,
                void (*report)(void *context, const char *problem), void *context);

#endif
