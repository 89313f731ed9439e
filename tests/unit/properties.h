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
/* With every object twice, policy loses about the same: less than four points more or less, which
 * the least number of objects that share a finding and what stands once take of a small cluster. */
void assert_doubling_changes_little(const struct specimen *specimen);

/* csc_score is score_exact rounded down, and that is 100 * exp(-hazard). */
void assert_rounded_down(const struct specimen *specimen);
/* One List, its objects one after another and collections of one kind each have the same report. */
void assert_form_is_nothing(const struct specimen *specimen);
/* A document that is extended has the report of all of it, and its own before. */
void assert_extended_is_joined(const struct specimen *specimen);
/* What earlier snapshots showed and this one does not never raises its score. */
void assert_memory_never_raises(const struct specimen *specimen);

/* Does it hold an object of a kind that is read? */
bool is_readable(const struct specimen *specimen);
/* score_exact, in hundredths. */
uint32_t score_of_specimen(const struct specimen *specimen);
struct score_policy;
uint32_t score_by_policy(const struct specimen *specimen, const struct score_policy *policy);
struct inventory;
/* The same; and notes in the inventory whatever a check complains of. */
uint32_t note_findings(const struct specimen *specimen, struct inventory *inventory);

#endif
