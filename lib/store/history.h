/* history: the score of a cluster over time. */
#ifndef LOADLINE_STORE_HISTORY_H
#define LOADLINE_STORE_HISTORY_H

#include "store/cluster.h"

enum { HISTORY_POINTS_MAX = 8640 }; /* as in stmts.def */

struct history_point {
    int64_t time, score, nodes, pods, risks;
};

struct history {
    size_t n;
    struct history_point *points; /* ascending */
};

/* The newest HISTORY_POINTS_MAX points between the two times, both included. step: 0, or
 * milliseconds (whole seconds) of which each is told by one point: its start, the lowest score,
 * nodes and pods, the most risks. */
enum error history_fetch(struct db *db, struct arena *arena, struct str cluster, int64_t from,
                         int64_t to, int64_t step, struct history *history);

/* Adds the point of row: at row->taken, or, when there is one at that millisecond, right after the
 * last one of the minute that follows. The caller holds the cluster's lock. */
enum error history_add(struct db *db, struct arena *arena, const struct cluster_row *row);

#endif
