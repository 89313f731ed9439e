/* ill_typed: values of proposed objects that the API server refuses, since the API has another type
 * in their place. A forecast counts them as left out. Pure.
 */
#ifndef LOADLINE_GATE_ILL_TYPED_H
#define LOADLINE_GATE_ILL_TYPED_H

#include "gate/proposal.h"
#include "kube/effort.h"

/* A sentence about the first one, and how many more there are; never what the value says. Absent:
 * there is none. In the arena. limits, effort: of reading the objects, as snapshot_read() takes
 * them. */
struct str ill_typed_of(struct arena *arena, const struct proposal *proposal,
                        const struct effort_limits *limits, struct effort **effort);

#endif
