/* rollout: what the cluster does with proposed workloads that no check of the score sees: what the
 * API server refuses, and pods that never start. Only what is sure. Pure.
 */
#ifndef LOADLINE_GATE_ROLLOUT_H
#define LOADLINE_GATE_ROLLOUT_H

#include "gate/proposal.h"
#include "kube/model.h"
#include "score/result.h"

/* About the first object of the proposal that has this trouble. */
struct rollout_finding {
    struct str message;             /* a sentence; absent: there is none */
    struct str namespace, resource; /* of the object, as risks have them: "deployment/api" */
    uint32_t more;                  /* objects with the same trouble */
};
struct rollout {
    struct rollout_finding selector;     /* the API server refuses the workload */
    struct rollout_finding pod_security; /* the namespace's level refuses its pods */
    struct rollout_finding room;         /* no node is large enough */
    struct rollout_finding quota;        /* a quota has no room for one more pod */
    struct rollout_finding value;        /* the API server refuses an object: see ill_typed.h */
};

/* before, after: the cluster without the proposal and with it; ledger: of `after`. Of values it
 * says nothing. */
struct rollout rollout_of(struct arena *arena, const struct proposal *proposal,
                          const struct cluster *before, const struct cluster *after,
                          const struct ledger *ledger);

#endif
