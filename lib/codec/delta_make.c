#include "codec/delta_make.h"

#include "base/rand.h"
#include "codec/delta_format.h"
#include "codec/varint.h"
#include "codec/zstd.h"

enum { ZSTD_LEVEL = 1, AHEAD = 16 };

/* Chunks in a row that are alike: of the base from `from` on, or new ones. */
struct run {
    bool copied;
    uint32_t from, n;
};

struct delta_maker {
    struct arena *arena;
    const struct delta_base *base;
    bool want_body, failed;
    size_t max;
    struct keyed_hash *hash, *digest;
    struct zstd_writer *zstd; /* of what is new; opened when something is */
    char key[KEYED_HASH_KEY];
    struct cut cut;
    size_t held_n; /* of a chunk that came in pieces */
    uint64_t length, literal, copied;
    struct run run;
    uint32_t next;                     /* behind the chunk of the base that was copied last */
    struct buf steps, lengths, packed; /* lengths: of the run, when it is a new one */
    delta_chunk_list chunks;
    char held[CUT_MAX];
};

struct delta_maker *delta_maker_new(struct arena *arena, const struct delta_base *base,
                                    bool want_body, size_t max)
{
    struct delta_maker *maker = ARENA_NEW(arena, struct delta_maker);
    maker->arena = arena;
    maker->base = base;
    maker->want_body = want_body;
    maker->max = max;
    if (base)
        memcpy(maker->key, delta_base_key(base), KEYED_HASH_KEY);
    else
        rand_bytes(maker->key, KEYED_HASH_KEY);
    maker->steps = maker->lengths = maker->packed = buf_init(arena, max);
    maker->hash = keyed_hash_new(maker->key);
    maker->digest = keyed_hash_new(maker->key);
    if (maker->hash && maker->digest)
        return maker;
    delta_maker_free(maker);
    return NULL;
}

void delta_maker_free(struct delta_maker *maker)
{
    if (!maker)
        return;
    zstd_writer_free(maker->zstd);
    keyed_hash_free(maker->digest);
    keyed_hash_free(maker->hash);
    maker->zstd = NULL;
    maker->digest = maker->hash = NULL;
}

/* ---- what is new ---- */

static bool put_packed(void *context, struct str bytes)
{
    struct buf *packed = context;
    buf_put(packed, bytes);
    return !packed->full;
}

static void put_new(struct delta_maker *maker, struct str bytes)
{
    maker->literal += bytes.n;
    if (!maker->want_body)
        return;
    if (!maker->zstd)
        maker->zstd = zstd_writer_open((struct sink){put_packed, &maker->packed}, ZSTD_LEVEL);
    maker->failed |= !maker->zstd || !zstd_writer_put(maker->zstd, bytes);
}

/* ---- steps ---- */

static void end_run(struct delta_maker *maker)
{
    const struct run *run = &maker->run;
    if (!run->n)
        return;
    varint_put(&maker->steps, (uint64_t)run->n << 1 | !run->copied);
    if (run->copied)
        varint_put(&maker->steps, run->from);
    else
        buf_put(&maker->steps, buf_str(&maker->lengths));
    maker->lengths.n = 0;
    maker->run = (struct run){0};
}

/* The chunk of the base that it is; UINT32_MAX: none. Of equal ones that is preferred which stands
 * just behind the last: a run goes on, and the base is read forward. */
static uint32_t find(const struct delta_maker *maker, const struct delta_chunk *chunk)
{
    uint32_t n = maker->base ? delta_base_n(maker->base) : 0;
    for (uint32_t at = maker->next; at < n && at < maker->next + AHEAD; at++)
        if (memcmp(delta_base_chunk(maker->base, at)->hash, chunk->hash, KEYED_HASH) == 0)
            return at;
    return n ? delta_base_find(maker->base, chunk->hash) : UINT32_MAX;
}

static void add_chunk(struct delta_maker *maker, struct str bytes)
{
    struct delta_chunk chunk = {.length = (uint32_t)bytes.n};
    struct run *run = &maker->run;
    keyed_hash_put(maker->hash, bytes);
    keyed_hash_end(maker->hash, chunk.hash);
    delta_digest_put(maker->digest, &chunk);
    LIST_ADD(maker->arena, maker->chunks, chunk);
    uint32_t found = find(maker, &chunk);
    bool copied = found != UINT32_MAX;
    if (run->copied != copied || (copied && found != run->from + run->n))
        end_run(maker);
    if (!run->n)
        *run = (struct run){copied, copied ? found : 0, 0};
    run->n++;
    if (copied) {
        maker->next = found + 1;
        maker->copied += bytes.n;
        return;
    }
    varint_put(&maker->lengths, bytes.n);
    put_new(maker, bytes);
}

/* ---- the text ---- */

/* A piece of a chunk: a chunk that is whole in the bytes is not copied. */
static void take(struct delta_maker *maker, struct str piece, bool ends)
{
    if (!maker->held_n && ends) {
        add_chunk(maker, piece);
        return;
    }
    memcpy(maker->held + maker->held_n, piece.p, piece.n);
    maker->held_n += piece.n;
    if (!ends)
        return;
    add_chunk(maker, (struct str){maker->held, maker->held_n});
    maker->held_n = 0;
}

bool delta_maker_put(struct delta_maker *maker, struct str bytes)
{
    bool ends;
    maker->length += bytes.n;
    maker->failed |= maker->length > DELTA_TEXT_MAX;
    while (bytes.n && !maker->failed) {
        size_t n = cut_next(&maker->cut, bytes, &ends);
        take(maker, str_sub(bytes, 0, n), ends);
        bytes = str_sub(bytes, n, bytes.n);
    }
    return !maker->failed;
}

bool delta_maker_failed(const struct delta_maker *maker)
{
    return maker->failed;
}

static struct str write_delta(struct delta_maker *maker, const char digest[KEYED_HASH])
{
    struct buf out = buf_init(maker->arena, maker->max);
    buf_putc(&out, DELTA_VERSION);
    buf_put(&out, (struct str){digest, KEYED_HASH});
    varint_put(&out, maker->length);
    varint_put(&out, maker->literal);
    varint_put(&out, maker->steps.n);
    buf_put(&out, buf_str(&maker->steps));
    buf_put(&out, buf_str(&maker->packed));
    maker->failed |= out.full;
    return buf_str(&out);
}

bool delta_maker_finish(struct delta_maker *maker, struct delta_made *made)
{
    if (maker->held_n)
        add_chunk(maker, (struct str){maker->held, maker->held_n});
    maker->held_n = 0;
    end_run(maker);
    if (maker->failed || (maker->zstd && !zstd_writer_finish(maker->zstd)))
        return false;
    *made = (struct delta_made){.whole = !maker->copied,
                                .length = maker->length,
                                .literal = maker->literal,
                                .chunks = maker->chunks,
                                .key = maker->key};
    keyed_hash_end(maker->digest, made->digest);
    if (made->whole)
        made->body = buf_str(&maker->packed);
    else
        made->delta = write_delta(maker, made->digest);
    return !maker->failed && !maker->steps.full && !maker->lengths.full;
}
