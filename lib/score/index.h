/* index: look-ups that checks share, built once for a judgement. Read-only afterwards; in the
 * arena. */
#ifndef LOADLINE_SCORE_INDEX_H
#define LOADLINE_SCORE_INDEX_H

#include "kube/model.h"

struct check_index;

struct check_index *index_build(struct arena *arena, const struct cluster *cluster);

typedef LIST(const struct event *) event_list;

/* The object of that kind, namespace (absent: cluster-scoped, or of a manifest that names none and
 * so goes to "default") and name; NULL when the snapshot has none. In here are the judged ones
 * (lists.def), of workloads all, topmost or not; and what pods use. */
const struct object *index_object(const struct check_index *index, enum kind kind,
                                  struct str namespace, struct str name);
/* The events about that object, in the order of their names. Absent namespace: cluster-scoped. */
event_list index_events(const struct check_index *index, struct str kind_name, struct str namespace,
                        struct str name);
/* Does any pod of the namespace have a volume of that claim, or is it made for one? */
bool index_claim_is_used(const struct check_index *index, struct str namespace, struct str claim);

#endif
