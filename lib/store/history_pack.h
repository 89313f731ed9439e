/* history_pack: maintenance packs the score history, an hour at a time, once the hour is over.
 * Points leave score_history and become one row of score_chunks, and the steps of the hour are
 * added up into one of score_hours.
 *
 * Each hour is a transaction of its own, under the lock of the cluster that pushes take: a point is
 * a row or packed, and never both. Whoever is killed leaves the rest to the next, and several may
 * run at once. Rows of earlier releases are packed alike. A point that comes late is a row again,
 * until the next run packs it with the others. clusters.packed_to says before which moment
 * score_hours has every hour; who adds a point before it adds it to its hour as well
 * (history_add()).
 */
#ifndef LOADLINE_STORE_HISTORY_PACK_H
#define LOADLINE_STORE_HISTORY_PACK_H

#include "db/db.h"
#include "store/throttle.h"

struct history_packing {
    struct db *db;
    struct arena *arena; /* reset between pieces of work */
    int64_t now;
    int64_t deadline; /* clock_monotonic(): then the rest is left to the next run; 0: never */
    struct throttle *throttle;
    void (*progress)(void *context); /* called now and then */
    void *context;
    uint64_t points, hours; /* packed */
};

/* Of all clusters. What fails is left to the next run, and the others are packed all the same. */
enum error history_pack(struct history_packing *p);

#endif
