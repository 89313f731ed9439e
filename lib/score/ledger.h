/* ledger: prices what judge_cluster() found. docs/scoring.md is its specification. */
#ifndef LOADLINE_SCORE_LEDGER_H
#define LOADLINE_SCORE_LEDGER_H

#include "score/judge.h"

/* Chooses who pays for each cause (sets absorbed_by and weight in the findings) and apportions the
 * losses. nodes and pods of the ledger are left 0. */
struct ledger *ledger_build(struct arena *arena, struct findings *findings);

#endif
