#include "deltas.h"

#include <stdlib.h>

#include "base/buf.h"
#include "codec/zstd.h"

enum { ROOM = 4096 };

static void must(bool so)
{
    if (!so)
        abort();
}

struct delta_made delta_make_text(struct arena *arena, const struct delta_base *base,
                                  struct str text, size_t piece)
{
    struct delta_made made;
    struct delta_options options = {.base = base, .want_body = true, .max = SIZE_MAX / 2};
    struct delta_maker *maker = delta_maker_new(arena, &options);
    must(maker);
    for (struct str left = text; left.n; left = str_sub(left, piece, left.n))
        must(delta_maker_put(maker, str_sub(left, 0, piece)));
    must(delta_maker_finish(maker, &made));
    delta_maker_free(maker);
    return made;
}

static struct str text_of(struct arena *arena, delta_piece_list pieces, text_part_list *parts)
{
    struct buf text = buf_init(arena, SIZE_MAX / 2);
    const struct delta_piece *piece;
    LIST_EACH (piece, pieces) {
        struct text_part part = {text.n, piece->bytes.n, piece->content, piece->lead};
        if (piece->content)
            LIST_ADD(arena, *parts, part);
        buf_put(&text, piece->bytes);
    }
    return buf_str(&text);
}

static void put_piece(struct delta_maker *maker, const struct delta_piece *piece, size_t size)
{
    if (piece->content) {
        struct str bytes = piece->bytes;
        struct text_view view = text_view_of(&bytes);
        must(delta_maker_put_part(maker, &view, piece->content, piece->lead));
        return;
    }
    for (struct str left = piece->bytes; left.n; left = str_sub(left, size, left.n))
        must(delta_maker_put(maker, str_sub(left, 0, size)));
}

/* Parts in a row, from this piece on, as one run; its text begins `from` bytes behind the beginning
 * of `text`. How many pieces it has; 0: there is none. */
static uint32_t put_run(struct arena *arena, struct delta_maker *maker, delta_piece_list pieces,
                        uint32_t first, struct str text, uint64_t from)
{
    text_part_list parts = {0};
    uint64_t at = from;
    uint32_t n = first;
    for (; n + 1 < pieces.n && !pieces.items[n].content && pieces.items[n + 1].lead; n += 2) {
        const struct delta_piece *piece = &pieces.items[n + 1];
        at += pieces.items[n].bytes.n;
        LIST_ADD(arena, parts,
                 ((struct text_part){at, piece->bytes.n, piece->content, piece->lead}));
        at += piece->bytes.n;
    }
    if (!parts.n)
        return 0;
    struct str *bytes = ARENA_NEW(arena, struct str);
    *bytes = str_sub(text, from, at - from);
    struct text_run run = {parts.items, parts.n, from, text_view_of(bytes)};
    run.text.lasts = true;
    must(delta_maker_put_run(maker, &run));
    return n - first;
}

/* runs: NULL, or all of the text: pieces that can be are put as runs. */
static struct delta_made make_known(struct arena *arena, const struct delta_options *options,
                                    delta_piece_list pieces, size_t size, const struct str *runs)
{
    struct delta_maker *maker = delta_maker_new(arena, options);
    struct delta_made made;
    uint64_t at = 0;
    for (uint32_t i = 0, n; i < pieces.n;) {
        n = runs ? put_run(arena, maker, pieces, i, *runs, at) : 0;
        if (!n)
            put_piece(maker, &pieces.items[i], size);
        for (n = n ? n : 1; n > 0; n--)
            at += pieces.items[i++].bytes.n;
    }
    must(delta_maker_finish(maker, &made));
    delta_maker_free(maker);
    return made;
}

static void must_be_made_alike(const struct delta_made *made, const struct delta_made *cold,
                               bool by_a_key)
{
    must(made->whole == cold->whole && made->length == cold->length &&
         made->literal == cold->literal);
    must(made->chunks.n == cold->chunks.n && made->known <= made->length);
    must(str_eq(made->delta, cold->delta) && str_eq(made->body, cold->body));
    must(made->addition.chunks.n == cold->addition.chunks.n);
    must(str_eq(made->addition.delta, cold->addition.delta));
    for (uint32_t i = 0; i < made->chunks.n; i++)
        must(made->chunks.items[i].length == cold->chunks.items[i].length);
    if (by_a_key)
        must(memcmp(made->digest, cold->digest, KEYED_HASH) == 0);
}

struct delta_made delta_make_known(struct arena *arena, const struct delta_base *base,
                                   struct delta_memory *memory, delta_piece_list pieces,
                                   size_t piece)
{
    struct delta_options options = {
        .base = base, .memory = memory, .want_body = true, .max = SIZE_MAX / 2};
    text_part_list parts = {0};
    struct str text = text_of(arena, pieces, &parts);
    struct delta_made cold = delta_make_text(arena, base, text, piece);
    struct delta_made made = make_known(arena, &options, pieces, piece, NULL);
    struct delta_made runs = make_known(arena, &options, pieces, piece, &text);
    must(!cold.known && runs.known == made.known);
    must_be_made_alike(&made, &cold, base != NULL);
    must_be_made_alike(&runs, &cold, base != NULL);
    delta_memory_keep(memory, made.key, made.chunks, parts);
    return made;
}

