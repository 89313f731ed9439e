/* upgrade_answer: what an answer of the gate says of an upgrade to another version of Kubernetes.
 */
#ifndef LOADLINE_VALIDATE_UPGRADE_ANSWER_H
#define LOADLINE_VALIDATE_UPGRADE_ANSWER_H

#include "codec/jw.h"
#include "gate/gate.h"
#include "store/gate_summary.h"
#include "change.h"

/* Nothing when the change names no version. */
void upgrade_write(struct jw *w, const struct change *change, const struct gate_summary *summary,
                   const struct gate_answer *answer);

#endif
