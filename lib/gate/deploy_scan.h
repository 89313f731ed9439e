/* deploy_scan: what a snapshot shows of that by which deploys are told. Pure.
 *
 * Looked at are topmost Deployments, StatefulSets, DaemonSets, DeploymentConfigs, Rollouts and
 * CronJobs, and the ConfigMaps and Secrets that their templates use, which are known by their
 * resourceVersion: nothing of what is in them is.
 */
#ifndef LOADLINE_GATE_DEPLOY_SCAN_H
#define LOADLINE_GATE_DEPLOY_SCAN_H

#include "gate/deploy_state.h"

struct deploy_target {
    const struct workload *workload;
    const struct workload_state *state;
    struct deploy_sight sight; /* .created and .configured are for who compares */
};

struct deploy_config {
    struct deploy_config_memory now;
    bool changed; /* for who compares */
};

struct deploy_scan {
    const struct cluster *cluster;
    LIST(struct deploy_target) targets; /* ordered by namespace, name and kind */
    LIST(struct deploy_config) configs; /* ConfigMaps, then Secrets, each in that order */
    uint32_t *config_of[2]; /* of ConfigMaps and Secrets by their place in the cluster's list: 1 +
                               the place in configs; 0: none */
    int64_t hash;           /* of what may not change without being told; never 0 */
};

/* states: of the cluster's workloads, see workload_states(). The scan points to them. */
struct deploy_scan deploy_scan(struct arena *arena, const struct cluster *cluster,
                               const struct workload_state *states);

/* See cluster_lacks(). */
bool deploy_scan_lacks(const struct deploy_scan *scan, enum deploy_kind kind);

enum { DEPLOY_NAMED_MAX = 8 };
/* Does its template use one that has changed? names: "configmap/api-env", at most DEPLOY_NAMED_MAX,
 * each once; NULL: not wanted. */
bool deploy_scan_configured(struct arena *arena, const struct deploy_scan *scan,
                            const struct workload *workload, str_list *names);

#endif
