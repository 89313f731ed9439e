#include "codec/delta_base.h"

#include <stdlib.h>

#include "codec/varint.h"

/* Stored: VERSION; the key; the hash of what follows; varints: `stored`, the number of chunks, each
 * length; each hash. */
enum {
    VERSION = 1,
    HEAD = 1 + KEYED_HASH_KEY + KEYED_HASH,
    CHUNK_LEAST = 1 + KEYED_HASH /* bytes that a chunk takes, at least */
};
#define STORED_MAX ((uint64_t)1 << 40)
#define CHUNKS_MAX (DELTA_TEXT_MAX / CUT_MIN + 1)

struct delta_base {
    char key[KEYED_HASH_KEY];
    uint64_t stored, added;
    uint32_t texts;              /* its own, and one of each addition */
    uint32_t n, own, room, mask; /* room: for chunks; mask: number of slots, less 1 */
    struct delta_chunk *chunks;
    uint32_t *offsets; /* n + 1; DELTA_TEXT_MAX fits */
    uint32_t *slots;   /* number of a chunk and 1; 0: free */
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

static size_t size_of(uint32_t room, size_t slots)
{
    return sizeof(struct delta_base) + (room + (size_t)1) * sizeof(uint32_t) +
           room * sizeof(struct delta_chunk) + slots * sizeof(uint32_t);
}

/* One block of memory for all of it. */
static struct delta_base *base_new(uint32_t room)
{
    uint32_t slots = 4;
    while (slots < room * 2)
        slots *= 2;
    struct delta_base *base = calloc(1, size_of(room, slots));
    if (!base)
        return NULL;
    base->room = room;
    base->mask = slots - 1;
    base->offsets = (uint32_t *)(base + 1);
    base->chunks = (struct delta_chunk *)(base->offsets + room + 1);
    base->slots = (uint32_t *)(base->chunks + room);
    return base;
}

size_t delta_base_memory(const struct delta_base *base)
{
    return size_of(base->room, (size_t)base->mask + 1);
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
static void find_later(struct delta_base *base, uint32_t number)
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

/* There must be room. False when the text gets too long. */
static bool add(struct delta_base *base, const char hash[KEYED_HASH], uint32_t length)
{
    uint32_t number = base->n;
    uint64_t end = base->offsets[number] + (uint64_t)length;
    if (end > DELTA_TEXT_MAX)
        return false;
    memcpy(base->chunks[number].hash, hash, KEYED_HASH);
    base->chunks[number].length = length;
    base->offsets[number + 1] = (uint32_t)end;
    base->n++;
    find_later(base, number);
    return true;
}

static void end_text(struct delta_base *base, uint64_t stored)
{
    if (base->texts++) {
        base->added += stored;
    } else {
        base->own = base->n;
        base->stored = stored;
    }
}

/* One text's. The last chunk of a text may be short. */
static bool read_text(struct delta_base *base, struct str written)
{
    char hash[KEYED_HASH];
    uint64_t stored, n, length;
    if (written.n < HEAD || written.p[0] != VERSION)
        return false;
    struct str key = str_sub(written, 1, KEYED_HASH_KEY), rest = str_sub(written, HEAD, written.n);
    if (!base->texts)
        memcpy(base->key, key.p, KEYED_HASH_KEY);
    if (memcmp(base->key, key.p, KEYED_HASH_KEY) != 0 || !hash_of(key.p, rest, hash) ||
        memcmp(hash, written.p + HEAD - KEYED_HASH, KEYED_HASH) != 0 ||
        !varint_take(&rest, STORED_MAX, &stored) || !varint_take(&rest, CHUNKS_MAX, &n) ||
        n > rest.n / CHUNK_LEAST)
        return false;
    size_t hashes_n = (size_t)n * KEYED_HASH;
    struct str hashes = str_sub(rest, rest.n - hashes_n, hashes_n);
    rest.n -= hashes_n;
    for (size_t i = 0; i < n; i++)
        if (!varint_take(&rest, CUT_MAX, &length) || length < (i + 1 < n ? CUT_MIN : 1) ||
            !add(base, hashes.p + i * KEYED_HASH, (uint32_t)length))
            return false;
    end_text(base, stored);
    return rest.n == 0;
}

struct delta_base *delta_base_read(const struct str *written, uint32_t n)
{
    uint64_t room = 0;
    bool good = n > 0;
    for (uint32_t i = 0; i < n; i++)
        room += written[i].n / CHUNK_LEAST;
    struct delta_base *base = room < UINT32_MAX / 4 ? base_new((uint32_t)room) : NULL;
    for (uint32_t i = 0; base && good && i < n; i++)
        good = read_text(base, written[i]);
    if (good)
        return base;
    delta_base_free(base);
    return NULL;
}

struct delta_base *delta_base_grow(const struct delta_base *base, const struct delta_chunk *items,
                                   uint32_t n, uint64_t stored)
{
    bool fits = true;
    struct delta_base *grown = base_new(base->n + n);
    if (!grown)
        return NULL;
    memcpy(grown->key, base->key, KEYED_HASH_KEY);
    for (uint32_t i = 0; i < base->n + n; i++) {
        const struct delta_chunk *chunk = i < base->n ? &base->chunks[i] : &items[i - base->n];
        fits &= add(grown, chunk->hash, chunk->length);
    }
    grown->own = base->own;
    grown->stored = base->stored;
    grown->texts = base->texts;
    grown->added = base->added;
    end_text(grown, stored);
    if (fits)
        return grown;
    delta_base_free(grown);
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

uint64_t delta_base_added(const struct delta_base *base)
{
    return base->added;
}

uint32_t delta_base_additions(const struct delta_base *base)
{
    return base->texts - 1;
}

uint32_t delta_base_n(const struct delta_base *base)
{
    return base->n;
}

uint32_t delta_base_own(const struct delta_base *base)
{
    return base->own;
}

const struct delta_chunk *delta_base_chunk(const struct delta_base *base, uint32_t number)
{
    return &base->chunks[number];
}

uint64_t delta_base_offset(const struct delta_base *base, uint32_t number)
{
    return base->offsets[number];
}

void delta_digest_put(struct keyed_hash *digest, const struct delta_chunk *chunks, uint32_t n)
{
    enum { TOGETHER = 64, SIZE = KEYED_HASH + 3 };
    char bytes[TOGETHER * SIZE];
    for (uint32_t done = 0; done < n;) {
        size_t used = 0;
        for (; done < n && used < sizeof bytes; done++, used += SIZE) {
            memcpy(bytes + used, chunks[done].hash, KEYED_HASH);
            for (unsigned i = 0; i < 3; i++)
                bytes[used + KEYED_HASH + i] = (char)(chunks[done].length >> 8 * i);
        }
        keyed_hash_put(digest, (struct str){bytes, used});
    }
}

bool delta_base_digest(const struct delta_base *base, char digest[KEYED_HASH])
{
    struct keyed_hash *hash = keyed_hash_new(base->key);
    if (!hash)
        return false;
    delta_digest_put(hash, base->chunks, base->own);
    keyed_hash_end(hash, digest);
    keyed_hash_free(hash);
    return true;
}
