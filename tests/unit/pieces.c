#include "pieces.h"

static ptrdiff_t read_piece(void *context, char *to, size_t cap)
{
    struct pieces *from = context;
    struct str piece = str_sub(from->rest, 0, from->piece && from->piece < cap ? from->piece : cap);
    if (piece.n)
        memcpy(to, piece.p, piece.n);
    from->rest = str_sub(from->rest, piece.n, from->rest.n);
    return (ptrdiff_t)piece.n;
}

struct source pieces_source(struct pieces *pieces)
{
    return (struct source){read_piece, pieces};
}

static bool put(void *context, struct str bytes)
{
    buf_put(context, bytes);
    return true;
}

struct sink pieces_sink(struct buf *buf)
{
    return (struct sink){put, buf};
}
