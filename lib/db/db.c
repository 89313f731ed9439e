#include "db/db.h"

#include <mariadb/errmsg.h>
#include <mariadb/mysqld_error.h>
#include <poll.h>
#include <unistd.h>

#include "base/log.h"
#include "db/internal.h"

enum {
    TRANSACTION_TRIES = 6,
    TRANSACTION_MS = 10000, /* no new attempt after that */
    CONNECT_SECONDS = 3,
    LOCK_SECONDS = 5,
    LOCK_PART = 5, /* of the limit that a lock may take */
    ANSWER_SECONDS = 60
};

/* ---- connection ---- */

struct db *db_new(const char *option_file)
{
    struct db *db = calloc(1, sizeof *db);
    if (db) {
        db->option_file = option_file;
        db->answer_seconds = ANSWER_SECONDS;
        db->tenant = stmt_value_s(DB_UUID, (struct str){0});
    }
    return db;
}

static void drop_first(struct db *db)
{
    struct prepared *prepared = db->prepared;
    db->prepared = prepared->next;
    mysql_stmt_close(prepared->handle);
    free(prepared);
}

static void disconnect(struct db *db)
{
    db->pending = NULL;
    db->in_transaction = false;
    while (db->prepared)
        drop_first(db);
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
    case ER_UNKNOWN_COM_ERROR:         /* a Galera node that is not ready */
    case ER_OPTION_PREVENTS_STATEMENT: /* a server that is read-only: another host may not be */
    case ER_READ_ONLY_MODE:            /* InnoDB alone is */
        return true;
    default:
        return false;
    }
}

static void (*count_error)(enum error e);

void db_count_errors(void (*count)(enum error e))
{
    count_error = count;
}

static enum error counted(enum error e)
{
    if (count_error)
        count_error(e);
    return e;
}

/* The server rolled the transaction back, or never got a lock: the whole of it may be tried again.
 */
static bool is_busy(unsigned code)
{
    return code == ER_LOCK_DEADLOCK || code == ER_LOCK_WAIT_TIMEOUT;
}

static bool is_disk_full(unsigned code)
{
    return code == ER_DISK_FULL || code == ER_RECORD_FILE_FULL;
}

static enum error failed(struct db *db, const char *what, unsigned code, const char *message)
{
    bool committing = db->committing;
    log_write(is_busy(code) ? LOG_LEVEL_WARN : LOG_LEVEL_ERROR,
              "database statement=%s code=%u error=%s", what, code, log_quote(str_of(message)));
    if (is_connection_lost(code)) {
        db->broken = db->in_transaction;
        disconnect(db);
        return counted(committing ? ERR_COMMIT_UNKNOWN : ERR_DATABASE_UNAVAILABLE);
    }
    if (committing && code == ER_ERROR_DURING_COMMIT)
        return counted(ERR_COMMIT_UNKNOWN);
    if (is_disk_full(code))
        return counted(ERR_DATABASE_UNAVAILABLE);
    return counted(is_busy(code) ? ERR_DATABASE_BUSY : ERR_INTERNAL);
}

/* What fails while a result is read, the library tells of the connection only. */
enum error db_failed_stmt(struct db *db, struct prepared *prepared)
{
    unsigned code = mysql_stmt_errno(prepared->handle);
    if (code)
        return failed(db, prepared->stmt->name, code, mysql_stmt_error(prepared->handle));
    return failed(db, prepared->stmt->name, mysql_errno(db->mysql), mysql_error(db->mysql));
}

static unsigned server_status(struct db *db)
{
    unsigned status = 0;
    mariadb_get_infov(db->mysql, MARIADB_CONNECTION_SERVER_STATUS, &status);
    return status;
}

enum error db_statement_done(struct db *db, const struct prepared *prepared)
{
    if (!db->in_transaction || server_status(db) & SERVER_STATUS_IN_TRANS)
        return ERR_OK;
    log_warn("database statement=%s problem=\"the server has given up the transaction\"",
             prepared->stmt->name);
    return counted(ERR_DATABASE_BUSY);
}

static unsigned at_most(unsigned seconds, unsigned limit)
{
    return limit && limit < seconds ? limit : seconds;
}

static unsigned lock_seconds(const struct db *db)
{
    unsigned part = db->limit_seconds / LOCK_PART;
    return at_most(LOCK_SECONDS, db->limit_seconds && part == 0 ? 1 : part);
}

