#include "score/absence.h"

#define BIT(kind) (UINT64_C(1) << KIND_##kind)

/* Kinds that people write, namespaced: who lists these lists the configuration of a cluster. Pods,
 * nodes and events alone are a list of what runs. */
static const uint64_t configuration =
    BIT(DEPLOYMENT) | BIT(STATEFULSET) | BIT(DAEMONSET) | BIT(REPLICATIONCONTROLLER) |
    BIT(CRONJOB) | BIT(SERVICE) | BIT(INGRESS) | BIT(NETWORKPOLICY) | BIT(PODDISRUPTIONBUDGET) |
    BIT(HORIZONTALPODAUTOSCALER) | BIT(SCALEDOBJECT) | BIT(ROLE) | BIT(ROLEBINDING);

static bool holds_configuration(const struct cluster *cluster)
{
    for (int kind = KIND_NONE + 1; kind < KIND_COUNT; kind++)
        if (configuration >> kind & 1 && cluster->counts[kind])
            return true;
    return false;
}

/* A snapshot that names a kind to say that it is empty names every kind it was asked for. */
static bool names_empty_kinds(const struct cluster *cluster)
{
    for (int kind = KIND_NONE + 1; kind < KIND_COUNT; kind++)
        if (cluster->seen >> kind & 1 && !cluster->counts[kind])
            return true;
    return false;
}

/* Does a pod tell of a controller of that kind, or of one that such a controller makes, although
 * the snapshot does not hold it? Then controllers were left out. */
static bool left_out(const struct cluster *cluster, enum kind kind)
{
    enum kind made = kind == KIND_DEPLOYMENT ? KIND_REPLICASET
                     : kind == KIND_CRONJOB  ? KIND_JOB
                                             : kind;
    const uint64_t controllers = BIT(DEPLOYMENT) | BIT(STATEFULSET) | BIT(DAEMONSET) |
                                 BIT(REPLICASET) | BIT(REPLICATIONCONTROLLER) | BIT(JOB) |
                                 BIT(CRONJOB);
    if (!(controllers >> kind & 1))
        return false;
    for (uint32_t i = 0; i < cluster->tops.n; i++) {
        const struct workload *top = cluster->tops.items[i];
        if (top->synthesized && (top->object.kind == kind || top->object.kind == made))
            return true;
    }
    return false;
}

bool absence_counts(const struct cluster *cluster, enum kind kind)
{
    if (cluster_has(cluster, kind))
        return true;
    return holds_configuration(cluster) && !names_empty_kinds(cluster) && !left_out(cluster, kind);
}

bool absence_counts_for_pods(const struct cluster *cluster)
{
    return cluster_has(cluster, KIND_POD) || absence_counts(cluster, KIND_DEPLOYMENT);
}
