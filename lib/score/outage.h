/* outage: what is down now: workloads, weighed against all there are, and what other objects add
 * (docs/scoring.md). Pure.
 */
#ifndef LOADLINE_SCORE_OUTAGE_H
#define LOADLINE_SCORE_OUTAGE_H

#include "score/findings.h"
#include "kube/replicas.h"

/* One workload of cluster->roots. */
struct outage_unit {
    struct replicas replicas;
    double missing;        /* share of its replicas that does not serve */
    double degree;         /* how far down it is, 0 to 1 */
    double of, down;       /* what it adds to the sums; of is 0 when it counts nowhere */
    struct finding *payer; /* owner of its points; NULL: the nodes that its pods are on, or none */
    bool nodes_pay;
    struct finding **findings; /* those that tell of outages */
    uint32_t findings_n;
};

struct outage {
    struct outage_unit *units;   /* parallel to cluster->roots */
    struct finding **dead_nodes; /* parallel to cluster->nodes: node-not-ready, NULL for others */
    double down, of;             /* the sums: workloads and masses */
    double share;                /* what is down of all, small clusters smoothed */
    double hazard;
};

/* Prices the findings of outages: sets their hazard, and absorbed_by of those that another
 * explains. */
struct outage *outage_price(struct arena *arena, struct findings *findings);

#endif
