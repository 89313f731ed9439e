#include "kube/object_index.h"

#include "base/hash.h"
#include "base/table.h"

enum { OBJECTS_AT_FIRST = 192 };

struct object_index {
    struct table table;
    uint64_t seed;
};

struct object_index *object_index_new(struct arena *arena, uint64_t seed)
{
    struct object_index *index = ARENA_NEW(arena, struct object_index);
    *index = (struct object_index){table_init(arena, OBJECTS_AT_FIRST), seed};
    return index;
}

static uint64_t hash_of(const struct object_index *index, enum kind kind, struct str namespace,
                        struct str name)
{
    return hash_bytes(hash_bytes(index->seed + kind, namespace), name);
}

void object_index_add(struct object_index *index, struct object *object)
{
    const struct object_meta *meta = &object->meta;
    table_add(&index->table, hash_of(index, object->kind, meta->namespace, meta->name), object);
}

struct object *object_index_find(const struct object_index *index, enum kind kind,
                                 struct str kind_name, struct str namespace, struct str name)
{
    struct object *object;
    TABLE_EACH (object, &index->table, hash_of(index, kind, namespace, name))
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
    ASSERT_SLOW(is_sorted(pointers, n));
}
