/* cut: cuts a text into chunks where its content says so.
 *
 * A cut depends on the 64 bytes before it. Behind a place where two texts differ the chunks of one
 * are soon those of the other again, wherever they stand: what was put in, left out, or is in
 * another order costs the chunks that it touches. How soon depends on the least length: a place to
 * cut that one of them passes over, because a chunk has just begun, the other one may take. Twice
 * as long chunks would be a third fewer hashes, and twice as much new text for each change.
 */
#ifndef LOADLINE_CODEC_CUT_H
#define LOADLINE_CODEC_CUT_H

#include "base/str.h"

/* Bytes of a chunk; the last one of a text may be shorter. */
enum { CUT_MIN = 1024, CUT_MAX = 16 * 1024 };

/* A zeroed one begins a text. */
struct cut {
    uint64_t window; /* of the bytes before */
    size_t n;        /* bytes of the chunk until now */
};

/* How many of the bytes belong to the chunk; at least one of one or more. *ends: it ends behind
 * them, and the next one begins. */
size_t cut_next(struct cut *cut, struct str bytes, bool *ends);

#endif
