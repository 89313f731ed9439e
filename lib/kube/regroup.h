/* regroup: which objects a document holds, by kind: what GET /api/cluster shows, in whatever form
 * the document was pushed. Only where they stand is kept, a few hundred bytes an object.
 */
#ifndef LOADLINE_KUBE_REGROUP_H
#define LOADLINE_KUBE_REGROUP_H

#include "kube/snapshot.h"

struct regroup_item {
    struct snapshot_object object;
    uint64_t hash;
    bool repeated; /* the document has the same object in a newer version, or further on: that
                      counts */
};

struct regroup {
    /* Of each kind, in the order of the document. */
    LIST(struct regroup_item) kinds[KIND_COUNT];
};

/* All objects of a document that snapshot_read() has accepted before. NULL on error, with *error
 * filled. */
struct regroup *regroup_read(struct arena *arena, struct source source,
                             struct snapshot_error *error);

/* What has to stand before the object's closing brace, so that it says what it is where it left
 * that to its list: ,"apiVersion":"v1","kind":"Pod". In the arena; empty mostly. */
struct str regroup_type_of(struct arena *arena, const struct regroup_item *item);

#endif
