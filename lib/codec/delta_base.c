#include "codec/delta_base.h"

#include <stdlib.h>

#include "codec/varint.h"

/* Stored: VERSION; the key; the hash of what follows; varints: `stored`, the number of chunks, each
 * length; each hash. */
enum { VERSION = 1, HEAD = 1 + KEYED_HASH_KEY + KEYED_HASH };
#define STORED_MAX ((uint64_t)1 << 40)
#define CHUNKS_MAX (DELTA_TEXT_MAX / CUT_MIN + 1)

struct delta_base {
    char key[KEYED_HASH_KEY];
    uint64_t stored;
    uint32_t n, mask; /* mask: number of slots, less 1 */
    struct delta_chunk *chunks;
    uint64_t *offsets;
    uint32_t *slots; /* number of a chunk and 1; 0: free */
};

/* ---- stored ---- */

static bool hash_of(const char *key, struct str bytes, char hash[KEYED_HASH])
{
    struct keyed_hash *h = keyed_hash_new(key);
    if (!h)
        return false;
    keyed_hash_put(h, bytes);
    keyed_hash_end(h, hash);
    keyed_hash_free(h);
    return true;
}

struct str delta_base_write(struct arena *arena, const char *key, const struct delta_chunk *items,
                            uint32_t n, uint64_t stored)
{
    struct buf out = buf_init(arena, SIZE_MAX / 2);
    buf_putc(&out, VERSION);
    buf_put(&out, (struct str){key, KEYED_HASH_KEY});
    char *hash = buf_reserve(&out, KEYED_HASH);
    buf_commit(&out, (size_t)KEYED_HASH);
    memset(hash, 0, KEYED_HASH);
    varint_put(&out, stored);
    varint_put(&out, n);
    for (uint32_t i = 0; i < n; i++)
        varint_put(&out, items[i].length);
    for (uint32_t i = 0; i < n; i++)
        buf_put(&out, (struct str){items[i].hash, KEYED_HASH});
    struct str rest = str_sub(buf_str(&out), HEAD, out.n);
    if (!hash_of(key, rest, out.p + HEAD - KEYED_HASH))
        arena_exhaust(arena);
    return buf_str(&out);
}

/* One block of memory for all of it. */
static struct delta_base *base_new(uint32_t n)
{
    uint32_t slots = 4;
    while (slots < n * 2)
        slots *= 2;
    size_t size = sizeof(struct delta_base) + n * sizeof(uint64_t) +
                  n * sizeof(struct delta_chunk) + slots * sizeof(uint32_t);
    struct delta_base *base = calloc(1, size);
    if (!base)
        return NULL;
    base->n = n;
    base->mask = slots - 1;
    base->offsets = (uint64_t *)(base + 1);
    base->chunks = (struct delta_chunk *)(base->offsets + n);
    base->slots = (uint32_t *)(base->chunks + n);
    return base;
}

size_t delta_base_memory(const struct delta_base *base)
{
    return sizeof *base + base->n * (sizeof(uint64_t) + sizeof(struct delta_chunk)) +
           ((size_t)base->mask + 1) * sizeof(uint32_t);
}

/* Nobody who does not know the key can choose where a hash belongs. */
static uint32_t slot_of(const struct delta_base *base, const char hash[KEYED_HASH])
{
    uint32_t slot;
    memcpy(&slot, hash, sizeof slot);
    return slot & base->mask;
}

uint32_t delta_base_find(const struct delta_base *base, const char hash[KEYED_HASH])
{
    for (uint32_t at = slot_of(base, hash); base->slots[at]; at = (at + 1) & base->mask)
        if (memcmp(base->chunks[base->slots[at] - 1].hash, hash, KEYED_HASH) == 0)
            return base->slots[at] - 1;
    return UINT32_MAX;
}

/* The first one of equal chunks is found. */
static void add(struct delta_base *base, uint32_t number)
{
    const char *hash = base->chunks[number].hash;
    uint32_t at = slot_of(base, hash);
    while (base->slots[at]) {
        if (memcmp(base->chunks[base->slots[at] - 1].hash, hash, KEYED_HASH) == 0)
            return;
        at = (at + 1) & base->mask;
    }
    base->slots[at] = number + 1;
}

static bool read_chunks(struct delta_base *base, struct str rest)
{
    uint64_t offset = 0, length;
    for (uint32_t i = 0; i < base->n; i++) {
        if (!varint_take(&rest, CUT_MAX, &length) || length < (i + 1 < base->n ? CUT_MIN : 1))
            return false;
        base->offsets[i] = offset;
        base->chunks[i].length = (uint32_t)length;
        offset += length;
    }
    if (offset > DELTA_TEXT_MAX || rest.n != (size_t)base->n * KEYED_HASH)
        return false;
    for (uint32_t i = 0; i < base->n; i++) {
        memcpy(base->chunks[i].hash, rest.p + (size_t)i * KEYED_HASH, KEYED_HASH);
        add(base, i);
    }
    return true;
}

struct delta_base *delta_base_read(struct str chunks)
{
    char hash[KEYED_HASH];
    uint64_t stored, n;
    if (chunks.n < HEAD || chunks.p[0] != VERSION)
        return NULL;
    struct str key = str_sub(chunks, 1, KEYED_HASH_KEY), rest = str_sub(chunks, HEAD, chunks.n);
    if (!hash_of(key.p, rest, hash) ||
        memcmp(hash, chunks.p + HEAD - KEYED_HASH, KEYED_HASH) != 0 ||
        !varint_take(&rest, STORED_MAX, &stored) || !varint_take(&rest, CHUNKS_MAX, &n) ||
        n > rest.n / KEYED_HASH)
        return NULL;
    struct delta_base *base = base_new((uint32_t)n);
    if (!base)
        return NULL;
    base->stored = stored;
    memcpy(base->key, key.p, KEYED_HASH_KEY);
    if (read_chunks(base, rest))
        return base;
    delta_base_free(base);
    return NULL;
}

void delta_base_free(struct delta_base *base)
{
    free(base);
}

/* ---- asked ---- */

const char *delta_base_key(const struct delta_base *base)
{
    return base->key;
}

uint64_t delta_base_stored(const struct delta_base *base)
{
    return base->stored;
}

uint32_t delta_base_n(const struct delta_base *base)
{
    return base->n;
}

const struct delta_chunk *delta_base_chunk(const struct delta_base *base, uint32_t number)
{
    return &base->chunks[number];
}

uint64_t delta_base_offset(const struct delta_base *base, uint32_t number)
{
    return base->offsets[number];
}

void delta_digest_put(struct keyed_hash *digest, const struct delta_chunk *chunk)
{
    char bytes[KEYED_HASH + 3];
    memcpy(bytes, chunk->hash, KEYED_HASH);
    for (unsigned i = 0; i < 3; i++)
        bytes[KEYED_HASH + i] = (char)(chunk->length >> 8 * i);
    keyed_hash_put(digest, (struct str){bytes, sizeof bytes});
}

bool delta_base_digest(const struct delta_base *base, char digest[KEYED_HASH])
{
    struct keyed_hash *hash = keyed_hash_new(base->key);
    if (!hash)
        return false;
    for (uint32_t i = 0; i < base->n; i++)
        delta_digest_put(hash, &base->chunks[i]);
    keyed_hash_end(hash, digest);
    keyed_hash_free(hash);
    return true;
}
