#include "score/index.h"

#include "kube/object_index.h"

/* A claim that a pod mounts. */
struct claim_use {
    struct str namespace, claim;
};

struct claims {
    bool known;
    LIST(struct claim_use) used; /* sorted */
};

struct check_index {
    struct arena *arena;
    const struct cluster *cluster;
    struct object_index *objects;
    event_list events;     /* sorted by the object they are about */
    struct claims *claims; /* made on first use: few clusters have a claim that waits */
};

const struct object *index_object(const struct check_index *index, enum kind kind,
                                  struct str namespace, struct str name)
{
    const struct object *found = object_index_find(index->objects, kind, STR(""), namespace, name);
    if (found || (namespace.n && !str_eq(namespace, STR("default"))))
        return found;
    return object_index_find(index->objects, kind, STR(""), namespace.n ? STR("") : STR("default"),
                             name);
}

/* ---- events by what they are about ---- */

static int by_involved(const void *a, const void *b)
{
    const struct event *x = *(const struct event *const *)a, *y = *(const struct event *const *)b;
    int order = str_cmp(x->involved_name, y->involved_name);
    if (order == 0)
        order = str_cmp(x->involved_namespace, y->involved_namespace);
    return order ? order : str_cmp(x->involved_kind, y->involved_kind);
}

/* By the object, then as the cluster has them, so that the order is always the same. */
static int by_involved_and_name(const void *a, const void *b)
{
    const struct event *x = *(const struct event *const *)a, *y = *(const struct event *const *)b;
    int order = by_involved(a, b);
    if (order == 0)
        order = str_cmp(x->object.meta.name, y->object.meta.name);
    return order ? order : str_cmp(x->object.meta.uid, y->object.meta.uid);
}

static void index_all_events(struct check_index *index, struct arena *arena,
                             const struct cluster *cluster)
{
    struct event **event;
    LIST_RESERVE(arena, index->events, cluster->events.n);
    LIST_EACH (event, cluster->events)
        LIST_PUT(index->events, *event);
    LIST_SORT(index->events, by_involved_and_name);
}

event_list index_events(const struct check_index *index, struct str kind_name, struct str namespace,
                        struct str name)
{
    struct event event = {
        .involved_kind = kind_name, .involved_namespace = namespace, .involved_name = name};
    const struct event *wanted = &event;
    const struct event **items = index->events.items;
    uint32_t from, end;
    if (!index->events.n)
        return (event_list){0};
    LIST_LOWER_BOUND(index->events, from, by_involved(&items[from], &wanted) < 0);
    for (end = from; end < index->events.n && by_involved(&items[end], &wanted) == 0;)
        end++;
    effort_spend(index->cluster->effort, EFFORT_events, 8 + 4 * (uint64_t)(end - from));
    return (event_list)LIST_SLICE(items + from, end - from);
}

/* ---- claims in use ---- */

static int by_claim(const void *a, const void *b)
{
    const struct claim_use *x = a, *y = b;
    int order = str_cmp(x->claim, y->claim);
    return order ? order : str_cmp(x->namespace, y->namespace);
}

/* The claim that is made for a generic ephemeral volume. */
static struct str ephemeral_claim(struct arena *arena, const struct pod *pod,
                                  const struct volume *volume)
{
    return arena_printf(arena, "%" STR_FMT "-%" STR_FMT, STR_ARG(pod->object.meta.name),
                        STR_ARG(volume->name));
}

static void find_claims(struct arena *arena, const struct cluster *cluster, struct claims *claims)
{
    struct pod **pod;
    const struct volume *volume;
    LIST_EACH (pod, cluster->pods) {
        if (!(*pod)->spec)
            continue;
        LIST_EACH (volume, (*pod)->spec->volumes) {
            struct claim_use use = {(*pod)->object.meta.namespace, volume->reference};
            if (volume->source == VOLUME_EPHEMERAL)
                use.claim = ephemeral_claim(arena, *pod, volume);
            if (volume->source == VOLUME_PVC || volume->source == VOLUME_EPHEMERAL)
                LIST_ADD(arena, claims->used, use);
        }
    }
    LIST_SORT(claims->used, by_claim);
    claims->known = true;
}

bool index_claim_is_used(const struct check_index *index, struct str namespace, struct str claim)
{
    struct claim_use wanted = {namespace, claim};
    if (!index->claims->known)
        find_claims(index->arena, index->cluster, index->claims);
    return LIST_FIND(index->claims->used, &wanted, by_claim) != NULL;
}

/* Of those without a name only the first is found: there may be any number of them. */
static void index_one(struct check_index *index, struct object *object)
{
    const struct object_meta *meta = &object->meta;
    if (meta->name.n || !object_index_find(index->objects, object->kind, object->kind_name,
                                           meta->namespace, meta->name))
        object_index_add(index->objects, object);
}

struct check_index *index_build(struct arena *arena, const struct cluster *cluster)
{
    struct check_index *index = ARENA_NEW(arena, struct check_index);
    index->arena = arena;
    index->cluster = cluster;
    index->claims = ARENA_NEW(arena, struct claims);
    index->objects = object_index_new(arena, cluster->seed);
#define JUDGED(list, walked, subject, type)                                                        \
    for (uint32_t i = 0; i < cluster->list.n; i++)                                                 \
        index_one(index, &cluster->list.items[i]->object);
#include "kube/lists.def"
#undef JUDGED
    for (uint32_t i = 0; i < cluster->node_metrics.n; i++)
        index_one(index, &cluster->node_metrics.items[i]->object);
    for (uint32_t i = 0; i < cluster->pod_metrics.n; i++)
        index_one(index, &cluster->pod_metrics.items[i]->object);
    index_all_events(index, arena, cluster);
    return index;
}
