#include "reader/object_locations.h"

#include "base/hash.h"
#include "base/rand.h"
#include "codec/jw.h"
#include "kube/kinds.h"

enum { FIRST_ROOM = 16 };

struct collecting {
    struct arena *arena;
    struct object_locations *locations;
    uint64_t seed; /* nobody can know which names collide */
};

/* ---- collecting ---- */

static void collect(void *context, const struct snapshot_object *object)
{
    struct collecting *c = context;
    struct object_location item = {.object = *object};
    item.hash = hash_bytes(hash_bytes(c->seed, object->namespace), object->name);
    LIST_ADD(c->arena, c->locations->kinds[object->kind], item);
}

/* ---- repetitions ---- */

static bool is_same(const struct object_location *a, const struct object_location *b)
{
    return a->hash == b->hash && str_eq(a->object.name, b->object.name) &&
           str_eq(a->object.namespace, b->object.namespace);
}

static uint32_t table_size(uint32_t n)
{
    uint32_t size = FIRST_ROOM;
    while (size < 2 * n)
        size *= 2;
    return size;
}

/* Of several the newest counts, of equal versions the last. What has no name cannot be told
 * apart. */
static void mark_repeated(struct arena *arena, struct object_location *items, uint32_t n)
{
    uint32_t mask = table_size(n) - 1;
    struct object_location **table = ARENA_ARRAY(arena, (size_t)mask + 1, struct object_location *);
    for (uint32_t i = 0; i < n; i++) {
        struct object_location **slot = &table[items[i].hash & mask];
        if (!items[i].object.name.n)
            continue;
        for (uint64_t at = items[i].hash; *slot && !is_same(*slot, &items[i]);)
            slot = &table[++at & mask];
        bool older = *slot && version_order(items[i].object.version, (*slot)->object.version) < 0;
        items[i].repeated = older;
        if (*slot && !older)
            (*slot)->repeated = true;
        if (!older)
            *slot = &items[i];
    }
}

struct object_locations *object_locations_read(struct arena *arena, struct source source,
                                               struct snapshot_error *error)
{
    struct collecting c = {.arena = arena, .locations = ARENA_NEW(arena, struct object_locations)};
    struct snapshot_visitor visitor = {collect, &c};
    rand_bytes(&c.seed, sizeof c.seed);
    if (!snapshot_scan(arena, source, &visitor, error))
        return NULL;
    for (enum kind kind = KIND_NONE + 1; kind < KIND_COUNT; kind++)
        mark_repeated(arena, c.locations->kinds[kind].items, c.locations->kinds[kind].n);
    return c.locations;
}

/* ---- types ---- */

struct str object_location_type(struct arena *arena, const struct object_location *location)
{
    const struct snapshot_object *object = &location->object;
    struct buf out = buf_init(arena, SIZE_MAX / 2);
    struct jw w = {.out = &out, .comma = true};
    if (!object->has_api_version && object->api_version.n)
        JW_STR(&w, "apiVersion", object->api_version);
    if (!object->has_kind)
        JW_STR(&w, "kind", kind_name(object->kind));
    return buf_str(&out);
}
