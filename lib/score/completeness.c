#include "score/completeness.h"

#include "kube/manifest.h"

/* What people write to have something run and be reached, and what comes of it. `kubectl get all`
 * and everyday lists ask for these. */
static const uint64_t controllers = KIND_BIT(DEPLOYMENT) | KIND_BIT(STATEFULSET) |
                                    KIND_BIT(DAEMONSET) | KIND_BIT(REPLICATIONCONTROLLER) |
                                    KIND_BIT(CRONJOB) | KIND_BIT(JOB) | KIND_BIT(REPLICASET);
static const uint64_t common = KIND_BIT(DEPLOYMENT) | KIND_BIT(STATEFULSET) | KIND_BIT(DAEMONSET) |
                               KIND_BIT(REPLICATIONCONTROLLER) | KIND_BIT(CRONJOB) |
                               KIND_BIT(SERVICE) | KIND_BIT(INGRESS) |
                               KIND_BIT(HORIZONTALPODAUTOSCALER);
/* Few clusters have these at all: where they are, somebody asked for them; where not, nobody may
 * have. */
static const uint64_t extensions = KIND_BIT(DEPLOYMENTCONFIG) | KIND_BIT(ROLLOUT);
/* Many clusters have none of some of these: only who asks for everything asks for them. */
static const uint64_t thorough = KIND_BIT(NETWORKPOLICY) | KIND_BIT(PODDISRUPTIONBUDGET) |
                                 KIND_BIT(SCALEDOBJECT) | KIND_BIT(SERVICEACCOUNT) |
                                 KIND_BIT(ROLE) | KIND_BIT(ROLEBINDING) | KIND_BIT(RESOURCEQUOTA) |
                                 KIND_BIT(LIMITRANGE);

/* Often collected one by one, for a certain pod or setting: that some are there proves nothing. */
static const uint64_t picked = KIND_BIT(CONFIGMAP) | KIND_BIT(SECRET);

/* What every cluster has, in groups that people ask for separately. Who asked for most of these
 * asked for everything; each by itself only proves that somebody asked for that. */
static const uint64_t everywhere[] = {
    KIND_BIT(SERVICEACCOUNT),
    KIND_BIT(ROLE) | KIND_BIT(ROLEBINDING) | KIND_BIT(CLUSTERROLE) | KIND_BIT(CLUSTERROLEBINDING),
    KIND_BIT(CONFIGMAP),
    KIND_BIT(ENDPOINTS) | KIND_BIT(ENDPOINTSLICE),
    KIND_BIT(NAMESPACE),
    KIND_BIT(NODE),
    KIND_BIT(EVENT),
    KIND_BIT(PERSISTENTVOLUMECLAIM) | KIND_BIT(PERSISTENTVOLUME) | KIND_BIT(STORAGECLASS),
    KIND_BIT(PRIORITYCLASS),
    KIND_BIT(LEASE),
    KIND_BIT(NETWORKPOLICY) | KIND_BIT(PODDISRUPTIONBUDGET) | KIND_BIT(RESOURCEQUOTA) |
        KIND_BIT(LIMITRANGE),
};
/* Without these, which everyday lists leave out, nobody asked for everything. */
static const uint64_t access_kinds =
    KIND_BIT(SERVICEACCOUNT) | KIND_BIT(ROLE) | KIND_BIT(ROLEBINDING);

enum { WIDE_FROM = 5 };

static bool holds(const struct cluster *cluster, uint64_t kinds)
{
    for (int kind = KIND_NONE + 1; kind < KIND_COUNT; kind++)
        if (kinds >> kind & 1 && cluster->counts[kind])
            return true;
    return false;
}

static bool is_wide(const struct cluster *cluster)
{
    int groups = 0;
    for (size_t i = 0; i < sizeof everywhere / sizeof *everywhere; i++)
        groups += holds(cluster, everywhere[i]);
    return groups >= WIDE_FROM && holds(cluster, access_kinds);
}

/* Adds to `manifests` how many the list has; one that a cluster has seen settles it. */
#define COUNT_MANIFESTS(list)                                                                      \
    for (uint32_t i = 0; i < cluster->list.n; i++, manifests++)                                    \
        if (!is_manifest(&cluster->list.items[i]->object))                                         \
            return false;

/* Workloads tell, and where there are none, what leads to them. */
bool completeness_of_manifests(const struct cluster *cluster)
{
    uint32_t manifests = 0;
    for (uint32_t i = 0; i < cluster->roots.n; i++)
        if (!cluster->roots.items[i]->synthesized) {
            if (!is_manifest(&cluster->roots.items[i]->object))
                return false;
            manifests++;
        }
    if (manifests)
        return true;
    COUNT_MANIFESTS(services)
    COUNT_MANIFESTS(ingresses)
    COUNT_MANIFESTS(network_policies)
    COUNT_MANIFESTS(pdbs)
    COUNT_MANIFESTS(autoscalers)
    return manifests > 0;
}

/* A pod that no cluster has seen yet: live ones, however much of them was left out, have a phase or
 * a node. */
static bool holds_pod_manifest(const struct cluster *cluster)
{
    const struct pod *pod = cluster->pods.n ? cluster->pods.items[0] : NULL;
    return pod && pod->spec && is_manifest(&pod->object) && !pod->phase.n && !pod->node_name.n;
}

/* Kinds of controllers that pods tell of although the snapshot does not hold them. */
static uint64_t left_out(const struct cluster *cluster)
{
    uint64_t kinds = 0;
    for (uint32_t i = 0; i < cluster->roots.n; i++) {
        const struct workload *root = cluster->roots.items[i];
        if (root->synthesized)
            kinds |= UINT64_C(1) << root->object.kind;
    }
    kinds |= kinds & KIND_BIT(REPLICASET) ? KIND_BIT(DEPLOYMENT) : 0;
    kinds |= kinds & KIND_BIT(JOB) ? KIND_BIT(CRONJOB) : 0;
    return kinds;
}

uint64_t completeness_kinds(const struct cluster *cluster)
{
    const uint64_t everyday = common | controllers | KIND_BIT(POD);
    bool manifests = completeness_of_manifests(cluster), runs = cluster->roots.n > 0;
    uint64_t kinds = 0;
    if (cluster->names_kinds)
        return cluster->seen;
    if (holds(cluster, common | extensions | thorough) && (manifests || runs))
        kinds |= everyday;
    bool all = manifests ? holds(cluster, common | extensions | controllers | thorough) ||
                               holds_pod_manifest(cluster)
                         : runs && is_wide(cluster);
    if (all) /* no cluster is without accounts and roles: none shown, none asked for */
        kinds |= everyday | (manifests ? thorough : thorough & ~access_kinds);
    return (kinds & ~left_out(cluster)) |
           (cluster->seen & (all || manifests ? UINT64_MAX : ~picked));
}

bool completeness_covers(const struct check_context *context, enum kind kind)
{
    return context->known_kinds >> kind & 1;
}
