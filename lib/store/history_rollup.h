/* history_rollup: the five-minute steps of a score history (score_rollup).
 *
 * A step is added up once: by the first push behind it, or by maintenance when none comes
 * (store/history_pack.h). Before clusters.rolled_to score_rollup has every step. From there on the
 * points are rows of score_history, and who reads steps adds them up. A point that comes late,
 * before that moment, is added to its step at once. Programs of before did so with each point: as
 * long as rolled_to is NULL, score_rollup has them all.
 */
#ifndef LOADLINE_STORE_HISTORY_ROLLUP_H
#define LOADLINE_STORE_HISTORY_ROLLUP_H

#include "store/cluster.h"

enum { HISTORY_ROLLUP_MS = 300 * 1000 }; /* a row of score_rollup */

/* Where the step begins that a moment belongs to. */
int64_t history_rollup_step(int64_t time);

/* Of the point of row, which has been stored; row->newest is still that of the points before it.
 * The caller holds the cluster's lock, and has read the row under it. row->rolled becomes what it
 * is. */
enum error history_rollup_note(struct db *db, struct cluster_row *row);

/* Adds up the steps from one moment, which rolled_to is, to another; both are a step's start.
 * Points between them are rows still. The caller holds the cluster's lock. */
enum error history_rollup_advance(struct db *db, struct str cluster, int64_t from, int64_t before);

/* Where the oldest step of the cluster begins; 0 when it has no points. */
enum error history_rollup_oldest(struct db *db, struct arena *arena, const struct cluster_row *row,
                                 int64_t *oldest);

#endif
