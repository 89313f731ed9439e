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
    struct delta_maker *maker = delta_maker_new(arena, base, true, SIZE_MAX / 2);
    must(maker);
    for (struct str left = text; left.n; left = str_sub(left, piece, left.n))
        must(delta_maker_put(maker, str_sub(left, 0, piece)));
    must(delta_maker_finish(maker, &made));
    delta_maker_free(maker);
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
