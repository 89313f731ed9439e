/* apportion: splits a whole number by weights, so that the parts add up exactly. */
#ifndef LOADLINE_SCORE_APPORTION_H
#define LOADLINE_SCORE_APPORTION_H

#include "base/arena.h"

/* One that takes part. */
struct portion {
    double weight; /* not negative */
    uint64_t key;  /* of equal remainders, the lower key gets more */
    uint32_t part; /* set */
};

/* Splits total by largest remainder. Portions without weight get nothing; when none has any, all
 * get nothing. */
void apportion(struct arena *arena, uint32_t total, struct portion *portions, uint32_t n);

#endif
