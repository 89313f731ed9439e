/* history_sums: steps of a score history that the database adds up: of points that are rows, of the
 * five-minute steps, and of hours.
 *
 * Each adds what there is from one moment to another, both included, newest first, to steps that
 * hold what is newer. step: milliseconds, of whole seconds; of hours a multiple of them. */
#ifndef LOADLINE_STORE_HISTORY_SUMS_H
#define LOADLINE_STORE_HISTORY_SUMS_H

#include "db/db.h"
#include "store/history_step.h"

enum error history_sum_rows(struct db *db, struct arena *arena, struct str cluster, int64_t step,
                            int64_t from, int64_t to, struct history_steps *steps);
enum error history_sum_rollup(struct db *db, struct arena *arena, struct str cluster, int64_t step,
                              int64_t from, int64_t to, struct history_steps *steps);
/* Only of hours that are packed: see store/history_pack.h. */
enum error history_sum_hours(struct db *db, struct arena *arena, struct str cluster, int64_t step,
                             int64_t from, int64_t to, struct history_steps *steps);

#endif
