/* Services select by labels: k8s.io/api/core/v1 Service.spec.selector.
 *
 * Pods of one owner have the same labels, which are kept once (intern.h): services are matched with
 * each set of labels of a namespace once, and only those services that want one of its pairs. */
#include "base/hash.h"
#include "reader/linker.h"
#include "kube/selector.h"

/* A service as long as it is linked. */
struct selecting {
    struct service *service;
    struct selecting *next;           /* with the same pair */
    const struct workload *last_root; /* that it was counted or put for */
};

/* A pair of labels that services of a namespace want. */
struct wanted_pair {
    struct str namespace, key, value;
    uint32_t services; /* that have it in their selector */
    struct selecting *first;
};

/* The labels of some pods of a namespace, and who selects them. */
struct label_set {
    struct str namespace;
    pair_list labels;
    LIST(struct selecting *) services;
};

struct matcher {
    struct arena *arena;
    struct wanted_pair **pairs; /* open addressing */
    struct label_set **sets;
    size_t pairs_mask, sets_mask;
    uint64_t seed;
    uint64_t selections; /* so far: SELECTIONS_MAX */
};

static size_t hash_pair(const struct matcher *matcher, struct str namespace,
                        const struct pair *pair)
{
    return hash_bytes(hash_bytes(hash_bytes(matcher->seed, namespace), pair->key), pair->value);
}

static struct wanted_pair **find_pair(const struct matcher *matcher, struct str namespace,
                                      const struct pair *pair)
{
    for (size_t at = hash_pair(matcher, namespace, pair);; at++) {
        struct wanted_pair **slot = &matcher->pairs[at & matcher->pairs_mask], *one = *slot;
        if (!one || (str_eq(one->key, pair->key) && str_eq(one->value, pair->value) &&
                     str_eq(one->namespace, namespace)))
            return slot;
    }
}

static size_t slots_for(size_t n)
{
    size_t slots = 16;
    while (slots < 2 * n)
        slots *= 2;
    return slots;
}

static void want(struct matcher *matcher, const struct service *service, const struct pair *pair)
{
    struct wanted_pair **slot = find_pair(matcher, service->object.meta.namespace, pair);
    if (!*slot) {
        *slot = ARENA_NEW(matcher->arena, struct wanted_pair);
        (*slot)->namespace = service->object.meta.namespace;
        (*slot)->key = pair->key;
        (*slot)->value = pair->value;
    }
    (*slot)->services++;
}

/* Each service is filed under the pair of its selector that the fewest services want. */
static void file(struct matcher *matcher, struct service *service)
{
    const struct pair *pair;
    struct wanted_pair *rarest = NULL;
    LIST_EACH (pair, service->selector) {
        struct wanted_pair *one = *find_pair(matcher, service->object.meta.namespace, pair);
        if (!rarest || one->services < rarest->services)
            rarest = one;
    }
    struct selecting *selecting = ARENA_NEW(matcher->arena, struct selecting);
    *selecting = (struct selecting){.service = service, .next = rarest->first};
    rarest->first = selecting;
}

static struct matcher matcher_new(struct arena *arena, struct cluster *cluster)
{
    struct matcher matcher = {.arena = arena, .seed = cluster->seed};
    struct service **service;
    const struct pair *pair;
    size_t pairs = 0, sets = cluster->pods.n + cluster->roots.n;
    LIST_EACH (service, cluster->services)
        pairs += (*service)->selector.n;
    matcher.pairs = ARENA_ARRAY(arena, slots_for(pairs), struct wanted_pair *);
    matcher.pairs_mask = slots_for(pairs) - 1;
    matcher.sets = ARENA_ARRAY(arena, slots_for(sets), struct label_set *);
    matcher.sets_mask = slots_for(sets) - 1;
    LIST_EACH (service, cluster->services)
        LIST_EACH (pair, (*service)->selector)
            want(&matcher, *service, pair);
    LIST_EACH (service, cluster->services)
        if ((*service)->selector.n)
            file(&matcher, *service);
    return matcher;
}

static void spend(struct matcher *matcher, uint32_t selections)
{
    matcher->selections += selections;
    if (matcher->selections > SELECTIONS_MAX)
        arena_exhaust(matcher->arena);
}

static bool matches(struct matcher *matcher, const struct service *service, pair_list labels)
{
    spend(matcher, 1);
    return selector_map_matches(service->selector, labels);
}

/* Walks the services that select these labels. */
#define FOR_MATCHES(matcher, set, selecting)                                                       \
    for (uint32_t pair_ = 0; pair_ < (set)->labels.n; pair_++)                                     \
        for (struct selecting *selecting =                                                         \
                 services_that_want((matcher), (set)->namespace, &(set)->labels.items[pair_]);     \
             selecting; selecting = selecting->next)                                               \
            if (matches((matcher), selecting->service, (set)->labels))

