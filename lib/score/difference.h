/* difference: why a score moved: two lists of impacts beside each other. Pure.
 *
 * Points are what the score gained (a risk that is gone) or lost (one that is new), in hundredths;
 * those of all entries together are exactly the change of the score.
 */
#ifndef LOADLINE_SCORE_DIFFERENCE_H
#define LOADLINE_SCORE_DIFFERENCE_H

#include "score/impacts.h"

enum difference_kind {
    DIFFERENCE_OPENED,
    DIFFERENCE_RESOLVED,
    DIFFERENCE_CHANGED,   /* it costs more or less than before */
    DIFFERENCE_UNCHANGED, /* counted, not listed */
    DIFFERENCE_KINDS
};

struct difference_entry {
    uint64_t id;
    enum difference_kind kind;
    uint32_t before, after; /* 0 where there is none */
};

struct difference {
    int64_t change; /* of score_exact */
    struct {
        uint32_t count;
        int64_t points;
    } sums[DIFFERENCE_KINDS];
    LIST(struct difference_entry) entries; /* most points first, then by id */
};

/* What the entry gave the score. */
int64_t difference_points(const struct difference_entry *entry);

struct difference difference_of(struct arena *arena, const struct impacts *from,
                                const struct impacts *to);

#endif
