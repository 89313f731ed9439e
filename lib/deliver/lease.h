/* lease: how long a notifier has a message for itself.
 *
 * A notifier that lives keeps what it has claimed until the outcome is recorded, however long that
 * takes. Another one takes a message after the lease only when it may take the holder for dead
 * (stale.h).
 */
#ifndef LOADLINE_DELIVER_LEASE_H
#define LOADLINE_DELIVER_LEASE_H

#include "deliver/stale.h"
#include "store/delivery.h"

enum { LEASE_MS = 30000, LEASE_KEEP_MS = 1000 };

struct leases {
    struct db *db;
    char owner[UUID_TEXT_LEN + 1]; /* this notifier */
    int64_t kept;                  /* when, as clock_monotonic() */
    struct stale stale;
};

/* Everything zero but db, which outlives it. */
void lease_init(struct leases *leases, struct db *db);

/* Claims that message, with what it is in the arena. NULL when it is not to be had, or not yet: to
 * be asked about once a second then. */
enum error lease_take(struct leases *leases, struct arena *arena, struct str id,
                      struct delivery **delivery);

/* Is it time to keep them? Once a second. */
bool lease_is_keeping_due(struct leases *leases);
/* Keeps those that are still this notifier's. What fails is tried again with the next ones. The
 * arena is reset. */
void lease_keep(struct leases *leases, struct arena *arena, const struct delivery *const *held,
                size_t n);

#endif
