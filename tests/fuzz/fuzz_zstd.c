/* The reader of zstd against libzstd itself, in pieces that the first two bytes choose; and a round
 * trip. */
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/buf.h"
#include "codec/zstd.h"

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

static enum inflate_code ours(struct str zstd, size_t piece, size_t room, struct buf *out)
{
    struct pieces pieces = {zstd, piece};
    struct zstd_reader *in = zstd_reader_open((struct source){read_piece, &pieces}, MAX);
    struct source source = zstd_reader_source(in);
    for (ptrdiff_t n = 1; n > 0;) {
        n = source.read(source.context, buf_reserve(out, room), room);
        buf_commit(out, n > 0 ? (size_t)n : 0);
    }
    enum inflate_code code = zstd_reader_error(in);
    zstd_reader_free(in);
    return code;
}

/* Frames one after another, so many bytes a call, with all of the window that they ask for. *over:
 * it is more than MAX. */
static bool theirs(struct str zstd, size_t piece, struct buf *out, bool *over)
{
    ZSTD_DCtx *z = ZSTD_createDCtx();
    ZSTD_inBuffer in = {zstd.p, 0, 0};
    size_t status = 1;
    bool good = zstd.n > 0, moved = true;
    *over = false;
    while (good && !*over && (moved || in.size < zstd.n)) {
        if (in.pos == in.size)
            in.size = piece < zstd.n - in.size ? in.size + piece : zstd.n;
        ZSTD_outBuffer room = {buf_reserve(out, MAX + 1), MAX + 1, 0};
        size_t before = in.pos;
        if (status == 0 && in.pos < in.size)
            good = zstd_is_start(str_sub(zstd, in.pos, zstd.n));
        status = ZSTD_decompressStream(z, &room, &in);
        buf_commit(out, room.pos);
        moved = in.pos != before || room.pos;
        *over = out->n > MAX;
        good = good && !ZSTD_isError(status);
        if (in.pos == zstd.n && status == 0)
            break;
    }
    ZSTD_freeDCtx(z);
    return good && status == 0 && zstd_is_start(zstd);
}

static void round_trip(struct arena *arena, struct str text, size_t piece)
{
    struct buf zstd = buf_init(arena, SIZE_MAX), again = buf_init(arena, SIZE_MAX);
    struct zstd_writer *out = zstd_writer_open((struct sink){put, &zstd}, 1 + (int)(piece % 3));
    for (struct str left = text; left.n; left = str_sub(left, piece, left.n))
        must(zstd_writer_put(out, str_sub(left, 0, piece)));
    must(zstd_writer_finish(out));
    zstd_writer_free(out);
    must(ours(buf_str(&zstd), piece, piece, &again) == INFLATE_OK);
    must(str_eq(buf_str(&again), text));
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    static struct arena *arena;
    if (size < 2 || size > MAX)
        return 0;
    if (!arena)
        arena = arena_new((size_t)256 << 20);
    struct str zstd = {(const char *)data + 2, size - 2};
    struct buf got = buf_init(arena, SIZE_MAX), whole = got, bytes = got;
    bool whole_over, bytes_over;
    enum inflate_code code = ours(zstd, 1 + data[0], 1 + data[1] * 16u, &got);
    /* libzstd itself differs: a frame that is there whole must have the size that it says, also
     * when its last block is empty. */
    bool whole_taken = theirs(zstd, zstd.n, &whole, &whole_over);
    bool bytes_taken = theirs(zstd, 1, &bytes, &bytes_over);
    if (code == INFLATE_OK)
        must((whole_taken && str_eq(buf_str(&got), buf_str(&whole))) ||
             (bytes_taken && str_eq(buf_str(&got), buf_str(&bytes))));
    else
        must(!whole_taken || !bytes_taken || code == INFLATE_E_WINDOW ||
             (code == INFLATE_E_TOTAL && (whole_over || bytes_over)));
    round_trip(arena, zstd, 1 + data[0]);
    arena_reset(arena);
    return 0;
}
