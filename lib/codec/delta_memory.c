#include "codec/delta_memory.h"

#include <stdlib.h>

struct delta_memory {
    char key[KEYED_HASH_KEY];
    struct text_part *parts;
    struct delta_chunk *chunks;
    uint32_t *offsets;          /* of each chunk; DELTA_TEXT_MAX fits */
    uint32_t parts_n, chunks_n; /* chunks_n: 0 when nothing is remembered */
};

struct delta_memory *delta_memory_new(void)
{
    return calloc(1, sizeof(struct delta_memory));
}

static void forget(struct delta_memory *memory)
{
    free(memory->parts);
    free(memory->chunks);
    free(memory->offsets);
    *memory = (struct delta_memory){.parts = NULL};
}

void delta_memory_free(struct delta_memory *memory)
{
    if (!memory)
        return;
    forget(memory);
    free(memory);
}

size_t delta_memory_bytes(const struct delta_memory *memory)
{
    return sizeof *memory + memory->parts_n * sizeof *memory->parts +
           memory->chunks_n * (sizeof *memory->chunks + sizeof *memory->offsets);
}

void delta_memory_keep(struct delta_memory *memory, const char *key, delta_chunk_list chunks,
                       text_part_list parts)
{
    uint64_t offset = 0;
    forget(memory);
    if (!chunks.n || !parts.n)
        return;
    memory->parts = malloc(parts.n * sizeof *memory->parts);
    memory->chunks = malloc(chunks.n * sizeof *memory->chunks);
    memory->offsets = malloc(chunks.n * sizeof *memory->offsets);
    if (!memory->parts || !memory->chunks || !memory->offsets) {
        forget(memory);
        return;
    }
    memcpy(memory->key, key, KEYED_HASH_KEY);
    memcpy(memory->parts, parts.items, parts.n * sizeof *parts.items);
    memcpy(memory->chunks, chunks.items, chunks.n * sizeof *chunks.items);
    for (uint32_t i = 0; i < chunks.n; i++) {
        memory->offsets[i] = (uint32_t)offset;
        offset += chunks.items[i].length;
    }
    memory->parts_n = parts.n;
    memory->chunks_n = chunks.n;
}

/* ---- asked ---- */

struct delta_recall delta_recall(struct arena *arena, const struct delta_memory *memory,
                                 const char *key)
{
    bool same = memory && memory->chunks_n && memcmp(memory->key, key, KEYED_HASH_KEY) == 0;
    return (struct delta_recall){.memory = same ? memory : NULL, .arena = arena};
}

uint32_t delta_recall_chunks(const struct delta_recall *recall)
{
    return recall->memory ? recall->memory->chunks_n : 0;
}

uint32_t delta_recall_parts(const struct delta_recall *recall)
{
    return recall->memory ? recall->memory->parts_n : 0;
}

static struct table index_parts(const struct delta_recall *recall)
{
    const struct delta_memory *memory = recall->memory;
    struct table table = table_init(recall->arena, memory->parts_n);
    for (uint32_t i = 0; i < memory->parts_n; i++)
        if (memory->parts[i].content)
            table_add(&table, memory->parts[i].content, &memory->parts[i]);
    return table;
}

uint32_t delta_recall_part(struct delta_recall *recall, uint64_t content, uint32_t expected)
{
    const struct delta_memory *memory = recall->memory;
    const struct text_part *part;
    if (!memory || !content)
        return DELTA_NONE;
    if (expected < memory->parts_n && memory->parts[expected].content == content)
        return expected;
    if (!recall->by_content.slots)
        recall->by_content = index_parts(recall);
    TABLE_EACH (part, &recall->by_content, content)
        return (uint32_t)(part - memory->parts);
    return DELTA_NONE;
}

const struct text_part *delta_recall_at(const struct delta_recall *recall, uint32_t part)
{
    return &recall->memory->parts[part];
}

/* The first one that does not begin before the offset; the number of chunks: none. */
static uint32_t chunk_from(const struct delta_memory *memory, uint64_t offset)
{
    uint32_t low = 0, high = memory->chunks_n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (memory->offsets[middle] < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t delta_recall_chunk(const struct delta_recall *recall, uint64_t offset)
{
    const struct delta_memory *memory = recall->memory;
    uint32_t at = chunk_from(memory, offset);
    return at < memory->chunks_n && memory->offsets[at] == offset ? at : DELTA_NONE;
}

const struct delta_chunk *delta_recall_cut(const struct delta_recall *recall, uint32_t number)
{
    const struct delta_memory *memory = recall->memory;
    return number < memory->chunks_n - 1 ? &memory->chunks[number] : NULL;
}

uint32_t delta_recall_within(const struct delta_recall *recall, uint32_t number, size_t n)
{
    const struct delta_memory *memory = recall->memory;
    if (number >= memory->chunks_n - 1)
        return 0;
    return chunk_from(memory, memory->offsets[number] + (uint64_t)n + 1) - 1 - number;
}
