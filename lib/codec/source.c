#include "codec/source.h"

#include <string.h>

static ptrdiff_t read_bytes(void *context, char *dst, size_t cap)
{
    struct str *bytes = context;
    struct str piece = str_sub(*bytes, 0, cap);
    if (piece.n)
        memcpy(dst, piece.p, piece.n);
    *bytes = str_sub(*bytes, piece.n, bytes->n);
    return (ptrdiff_t)piece.n;
}

struct source source_of(struct str *bytes)
{
    return (struct source){read_bytes, bytes};
}
