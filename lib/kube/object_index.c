#include "kube/object_index.h"

#include "base/hash.h"

enum { SLOTS_AT_FIRST = 256 };

/* Open addressing; the number of slots is a power of two, at most half of them used. */
struct object_index {
    struct arena *arena;
    struct object **slots;
    size_t mask, used;
    uint64_t seed;
};

struct object_index *object_index_new(struct arena *arena, uint64_t seed)
{
    struct object_index *index = ARENA_NEW(arena, struct object_index);
    index->arena = arena;
    index->slots = ARENA_ARRAY(arena, SLOTS_AT_FIRST, struct object *);
    index->mask = SLOTS_AT_FIRST - 1;
    index->seed = seed;
    return index;
}

static size_t slot_of(const struct object_index *index, enum kind kind, struct str namespace,
                      struct str name)
{
    return hash_bytes(hash_bytes(index->seed + kind, namespace), name);
}

static void insert(struct object_index *index, struct object *object)
{
    size_t at = slot_of(index, object->kind, object->meta.namespace, object->meta.name);
    while (index->slots[at & index->mask])
        at++;
    index->slots[at & index->mask] = object;
}

static void grow(struct object_index *index)
{
    struct object **old = index->slots;
    size_t n = index->mask + 1;
    index->slots = ARENA_ARRAY(index->arena, 2 * n, struct object *);
    index->mask = 2 * n - 1;
    for (size_t i = 0; i < n; i++)
        if (old[i])
            insert(index, old[i]);
}

void object_index_add(struct object_index *index, struct object *object)
{
    if (2 * index->used > index->mask)
        grow(index);
    index->used++;
    insert(index, object);
}

struct object *object_index_find(const struct object_index *index, enum kind kind,
                                 struct str kind_name, struct str namespace, struct str name)
{
    struct object *object;
    size_t at = slot_of(index, kind, namespace, name);
    for (; (object = index->slots[at & index->mask]) != NULL; at++)
        if (object->kind == kind && str_eq(object->meta.name, name) &&
            str_eq(object->meta.namespace, namespace) &&
            (kind != KIND_NONE || str_eq(object->kind_name, kind_name)))
            return object;
    return NULL;
}

/* ---- order ---- */

/* Equal strings are mostly the same bytes (intern.h). */
static int order_of_str(struct str a, struct str b)
{
    return a.p == b.p && a.n == b.n ? 0 : str_cmp(a, b);
}

int object_name_order(const struct object *object, struct str namespace, struct str name)
{
    int order = order_of_str(object->meta.namespace, namespace);
    return order ? order : order_of_str(object->meta.name, name);
}

int object_order(const struct object *a, const struct object *b)
{
    int order = object_name_order(a, b->meta.namespace, b->meta.name);
    if (order == 0)
        order = (int)a->kind - (int)b->kind;
    return order ? order : order_of_str(a->kind_name, b->kind_name);
}

/* Of pointers to objects, whatever structures begin with them. */
static int by_object(const void *a, const void *b)
{
    const struct object *x, *y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return object_order(x, y);
}

static bool is_sorted(const char *pointers, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++)
        if (by_object(pointers + (i - 1) * sizeof(void *), pointers + i * sizeof(void *)) > 0)
            return false;
    return true;
}

void objects_sort(struct arena *arena, void *pointers, uint32_t n)
{
    if (!is_sorted(pointers, n))
        list_sort_stable(pointers, arena_array(arena, n, sizeof(void *)), n, sizeof(void *),
                         by_object);
}
