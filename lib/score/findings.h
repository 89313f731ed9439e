/* findings: what judge_cluster() found, before it is priced. */
#ifndef LOADLINE_SCORE_FINDINGS_H
#define LOADLINE_SCORE_FINDINGS_H

#include "score/policy.h"
#include "score/result.h"

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
    const struct exemption *exemption; /* as of struct risk */
    uint64_t id;                       /* of the risk; 0: the ledger makes it */
    /* set by the ledger */
    const struct check *absorbed_by;
    double hazard; /* its part of the score's */
};

/* The objects that any check of an account evaluated, a bit an ordinal. */
struct asked {
    uint64_t *bits;
    uint32_t words;
};

struct verdict_recall;
struct filed_findings;
struct priced;

/* What judging found. Lists are in the order of checks.def, then of the cluster's lists. */
struct findings {
    const struct check_context *context;
    struct verdict_recall *recall; /* for verdict_recall_end() */
    struct finding **items;
    uint32_t n;
    struct check_result *checks; /* CHECK_COUNT of them */
    struct asked asked[ACCOUNT_COUNT];
    const struct filed_findings *filed; /* set by the ledger: hazard.h */
    const struct priced *priced;        /* likewise */
};

#endif
