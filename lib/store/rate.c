#include "store/rate.h"

enum { SUBJECT_MAX = 254 };

enum error rate_fetch(struct db *db, struct arena *arena, struct str class, struct str subject,
                      int64_t now, int64_t window, int64_t *since, int64_t *attempts)
{
    struct db_value *row;
    subject = str_utf8_prefix(subject, SUBJECT_MAX);
    enum error e = db_row(
        db, arena, STMT_rate_fetch,
        DB_ARGS(db_text(class), db_text(subject), db_time(now - window), db_time(now + window)),
        &row);
    *since = row ? row[0].i : now;
    *attempts = row ? row[1].i : 0;
    return e;
}

enum error rate_add(struct db *db, struct str class, struct str subject, int64_t now,
                    int64_t window)
{
    subject = str_utf8_prefix(subject, SUBJECT_MAX);
    return db_run(db, STMT_rate_add,
                  DB_ARGS(db_text(class), db_text(subject), db_time(now), db_time(now - window),
                          db_time(now + window)),
                  NULL);
}

enum error rate_purge(struct db *db, int64_t before, int64_t limit, uint64_t *purged)
{
    return db_run(db, STMT_rate_purge, DB_ARGS(db_time(before), db_int(limit)), purged);
}
