/* link: connects the objects of a model that was just read: pods and ReplicaSets to their topmost
 * owner (also one that is not in the snapshot), services and endpoints to workloads and pods, pods
 * to nodes; and sorts every list. */
#ifndef LOADLINE_READER_LINK_H
#define LOADLINE_READER_LINK_H

#include "kube/model.h"

/* Is told when pods have their owners, and services and nodes no pods yet: it may give pods other
 * specs and labels. */
struct link_visitor {
    void (*owned)(void *context, struct cluster *cluster);
    void *context;
};

/* Called once for each model. visitor: NULL: nobody. */
void link_cluster(struct arena *arena, struct cluster *cluster, const struct link_visitor *visitor);

#endif
