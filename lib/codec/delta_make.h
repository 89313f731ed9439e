/* delta_make: a text becomes a delta against a stored one: which of its chunks are that one's, and
 * the others themselves, as zstd.
 *
 * The text passes through once, in any pieces, and is not kept. What is made depends on the text
 * and the base alone; what is remembered of the text before (delta_memory.h) saves time. The work
 * for a byte is bounded, whatever the text is; a delta is never much longer than the text itself
 * would be as zstd.
 */
#ifndef LOADLINE_CODEC_DELTA_MAKE_H
#define LOADLINE_CODEC_DELTA_MAKE_H

#include "codec/delta_memory.h"

struct delta_maker;

struct delta_made {
    bool whole;               /* nothing of it is in the base: it is `body` alone */
    char digest[KEYED_HASH];  /* of the text, by the key of the base or of the chunks */
    uint64_t length, literal; /* bytes of the text, and of its chunks that are not in the base */
    uint64_t known;           /* and of those that the memory knew: neither cut nor hashed */
    struct str delta;         /* unless whole */
    struct str body;          /* when whole and wanted: the text as zstd */
    delta_chunk_list chunks;  /* of the text */
    const char *key;          /* of their hashes, KEYED_HASH_KEY bytes */
    /* The same when what is new becomes an addition to the base (delta_base_grow()): these chunks,
     * their text as zstd, and the delta against the base as it is then. Without chunks when there
     * is nothing new, or the base would be too long. */
    struct {
        delta_chunk_list chunks;
        struct str body, delta;
    } addition;
};

struct delta_options {
    const struct delta_base *base;     /* lives until the maker is freed; NULL: everything is new */
    const struct delta_memory *memory; /* as long; NULL: there is none */
    bool want_body; /* without, what is new is not kept: for who has the text already and wants to
                       know its chunks */
    size_t max;     /* bytes of the result */
};

/* In the arena but for what delta_maker_free() frees. NULL without memory. */
struct delta_maker *delta_maker_new(struct arena *arena, const struct delta_options *options);
void delta_maker_free(struct delta_maker *maker);

/* False when it is more than max, the text longer than DELTA_TEXT_MAX, or memory ran out; later
 * calls are false too. */
bool delta_maker_put(struct delta_maker *maker, struct str bytes);
/* The same for a part, of which the memory may know the content: as a part_sink. */
bool delta_maker_put_part(struct delta_maker *maker, const struct text_view *text, uint64_t content,
                          uint64_t lead);
bool delta_maker_put_run(struct delta_maker *maker, const struct text_run *run);
bool delta_maker_failed(const struct delta_maker *maker);
bool delta_maker_finish(struct delta_maker *maker, struct delta_made *made);

#endif
