/* delta_base: what must be known of a stored text to tell which parts of another one are in it: the
 * length and the hash of each of its chunks (codec/cut.h), and the key of the hashes.
 *
 * It is stored beside the text as the text's `chunks`, and a delta refers to it: delta_make.h makes
 * one, delta_read.h applies it.
 *
 * A base may grow by additions: chunks that later texts have and it has not got. Each is stored as
 * a base is, with the key of the first. Its chunks are numbered on from those before, and its text
 * stands behind theirs. What a delta says of chunks stays right when the base grows.
 */
#ifndef LOADLINE_CODEC_DELTA_BASE_H
#define LOADLINE_CODEC_DELTA_BASE_H

#include "base/list.h"
#include "codec/cut.h"
#include "codec/keyed_hash.h"

/* Bytes of a text, at most: more than a snapshot may be. */
#define DELTA_TEXT_MAX ((uint64_t)1 << 31)

struct delta_chunk {
    char hash[KEYED_HASH];
    uint32_t length; /* CUT_MIN to CUT_MAX; the last one may be shorter */
};

typedef LIST(struct delta_chunk) delta_chunk_list;

struct delta_base;

/* Reads what delta_base_write() has written of a base and of its n - 1 additions, in their order,
 * into memory of its own. NULL when something is damaged or the text is longer than DELTA_TEXT_MAX,
 * or there is no memory. */
struct delta_base *delta_base_read(const struct str *written, uint32_t n);
/* The base and one addition more, in memory of its own. NULL as above. */
struct delta_base *delta_base_grow(const struct delta_base *base, const struct delta_chunk *items,
                                   uint32_t n, uint64_t stored);
void delta_base_free(struct delta_base *base);

/* stored: how many bytes the text takes where it is stored. */
struct str delta_base_write(struct arena *arena, const char *key, const struct delta_chunk *items,
                            uint32_t n, uint64_t stored);

const char *delta_base_key(const struct delta_base *base); /* KEYED_HASH_KEY bytes */
/* How many bytes its own text takes where it is stored, and those of its additions together. */
uint64_t delta_base_stored(const struct delta_base *base);
uint64_t delta_base_added(const struct delta_base *base);
uint32_t delta_base_additions(const struct delta_base *base);
/* Bytes of memory that it takes. */
size_t delta_base_memory(const struct delta_base *base);

/* All chunks, and those of its own text, which come first. */
uint32_t delta_base_n(const struct delta_base *base);
uint32_t delta_base_own(const struct delta_base *base);
/* The chunk, before those that follow it. */
const struct delta_chunk *delta_base_chunk(const struct delta_base *base, uint32_t number);
/* Where the chunk stands in the text; for a number that is the number of chunks, where the text
 * ends. */
uint64_t delta_base_offset(const struct delta_base *base, uint32_t number);
/* The first chunk with that hash; UINT32_MAX when there is none. */
uint32_t delta_base_find(const struct delta_base *base, const char hash[KEYED_HASH]);

/* The digest of a text is the hash of the hashes and lengths of its chunks. */
void delta_digest_put(struct keyed_hash *digest, const struct delta_chunk *chunks, uint32_t n);
/* That of the base's own text, without additions. False without memory. */
bool delta_base_digest(const struct delta_base *base, char digest[KEYED_HASH]);

#endif
