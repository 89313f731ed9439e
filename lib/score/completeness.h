/* completeness: may a snapshot's silence about a kind be taken for "there is none"?
 *
 * A List, as kubectl prints it, does not name the kinds of which the cluster has nothing, so "no
 * PodDisruptionBudget in the snapshot" has two readings. The rule is in docs/scoring.md.
 */
#ifndef LOADLINE_SCORE_COMPLETENESS_H
#define LOADLINE_SCORE_COMPLETENESS_H

#include "score/check.h"

/* Bits of the kinds that the snapshot holds, or can be trusted to lack: of those kinds, what is not
 * in it does not exist. For judge_prepare(). */
uint64_t completeness_kinds(const struct cluster *cluster);

/* Does it hold what its authors wrote, before any API server saw it? */
bool completeness_of_manifests(const struct cluster *cluster);

bool completeness_covers(const struct check_context *context, enum kind kind);

#endif
