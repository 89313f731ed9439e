#include "score/evidence.h"

#include "kube/selector.h"
#include "score/completeness.h"
#include "score/component.h"
#include "kube/replicas.h"
#include "score/policy.h"
#include "score/state.h"

const struct evidence evidence[] = {
#define EVIDENCE(id, hundredths, wide, what, command)                                              \
    [EVIDENCE_##id] = {{.kind_name = STR("cluster"), .meta.name = STR(#id)},                       \
                       (hundredths) / 100.0,                                                       \
                       wide,                                                                       \
                       what,                                                                       \
                       command},
#include "score/evidence.def"
#undef EVIDENCE
};

static bool shows_nodes(const struct cluster *cluster)
{
    struct node **node;
    LIST_EACH (node, cluster->nodes)
        if (node_ready(*node) != TRI_ABSENT)
            return true;
    return false;
}

static bool shows_pods(const struct cluster *cluster)
{
    struct pod **pod;
    LIST_EACH (pod, cluster->pods)
        if ((*pod)->phase.n || (*pod)->reason.n)
            return true;
    return false;
}

static bool shows_controllers(const struct cluster *cluster)
{
    const uint64_t batch = KIND_BIT(JOB) | KIND_BIT(CRONJOB) | KIND_BIT(POD);
    struct workload **root;
    LIST_EACH (root, cluster->roots)
        if (!(batch >> (*root)->object.kind & 1) && has_replica_status(*root))
            return true;
    return false;
}

struct str evidence_wanted(const struct check_context *context)
{
    const struct cluster *cluster = context->cluster;
    bool nodes = context->policy->partial || shows_nodes(cluster);
    bool workloads = shows_pods(cluster) || shows_controllers(cluster);
    if (!nodes && !workloads)
        return STR("Nodes, and Pods or controllers with a status");
    return !nodes       ? STR("Nodes")
           : !workloads ? STR("Pods or controllers with a status")
                        : (struct str){0};
}

static bool shows_system(const struct cluster *cluster)
{
    struct workload **root;
    LIST_EACH (root, cluster->roots)
        if (!workload_has_ended(*root) &&
            (is_system_namespace((*root)->object.meta.namespace) || workload_is_critical(*root)))
            return true;
    return false;
}

static bool is_openshift(const struct cluster *cluster)
{
    struct workload **root;
    struct namespace **namespace;
    struct node **node;
    if (cluster_has(cluster, KIND_CLUSTERVERSION))
        return true;
    LIST_EACH (root, cluster->roots)
        if (str_has_prefix((*root)->object.meta.namespace, STR("openshift-")))
            return true;
    LIST_EACH (namespace, cluster->namespaces)
        if (str_has_prefix((*namespace)->object.meta.name, STR("openshift-")))
            return true;
    LIST_EACH (node, cluster->nodes)
        if (pair_has((*node)->object.meta.labels, STR("node.openshift.io/os_id")))
            return true;
    return false;
}

/* Kinds that each row of the table is about. The last row has the others. */
static const uint64_t kinds_of[EVIDENCE_COUNT] = {
    [EVIDENCE_roles] = KIND_BIT(ROLE) | KIND_BIT(CLUSTERROLE) | KIND_BIT(ROLEBINDING) |
                       KIND_BIT(CLUSTERROLEBINDING),
    [EVIDENCE_controllers] =
        KIND_BIT(DEPLOYMENT) | KIND_BIT(STATEFULSET) | KIND_BIT(DAEMONSET) | KIND_BIT(REPLICASET),
    [EVIDENCE_operators] = KIND_BIT(CLUSTEROPERATOR),
    [EVIDENCE_isolation] = KIND_BIT(NETWORKPOLICY),
    [EVIDENCE_budgets] = KIND_BIT(PODDISRUPTIONBUDGET),
};

/* Kinds of which a cluster may well have none at times. */
static const uint64_t fleeting = KIND_BIT(EVENT) | KIND_BIT(JOB) | KIND_BIT(POD) |
                                 KIND_BIT(REPLICASET) | KIND_BIT(REPLICATIONCONTROLLER) |
                                 KIND_BIT(ENDPOINTS) | KIND_BIT(ENDPOINTSLICE) |
                                 KIND_BIT(CONTROLLERREVISION) | KIND_BIT(CERTIFICATESIGNINGREQUEST);

/* Kinds that no row is about; Nodes are wanted in any case. */
static uint64_t other_kinds(void)
{
    uint64_t others = ~(fleeting | KIND_BIT(NODE));
    for (uint32_t i = 0; i < EVIDENCE_COUNT; i++)
        others &= ~kinds_of[i];
    return others;
}

uint64_t evidence_lost(const struct check_context *context, const struct evidence *item)
{
    uint32_t id = (uint32_t)(item - evidence);
    uint64_t of = id == EVIDENCE_others ? other_kinds() : kinds_of[id];
    return context->policy->shown_before & ~context->cluster->seen & of;
}

/* The last row has all that no other is about. */
uint64_t evidence_forbidden(const struct check_context *context, const struct evidence *item)
{
    uint32_t id = (uint32_t)(item - evidence);
    uint64_t of = kinds_of[id];
    for (uint32_t i = 0; id == EVIDENCE_others && i < EVIDENCE_COUNT; i++)
        of |= kinds_of[i];
    return context->cluster->forbidden & ~context->cluster->seen &
           (id == EVIDENCE_others ? ~of : of);
}

bool evidence_is_shown(struct check_context *context, const struct evidence *item)
{
    const struct cluster *cluster = context->cluster;
    switch (item - evidence) {
    case EVIDENCE_roles:
        return cluster->roles.n || cluster->role_bindings.n ||
               (context->policy->partial && cluster->seen & kinds_of[EVIDENCE_roles]);
    case EVIDENCE_controllers:
        return shows_controllers(cluster);
    case EVIDENCE_operators:
        return cluster_has(cluster, KIND_CLUSTEROPERATOR) || !is_openshift(cluster);
    case EVIDENCE_isolation:
        return completeness_covers(context, KIND_NETWORKPOLICY) ||
               cluster->foreign_network_policies;
    case EVIDENCE_budgets:
        return completeness_covers(context, KIND_PODDISRUPTIONBUDGET);
    case EVIDENCE_system:
        return shows_system(cluster);
    default:
        return !evidence_lost(context, item) && !evidence_forbidden(context, item);
    }
}
