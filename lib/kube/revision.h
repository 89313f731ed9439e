/* revision: the history of a workload that a snapshot holds, in ReplicaSets (of a Deployment) and
 * ControllerRevisions (of a StatefulSet or DaemonSet).
 *
 * The newest is the one with the highest number, not the youngest object: undoing a rollout
 * re-uses the old object under a new number. What the cluster has already collected is missing, so
 * every count is a lower bound.
 */
#ifndef LOADLINE_KUBE_REVISION_H
#define LOADLINE_KUBE_REVISION_H

#include "kube/model.h"

struct revision {
    int64_t number, created;
    const struct workload *replica_set;           /* of a Deployment */
    const struct controller_revision *controller; /* of the others */
};

struct revision_history {
    struct revision newest, previous; /* by number */
    uint32_t n;  /* how many there are: with 0 there is no newest, with 1 no previous */
    bool reused; /* the newest was made before one of lower number, or had other numbers before */
};

struct revision_history revision_history_of(const struct workload *workload);

/* How many numbers the ReplicaSet had before its present one. */
uint32_t revision_former_numbers(const struct workload *replica_set);
/* When the newest was put in force; TIME_NONE when that cannot be known. */
int64_t revision_time(const struct workload *workload, const struct revision_history *history);
/* Has a container of the same name another image in the newest than in the previous? Then its name
 * and both images are given. */
bool revision_image_change(const struct revision_history *history, struct container_image *before,
                           struct container_image *after);

#endif
