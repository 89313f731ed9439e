/* point_chunk: the points of an hour of a score history as bytes: about six a point.
 *
 * A chunk is a header and a column after another. A column tells by how much each value differs
 * from the one before, and of times by how much the distance does. Values that do not change are
 * counted, so a column in which nothing changes takes three bytes.
 */
#ifndef LOADLINE_CODEC_POINT_CHUNK_H
#define LOADLINE_CODEC_POINT_CHUNK_H

#include "base/buf.h"

/* Points in a chunk: more than five a second. */
enum { POINT_CHUNK_MAX = 20000, POINT_CHUNK_MS = 3600 * 1000 };

struct chunk_point {
    int64_t time; /* milliseconds since 1970 */
    uint32_t nodes, pods, risks;
    uint16_t score_exact; /* hundredths */
    uint8_t score, formula;
};

/* points: 1 to POINT_CHUNK_MAX, ascending, several of one time among them, all of the hour that
 * begins at start. In the arena. */
struct str point_chunk_encode(struct arena *arena, int64_t start, const struct chunk_point *points,
                              size_t n);
/* Reads it back into points, which has room for POINT_CHUNK_MAX. False when it is not such bytes,
 * or tells of points that are not within that hour, or of values that no point can have. */
bool point_chunk_decode(struct str bytes, int64_t start, struct chunk_point *points, size_t *n);

#endif
