#include "score/outage.h"

#include <math.h>

#include "kube/object_index.h"
#include "score/component.h"
#include "score/hazard.h"
#include "score/state.h"
#include "score/view.h"

/* The hazard of workloads is OUTAGE * share ^ CURVE. */
#define OUTAGE 3.0
#define CURVE  0.85

#define WEIGHT_BATCH 0.25 /* of a Job or CronJob */
#define WEIGHT_NAKED 0.5  /* of a pod without a controller that the cluster does not need */
#define LIVE         0.03 /* a finding of this degree says that what is missing is not only starting */

/* A small cluster is judged as if it had this many more workloads, fewer the more of it is down:
 * one of five down is less than a fifth of what people run on it. */
#define SMOOTHING 1.0

/* What finding of an object that is no workload, or counts nowhere, weighs. */
#define LONE_FAILED_POD 0.02

struct pricing {
    struct arena *arena;
    struct findings *findings;
    const struct check_context *context;
    struct outage *outage;
};

/* ---- which findings belong to which workload ---- */

static bool is_about_root(const struct pricing *p, const struct finding *finding)
{
    return finding->check->subject == SUBJECT_workload ||
           (finding->check->subject == SUBJECT_object &&
            finding->ordinal < p->context->cluster->roots.n);
}

/* Twice over the findings: the first counts, the second, after room was made, stores. */
static void file_findings(struct pricing *p)
{
    struct outage_unit *units = p->outage->units;
    struct finding **finding;
    LIST_EACH (finding, p->findings->filed->of[PART_WORKLOAD])
        if (is_about_root(p, *finding))
            units[(*finding)->ordinal].findings_n++;
    for (uint32_t i = 0; i < p->context->cluster->roots.n; i++) {
        if (units[i].findings_n)
            units[i].findings = ARENA_ARRAY(p->arena, units[i].findings_n, struct finding *);
        units[i].findings_n = 0;
    }
    LIST_EACH (finding, p->findings->filed->of[PART_WORKLOAD])
        if (is_about_root(p, *finding)) {
            struct outage_unit *unit = &units[(*finding)->ordinal];
            unit->findings[unit->findings_n++] = *finding;
        }
}

static void file_dead_nodes(struct pricing *p)
{
    struct finding **finding;
    p->outage->dead_nodes = ARENA_ARRAY(p->arena, p->context->cluster->nodes.n, struct finding *);
    LIST_EACH (finding, p->findings->filed->of[PART_NODE])
        if ((*finding)->check == &checks[CHECK_node_not_ready] && !(*finding)->exempt)
            p->outage->dead_nodes[(*finding)->ordinal] = *finding;
}

/* The finding of the dead node that a pod which counts is on; NULL: none pays for it. */
static struct finding *node_of(const struct pricing *p, const struct outage_unit *unit,
                               const struct pod *pod)
{
    const struct cluster *cluster = p->context->cluster;
    bool counts =
        unit->replicas.leaving ? !pod_has_ended(pod) : pod_is_active(pod) && !pod_is_ready(pod);
    uint32_t at;
    if (!counts || !pod_is_stranded(pod))
        return NULL;
    OBJECTS_LOWER_BOUND(cluster->nodes, pod->node->object.meta.namespace,
                        pod->node->object.meta.name, at);
    assert(at < cluster->nodes.n && cluster->nodes.items[at] == pod->node);
    return p->outage->dead_nodes[at];
}

static uint32_t pods_that_nodes_pay(const struct pricing *p, const struct outage_unit *unit,
                                    const struct workload *workload)
{
    uint32_t n = 0;
    struct pod **pod;
    LIST_EACH (pod, workload->pods)
        n += node_of(p, unit, *pod) != NULL;
    return n;
}

/* ---- one workload ---- */

static double weight_of(const struct workload *workload)
{
    if (workload->object.kind == KIND_JOB || workload->object.kind == KIND_CRONJOB)
        return WEIGHT_BATCH;
    if (workload->object.kind == KIND_POD &&
        !is_system_namespace(workload->object.meta.namespace) && !workload_is_critical(workload))
        return WEIGHT_NAKED;
    return 1;
}

