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
};

/* When nothing happens: two reads. The snapshot is the latest of its cluster, in both times. *kept
 * grows by the bytes of messages and of alerts that are over (quota.h). */
enum error alerting_run(struct db *db, struct arena *arena, const struct alerting *alerting,
                        const struct cluster *cluster, const struct ledger *ledger, int64_t *kept);

#endif