static struct selecting *services_that_want(const struct matcher *matcher, struct str namespace,
                                            const struct pair *pair)
{
    struct wanted_pair *wanted = *find_pair(matcher, namespace, pair);
    return wanted ? wanted->first : NULL;
}

static const struct label_set *set_of(struct matcher *matcher, struct str namespace,
                                      pair_list labels)
{
    uint64_t hash = ((uintptr_t)labels.items ^ (uintptr_t) namespace.p * 31) * 0x9e3779b97f4a7c15u;
    struct label_set *set;
    size_t at = (size_t)(hash >> 32);
    for (; (set = matcher->sets[at & matcher->sets_mask]) != NULL; at++)
        if (set->labels.items == labels.items && set->namespace.p == namespace.p)
            return set;
    set = ARENA_NEW(matcher->arena, struct label_set);
    set->namespace = namespace;
    set->labels = labels;
    FOR_MATCHES(matcher, set, selecting)
    set->services.n++;
    LIST_ROOM(matcher->arena, set->services);
    FOR_MATCHES(matcher, set, selecting)
    LIST_PUT(set->services, selecting);
    return matcher->sets[at & matcher->sets_mask] = set;
}

/* ---- pods and workloads ---- */

static void select_pods(struct matcher *matcher, struct cluster *cluster)
{
    struct pod **pod;
    struct service **service;
    for (int pass = 0; pass < 2; pass++) {
        LIST_EACH (pod, cluster->pods) {
            const struct object_meta *meta = &(*pod)->object.meta;
            const struct label_set *set = set_of(matcher, meta->namespace, meta->labels);
            spend(matcher, set->services.n);
            for (uint32_t i = 0; i < set->services.n; i++) {
                struct service *selected_by = set->services.items[i]->service;
                if (pass == 0)
                    selected_by->pods.n++;
                else
                    LIST_PUT(selected_by->pods, *pod);
            }
        }
        if (pass == 0)
            LIST_EACH (service, cluster->services)
                LIST_ROOM(matcher->arena, (*service)->pods);
    }
}

static void select_root(struct matcher *matcher, const struct label_set *set, struct workload *root,
                        bool put)
{
    spend(matcher, set->services.n);
    for (uint32_t i = 0; i < set->services.n; i++) {
        struct selecting *selecting = set->services.items[i];
        struct service *service = selecting->service;
        if (selecting->last_root == root)
            continue;
        selecting->last_root = root;
        if (put)
            LIST_PUT(service->workloads, root);
        else
            service->workloads.n++;
    }
}

static void select_roots(struct matcher *matcher, struct cluster *cluster, bool put)
{
    struct workload **root;
    struct pod **pod;
    LIST_EACH (root, cluster->roots) {
        struct str namespace = (*root)->object.meta.namespace;
        select_root(matcher, set_of(matcher, namespace, (*root)->template_labels), *root, put);
        LIST_EACH (pod, (*root)->pods)
            select_root(matcher, set_of(matcher, namespace, (*pod)->object.meta.labels), *root,
                        put);
    }
}

static void forget_last_roots(const struct matcher *matcher)
{
    for (size_t i = 0; i <= matcher->pairs_mask; i++)
        if (matcher->pairs[i])
            for (struct selecting *one = matcher->pairs[i]->first; one; one = one->next)
                one->last_root = NULL;
}

/* ---- endpoints ---- */

static struct service *service_of(const struct linker *linker, const struct endpoint_slice *slice)
{
    return (struct service *)(void *)object_index_find(
        linker->index, KIND_SERVICE, STR(""), slice->object.meta.namespace, slice->service);
}

/* EndpointSlices say the same as Endpoints, and more. */
static void link_endpoints(struct linker *linker, enum kind kind)
{
    struct endpoint_slice **slice;
    LIST_EACH (slice, linker->cluster->endpoint_slices) {
        struct service *service = (*slice)->object.kind == kind ? service_of(linker, *slice) : NULL;
        if (!service || (kind == KIND_ENDPOINTS && service->endpoints_known))
            continue;
        service->ready_endpoints += (*slice)->ready;
        service->endpoints_known = true;
    }
}

void link_services(struct linker *linker)
{
    struct cluster *cluster = linker->cluster;
    struct service **service;
    if (!cluster->services.n)
        return;
    struct matcher matcher = matcher_new(linker->arena, cluster);
    select_pods(&matcher, cluster);
    select_roots(&matcher, cluster, false);
    forget_last_roots(&matcher);
    LIST_EACH (service, cluster->services)
        LIST_ROOM(linker->arena, (*service)->workloads);
    select_roots(&matcher, cluster, true);
    link_endpoints(linker, KIND_ENDPOINTSLICE);
    link_endpoints(linker, KIND_ENDPOINTS);
}
