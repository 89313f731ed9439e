/* An hour's packed points: what is read is in order, within the hour, and is written and read again
 * as the same points. */
#include <stdlib.h>
#include <string.h>

#include "codec/point_chunk.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const int64_t HOUR = INT64_C(1773748800000);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct chunk_point points[POINT_CHUNK_MAX], again[POINT_CHUNK_MAX];
    struct str bytes = {(const char *)data, size};
    size_t n, m;
    if (!point_chunk_decode(bytes, HOUR, points, &n))
        return 0;
    struct arena *arena = arena_new((size_t)64 << 20);
    struct str written = point_chunk_encode(arena, HOUR, points, n);
    if (n == 0 || !point_chunk_decode(written, HOUR, again, &m) || m != n)
        abort();
    for (size_t i = 0; i < n; i++) {
        const struct chunk_point *a = &points[i], *b = &again[i];
        if (a->time < HOUR || a->time >= HOUR + POINT_CHUNK_MS || (i && a->time < a[-1].time))
            abort();
        if (a->time != b->time || a->score != b->score || a->score_exact != b->score_exact ||
            a->nodes != b->nodes || a->pods != b->pods || a->risks != b->risks ||
            a->formula != b->formula)
            abort();
    }
    arena_free(arena);
    return 0;
}
