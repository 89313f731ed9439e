/* priced: what the risks of a judgement cost, and their order. Both follow from the hazards, and
 * most pushes change none: the next judgement takes them over instead of working them out. */
#ifndef LOADLINE_SCORE_PRICED_H
#define LOADLINE_SCORE_PRICED_H

#include "score/apportion.h"

struct priced {
    uint32_t n;
    uint32_t total;           /* that the portions add up to */
    struct portion *portions; /* one a finding; the key is the id of its risk */
    uint32_t *order;          /* of the ledger's risks: which finding each is */
};

/* Is the same to be split in the same way? */
bool priced_is_same(const struct priced *a, const struct priced *b);

size_t priced_bytes(const struct priced *priced); /* of a copy; 0 of NULL */
/* On the heap, in one piece. NULL without memory, when it takes more than max, or of NULL. */
struct priced *priced_copy(const struct priced *priced, size_t max);

#endif
