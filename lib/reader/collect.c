#include "reader/collect.h"

#include "kube/api_removal.h"
#include "kube/manifest.h"
#include "kube/object_index.h"

/* The list of the cluster that each kind belongs to. */
static size_t list_of(enum kind kind)
{
    static const size_t lists[KIND_COUNT] = {
#define KIND(id, name, plural, api_groups, list, schema, pods)                                     \
    [KIND_##id] = offsetof(struct cluster, list),
#include "kube/kinds.def"
#undef KIND
    };
    return lists[kind];
}

/* The time of the latest change that its conditions tell of. */
static int64_t latest_change(const struct object *object)
{
    condition_list conditions = {0};
    const struct condition *condition;
    int64_t latest = TIME_NONE;
    if (object->kind == KIND_POD)
        conditions = ((const struct pod *)object)->conditions;
    else if (list_of(object->kind) == offsetof(struct cluster, workloads))
        conditions = ((const struct workload *)object)->conditions;
    LIST_EACH (condition, conditions)
        if (condition->last_transition > latest)
            latest = condition->last_transition;
    return latest;
}

/* Does it replace the other one, which came before it? The newer one stays, wherever it stands; of
 * manifests the last one, as if they were applied in turn. */
static bool replaces(const struct object *later, const struct object *earlier)
{
    int order = version_order(version_of(&later->meta), version_of(&earlier->meta));
    return order ? order > 0 : latest_change(later) >= latest_change(earlier);
}

/* Of objects with the same kind, namespace and name the newest stays. What has no name cannot be
 * told apart. */
static uint32_t drop_repeated(struct object **items, uint32_t n)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++) {
        struct object *last = kept ? items[kept - 1] : NULL;
        if (!last || !items[i]->meta.name.n || object_order(last, items[i]) != 0)
            items[kept++] = items[i];
        else if (replaces(items[i], last))
            items[kept - 1] = items[i];
    }
    return kept;
}

/* The lists of the cluster have pointers to different structures, each of which begins with its
 * object: they are filled through copies of their bytes. */
static void append(struct arena *arena, struct cluster *cluster, const object_list *objects,
                   enum kind kind)
{
    char *at = (char *)cluster + list_of(kind);
    struct object **object;
    object_list list;
    memcpy(&list, at, sizeof list);
    if (list.n) {
        LIST_EACH (object, *objects)
            LIST_ADD(arena, list, *object);
        objects_sort(arena, list.items, list.n);
    } else {
        list = *objects;
    }
    memcpy(at, &list, sizeof list);
}

/* Objects of KIND_UNREAD are told apart by the names of their kinds. */
static bool is_among(struct object *const *items, uint32_t n, const struct object *object)
{
    for (; n && !object_order(items[n - 1], object); n--)
        if (str_eq(items[n - 1]->kind_name, object->kind_name))
            return true;
    return false;
}

/* These are read, but no list of checks holds them. Live ones are the control plane's, and follow
 * it to another version. */
static void note_outdated_manifests(struct reader *reader)
{
    static const enum kind kinds[] = {KIND_ENDPOINTSLICE, KIND_LEASE, KIND_EVENT};
    struct arena *arena = reader->decoder.arena;
    struct object **object;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        LIST_EACH (object, reader->objects[kinds[i]]) {
            if (!is_manifest(*object) ||
                !api_removal_find((*object)->api_version, (*object)->kind_name))
                continue;
            struct outdated_object *outdated = ARENA_NEW(arena, struct outdated_object);
            outdated->object = **object;
            outdated->object.kind = KIND_UNREAD;
            LIST_ADD(arena, reader->outdated, &outdated->object);
        }
}

static void collect_outdated(struct reader *reader)
{
    struct arena *arena = reader->decoder.arena;
    object_list *objects = &reader->outdated;
    uint32_t n = 0;
    objects_sort(arena, objects->items, objects->n);
    for (uint32_t i = 0; i < objects->n; i++)
        if (!is_among(objects->items, n, objects->items[i]))
            objects->items[n++] = objects->items[i];
    objects->n = n;
    memcpy(&reader->cluster->outdated, objects, sizeof *objects);
}

void collect_objects(struct reader *reader)
{
    struct arena *arena = reader->decoder.arena;
    struct cluster *cluster = reader->cluster;
    for (enum kind kind = KIND_NONE + 1; kind < KIND_COUNT; kind++) {
        object_list *objects = &reader->objects[kind];
        if (!objects->n)
            continue;
        objects_sort(arena, objects->items, objects->n);
        objects->n = drop_repeated(objects->items, objects->n);
        cluster->counts[kind] = objects->n;
        cluster->objects += objects->n;
        append(arena, cluster, objects, kind);
    }
    note_outdated_manifests(reader);
    collect_outdated(reader);
}
