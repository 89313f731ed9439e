#include "codec/delta_read.h"

#include <stdlib.h>

#include "codec/delta_format.h"
#include "codec/varint.h"
#include "codec/zstd.h"

struct step {
    bool copied;
    uint32_t from, n; /* chunks that are left of it */
};

struct delta_reader {
    const struct delta_base *base;
    struct delta_text text;
    char expected[KEYED_HASH];
    uint64_t length, literal; /* that are left of what the delta says */
    struct str steps, packed;
    struct zstd_reader *zstd; /* of what is new */
    struct source fresh;
    struct keyed_hash *hash, *digest;
    struct step step;
    bool failed, ended, forward;
    size_t chunk_n, chunk_at;
    char chunk[CUT_MAX];
};

/* ---- steps ---- */

static bool next_step(const struct delta_reader *reader, struct str *steps, struct step *step)
{
    uint64_t head, from;
    uint32_t n = delta_base_n(reader->base);
    if (!varint_take(steps, UINT32_MAX, &head) || head < 2)
        return false;
    *step = (struct step){.copied = !(head & 1), .n = (uint32_t)(head >> 1)};
    if (!step->copied)
        return true;
    if (!varint_take(steps, n, &from) || step->n > n - from)
        return false;
    step->from = (uint32_t)from;
    return true;
}

/* Over the lengths of new chunks. */
static bool skip_lengths(struct str *steps, uint32_t n)
{
    uint64_t length;
    while (n && varint_take(steps, CUT_MAX, &length))
        n--;
    return n == 0;
}

static bool goes_forward(const struct delta_reader *reader)
{
    struct str steps = reader->steps;
    struct step step;
    uint32_t at = 0, own = delta_base_own(reader->base);
    while (steps.n) {
        if (!next_step(reader, &steps, &step) || (step.copied && step.from < at) ||
            (!step.copied && !skip_lengths(&steps, step.n)))
            return false;
        if (step.copied && step.from < own)
            at = step.n < own - step.from ? step.from + step.n : own;
    }
    return true;
}

/* ---- opening ---- */

static bool read_head(struct delta_reader *reader, struct str delta)
{
    uint64_t n;
    if (delta.n < 1 + KEYED_HASH || delta.p[0] != DELTA_VERSION)
        return false;
    memcpy(reader->expected, delta.p + 1, KEYED_HASH);
    delta = str_sub(delta, 1 + KEYED_HASH, delta.n);
    if (!varint_take(&delta, DELTA_TEXT_MAX, &reader->length) ||
        !varint_take(&delta, reader->length, &reader->literal) ||
        !varint_take(&delta, delta.n, &n) || n > delta.n)
        return false;
    reader->steps = str_sub(delta, 0, (size_t)n);
    reader->packed = str_sub(delta, (size_t)n, delta.n);
    return true;
}

/* All chunks of the base's own text, and their digest. */
static void read_base(struct delta_reader *reader)
{
    uint32_t n = delta_base_own(reader->base);
    reader->step = (struct step){.copied = true, .from = 0, .n = n};
    reader->length = delta_base_offset(reader->base, n);
    delta_digest_put(reader->digest, delta_base_chunk(reader->base, 0), n);
    keyed_hash_end(reader->digest, reader->expected);
}

struct delta_reader *delta_reader_open(const struct delta_base *base, struct str delta,
                                       struct delta_text text)
{
    struct delta_reader *reader = calloc(1, sizeof *reader);
    if (!reader)
        return NULL;
    reader->base = base;
    reader->text = text;
    reader->hash = keyed_hash_new(delta_base_key(base));
    reader->digest = keyed_hash_new(delta_base_key(base));
    if (reader->hash && reader->digest && !delta.n)
        read_base(reader);
    else if (reader->hash && reader->digest)
        reader->failed = !read_head(reader, delta);
    if (reader->literal) {
        reader->zstd = zstd_reader_open(source_of(&reader->packed), reader->literal);
        reader->fresh = reader->zstd ? zstd_reader_source(reader->zstd) : (struct source){0};
    }
    if (!reader->hash || !reader->digest || (reader->literal && !reader->zstd)) {
        delta_reader_free(reader);
        return NULL;
    }
    reader->forward = goes_forward(reader);
    return reader;
}

