#include "store/snapshot_text.h"

#include <stdlib.h>

#include "codec/delta_read.h"
#include "codec/zstd.h"

struct snapshot_text {
    struct decompress *in; /* the body */
    struct delta_base *base;
    struct delta_reader *reader; /* NULL: the body is the document, or it is damaged */
    bool damaged;
    uint64_t at; /* bytes that were taken off it */
    struct spool *added;
    uint64_t own, added_n; /* bytes of the base's own text, and of its additions */
    struct spool *room;    /* what is read in any order, when it is there */
    bool is_there;
    char passed[16 * 1024];
};

/* The next n bytes of the base. */
static bool read_on(struct snapshot_text *text, char *dst, size_t n)
{
    struct source source = decompress_source(text->in);
    while (n) {
        ptrdiff_t more = source.read(source.context, dst, n);
        if (more <= 0)
            return false;
        text->at += (size_t)more;
        dst += more;
        n -= (size_t)more;
    }
    return true;
}

static bool put_in_room(struct snapshot_text *text, struct source source)
{
    ptrdiff_t n;
    do
        n = source.read(source.context, text->passed, sizeof text->passed);
    while (n > 0 && spool_put(text->room, (struct str){text->passed, (size_t)n}));
    return n == 0;
}

static bool put_additions_in_room(struct snapshot_text *text)
{
    struct zstd_reader *in = zstd_reader_open(spool_source(text->added), text->added_n);
    bool good = in && put_in_room(text, zstd_reader_source(in));
    zstd_reader_free(in);
    return good;
}

static bool put_bytes(void *context, struct str bytes)
{
    char **dst = context;
    memcpy(*dst, bytes.p, bytes.n);
    *dst += bytes.n;
    return true;
}

/* The room has the own text first, when all of it is there. */
static bool read_anywhere(void *context, uint64_t offset, char *dst, size_t n)
{
    struct snapshot_text *text = context;
    if (!text->is_there)
        text->is_there = put_in_room(text, decompress_source(text->in)) &&
                         (!text->added_n || put_additions_in_room(text));
    return text->is_there && spool_copy(text->room, offset, n, (struct sink){put_bytes, &dst});
}

/* Of the additions alone. */
static bool read_addition(struct snapshot_text *text, uint64_t offset, char *dst, size_t n)
{
    if (!text->is_there)
        text->is_there = put_additions_in_room(text);
    return text->is_there && spool_copy(text->room, offset, n, (struct sink){put_bytes, &dst});
}

static bool read_forward(void *context, uint64_t offset, char *dst, size_t n)
{
    struct snapshot_text *text = context;
    if (offset >= text->own)
        return read_addition(text, offset - text->own, dst, n);
    while (text->at < offset) {
        uint64_t left = offset - text->at;
        size_t some = left < sizeof text->passed ? (size_t)left : sizeof text->passed;
        if (!read_on(text, text->passed, some))
            return false;
    }
    return text->at == offset && read_on(text, dst, n);
}

static struct decompress *open_body(struct spool *body)
{
    char start[COMPRESSION_MAGIC];
    struct source source = spool_source(body);
    ptrdiff_t n = source.read(source.context, start, sizeof start);
    enum compression compression = compression_of((struct str){start, n > 0 ? (size_t)n : 0});
    if (compression == COMPRESSION_NONE) /* it will be told that it cannot be read */
        compression = COMPRESSION_ZSTD;
    return decompress_open(compression, spool_source(body), UINT64_MAX);
}

/* False without memory. */
static bool open_delta(struct snapshot_text *text, const struct snapshot_stored *stored)
{
    struct str delta = str_or_empty(stored->delta);
    text->base = delta_base_read(stored->chunks.items, stored->chunks.n);
    text->damaged = !text->base;
    if (text->damaged)
        return true;
    text->own = delta_base_offset(text->base, delta_base_own(text->base));
    text->added_n = delta_base_offset(text->base, delta_base_n(text->base)) - text->own;
    text->reader = delta_reader_open(text->base, delta, (struct delta_text){read_forward, text});
    if (!text->reader || delta_reader_is_forward(text->reader))
        return text->reader;
    delta_reader_free(text->reader);
    text->reader = delta_reader_open(text->base, delta, (struct delta_text){read_anywhere, text});
    return text->reader;
}

struct snapshot_text *snapshot_open(const struct snapshot_stored *stored)
{
    struct snapshot_text *text = calloc(1, sizeof *text);
    if (!text)
        return NULL;
    text->room = stored->room;
    text->added = stored->added;
    text->in = open_body(stored->body);
    if (text->in && (stored->whole || open_delta(text, stored)))
        return text;
    snapshot_text_free(text);
    return NULL;
}

void snapshot_text_free(struct snapshot_text *text)
{
    if (!text)
        return;
    delta_reader_free(text->reader);
    delta_base_free(text->base);
    decompress_free(text->in);
    free(text);
}

static ptrdiff_t read_damaged(void *context, char *dst, size_t cap)
{
    (void)context;
    (void)dst;
    (void)cap;
    return -1;
}

struct source snapshot_text_source(struct snapshot_text *text)
{
    if (text->damaged)
        return (struct source){read_damaged, NULL};
    return text->reader ? delta_reader_source(text->reader) : decompress_source(text->in);
}
