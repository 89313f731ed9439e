/* listings: texts like snapshots, for tests of deltas. */
#ifndef LOADLINE_TESTS_LISTINGS_H
#define LOADLINE_TESTS_LISTINGS_H

#include "base/str.h"

/* A list of objects, each of about `size` bytes; `order` says which object stands where, and
 * `changed`, which one is another in a thousand. */
struct listing {
    unsigned n, size, changed, round;
    unsigned (*order)(const struct listing *listing, unsigned i);
};

/* Orders. */
unsigned as_they_are(const struct listing *listing, unsigned i);
unsigned backwards(const struct listing *listing, unsigned i);
unsigned shuffled(const struct listing *listing, unsigned i);
unsigned doubled(const struct listing *listing, unsigned i);
unsigned all_one(const struct listing *listing, unsigned i);

/* The text, in the arena of scratch.h. */
struct str list_of(struct listing listing);

#endif
