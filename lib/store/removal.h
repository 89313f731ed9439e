/* removal: clusters that are deleted. One is gone at once; its rows, of which there can be
 * millions, go afterwards, some thousands at a time, and whoever is killed meanwhile leaves the
 * rest to the next (a row of deleted_clusters says what there is to do).
 */
#ifndef LOADLINE_STORE_REMOVAL_H
#define LOADLINE_STORE_REMOVAL_H

#include "db/db.h"
#include "store/throttle.h"

/* How long a deleted cluster is remembered: requests that knew it before may still add rows. */
enum { REMOVAL_KEPT_MS = 60 * 60 * 1000 };

/* Inside a transaction: takes the cluster of that name away, with its slot and its deliveries. A
 * push that comes meanwhile waits, and then makes a new cluster. *cluster: its id, in the arena,
 * for removal_continue(). UNKNOWN_CLUSTER. */
enum error removal_begin(struct db *db, struct arena *arena, struct str name, int64_t now,
                         struct str *cluster);

/* Inside a transaction: the row of the tenant's cluster goes, and what else there is of it is to be
 * removed. */
enum error removal_bury(struct db *db, struct str cluster, int64_t now);

/* Removes rows of a cluster that was taken away, until none is left or the clock (clock_monotonic)
 * says `deadline`. *done: none is left. Outside of transactions: each batch is one. */
enum error removal_continue(struct db *db, struct str cluster, int64_t deadline, bool *done);

/* For maintenance: goes on with all deleted clusters of all tenants, and forgets those that were
 * deleted long enough ago. *done as above. Several may run at once. One whose rows cannot be
 * removed keeps no other waiting: its error is returned when the others are done. */
enum error removal_sweep(struct db *db, struct arena *arena, int64_t now, int64_t deadline,
                         bool *done);
/* The same until all is done, or it is to stop; progress(context) is called now and then.
 * DATABASE_BUSY when others have had some rows locked for too long. */
enum error removal_finish(struct db *db, struct arena *arena, int64_t now,
                          struct throttle *throttle, void (*progress)(void *context),
                          void *context);
/* How many deleted clusters are remembered, of all tenants. */
enum error removal_count(struct db *db, struct arena *arena, size_t *count);

#endif
