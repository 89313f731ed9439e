#include "score/completeness.h"

#include "kube/manifest.h"

#define BIT(kind) (UINT64_C(1) << KIND_##kind)

/* What people write to have something run and be reached, and what comes of it. `kubectl get all`
 * and everyday lists ask for these. */
static const uint64_t controllers = BIT(DEPLOYMENT) | BIT(STATEFULSET) | BIT(DAEMONSET) |
                                    BIT(REPLICATIONCONTROLLER) | BIT(CRONJOB) | BIT(JOB) |
                                    BIT(REPLICASET);
static const uint64_t common = BIT(DEPLOYMENT) | BIT(STATEFULSET) | BIT(DAEMONSET) |
                               BIT(REPLICATIONCONTROLLER) | BIT(CRONJOB) | BIT(SERVICE) |
                               BIT(INGRESS) | BIT(HORIZONTALPODAUTOSCALER);
/* Few clusters have these at all: where they are, somebody asked for them; where not, nobody may
 * have. */
static const uint64_t extensions = BIT(DEPLOYMENTCONFIG) | BIT(ROLLOUT);
/* Who asks for one of these asks for everything. Every cluster has service accounts and roles. */
static const uint64_t thorough = BIT(NETWORKPOLICY) | BIT(PODDISRUPTIONBUDGET) | BIT(SCALEDOBJECT) |
                                 BIT(SERVICEACCOUNT) | BIT(ROLE) | BIT(ROLEBINDING) |
                                 BIT(RESOURCEQUOTA) | BIT(LIMITRANGE);

static bool holds(const struct cluster *cluster, uint64_t kinds)
{
    for (int kind = KIND_NONE + 1; kind < KIND_COUNT; kind++)
        if (kinds >> kind & 1 && cluster->counts[kind])
            return true;
    return false;
}

#define STARTS_WITH_MANIFEST(list) (cluster->list.n && is_manifest(&cluster->list.items[0]->object))

/* What its author wrote, before any API server saw it: all there is. */
static bool holds_manifests(const struct cluster *cluster)
{
    for (uint32_t i = 0; i < cluster->roots.n; i++)
        if (!cluster->roots.items[i]->synthesized)
            return is_manifest(&cluster->roots.items[i]->object);
    return STARTS_WITH_MANIFEST(services) || STARTS_WITH_MANIFEST(ingresses) ||
           STARTS_WITH_MANIFEST(network_policies) || STARTS_WITH_MANIFEST(pdbs) ||
           STARTS_WITH_MANIFEST(autoscalers);
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
    kinds |= kinds & BIT(REPLICASET) ? BIT(DEPLOYMENT) : 0;
    kinds |= kinds & BIT(JOB) ? BIT(CRONJOB) : 0;
    return kinds;
}

uint64_t completeness_kinds(const struct cluster *cluster)
{
    const uint64_t everyday = common | controllers | BIT(POD);
    bool manifests = holds_manifests(cluster), runs = cluster->roots.n > 0;
    uint64_t kinds = 0;
    if (cluster->names_kinds)
        return cluster->seen;
    if (holds(cluster, common | extensions | thorough) && (manifests || runs))
        kinds |= everyday;
    if (holds(cluster, thorough) ? manifests || runs
                                 : manifests && holds(cluster, common | extensions | controllers))
        kinds |= everyday | thorough;
    return (kinds & ~left_out(cluster)) | cluster->seen;
}

bool completeness_covers(const struct check_context *context, enum kind kind)
{
    return context->known_kinds >> kind & 1;
}
