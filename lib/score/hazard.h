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

struct hazard {
    enum hazard_part part;
    enum severity least; /* findings below it are notices */
    double amount;       /* 0 to 1; units of the control plane may be more */
    uint32_t rank;       /* order of the row, from 1: a lower one explains more */
};

const struct hazard *hazard_of(const struct check *check);

/* What the finding weighs in its part: 0 when it is exempt or a notice. */
double hazard_amount(const struct finding *finding);

#endif
