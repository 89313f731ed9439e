#include "score/pillar.h"

#include <math.h>

#include "kube/object_index.h"
#include "score/component.h"
#include "score/hazard.h"

#define PILLAR        1.2  /* of a pillar that is gone */
#define INGRESS       0.5  /* of ingress: the cluster works on without it, its users are cut off */
#define CONTROL_CURVE 0.39 /* the control plane: PILLAR * (1 - exp(-CONTROL_CURVE * units)) */
#define ALL_REPLICAS  1.5  /* units of a component grow by this when none of its replicas is left */

struct pillars {
    struct arena *arena;
    struct findings *findings;
    const struct cluster *cluster;
    const struct check_context *context;
    const struct outage *outage;
};

static const finding_list *findings_of(const struct pillars *p, enum hazard_part part)
{
    return &p->findings->filed->of[part];
}

/* ---- nodes ---- */

/* The worst finding of a node pays for it; the others are absorbed. */
static double price_nodes(const struct pillars *p)
{
    uint32_t n = p->cluster->nodes.n;
    struct finding **worst = ARENA_ARRAY(p->arena, n, struct finding *), **at;
    double sum = 0;
    LIST_EACH (at, *findings_of(p, PART_NODE)) {
        struct finding **of_node = &worst[(*at)->ordinal];
        if (!(*at)->exempt && (!*of_node || hazard_amount(*at) > hazard_amount(*of_node)))
            *of_node = *at;
    }
    LIST_EACH (at, *findings_of(p, PART_NODE))
        if (!(*at)->exempt && *at != worst[(*at)->ordinal])
            (*at)->absorbed_by = worst[(*at)->ordinal]->check;
    for (uint32_t i = 0; i < n; i++)
        if (worst[i]) {
            double hazard = PILLAR * hazard_amount(worst[i]) / n;
            worst[i]->hazard += hazard;
            sum += hazard;
        }
    return sum;
}

/* Splits a hazard over the findings of dead nodes. False: there is none. */
static bool charge_dead_nodes(const struct pillars *p, double hazard)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->cluster->nodes.n; i++)
        n += p->outage->dead_nodes[i] != NULL;
    for (uint32_t i = 0; i < p->cluster->nodes.n; i++)
        if (p->outage->dead_nodes[i])
            p->outage->dead_nodes[i]->hazard += hazard / n;
    return n > 0;
}

/* ---- DNS, network, ingress ---- */

/* What the replicas of a component weigh among those of its role. One that is scaled to zero weighs
 * as one replica. */
static double size_of(const struct replicas *replicas)
{
    int64_t pods = replicas->pods;
    int64_t size = replicas->wanted > pods ? replicas->wanted : pods;
    return size > 0 ? (double)size : 1;
}

/* A finding of a component: of a workload of it, or of a Service that has no workload any more. */
struct component_part {
    double size, missing;
    bool stranded;
};

static struct component_part part_of(const struct pillars *p, const struct finding *finding)
{
    if (finding->check->subject != SUBJECT_workload)
        return (struct component_part){.size = 1, .missing = 1};
    const struct outage_unit *unit = &p->outage->units[finding->ordinal];
    return (struct component_part){.size = size_of(&unit->replicas),
                                   .missing = unit->replicas.counts ? unit->missing : 1,
                                   .stranded = replicas_are_stranded(&unit->replicas)};
}

/* The share that is missing of a role's replicas; workloads scaled to zero count when there is no
 * other, and all is missing without any. */
static double missing_of_role(const struct pillars *p, enum component role)
{
    double size = 0, missing = 0;
    for (uint32_t i = 0; i < p->cluster->roots.n; i++) {
        const struct outage_unit *unit = &p->outage->units[i];
        if (component_of(p->context, p->cluster->roots.items[i]) != role)
            continue;
        if (!unit->replicas.counts)
            continue;
        size += size_of(&unit->replicas);
        missing += size_of(&unit->replicas) * unit->missing;
    }
    return size > 0 ? missing / size : 1;
}

/* Charges the findings of a part by what their workloads miss. What dead nodes explain, these pay.
 */