static void set_options(MYSQL *mysql, const struct db *db)
{
    static const char format[] =
        "SET time_zone = '+00:00', NAMES utf8mb4, "
        "sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,NO_ENGINE_SUBSTITUTION', "
        "tx_isolation = 'READ-COMMITTED', innodb_lock_wait_timeout = %u";
    char session[sizeof format + 16];
    unsigned connect_seconds = at_most(CONNECT_SECONDS, db->limit_seconds);
    snprintf(session, sizeof session, format, lock_seconds(db));
    my_bool no = 0;
    mysql_options(mysql, MYSQL_READ_DEFAULT_FILE, db->option_file);
    mysql_options(mysql, MYSQL_READ_DEFAULT_GROUP, "loadline");
    mysql_options(mysql, MYSQL_SET_CHARSET_NAME, "utf8mb4");
    mysql_options(mysql, MYSQL_INIT_COMMAND, session);
    mysql_options(mysql, MYSQL_OPT_CONNECT_TIMEOUT, &connect_seconds);
    mysql_options(mysql, MYSQL_OPT_READ_TIMEOUT, &db->answer_seconds);
    mysql_options(mysql, MYSQL_OPT_WRITE_TIMEOUT, &db->answer_seconds);
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
        return ERR_DATABASE_UNAVAILABLE;
    if (db->mysql && (db->in_transaction || !has_hung_up(db->mysql)))
        return ERR_OK;
    disconnect(db);
    MYSQL *mysql = mysql_init(NULL);
    if (!mysql)
        return ERR_INTERNAL;
    set_options(mysql, db);
    if (mysql_real_connect(mysql, NULL, NULL, NULL, NULL, 0, NULL, CLIENT_REMEMBER_OPTIONS)) {
        db->mysql = mysql;
        return ERR_OK;
    }
    log_error("database statement=connect code=%u error=%s", mysql_errno(mysql),
              log_quote(str_of(mysql_error(mysql))));
    mysql_close(mysql);
    return counted(ERR_DATABASE_UNAVAILABLE);
}

/* ---- statements, prepared once a connection ---- */

static struct prepared *find(const struct db *db, const struct stmt *stmt)
{
    struct prepared *prepared = db->prepared;
    while (prepared && prepared->stmt != stmt)
        prepared = prepared->next;
    return prepared;
}

static enum error prepare(struct db *db, struct prepared *prepared)
{
    char *sql = malloc(strlen(prepared->stmt->sql) + 1);
    enum error e = ERR_INTERNAL;
    if (sql && stmt_translate(prepared->stmt, sql, prepared->order, &prepared->order_length))
        e = mysql_stmt_prepare(prepared->handle, sql, strlen(sql)) ? db_failed_stmt(db, prepared)
                                                                   : ERR_OK;
    free(sql);
    return e;
}

enum error db_prepare(struct db *db, const struct stmt *stmt, struct prepared **prepared)
{
    enum error e = connect_if_needed(db);
    *prepared = e ? NULL : find(db, stmt);
    if (e || *prepared)
        return e;
    struct prepared *made = calloc(1, sizeof *made);
    MYSQL_STMT *handle = mysql_stmt_init(db->mysql);
    if (!made || !handle) {
        free(made);
        return ERR_INTERNAL; /* the handle is the connection's */
    }
    *made = (struct prepared){.next = db->prepared, .stmt = stmt, .handle = handle};
    db->prepared = *prepared = made;
    e = prepare(db, made);
    if (e && db->prepared == made)
        drop_first(db);
    return e;
}

/* ---- transactions ---- */

static enum error query(struct db *db, const char *sql)
{
    if (mysql_query(db->mysql, sql) == 0)
        return ERR_OK;
    return failed(db, sql, mysql_errno(db->mysql), mysql_error(db->mysql));
}

/* A server may give up a transaction and go on as if nothing had happened: a Galera node does so in
 * the middle of a bulk of rows, answers OK, and what follows belongs to no transaction or to a new
 * one. So nothing commits by itself here, and a savepoint that is set first and released last ties
 * the commit to the transaction that it is for: with another one it is gone. */
static enum error begin(struct db *db)
{
    enum error e = connect_if_needed(db);
    if (e)
        return e;
    db->in_transaction = true;
    return query(db,
                 "BEGIN NOT ATOMIC SET autocommit = 0; START TRANSACTION; SAVEPOINT whole; END");
}

static enum error release(struct db *db)
{
    if (!db->mysql)
        return ERR_DATABASE_UNAVAILABLE;
    if (mysql_query(db->mysql, "RELEASE SAVEPOINT whole") == 0)
        return ERR_OK;
    enum error e = failed(db, "RELEASE SAVEPOINT", mysql_errno(db->mysql), mysql_error(db->mysql));
    return e == ERR_INTERNAL ? ERR_DATABASE_BUSY : e; /* it is not there: tried again */
}

