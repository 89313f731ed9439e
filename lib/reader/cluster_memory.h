/* cluster_memory: an object_memory for each cluster that a worker serves, within a limit. When
 * there are more, those that were not asked for the longest time are forgotten.
 */
#ifndef LOADLINE_READER_CLUSTER_MEMORY_H
#define LOADLINE_READER_CLUSTER_MEMORY_H

#include "reader/object_memory.h"

struct cluster_memory;

/* limit: bytes of all together, but for the one asked for last. NULL without memory, or when limit
 * is 0. Free with cluster_memory_free(), which takes NULL. */
struct cluster_memory *cluster_memory_new(size_t limit);
void cluster_memory_free(struct cluster_memory *clusters);

/* That of a cluster, a new one at first. NULL without memory, or when `clusters` is NULL. Others
 * may be freed for it: no model that was read with one may still be looked at. */
struct object_memory *cluster_memory_of(struct cluster_memory *clusters, struct str tenant,
                                        struct str cluster);

/* What all of them take now. 0 when `clusters` is NULL. */
size_t cluster_memory_bytes(const struct cluster_memory *clusters);

#endif
