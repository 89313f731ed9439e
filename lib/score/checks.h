/* checks: the prototypes of all functions in checks.def, and the words its rows are written in. */
#ifndef LOADLINE_SCORE_CHECKS_H
#define LOADLINE_SCORE_CHECKS_H

#include "kube/kinds.h"
#include "score/check.h"

#define K(kind) KIND_BIT(kind)
#define NOTHING UINT64_C(0)
#define ANY     UINT64_MAX
/* All pod-bearing kinds; K(NONE) is a controller of a kind that is not read. */
#define PODS (K(NONE) | KINDS_WITH_PODS)

#define JUDGED(list, walked, subject, type) typedef struct type subject##_subject;
#include "kube/lists.def"
#undef JUDGED
typedef struct evidence evidence_subject;
typedef struct object object_subject;
typedef struct cluster cluster_subject;

#define CHECK(function, id, category, severity, subject, ...)                                      \
    enum verdict check_##function(struct check_context *, const subject##_subject *);
#include "score/checks.def"
#undef CHECK

#endif
