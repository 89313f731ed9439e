#include "codec/delta_make.h"

#include "base/rand.h"
#include "codec/delta_format.h"
#include "codec/delta_maker.h"
#include "codec/varint.h"

enum { ZSTD_LEVEL = 1 };

struct delta_maker *delta_maker_new(struct arena *arena, const struct delta_options *options)
{
    struct delta_maker *maker = ARENA_NEW(arena, struct delta_maker);
    maker->arena = arena;
    maker->base = options->base;
    maker->want_body = options->want_body;
    maker->max = options->max;
    if (maker->base)
        memcpy(maker->key, delta_base_key(maker->base), KEYED_HASH_KEY);
    else
        rand_bytes(maker->key, KEYED_HASH_KEY);
    maker->known.recall = delta_recall(arena, options->memory, maker->key);
    uint32_t before = delta_recall_chunks(&maker->known.recall);
    LIST_RESERVE(arena, maker->chunks, before + before / 16); /* mostly about as many again */
    maker->steps = delta_steps(arena, maker->base, maker->max);
    maker->packed = buf_init(arena, maker->max);
    maker->hash = keyed_hash_new(maker->key);
    if (maker->hash)
        return maker;
    delta_maker_free(maker);
    return NULL;
}

void delta_maker_free(struct delta_maker *maker)
{
    if (!maker)
        return;
    zstd_writer_free(maker->zstd);
    keyed_hash_free(maker->hash);
    maker->zstd = NULL;
    maker->hash = NULL;
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

/* ---- chunks ---- */

/* Is it a new one, which the caller must put? */
static bool add(struct delta_maker *maker, const struct delta_chunk *chunk)
{
    LIST_ADD(maker->arena, maker->chunks, *chunk);
    return delta_steps_add(&maker->steps, chunk);
}

static void add_chunk(struct delta_maker *maker, struct str bytes)
{
    struct delta_chunk chunk = {.length = (uint32_t)bytes.n};
    keyed_hash_put(maker->hash, bytes);
    keyed_hash_end(maker->hash, chunk.hash);
    if (add(maker, &chunk))
        put_new(maker, bytes);
}

/* ---- the text ---- */

static void hold(struct delta_maker *maker, struct str piece)
{
    if (piece.n)
        memcpy(maker->held + maker->held_n, piece.p, piece.n);
    maker->held_n += piece.n;
}

/* The same of a view, which is looked at when the bytes are needed: for most chunks they never are.
 */
static void hold_view(struct delta_maker *maker, const struct text_view *text, size_t from,
                      size_t n)
{
    if (!text->lasts || maker->views_n == HELD_VIEWS) {
        hold(maker, text_view_bytes(text, from, n));
        return;
    }
    maker->views[maker->views_n++] = (struct held_view){*text, from, n, maker->held_n};
    maker->held_n += n;
}

static struct str held(struct delta_maker *maker)
{
    for (uint32_t i = 0; i < maker->views_n; i++) {
        const struct held_view *view = &maker->views[i];
        struct str bytes = text_view_bytes(&view->text, view->from, view->n);
        if (bytes.n)
            memcpy(maker->held + view->at, bytes.p, bytes.n);
    }
    maker->views_n = 0;
    return (struct str){maker->held, maker->held_n};
}

static void hold_nothing(struct delta_maker *maker)
{
    maker->held_n = 0;
    maker->views_n = 0;
}

/* A piece of a chunk: a chunk that is whole in the bytes is not copied. */
static void take(struct delta_maker *maker, struct str piece, bool ends)
{
    if (!maker->held_n && ends) {
        add_chunk(maker, piece);
        return;
    }
    hold(maker, piece);
    if (!ends)
        return;
    add_chunk(maker, held(maker));
    hold_nothing(maker);
}

/* Takes bytes up to the end of the chunk. Does it end? */
static bool cut_once(struct delta_maker *maker, struct str *bytes)
{
    bool ends;
    size_t n = cut_next(&maker->cut, *bytes, &ends);
    take(maker, str_sub(*bytes, 0, n), ends);
    *bytes = str_sub(*bytes, n, bytes->n);
    return ends;
}

static void cut_all(struct delta_maker *maker, struct str bytes)
{
    while (bytes.n && !maker->failed)
        cut_once(maker, &bytes);
}

/* ---- what is known ----
 *
 * A cut depends on what stands in the chunk alone. So from a place where a chunk begins in both
 * texts, inside of a part that is in both, the chunks are the same to the end of the part, and on,
 * when the same part comes behind it again. */

/* What comes next in the base as well, up to n bytes. How many they are. */
static size_t follow_base(struct delta_maker *maker, const struct delta_chunk *chunks, size_t n)
{
    struct known *known = &maker->known;
    uint32_t most = delta_recall_within(&known->recall, known->chunk, n);
    uint32_t same = delta_steps_follow(&maker->steps, chunks, most);
    size_t bytes = 0;
    for (uint32_t i = 0; i < same; i++) {
        LIST_ADD(maker->arena, maker->chunks, chunks[i]);
        bytes += chunks[i].length;
    }
    known->chunk += same;
    known->bytes += bytes;
    return bytes;
}

void delta_maker_follow(struct delta_maker *maker, const struct text_view *text)
{
    struct known *known = &maker->known;
    size_t at = 0;
    while (known->follows) {
        const struct delta_chunk *chunk = delta_recall_cut(&known->recall, known->chunk);
        known->follows = chunk != NULL;
        if (!known->follows)
            break;
        size_t some = maker->held_n ? 0 : follow_base(maker, chunk, text->n - at);
        at += some;
        if (some)
            continue;
        size_t left = chunk->length - maker->held_n;
        if (text->n - at < left) {
            hold_view(maker, text, at, text->n - at);
            return;
        }
        known->bytes += chunk->length;
        if (add(maker, chunk)) {
            hold_view(maker, text, at, left);
            put_new(maker, held(maker));
        }
        at += left;
        hold_nothing(maker);
        known->chunk++;
    }
    if (at < text->n)
        cut_all(maker, text_view_bytes(text, at, text->n - at));
}

/* What comes is not known any more. */
static void follow_no_more(struct delta_maker *maker)
{
    struct known *known = &maker->known;
    bool ends = false;
    if (!known->follows)
        return;
    known->follows = false;
    if (maker->held_n) /* there is no cut in it */
        cut_next(&maker->cut, held(maker), &ends);
    ASSERT_SLOW(!ends && maker->cut.n == maker->held_n);
    cut_all(maker, (struct str){known->lead, known->lead_n});
    known->lead_n = 0;
}

/* The part stands at an offset of the text before: cuts it until both have a cut in one place. */
static void cut_until_known(struct delta_maker *maker, struct str bytes, uint64_t offset)
{
    struct known *known = &maker->known;
    size_t n = bytes.n;
    bool begins = maker->held_n == 0;
    while (!maker->failed) {
        if (begins)
            known->chunk = delta_recall_chunk(&known->recall, offset + (n - bytes.n));
        if (begins && known->chunk != DELTA_NONE) {
            struct text_view view = text_view_of(&bytes);
            known->follows = true;
            delta_maker_follow(maker, &view);
            return;
        }
        if (!bytes.n)
            return;
        begins = cut_once(maker, &bytes);
    }
}

static void put_known(struct delta_maker *maker, const struct text_view *text, uint32_t number,
                      uint64_t lead)
{
    struct known *known = &maker->known;
    const struct text_part *part = delta_recall_at(&known->recall, number);
    bool next = number && number == known->part && lead && lead == part->lead;
    if (next)
        next = part[-1].offset + part[-1].length + known->lead_n == part->offset;
    if (known->follows && next) {
        struct str between = {known->lead, known->lead_n};
        struct text_view view = text_view_of(&between);
        delta_maker_follow(maker, &view);
        known->lead_n = 0;
        delta_maker_follow(maker, text);
    } else {
        follow_no_more(maker);
        cut_until_known(maker, text_view_all(text), part->offset);
    }
    known->part = number + 1;
}

/* ---- putting ---- */

bool delta_maker_is_within(struct delta_maker *maker, size_t n)
{
    maker->length += n;
    maker->failed |= maker->length > DELTA_TEXT_MAX;
    return !maker->failed;
}

bool delta_maker_put(struct delta_maker *maker, struct str bytes)
{
    struct known *known = &maker->known;
    if (!delta_maker_is_within(maker, bytes.n))
        return false;
    if (known->follows && bytes.n <= TEXT_LEAD_MAX - known->lead_n) {
        memcpy(known->lead + known->lead_n, bytes.p, bytes.n);
        known->lead_n += bytes.n;
        return true;
    }
    follow_no_more(maker);
    cut_all(maker, bytes);
    return !maker->failed;
}

bool delta_maker_put_part(struct delta_maker *maker, const struct text_view *text, uint64_t content,
                          uint64_t lead)
{
    struct known *known = &maker->known;
    uint32_t number = delta_recall_part(&known->recall, content, known->part);
    if (number == DELTA_NONE || delta_recall_at(&known->recall, number)->length != text->n)
        return delta_maker_put(maker, text_view_all(text));
    if (delta_maker_is_within(maker, text->n))
        put_known(maker, text, number, lead);
    return !maker->failed;
}

bool delta_maker_failed(const struct delta_maker *maker)
{
    return maker->failed;
}

/* packed: what is new, `literal` bytes. */
static struct str write_delta(struct delta_maker *maker, const char digest[KEYED_HASH],
                              uint64_t literal, const struct buf *steps, struct str packed)
{
    struct buf out = buf_init(maker->arena, maker->max);
    buf_putc(&out, DELTA_VERSION);
    buf_put(&out, (struct str){digest, KEYED_HASH});
    varint_put(&out, maker->length);
    varint_put(&out, literal);
    varint_put(&out, steps->n);
    buf_put(&out, buf_str(steps));
    buf_put(&out, packed);
    maker->failed |= out.full;
    return buf_str(&out);
}

static void finish_delta(struct delta_maker *maker, struct delta_made *made)
{
    uint64_t base_length = delta_base_offset(maker->base, delta_base_n(maker->base));
    struct str packed = buf_str(&maker->packed);
    made->delta = write_delta(maker, made->digest, maker->literal, &maker->steps.plain, packed);
    if (!maker->steps.fresh.n || base_length + maker->literal > DELTA_TEXT_MAX)
        return;
    made->addition.chunks = maker->steps.fresh;
    made->addition.body = packed;
    made->addition.delta = write_delta(maker, made->digest, 0, &maker->steps.added, STR(""));
}

bool delta_maker_finish(struct delta_maker *maker, struct delta_made *made)
{
    follow_no_more(maker);
    if (maker->held_n)
        add_chunk(maker, held(maker));
    hold_nothing(maker);
    if (!delta_steps_end(&maker->steps) || maker->failed ||
        (maker->zstd && !zstd_writer_finish(maker->zstd)))
        return false;
    *made = (struct delta_made){.whole = !maker->steps.copies,
                                .length = maker->length,
                                .literal = maker->literal,
                                .known = maker->known.bytes,
                                .chunks = maker->chunks,
                                .key = maker->key};
    delta_digest_put(maker->hash, maker->chunks.items, maker->chunks.n);
    keyed_hash_end(maker->hash, made->digest);
    if (made->whole)
        made->body = buf_str(&maker->packed);
    else
        finish_delta(maker, made);
    return !maker->failed;
}
