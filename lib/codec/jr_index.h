/* jr_index: finds the tokens of JSON text, block by block, and checks what is inside strings.
 *
 * A token is the place of one of { } [ ] : , outside strings, of a quote that opens a string, or of
 * the first byte of a scalar (a run of anything else that is not white space). What follows what is
 * the reader's business; this here guarantees that between the quote and the token after it there
 * is nothing but a well formed string (UTF-8, escapes, surrogate pairs, no control characters), its
 * closing quote and white space.
 */
#ifndef LOADLINE_CODEC_JR_INDEX_H
#define LOADLINE_CODEC_JR_INDEX_H

#include "codec/jr.h"

enum {
    JR_BLOCK = 64,
    JR_AHEAD = 16, /* bytes behind a block that its checks may look at */
    JR_BATCH = 32  /* blocks indexed at once */
};

enum jr_kernel { JR_KERNEL_PORTABLE, JR_KERNEL_SSE2, JR_KERNEL_AVX2 };
/* The fastest that this machine has. */
enum jr_kernel jr_kernel_best(void);

/* What the next block must know of the one before. */
struct jr_carry {
    uint64_t in_string; /* all ones inside a string, and after a fault */
    uint64_t escaped;   /* 1 when the next byte is escaped */
    uint64_t scalar;    /* 1 when the last byte belonged to a scalar */
};

struct jr_index {
    struct jr_carry carry;
    uint64_t sequence; /* low bits: the rest of a UTF-8 sequence, checked already */
    uint64_t low;      /* bits where the second half of a surrogate pair, checked already, begins */
    /* The fault that ended indexing. */
    enum jr_code code;
    const char *text;
    /* The tokens of this batch, and whether it has a backslash inside a string. */
    bool escapes;
    size_t count;
    uint32_t at[JR_BATCH * JR_BLOCK + JR_BLOCK];
};

/* Ready for bytes that begin outside of strings and scalars. */
void jr_index_reset(struct jr_index *x);

/* Indexes whole blocks from bytes[from] on, at most JR_BATCH of them, while a block and JR_AHEAD
 * bytes behind it are there before `end`; when `final`, up to `end`. The JR_BLOCK + JR_AHEAD bytes
 * from bytes[end] on must be readable, and blanks. Returns where indexing stopped: at a fault, that
 * is its first byte, and x->code says what it was. A sequence or escape that `end` cuts is no
 * fault. */
size_t jr_index_run(struct jr_index *x, enum jr_kernel kernel, const char *bytes, size_t from,
                    size_t end, bool final);

#endif
