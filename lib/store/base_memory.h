/* base_memory: the bases that this process has used last (codec/delta_base.h), by their ids. A
 * process that forgets one reads it again: nothing but time depends on it.
 */
#ifndef LOADLINE_STORE_BASE_MEMORY_H
#define LOADLINE_STORE_BASE_MEMORY_H

#include "codec/delta_base.h"

enum { BASE_MEMORY_ID = 16 };

/* NULL when it is not remembered. It lives until the next base_memory_keep() or
 * base_memory_grow(). */
const struct delta_base *base_memory_find(struct str id);
/* Takes a base that is not remembered, and forgets those that were not used for longest until the
 * others together take no more than `max` bytes. Returns the base, which lives as long as one that
 * was found. */
const struct delta_base *base_memory_keep(struct str id, struct delta_base *base, size_t max);

/* The base of that id has got an addition, and another id: as delta_base_grow(). Nothing happens
 * when it is not remembered. */
void base_memory_grow(struct str id, struct str grown_id, const delta_chunk_list *chunks,
                      uint64_t stored);

#endif
