/* cluster_memory: what a worker remembers of each cluster that it serves, within a limit. When
 * there are more, those that were not asked for the longest time are forgotten.
 */
#ifndef LOADLINE_WEB_CLUSTER_MEMORY_H
#define LOADLINE_WEB_CLUSTER_MEMORY_H

#include "codec/delta_memory.h"
#include "reader/document_memory.h"
#include "reader/object_memory.h"
#include "score/verdict_memory.h"

struct cluster_memory;

/* limit: bytes of all together, but for the one asked for last. NULL without memory, or when limit
 * is 0. Free with cluster_memory_free(), which takes NULL. */
struct cluster_memory *cluster_memory_new(size_t limit);
void cluster_memory_free(struct cluster_memory *clusters);

struct known_cluster {
    struct object_memory *objects;    /* for snapshot_read() */
    struct delta_memory *texts;       /* for the copy that it makes */
    struct document_memory *document; /* for changes of it */
    struct verdict_memory *verdicts;  /* for score_again() */
};

/* That of a cluster, a new one at first. NULL without memory, or when `clusters` is NULL. Others
 * may be freed for it: no model or ledger that was made with one may still be looked at. */
const struct known_cluster *cluster_memory_of(struct cluster_memory *clusters, struct str tenant,
                                              struct str cluster);

/* What all of them take now. 0 when `clusters` is NULL. */
size_t cluster_memory_bytes(const struct cluster_memory *clusters);

#endif
