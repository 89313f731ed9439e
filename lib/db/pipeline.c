/* Statements are sent without waiting for the answers of those before them. The server takes one
 * after the other and answers in that order, so a transaction of ten statements waits for two or
 * three answers. The client library can do it (it sends PREPARE and EXECUTE so), but has no
 * function for it: the table of methods is as far down as its header goes. */
#include <stdlib.h>

#include "base/clock.h"
#include "db/internal.h"

static bool is_on_its_way(const struct db *db, const struct prepared *prepared)
{
    size_t i = 0;
    while (i < db->sent_n && db->sent[i].prepared != prepared)
        i++;
    return i < db->sent_n;
}

/* A handle has room for one answer. */
static enum error make_room(struct db *db, const struct prepared *prepared)
{
    bool full = db->sent_n == DB_SENT_MAX;
    return full || (prepared && is_on_its_way(db, prepared)) ? db_collect(db) : ERR_OK;
}

enum error db_send_query(struct db *db, const char *sql)
{
    enum error e = make_room(db, NULL);
    if (!e && mysql_send_query(db->mysql, sql, strlen(sql)))
        e = db_failed(db, sql, mysql_errno(db->mysql), mysql_error(db->mysql));
    if (!e)
        db->sent[db->sent_n++] = (struct sent){.sql = sql};
    return e;
}

static bool send_execute(const struct db *db, MYSQL_STMT *handle, bool many)
{
    const struct st_mariadb_methods *methods = db->mysql->methods;
    enum enum_server_command command = many ? COM_STMT_BULK_EXECUTE : COM_STMT_EXECUTE;
    size_t length;
    unsigned char *request = methods->db_execute_generate_request(handle, &length, false);
    bool sent = request && methods->db_command(db->mysql, command, (const char *)request, length,
                                               true, handle) == 0;
    free(request);
    return sent;
}

enum error db_send_statement(struct db *db, struct prepared *prepared, MYSQL_BIND *binds,
                             size_t rows, enum error none)
{
    enum error e = make_room(db, prepared);
    if (e)
        return e;
    int64_t start = clock_monotonic();
    if (mysql_stmt_bind_param(prepared->handle, binds))
        e = db_failed_stmt(db, prepared);
    else if (!send_execute(db, prepared->handle, rows > 0))
        e = db_failed(db, prepared->stmt->name, mysql_errno(db->mysql), mysql_error(db->mysql));
    else
        db->sent[db->sent_n++] = (struct sent){
            .prepared = prepared, .least = none ? (rows ? rows : 1) : 0, .none = none};
    db->spent += clock_monotonic() - start;
    return e;
}

static enum error answer_of(struct db *db, const struct sent *sent)
{
    if (sent->sql && mysql_read_query_result(db->mysql))
        return db_failed(db, sent->sql, mysql_errno(db->mysql), mysql_error(db->mysql));
    if (sent->sql)
        return ERR_OK;
    MYSQL_STMT *handle = sent->prepared->handle;
    if (db->mysql->methods->db_read_execute_response(handle))
        return db_failed_stmt(db, sent->prepared);
    enum error e = db_statement_done(db, sent->prepared);
    bool enough = e || mysql_stmt_affected_rows(handle) >= sent->least;
    return enough ? e : db_fail_transaction(db, sent->none);
}

/* What follows one that failed has been sent already, and is answered as well. */
enum error db_collect(struct db *db)
{
    int64_t start = clock_monotonic();
    enum error first = ERR_OK;
    for (size_t i = 0; i < db->sent_n; i++) { /* none are left when the connection is lost */
        enum error e = answer_of(db, &db->sent[i]);
        first = first ? first : e;
    }
    db->sent_n = 0;
    db->spent += clock_monotonic() - start;
    return first;
}

enum error db_wait(struct db *db, struct prepared *last)
{
    enum error e = db_collect(db);
    if (e && db->mysql) /* it may have been answered all the same */
        mysql_stmt_free_result(last->handle);
    return e;
}
