#include "codec/deflate.h"

#include <stdlib.h>
#include <zlib.h>

#include "codec/crc.h"

/* zlib makes the deflated bytes; gzip's header and trailer are put around them here, for the sake
 * of the faster checksum. */
enum { OUTPUT_SIZE = 64 * 1024, INPUT_MAX = 1 << 30, RAW_WINDOW = -15, MEMORY_LEVEL = 8 };

struct deflate {
    struct sink sink;
    z_stream z;
    bool begun, failed;
    uint32_t crc, length; /* of what was put in */
    unsigned char output[OUTPUT_SIZE];
};

struct deflate *deflate_open(struct sink sink, int level)
{
    struct deflate *out = malloc(sizeof *out);
    if (!out)
        return NULL;
    out->sink = sink;
    out->z = (z_stream){0};
    out->begun = out->failed = false;
    out->crc = out->length = 0;
    if (deflateInit2(&out->z, level, Z_DEFLATED, RAW_WINDOW, MEMORY_LEVEL, Z_DEFAULT_STRATEGY) !=
        Z_OK) {
        free(out);
        return NULL;
    }
    return out;
}

void deflate_free(struct deflate *out)
{
    if (!out)
        return;
    deflateEnd(&out->z);
    free(out);
}

static bool emit(struct deflate *out, const void *bytes, size_t n)
{
    return n == 0 || out->sink.put(out->sink.context, (struct str){bytes, n});
}

/* RFC 1952: deflate, no name, no time, "Unix". */
static bool emit_header(struct deflate *out)
{
    static const unsigned char HEADER[] = {0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3};
    bool first = !out->begun;
    out->begun = true;
    return !first || emit(out, HEADER, sizeof HEADER);
}

static bool emit_trailer(struct deflate *out)
{
    unsigned char trailer[8];
    for (int i = 0; i < 4; i++) {
        trailer[i] = (unsigned char)(out->crc >> 8 * i);
        trailer[4 + i] = (unsigned char)(out->length >> 8 * i);
    }
    return emit(out, trailer, sizeof trailer);
}

/* Deflates what z.next_in holds and hands on whatever comes out. */
static bool run(struct deflate *out, int flush)
{
    do {
        out->z.next_out = out->output;
        out->z.avail_out = OUTPUT_SIZE;
        if (deflate(&out->z, flush) == Z_STREAM_ERROR)
            return false;
        if (!emit(out, out->output, OUTPUT_SIZE - out->z.avail_out))
            return false;
    } while (out->z.avail_out == 0);
    return true;
}

bool deflate_put(struct deflate *out, struct str bytes)
{
    while (!out->failed && bytes.n > 0) {
        struct str piece = str_sub(bytes, 0, INPUT_MAX);
        out->crc = crc_update(out->crc, piece);
        out->length += (uint32_t)piece.n;
        out->z.next_in = (unsigned char *)(uintptr_t)piece.p;
        out->z.avail_in = (uInt)piece.n;
        out->failed = !emit_header(out) || !run(out, Z_NO_FLUSH);
        bytes = str_sub(bytes, piece.n, bytes.n);
    }
    return !out->failed;
}

bool deflate_finish(struct deflate *out)
{
    bool finished = !out->failed && emit_header(out) && run(out, Z_FINISH) && emit_trailer(out);
    out->failed = true;
    return finished;
}
