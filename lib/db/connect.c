/* The connection of a struct db, and what becomes of it when something fails. */
#include <errno.h>
#include <fcntl.h>
#include <mariadb/errmsg.h>
#include <mariadb/mysqld_error.h>
#include <poll.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "db/db.h"
#include "db/internal.h"

enum {
    CONNECT_SECONDS = 3,
    HOST_TRIES = 8,
    LOCK_SECONDS = 5,
    LOCK_PART = 5 /* of the limit that a lock may take */
};

/* ---- the end of it ---- */

void db_drop_statement(struct db *db)
{
    struct prepared *prepared = db->prepared;
    db->prepared = prepared->next;
    mysql_stmt_close(prepared->handle);
    free(prepared);
}

void db_disconnect(struct db *db)
{
    db->pending = NULL;
    db->sent_n = 0;
    db->in_transaction = db->sends_ahead = false;
    while (db->prepared)
        db_drop_statement(db);
    if (db->mysql)
        mysql_close(db->mysql);
    db->mysql = NULL;
    db->group = GROUP_UNKNOWN;
}

/* ---- errors ---- */

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

/* The server is of no use: another one may be. */
static void pass_over(struct db *db)
{
    if (db->mysql && hosts_several(&db->hosts))
        hosts_pass_over(&db->hosts, db->mysql->host ? db->mysql->host : "", db->mysql->port);
}

static bool is_disk_full(unsigned code)
{
    return code == ER_DISK_FULL || code == ER_RECORD_FILE_FULL;
}

/* code: of the server or the client library; 0: of neither */
static void keep_problem(struct db *db, unsigned code, const char *problem)
{
    snprintf(db->problem, sizeof db->problem, "%s", problem);
    db->problem_code = code;
}

enum db_reason db_reason(const struct db *db)
{
    switch (db->problem_code) {
    case ER_OPTION_PREVENTS_STATEMENT:
    case ER_READ_ONLY_MODE:
        return DB_READ_ONLY;
    case ER_UNKNOWN_COM_ERROR:
        return DB_CUT_OFF;
    case ER_CON_COUNT_ERROR:
    case ER_TOO_MANY_USER_CONNECTIONS:
    case ER_USER_LIMIT_REACHED:
        return DB_TOO_MANY_CONNECTIONS;
    default:
        return is_disk_full(db->problem_code) ? DB_DISK_FULL : DB_UNREACHABLE;
    }
}

const char *db_problem(const struct db *db)
{
    return db->problem;
}

enum error db_fail_transaction(struct db *db, enum error e)
{
    if ((db->in_transaction || db->broken) && !db->failed)
        db->failed = e;
    return e;
}

/* Tables went since the connection began: somebody restores the database, or has dropped it. The
 * next connection compares schemas. */
static bool is_schema_gone(const struct db *db, unsigned code)
{
    return db->schema &&
           (code == ER_NO_SUCH_TABLE || code == ER_NO_DB_ERROR || code == ER_BAD_DB_ERROR);
}

static enum error error_of(struct db *db, unsigned code)
{
    bool committing = db->committing;
    if (is_schema_gone(db, code)) {
        db->broken = db->in_transaction;
        db_disconnect(db);
        return ERR_SCHEMA_OLD;
    }
    if (is_connection_lost(code)) {
        db->broken = db->in_transaction;
        pass_over(db);
        db_disconnect(db);
        return committing ? ERR_COMMIT_UNKNOWN : ERR_DATABASE_UNAVAILABLE;
    }
    if (committing && code == ER_ERROR_DURING_COMMIT)
        return ERR_COMMIT_UNKNOWN;
    if (is_disk_full(code) && hosts_several(&db->hosts)) {
        db->broken = db->in_transaction;
        pass_over(db);
        db_disconnect(db);
    }
    if (is_disk_full(code))
        return ERR_DATABASE_UNAVAILABLE;
    return is_busy(code) ? ERR_DATABASE_BUSY : ERR_INTERNAL;
}

enum error db_failed(struct db *db, const char *what, unsigned code, const char *message)
{
    keep_problem(db, code, message);
    log_write(is_busy(code) ? LOG_LEVEL_WARN : LOG_LEVEL_ERROR,
              "database statement=%s code=%u error=%s", what, code, log_quote(str_of(message)));
    return db_fail_transaction(db, counted(error_of(db, code)));
}

