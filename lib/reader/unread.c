#include "reader/unread.h"

#include <stdlib.h>

/* The longest names that an API server takes: a label for a kind, a subdomain and a label for its
 * group and version. */
enum { UNREAD_KINDS_MAX = 1000, SLOTS = 2048, KIND_MAX = 63, API_VERSION_MAX = 253 + 1 + 63 };

static const struct str others = STR("others");

struct unread_index {
    uint16_t slots[SLOTS]; /* position in the cluster's list, plus 1; 0 is free */
};

/* Strings are interned: equal ones have one address. */
static uint32_t slot_of(struct str kind, struct str api_version)
{
    uint64_t mixed = (uint64_t)(uintptr_t)kind.p * 3 + (uint64_t)(uintptr_t)api_version.p;
    return (uint32_t)(mixed * UINT64_C(0x9E3779B97F4A7C15) >> 32) % SLOTS;
}

static void make_room(struct reader *reader)
{
    struct arena *arena = reader->decoder.arena;
    reader->unread = ARENA_NEW(arena, struct unread_index);
    reader->cluster->unread.items = ARENA_ARRAY(arena, UNREAD_KINDS_MAX + 1, struct unread_kind);
}

void unread_count(struct reader *reader, struct str kind, struct str api_version, uint32_t n)
{
    unread_list *unread = &reader->cluster->unread;
    if (!reader->unread)
        make_room(reader);
    if (kind.n > KIND_MAX || api_version.n > API_VERSION_MAX) {
        kind = others;
        api_version = (struct str){0};
    }
    uint16_t *slots = reader->unread->slots;
    uint32_t slot = slot_of(kind, api_version);
    for (; slots[slot]; slot = (slot + 1) % SLOTS) {
        struct unread_kind *known = &unread->items[slots[slot] - 1];
        if (known->kind.p == kind.p && known->api_version.p == api_version.p) {
            known->objects += n;
            return;
        }
    }
    if (unread->n >= UNREAD_KINDS_MAX) {
        unread->items[UNREAD_KINDS_MAX].kind = others;
        unread->items[UNREAD_KINDS_MAX].objects += n;
        unread->n = UNREAD_KINDS_MAX + 1;
        return;
    }
    unread->items[unread->n++] = (struct unread_kind){kind, api_version, n};
    slots[slot] = (uint16_t)unread->n;
}

void unread_separate(struct reader *copy)
{
    struct unread_index *index = copy->unread;
    unread_list unread = copy->cluster->unread;
    if (!index)
        return;
    make_room(copy);
    *copy->unread = *index;
    memcpy(copy->cluster->unread.items, unread.items, unread.n * sizeof *unread.items);
}

static int by_objects(const void *a, const void *b)
{
    const struct unread_kind *x = a, *y = b;
    if (x->objects != y->objects)
        return x->objects > y->objects ? -1 : 1;
    int order = str_cmp(x->kind, y->kind);
    return order ? order : str_cmp(x->api_version, y->api_version);
}

void unread_sort(struct cluster *cluster)
{
    if (cluster->unread.n)
        qsort(cluster->unread.items, cluster->unread.n, sizeof *cluster->unread.items, by_objects);
}
