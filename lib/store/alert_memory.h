/* alert_memory: which rules and channels concern a cluster, as this worker has read them last.
 *
 * A tenant has a revision (tenants.alerting_revision), which is another one after each change of
 * its rules and channels and with each silence: alert_setup_changed(). What is remembered of one
 * revision is not taken for another. It is a cache: losing it changes nothing but time.
 */
#ifndef LOADLINE_STORE_ALERT_MEMORY_H
#define LOADLINE_STORE_ALERT_MEMORY_H

#include "alert/alert.h"
#include "alert/channel_type.h"
#include "db/db.h"

/* Of a process. More than so many bytes are not remembered of a cluster. And nothing is for longer
 * than this: a program of an earlier release, or somebody at the database's prompt, changes rules
 * without another revision. */
enum {
    ALERT_MEMORY_CLUSTERS = 1024,
    ALERT_MEMORY_BYTES_EACH = 8 << 10,
    ALERT_MEMORY_MS = 60 * 1000
};

/* A setup with nothing silenced, and the types of its channels, one each. */
struct alert_known {
    struct alert_setup setup;
    const struct channel_type **types;
};

/* What is remembered of the cluster: *known then points into it, until alert_memory_keep().
 * False when nothing is, of that revision and for a snapshot of that time. revision 0: never.
 * taken: of an earlier snapshot a silence may tell that is over by now. */
bool alert_memory_find(struct str cluster, int64_t revision, int64_t taken, int64_t now,
                       struct alert_known *known);
/* Remembers it, in place of what was known of the cluster, and now and then of another one. */
void alert_memory_keep(struct str cluster, int64_t revision, int64_t taken, int64_t now,
                       const struct alert_known *known);

/* The tenant gets another revision, in the caller's transaction, which changes a rule or a channel
 * or begins a silence. */
enum error alert_setup_changed(struct db *db);

#endif
