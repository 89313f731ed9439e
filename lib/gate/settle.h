/* settle: what the controllers do once proposed objects are there, as far as it is sure: a status
 * that was about the old object is not about the new one. Pure, but for `after`.
 *
 *   pods       those of a workload with another template are replaced (replacing.h)
 *   endpoints  of a Service with another selector, or whose pods get other labels, are others
 *   budgets    what a PodDisruptionBudget allows is counted anew when it has another spec, or what
 *              it selects another number of replicas
 */
#ifndef LOADLINE_GATE_SETTLE_H
#define LOADLINE_GATE_SETTLE_H

#include "gate/proposal.h"
#include "kube/model.h"

/* before, after: the cluster without the proposal and with it. Both change `after`; the first is
 * for when nothing but owners is linked in it (reader/link.h), the second for when all is. */
void settle_pods(struct arena *arena, const struct proposal *proposal, const struct cluster *before,
                 struct cluster *after);
void settle(const struct proposal *proposal, const struct cluster *before, struct cluster *after);
/* The workload of that kind, namespace and name; NULL: there is none. */
struct workload *proposed_workload(const struct cluster *cluster, const struct proposed *object);

#endif
