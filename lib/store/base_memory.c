#include "store/base_memory.h"

#include <stdlib.h>

/* The one used last comes first. */
struct entry {
    struct entry *next;
    struct delta_base *base;
    char id[BASE_MEMORY_ID];
};

static struct entry *newest;

static void move_to_front(struct entry **at)
{
    struct entry *entry = *at;
    *at = entry->next;
    entry->next = newest;
    newest = entry;
}

const struct delta_base *base_memory_find(struct str id)
{
    for (struct entry **at = &newest; *at; at = &(*at)->next)
        if (memcmp((*at)->id, id.p, BASE_MEMORY_ID) == 0) {
            move_to_front(at);
            return newest->base;
        }
    return NULL;
}

/* Entries behind the first so many bytes, but never the newest. */
static void forget(size_t max)
{
    struct entry **at = &newest;
    size_t bytes = 0;
    while (*at) {
        struct entry *entry = *at;
        bytes += sizeof *entry + delta_base_memory(entry->base);
        if (entry == newest || bytes <= max) {
            at = &entry->next;
            continue;
        }
        *at = entry->next;
        delta_base_free(entry->base);
        free(entry);
    }
}

const struct delta_base *base_memory_keep(struct str id, struct delta_base *base, size_t max)
{
    struct entry *entry = malloc(sizeof *entry);
    if (!entry) {
        delta_base_free(base);
        return NULL;
    }
    assert(id.n == BASE_MEMORY_ID);
    memcpy(entry->id, id.p, BASE_MEMORY_ID);
    entry->base = base;
    entry->next = newest;
    newest = entry;
    forget(max);
    return base;
}

void base_memory_grow(struct str id, struct str grown_id, const delta_chunk_list *chunks,
                      uint64_t stored)
{
    const struct delta_base *base = base_memory_find(id);
    struct delta_base *grown =
        base ? delta_base_grow(base, chunks->items, chunks->n, stored) : NULL;
    if (!grown)
        return;
    assert(grown_id.n == BASE_MEMORY_ID);
    delta_base_free(newest->base);
    newest->base = grown;
    memcpy(newest->id, grown_id.p, BASE_MEMORY_ID);
}