static uint32_t rank_of(const struct finding *finding)
{
    return hazard_of(finding->check)->rank;
}

/* With replicas missing the most specific finding pays, else the one that says most. */
static bool pays_before(const struct finding *a, const struct finding *b, bool missing)
{
    if (!missing && hazard_amount(a) != hazard_amount(b))
        return hazard_amount(a) > hazard_amount(b);
    return rank_of(a) < rank_of(b);
}

static void choose_payer(struct outage_unit *unit, bool missing)
{
    for (uint32_t i = 0; i < unit->findings_n; i++)
        if (hazard_amount(unit->findings[i]) > 0 &&
            (!unit->payer || pays_before(unit->findings[i], unit->payer, missing)))
            unit->payer = unit->findings[i];
}

static double largest_amount(const struct outage_unit *unit)
{
    double most = 0;
    for (uint32_t i = 0; i < unit->findings_n; i++)
        if (hazard_amount(unit->findings[i]) > most)
            most = hazard_amount(unit->findings[i]);
    return most;
}

static double degree_of(const struct outage_unit *unit)
{
    double most = largest_amount(unit), missing = unit->missing;
    if (most < LIVE && !unit->nodes_pay)
        return most; /* nobody complains: its pods are within their time to start */
    double gone = missing >= 1 ? 1 : missing * missing / 2;
    return gone > most ? gone : most;
}

/* Static pods of the control plane are a pillar: that they are gone is its finding. Here they add
 * what fails in them, and dilute nothing: the same applications have the same score where the
 * control plane is the provider's. Nor does what nobody misses make others weigh less. */
static bool adds_only_failures(const struct pricing *p, const struct outage_unit *unit,
                               const struct workload *workload)
{
    return (unit->replicas.leaving && !unit->replicas.pods) ||
           component_of(p->context, workload) == COMPONENT_CONTROL_PLANE;
}

static void measure_failures(struct outage_unit *unit, const struct workload *workload)
{
    choose_payer(unit, false);
    unit->degree = largest_amount(unit);
    unit->down = weight_of(workload) * unit->degree;
    unit->of = unit->down;
}

static void measure(const struct pricing *p, struct outage_unit *unit,
                    const struct workload *workload)
{
    unit->replicas = replicas_of(workload);
    if (!unit->replicas.counts)
        return;
    unit->missing = replicas_missing(&unit->replicas);
    if (adds_only_failures(p, unit, workload)) {
        measure_failures(unit, workload);
        return;
    }
    choose_payer(unit, unit->missing > 0);
    unit->nodes_pay = unit->replicas.stranded && pods_that_nodes_pay(p, unit, workload) > 0;
    unit->degree = degree_of(unit);
    bool explained = unit->missing > 0 && replicas_are_stranded(&unit->replicas);
    if (unit->nodes_pay && (explained || !unit->payer))
        unit->payer = NULL;
    else
        unit->nodes_pay = false;
    if (!unit->payer && !unit->nodes_pay)
        unit->degree = 0;
    unit->of = weight_of(workload);
    unit->down = unit->of * unit->degree;
}

/* ---- what other objects add ---- */

/* Of the workloads that the Service selects, the one that is down most; NULL: none is. */
static const struct outage_unit *down_behind(const struct pricing *p, const struct service *service)
{
    const struct outage_unit *most = NULL;
    for (uint32_t i = 0; i < service->workloads.n; i++) {
        const struct workload_view *view = view_workload(p->context, service->workloads.items[i]);
        const struct outage_unit *unit = &p->outage->units[view->ordinal];
        if (p->context->cluster->roots.items[view->ordinal] == service->workloads.items[i] &&
            unit->down > 0 && (!most || unit->down > most->down))
            most = unit;
    }
    return most;
}

/* A Service without endpoints weighs what its workload does not weigh already: mending the one or
 * the other never lowers a score. */
