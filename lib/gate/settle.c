#include "gate/settle.h"

#include "gate/replacing.h"
#include "kube/kinds.h"
#include "kube/selector.h"
#include "kube/status.h"

struct workload *proposed_workload(const struct cluster *cluster, const struct proposed *object)
{
    struct workload *const *workload;
    LIST_EACH (workload, cluster->workloads)
        if ((*workload)->object.kind == object->kind &&
            str_eq((*workload)->object.meta.name, object->name) &&
            str_eq((*workload)->object.meta.namespace, object->namespace))
            return *workload;
    return NULL;
}

static bool is_proposed(const struct object *object, const struct proposed *proposed)
{
    return str_eq(object->meta.name, proposed->name) &&
           str_eq(object->meta.namespace, proposed->namespace);
}

/* ---- pods ---- */

void settle_pods(struct arena *arena, const struct proposal *proposal, const struct cluster *before,
                 struct cluster *after)
{
    const struct proposed *object;
    LIST_EACH (object, proposal->objects)
        if (kind_has_pods(object->kind))
            replace_pods(arena, after, proposed_workload(before, object),
                         proposed_workload(after, object));
}

/* ---- endpoints ---- */

static struct service *service_of(const struct cluster *cluster, const struct proposed *object)
{
    struct service *const *service;
    LIST_EACH (service, cluster->services)
        if (is_proposed(&(*service)->object, object))
            return *service;
    return NULL;
}

static void forget_endpoints(struct service *service)
{
    service->endpoints_known = false;
    service->ready_endpoints = service->ready_endpoints_ipv6 = 0;
}

static void settle_service(const struct service *old, struct service *service)
{
    if (old && service && !pairs_equal(old->selector, service->selector))
        forget_endpoints(service);
}

static bool service_selects(const struct cluster *cluster, const struct service *service,
                            const struct workload *workload)
{
    effort_spend(cluster->effort, EFFORT_services,
                 selector_map_steps(service->selector, workload->template_labels));
    return selector_map_matches(service->selector, workload->template_labels);
}

/* With other labels its pods are behind other services. */
static void settle_services_of(const struct cluster *cluster, const struct workload *old,
                               const struct workload *workload)
{
    struct service *const *service;
    if (!old || !workload || pairs_equal(old->template_labels, workload->template_labels))
        return;
    LIST_EACH (service, cluster->services)
        if (str_eq((*service)->object.meta.namespace, workload->object.meta.namespace) &&
            service_selects(cluster, *service, old) != service_selects(cluster, *service, workload))
            forget_endpoints(*service);
}

/* ---- budgets ---- */

static struct pod_disruption_budget *budget_of(const struct cluster *cluster,
                                               const struct proposed *object)
{
    struct pod_disruption_budget *const *budget;
    LIST_EACH (budget, cluster->pdbs)
        if (is_proposed(&(*budget)->object, object))
            return *budget;
    return NULL;
}

/* Nothing that the controller said of it is true any more. */
static void forget_allowed(struct pod_disruption_budget *budget)
{
    budget->disruptions_allowed = NUMBER_ABSENT;
    budget->conditions.n = 0;
}

static void settle_budget(const struct pod_disruption_budget *old,
                          struct pod_disruption_budget *budget)
{
    if (!old || !budget)
        return;
    bool same_pods = selector_equals(old->selector, budget->selector);
    if (same_pods && str_eq(old->min_available, budget->min_available) &&
        str_eq(old->max_unavailable, budget->max_unavailable))
        return;
    forget_allowed(budget);
    if (!same_pods)
        budget->expected_pods = budget->current_healthy = NUMBER_ABSENT;
}

/* How many pods the budget expects of the workload, NULL: none. */
static int64_t expected_of(const struct cluster *cluster,
                           const struct pod_disruption_budget *budget,
                           const struct workload *workload)
{
    bool empty_is_none = str_eq(budget->object.api_version, STR("policy/v1beta1"));
    if (!workload || (empty_is_none && selector_is_empty(budget->selector)))
        return 0;
    effort_spend(cluster->effort, EFFORT_selectors,
                 selector_steps(budget->selector, workload->template_labels));
    return selector_matches(budget->selector, workload->template_labels) ? wanted_replicas(workload)
                                                                         : 0;
}

/* What a workload has more or fewer of, the budgets that select it expect more or fewer of. */
static void settle_budgets_of(const struct cluster *cluster, const struct workload *old,
                              const struct workload *workload)
{
    struct pod_disruption_budget *const *budget;
    if (!workload || !kind_has_replicas(workload->object.kind))
        return;
    LIST_EACH (budget, cluster->pdbs) {
        if (!str_eq((*budget)->object.meta.namespace, workload->object.meta.namespace))
            continue;
        int64_t more = expected_of(cluster, *budget, workload) - expected_of(cluster, *budget, old);
        int64_t expected = (*budget)->expected_pods;
        if (more == 0)
            continue;
        forget_allowed(*budget);
        if (expected != NUMBER_ABSENT)
            (*budget)->expected_pods = expected + more > 0 ? expected + more : 0;
    }
}

void settle(const struct proposal *proposal, const struct cluster *before, struct cluster *after)
{
    const struct proposed *object;
    LIST_EACH (object, proposal->objects) {
        if (object->kind == KIND_SERVICE) {
            settle_service(service_of(before, object), service_of(after, object));
        } else if (object->kind == KIND_PODDISRUPTIONBUDGET) {
            settle_budget(budget_of(before, object), budget_of(after, object));
        } else if (kind_has_pods(object->kind)) {
            const struct workload *old = proposed_workload(before, object);
            const struct workload *workload = proposed_workload(after, object);
            settle_services_of(after, old, workload);
            settle_budgets_of(after, old, workload);
        }
    }
}
