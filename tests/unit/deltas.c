#include "deltas.h"

#include <stdlib.h>

#include "base/buf.h"
#include "codec/zstd.h"

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

struct delta_made delta_make_known(struct arena *arena, const struct delta_base *base,
                                   struct delta_memory *memory, delta_piece_list pieces,
                                   size_t piece)
{
    struct delta_options options = {
        .base = base, .memory = memory, .want_body = true, .max = SIZE_MAX / 2};
    struct delta_maker *maker = delta_maker_new(arena, &options);
    text_part_list parts = {0};
    struct str text = text_of(arena, pieces, &parts);
    struct delta_made made, cold = delta_make_text(arena, base, text, piece);
    const struct delta_piece *one;
    LIST_EACH (one, pieces)
        put_piece(maker, one, piece);
    must(delta_maker_finish(maker, &made));
    delta_maker_free(maker);
    must(made.whole == cold.whole && made.length == cold.length && made.literal == cold.literal);
    must(made.chunks.n == cold.chunks.n && made.known <= made.length && cold.known == 0);
    must(str_eq(made.delta, cold.delta) && str_eq(made.body, cold.body));
    for (uint32_t i = 0; i < made.chunks.n; i++)
        must(made.chunks.items[i].length == cold.chunks.items[i].length);
    if (base)
        must(memcmp(made.digest, cold.digest, KEYED_HASH) == 0);
    delta_memory_keep(memory, made.key, made.chunks, parts);
    return made;
}

struct delta_stored delta_store_text(struct arena *arena, struct str text, size_t piece)
{
    struct delta_made made = delta_make_text(arena, NULL, text, piece);
    must(made.whole && made.length == text.n && made.literal == text.n);
    struct delta_stored stored = {.text = text, .packed = made.body};
    stored.chunks =
        delta_base_write(arena, made.key, made.chunks.items, made.chunks.n, made.body.n);
    stored.base = delta_base_read(stored.chunks);
    must(stored.base);
    return stored;
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
