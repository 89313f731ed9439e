#include "reader/object_memory.h"

#include <stdlib.h>

#include "base/rand.h"
#include "reader/remembered.h"

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
    return (struct object_memory_use){memory->known, memory->read};
}
