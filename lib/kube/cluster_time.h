/* cluster_time: when things happened to a whole cluster or node, by what its objects say. */
#ifndef LOADLINE_KUBE_CLUSTER_TIME_H
#define LOADLINE_KUBE_CLUSTER_TIME_H

#include "kube/model.h"

/* The newest time that any object tells of: the cluster was looked at then or later. What is yet to
 * come by its nature (deletions, ends of certificates) does not count. TIME_NONE: no object tells
 * any, as manifests do not. */
int64_t cluster_newest_time(const struct cluster *cluster);

/* When the node's kubelet was last heard of: by its lease (*leased), else by the status it writes.
 */
int64_t node_heartbeat(const struct node *node, bool *leased);
/* The newest of a node that is ready, not after `time`; TIME_NONE: no node tells. */
int64_t cluster_newest_heartbeat(const struct cluster *cluster, int64_t time);

struct node_restart {
    int64_t time;               /* TIME_NONE: none is seen */
    uint32_t ended, containers; /* how many of the node's containers ended then */
};

/* The latest moment at which most containers of a node lost their state at once: the kubelet finds
 * them gone after a reboot, or a restart of the runtime, and gives them exit code 255.
 * arena: for scratch. */
struct node_restart node_restart_of(struct arena *arena, const struct node *node);
/* Was it this restart that ended the container's run? */
bool node_restart_ended(const struct container_terminated *end, int64_t restarted);

#endif
