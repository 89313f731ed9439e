/* rollout_progress: how far the pods of a workload follow its template, as kubectl rollout status
 * sees it, but that it would also wait for pods to become available.
 */
#ifndef LOADLINE_KUBE_ROLLOUT_PROGRESS_H
#define LOADLINE_KUBE_ROLLOUT_PROGRESS_H

#include "kube/model.h"

struct rollout_progress {
    bool known;      /* it is a Deployment, StatefulSet or DaemonSet with a status */
    bool unseen;     /* its controller has not seen the latest change yet; the numbers are older */
    bool incomplete; /* pods of an older template are left, or updated ones are missing */
    int64_t wanted, updated;
    int64_t old; /* replicas of older templates that are left; of a Deployment */
};

struct rollout_progress rollout_progress_of(const struct workload *workload);

/* Does a rollout go on? One that is paused does not. */
bool rollout_is_under_way(const struct workload *workload);

#endif
