/* replicas: how many replicas a workload wants, and how many serve, by its status and by its pods.
 */
#ifndef LOADLINE_KUBE_REPLICAS_H
#define LOADLINE_KUBE_REPLICAS_H

#include "kube/model.h"

struct replicas {
    bool counts;  /* false: it is scaled to zero, has ended, or is suspended */
    bool current; /* wanted and available are those of a status that is not older than the spec */
    int64_t wanted, available;
    uint32_t pods, ready; /* pods that have not ended and are not being deleted; see `leaving` */
    uint32_t stranded;    /* of the pods, how many are not ready, and lost with their node:
                             pod_is_stranded() */
    bool leaving;         /* it is known from its pods alone, and all that have not ended are being
                             deleted: pods are those of them that are missed */
};

/* For a topmost workload. */
struct replicas replicas_of(const struct workload *workload);

/* The share that does not serve, 0 to 1: what status and pods say, whichever is worse. Pods on
 * nodes that are not ready are not missed as long as another pod serves. */
double replicas_missing(const struct replicas *replicas);
/* Are all that are missing on nodes that are not ready? */
bool replicas_are_stranded(const struct replicas *replicas);

/* Has it pods, all of which have ended, and nothing that would make new ones? It is a pod of its
 * own, or its controller is not in the snapshot. */
bool workload_has_ended(const struct workload *workload);
/* Is it what the cluster itself needs, by its priority class? */
bool workload_is_critical(const struct workload *workload);

#endif
