/* alerting: what alerts a judged cluster raises, within its ingest: reads the rules and what is
 * firing, has lib/alert judge, and stores what comes of it: states, alerts that are over, and
 * queued messages.
 */
#ifndef LOADLINE_STORE_ALERTING_H
#define LOADLINE_STORE_ALERTING_H

#include "alert/alert.h"
#include "db/db.h"

struct alerting {
    struct str cluster;      /* our id; the caller holds its lock */
    struct str cluster_name; /* the client's */
    int64_t received, taken; /* of the snapshot: messages are queued at one, tell of the other */
    bool partial;            /* as cluster_row has it */
    int64_t repeat_ms, clear_ms;
    int64_t revision; /* cluster_row.calm */
};

/* When nothing happens: a read, or nothing when the worker knows the rules (alert_memory.h). The
 * snapshot is the latest of its cluster, in both times. *kept grows by the bytes of messages and of
 * alerts that are over (quota.h). *calm: before and after it nothing is firing, and no end is owed.
 */
enum error alerting_run(struct db *db, struct arena *arena, const struct alerting *alerting,
                        const struct cluster *cluster, const struct ledger *ledger, int64_t *kept,
                        bool *calm);

#endif
