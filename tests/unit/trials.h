/* trials: mutations tried on a cluster, and its score before and after compared. What goes the
 * wrong way is told with what it takes to see it again, cut down to the fewest objects. */
#ifndef LOADLINE_TESTS_TRIALS_H
#define LOADLINE_TESTS_TRIALS_H

#include "mutations.h"
#include "properties.h"

/* Each row of the table `times` times, by throws of the seed; every `stride`-th row only. The
 * number of those that went the wrong way; each is told on stderr. With PROPERTY_KEEP=DIR its
 * objects, before and after, are left there. */
unsigned trials_of(const struct specimen *specimen, const struct mutation_table *table,
                   uint64_t seed, unsigned times, unsigned stride);
/* Rows that found nothing to change on any specimen yet, one a line. For a test that none is idle.
 */
struct str trials_idle(struct arena *arena);

/* PROPERTY_ROUNDS and PROPERTY_SEED, or what is given. */
unsigned trials_rounds(unsigned otherwise);
uint64_t trials_seed(void);

#endif
