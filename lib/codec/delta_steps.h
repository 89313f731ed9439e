/* delta_steps: which chunks of a base the chunks of a text are, as the steps of a delta
 * (delta_format.h). They are made twice: as they are, and as they would be if the new chunks were
 * an addition to the base (delta_base_grow()).
 */
#ifndef LOADLINE_CODEC_DELTA_STEPS_H
#define LOADLINE_CODEC_DELTA_STEPS_H

#include "base/buf.h"
#include "codec/delta_base.h"

struct delta_steps {
    struct arena *arena;
    const struct delta_base *base; /* NULL: every chunk is new */
    struct buf plain, added;       /* the steps; `added`: as if the new chunks were an addition */
    delta_chunk_list fresh;        /* the new chunks; none are listed without a base */
    bool copies;                   /* has a chunk of the base been found? */
    /* The chunks in a row that are alike: of the base from `from` on, or new ones. */
    struct {
        bool copied;
        uint32_t from, n;
        struct buf lengths; /* of new ones */
    } run;
    /* Behind the chunks that were found last: of the base's own text, and of its additions. */
    uint32_t next, next_added;
};

/* The base lives as long. max: bytes of the steps. */
struct delta_steps delta_steps(struct arena *arena, const struct delta_base *base, size_t max);
/* The next chunk of the text. Is it a new one? */
bool delta_steps_add(struct delta_steps *steps, const struct delta_chunk *chunk);
/* The same of several: as many of them as are, in a row, what the base's own text has next. How
 * many that are. */
uint32_t delta_steps_follow(struct delta_steps *steps, const struct delta_chunk *chunks,
                            uint32_t n);
/* Behind the last chunk. False when the steps are longer than max. */
bool delta_steps_end(struct delta_steps *steps);

#endif
