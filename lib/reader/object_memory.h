/* object_memory: the objects of the document that was read last, for the next one of the same
 * cluster, which mostly has the same ones in the same order.
 *
 * Kept of each are its length and a hash of its bytes (codec/content_hash.h). When they were met a
 * second time, what became of them is kept as well: the decoded object, and where its redaction
 * changes them. From then on the reader jumps over them. What is kept holds no secret: an object of
 * which the filter cuts anything is read anew each time (scrub.h), and neither raw nor redacted
 * bytes are kept.
 *
 * It is a cache. What is read with it is the same as without, but for time.
 */
#ifndef LOADLINE_READER_OBJECT_MEMORY_H
#define LOADLINE_READER_OBJECT_MEMORY_H

#include "base/str.h"

struct object_memory;

/* Keeps at most so many bytes of objects, and beyond that a hundred bytes an object. NULL without
 * memory; free with object_memory_free(), which takes NULL. A model that was read with it points
 * into it until it is freed, or until the next snapshot_read() with it. */
struct object_memory *object_memory_new(size_t max);
void object_memory_free(struct object_memory *memory);

/* What it takes now. */
size_t object_memory_bytes(const struct object_memory *memory);
/* Of the last snapshot_read() with it that gave a model: how many objects were jumped over, how
 * many were read, and how many of these were pods of which the spec was known. */
struct object_memory_use {
    uint64_t known, read, specs;
};
struct object_memory_use object_memory_use(const struct object_memory *memory);

#endif
