#include "kube/regroup.h"

#include "base/hash.h"
#include "base/rand.h"
#include "codec/jw.h"
#include "kube/kinds.h"

enum { FIRST_ROOM = 16 };

struct collecting {
    struct arena *arena;
    struct regroup *groups;
    uint64_t seed; /* nobody can know which names collide */
    uint32_t room[KIND_COUNT];
};

/* ---- collecting ---- */

static struct regroup_item *add(struct collecting *c, enum kind kind)
{
    struct regroup_item *items = c->groups->kinds[kind].items;
    uint32_t n = c->groups->kinds[kind].n;
    if (n == c->room[kind]) {
        c->room[kind] = n ? 2 * n : FIRST_ROOM;
        struct regroup_item *more = ARENA_ARRAY(c->arena, c->room[kind], struct regroup_item);
        if (n)
            memcpy(more, items, n * sizeof *more);
        c->groups->kinds[kind].items = items = more;
    }
    c->groups->kinds[kind].n++;
    return &items[n];
}

static void collect(void *context, const struct snapshot_object *object)
{
    struct collecting *c = context;
    struct regroup_item *item = add(c, object->kind);
    item->object = *object;
    item->hash = hash_bytes(hash_bytes(c->seed, object->namespace), object->name);
}

/* ---- repetitions ---- */

static bool is_same(const struct regroup_item *a, const struct regroup_item *b)
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
static void mark_repeated(struct arena *arena, struct regroup_item *items, uint32_t n)
{
    uint32_t mask = table_size(n) - 1;
    struct regroup_item **table = ARENA_ARRAY(arena, (size_t)mask + 1, struct regroup_item *);
    for (uint32_t i = 0; i < n; i++) {
        struct regroup_item **slot = &table[items[i].hash & mask];
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

struct regroup *regroup_read(struct arena *arena, struct source source,
                             struct snapshot_error *error)
{
    struct collecting c = {.arena = arena, .groups = ARENA_NEW(arena, struct regroup)};
    struct snapshot_visitor visitor = {collect, &c};
    rand_bytes(&c.seed, sizeof c.seed);
    if (!snapshot_scan(arena, source, &visitor, error))
        return NULL;
    for (enum kind kind = KIND_NONE + 1; kind < KIND_COUNT; kind++)
        mark_repeated(arena, c.groups->kinds[kind].items, c.groups->kinds[kind].n);
    return c.groups;
}

/* ---- types ---- */

struct str regroup_type_of(struct arena *arena, const struct regroup_item *item)
{
    const struct snapshot_object *object = &item->object;
    struct buf out = buf_init(arena, SIZE_MAX / 2);
    struct jw w = {.out = &out, .comma = true};
    if (!object->has_api_version && object->api_version.n)
        JW_STR(&w, "apiVersion", object->api_version);
    if (!object->has_kind)
        JW_STR(&w, "kind", kind_name(object->kind));
    return buf_str(&out);
}
