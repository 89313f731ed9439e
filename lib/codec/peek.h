/* peek: a source whose first bytes are looked at before it is read. */
#ifndef LOADLINE_CODEC_PEEK_H
#define LOADLINE_CODEC_PEEK_H

#include "codec/sniff.h"
#include "codec/source.h"

struct peek {
    struct source from;
    char start[SNIFF_BYTES];
    size_t n, at;
};

/* Reads the first bytes. False when the source failed; what came before that is there all the same.
 */
bool peek_open(struct peek *peek, struct source from);
/* Bytes that have not been read on. */
struct str peek_start(const struct peek *peek);
/* Leaves out the next n of those. */
void peek_skip(struct peek *peek, size_t n);
/* All bytes, those looked at included. Lives as long as `peek`, which must not move. */
struct source peek_source(struct peek *peek);

#endif
