/* delta_make: a text becomes a delta against a stored one: which of its chunks are that one's, and
 * the others themselves, as zstd.
 *
 * The text passes through once, in any pieces, and is not kept. What is made depends on the text
 * and the base alone. The work for a byte is bounded, whatever the text is; a delta is never much
 * longer than the text itself would be as zstd.
 */
#ifndef LOADLINE_CODEC_DELTA_MAKE_H
#define LOADLINE_CODEC_DELTA_MAKE_H

#include "codec/delta_base.h"

struct delta_maker;

struct delta_made {
    bool whole;               /* nothing of it is in the base: it is `body` alone */
    char digest[KEYED_HASH];  /* of the text, by the key of the base or of the chunks */
    uint64_t length, literal; /* bytes of the text, and of its chunks that are not in the base */
    struct str delta;         /* unless whole */
    struct str body;          /* when whole and wanted: the text as zstd */
    delta_chunk_list chunks;  /* of the text */
    const char *key;          /* of their hashes, KEYED_HASH_KEY bytes */
};

/* base: lives until the maker is freed; NULL: everything is new. Without want_body what is new is
 * not kept: for who has the text already and wants to know its chunks. max: bytes of the result. In
 * the arena but for what delta_maker_free() frees. NULL without memory. */
struct delta_maker *delta_maker_new(struct arena *arena, const struct delta_base *base,
                                    bool want_body, size_t max);
void delta_maker_free(struct delta_maker *maker);

/* False when it is more than max, the text longer than DELTA_TEXT_MAX, or memory ran out; later
 * calls are false too. */
bool delta_maker_put(struct delta_maker *maker, struct str bytes);
bool delta_maker_failed(const struct delta_maker *maker);
bool delta_maker_finish(struct delta_maker *maker, struct delta_made *made);

#endif
