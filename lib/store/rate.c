#include "store/rate.h"

struct attempts {
    int64_t since, attempts;
};

#define STATEMENTS "store/rate.def"
#include "db/statements.inc"

enum { SUBJECT_MAX = 254 };

enum error rate_fetch(struct db *db, struct arena *arena, struct str class, struct str subject,
                      int64_t now, int64_t window, int64_t *since, int64_t *attempts)
{
    struct attempts *row;
    subject = str_utf8_prefix(subject, SUBJECT_MAX);
    enum error e = DB_ROW(db, arena, &row, rate_fetch, .class = class, .subject = subject,
                          .after = now - window, .before = now + window);
    *since = row ? row->since : now;
    *attempts = row ? row->attempts : 0;
    return e;
}

enum error rate_add(struct db *db, struct str class, struct str subject, int64_t now,
                    int64_t window)
{
    return rate_add_many(db, class, subject, now, window, 1);
}

enum error rate_add_many(struct db *db, struct str class, struct str subject, int64_t now,
                         int64_t window, int64_t n)
{
    subject = str_utf8_prefix(subject, SUBJECT_MAX);
    return DB_RUN(db, rate_add, .class = class, .subject = subject, .since = now,
                  .after = now - window, .before = now + window, .attempts = n);
}

enum error rate_postpone(struct db *db, struct str class, struct str subject, int64_t now,
                         int64_t window)
{
    subject = str_utf8_prefix(subject, SUBJECT_MAX);
    return DB_RUN(db, rate_postpone, .class = class, .subject = subject, .since = now,
                  .after = now - window, .before = now + window);
}

enum error rate_purge(struct db *db, int64_t before, int64_t limit, uint64_t *purged)
{
    return DB_RUN_COUNT(db, purged, rate_purge, .before = before, .limit = limit);
}

enum error rate_old(struct db *db, struct arena *arena, int64_t before, int64_t *count)
{
    return DB_NUMBER(db, arena, count, rate_old, .before = before);
}
