/* link: connects the objects of a model that was just read: pods and ReplicaSets to their topmost
 * owner (also one that is not in the snapshot), services and endpoints to workloads and pods, pods
 * to nodes; and sorts every list. */
#ifndef LOADLINE_READER_LINK_H
#define LOADLINE_READER_LINK_H

#include "kube/model.h"

/* Called once by snapshot_read(). */
void link_cluster(struct arena *arena, struct cluster *cluster);

#endif
