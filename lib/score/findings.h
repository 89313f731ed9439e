/* findings: what judge_cluster() found, before it is priced. */
#ifndef LOADLINE_SCORE_FINDINGS_H
#define LOADLINE_SCORE_FINDINGS_H

#include "score/policy.h"
#include "score/result.h"

/* A failed check on one object. */
struct finding {
    /* What prices it stands together: the ledger walks all findings several times. */
    const struct check *check;
    uint32_t ordinal; /* of the object among those of the check's subject */
    uint32_t count;
    enum severity severity;
    bool exempt;
    const struct check *absorbed_by; /* set by the ledger */
    double hazard;                   /* set by the ledger: its part of the score's */
    uint64_t id;                     /* of the risk; 0: the ledger makes it */
    const struct object *object;
    struct str container, message;
    struct str exempt_reason;
    const struct exemption *exemption; /* as of struct risk */
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
    bool any_exempt;
    struct check_result *checks; /* CHECK_COUNT of them */
    struct asked asked[ACCOUNT_COUNT];
    const struct filed_findings *filed; /* set by the ledger: hazard.h */
    const struct priced *priced;        /* likewise */
};

#endif
