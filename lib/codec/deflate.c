#include "codec/deflate.h"

#include <stdlib.h>
#include <zlib.h>

enum { OUTPUT_SIZE = 64 * 1024, INPUT_MAX = 1 << 30, GZIP_WINDOW = 15 + 16, MEMORY_LEVEL = 8 };

struct deflate {
    struct sink sink;
    z_stream z;
    bool failed;
    unsigned char output[OUTPUT_SIZE];
};

struct deflate *deflate_open(struct sink sink, int level)
{
    struct deflate *out = malloc(sizeof *out);
    if (!out)
        return NULL;
    out->sink = sink;
    out->z = (z_stream){0};
    out->failed = false;
    if (deflateInit2(&out->z, level, Z_DEFLATED, GZIP_WINDOW, MEMORY_LEVEL, Z_DEFAULT_STRATEGY) !=
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

/* Deflates what z.next_in holds and hands on whatever comes out. */
static bool run(struct deflate *out, int flush)
{
    do {
        out->z.next_out = out->output;
        out->z.avail_out = OUTPUT_SIZE;
        if (deflate(&out->z, flush) == Z_STREAM_ERROR)
            return false;
        struct str piece = {(char *)out->output, OUTPUT_SIZE - out->z.avail_out};
        if (piece.n && !out->sink.put(out->sink.context, piece))
            return false;
    } while (out->z.avail_out == 0);
    return true;
}

bool deflate_put(struct deflate *out, struct str bytes)
{
    while (!out->failed && bytes.n > 0) {
        struct str piece = str_sub(bytes, 0, INPUT_MAX);
        out->z.next_in = (unsigned char *)(uintptr_t)piece.p;
        out->z.avail_in = (uInt)piece.n;
        out->failed = !run(out, Z_NO_FLUSH);
        bytes = str_sub(bytes, piece.n, bytes.n);
    }
    return !out->failed;
}

bool deflate_finish(struct deflate *out)
{
    if (!out->failed)
        out->failed = !run(out, Z_FINISH);
    bool finished = !out->failed;
    out->failed = true;
    return finished;
}
