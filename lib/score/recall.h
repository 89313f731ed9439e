/* recall: what a snapshot showed when it was pushed, and its redacted copy does not show any more:
 * values of variables and ConfigMaps. Who judges the copy again gives what was found the first
 * time, and it counts as found again.
 */
#ifndef LOADLINE_SCORE_RECALL_H
#define LOADLINE_SCORE_RECALL_H

#include "score/result.h"

struct recalled {
    const struct risk *risk;
    bool found; /* it was; else the copy alone shows it, and it counts as passed */
};

struct recall {
    LIST(struct recalled) items; /* by check and object */
};

/* Of the risks at the push and those that judging the copy gave: those that are in one list only.
 * both: the first list is whole, so that what it lacks was not found. */
struct recall recall_difference(struct arena *arena, const struct risk *pushed, uint32_t pushed_n,
                                const struct ledger *judged, bool both);

/* What is recalled of the check about the object; NULL: nothing. */
const struct recalled *recall_find(const struct recall *recall, const struct check *check,
                                   struct str namespace, struct str resource);

#endif
