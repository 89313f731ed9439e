/* hazard: which part of the score a check belongs to, and how much a finding of it weighs there
 * (hazards.def; docs/scoring.md).
 */
#ifndef LOADLINE_SCORE_HAZARD_H
#define LOADLINE_SCORE_HAZARD_H

#include "score/findings.h"

enum hazard_part {
    PART_POSTURE, /* what has no row */
    PART_WORKLOAD,
    PART_MASS,
    PART_NODE,
    PART_CONTROL,
    PART_DNS,
    PART_NETWORK,
    PART_INGRESS,
    PART_EVIDENCE
};
enum { PART_COUNT = PART_EVIDENCE + 1 };

struct hazard {
    enum hazard_part part;
    enum severity least; /* findings below it are notices */
    double amount;       /* 0 to 1; units of the control plane may be more */
    uint32_t rank;       /* order of the row, from 1: a lower one explains more */
};

extern const struct hazard hazards[]; /* parallel to checks[] */

static inline const struct hazard *hazard_of(const struct check *check)
{
    ASSERT_SLOW(check_is_known(check));
    return &hazards[check - checks];
}

typedef LIST(struct finding *) finding_list;

/* Neighbours among all findings that are of one check: items [from .. to). */
struct finding_run {
    const struct check *check;
    uint32_t from, to;
};

/* Findings that are looked for together, in the order of all. */
struct filed_findings {
    LIST(struct finding_run) runs;     /* all of them; what a check decides is asked once a run */
    finding_list of[PART_COUNT];       /* of each part but posture: mostly a few */
    finding_list outages;              /* of workloads and masses together */
    finding_list sharing[CAUSE_COUNT]; /* of each cause but CAUSE_none */
};

/* Files them: sets findings->filed. */
void hazard_file(struct arena *arena, struct findings *findings);

/* What the finding weighs in its part: 0 when it is exempt or a notice. */
double hazard_amount(const struct finding *finding);

#endif
