/* keyed_hash: 128 bits of a text (Poly1305), by a key that nobody knows who may choose the text.
 *
 * Two different texts of up to 16 KiB have the same hash by chance once in 2^93, whatever they are,
 * as long as neither the key nor hashes get to whoever makes them. (As a code of messages that
 * strangers see, Poly1305 needs another key for each: nobody sees these.)
 */
#ifndef LOADLINE_CODEC_KEYED_HASH_H
#define LOADLINE_CODEC_KEYED_HASH_H

#include "base/str.h"

enum { KEYED_HASH = 16, KEYED_HASH_KEY = 32 };

struct keyed_hash;

/* key: KEYED_HASH_KEY random bytes, which are copied. NULL without memory. */
struct keyed_hash *keyed_hash_new(const char *key);
void keyed_hash_free(struct keyed_hash *hash);

/* Of the bytes that were put since the end before. */
void keyed_hash_put(struct keyed_hash *hash, struct str bytes);
void keyed_hash_end(struct keyed_hash *hash, char digest[KEYED_HASH]);

#endif
