/* rate: counters of attempts, shared by all workers. Subjects compare in lower case, as e-mail
 * addresses do. */
#ifndef LOADLINE_STORE_RATE_H
#define LOADLINE_STORE_RATE_H

#include "db/db.h"

/* A window is open from its first attempt on, for `window` milliseconds. One that opened that far
 * ahead of now is not open either: the clock was set back. */

/* Attempts of the open window, and when it opened; 0 when none is open. */
enum error rate_fetch(struct db *db, struct arena *arena, struct str class, struct str subject,
                      int64_t now, int64_t window, int64_t *since, int64_t *attempts);
/* One more attempt; it opens a window when none is open. */
enum error rate_add(struct db *db, struct str class, struct str subject, int64_t now,
                    int64_t window);
/* n more, n > 0. */
enum error rate_add_many(struct db *db, struct str class, struct str subject, int64_t now,
                         int64_t window, int64_t n);

/* The same of a window that every attempt opens anew: it closes `window` after the last one. */
enum error rate_postpone(struct db *db, struct str class, struct str subject, int64_t now,
                         int64_t window);

/* Forgets at most `limit` windows that opened at or before `before`, the oldest first. For
 * maintenance: before is now less the longest window that is configured. */
enum error rate_purge(struct db *db, int64_t before, int64_t limit, uint64_t *purged);
/* How many it would forget without a limit. */
enum error rate_old(struct db *db, struct arena *arena, int64_t before, int64_t *count);

#endif
