/* score: a cluster becomes a ledger. Pure: the same cluster, policy and time give the same bytes.
 * The formula is in docs/scoring.md.
 */
#ifndef LOADLINE_SCORE_SCORE_H
#define LOADLINE_SCORE_SCORE_H

#include "score/policy.h"
#include "score/result.h"

enum { SCORE_FORMULA = 2 }; /* version of the formula: docs/scoring.md */

/* The whole points of a score as that version of the formula rounds it: the first half up, others
 * down. */
int64_t score_rounded(int64_t formula, int64_t score_exact);

/* What a score depends on beside the cluster and the time: the formula, which checks there are,
 * their severities and hazards, and the policy. A check whose function alone was mended keeps it.
 */
int64_t score_version(const struct score_policy *policy);

struct verdict_memory;

/* The whole judgement. Time is the snapshot's; everything returned is in the arena and may point
 * into the cluster. Exhaustion of the arena unwinds as arena.h says. */
struct ledger *score(struct arena *arena, const struct cluster *cluster,
                     const struct score_policy *policy, int64_t time);
/* The same, in less time, of a cluster that was judged with this memory before
 * (verdict_memory.h); NULL: without. The ledger may point into it. */
struct ledger *score_again(struct arena *arena, const struct cluster *cluster,
                           const struct score_policy *policy, int64_t time,
                           struct verdict_memory *memory);

#endif
