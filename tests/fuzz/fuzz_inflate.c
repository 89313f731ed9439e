/* inflate against zlib itself, in pieces that the first two bytes choose; and a round trip. */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/buf.h"
#include "codec/deflate.h"
#include "codec/inflate.h"

enum { MAX = 1 << 20 };

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

struct pieces {
    struct str text;
    size_t size;
};

static void must(bool so)
{
    if (!so)
        abort();
}

static ptrdiff_t read_piece(void *context, char *dst, size_t cap)
{
    struct pieces *pieces = context;
    struct str piece = str_sub(pieces->text, 0, pieces->size < cap ? pieces->size : cap);
    if (piece.n)
        memcpy(dst, piece.p, piece.n);
    pieces->text = str_sub(pieces->text, piece.n, pieces->text.n);
    return (ptrdiff_t)piece.n;
}

static bool put(void *context, struct str bytes)
{
    buf_put(context, bytes);
    return true;
}

static enum inflate_code ours(struct str gzip, size_t piece, size_t room, struct buf *out)
{
    struct pieces pieces = {gzip, piece};
    struct inflate *in = inflate_open((struct source){read_piece, &pieces}, MAX);
    struct source source = inflate_source(in);
    for (ptrdiff_t n = 1; n > 0;) {
        n = source.read(source.context, buf_reserve(out, room), room);
        buf_commit(out, n > 0 ? (size_t)n : 0);
    }
    enum inflate_code code = inflate_error(in);
    inflate_free(in);
    return code;
}

/* What zlib alone says is wrong: we do not look at a header's CRC, and ISA-L takes a
 * set of codes that is incomplete. */
static bool is_strict(const char *complaint)
{
    return complaint && (strcmp(complaint, "header crc mismatch") == 0 ||
                         strcmp(complaint, "invalid distances set") == 0 ||
                         strcmp(complaint, "invalid literal/lengths set") == 0 ||
                         strcmp(complaint, "invalid code lengths set") == 0);
}

/* Members one after another, by zlib with its own checks. */
static bool theirs(struct str gzip, struct buf *out, bool *strict)
{
    z_stream z = {.next_in = (unsigned char *)(uintptr_t)gzip.p, .avail_in = (uInt)gzip.n};
    must(inflateInit2(&z, 15 + 16) == Z_OK);
    int status = Z_OK;
    do {
        char room[4096];
        z.next_out = (unsigned char *)room;
        z.avail_out = sizeof room;
        status = inflate(&z, Z_NO_FLUSH);
        buf_put(out, (struct str){room, sizeof room - z.avail_out});
        if (status == Z_STREAM_END && z.avail_in > 0)
            status = inflateReset(&z);
    } while (status == Z_OK && out->n <= MAX);
    *strict = is_strict(z.msg);
    inflateEnd(&z);
    return status == Z_STREAM_END;
}

static void round_trip(struct arena *arena, struct str text, size_t piece)
{
    struct buf gzip = buf_init(arena, SIZE_MAX), again = buf_init(arena, SIZE_MAX);
    struct deflate *out = deflate_open((struct sink){put, &gzip}, 1 + (int)(piece % 9));
    for (struct str left = text; left.n; left = str_sub(left, piece, left.n))
        must(deflate_put(out, str_sub(left, 0, piece)));
    must(deflate_finish(out));
    deflate_free(out);
    must(ours(buf_str(&gzip), piece, piece, &again) == INFLATE_OK);
    must(str_eq(buf_str(&again), text));
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    static struct arena *arena;
    if (size < 2 || size > MAX)
        return 0;
    if (!arena)
        arena = arena_new((size_t)256 << 20);
    struct str gzip = {(const char *)data + 2, size - 2};
    struct buf got = buf_init(arena, SIZE_MAX), want = buf_init(arena, SIZE_MAX);
    bool strict;
    enum inflate_code code = ours(gzip, 1 + data[0], 1 + data[1] * 16u, &got);
    bool accepted = theirs(gzip, &want, &strict);
    if (code == INFLATE_OK)
        must(strict || (accepted && str_eq(buf_str(&got), buf_str(&want))));
    else
        must(!accepted || (code == INFLATE_E_TOTAL && want.n > MAX));
    round_trip(arena, gzip, 1 + data[0]);
    arena_reset(arena);
    return 0;
}
