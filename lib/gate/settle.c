#include "gate/settle.h"

#include "kube/selector.h"

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

static const struct container *container_of(const struct pod_spec *spec, struct str name)
{
    const struct container *container;
    LIST_EACH (container, spec->containers)
        if (str_eq(container->name, name))
            return container;
    return NULL;
}

static bool same_amounts(const struct resource_list *a, const struct resource_list *b)
{
    return a->cpu == b->cpu && a->memory == b->memory &&
           a->ephemeral_storage == b->ephemeral_storage;
}

static bool same_resources(const struct resource_requirements *a,
                           const struct resource_requirements *b)
{
    static const struct resource_requirements none = {
        {NUMBER_ABSENT, NUMBER_ABSENT, NUMBER_ABSENT, NUMBER_ABSENT},
        {NUMBER_ABSENT, NUMBER_ABSENT, NUMBER_ABSENT, NUMBER_ABSENT}};
    a = a ? a : &none;
    b = b ? b : &none;
    return same_amounts(&a->requests, &b->requests) && same_amounts(&a->limits, &b->limits);
}

/* Specs may be shared: the pod gets one of its own. */
static void replace_resources(struct arena *arena, struct pod *pod, const struct container *wanted)
{
    struct pod_spec *spec = ARENA_NEW(arena, struct pod_spec);
    struct container *containers =
        ARENA_ARRAY(arena, pod->spec->containers.n + 1, struct container);
    *spec = *pod->spec;
    for (uint32_t i = 0; i < spec->containers.n; i++) {
        containers[i] = pod->spec->containers.items[i];
        if (str_eq(containers[i].name, wanted->name))
            containers[i].resources = wanted->resources;
    }
    spec->containers.items = containers;
    pod->spec = spec;
}

static void settle_pods(struct arena *arena, const struct workload *old, struct workload *workload)
{
    const struct container *container;
    struct pod **pod;
    if (!old || !workload || !old->spec || !workload->spec)
        return;
    LIST_EACH (container, workload->spec->containers) {
        const struct container *was = container_of(old->spec, container->name);
        if (was && same_resources(was->resources, container->resources))
            continue;
        LIST_EACH (pod, workload->pods)
            if ((*pod)->spec && (*pod)->spec != workload->spec)
                replace_resources(arena, *pod, container);
    }
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

static void settle_service(const struct service *old, struct service *service)
{
    if (!old || !service || pairs_equal(old->selector, service->selector))
        return;
    service->endpoints_known = false;
    service->ready_endpoints = service->ready_endpoints_ipv6 = 0;
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

static void settle_budget(const struct pod_disruption_budget *old,
                          struct pod_disruption_budget *budget)
{
    if (!old || !budget ||
        (str_eq(old->min_available, budget->min_available) &&
         str_eq(old->max_unavailable, budget->max_unavailable) &&
         selector_equals(old->selector, budget->selector)))
        return;
    budget->disruptions_allowed = NUMBER_ABSENT;
    budget->conditions.n = 0;
}

void settle(struct arena *arena, const struct proposal *proposal, const struct cluster *before,
            struct cluster *after)
{
    const struct proposed *object;
    LIST_EACH (object, proposal->objects) {
        if (object->kind == KIND_NONE)
            continue;
        if (object->kind == KIND_SERVICE)
            settle_service(service_of(before, object), service_of(after, object));
        else if (object->kind == KIND_PODDISRUPTIONBUDGET)
            settle_budget(budget_of(before, object), budget_of(after, object));
        else
            settle_pods(arena, proposed_workload(before, object), proposed_workload(after, object));
    }
}
