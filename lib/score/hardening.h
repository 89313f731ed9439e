/* hardening: the hazard of posture: what makes an outage likely or worse, but is none.
 * docs/scoring.md. Pure.
 */
#ifndef LOADLINE_SCORE_HARDENING_H
#define LOADLINE_SCORE_HARDENING_H

#include "score/outage.h"

/* Chooses who pays for each cause (sets absorbed_by), and sets the hazard of each finding of
 * posture to its part of the sum that is returned: x, not a hazard yet. What is down dilutes
 * nothing. */
double hardening_sum(struct arena *arena, struct findings *findings, const struct outage *outage);

/* The hazard of the sum x where nothing is down. */
double hardening_hazard(double x);

/* What a finding of that severity adds to x when all objects asked have it. */
double hardening_cost(enum severity severity);

#endif
