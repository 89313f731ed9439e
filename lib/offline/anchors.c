#include "offline/anchors.h"

struct anchor {
    struct str name, json;
};

enum { EXPECTED = 32 };

void anchors_init(struct anchors *anchors, struct arena *arena)
{
    *anchors = (struct anchors){.arena = arena, .names = table_init(arena, EXPECTED)};
}

static struct anchor *find(const struct anchors *anchors, struct str name)
{
    struct anchor *anchor;
    TABLE_EACH (anchor, &anchors->names, str_hash(0, name))
        if (str_eq(anchor->name, name))
            break;
    return anchor;
}

bool anchors_afford(struct anchors *anchors, size_t n)
{
    if (n > ANCHORS_BYTES_MAX - anchors->bytes)
        return false;
    anchors->bytes += n;
    return true;
}

bool anchors_begin(struct anchors *anchors, struct str name, struct anchor **anchor)
{
    *anchor = find(anchors, name);
    if (*anchor) { /* the newer one counts from here on */
        (*anchor)->json = (struct str){NULL, 0};
        return true;
    }
    if (anchors->n == ANCHORS_MAX || !anchors_afford(anchors, name.n))
        return false;
    anchors->n++;
    *anchor = ARENA_NEW(anchors->arena, struct anchor);
    (*anchor)->name = arena_str(anchors->arena, name);
    table_add(&anchors->names, str_hash(0, name), *anchor);
    return true;
}

bool anchors_end(struct anchors *anchors, struct anchor *anchor, struct str json)
{
    if (!anchors_afford(anchors, json.n))
        return false;
    anchor->json = arena_str(anchors->arena, json);
    return true;
}

struct str anchors_find(const struct anchors *anchors, struct str name)
{
    const struct anchor *anchor = find(anchors, name);
    return anchor ? anchor->json : (struct str){NULL, 0};
}
