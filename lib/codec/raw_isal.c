/* ISA-L instead of zlib: it inflates in half of zlib's time or less and deflates in a sixth. It is
 * less strict: sets of codes may be incomplete. The checksum is then what tells right from wrong.
 */
#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#include <stdlib.h>

#include "codec/raw.h"

/* ISA-L leaves the upper halves of vector registers in use, which slows down all SSE code that
 * follows. */
static void leave_vectors(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx"))
        __asm__ volatile("vzeroupper" ::: "memory");
#endif
}

/* ---- inflate ---- */

struct raw_inflate {
    struct inflate_state z;
};

struct raw_inflate *raw_inflate_open(void)
{
    struct raw_inflate *raw = malloc(sizeof *raw);
    if (raw)
        isal_inflate_init(&raw->z);
    return raw;
}

void raw_inflate_free(struct raw_inflate *raw)
{
    free(raw);
}

bool raw_inflate_reset(struct raw_inflate *raw)
{
    isal_inflate_reset(&raw->z);
    return true;
}

static uint32_t at_most(size_t n)
{
    return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}

enum raw_status raw_inflate_run(struct raw_inflate *raw, struct str *input, char *out, size_t *n)
{
    struct inflate_state *z = &raw->z;
    z->next_in = (uint8_t *)(uintptr_t)input->p;
    z->avail_in = at_most(input->n);
    z->next_out = (uint8_t *)out;
    z->avail_out = at_most(*n);
    int status = isal_inflate(z);
    leave_vectors();
    bool ended = z->block_state == ISAL_BLOCK_FINISH;
    if (ended) /* whole bytes that it holds belong to what comes behind the stream */
        z->next_in -= z->read_in_length / 8;
    const char *rest = (const char *)z->next_in;
    *input = (struct str){rest, (size_t)(input->p + input->n - rest)};
    *n = (size_t)(z->next_out - (uint8_t *)out);
    return status < 0 ? RAW_WRONG : ended ? RAW_END : RAW_MORE;
}

/* ---- the checksum ---- */

uint32_t raw_crc(uint32_t crc, struct str bytes)
{
    crc = crc32_gzip_refl(crc, (const unsigned char *)bytes.p, bytes.n);
    leave_vectors();
    return crc;
}

/* ---- deflate ---- */

/* Input is gathered into pieces of one size: what comes out then does not depend on how it was put
 * in. */
enum { PIECE = 64 * 1024, OUTPUT_SIZE = 64 * 1024, LEVEL_BUFFER = ISAL_DEF_LVL3_DEFAULT };

struct raw_deflate {
    struct isal_zstream z;
    size_t gathered;
    unsigned char input[PIECE], output[OUTPUT_SIZE], level_buffer[LEVEL_BUFFER];
};

struct raw_deflate *raw_deflate_open(int level)
{
    struct raw_deflate *raw = malloc(sizeof *raw);
    if (!raw)
        return NULL;
    isal_deflate_init(&raw->z);
    raw->z.level = level == 1 ? 1 : 3;
    raw->z.level_buf = raw->level_buffer;
    raw->z.level_buf_size = LEVEL_BUFFER;
    raw->gathered = 0;
    return raw;
}

void raw_deflate_free(struct raw_deflate *raw)
{
    free(raw);
}

/* Deflates what was gathered and hands on whatever comes out. */
static bool run(struct raw_deflate *raw, bool last, struct sink sink)
{
    raw->z.next_in = raw->input;
    raw->z.avail_in = (uint32_t)raw->gathered;
    raw->z.end_of_stream = last;
    raw->gathered = 0;
    do {
        raw->z.next_out = raw->output;
        raw->z.avail_out = OUTPUT_SIZE;
        int status = isal_deflate(&raw->z);
        leave_vectors();
        struct str piece = {(char *)raw->output, OUTPUT_SIZE - raw->z.avail_out};
        if (status != COMP_OK || (piece.n && !sink.put(sink.context, piece)))
            return false;
    } while (raw->z.avail_out == 0);
    return true;
}

bool raw_deflate_put(struct raw_deflate *raw, struct str bytes, bool last, struct sink sink)
{
    while (bytes.n > 0) {
        struct str part = str_sub(bytes, 0, PIECE - raw->gathered);
        memcpy(raw->input + raw->gathered, part.p, part.n);
        raw->gathered += part.n;
        bytes = str_sub(bytes, part.n, bytes.n);
        if (raw->gathered == PIECE && !run(raw, false, sink))
            return false;
    }
    return !last || run(raw, true, sink);
}
