#include "reader/schema_index.h"

#include "base/asserts.h"

struct schema_index *schema_index_new(struct arena *arena, const struct schema *schema)
{
    struct schema_index *index = ARENA_NEW(arena, struct schema_index);
    assert(schema->fields_n <= SCHEMA_FIELDS_MAX);
    for (unsigned i = 0; i < schema->fields_n; i++) {
        struct str key = str_of(schema->fields[i].key);
        assert(key.n <= UINT8_MAX);
        index->starts[i] = schema_key_start(key);
        index->ends[i] = schema_key_end(key);
        index->lengths[i] = (uint8_t)key.n;
        size_t slot = schema_slot_of(index->starts[i], key.n);
        while (index->slots[slot % SCHEMA_SLOTS])
            slot++;
        index->slots[slot % SCHEMA_SLOTS] = (uint8_t)(i + 1);
    }
    return index;
}
