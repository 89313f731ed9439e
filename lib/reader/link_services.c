/* Services select by labels: k8s.io/api/core/v1 Service.spec.selector.
 *
 * Pods of one owner have the same labels, which are kept once (intern.h): services are matched with
 * each set of labels of a namespace once, and only those services that want one of its pairs. */
#include "base/hash.h"
#include "base/table.h"
#include "reader/linker.h"
#include "kube/selector.h"

/* A service that selects, as long as it is linked. */
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
    LIST(struct selecting) services;
    struct table pairs, sets;
    uint64_t seed;
    struct effort *effort;
};

static uint64_t hash_pair(const struct matcher *matcher, struct str namespace,
                          const struct pair *pair)
{
    return hash_bytes(hash_bytes(hash_bytes(matcher->seed, namespace), pair->key), pair->value);
}

static struct wanted_pair *find_pair(const struct matcher *matcher, struct str namespace,
                                     const struct pair *pair)
{
    struct wanted_pair *one;
    TABLE_EACH (one, &matcher->pairs, hash_pair(matcher, namespace, pair))
        if (str_eq(one->key, pair->key) && str_eq(one->value, pair->value) &&
            str_eq(one->namespace, namespace))
            return one;
    return NULL;
}

static void want(struct matcher *matcher, const struct service *service, const struct pair *pair)
{
    struct str namespace = service->object.meta.namespace;
    struct wanted_pair *wanted = find_pair(matcher, namespace, pair);
    if (!wanted) {
        wanted = ARENA_NEW(matcher->arena, struct wanted_pair);
        *wanted = (struct wanted_pair){namespace, pair->key, pair->value, 0, NULL};
        table_add(&matcher->pairs, hash_pair(matcher, namespace, pair), wanted);
    }
    wanted->services++;
}

/* Each service is filed under the pair of its selector that the fewest services want. */
static void file(struct matcher *matcher, struct service *service)
{
    const struct pair *pair;
    struct wanted_pair *rarest = NULL;
    LIST_EACH (pair, service->selector) {
        struct wanted_pair *one = find_pair(matcher, service->object.meta.namespace, pair);
        if (!rarest || one->services < rarest->services)
            rarest = one;
    }
    LIST_PUT(matcher->services, ((struct selecting){.service = service, .next = rarest->first}));
    rarest->first = &matcher->services.items[matcher->services.n - 1];
}

/* The selector of a mere name means nothing. */
static bool selects(const struct service *service)
{
    return service->selector.n && !str_eq(service->type, STR("ExternalName"));
}

static struct matcher matcher_new(struct arena *arena, struct cluster *cluster)
{
    struct matcher matcher = {.arena = arena,
                              .pairs = table_init(arena, cluster->services.n),
                              .sets = table_init(arena, cluster->roots.n),
                              .seed = cluster->seed,
                              .effort = cluster->effort};
    struct service **service;
    const struct pair *pair;
    LIST_RESERVE(arena, matcher.services, cluster->services.n); /* they stay where they are */
    LIST_EACH (service, cluster->services)
        if (selects(*service))
            LIST_EACH (pair, (*service)->selector)
                want(&matcher, *service, pair);
    LIST_EACH (service, cluster->services)
        if (selects(*service))
            file(&matcher, *service);
    return matcher;
}

/* A pod of a service is looked at in two passes, and again by who asks about the service. */
enum { STEPS_A_POD = 6 };

static void spend(struct matcher *matcher, uint32_t services)
{
    effort_spend(matcher->effort, EFFORT_services, (uint64_t)services * STEPS_A_POD);
}

static bool matches(struct matcher *matcher, const struct service *service, pair_list labels)
{
    effort_spend(matcher->effort, EFFORT_services, selector_map_steps(service->selector, labels));
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
    const struct wanted_pair *wanted = find_pair(matcher, namespace, pair);
    return wanted ? wanted->first : NULL;
}

static const struct label_set *set_of(struct matcher *matcher, struct str namespace,
                                      pair_list labels)
{
    uint64_t hash = hash_pointer(labels.items) ^ hash_pointer(namespace.p) >> 1;
    struct label_set *set;
    TABLE_EACH (set, &matcher->sets, hash)
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
    table_add(&matcher->sets, hash, set);
    return set;
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
    struct selecting *one;
    LIST_EACH (one, matcher->services)
        one->last_root = NULL;
}

/* ---- endpoints ---- */

static struct service *service_of(const struct linker *linker, const struct endpoint_slice *slice)
{
    return (struct service *)(void *)object_index_find(
        linker->index, KIND_SERVICE, STR(""), slice->object.meta.namespace, slice->service);
}

/* For a while an endpoint may stand in two slices (kubernetes.io, "EndpointSlices: duplicate
 * endpoints"). Only where it is the only one it matters that it is one. */
static void add_ready(struct service *service, const struct endpoint_slice *slice)
{
    bool ipv6 = str_eq(slice->address_type, STR("IPv6"));
    uint32_t *ready = ipv6 ? &service->ready_endpoints_ipv6 : &service->ready_endpoints;
    uint64_t *only = &service->only_endpoint[ipv6];
    if (*ready == 1 && slice->ready == 1 && *only && *only == slice->last_ready)
        return;
    if (*ready == 0)
        *only = slice->last_ready;
    *ready += slice->ready;
}

/* EndpointSlices say the same as Endpoints, and more. */
static void link_endpoints(struct linker *linker, enum kind kind)
{
    struct endpoint_slice **slice;
    LIST_EACH (slice, linker->cluster->endpoint_slices) {
        struct service *service = (*slice)->object.kind == kind ? service_of(linker, *slice) : NULL;
        if (!service || (kind == KIND_ENDPOINTS && service->endpoints_known))
            continue;
        add_ready(service, *slice);
        service->endpoints_known = true;
    }
}

/* A Service of both families has slices of each, with the same pods in them. */
static void merge_families(struct cluster *cluster)
{
    struct service **service;
    LIST_EACH (service, cluster->services)
        if ((*service)->ready_endpoints_ipv6 > (*service)->ready_endpoints)
            (*service)->ready_endpoints = (*service)->ready_endpoints_ipv6;
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
    merge_families(cluster);
    link_endpoints(linker, KIND_ENDPOINTS);
}