static double price_role(const struct pillars *p, enum hazard_part part, enum component role,
                         double whole)
{
    double lacking = 0, share, hazard;
    bool stranded = true;
    struct finding **finding;
    LIST_EACH (finding, *findings_of(p, part)) {
        struct component_part one = part_of(p, *finding);
        if ((*finding)->exempt)
            continue;
        lacking += one.size * one.missing;
        stranded = stranded && one.stranded;
    }
    if (lacking <= 0)
        return 0;
    share = missing_of_role(p, role);
    hazard = whole * (share >= 1 ? 1 : share * share / 2);
    stranded = stranded && charge_dead_nodes(p, hazard);
    LIST_EACH (finding, *findings_of(p, part)) {
        struct component_part one = part_of(p, *finding);
        if ((*finding)->exempt)
            continue;
        if (stranded)
            (*finding)->absorbed_by = &checks[CHECK_node_not_ready];
        else
            (*finding)->hazard += hazard * one.size * one.missing / lacking;
    }
    return hazard;
}

/* A node without its agent is a node without a network: each DaemonSet pays for its share. */
static double price_network(const struct pillars *p)
{
    double sum = 0;
    struct finding **finding;
    LIST_EACH (finding, *findings_of(p, PART_NETWORK)) {
        double hazard = PILLAR * p->outage->units[(*finding)->ordinal].missing;
        if ((*finding)->exempt)
            continue;
        (*finding)->hazard += hazard;
        sum += hazard;
    }
    return sum;
}

/* ---- the control plane ---- */

/* A static pod is one of the replicas of its part. */
static double units_of_static_pod(const struct pillars *p, const struct finding *finding)
{
    const struct control_plane_part *part =
        component_part(p->context, p->cluster->roots.items[finding->ordinal]);
    if (!part->replicas)
        return 0;
    return hazard_amount(finding) * (part->down < part->replicas ? 1 : ALL_REPLICAS) /
           part->replicas;
}

static double units_of(const struct pillars *p, const struct finding *finding)
{
    if (finding->exempt)
        return 0;
    if (finding->check == &checks[CHECK_control_plane_down])
        return units_of_static_pod(p, finding);
    return hazard_amount(finding);
}

/* The static pods of a dead node. */
struct lost_node {
    double most, sum; /* of their units */
};

/* NULL: it is no static pod, or its node is not dead. */
static struct lost_node *lost_node_of(const struct pillars *p, struct lost_node *nodes,
                                      const struct finding *finding)
{
    uint32_t at;
    if (finding->check != &checks[CHECK_control_plane_down])
        return NULL;
    const struct workload *workload = p->cluster->roots.items[finding->ordinal];
    const struct node *node = workload->pods.n ? workload->pods.items[0]->node : NULL;
    if (!node || !p->outage->units[finding->ordinal].replicas.stranded)
        return NULL;
    OBJECTS_LOWER_BOUND(p->cluster->nodes, node->object.meta.namespace, node->object.meta.name, at);
    assert(at < p->cluster->nodes.n && p->cluster->nodes.items[at] == node);
    return &nodes[at];
}

/* A node that is lost takes a static pod of each part with it: these count once, as the one that
 * weighs most. Sets the units of each finding of the control plane. */
static double add_up_units(const struct pillars *p, double *units)
{
    const finding_list *findings = findings_of(p, PART_CONTROL);
    struct lost_node *nodes = ARENA_ARRAY(p->arena, p->cluster->nodes.n, struct lost_node), *node;
    double sum = 0;
    for (uint32_t i = 0; i < findings->n; i++) {
        units[i] = units_of(p, findings->items[i]);
        node = lost_node_of(p, nodes, findings->items[i]);
        if (!node)
            continue;
        node->most = units[i] > node->most ? units[i] : node->most;
        node->sum += units[i];
    }
    for (uint32_t i = 0; i < findings->n; i++) {
        node = lost_node_of(p, nodes, findings->items[i]);
        if (node && node->sum > 0)
            units[i] *= node->most / node->sum;
        sum += units[i];
    }
    return sum;
}

static double price_control_plane(const struct pillars *p)
{
    const finding_list *findings = findings_of(p, PART_CONTROL);
    double *units = ARENA_ARRAY(p->arena, findings->n, double), sum = add_up_units(p, units);
    if (sum <= 0)
        return 0;
    double hazard = PILLAR * (1 - exp(-CONTROL_CURVE * sum));
    for (uint32_t i = 0; i < findings->n; i++)
        findings->items[i]->hazard += hazard * units[i] / sum;
    return hazard;
}

double pillar_price(struct arena *arena, struct findings *findings, const struct outage *outage)
{
    const struct pillars p = {arena, findings, findings->context->cluster, findings->context,
                              outage};
    return price_nodes(&p) + price_role(&p, PART_DNS, COMPONENT_DNS, PILLAR) + price_network(&p) +
           price_role(&p, PART_INGRESS, COMPONENT_INGRESS, INGRESS) + price_control_plane(&p);
}
