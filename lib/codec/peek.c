#include "codec/peek.h"

bool peek_open(struct peek *peek, struct source from)
{
    *peek = (struct peek){.from = from};
    for (ptrdiff_t n = 1; n && peek->n < sizeof peek->start; peek->n += (size_t)n) {
        n = from.read(from.context, peek->start + peek->n, sizeof peek->start - peek->n);
        if (n < 0)
            return false;
    }
    return true;
}

struct str peek_start(const struct peek *peek)
{
    return (struct str){peek->start + peek->at, peek->n - peek->at};
}

void peek_skip(struct peek *peek, size_t n)
{
    peek->at += n;
}

static ptrdiff_t read_peeked(void *context, char *dst, size_t cap)
{
    struct peek *peek = context;
    size_t n = peek->n - peek->at;
    if (n == 0)
        return peek->from.read(peek->from.context, dst, cap);
    n = n < cap ? n : cap;
    memcpy(dst, peek->start + peek->at, n);
    peek->at += n;
    return (ptrdiff_t)n;
}

struct source peek_source(struct peek *peek)
{
    return (struct source){read_peeked, peek};
}
