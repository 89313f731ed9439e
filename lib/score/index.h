/* index: look-ups that checks share, built once for a judgement. Read-only afterwards; in the
 * arena. */
#ifndef LOADLINE_SCORE_INDEX_H
#define LOADLINE_SCORE_INDEX_H

#include "kube/model.h"

struct judge_index;
struct views;

struct judge_index *index_build(struct arena *arena, const struct cluster *cluster);

/* The object of that kind, namespace (absent: cluster-scoped) and name; NULL when the snapshot has
 * none. Pods are not in here; of workloads all are, topmost or not. */
const struct object *index_object(const struct judge_index *index, enum kind kind,
                                  struct str namespace, struct str name);
/* Namespaces and workloads with what concerns them: view.h. */
const struct views *index_views(const struct judge_index *index);

#endif
