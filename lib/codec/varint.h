/* varint: whole numbers in as few bytes as they need, seven bits each, the lowest first. */
#ifndef LOADLINE_CODEC_VARINT_H
#define LOADLINE_CODEC_VARINT_H

#include "base/buf.h"

static inline void varint_put(struct buf *out, uint64_t n)
{
    for (; n >= 0x80; n >>= 7)
        buf_putc(out, (char)(n | 0x80));
    buf_putc(out, (char)n);
}

/* Takes one off the beginning. False when there is none, it is longer than it has to be, or more
 * than max. */
static inline bool varint_take(struct str *bytes, uint64_t max, uint64_t *n)
{
    if (bytes->n && !(bytes->p[0] & 0x80)) { /* most are that short */
        *n = (unsigned char)bytes->p[0];
        *bytes = (struct str){bytes->p + 1, bytes->n - 1};
        return *n <= max;
    }
    *n = 0;
    for (size_t i = 0; i < 9 && i < bytes->n; i++) {
        unsigned char c = (unsigned char)bytes->p[i];
        *n |= (uint64_t)(c & 0x7f) << (7 * i);
        if (c & 0x80)
            continue;
        *bytes = str_sub(*bytes, i + 1, bytes->n);
        return *n <= max && (c || i == 0);
    }
    return false;
}

#endif
