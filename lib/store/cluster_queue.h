/* cluster_queue: who waits for a cluster that somebody else has locked. A worker that waits serves
 * nobody, so only a few of a host may: one that finds no place looks for a quarter of a second
 * whether the cluster is free, as between two ordinary pushes, and is then refused. The pushes of
 * other clusters, and of other tenants, find workers.
 */
#ifndef LOADLINE_STORE_CLUSTER_QUEUE_H
#define LOADLINE_STORE_CLUSTER_QUEUE_H

#include "store/cluster.h"

struct cluster_queue {
    struct str tenant;
    unsigned cluster_max, tenant_max; /* workers that may wait (base/seats.h): for the cluster, for
                                         all of the tenant */
};

/* cluster_lock() of a cluster that is known. CLUSTER_BUSY. */
enum error cluster_queue_lock(struct db *db, struct arena *arena, const struct cluster_queue *queue,
                              struct str name, struct cluster_row **row);

#endif
