/* rollout: what the cluster does with proposed workloads that no check of the score sees: what the
 * API server refuses, and pods that never start. Only what is sure. Pure.
 */
#ifndef LOADLINE_GATE_ROLLOUT_H
#define LOADLINE_GATE_ROLLOUT_H

#include "gate/proposal.h"
#include "kube/model.h"
#include "score/result.h"

/* Sentences; absent: there is nothing to say. */
struct rollout {
    struct str selector;     /* the API server refuses the workload */
    struct str pod_security; /* the namespace's level refuses its pods */
    struct str room;         /* no node is large enough */
    struct str quota;        /* a quota has no room for one more pod */
    struct str value;        /* the API server refuses an object: see ill_typed.h */
};

/* before, after: the cluster without the proposal and with it; ledger: of `after`. Of values it
 * says nothing. */
struct rollout rollout_of(struct arena *arena, const struct proposal *proposal,
                          const struct cluster *before, const struct cluster *after,
                          const struct ledger *ledger);

#endif
