/* cluster_time: when things happened to a whole cluster or node, by what its objects say. */
#ifndef LOADLINE_KUBE_CLUSTER_TIME_H
#define LOADLINE_KUBE_CLUSTER_TIME_H

#include "kube/model.h"

/* A time and the object that tells it. */
struct told_time {
    int64_t time;                /* TIME_NONE: no object tells any, as manifests do not */
    const struct object *object; /* of the cluster; NULL without a time */
};

struct cluster_look {
    struct told_time at;     /* when the cluster was looked at */
    struct told_time newest; /* of all times; later than `at`: it is not of the same look */
};

enum { CLUSTER_LOOK_MS = 60 * 60 * 1000 };

/* When the cluster was looked at, by what its objects tell. The kubelet of a ready node writes all
 * the time. So when such a node tells its heartbeat, the newest time of status says when it was:
 * those of nodes, pods, leases and events. Other times, as those of creation, count up to
 * CLUSTER_LOOK_MS later. What is later still was added to the file by another look. Without such a
 * heartbeat the newest time of all counts: pods that run quietly write nothing for weeks. What is
 * yet to come by its nature (deletions, ends of certificates) never counts. */
struct cluster_look cluster_look_of(const struct cluster *cluster);

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
