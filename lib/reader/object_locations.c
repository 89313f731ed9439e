#include "reader/object_locations.h"

#include "base/hash.h"
#include "base/rand.h"
#include "base/table.h"
#include "codec/jw.h"
#include "kube/kinds.h"

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

static struct object_location *find(const struct table *table, const struct object_location *item)
{
    struct object_location *one;
    TABLE_EACH (one, table, item->hash)
        if (str_eq(one->object.name, item->object.name) &&
            str_eq(one->object.namespace, item->object.namespace))
            return one;
    return NULL;
}

/* Of several the newest counts, of equal versions the last. What has no name cannot be told
 * apart. */
static void mark_repeated(struct arena *arena, struct object_location *items, uint32_t n)
{
    struct table newest = table_init(arena, n);
    for (struct object_location *item = items; item && item < items + n; item++) {
        struct object_location *other = item->object.name.n ? find(&newest, item) : NULL;
        item->repeated = other && version_order(item->object.version, other->object.version) < 0;
        if (other && !item->repeated) {
            other->repeated = true;
            table_replace(&newest, item->hash, other, item);
        } else if (!other && item->object.name.n) {
            table_add(&newest, item->hash, item);
        }
    }
}

struct object_locations *object_locations_read(struct arena *arena, struct source source,
                                               struct snapshot_error *error)
{
    struct collecting c = {.arena = arena, .locations = ARENA_NEW(arena, struct object_locations)};
    struct snapshot_visitor visitor = {.object = collect, .context = &c};
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
