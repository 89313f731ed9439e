/* snapshot: the latest pushed document of a cluster, redacted, as gzip. */
#ifndef LOADLINE_STORE_SNAPSHOT_H
#define LOADLINE_STORE_SNAPSHOT_H

#include "db/db.h"
#include "service/spool.h"

enum { SNAPSHOT_BODY_MAX = 120 * 1024 * 1024 }; /* fits max_allowed_packet */

struct snapshot {
    int64_t received, taken;
    struct str body;
};

/* Replaces the one before. */
enum error snapshot_put(struct db *db, struct str cluster, const struct snapshot *snapshot);
/* Changes with every snapshot_put(); of the cluster alone. 0 when there is none. */
enum error snapshot_revision(struct db *db, struct arena *arena, struct str cluster,
                             int64_t *revision);
/* Appends the body, which may be larger than memory allows; nothing when there is none. */
enum error snapshot_spool(struct db *db, struct arena *arena, struct str cluster,
                          struct spool *body);

#endif
