/* ill_typed: values of proposed objects that the API server refuses, since the API has another type
 * in their place. A forecast counts them as left out. Pure.
 */
#ifndef LOADLINE_GATE_ILL_TYPED_H
#define LOADLINE_GATE_ILL_TYPED_H

#include "gate/rollout.h"
#include "kube/effort.h"

/* A sentence about the first one, and how many more there are; never what the value says. `more` is
 * 0. In the arena. limits, effort: of reading the objects, as snapshot_read() takes them. */
struct rollout_finding ill_typed_of(struct arena *arena, const struct proposal *proposal,
                                    const struct effort_limits *limits, struct effort **effort);

#endif
