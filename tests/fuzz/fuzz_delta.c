/* Texts that are made of parts of others become deltas, and are read back to the byte; deltas and
 * chunks that somebody has changed are refused, or are the same text. */
#include <stdlib.h>
#include <string.h>

#include "../unit/deltas.h"
#include "base/buf.h"

enum { POOL = 192 * 1024, TEXT_MAX = 384 * 1024, STEP = 4 };

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void must(bool so)
{
    if (!so)
        abort();
}

/* A third is like a snapshot, a third without a pattern, a third is one byte. */
static struct str pool(void)
{
    static char text[POOL];
    uint64_t random = 88172645463325252u;
    for (size_t i = 0; !text[POOL - 1] && i < POOL; i++) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        static const char words[] = "{\"name\":\"pod-0\",\"status\":{\"phase\":\"Running\"}},";
        text[i] = i < POOL / 3       ? words[(i % 900 < 850 ? i : random) % (sizeof words - 1)]
                  : i < POOL / 3 * 2 ? (char)random
                                     : 'x';
    }
    return (struct str){text, POOL};
}

/* Four bytes a step: what is put behind the text next. */
static struct str compose(struct arena *arena, const unsigned char *data, size_t size)
{
    struct buf text = buf_init(arena, TEXT_MAX);
    for (; size >= STEP; data += STEP, size -= STEP) {
        size_t from = (size_t)data[1] * (POOL / 256), n = (size_t)data[2] * 251 + data[3];
        struct str part = str_sub(pool(), from, n);
        switch (data[0] % 4) {
        case 0:
        case 1:
            buf_put(&text, part);
            break;
        case 2: /* twice what is there already */
            if (text.n > n && n)
                buf_put(&text, arena_str(arena, str_sub(buf_str(&text), text.n - n, n)));
            break;
        default:
            for (size_t i = 0; i < n; i++)
                buf_putc(&text, (char)data[1]);
        }
    }
    buf_putc(&text, '!');
    return buf_str(&text);
}

/* The same text in pieces: a step is one, when its bytes can be told to be those of another. */
static delta_piece_list pieces_of(struct arena *arena, const unsigned char *data, size_t size)
{
    delta_piece_list pieces = {0};
    struct str between = {0};
    size_t length = 0, others = 2; /* pieces since the last part */
    for (size_t at = 0; size - at >= STEP; at += STEP) {
        struct delta_piece piece = {.bytes = compose(arena, data + at, STEP)};
        piece.bytes.n--;
        if (length + piece.bytes.n > TEXT_MAX / 8)
            break;
        length += piece.bytes.n;
        bool is_part = data[at] & 8 && piece.bytes.n;
        if (is_part) {
            piece.content = str_hash(7, piece.bytes) | 1;
            if (others == 1 && between.n <= TEXT_LEAD_MAX)
                piece.lead = str_hash(7, between) | 1;
        }
        others = is_part ? 0 : others + 1;
        between = piece.bytes;
        LIST_ADD(arena, pieces, piece);
    }
    LIST_ADD(arena, pieces, (struct delta_piece){.bytes = STR("!")});
    return pieces;
}

/* What is remembered of some texts changes nothing for others (delta_make_known()). */
static void make_known(struct arena *arena, const unsigned char *data, size_t size, size_t half,
                       size_t piece)
{
    struct delta_memory *memory = delta_memory_new();
    delta_piece_list old = pieces_of(arena, data, half),
                     text = pieces_of(arena, data + half, size - half);
    struct delta_made made = delta_make_known(arena, NULL, memory, old, piece);
    struct str written =
        delta_base_write(arena, made.key, made.chunks.items, made.chunks.n, made.body.n);
    struct delta_base *base = delta_base_read(&written, 1), *grown = NULL;
    must(base);
    for (unsigned i = 0; i < 4; i++) {
        made = delta_make_known(arena, grown ? grown : base, memory, i % 2 ? old : text, piece);
        if (!grown && made.addition.chunks.n)
            grown = delta_base_grow(base, made.addition.chunks.items, made.addition.chunks.n,
                                    made.addition.body.n);
    }
    delta_base_free(grown);
    delta_base_free(base);
    delta_memory_free(memory);
}

