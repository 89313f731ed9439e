#include "db/db.h"

#include <mariadb/errmsg.h>
#include <mariadb/mysqld_error.h>
#include <unistd.h>

#include "base/log.h"
#include "db/internal.h"

enum {
    TRANSACTION_TRIES = 6,
    TRANSACTION_MS = 10000, /* no new attempt after that */
    ANSWER_SECONDS = 60
};

/* ---- connection ---- */

struct db *db_new(const char *option_file)
{
    struct db *db = calloc(1, sizeof *db);
    if (db) {
        db->option_file = option_file;
        db->answer_seconds = ANSWER_SECONDS;
        hosts_read(&db->hosts, option_file);
        db->tenant = stmt_value_s(DB_UUID, (struct str){0});
    }
    return db;
}

void db_free(struct db *db)
{
    if (!db)
        return;
    db_disconnect(db);
    free(db);
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
    enum error e = db_connect(db);
    *prepared = e ? NULL : find(db, stmt);
    if (!e && !*prepared)
        e = db_collect(db); /* it is waited for */
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
        db_drop_statement(db);
    return e;
}

/* ---- transactions ---- */

/* A Galera node may give up a transaction and go on as if nothing had happened: it does so in the
 * middle of a bulk of rows, answers OK, and what follows belongs to no transaction or to a new one.
 * So a savepoint that is set first and released last ties the commit to the transaction that it is
 * for: with another one it is gone. A server that stands alone needs none of that, which costs it
 * more than many a statement.
 * Nothing commits by itself until the transaction is over: what was sent ahead of the news that the
 * server has given it up is rolled back, too. Of a server that stands alone that is all that
 * makes one: it begins with its first statement, and each answer tells whether it is there still.
 */
static enum error begin(struct db *db)
{
    enum error e = db_connect(db);
    if (!e && db->group == GROUP_UNKNOWN)
        e = db_ask_group(db);
    if (e)
        return e;
    db->in_transaction = db->sends_ahead = true;
    db->failed = ERR_OK;
    if (db->group == GROUP_NODE)
        return db_send_query(
            db, "BEGIN NOT ATOMIC SET autocommit = 0; START TRANSACTION; SAVEPOINT whole; END");
    return db_server_status(db) & SERVER_STATUS_AUTOCOMMIT ? db_send_query(db, "SET autocommit = 0")
                                                           : ERR_OK;
}

/* A connection that is lost before COMMIT is sent leaves nothing unknown. */
static enum error release(struct db *db)
{
    if (!db->mysql)
        return ERR_DATABASE_UNAVAILABLE;
    if (db->group == GROUP_NONE)
        return db_has_hung_up(db)
                   ? db_failed(db, "COMMIT", CR_SERVER_LOST, "The server has hung up")
                   : ERR_OK;
    if (mysql_query(db->mysql, "RELEASE SAVEPOINT whole") == 0)
        return ERR_OK;
    enum error e =
        db_failed(db, "RELEASE SAVEPOINT", mysql_errno(db->mysql), mysql_error(db->mysql));
    return e == ERR_INTERNAL ? ERR_DATABASE_BUSY : e; /* it is not there: tried again */
}

static enum error commit(struct db *db)
{
    enum error e = db_collect(db);
    if (!e)
        e = db->failed;
    if (!e)
        e = release(db);
    if (e)
        return e;
    db->committing = true;
    e = db_query(db, "COMMIT");
    db->committing = false;
    return e;
}

/* After a commit or rollback. That statements commit by themselves again, the next one says. */
static void end(struct db *db)
{
    db->in_transaction = db->sends_ahead = false;
}

static void rollback(struct db *db)
{
    db_collect(db);
    if (!db->mysql || !db->in_transaction)
        return;
    if (mysql_rollback(db->mysql))
        db_disconnect(db);
    else
        end(db);
}

/* Without a COMMIT nothing of the attempt is there, so another server may be asked. Over its limit
 * another attempt would not get beyond its first statement. */
static bool may_try_again(const struct db *db, enum error e)
{
    bool helps =
        e == ERR_DATABASE_BUSY || (e == ERR_DATABASE_UNAVAILABLE && hosts_several(&db->hosts));
    return helps && !db_is_over_limit(db);
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
        if (!may_try_again(db, e) || clock_monotonic() > last_start)
            break;
        unsigned char jitter;
        rand_bytes(&jitter, 1);
        usleep((1000u << attempt) + jitter * 20u);
    }
    db->broken = false;
    return e;
}

/* ---- what is left open ---- */

static bool is_open(struct db *db)
{
    return db->mysql && db_server_status(db) & SERVER_STATUS_IN_TRANS;
}

void db_leave_open(struct db *db)
{
    db->leaves_open = true;
}

void db_rest(struct db *db)
{
    if (is_open(db) && !db->in_transaction && db_query(db, "SET autocommit = 1"))
        db_disconnect(db);
}

/* ---- transactions that only read ---- */

/* The session reads what is committed now, statement by statement; this transaction does not. */
static enum error begin_reading(struct db *db)
{
    enum error e = db_connect(db);
    if (e)
        return e;
    db->in_transaction = true;
    db->failed = ERR_OK;
    if (is_open(db))
        e = db_send_query(db, "ROLLBACK");
    if (!e)
        e = db_send_query(db, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
    return e ? e : db_send_query(db, "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY");
}

enum error db_read(struct db *db, enum error (*work)(struct db *db, void *arg), void *arg)
{
    db->broken = false;
    enum error e = begin_reading(db);
    if (!e)
        e = work(db, arg);
    if (!e)
        e = db->failed;
    rollback(db);
    db->broken = false;
    return e;
}

void db_set_limit(struct db *db, unsigned seconds)
{
    db->answer_seconds = db->limit_seconds = seconds;
}

uint64_t db_connection(const struct db *db)
{
    return db->mysql ? db->connects : 0;
}

int64_t db_spent(const struct db *db)
{
    return db->spent;
}

void db_go_on(struct db *db, int64_t spent)
{
    db->spent = spent;
}

bool db_is_over_limit(const struct db *db)
{
    return db->limit_seconds && db->spent > (int64_t)db->limit_seconds * 1000;
}

void db_set_tenant(struct db *db, struct str tenant)
{
    struct str kept = str_sub(tenant, 0, UUID_TEXT_LEN);
    if (kept.n)
        memcpy(db->tenant_text, kept.p, kept.n);
    db->tenant = stmt_value_s(DB_UUID, (struct str){db->tenant_text, kept.n});
}

void db_reset(struct db *db)
{
    if (db->pending)
        mysql_stmt_free_result(db->pending);
    db->pending = NULL;
    rollback(db);
    db->broken = db->leaves_open = false;
    db->spent = 0;
    db->tenant = stmt_value_s(DB_UUID, (struct str){0});
}

enum error db_ping(struct db *db)
{
    enum error e = db_connect(db);
    if (!e)
        e = db_takes_writes(db);
    if (!e && db->schema)
        return db_check_server(db);
    return e ? e : db_check_durability(db);
}
