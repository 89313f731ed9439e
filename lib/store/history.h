/* history: the score of a cluster over time: its points, and steps that tell many of them. */
#ifndef LOADLINE_STORE_HISTORY_H
#define LOADLINE_STORE_HISTORY_H

#include "store/cluster.h"
#include "store/history_points.h"

enum { HISTORY_POINTS_MAX = 8640 };

struct history_point {
    int64_t time, score, nodes, pods, risks;
    int64_t formula; /* version; of a step that has points of several the oldest */
    /* Of a step (points > 0) these are the lowest, the fewest and the most, and: */
    int64_t points;
    int64_t mean; /* of score_exact */
    int64_t last; /* score */
    int64_t worst_at;
};

struct history {
    size_t n;
    struct history_point *points; /* ascending */
};

struct history_range {
    int64_t from, to;    /* both included */
    int64_t step;        /* 0: points; else milliseconds (whole seconds) that each point tells */
    int64_t points_from; /* older points are told by steps (store/history_rollup.h) */
};

/* The newest HISTORY_POINTS_MAX points of the range. A step's time is its start. */
enum error history_fetch(struct db *db, struct arena *arena, const struct cluster_row *row,
                         const struct history_range *range, struct history *history);

/* Adds the point of row, also to the steps: at row->taken, or, when there is one at that
 * millisecond, in the next one that is free; row->taken becomes what it is.
 * The caller holds the cluster's lock, and has read the row under it. surely_new: nobody waits to
 * hear that there is no such point yet. DATABASE_BUSY, perhaps of a later statement, when there is
 * one all the same: to be tried again without. */
enum error history_add(struct db *db, struct arena *arena, struct cluster_row *row,
                       bool surely_new);

#endif
