/* settle: what the controllers do once proposed objects are there, as far as it is sure: a status
 * that was about the old object is not about the new one. Pure, but for `after`.
 *
 *   pods       those of a workload whose containers ask for other resources are replaced
 *   endpoints  of a Service with another selector are others
 *   budgets    what a PodDisruptionBudget with another spec allows is counted anew
 */
#ifndef LOADLINE_GATE_SETTLE_H
#define LOADLINE_GATE_SETTLE_H

#include "gate/proposal.h"
#include "kube/model.h"

/* before, after: the cluster without the proposal and with it. Changes `after`. */
void settle(struct arena *arena, const struct proposal *proposal, const struct cluster *before,
            struct cluster *after);
/* The workload of that kind, namespace and name; NULL: there is none. */
struct workload *proposed_workload(const struct cluster *cluster, const struct proposed *object);

#endif
