/* history_step: what the points of a stretch of a score history say together, while it is read
 * (store/history.c, store/history_points.c). */
#ifndef LOADLINE_STORE_HISTORY_STEP_H
#define LOADLINE_STORE_HISTORY_STEP_H

#include <stddef.h>
#include <stdint.h>

/* points: 0 for a point by itself, which has its score in worst. Else worst is the lowest score
 * with its moment, and last the last moment with its score: score_exact * HISTORY_WORST_UNIT +
 * moment, moment * HISTORY_LAST_UNIT + score_exact. */
struct history_step {
    int64_t time, points, worst, last, sum, nodes, pods, risks, formula;
};
#define HISTORY_WORST_UNIT INT64_C(100000000000000)
#define HISTORY_LAST_UNIT  INT64_C(100000)

/* Newest first, without those for which there is no room. */
struct history_steps {
    struct history_step *items;
    size_t n, max;
};

/* The last multiple of unit that is not after time. */
int64_t history_step_start(int64_t time, int64_t unit);

/* They come from the newest on. What is no older than the last one is a part of it: another one of
 * its time, or a roll-up that begins within it. */
void history_steps_take(struct history_steps *steps, const struct history_step *step);

#endif
