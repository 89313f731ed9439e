/* properties: what must hold of the score of any cluster (docs/scoring.md). Each function fails
 * the running test, naming the specimen. */
#ifndef LOADLINE_TESTS_PROPERTIES_H
#define LOADLINE_TESTS_PROPERTIES_H

#include "objects.h"

struct specimen {
    const char *name;
    struct objects objects;
    int64_t time; /* of the snapshot */
};

/* 0 to 100; impacts sum to the losses of their categories, and these to what is missing from 100.
 */
void assert_sums(const struct specimen *specimen);
/* Without any one of its findings the score is not lower. */
void assert_mending_helps(const struct specimen *specimen);
/* The report has the same bytes whatever the order of the objects. */
void assert_order_is_nothing(const struct specimen *specimen);
/* With every object twice, policy loses about the same: less than a point more or less. */
void assert_doubling_changes_little(const struct specimen *specimen);

/* score_exact, in hundredths. */
uint32_t score_of_specimen(const struct specimen *specimen);

#endif