void delta_reader_free(struct delta_reader *reader)
{
    if (!reader)
        return;
    zstd_reader_free(reader->zstd);
    keyed_hash_free(reader->digest);
    keyed_hash_free(reader->hash);
    free(reader);
}

bool delta_reader_is_forward(const struct delta_reader *reader)
{
    return reader->forward;
}

/* ---- reading ---- */

static bool read_fresh(struct delta_reader *reader)
{
    uint64_t length;
    ptrdiff_t n = 1;
    if (!varint_take(&reader->steps, CUT_MAX, &length) || length == 0 || length > reader->literal)
        return false;
    reader->literal -= length;
    for (reader->chunk_n = 0; n > 0 && reader->chunk_n < length; reader->chunk_n += (size_t)n)
        n = reader->fresh.read(reader->fresh.context, reader->chunk + reader->chunk_n,
                               (size_t)length - reader->chunk_n);
    return n > 0;
}

static bool read_copied(struct delta_reader *reader)
{
    uint32_t number = reader->step.from++;
    reader->chunk_n = delta_base_chunk(reader->base, number)->length;
    return reader->text.read(reader->text.context, delta_base_offset(reader->base, number),
                             reader->chunk, reader->chunk_n);
}

/* The next chunk. A short one is the last: so many short ones cannot be said. */
static bool next_chunk(struct delta_reader *reader)
{
    struct delta_chunk chunk;
    if (!reader->step.n && !next_step(reader, &reader->steps, &reader->step))
        return false;
    reader->step.n--;
    if (!(reader->step.copied ? read_copied(reader) : read_fresh(reader)) ||
        reader->chunk_n > reader->length)
        return false;
    reader->length -= reader->chunk_n;
    if (reader->chunk_n < CUT_MIN && reader->length)
        return false;
    chunk.length = (uint32_t)reader->chunk_n;
    keyed_hash_put(reader->hash, (struct str){reader->chunk, reader->chunk_n});
    keyed_hash_end(reader->hash, chunk.hash);
    delta_digest_put(reader->digest, &chunk, 1);
    reader->chunk_at = 0;
    return true;
}

/* Nothing may be left over, and it must be the text that was stored. */
static bool is_right(struct delta_reader *reader)
{
    char digest[KEYED_HASH], more;
    if (reader->step.n || reader->steps.n || reader->literal ||
        (reader->zstd && reader->fresh.read(reader->fresh.context, &more, 1) != 0))
        return false;
    keyed_hash_end(reader->digest, digest);
    return memcmp(digest, reader->expected, KEYED_HASH) == 0;
}

static ptrdiff_t read_text(void *context, char *dst, size_t cap)
{
    struct delta_reader *reader = context;
    if (reader->ended || reader->failed)
        return reader->failed ? -1 : 0;
    if (reader->chunk_at == reader->chunk_n) {
        if (!reader->length)
            reader->ended = is_right(reader);
        reader->failed = !reader->ended && (!reader->length || !next_chunk(reader));
        if (reader->ended || reader->failed)
            return reader->failed ? -1 : 0;
    }
    struct str piece = {reader->chunk + reader->chunk_at, reader->chunk_n - reader->chunk_at};
    piece = str_sub(piece, 0, cap);
    memcpy(dst, piece.p, piece.n);
    reader->chunk_at += piece.n;
    return (ptrdiff_t)piece.n;
}

struct source delta_reader_source(struct delta_reader *reader)
{
    return (struct source){read_text, reader};
}

bool delta_reader_is_right(const struct delta_reader *reader)
{
    return reader->ended;
}