/* What fails while a result is read, the library tells of the connection only. */
enum error db_failed_stmt(struct db *db, struct prepared *prepared)
{
    unsigned code = mysql_stmt_errno(prepared->handle);
    if (code)
        return db_failed(db, prepared->stmt->name, code, mysql_stmt_error(prepared->handle));
    return db_failed(db, prepared->stmt->name, mysql_errno(db->mysql), mysql_error(db->mysql));
}

unsigned db_server_status(struct db *db)
{
    unsigned status = 0;
    mariadb_get_infov(db->mysql, MARIADB_CONNECTION_SERVER_STATUS, &status);
    return status;
}

enum error db_statement_done(struct db *db, const struct prepared *prepared)
{
    if (!db->in_transaction || db_server_status(db) & SERVER_STATUS_IN_TRANS)
        return ERR_OK;
    log_warn("database statement=%s problem=\"the server has given up the transaction\"",
             prepared->stmt->name);
    return db_fail_transaction(db, counted(ERR_DATABASE_BUSY));
}

/* ---- connecting ---- */

static unsigned at_most(unsigned seconds, unsigned limit)
{
    return limit && limit < seconds ? limit : seconds;
}

static unsigned lock_seconds(const struct db *db)
{
    unsigned part = db->limit_seconds / LOCK_PART;
    return at_most(LOCK_SECONDS, db->limit_seconds && part == 0 ? 1 : part);
}

/* Of several servers another one must have its turn within the limit. */
static unsigned connect_seconds(const struct db *db)
{
    bool several = hosts_several(&db->hosts);
    return at_most(CONNECT_SECONDS, several ? (db->limit_seconds + 1) / 2 : db->limit_seconds);
}

static void set_options(MYSQL *mysql, const struct db *db)
{
    static const char format[] =
        "SET time_zone = '+00:00', NAMES utf8mb4, "
        "sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,NO_ENGINE_SUBSTITUTION', "
        "tx_isolation = 'READ-COMMITTED', innodb_lock_wait_timeout = %u";
    char session[sizeof format + 16];
    unsigned patience = connect_seconds(db);
    snprintf(session, sizeof session, format, lock_seconds(db));
    my_bool no = 0;
    unsigned off = 0;
    mysql_options(mysql, MYSQL_READ_DEFAULT_FILE, db->option_file);
    mysql_options(mysql, MYSQL_READ_DEFAULT_GROUP, "loadline");
    mysql_options(mysql, MYSQL_SET_CHARSET_NAME, "utf8mb4");
    mysql_options(mysql, MYSQL_INIT_COMMAND, session);
    mysql_options(mysql, MYSQL_OPT_CONNECT_TIMEOUT, &patience);
    mysql_options(mysql, MYSQL_OPT_READ_TIMEOUT, &db->answer_seconds);
    mysql_options(mysql, MYSQL_OPT_WRITE_TIMEOUT, &db->answer_seconds);
    mysql_options(mysql, MYSQL_OPT_RECONNECT, &no);
    mysql_options(mysql, MYSQL_OPT_LOCAL_INFILE, &off); /* without a value: on */
}

bool db_has_hung_up(const struct db *db)
{
    struct pollfd socket = {.fd = (int)mysql_get_socket(db->mysql), .events = POLLIN};
    return poll(&socket, 1, 0) != 0;
}

/* Somebody wants the server's name to be checked, and the client library would not. */
static bool refuse_bare_verify(struct db *db)
{
    if (db->hosts.bare_verify) {
        keep_problem(db, 0,
                     "write ssl-verify-server-cert = 1: without a value the name in the "
                     "server's certificate is not checked");
        log_error("problem=%s file=%s", log_quote(str_of(db->problem)),
                  log_quote(str_of(db->option_file)));
    }
    return db->hosts.bare_verify;
}

/* The client library would go on without the file, as a user without a password. */
static bool refuse_unreadable(struct db *db)
{
    int file = open(db->option_file, O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        close(file);
        return false;
    }
    keep_problem(db, 0, strerror(errno));
    log_error("problem=\"the option file cannot be read\" file=%s error=%s",
              log_quote(str_of(db->option_file)), log_quote(str_of(db->problem)));
    return true;
}

/* The client library goes on to the next server when one cannot be reached. One that is frozen, or
 * has no place for another connection, it would ask first for ever. */
