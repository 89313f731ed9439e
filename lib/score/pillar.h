/* pillar: what nothing dilutes: nodes, cluster DNS, the network of pods, ingress, the control plane
 * (docs/scoring.md). Pure.
 */
#ifndef LOADLINE_SCORE_PILLAR_H
#define LOADLINE_SCORE_PILLAR_H

#include "score/outage.h"

/* Prices the findings of pillars, as outage_price() does those of workloads. Returns the hazard of
 * all of them together. */
double pillar_price(struct arena *arena, struct findings *findings, const struct outage *outage);

#endif