struct delta_stored delta_store_text(struct arena *arena, struct str text, size_t piece)
{
    struct delta_made made = delta_make_text(arena, NULL, text, piece);
    must(made.whole && made.length == text.n && made.literal == text.n);
    struct delta_stored stored = {.text = text, .packed = made.body};
    struct str chunks =
        delta_base_write(arena, made.key, made.chunks.items, made.chunks.n, made.body.n);
    LIST_ADD(arena, stored.written, chunks);
    stored.base = delta_base_read(stored.written.items, stored.written.n);
    must(stored.base && delta_base_stored(stored.base) == made.body.n);
    must(delta_base_own(stored.base) == made.chunks.n && !delta_base_additions(stored.base));
    return stored;
}

static void must_be_same(const struct delta_base *a, const struct delta_base *b)
{
    must(a && b && delta_base_n(a) == delta_base_n(b) && delta_base_own(a) == delta_base_own(b));
    must(delta_base_stored(a) == delta_base_stored(b) &&
         delta_base_added(a) == delta_base_added(b));
    must(delta_base_additions(a) == delta_base_additions(b));
    for (uint32_t i = 0; i < delta_base_n(a); i++) {
        const struct delta_chunk *chunk = delta_base_chunk(a, i), *other = delta_base_chunk(b, i);
        must(memcmp(chunk->hash, other->hash, KEYED_HASH) == 0 && chunk->length == other->length);
        must(delta_base_offset(a, i) == delta_base_offset(b, i));
        must(delta_base_find(a, chunk->hash) == delta_base_find(b, chunk->hash));
    }
}

static struct str unpack(struct arena *arena, struct str packed)
{
    struct buf out = buf_init(arena, SIZE_MAX / 2);
    struct zstd_reader *reader = zstd_reader_open(source_of(&packed), UINT64_MAX);
    must(reader);
    struct source source = zstd_reader_source(reader);
    ptrdiff_t n = 1;
    while (n > 0) {
        n = source.read(source.context, buf_reserve(&out, ROOM), ROOM);
        buf_commit(&out, n > 0 ? (size_t)n : 0);
    }
    must(n == 0);
    zstd_reader_free(reader);
    return buf_str(&out);
}

void delta_store_addition(struct arena *arena, struct delta_stored *stored,
                          const struct delta_made *made)
{
    const delta_chunk_list *chunks = &made->addition.chunks;
    struct str body = made->addition.body;
    struct str written = delta_base_write(arena, made->key, chunks->items, chunks->n, body.n);
    struct delta_base *grown = delta_base_grow(stored->base, chunks->items, chunks->n, body.n);
    LIST_ADD(arena, stored->written, written);
    delta_base_free(stored->base);
    stored->base = delta_base_read(stored->written.items, stored->written.n);
    must_be_same(stored->base, grown);
    delta_base_free(grown);
    struct buf text = buf_init(arena, SIZE_MAX / 2);
    buf_put(&text, stored->text);
    buf_put(&text, unpack(arena, body));
    stored->text = buf_str(&text);
    must(delta_base_offset(stored->base, delta_base_n(stored->base)) == stored->text.n);
}

static bool read_at(void *context, uint64_t offset, char *dst, size_t n)
{
    const struct delta_stored *stored = context;
    if (offset > stored->text.n || n > stored->text.n - offset)
        return false;
    memcpy(dst, stored->text.p + offset, n);
    return true;
}

struct delta_result delta_read_text(struct arena *arena, const struct delta_stored *stored,
                                    struct str delta, size_t room)
{
    struct delta_text text = {read_at, (void *)(uintptr_t)stored};
    struct delta_reader *reader = delta_reader_open(stored->base, delta, text);
    struct buf out = buf_init(arena, SIZE_MAX / 2);
    must(reader && buf_reserve(&out, stored->text.n + room));
    struct source source = delta_reader_source(reader);
    ptrdiff_t n = 1;
    while (n > 0) {
        n = source.read(source.context, buf_reserve(&out, room), room);
        buf_commit(&out, n > 0 ? (size_t)n : 0);
    }
    must((n == 0) == delta_reader_is_right(reader));
    must(source.read(source.context, buf_reserve(&out, 1), 1) == n); /* it stays so */
    struct delta_result result = {n == 0, buf_str(&out)};
    delta_reader_free(reader);
    return result;
}

size_t delta_round_trip(struct arena *arena, const struct delta_stored *stored, struct str text)
{
    enum { PIECE = 32 * 1024, AT_ONCE = 64 * 1024 };
    struct delta_made made = delta_make_text(arena, stored->base, text, PIECE);
    if (made.whole)
        return made.body.n;
    struct delta_result result = delta_read_text(arena, stored, made.delta, AT_ONCE);
    if (!result.right || !str_eq(result.text, text))
        abort();
    return made.delta.n;
}