static enum error commit(struct db *db)
{
    enum error e = release(db);
    if (e)
        return e;
    db->committing = true;
    e = query(db, "COMMIT");
    db->committing = false;
    return e;
}

/* After a commit or rollback: statements commit by themselves again. */
static void end(struct db *db)
{
    db->in_transaction = false;
    if (!(server_status(db) & SERVER_STATUS_AUTOCOMMIT) && mysql_autocommit(db->mysql, true))
        disconnect(db);
}

static void rollback(struct db *db)
{
    if (!db->mysql || !db->in_transaction)
        return;
    if (mysql_rollback(db->mysql))
        disconnect(db);
    else
        end(db);
}

enum error db_transact(struct db *db, enum error (*work)(struct db *db, void *arg), void *arg)
{
    int64_t tries_ms = db->limit_seconds ? db->limit_seconds * 1000 / 2 : TRANSACTION_MS;
    int64_t last_start = clock_monotonic() + tries_ms;
    enum error e = ERR_OK;
    for (unsigned attempt = 0; attempt < TRANSACTION_TRIES; attempt++) {
        db->broken = false;
        e = begin(db);
        if (!e)
            e = work(db, arg);
        if (!e)
            e = commit(db);
        if (!e) {
            end(db);
            break;
        }
        rollback(db);
        if (e != ERR_DATABASE_BUSY || clock_monotonic() > last_start)
            break;
        unsigned char jitter;
        rand_bytes(&jitter, 1);
        usleep((1000u << attempt) + jitter * 20u);
    }
    db->broken = false;
    return e;
}

/* The session reads what is committed now, statement by statement; this transaction does not. */
static enum error begin_reading(struct db *db)
{
    enum error e = connect_if_needed(db);
    if (!e)
        e = query(db, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
    if (!e)
        e = query(db, "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY");
    db->in_transaction = !e;
    return e;
}

enum error db_read(struct db *db, enum error (*work)(struct db *db, void *arg), void *arg)
{
    db->broken = false;
    enum error e = begin_reading(db);
    if (!e)
        e = work(db, arg);
    rollback(db);
    db->broken = false;
    return e;
}

enum error db_alter(struct db *db, struct str sql)
{
    enum error e = connect_if_needed(db);
    if (!e && mysql_real_query(db->mysql, sql.p, sql.n))
        e = failed(db, "alter", mysql_errno(db->mysql), mysql_error(db->mysql));
    return e;
}

void db_set_lock_timeout(struct db *db, unsigned seconds)
{
    db->answer_seconds = seconds;
}

void db_set_limit(struct db *db, unsigned seconds)
{
    db->answer_seconds = db->limit_seconds = seconds;
}

bool db_is_over_limit(const struct db *db)
{
    return db->limit_seconds && db->spent > (int64_t)db->limit_seconds * 1000;
}

void db_set_tenant(struct db *db, struct str tenant)
{
    struct str kept = str_sub(tenant, 0, UUID_TEXT_LEN);
    memcpy(db->tenant_text, kept.p, kept.n);
    db->tenant = stmt_value_s(DB_UUID, (struct str){db->tenant_text, kept.n});
}

void db_reset(struct db *db)
{
    if (db->pending)
        mysql_stmt_free_result(db->pending);
    db->pending = NULL;
    rollback(db);
    db->broken = false;
    db->spent = 0;
    db->tenant = stmt_value_s(DB_UUID, (struct str){0});
}

/* A variable of the server that is on or off. */
static enum error variable(struct db *db, const char *show, bool *is_on)
{
    enum error e = query(db, show);
    MYSQL_RES *result = e ? NULL : mysql_store_result(db->mysql);
    MYSQL_ROW row = result ? mysql_fetch_row(result) : NULL;
    if (!e && !row)
        e = failed(db, show, mysql_errno(db->mysql), mysql_error(db->mysql));
    *is_on = row && row[1] && strcmp(row[1], "OFF") != 0;
    mysql_free_result(result);
    return e;
}

enum error db_ping(struct db *db)
{
    bool read_only;
    enum error e = connect_if_needed(db);
    if (!e)
        e = variable(db, "SHOW GLOBAL VARIABLES LIKE 'read_only'", &read_only);
    if (!e && read_only)
        e = failed(db, "ping", ER_OPTION_PREVENTS_STATEMENT, "The server is read-only.");
    return e;
}
