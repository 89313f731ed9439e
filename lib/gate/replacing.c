#include "gate/replacing.h"

#include "base/hash.h"
#include "base/table.h"
#include "kube/containers.h"
#include "kube/selector.h"
#include "kube/status.h"

struct copied_spec {
    const struct pod_spec *from;
    struct pod_spec *to;
};

struct copied_labels {
    const struct pair *from;
    pair_list to;
};

struct replacing {
    struct arena *arena;
    const struct cluster *cluster;
    const struct workload *old, *workload;
    struct table were, are; /* containers of the old and of the new template, by name */
    /* Pods share what they have, and so do new ones. */
    struct table specs, labels;
};

/* ---- containers by name ---- */

static const struct container *named(const struct replacing *r, const struct table *table,
                                     struct str name)
{
    const struct container *container;
    TABLE_EACH (container, table, hash_bytes(r->cluster->seed, name))
        if (str_eq(container->name, name))
            break;
    return container;
}

static struct table by_name(const struct replacing *r, const struct pod_spec *spec)
{
    struct table table = table_init(r->arena, spec->containers.n);
    const struct container *container;
    effort_spend(r->cluster->effort, EFFORT_search, spec->containers.n);
    LIST_EACH (container, spec->containers)
        if (!named(r, &table, container->name))
            table_add(&table, hash_bytes(r->cluster->seed, container->name), container);
    return table;
}

/* ---- is it another template? ---- */

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

static bool same_ports(const struct container *a, const struct container *b)
{
    const struct str tcp = STR("TCP");
    for (uint32_t i = 0; i < a->ports.n && i < b->ports.n; i++) {
        const struct container_port *x = &a->ports.items[i], *y = &b->ports.items[i];
        if (!str_eq(x->name, y->name) || x->container_port != y->container_port ||
            !str_eq(x->protocol.n ? x->protocol : tcp, y->protocol.n ? y->protocol : tcp))
            return false;
    }
    return a->ports.n == b->ports.n;
}

static bool same_containers(const struct replacing *r)
{
    const container_list *containers = &r->workload->spec->containers;
    const struct container *container;
    LIST_EACH (container, *containers) {
        const struct container *was = named(r, &r->were, container->name);
        effort_spend(r->cluster->effort, EFFORT_search, 1 + container->ports.n);
        if (!was || was->role != container->role ||
            !same_resources(was->resources, container->resources) || !same_ports(was, container))
            return false;
    }
    return containers->n == r->old->spec->containers.n;
}

static bool same_toleration(const struct toleration *a, const struct toleration *b)
{
    const struct str equal = STR("Equal");
    return str_eq(a->effect, b->effect) && str_eq(a->key, b->key) && str_eq(a->value, b->value) &&
           str_eq(a->operator.n ? a->operator: equal, b->operator.n ? b->operator: equal);
}

static bool same_tolerations(const struct pod_spec *a, const struct pod_spec *b)
{
    for (uint32_t i = 0; i < a->tolerations.n && i < b->tolerations.n; i++)
        if (!same_toleration(&a->tolerations.items[i], &b->tolerations.items[i]))
            return false;
    return a->tolerations.n == b->tolerations.n;
}

static bool same_spec(const struct replacing *r)
{
    const struct pod_spec *old = r->old->spec, *spec = r->workload->spec;
    return same_containers(r) && same_resources(old->resources, spec->resources) &&
           same_tolerations(old, spec) && str_eq(old->priority_class, spec->priority_class);
}

/* Those that replace their pods when the template changes, unless they are told not to. */
static bool replaces(const struct workload *workload)
{
    enum kind kind = workload->object.kind;
    return (kind == KIND_DEPLOYMENT || kind == KIND_STATEFULSET || kind == KIND_DAEMONSET ||
            kind == KIND_DEPLOYMENTCONFIG || kind == KIND_ROLLOUT) &&
           workload->paused != TRI_TRUE && !str_eq(workload->strategy, STR("OnDelete"));
}

/* ---- a new spec ---- */

/* What it runs with, and how it is asked, is that of the one that runs: nobody knows whether the
 * new one starts. What admission gave it stays as long as it asks for the same as before. */
static struct container renewed(const struct replacing *r, const struct pod_spec *pod,
                                const struct container *container)
{
    const struct container *was = named(r, &r->were, container->name);
    const struct container *live = container_named(r->cluster->effort, pod, container->name);
    struct container new = live ? *live : *container;
    new.role = container->role;
    new.ports = container->ports;
    if (!was || !same_resources(was->resources, container->resources))
        new.resources = container->resources;
    return new;
}

static bool is_injected(const struct replacing *r, const struct container *container)
{
    return container->role != CONTAINER_EPHEMERAL && !named(r, &r->were, container->name) &&
           !named(r, &r->are, container->name);
}

