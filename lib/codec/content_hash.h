/* content_hash: says whether bytes are the same as before, also where somebody else chooses them.
 *
 * A keyed_hash under a key that each process draws for itself: without the key nobody finds two
 * texts with the same hash but by chance.
 */
#ifndef LOADLINE_CODEC_CONTENT_HASH_H
#define LOADLINE_CODEC_CONTENT_HASH_H

#include "base/str.h"

enum { CONTENT_HASH_MAX = 1 << 30 }; /* bytes of a text */

struct content_hash {
    unsigned char bytes[16];
};

/* Of both together; `context` is what the text means something else in, and must tell by itself
 * where it ends. False when there is none: no memory is left, or the text is too long. Nothing is
 * the same as before then. */
bool content_hash(struct str context, struct str text, struct content_hash *hash);

static inline bool content_hash_eq(const struct content_hash *a, const struct content_hash *b)
{
    return memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0;
}

#endif
