#include "gate/settle.h"

#include "base/hash.h"
#include "base/table.h"
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

/* Containers by their name. */
static const struct container *container_of(const struct table *table, uint64_t seed,
                                            struct str name)
{
    const struct container *container;
    TABLE_EACH (container, table, hash_bytes(seed, name))
        if (str_eq(container->name, name))
            break;
    return container;
}

struct copied {
    const struct container *from;
    struct container *to;
};

struct replacing {
    struct arena *arena;
    const struct cluster *cluster;
    struct table changed; /* those of the new workload that ask for something else */
    struct table copies;  /* struct copied, by what it is made of: pods share their containers */
};

static struct table by_name(struct arena *arena, uint64_t seed, const container_list *containers)
{
    struct table table = table_init(arena, containers->n);
    const struct container *container;
    LIST_EACH (container, *containers)
        if (!container_of(&table, seed, container->name))
            table_add(&table, hash_bytes(seed, container->name), container);
    return table;
}

/* False when there are none. */
static bool find_changed(struct replacing *r, const container_list *old,
                         const container_list *containers)
{
    uint64_t seed = r->cluster->seed;
    struct table were = by_name(r->arena, seed, old);
    const struct container *container;
    r->changed = table_init(r->arena, 0);
    effort_spend(r->cluster->effort, EFFORT_search, old->n + containers->n);
    LIST_EACH (container, *containers) {
        const struct container *was = container_of(&were, seed, container->name);
        if ((!was || !same_resources(was->resources, container->resources)) &&
            !container_of(&r->changed, seed, container->name))
            table_add(&r->changed, hash_bytes(seed, container->name), container);
    }
    return r->changed.used > 0;
}

/* The containers of a pod as they are replaced; NULL: none of them is. */
static struct container *copy_of(struct replacing *r, const container_list *containers)
{
    struct container *copy = NULL;
    effort_spend(r->cluster->effort, EFFORT_search, containers->n);
    for (uint32_t i = 0; i < containers->n; i++) {
        const struct container *wanted =
            container_of(&r->changed, r->cluster->seed, containers->items[i].name);
        if (!wanted)
            continue;
        if (!copy) {
            copy = ARENA_ARRAY(r->arena, containers->n, struct container);
            memcpy(copy, containers->items, containers->n * sizeof *copy);
        }
        copy[i].resources = wanted->resources;
    }
    return copy;
}

static struct container *shared_copy_of(struct replacing *r, const container_list *containers)
{
    uint64_t hash = hash_pointer(containers->items);
    struct copied *copied;
    TABLE_EACH (copied, &r->copies, hash)
        if (copied->from == containers->items)
            return copied->to;
    copied = ARENA_NEW(r->arena, struct copied);
    *copied = (struct copied){containers->items, copy_of(r, containers)};
    table_add(&r->copies, hash, copied);
    return copied->to;
}

/* Specs may be shared: the pod gets one of its own. */
static void replace_resources(struct replacing *r, struct pod *pod)
{
    struct container *containers = shared_copy_of(r, &pod->spec->containers);
    if (!containers)
        return;
    struct pod_spec *spec = ARENA_NEW(r->arena, struct pod_spec);
    *spec = *pod->spec;
    spec->containers.items = containers;
    pod->spec = spec;
}

static void settle_pods(struct arena *arena, const struct cluster *cluster,
                        const struct workload *old, struct workload *workload)
{
    struct replacing r = {.arena = arena, .cluster = cluster, .copies = table_init(arena, 0)};
    struct pod **pod;
    if (!old || !workload || !old->spec || !workload->spec ||
        !find_changed(&r, &old->spec->containers, &workload->spec->containers))
        return;
    LIST_EACH (pod, workload->pods)
        if ((*pod)->spec && (*pod)->spec != workload->spec && (*pod)->spec->containers.n)
            replace_resources(&r, *pod);
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

static void settle_workload(struct arena *arena, struct cluster *cluster,
                            const struct workload *old, struct workload *workload)
{
    settle_pods(arena, cluster, old, workload);
    settle_budgets_of(cluster, old, workload);
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
            settle_workload(arena, after, proposed_workload(before, object),
                            proposed_workload(after, object));
    }
}
