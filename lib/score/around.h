/* around: what stands around a workload, as far as local checks (struct check) are shown it. These
 * are facts and no objects, so that what a verdict follows from can be compared: whoever adds one
 * adds it to what is remembered, too (verdict_basis.c).
 */
#ifndef LOADLINE_SCORE_AROUND_H
#define LOADLINE_SCORE_AROUND_H

#include "score/component.h"

/* Of a topmost workload. */
struct around {
    int64_t minimum; /* autoscaled_minimum() */
    bool may_rest;   /* may_rest_at_zero() */
    enum component component;
    bool has_account;          /* the account that its pods run under is in the snapshot ... */
    enum tri automount;        /* ... and says this of its token */
    bool has_default_account;  /* the namespace shows its account "default" */
    bool has_service;          /* a Service selects it ... */
    struct str service;        /* ... the first of them */
    bool has_labels;           /* the snapshot holds labels of its pods: selection.h */
    unsigned directions;       /* that network policies isolate it in */
    uint32_t policies;         /* network policies of its namespace */
    bool has_summary_policies; /* some of them do not say whom they govern */
    bool has_budget;           /* a disruption budget selects it */
    bool has_summary_budgets;  /* some of its namespace do not say whom they protect */
    /* Of one whose affinity asks for labels of namespaces; else, and when it is not shown, NULL. */
    const struct namespace *namespace;
};

/* Parallel to cluster->roots. The context has all else that judge_prepare() makes. */
struct around *around_build(const struct check_context *context);
/* Of the cluster as a whole. */
struct setting setting_of(const struct check_context *context);
bool setting_is_same(const struct setting *a, const struct setting *b);

/* The replicas that there are to be before long: those that it asks for, or what autoscalers that
 * may leave it at `minimum` raise them to. They leave alone what is scaled to zero. */
int64_t lasting_replicas(const struct workload *workload, int64_t minimum);

#endif
