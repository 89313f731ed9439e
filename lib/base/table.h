/* table: finds items by a hash, in an arena.
 *
 * The table knows no keys. The caller hashes what it looks for and compares the few items that have
 * that hash:
 *
 *     struct pod *pod;
 *     TABLE_EACH (pod, &pods, hash_bytes(seed, name))
 *         if (str_eq(pod->name, name))
 *             return pod;
 *
 * Whoever can choose the keys must not know the seed of the hash (base/hash.h): then nobody can
 * make them meet, and a look-up takes a few steps. A table grows by itself, forgets nothing and is
 * not walked as a whole: keep a list beside it for that.
 */
#ifndef LOADLINE_BASE_TABLE_H
#define LOADLINE_BASE_TABLE_H

#include "base/arena.h"
#include "base/asserts.h"

struct table_slot {
    void *item; /* NULL: free */
    uint64_t hash;
};

/* Open addressing. The number of slots is a power of two, and at least a quarter of them is free,
 * so that every look-up ends. */
struct table {
    struct arena *arena;
    struct table_slot *slots;
    uint64_t mask; /* number of slots, less 1 */
    uint64_t used;
};

/* An empty table with room for so many items until it grows for the first time. */
struct table table_init(struct arena *arena, size_t items);
/* Adds an item that is not in it. item: not NULL, and the caller's. */
void table_add(struct table *table, uint64_t hash, const void *item);
/* Puts an item of the same hash in the place of one that is in the table. */
void table_replace(struct table *table, uint64_t hash, const void *item, const void *by);

/* Walks the items of a hash, in the order in which they were added. Nothing may be added meanwhile.
 * Afterwards, unless you left the loop, `found` is NULL. */
#define TABLE_EACH(found, table, hash)                                                             \
    for (uint64_t hash_ = (hash), at_ = hash_;                                                     \
         ((found) = table_next((table), hash_, &at_)) != NULL;)

/* What TABLE_EACH calls: the next item from slot *at on. */
static inline void *table_next(const struct table *table, uint64_t hash, uint64_t *at)
{
    for (;;) {
        const struct table_slot *slot = &table->slots[(*at)++ & table->mask];
        if (!slot->item || slot->hash == hash)
            return slot->item;
    }
}

#endif