static bool was_reached(unsigned code)
{
    return code != CR_CONNECTION_ERROR && code != CR_CONN_HOST_ERROR && code != CR_UNKNOWN_HOST;
}

static enum error connect_once(struct db *db)
{
    if (refuse_bare_verify(db) || refuse_unreadable(db))
        return counted(ERR_DATABASE_UNAVAILABLE);
    MYSQL *mysql = mysql_init(NULL);
    if (!mysql)
        return ERR_INTERNAL;
    set_options(mysql, db);
    if (mysql_real_connect(mysql, hosts_several(&db->hosts) ? db->hosts.list : NULL, NULL, NULL,
                           NULL, 0, NULL, CLIENT_REMEMBER_OPTIONS)) {
        db->mysql = mysql;
        db->connects++;
        return ERR_OK;
    }
    keep_problem(db, mysql_errno(mysql), mysql_error(mysql));
    log_error("database statement=connect code=%u error=%s", mysql_errno(mysql),
              log_quote(str_of(db->problem)));
    if (hosts_several(&db->hosts) && was_reached(mysql_errno(mysql)))
        hosts_pass_over(&db->hosts, "", 0);
    mysql_close(mysql);
    return counted(ERR_DATABASE_UNAVAILABLE);
}

enum error db_query(struct db *db, const char *sql)
{
    if (mysql_query(db->mysql, sql) == 0)
        return ERR_OK;
    return db_failed(db, sql, mysql_errno(db->mysql), mysql_error(db->mysql));
}

enum error db_variable(struct db *db, const char *show, bool *is_on)
{
    enum error e = db_query(db, show);
    MYSQL_RES *result = e ? NULL : mysql_store_result(db->mysql);
    MYSQL_ROW row = result ? mysql_fetch_row(result) : NULL;
    if (!e && !result)
        e = db_failed(db, show, mysql_errno(db->mysql), mysql_error(db->mysql));
    *is_on = row && row[1] && strcmp(row[1], "OFF") != 0;
    mysql_free_result(result);
    return e;
}

enum error db_ask_group(struct db *db)
{
    bool in_group;
    enum error e = db_variable(db, "SHOW GLOBAL VARIABLES LIKE 'wsrep_on'", &in_group);
    if (!e)
        db->group = in_group ? GROUP_NODE : GROUP_NONE;
    return e;
}

/* A server that is read-only, and a Galera node that is cut off from its group, are as good as
 * away. */
enum error db_takes_writes(struct db *db)
{
    bool read_only, ready = true;
    enum error e = db_variable(db, "SHOW GLOBAL VARIABLES LIKE 'read_only'", &read_only);
    if (!e)
        e = db_ask_group(db);
    if (!e && db->group == GROUP_NODE)
        e = db_variable(db, "SHOW GLOBAL STATUS LIKE 'wsrep_ready'", &ready);
    if (!e && read_only)
        e = db_failed(db, "ping", ER_OPTION_PREVENTS_STATEMENT, "The server is read-only");
    else if (!e && !ready)
        e = db_failed(db, "ping", ER_UNKNOWN_COM_ERROR, "The node is cut off from its group");
    return e;
}

/* One server of several: before it reads, it waits for what the others have committed. One that
 * takes no writes is left. */
static enum error join_group(struct db *db)
{
    enum error e = db_query(db, "SET SESSION wsrep_sync_wait = 1");
    if (!e)
        e = db_takes_writes(db);
    if (e)
        db_disconnect(db);
    return e;
}

enum error db_connect(struct db *db)
{
    if (db->broken)
        return ERR_DATABASE_UNAVAILABLE;
    if (db->mysql && (db->in_transaction || !db_has_hung_up(db)))
        return ERR_OK;
    db_disconnect(db);
    bool several = hosts_several(&db->hosts);
    enum error e = ERR_DATABASE_UNAVAILABLE;
    for (unsigned tries = 0; e && tries < (several ? HOST_TRIES : 1); tries++) {
        int64_t start = clock_monotonic();
        e = connect_once(db);
        if (!e && several)
            e = join_group(db);
        if (!e && db->schema)
            e = db_check_server(db);
        db->spent += clock_monotonic() - start;
        if (e == ERR_SCHEMA_OLD || db_is_over_limit(db))
            break;
    }
    return e;
}
