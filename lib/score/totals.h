/* totals: what of the whole cluster several objects are held against. It is looked up once a
 * judgement, for a walk for each object would take a step for each pair of them. */
#ifndef LOADLINE_SCORE_TOTALS_H
#define LOADLINE_SCORE_TOTALS_H

#include "score/check.h"

struct totals {
    int64_t newest_lease; /* of a node's kubelet, not after the time; TIME_NONE: no node has one */
    struct resource_list room; /* allocatable of all nodes that tell both CPU and memory */
    bool may_grow;             /* somebody may add nodes as they are needed */
    bool operator_down;        /* a ClusterOperator is not available, or is degraded */
};

/* Made by judge_prepare(). */
struct totals *totals_build(struct arena *arena, const struct cluster *cluster, int64_t time);

#endif
