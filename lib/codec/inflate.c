#include "codec/inflate.h"

#include <stdlib.h>

#include "codec/raw.h"

/* gzip's frame is taken apart here, and not by zlib, whose checksum takes a quarter of its time. */

enum { INPUT_SIZE = 64 * 1024 };

/* The parts of a member, one after another; those that its flags do not announce are left out. */
enum part { START, EXTRA_SIZE, EXTRA, NAME, COMMENT, HEADER_CRC, BODY, TRAILER };

enum { START_SIZE = 10, FLAGS_AT = 3, TRAILER_SIZE = 8 };
enum { HAS_HEADER_CRC = 2, HAS_EXTRA = 4, HAS_NAME = 8, HAS_COMMENT = 16, RESERVED = 0xE0 };

struct inflate {
    struct source from;
    struct raw_inflate *raw;
    uint64_t max, total;
    enum inflate_code code;
    bool begun; /* there was a member */

    enum part part;
    uint32_t at;    /* bytes of the part that were taken */
    unsigned flags; /* of the member */
    uint32_t extra_size;
    uint64_t trailer;
    uint32_t crc, length; /* of the member's inflated bytes so far */

    struct str left; /* of the input below */
    char input[RAW_BEHIND + INPUT_SIZE];
};

struct inflate *inflate_open(struct source from, uint64_t max)
{
    struct inflate *in = malloc(sizeof *in);
    struct raw_inflate *raw = raw_inflate_open();
    if (!in || !raw) {
        raw_inflate_free(raw);
        free(in);
        return NULL;
    }
    in->from = from;
    in->raw = raw;
    in->max = max;
    in->total = 0;
    in->code = INFLATE_OK;
    in->begun = false;
    in->part = START;
    in->at = in->flags = in->extra_size = in->crc = in->length = 0;
    in->trailer = 0;
    in->left = (struct str){in->input + RAW_BEHIND, 0};
    return in;
}

void inflate_free(struct inflate *in)
{
    if (!in)
        return;
    raw_inflate_free(in->raw);
    free(in);
}

static ptrdiff_t fail(struct inflate *in, enum inflate_code code)
{
    in->code = code;
    return -1;
}

/* More input; what was before stays in front of it. False at its end. */
static bool refill(struct inflate *in)
{
    memmove(in->input, in->left.p - RAW_BEHIND, RAW_BEHIND);
    ptrdiff_t n = in->from.read(in->from.context, in->input + RAW_BEHIND, INPUT_SIZE);
    in->left = (struct str){in->input + RAW_BEHIND, n > 0 ? (size_t)n : 0};
    if (n > 0)
        return true;
    if (n < 0)
        in->code = INFLATE_E_SOURCE;
    else if (in->part != START || in->at > 0 || !in->begun)
        in->code = INFLATE_E_TRUNCATED;
    return false;
}

/* ---- the frame ---- */

static bool has_part(const struct inflate *in, enum part part)
{
    switch (part) {
    case EXTRA_SIZE:
        return in->flags & HAS_EXTRA;
    case EXTRA:
        return in->extra_size > 0;
    case NAME:
        return in->flags & HAS_NAME;
    case COMMENT:
        return in->flags & HAS_COMMENT;
    case HEADER_CRC:
        return in->flags & HAS_HEADER_CRC;
    default:
        return true;
    }
}

static bool begin_next(struct inflate *in)
{
    do
        in->part++;
    while (!has_part(in, in->part));
    in->at = 0;
    return true;
}

/* The member is over: was it what its trailer says? */
static bool end_member(struct inflate *in)
{
    bool right = (uint32_t)in->trailer == in->crc && in->trailer >> 32 == in->length;
    in->part = START;
    in->at = in->flags = in->extra_size = in->crc = in->length = 0;
    in->trailer = 0;
    return right && raw_inflate_reset(in->raw);
}

/* Takes a byte of a header or trailer. A header's optional checksum, which nobody writes, is not
 * looked at. */
static bool take(struct inflate *in, unsigned char c)
{
    static const unsigned char MAGIC[] = {0x1F, 0x8B, 8};
    uint32_t at = in->at++;
    switch (in->part) {
    case START:
        in->begun = true;
        if (at < sizeof MAGIC && c != MAGIC[at])
            return false;
        if (at == FLAGS_AT)
            in->flags = c;
        if (in->flags & RESERVED)
            return false;
        return in->at < START_SIZE || begin_next(in);
    case EXTRA_SIZE:
        in->extra_size |= (uint32_t)c << 8 * at;
        return in->at < 2 || begin_next(in);
    case EXTRA:
        return in->at < in->extra_size || begin_next(in);
    case NAME:
    case COMMENT:
        return c || begin_next(in);
    case HEADER_CRC:
        return in->at < 2 || begin_next(in);
    case TRAILER:
        in->trailer |= (uint64_t)c << 8 * at;
        return in->at < TRAILER_SIZE || end_member(in);
    case BODY:
        break;
    }
    return false;
}

static bool take_frame(struct inflate *in)
{
    while (in->left.n && in->part != BODY) {
        unsigned char c = (unsigned char)in->left.p[0];
        in->left = str_sub(in->left, 1, in->left.n);
        if (!take(in, c))
            return false;
    }
    return true;
}

/* ---- the body ---- */

/* One byte more than allowed is asked for, to see whether there is one. */
static size_t room(const struct inflate *in, size_t cap)
{
    uint64_t left = in->max - in->total;
    return left < cap ? (size_t)left + 1 : cap;
}

/* Inflates what there is. How many bytes came out, -1: something is wrong. */
static ptrdiff_t take_body(struct inflate *in, char *dst, size_t cap)
{
    size_t n = room(in, cap);
    enum raw_status status = raw_inflate_run(in->raw, &in->left, dst, &n);
    in->total += n;
    if (in->total > in->max)
        return fail(in, INFLATE_E_TOTAL);
    if (status == RAW_WRONG || status == RAW_MEMORY)
        return fail(in, status == RAW_WRONG ? INFLATE_E_CORRUPT : INFLATE_E_MEMORY);
    in->crc = raw_crc(in->crc, (struct str){dst, n});
    in->length += (uint32_t)n;
    if (status == RAW_END)
        begin_next(in);
    return (ptrdiff_t)n;
}

static ptrdiff_t read_inflated(void *context, char *dst, size_t cap)
{
    struct inflate *in = context;
    if (in->code != INFLATE_OK)
        return -1;
    do {
        if (!take_frame(in))
            return fail(in, INFLATE_E_CORRUPT);
        /* Without input, too: some of what went in may still have to come out. */
        ptrdiff_t n = in->part == BODY ? take_body(in, dst, cap) : 0;
        if (n != 0)
            return n;
    } while (in->left.n || refill(in));
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
