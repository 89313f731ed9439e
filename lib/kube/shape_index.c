#include "kube/shape_index.h"

struct shape_index *shape_index_new(struct arena *arena, const struct shape *shape)
{
    struct shape_index *index = ARENA_NEW(arena, struct shape_index);
    for (unsigned i = 0; i < shape->fields_n; i++) {
        struct str key = str_of(shape->fields[i].key);
        index->starts[i] = shape_key_start(key);
        index->ends[i] = shape_key_end(key);
        index->lengths[i] = (uint8_t)key.n;
        size_t slot = shape_slot_of(index->starts[i], key.n);
        while (index->slots[slot % SHAPE_SLOTS])
            slot++;
        index->slots[slot % SHAPE_SLOTS] = (uint8_t)(i + 1);
    }
    return index;
}
