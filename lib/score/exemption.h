/* exemption: findings that an operator has accepted, for a time. */
#ifndef LOADLINE_SCORE_EXEMPTION_H
#define LOADLINE_SCORE_EXEMPTION_H

#include "base/clock.h"
#include "score/check.h"

struct exemption {
    struct str id; /* under which it is stored; absent: it is of a file */
    const struct check *check;
    struct str namespace; /* absent: of any, and what is in none */
    struct str workload;  /* "deployment/api", or a name of whatever kind; absent: all */
    struct str reason, owner;
    int64_t expires; /* milliseconds: from then on the finding counts again */
    int64_t changed; /* when it was last written, of one that is stored */
};

typedef LIST(struct exemption) exemption_list;

/* The one for a finding of this check about "deployment/api" in a namespace: of several the one
 * that lasts longest. NULL: none. */
const struct exemption *exemption_find(const exemption_list *list, const struct check *check,
                                       struct str namespace, struct str resource);

/* The end that a text names: a time, or a day, which means the end of it: what expires on the 31st
 * is good on the 31st. TIME_NONE: it is neither. */
int64_t exemption_end(struct str text);

/* A resource as risks name it: "deployment/api" of "Deployments.apps/api" or "deploy/api", in the
 * arena; a name alone stays as it is. Absent: it is no "kind/name" and no name. */
struct str exemption_resource(struct arena *arena, struct str text);

#endif
