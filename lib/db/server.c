/* What the server says of itself. */
#include "base/log.h"
#include "db/db.h"
#include "db/internal.h"

/* The first row of a result, as numbers; NULL reads as 0. */
static enum error numbers(struct db *db, const char *sql, int64_t *out, unsigned n)
{
    MYSQL_RES *result = mysql_query(db->mysql, sql) == 0 ? mysql_store_result(db->mysql) : NULL;
    MYSQL_ROW row = result ? mysql_fetch_row(result) : NULL;
    for (unsigned i = 0; i < n; i++)
        out[i] = row && row[i] ? atoll(row[i]) : 0;
    mysql_free_result(result);
    return row ? ERR_OK : db_failed(db, "ask", mysql_errno(db->mysql), mysql_error(db->mysql));
}

/* A commit is on disk when it is answered: in the redo log, and where there is one, in the binlog,
 * which recovery after a crash goes by. */
static void judge_durability(struct db *db, int64_t flush, int64_t has_binlog, int64_t sync)
{
    bool weak = flush != 1 || (has_binlog && sync != 1);
    if (weak && !db->weak)
        log_warn("database innodb_flush_log_at_trx_commit=%lld log_bin=%lld sync_binlog=%lld "
                 "problem=\"an answered push may be lost when the database's host loses power: "
                 "both must be 1\"",
                 (long long)flush, (long long)has_binlog, (long long)sync);
    db->weak = weak;
}

#define DURABILITY "@@GLOBAL.innodb_flush_log_at_trx_commit, @@GLOBAL.log_bin, @@GLOBAL.sync_binlog"

enum error db_check_server(struct db *db)
{
    int64_t said[4] = {0};
    enum error e = numbers(db,
                           "SELECT " DURABILITY ", (SELECT MAX(number) FROM schema_migrations "
                           "WHERE state = 'applied')",
                           said, 4);
    if (e && e != ERR_SCHEMA_OLD) { /* that is: there is no such table */
        db_disconnect(db);
        return e;
    }
    if (!e)
        judge_durability(db, said[0], said[1], said[2]);
    if (!e && said[3] >= db->schema)
        return ERR_OK;
    log_error("database schema=%lld needed=%lld problem=\"%s: run loadline-migrate\"",
              (long long)said[3], (long long)db->schema,
              said[3] ? "the database has an older schema than this version needs"
                      : "the database has no schema, or a restore has not come to its end");
    db_disconnect(db);
    return ERR_SCHEMA_OLD;
}

void db_need_schema(struct db *db, int64_t number)
{
    db->schema = number;
}

enum error db_check_durability(struct db *db)
{
    int64_t said[3];
    enum error e = numbers(db, "SELECT " DURABILITY, said, 3);
    if (!e)
        judge_durability(db, said[0], said[1], said[2]);
    return e;
}

bool db_is_durable(const struct db *db)
{
    return !db->weak;
}
