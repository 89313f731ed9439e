#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

#include "codec/crc.h"
#include "codec/raw.h"

enum { WINDOW = -15, MEMORY_LEVEL = 8, OUTPUT_SIZE = 64 * 1024, INPUT_MAX = 1 << 30 };

/* ---- inflate ---- */

struct raw_inflate {
    z_stream z;
};

struct raw_inflate *raw_inflate_open(void)
{
    struct raw_inflate *raw = malloc(sizeof *raw);
    if (!raw)
        return NULL;
    raw->z = (z_stream){0};
    if (inflateInit2(&raw->z, WINDOW) == Z_OK)
        return raw;
    free(raw);
    return NULL;
}

void raw_inflate_free(struct raw_inflate *raw)
{
    if (!raw)
        return;
    inflateEnd(&raw->z);
    free(raw);
}

bool raw_inflate_reset(struct raw_inflate *raw)
{
    return inflateReset(&raw->z) == Z_OK;
}

static uInt at_most(size_t n)
{
    return n < UINT_MAX ? (uInt)n : UINT_MAX;
}

enum raw_status raw_inflate_run(struct raw_inflate *raw, struct str *input, char *out, size_t *n)
{
    z_stream *z = &raw->z;
    z->next_in = (unsigned char *)(uintptr_t)input->p;
    z->avail_in = at_most(input->n);
    z->next_out = (unsigned char *)out;
    z->avail_out = at_most(*n);
    int status = inflate(z, Z_NO_FLUSH);
    size_t taken = (size_t)(z->next_in - (unsigned char *)(uintptr_t)input->p);
    *input = str_sub(*input, taken, input->n);
    *n = (size_t)(z->next_out - (unsigned char *)out);
    switch (status) {
    case Z_STREAM_END:
        return RAW_END;
    case Z_OK:
    case Z_BUF_ERROR:
        return RAW_MORE;
    case Z_MEM_ERROR: /* its window is allocated when something has come out */
        return RAW_MEMORY;
    default:
        return RAW_WRONG;
    }
}

/* ---- the checksum ---- */

uint32_t raw_crc(uint32_t crc, struct str bytes)
{
    return crc_update(crc, bytes);
}

/* ---- deflate ---- */

struct raw_deflate {
    z_stream z;
    unsigned char output[OUTPUT_SIZE];
};

struct raw_deflate *raw_deflate_open(int level)
{
    struct raw_deflate *raw = malloc(sizeof *raw);
    if (!raw)
        return NULL;
    raw->z = (z_stream){0};
    if (deflateInit2(&raw->z, level, Z_DEFLATED, WINDOW, MEMORY_LEVEL, Z_DEFAULT_STRATEGY) == Z_OK)
        return raw;
    free(raw);
    return NULL;
}

void raw_deflate_free(struct raw_deflate *raw)
{
    if (!raw)
        return;
    deflateEnd(&raw->z);
    free(raw);
}

/* Deflates what z.next_in holds and hands on whatever comes out. */
static bool run(struct raw_deflate *raw, int flush, struct sink sink)
{
    do {
        raw->z.next_out = raw->output;
        raw->z.avail_out = OUTPUT_SIZE;
        if (deflate(&raw->z, flush) == Z_STREAM_ERROR)
            return false;
        struct str piece = {(char *)raw->output, OUTPUT_SIZE - raw->z.avail_out};
        if (piece.n && !sink.put(sink.context, piece))
            return false;
    } while (raw->z.avail_out == 0);
    return true;
}

bool raw_deflate_put(struct raw_deflate *raw, struct str bytes, bool last, struct sink sink)
{
    while (bytes.n > 0) {
        struct str piece = str_sub(bytes, 0, INPUT_MAX);
        raw->z.next_in = (unsigned char *)(uintptr_t)piece.p;
        raw->z.avail_in = (uInt)piece.n;
        bytes = str_sub(bytes, piece.n, bytes.n);
        if (!run(raw, Z_NO_FLUSH, sink))
            return false;
    }
    return !last || run(raw, Z_FINISH, sink);
}
