#include "score/index.h"

#include "score/view.h"

/* Open addressing; the number of slots is a power of two, at most half of them used. */
struct judge_index {
    const struct object **slots;
    size_t mask;
    const struct views *views;
};

const struct views *index_views(const struct judge_index *index)
{
    return index->views;
}

static size_t slot_of(enum kind kind, struct str namespace, struct str name)
{
    uint64_t hash = str_hash(str_hash((uint64_t)kind + 1, namespace), STR("/"));
    hash = str_hash(hash, name);
    return (size_t)(hash ^ hash >> 32);
}

static void insert(struct judge_index *index, const struct object *object)
{
    size_t at = slot_of(object->kind, object->meta.namespace, object->meta.name);
    while (index->slots[at & index->mask])
        at++;
    index->slots[at & index->mask] = object;
}

const struct object *index_object(const struct judge_index *index, enum kind kind,
                                  struct str namespace, struct str name)
{
    const struct object *object;
    size_t at = slot_of(kind, namespace, name);
    for (; (object = index->slots[at & index->mask]) != NULL; at++)
        if (object->kind == kind && str_eq(object->meta.name, name) &&
            str_eq(object->meta.namespace, namespace))
            return object;
    return NULL;
}

#define INDEXED(X)                                                                                 \
    X(workloads)                                                                                   \
    X(services)                                                                                    \
    X(ingresses)                                                                                   \
    X(network_policies)                                                                            \
    X(pdbs)                                                                                        \
    X(autoscalers)                                                                                 \
    X(service_accounts)                                                                            \
    X(roles)                                                                                       \
    X(config_maps)                                                                                 \
    X(secrets)                                                                                     \
    X(namespaces)                                                                                  \
    X(nodes)                                                                                       \
    X(claims)                                                                                      \
    X(storage_classes)                                                                             \
    X(priority_classes)

struct judge_index *index_build(struct arena *arena, const struct cluster *cluster)
{
    struct judge_index *index = ARENA_NEW(arena, struct judge_index);
    size_t objects = 0, slots = 16;
#define COUNT(list) objects += cluster->list.n;
    INDEXED(COUNT)
#undef COUNT
    while (slots < 2 * objects)
        slots *= 2;
    index->slots = ARENA_ARRAY(arena, slots, const struct object *);
    index->mask = slots - 1;
#define INSERT(list)                                                                               \
    for (uint32_t i = 0; i < cluster->list.n; i++)                                                 \
        insert(index, &cluster->list.items[i]->object);
    INDEXED(INSERT)
#undef INSERT
    index->views = views_build(arena, cluster);
    return index;
}
