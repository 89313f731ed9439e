/* schema_index: finds the field of a schema that a key names: a part of decode, in the hottest
 * loop, and therefore inline. It is no base/table: its slots are bytes, so that a whole schema fits
 * into a few cache lines.
 */
#ifndef LOADLINE_READER_SCHEMA_INDEX_H
#define LOADLINE_READER_SCHEMA_INDEX_H

#include "base/arena.h"
#include "reader/schema.h"

enum { SCHEMA_SLOTS = 2 * SCHEMA_FIELDS_MAX };

/* A schema made ready: its fields by a hash of the key, and the structure as it begins. */
struct schema_index {
    uint64_t starts[SCHEMA_FIELDS_MAX],
        ends[SCHEMA_FIELDS_MAX]; /* see schema_key_start, schema_key_end */
    uint8_t lengths[SCHEMA_FIELDS_MAX];
    uint8_t slots[SCHEMA_SLOTS];           /* number of the field, plus 1 */
    uint8_t expected;                      /* what would come next if members came in order */
    struct str strings[SCHEMA_FIELDS_MAX]; /* what each field of text held the last time */
    void *absent;
};

static inline uint64_t schema_word_at(const char *p)
{
    uint64_t word;
    memcpy(&word, p, sizeof word);
    return word;
}

/* The first eight bytes of a key; all of a shorter one, so that together with its length it can be
 * told from every other. */
static inline uint64_t schema_key_start(struct str key)
{
    uint32_t low, high;
    if (key.n >= 8)
        return schema_word_at(key.p);
    if (key.n >= 4) {
        memcpy(&low, key.p, sizeof low);
        memcpy(&high, key.p + key.n - 4, sizeof high);
        return (uint64_t)high << 32 | low;
    }
    if (key.n == 0)
        return 0;
    return (uint64_t)(unsigned char)key.p[0] << 16 |
           (uint64_t)(unsigned char)key.p[key.n / 2] << 8 | (unsigned char)key.p[key.n - 1];
}

/* The last eight bytes of one that is longer. */
static inline uint64_t schema_key_end(struct str key)
{
    return key.n > 8 ? schema_word_at(key.p + key.n - 8) : 0;
}

static inline size_t schema_slot_of(uint64_t start, size_t length)
{
    return (size_t)((start + length) * 0x9e3779b97f4a7c15u >> 58);
}

/* Without `absent`. Lives as long as the arena. */
struct schema_index *schema_index_new(struct arena *arena, const struct schema *schema);

static inline bool schema_is_field(const struct schema *schema, const struct schema_index *index,
                                   unsigned i, struct str key, uint64_t start)
{
    return index->starts[i] == start && index->lengths[i] == key.n &&
           index->ends[i] == schema_key_end(key) &&
           (key.n <= 16 || memcmp(schema->fields[i].key + 8, key.p + 8, key.n - 16) == 0);
}

/* NULL: none. Most documents have their members in the order of the table, so the field after the
 * last one is tried first. */
static inline const struct field *schema_index_find(const struct schema *schema,
                                                    struct schema_index *index, struct str key)
{
    uint64_t start = schema_key_start(key);
    unsigned i = index->expected;
    if (i >= schema->fields_n || !schema_is_field(schema, index, i, key, start)) {
        size_t slot = schema_slot_of(start, key.n);
        for (;; slot++) {
            i = index->slots[slot % SCHEMA_SLOTS];
            if (i-- == 0)
                return NULL;
            if (schema_is_field(schema, index, i, key, start))
                break;
        }
    }
    index->expected = (uint8_t)(i + 1);
    return &schema->fields[i];
}

#endif
