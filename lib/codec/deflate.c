#include "codec/deflate.h"

#include <stdlib.h>

#include "base/asserts.h"
#include "codec/crc.h"
#include "codec/raw.h"

struct deflate {
    struct sink sink;
    struct raw_deflate *raw;
    bool begun, failed;
    uint32_t crc, length; /* of what was put in */
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
    *out = (struct deflate){.sink = sink, .raw = raw};
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

bool deflate_put(struct deflate *out, struct str bytes)
{
    if (out->failed)
        return false;
    out->crc = crc_update(out->crc, bytes);
    out->length += (uint32_t)bytes.n;
    out->failed = !emit_header(out) || !raw_deflate_put(out->raw, bytes, false, out->sink);
    return !out->failed;
}

bool deflate_finish(struct deflate *out)
{
    bool finished = !out->failed && emit_header(out) &&
                    raw_deflate_put(out->raw, STR(""), true, out->sink) && emit_trailer(out);
    out->failed = true;
    return finished;
}
