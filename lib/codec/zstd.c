#include "codec/zstd.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/asserts.h"

enum { MAGIC_SIZE = 4, INPUT_SIZE = 64 * 1024, OUTPUT_SIZE = 64 * 1024, WINDOW_LOG_MAX = 23 };

_Static_assert(ZSTD_WINDOW_MAX == 1 << WINDOW_LOG_MAX, "one limit, told in two units");

/* Could more bytes make it the start of a frame, or is it one? */
static bool may_be_start(struct str start)
{
    static const char FRAME[] = "\x28\xB5\x2F\xFD", SKIPPABLE[] = "\x50\x2A\x4D\x18";
    bool frame = true, skippable = true;
    for (size_t i = 0; i < start.n && i < MAGIC_SIZE; i++) {
        char c = start.p[i];
        frame = frame && c == FRAME[i];
        skippable = skippable && (i ? c : (char)(c & '\xF0')) == SKIPPABLE[i];
    }
    return frame || skippable;
}

bool zstd_is_start(struct str start)
{
    return start.n >= MAGIC_SIZE && may_be_start(start);
}

/* ---- reading ---- */

struct zstd_reader {
    struct source from;
    ZSTD_DCtx *z;
    uint64_t max, total;
    enum inflate_code code;
    bool begun;      /* there was a frame */
    bool in_frame;   /* and it has not ended */
    struct str left; /* of the input below */
    char input[INPUT_SIZE];
};

struct zstd_reader *zstd_reader_open(struct source from, uint64_t max)
{
    struct zstd_reader *reader = malloc(sizeof *reader);
    ZSTD_DCtx *z = ZSTD_createDCtx();
    if (!reader || !z ||
        ZSTD_isError(ZSTD_DCtx_setParameter(z, ZSTD_d_windowLogMax, WINDOW_LOG_MAX))) {
        ZSTD_freeDCtx(z);
        free(reader);
        return NULL;
    }
    reader->z = z;
    zstd_reader_reset(reader, from, max);
    return reader;
}

void zstd_reader_reset(struct zstd_reader *reader, struct source from, uint64_t max)
{
    ZSTD_DCtx_reset(reader->z, ZSTD_reset_session_only); /* of the session it never fails */
    reader->from = from;
    reader->max = max;
    reader->total = 0;
    reader->code = INFLATE_OK;
    reader->begun = reader->in_frame = false;
    reader->left = (struct str){reader->input, 0};
}

void zstd_reader_free(struct zstd_reader *reader)
{
    if (!reader)
        return;
    ZSTD_freeDCtx(reader->z);
    free(reader);
}

static ptrdiff_t fail(struct zstd_reader *reader, enum inflate_code code)
{
    reader->code = code;
    return -1;
}

/* More input behind what is left of it. 0 at its end, negative: the source failed. */
static ptrdiff_t refill(struct zstd_reader *reader)
{
    memmove(reader->input, reader->left.p, reader->left.n);
    size_t n = reader->left.n;
    ptrdiff_t more = reader->from.read(reader->from.context, reader->input + n, INPUT_SIZE - n);
    reader->left = (struct str){reader->input, n + (more > 0 ? (size_t)more : 0)};
    return more < 0 ? fail(reader, INFLATE_E_SOURCE) : more;
}

/* 1: a frame begins; 0: there is none any more; negative: something else is there. libzstd would
 * take formats of before 2016 as well: their magic is refused here. */
static ptrdiff_t begin_frame(struct zstd_reader *reader)
{
    ptrdiff_t n = 1;
    while (n > 0 && reader->left.n < MAGIC_SIZE && may_be_start(reader->left))
        n = refill(reader);
    if (n < 0)
        return n;
    if (!may_be_start(reader->left))
        return fail(reader, INFLATE_E_CORRUPT);
    if (reader->left.n < MAGIC_SIZE)
        return reader->left.n || !reader->begun ? fail(reader, INFLATE_E_TRUNCATED) : 0;
    reader->begun = reader->in_frame = true;
    return 1;
}

static enum inflate_code code_of(size_t result)
{
    switch (ZSTD_getErrorCode(result)) {
    case ZSTD_error_memory_allocation:
        return INFLATE_E_MEMORY;
    case ZSTD_error_frameParameter_windowTooLarge:
        return INFLATE_E_WINDOW;
    default:
        return INFLATE_E_CORRUPT;
    }
}

/* Takes what input there is, until something comes out. How many bytes, negative: it is wrong. One
 * byte more than allowed is asked for, to see whether there is one. */
