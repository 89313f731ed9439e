/* exemption: findings that an operator has accepted, for a time. */
#ifndef LOADLINE_SCORE_EXEMPTION_H
#define LOADLINE_SCORE_EXEMPTION_H

#include "base/clock.h"
#include "score/check.h"

struct exemption {
    const struct check *check;
    struct str namespace; /* absent: of any, and what is in none */
    struct str workload;  /* "deployment/api", or a name of whatever kind; absent: all */
    struct str reason, owner;
    int64_t expires; /* milliseconds: from then on the finding counts again */
};

typedef LIST(struct exemption) exemption_list;

/* The one for a finding of this check about "deployment/api" in a namespace: of several the one
 * that lasts longest. NULL: none. */
const struct exemption *exemption_find(const exemption_list *list, const struct check *check,
                                       struct str namespace, struct str resource);

#endif
