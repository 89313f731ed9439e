/* judge: asks every check about every object it is for, and keeps what failed. */
#ifndef LOADLINE_SCORE_JUDGE_H
#define LOADLINE_SCORE_JUDGE_H

#include "score/score.h"

/* A failed check on one object. */
struct finding {
    const struct check *check;
    const struct object *object;
    uint32_t ordinal; /* of the object among those of the check's subject */
    enum severity severity;
    struct str container, message;
    uint32_t count;
    bool exempt;
    struct str exempt_reason;
    const struct check *absorbed_by; /* set by the ledger */
    double weight;                   /* share of its category's loss; set by the ledger */
};

/* What judging found. Lists are in the order of checks.def, then of the cluster's lists. */
struct findings {
    struct finding *items;
    uint32_t n;
    struct check_result *checks;           /* CHECK_COUNT of them */
    uint32_t cause_evaluated[CAUSE_COUNT]; /* objects that any check of the cause evaluated */
};

struct findings *judge_cluster(struct arena *arena, const struct cluster *cluster,
                               const struct score_policy *policy, int64_t time);

#endif
