#include "reader/object_memory.h"

#include <stdlib.h>

#include "base/rand.h"
#include "reader/remembered.h"

enum { GARBAGE_LEAST = 256 * 1024 /* of what is kept: less is not worth a thought */ };

struct object_memory *object_memory_new(size_t max)
{
    struct object_memory *memory = calloc(1, sizeof *memory);
    if (!memory)
        return NULL;
    memory->max = max;
    rand_bytes(&memory->seed, sizeof memory->seed);
    return memory;
}

void object_memory_free(struct object_memory *memory)
{
    if (!memory)
        return;
    arena_free(memory->arena);
    free(memory->items);
    free(memory);
}

size_t object_memory_bytes(const struct object_memory *memory)
{
    return sizeof *memory + memory->n * sizeof *memory->items +
           (memory->arena ? arena_used(memory->arena) : 0);
}

struct object_memory_use object_memory_use(const struct object_memory *memory)
{
    return (struct object_memory_use){memory->known, memory->read, memory->specs};
}

static void forget(struct object_memory *memory)
{
    arena_free(memory->arena);
    memory->arena = NULL;
    memory->intern = NULL;
    memory->live = 0;
    for (uint32_t i = 0; i < memory->n; i++) {
        memory->items[i].object = NULL;
        memory->items[i].spec = NULL;
        memory->items[i].bytes = 0;
    }
}

static bool is_half_garbage(const struct object_memory *memory)
{
    return memory->arena && arena_taken(memory->arena) / 2 > memory->live + GARBAGE_LEAST;
}

void object_memory_renew(struct object_memory *memory)
{
    if (memory->reading)
        memory->n = 0;
    if (memory->reading || is_half_garbage(memory))
        forget(memory);
    if (!memory->arena && (memory->arena = arena_new(memory->max)) != NULL) {
        memory->intern = intern_new(memory->arena);
        intern_refuse_secrets(memory->intern);
    }
}

static bool is_met_again(const struct object_memory *memory, const struct remembered *item)
{
    return memory->n && item >= memory->items && item < memory->items + memory->n;
}

/* Is each that is met again where it was, and as many as there were? */
static bool keeps_places(const struct object_memory *memory, const struct remembered *const *now,
                         uint32_t n)
{
    uint32_t i = 0;
    if (n != memory->n)
        return false;
    while (i < n && (now[i] == &memory->items[i] || !is_met_again(memory, now[i])))
        i++;
    return i == n;
}

/* Mostly all but a few stay where they are, and are not copied. */
void object_memory_take(struct object_memory *memory, const struct remembered *const *now,
                        uint32_t n)
{
    struct remembered *items =
        keeps_places(memory, now, n) ? memory->items : malloc((n ? n : 1) * sizeof *items);
    memory->live = 0;
    for (uint32_t i = 0; items && i < n; i++) {
        bool met_again = is_met_again(memory, now[i]);
        if (now[i] != &items[i])
            items[i] = *now[i];
        if (met_again && !items[i].stayed) /* what is not written need not leave the cache */
            items[i].stayed = true;
        memory->live += items[i].bytes;
    }
    if (items != memory->items)
        free(memory->items);
    memory->items = items;
    memory->n = items ? n : 0;
}
