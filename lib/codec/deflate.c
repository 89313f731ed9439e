#include "codec/deflate.h"

#include <stdlib.h>
#include <string.h>

#include "base/asserts.h"
#include "codec/raw.h"

/* A call of the library costs as much as hundreds of bytes: small pieces wait for one another. */
enum { WAITING_MAX = 16 * 1024 };

struct deflate {
    struct sink sink;
    struct raw_deflate *raw;
    bool begun, failed;
    uint32_t crc, length; /* of what went to the library */
    size_t waiting_n;
    char waiting[WAITING_MAX];
};

struct deflate *deflate_open(struct sink sink, int level)
{
    assert(sink.put);
    struct deflate *out = malloc(sizeof *out);
    struct raw_deflate *raw = raw_deflate_open(level);
    if (!out || !raw) {
        raw_deflate_free(raw);
        free(out);
        return NULL;
    }
    out->sink = sink;
    out->raw = raw;
    out->begun = out->failed = false;
    out->crc = out->length = 0;
    out->waiting_n = 0;
    return out;
}

void deflate_free(struct deflate *out)
{
    if (!out)
        return;
    raw_deflate_free(out->raw);
    free(out);
}

static bool emit(struct deflate *out, const void *bytes, size_t n)
{
    return out->sink.put(out->sink.context, (struct str){bytes, n});
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

static bool compress(struct deflate *out, struct str bytes, bool last)
{
    out->crc = raw_crc(out->crc, bytes);
    out->length += (uint32_t)bytes.n;
    return emit_header(out) && raw_deflate_put(out->raw, bytes, last, out->sink);
}

static bool compress_waiting(struct deflate *out, bool last)
{
    struct str waiting = {out->waiting, out->waiting_n};
    out->waiting_n = 0;
    return (!waiting.n && !last) || compress(out, waiting, last);
}

bool deflate_put(struct deflate *out, struct str bytes)
{
    if (out->failed)
        return false;
    if (bytes.n > WAITING_MAX - out->waiting_n)
        out->failed = !compress_waiting(out, false);
    if (out->failed)
        return false;
    if (bytes.n > WAITING_MAX) {
        out->failed = !compress(out, bytes, false);
    } else if (bytes.n) {
        memcpy(out->waiting + out->waiting_n, bytes.p, bytes.n);
        out->waiting_n += bytes.n;
    }
    return !out->failed;
}

bool deflate_finish(struct deflate *out)
{
    bool finished = !out->failed && compress_waiting(out, true) && emit_trailer(out);
    out->failed = true;
    return finished;
}
