/* delta_memory: where a text was cut, what its chunks' hashes are, and which parts it has. The next
 * one mostly has the same parts: what stands in them is then neither cut nor hashed again.
 *
 * It is a cache: what is made with it is to the byte what is made without. It holds no text.
 */
#ifndef LOADLINE_CODEC_DELTA_MEMORY_H
#define LOADLINE_CODEC_DELTA_MEMORY_H

#include "base/table.h"
#include "codec/delta_base.h"
#include "codec/text_part.h"

struct delta_memory;

/* NULL without memory; free with delta_memory_free(), which takes NULL. */
struct delta_memory *delta_memory_new(void);
void delta_memory_free(struct delta_memory *memory);
/* What it takes now: some 30 bytes for each part and each chunk. */
size_t delta_memory_bytes(const struct delta_memory *memory);

/* Remembers this text in place of the one before. key: of the hashes, KEYED_HASH_KEY bytes. Without
 * memory nothing is remembered. */
void delta_memory_keep(struct delta_memory *memory, const char *key, delta_chunk_list chunks,
                       text_part_list parts);

/* ---- the text that is remembered, asked for while another one is cut ---- */

enum { DELTA_NONE = UINT32_MAX };

struct delta_recall {
    const struct delta_memory *memory; /* NULL: none, or of another key */
    struct arena *arena;
    struct table by_content; /* of parts; made on first use */
};

/* memory: may be NULL. */
struct delta_recall delta_recall(struct arena *arena, const struct delta_memory *memory,
                                 const char *key);
/* How many chunks and parts the text has; 0 without memory. */
uint32_t delta_recall_chunks(const struct delta_recall *recall);
uint32_t delta_recall_parts(const struct delta_recall *recall);
/* The part with that content; of several, the one that is expected when it is among them. */
uint32_t delta_recall_part(struct delta_recall *recall, uint64_t content, uint32_t expected);
const struct text_part *delta_recall_at(const struct delta_recall *recall, uint32_t part);
/* The chunk that begins at the offset. */
uint32_t delta_recall_chunk(const struct delta_recall *recall, uint64_t offset);
/* The chunk of that number, before those that follow it. NULL for the last one, which ends where
 * the text did, and behind it. */
const struct delta_chunk *delta_recall_cut(const struct delta_recall *recall, uint32_t number);
/* How many chunks, from that number on, end within n bytes; never the last one. */
uint32_t delta_recall_within(const struct delta_recall *recall, uint32_t number, size_t n);

#endif
