/* judge: asks every check about every object it is for, and keeps what failed. */
#ifndef LOADLINE_SCORE_JUDGE_H
#define LOADLINE_SCORE_JUDGE_H

#include "score/findings.h"

/* Is the object left out of policy and history? */
bool judge_leaves_out(const struct score_policy *policy, const struct object *object);

/* Sets the look-ups of a context whose arena, cluster, policy and time are set. */
void judge_prepare(struct check_context *context);

struct verdict_memory;

/* memory: what was said of the cluster's workloads before, or NULL. */
struct findings *judge_cluster(struct arena *arena, const struct cluster *cluster,
                               const struct score_policy *policy, int64_t time,
                               struct verdict_memory *memory);

#endif
