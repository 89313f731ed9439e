#include "codec/inflate.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "codec/crc.h"

/* zlib's own checksum takes a quarter of its time, so it is told to leave that out, and a member's
 * trailer (CRC-32 and length) is compared here. What is lost is the check of the optional CRC of a
 * gzip header, which nobody writes. */
enum { INPUT_SIZE = 64 * 1024, GZIP_WINDOW = 15 + 16, TRAILER = 8 };

struct inflate {
    struct source from;
    z_stream z;
    uint64_t max, total;
    enum inflate_code code;
    bool inside;                               /* a member has begun and not ended */
    bool begun;                                /* there was a member */
    uint32_t crc, length;                      /* of the member's inflated bytes so far */
    unsigned char input[TRAILER + INPUT_SIZE]; /* first the last bytes of what was there before */
};

struct inflate *inflate_open(struct source from, uint64_t max)
{
    struct inflate *in = malloc(sizeof *in);
    if (!in)
        return NULL;
    in->from = from;
    in->z = (z_stream){.next_in = in->input + TRAILER};
    in->max = max;
    in->total = 0;
    in->code = INFLATE_OK;
    in->inside = in->begun = false;
    in->crc = in->length = 0;
    if (inflateInit2(&in->z, GZIP_WINDOW) != Z_OK) {
        free(in);
        return NULL;
    }
    inflateValidate(&in->z, 0);
    return in;
}

void inflate_free(struct inflate *in)
{
    if (!in)
        return;
    inflateEnd(&in->z);
    free(in);
}

static ptrdiff_t fail(struct inflate *in, enum inflate_code code)
{
    in->code = code;
    return -1;
}

/* Has more compressed input been got? */
static bool refill(struct inflate *in)
{
    if (in->z.avail_in > 0)
        return true;
    memmove(in->input, in->z.next_in - TRAILER, TRAILER);
    in->z.next_in = in->input + TRAILER;
    ptrdiff_t n = in->from.read(in->from.context, (char *)in->input + TRAILER, INPUT_SIZE);
    if (n > 0) {
        in->z.avail_in = (uInt)n;
        return true;
    }
    if (n < 0)
        in->code = INFLATE_E_SOURCE;
    else if (in->inside || !in->begun)
        in->code = INFLATE_E_TRUNCATED;
    return false;
}

/* One byte more than allowed is asked for, to see whether there is one. */
static uInt room(const struct inflate *in, size_t cap)
{
    uint64_t left = in->max - in->total;
    size_t n = left < cap ? (size_t)left + 1 : cap;
    return n > UINT_MAX ? UINT_MAX : (uInt)n;
}

static uint32_t little_endian(const unsigned char *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* The member has ended: was it what its trailer says? */
static bool end_member(struct inflate *in)
{
    const unsigned char *trailer = in->z.next_in - TRAILER;
    bool right = little_endian(trailer) == in->crc && little_endian(trailer + 4) == in->length;
    in->inside = false;
    in->crc = in->length = 0;
    return right && inflateReset(&in->z) == Z_OK;
}

static ptrdiff_t read_inflated(void *context, char *dst, size_t cap)
{
    struct inflate *in = context;
    if (in->code != INFLATE_OK)
        return -1;
    while (refill(in)) {
        in->z.next_out = (unsigned char *)dst;
        in->z.avail_out = room(in, cap);
        if (!in->inside && in->z.next_in[0] != 0x1F)
            return fail(in, INFLATE_E_CORRUPT);
        in->inside = in->begun = true;
        int status = inflate(&in->z, Z_NO_FLUSH);
        size_t got = (size_t)(in->z.next_out - (unsigned char *)dst);
        in->total += got;
        if (in->total > in->max)
            return fail(in, INFLATE_E_TOTAL);
        in->crc = crc_update(in->crc, (struct str){dst, got});
        in->length += (uint32_t)got;
        bool right = status == Z_OK || status == Z_BUF_ERROR;
        if (!right && (status != Z_STREAM_END || !end_member(in)))
            return fail(in, INFLATE_E_CORRUPT);
        if (got > 0)
            return (ptrdiff_t)got;
    }
    return in->code == INFLATE_OK ? 0 : -1;
}

struct source inflate_source(struct inflate *in)
{
    return (struct source){read_inflated, in};
}

enum inflate_code inflate_error(const struct inflate *in)
{
    return in->code;
}

uint64_t inflate_total(const struct inflate *in)
{
    return in->total;
}

bool inflate_is_gzip(struct str start)
{
    return start.n >= 2 && start.p[0] == '\x1F' && start.p[1] == '\x8B';
}
