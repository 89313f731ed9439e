/* What the answer of the gate tells of the target: what concerns it, apart from the rest. */
#ifndef LOADLINE_VALIDATE_SCOPE_ANSWER_H
#define LOADLINE_VALIDATE_SCOPE_ANSWER_H

#include "change.h"
#include "codec/jw.h"
#include "gate/gate.h"
#include "gate/scope.h"
#include "store/gate_memory.h"

/* *told: NULL when the question names no target, neither a resource nor a namespace. namespace: of
 * the question, or the default; target: as it was found. Reads the summary, and asks the database
 * since when the risks are open, only when it is not remembered what was told. memory: of the
 * summary, or NULL. */
enum error scope_tell(struct request *r, const struct change *change, struct str namespace,
                      const struct gate_target *target, const struct gate_summary *summary,
                      struct str cluster, struct gate_memory *memory, struct gate_told **told);
/* Members of the object that is open; none of NULL. What there is to say about the change comes
 * first; that is new at now. */
void scope_write(struct jw *w, const struct gate_told *told, const struct gate_answer *answer,
                 int64_t now);

#endif
