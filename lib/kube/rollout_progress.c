#include "kube/rollout_progress.h"

#include "kube/status.h"

static void read_deployment(const struct workload *workload, struct rollout_progress *progress)
{
    int64_t all = number_or_zero(workload->status_replicas);
    progress->wanted = wanted_replicas(workload);
    progress->old = all > progress->updated ? all - progress->updated : 0;
    progress->incomplete = progress->updated < progress->wanted || progress->old > 0;
}

/* The controller writes the current revision when all pods follow and are ready; with a partition
 * or OnDelete it never does, and the count must do. Pods below the partition are not to follow. */
static void read_stateful_set(const struct workload *workload, struct rollout_progress *progress)
{
    bool differ = workload->current_revision.n && workload->update_revision.n &&
                  !str_eq(workload->current_revision, workload->update_revision);
    int64_t replicas = wanted_replicas(workload), partition = number_or_zero(workload->partition);
    progress->wanted = replicas > partition ? replicas - partition : 0;
    bool by_count = partition > 0 || replicas == 0 || str_eq(workload->strategy, STR("OnDelete"));
    progress->incomplete = differ && (!by_count || progress->updated < progress->wanted);
}

/* Pods on nodes that are not ready cannot follow. */
static void read_daemon_set(const struct workload *workload, struct rollout_progress *progress)
{
    progress->wanted = number_or_zero(workload->desired_scheduled);
    progress->incomplete = progress->updated < progress->wanted - pods_on_lost_nodes(workload);
}

struct rollout_progress rollout_progress_of(const struct workload *workload)
{
    enum kind kind = workload->object.kind;
    struct rollout_progress progress = {.updated = number_or_zero(workload->updated_replicas)};
    if ((kind != KIND_DEPLOYMENT && kind != KIND_STATEFULSET && kind != KIND_DAEMONSET) ||
        workload->object.summary || !has_replica_status(workload))
        return progress;
    progress.known = true;
    progress.unseen = status_is_stale(workload);
    if (kind == KIND_DEPLOYMENT)
        read_deployment(workload, &progress);
    else if (kind == KIND_STATEFULSET)
        read_stateful_set(workload, &progress);
    else
        read_daemon_set(workload, &progress);
    return progress;
}

bool rollout_is_under_way(const struct workload *workload)
{
    struct rollout_progress progress = rollout_progress_of(workload);
    return workload->paused != TRI_TRUE && (progress.incomplete || progress.unseen);
}