/* Main containers stand first. */
static container_list new_containers(const struct replacing *r, const struct pod_spec *pod)
{
    const struct container *container;
    container_list containers = {0};
    effort_spend(r->cluster->effort, EFFORT_search,
                 (uint64_t)pod->containers.n + r->workload->spec->containers.n);
    LIST_EACH (container, r->workload->spec->containers)
        if (container->role == CONTAINER_MAIN)
            LIST_ADD(r->arena, containers, renewed(r, pod, container));
    LIST_EACH (container, pod->containers)
        if (is_injected(r, container))
            LIST_ADD(r->arena, containers, *container);
    LIST_EACH (container, r->workload->spec->containers)
        if (container->role != CONTAINER_MAIN)
            LIST_ADD(r->arena, containers, renewed(r, pod, container));
    return containers;
}

static bool has_toleration(const struct pod_spec *spec, const struct toleration *wanted)
{
    for (uint32_t i = 0; i < spec->tolerations.n && i < SEARCHED_MAX; i++)
        if (same_toleration(&spec->tolerations.items[i], wanted))
            return true;
    return false;
}

/* Those of the template, and what admission gave the pod. */
static void tolerate(const struct replacing *r, struct pod_spec *new, const struct pod_spec *pod)
{
    const struct pod_spec *old = r->old->spec, *template = r->workload->spec;
    const struct toleration *toleration;
    new->tolerations = template->tolerations;
    new->tolerations.room = new->tolerations.n; /* what is added goes into a copy */
    LIST_EACH (toleration, pod->tolerations)
        if (!has_toleration(old, toleration) && !has_toleration(template, toleration))
            LIST_ADD(r->arena, new->tolerations, *toleration);
    effort_spend(r->cluster->effort, EFFORT_search,
                 ((uint64_t)pod->tolerations.n + 1) *
                     (1 + old->tolerations.n + template->tolerations.n));
}

static struct pod_spec *new_spec(struct replacing *r, const struct pod_spec *pod)
{
    uint64_t hash = hash_pointer(pod);
    struct copied_spec *copied;
    TABLE_EACH (copied, &r->specs, hash)
        if (copied->from == pod)
            return copied->to;
    copied = ARENA_NEW(r->arena, struct copied_spec);
    *copied = (struct copied_spec){pod, ARENA_NEW(r->arena, struct pod_spec)};
    *copied->to = *pod;
    copied->to->containers = new_containers(r, pod);
    tolerate(r, copied->to, pod);
    if (!same_resources(r->old->spec->resources, r->workload->spec->resources))
        copied->to->resources = r->workload->spec->resources;
    if (!str_eq(r->old->spec->priority_class, r->workload->spec->priority_class))
        copied->to->priority_class = r->workload->spec->priority_class;
    table_add(&r->specs, hash, copied);
    return copied->to;
}

/* ---- new labels ---- */

static pair_list new_labels(struct replacing *r, pair_list labels)
{
    pair_list old = r->old->template_labels, template = r->workload->template_labels;
    uint64_t hash = hash_pointer(labels.items);
    struct copied_labels *copied;
    const struct pair *pair;
    TABLE_EACH (copied, &r->labels, hash)
        if (copied->from == labels.items)
            return copied->to;
    copied = ARENA_NEW(r->arena, struct copied_labels);
    *copied = (struct copied_labels){.from = labels.items};
    effort_spend(r->cluster->effort, EFFORT_labels,
                 ((uint64_t)labels.n + 1) * (1 + old.n + template.n));
    LIST_EACH (pair, template)
        LIST_ADD(r->arena, copied->to, *pair);
    LIST_EACH (pair, labels)
        if (!pair_has(old, pair->key) && !pair_has(template, pair->key))
            LIST_ADD(r->arena, copied->to, *pair);
    table_add(&r->labels, hash, copied);
    return copied->to;
}

/* ---- the pods ---- */

void replace_pods(struct arena *arena, const struct cluster *cluster, const struct workload *old,
                  const struct workload *workload)
{
    struct pod **pod;
    if (!old || !workload || !template_of(old) || !template_of(workload) || !replaces(workload))
        return;
    struct replacing r = {.arena = arena,
                          .cluster = cluster,
                          .old = old,
                          .workload = workload,
                          .specs = table_init(arena, 0),
                          .labels = table_init(arena, 0)};
    r.were = by_name(&r, old->spec);
    r.are = by_name(&r, workload->spec);
    bool other_spec = !same_spec(&r);
    bool other_labels = !pairs_equal(old->template_labels, workload->template_labels);
    LIST_EACH (pod, workload->pods) {
        if (pod_has_ended(*pod) || pod_is_terminating(*pod))
            continue;
        if (other_spec && (*pod)->spec && !(*pod)->spec->partial && (*pod)->spec != workload->spec)
            (*pod)->spec = new_spec(&r, (*pod)->spec);
        if (other_labels)
            (*pod)->object.meta.labels = new_labels(&r, (*pod)->object.meta.labels);
    }
}