/* The same, but for one bit. */
static struct str changed(struct arena *arena, struct str bytes, size_t where)
{
    char *copy = (char *)(uintptr_t)arena_str(arena, bytes).p;
    copy[where / 8 % bytes.n] ^= (char)(1 << where % 8);
    return (struct str){copy, bytes.n};
}

/* Whatever is said of it is said again, or it is refused. */
static void damage(struct arena *arena, struct delta_stored *stored, struct str delta,
                   struct str text, size_t where)
{
    struct str hostile = changed(arena, delta, where);
    struct delta_result result = delta_read_text(arena, stored, hostile, 4096);
    must(!result.right || str_eq(result.text, text));
    result = delta_read_text(arena, stored, str_sub(delta, 0, 1 + where % delta.n), 4096);
    must(!result.right || str_eq(result.text, text));
    struct delta_stored other = *stored;
    LIST(struct str) written = {0};
    for (uint32_t i = 0; i < stored->written.n; i++)
        LIST_ADD(arena, written, stored->written.items[i]);
    struct str *one = &written.items[where % written.n];
    *one = changed(arena, *one, where);
    other.base = delta_base_read(written.items, written.n);
    if (other.base) { /* Poly1305 does not look at all bits of its key */
        result = delta_read_text(arena, &other, delta, 1000);
        must(result.right && str_eq(result.text, text));
        delta_base_free(other.base);
    }
    /* Of the base's own text, which is what is read without a delta. */
    uint64_t own = delta_base_offset(stored->base, delta_base_own(stored->base));
    other = *stored;
    other.text = changed(arena, stored->text, where % (own * 8));
    result = delta_read_text(arena, &other, (struct str){0}, 1000);
    must(!result.right);
}

/* With what is new in the delta as an addition: both texts are in it now. texts: the one of the
 * delta, and that of the base. */
static void grow(struct arena *arena, struct delta_stored *stored, const struct delta_made *made,
                 const struct str texts[2], size_t where, size_t room)
{
    delta_store_addition(arena, stored, made);
    struct delta_result result = delta_read_text(arena, stored, made->addition.delta, room);
    must(result.right && str_eq(result.text, texts[0]));
    for (unsigned i = 0; i < 2; i++) {
        struct delta_made again = delta_make_text(arena, stored->base, texts[i], 4096);
        must(!again.whole && !again.literal && !again.addition.chunks.n);
        result = delta_read_text(arena, stored, again.delta, room);
        must(result.right && str_eq(result.text, texts[i]));
        damage(arena, stored, again.delta, texts[i], where);
    }
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    static struct arena *arena;
    if (size < 4)
        return 0;
    if (!arena)
        arena = arena_new((size_t)512 << 20);
    size_t piece = data[0] ? data[0] * 64u : 1, half = (size - 4) * data[1] / 256,
           room = data[2] ? data[2] * 64u : 1;
    struct str old = compose(arena, data + 4, half);
    struct str text = compose(arena, data + 4 + half, size - 4 - half);
    struct delta_stored stored = delta_store_text(arena, old, piece);
    struct delta_result result = delta_read_text(arena, &stored, (struct str){0}, room);
    must(result.right && str_eq(result.text, old));
    struct delta_made made = delta_make_text(arena, stored.base, text, piece);
    struct delta_made again = delta_make_text(arena, stored.base, text, 4096);
    must(str_eq(made.delta, again.delta) && str_eq(made.body, again.body));
    if (!made.whole) {
        result = delta_read_text(arena, &stored, made.delta, room);
        must(result.right && str_eq(result.text, text));
        damage(arena, &stored, made.delta, text, data[3] * 977u + size);
    }
    if (made.addition.chunks.n)
        grow(arena, &stored, &made, (struct str[]){text, old}, data[3] * 977u + size, room);
    make_known(arena, data + 4, size - 4, half, piece);
    /* Bytes of whoever: there is nothing to believe in them. */
    struct str hostile = {(const char *)data, size};
    result = delta_read_text(arena, &stored, hostile, 4096);
    must(!result.right);
    must(!delta_base_read(&hostile, 1));
    must(!delta_base_read((struct str[]){stored.written.items[0], hostile}, 2));
    delta_base_free(stored.base);
    arena_reset(arena);
    return 0;
}
