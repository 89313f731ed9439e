/* known_cluster: what this worker remembers of the clusters that it reads, within
 * cluster_memory_mib, and how well that does, as metrics. */
#ifndef LOADLINE_WEB_KNOWN_CLUSTER_H
#define LOADLINE_WEB_KNOWN_CLUSTER_H

#include "web/cluster_memory.h"
#include "web/request.h"

/* That of a cluster of the request's tenant, for the length of the request; NULL when nothing is to
 * be remembered. */
const struct known_cluster *known_cluster(struct request *r, struct str cluster);
/* It was read with; NULL is allowed. */
void known_cluster_count(const struct known_cluster *known);
/* Forgets all: the worker ends. */
void known_cluster_end(void);

#endif
