/* snapshot: the latest pushed document of a cluster, redacted, as zstd. Earlier releases kept
 * gzip, which is read as well. */
#ifndef LOADLINE_STORE_SNAPSHOT_H
#define LOADLINE_STORE_SNAPSHOT_H

#include "codec/decompress.h"
#include "db/db.h"
#include "service/spool.h"

enum { SNAPSHOT_BODY_MAX = 120 * 1024 * 1024 }; /* fits max_allowed_packet */

struct snapshot {
    int64_t received, taken;
    struct str body;
};

/* Of a copy that came at that time. What was stored by a release that knows no hash has another
 * one: it had another time. */
int64_t snapshot_hash(struct str body, int64_t received);

/* Replaces the one before. */
enum error snapshot_put(struct db *db, struct str cluster, const struct snapshot *snapshot);
/* Changes with every snapshot_put(); of the cluster alone. 0 when there is none. */
enum error snapshot_revision(struct db *db, struct arena *arena, struct str cluster,
                             int64_t *revision);
/* Appends the body, which may be larger than memory allows; nothing when there is none. */
enum error snapshot_spool(struct db *db, struct arena *arena, struct str cluster,
                          struct spool *body);
/* What reads such a body, by its first bytes; to be freed before the spool. NULL without memory. */
struct decompress *snapshot_open(struct spool *body);

#endif
