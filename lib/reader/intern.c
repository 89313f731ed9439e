#include "reader/intern.h"

#include "base/hash.h"
#include "base/rand.h"

enum { SLOTS_AT_FIRST = 1024 };

struct slot {
    const void *bytes; /* NULL: free */
    uint32_t hash, n;
};

/* Open addressing; the number of slots is a power of two, at most three quarters of them used. */
struct table {
    struct slot *slots;
    size_t mask, used;
};

struct intern {
    struct arena *arena;
    struct table strings, blocks;
    uint64_t seed; /* nobody can know which strings collide */
};

static struct table table_new(struct arena *arena, size_t slots)
{
    return (struct table){.slots = ARENA_ARRAY(arena, slots, struct slot), .mask = slots - 1};
}

struct intern *intern_new(struct arena *arena)
{
    struct intern *intern = ARENA_NEW(arena, struct intern);
    *intern = (struct intern){
        .arena = arena,
        .strings = table_new(arena, SLOTS_AT_FIRST),
        .blocks = table_new(arena, SLOTS_AT_FIRST),
    };
    rand_bytes(&intern->seed, sizeof intern->seed);
    return intern;
}

/* ---- table ---- */

static void grow(struct arena *arena, struct table *table)
{
    struct table larger = table_new(arena, 2 * (table->mask + 1));
    for (size_t i = 0; i <= table->mask; i++) {
        struct slot slot = table->slots[i];
        size_t at = slot.hash;
        if (!slot.bytes)
            continue;
        while (larger.slots[at & larger.mask].bytes)
            at++;
        larger.slots[at & larger.mask] = slot;
    }
    larger.used = table->used;
    *table = larger;
}

/* The slot that holds these bytes, or the free one where they belong. */
static struct slot *find(struct table *table, uint32_t hash, const void *bytes, size_t n)
{
    for (size_t at = hash;; at++) {
        struct slot *slot = &table->slots[at & table->mask];
        if (!slot->bytes)
            return slot;
        if (slot->hash == hash && slot->n == n && memcmp(slot->bytes, bytes, n) == 0)
            return slot;
    }
}

static struct slot *find_or_make(struct intern *intern, struct table *table, uint64_t seed,
                                 const void *bytes, size_t n)
{
    if (4 * table->used >= 3 * table->mask)
        grow(intern->arena, table);
    uint32_t hash = (uint32_t)hash_bytes(seed, (struct str){bytes, n});
    struct slot *slot = find(table, hash, bytes, n);
    if (!slot->bytes) {
        slot->hash = hash;
        slot->n = (uint32_t)n;
        table->used++;
    }
    return slot;
}

struct str intern_string(struct intern *intern, struct str text)
{
    if (text.n == 0)
        return (struct str){NULL, 0};
    if (text.n > UINT32_MAX)
        return arena_str(intern->arena, text);
    struct slot *slot = find_or_make(intern, &intern->strings, intern->seed, text.p, text.n);
    if (!slot->bytes)
        slot->bytes = memcpy(arena_bytes(intern->arena, text.n), text.p, text.n);
    return (struct str){slot->bytes, text.n};
}

/* The type takes part in the hash only: bytes that are equal are the same content, whatever was
 * written there first. */
const void *intern_block(struct intern *intern, const void *type, const void *bytes, size_t n)
{
    if (n > UINT32_MAX)
        return arena_copy(intern->arena, bytes, n);
    uint64_t seed = intern->seed ^ (uintptr_t)type;
    struct slot *slot = find_or_make(intern, &intern->blocks, seed, bytes, n);
    if (!slot->bytes)
        slot->bytes = arena_copy(intern->arena, bytes, n);
    return slot->bytes;
}
