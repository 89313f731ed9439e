/* What the answer of the gate tells of the target: what concerns it, apart from the rest. */
#ifndef LOADLINE_VALIDATE_SCOPE_ANSWER_H
#define LOADLINE_VALIDATE_SCOPE_ANSWER_H

#include "change.h"
#include "codec/jw.h"
#include "gate/gate.h"
#include "gate/scope.h"
#include "store/gate_memory.h"

/* Does the question name a resource or a namespace? */
bool scope_is_asked(const struct change *change);
/* NULL: no target is named. namespace: of the question, or the default; target: as it was found. */
struct scope *scope_find(struct arena *arena, const struct change *change, struct str namespace,
                         const struct gate_target *target, const struct gate_summary *summary);
/* Since when its risks are open, as stored. Asks the database only when it is not remembered of all
 * that are shown. memory: of the summary that scope is of, or NULL. scope: may be NULL. */
enum error scope_find_first_seen(struct request *r, struct str cluster, struct gate_memory *memory,
                                 struct scope *scope);
/* Members of the object that is open; none of NULL. What there is to say about the change comes
 * first; that is new at now. */
void scope_write(struct jw *w, const struct scope *scope, const struct gate_answer *answer,
                 int64_t now);

#endif