static double service_mass(const struct pricing *p, struct finding *finding)
{
    const struct outage_unit *unit =
        down_behind(p, p->context->cluster->services.items[finding->ordinal]);
    double mass = hazard_amount(finding);
    if (!unit || mass <= 0)
        return mass;
    if (unit->down < mass)
        return mass - unit->down;
    finding->absorbed_by = unit->payer ? unit->payer->check : &checks[CHECK_node_not_ready];
    return 0;
}

/* A Job that failed weighs as a Job; of pods that were not replaced each a little. */
static double uncounted_mass(const struct finding *finding)
{
    if (finding->check == &checks[CHECK_job_failed])
        return WEIGHT_BATCH * hazard_amount(finding);
    return finding->check == &checks[CHECK_pod_failed] && hazard_amount(finding) > 0
               ? LONE_FAILED_POD
               : 0;
}

static double mass_of(const struct pricing *p, struct finding *finding)
{
    if (finding->check == &checks[CHECK_service_no_ready_endpoints])
        return service_mass(p, finding);
    if (hazard_of(finding->check)->part == PART_MASS || !is_about_root(p, finding))
        return hazard_amount(finding);
    return p->outage->units[finding->ordinal].replicas.counts ? 0 : uncounted_mass(finding);
}

/* ---- points ---- */

static void charge_nodes(const struct pricing *p, const struct outage_unit *unit,
                         const struct workload *workload, double hazard)
{
    uint32_t n = pods_that_nodes_pay(p, unit, workload);
    struct pod **pod;
    LIST_EACH (pod, workload->pods) {
        struct finding *node = node_of(p, unit, *pod);
        if (node)
            node->hazard += hazard / n;
    }
}

static void charge(const struct pricing *p, struct outage_unit *unit,
                   const struct workload *workload)
{
    double hazard = p->outage->hazard * unit->down / p->outage->down;
    const struct check *payer = unit->payer ? unit->payer->check : &checks[CHECK_node_not_ready];
    if (unit->nodes_pay)
        charge_nodes(p, unit, workload, hazard);
    else
        unit->payer->hazard += hazard;
    for (uint32_t i = 0; i < unit->findings_n; i++)
        if (unit->findings[i] != unit->payer && hazard_amount(unit->findings[i]) > 0)
            unit->findings[i]->absorbed_by = payer;
}

/* The share of all that is down, and its hazard. */
static void add_up(struct outage *outage)
{
    if (outage->down <= 0)
        return;
    double share = outage->down / outage->of;
    outage->share = outage->down / (outage->of + SMOOTHING * (1 - share));
    outage->hazard = OUTAGE * pow(outage->share, CURVE);
}

/* Masses of what is no workload. Sets that of each finding of an outage. */
static const double *weigh_masses(const struct pricing *p)
{
    const finding_list *outages = &p->findings->filed->outages;
    double *masses = ARENA_ARRAY(p->arena, outages->n, double);
    for (uint32_t i = 0; i < outages->n; i++) {
        masses[i] = mass_of(p, outages->items[i]);
        p->outage->down += masses[i];
        p->outage->of += masses[i];
    }
    return masses;
}

struct outage *outage_price(struct arena *arena, struct findings *findings)
{
    const struct cluster *cluster = findings->context->cluster;
    struct pricing p = {arena, findings, findings->context, ARENA_NEW(arena, struct outage)};
    struct outage *outage = p.outage;
    outage->units = ARENA_ARRAY(arena, cluster->roots.n, struct outage_unit);
    file_findings(&p);
    file_dead_nodes(&p);
    for (uint32_t i = 0; i < cluster->roots.n; i++) {
        struct outage_unit *unit = &outage->units[i];
        measure(&p, unit, cluster->roots.items[i]);
        outage->down += unit->down;
        outage->of += unit->of;
    }
    const double *masses = weigh_masses(&p);
    add_up(outage);
    for (uint32_t i = 0; i < cluster->roots.n; i++)
        if (outage->units[i].down > 0)
            charge(&p, &outage->units[i], cluster->roots.items[i]);
    for (uint32_t i = 0; i < findings->filed->outages.n; i++)
        if (masses[i] > 0)
            findings->filed->outages.items[i]->hazard += outage->hazard * masses[i] / outage->down;
    return outage;
}
