#include "base/table.h"

enum { SLOTS_MIN = 16 };

/* A quarter stays free. */
static bool fits(uint64_t items, uint64_t slots)
{
    return items <= slots / 4 * 3;
}

static struct table_slot *new_slots(struct arena *arena, uint64_t n)
{
    assert(n >= SLOTS_MIN && (n & (n - 1)) == 0);
    return ARENA_ARRAY(arena, n, struct table_slot);
}

struct table table_init(struct arena *arena, size_t items)
{
    uint64_t slots = SLOTS_MIN;
    while (!fits(items, slots) && slots <= SIZE_MAX / 2)
        slots *= 2;
    return (struct table){.arena = arena, .slots = new_slots(arena, slots), .mask = slots - 1};
}

static void put(struct table *table, struct table_slot slot)
{
    uint64_t at = slot.hash;
    while (table->slots[at & table->mask].item)
        at++;
    table->slots[at & table->mask] = slot;
}

/* Walks from a free slot on, so that items of one hash stay in their order. */
static void grow(struct table *table)
{
    struct table_slot *old = table->slots;
    uint64_t n = table->mask + 1, first = 0;
    table->slots = new_slots(table->arena, 2 * n);
    table->mask = 2 * n - 1;
    while (old[first].item)
        first++;
    for (uint64_t i = 1; i < n; i++) {
        const struct table_slot *slot = &old[(first + i) & (n - 1)];
        if (slot->item)
            put(table, *slot);
    }
    arena_give_back(table->arena, old, n * sizeof *old);
}

void table_add(struct table *table, uint64_t hash, const void *item)
{
    assert(item);
    if (!fits(table->used + 1, table->mask + 1))
        grow(table);
    table->used++;
    assert(fits(table->used, table->mask + 1));
    put(table, (struct table_slot){.item = (void *)item, .hash = hash});
}

void table_replace(struct table *table, uint64_t hash, const void *item, const void *by)
{
    uint64_t at = hash;
    assert(by);
    while (table->slots[at & table->mask].item != item) {
        assert(table->slots[at & table->mask].item);
        at++;
    }
    assert(table->slots[at & table->mask].hash == hash);
    table->slots[at & table->mask].item = (void *)by;
}