static ptrdiff_t take(struct zstd_reader *reader, char *dst, size_t cap)
{
    uint64_t room = reader->max - reader->total;
    ZSTD_outBuffer out = {dst, room < cap ? (size_t)room + 1 : cap, 0};
    ZSTD_inBuffer in = {reader->left.p, reader->left.n, 0};
    size_t result = ZSTD_decompressStream(reader->z, &out, &in);
    reader->left = str_sub(reader->left, in.pos, in.size);
    reader->total += out.pos;
    if (ZSTD_isError(result))
        return fail(reader, code_of(result));
    if (reader->total > reader->max)
        return fail(reader, INFLATE_E_TOTAL);
    reader->in_frame = result != 0;
    return (ptrdiff_t)out.pos;
}

static ptrdiff_t read_plain(void *context, char *dst, size_t cap)
{
    struct zstd_reader *reader = context;
    if (reader->code != INFLATE_OK)
        return -1;
    for (;;) {
        ptrdiff_t n = reader->in_frame ? 1 : begin_frame(reader);
        if (n <= 0)
            return n;
        /* Without input, too: some of what went in may still have to come out. */
        n = take(reader, dst, cap);
        if (n != 0)
            return n;
        if (!reader->in_frame || reader->left.n)
            continue;
        n = refill(reader);
        if (n <= 0)
            return n < 0 ? n : fail(reader, INFLATE_E_TRUNCATED);
    }
}

struct source zstd_reader_source(struct zstd_reader *reader)
{
    return (struct source){read_plain, reader};
}

enum inflate_code zstd_reader_error(const struct zstd_reader *reader)
{
    return reader->code;
}

/* ---- writing ---- */

struct zstd_writer {
    struct sink sink;
    ZSTD_CCtx *z;
    bool failed;
    char output[OUTPUT_SIZE];
};

static bool set(ZSTD_CCtx *z, ZSTD_cParameter parameter, int value)
{
    return !ZSTD_isError(ZSTD_CCtx_setParameter(z, parameter, value));
}

struct zstd_writer *zstd_writer_open(struct sink sink, int level)
{
    struct zstd_writer *writer = malloc(sizeof *writer);
    ZSTD_CCtx *z = ZSTD_createCCtx();
    if (!writer || !z || !set(z, ZSTD_c_compressionLevel, level) ||
        !set(z, ZSTD_c_checksumFlag, 1)) {
        ZSTD_freeCCtx(z);
        free(writer);
        return NULL;
    }
    writer->z = z;
    zstd_writer_reset(writer, sink);
    return writer;
}

void zstd_writer_reset(struct zstd_writer *writer, struct sink sink)
{
    assert(sink.put);
    ZSTD_CCtx_reset(writer->z, ZSTD_reset_session_only);
    writer->sink = sink;
    writer->failed = false;
}

void zstd_writer_free(struct zstd_writer *writer)
{
    if (!writer)
        return;
    ZSTD_freeCCtx(writer->z);
    free(writer);
}

/* Hands on whatever comes out, until all of the input is in, and at the end all of it out. */
static bool compress(struct zstd_writer *writer, struct str bytes, ZSTD_EndDirective directive)
{
    ZSTD_inBuffer in = {bytes.p, bytes.n, 0};
    size_t result;
    do {
        ZSTD_outBuffer out = {writer->output, OUTPUT_SIZE, 0};
        result = ZSTD_compressStream2(writer->z, &out, &in, directive);
        struct str piece = {writer->output, out.pos};
        if (ZSTD_isError(result) || (piece.n && !writer->sink.put(writer->sink.context, piece)))
            return false;
    } while (directive == ZSTD_e_end ? result != 0 : in.pos < in.size);
    return true;
}

bool zstd_writer_put(struct zstd_writer *writer, struct str bytes)
{
    if (!writer->failed && bytes.n)
        writer->failed = !compress(writer, bytes, ZSTD_e_continue);
    return !writer->failed;
}

bool zstd_writer_finish(struct zstd_writer *writer)
{
    bool finished = !writer->failed && compress(writer, STR(""), ZSTD_e_end);
    writer->failed = true;
    return finished;
}

/* ---- at once ---- */

size_t zstd_pack_bound(size_t n)
{
    return ZSTD_compressBound(n);
}

size_t zstd_pack(struct str bytes, char *to, size_t cap)
{
    static ZSTD_CCtx *z;
    if (!z && (z = ZSTD_createCCtx()) == NULL)
        return 0;
    size_t n = ZSTD_compressCCtx(z, to, cap, bytes.p, bytes.n, 1);
    return ZSTD_isError(n) ? 0 : n;
}

bool zstd_unpack(struct str packed, char *to, size_t n)
{
    static ZSTD_DCtx *z;
    if (!z && (z = ZSTD_createDCtx()) == NULL)
        return false;
    return ZSTD_decompressDCtx(z, to, n, packed.p, packed.n) == n;
}
