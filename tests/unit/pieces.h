/* pieces: a text that is read piece by piece, and a sink that fills a buf. */
#ifndef LOADLINE_TESTS_PIECES_H
#define LOADLINE_TESTS_PIECES_H

#include "base/buf.h"
#include "codec/source.h"

struct pieces {
    struct str rest;
    size_t piece; /* bytes at a time; 0: as many as are asked for */
};
struct source pieces_source(struct pieces *pieces);
struct sink pieces_sink(struct buf *buf);

#endif
