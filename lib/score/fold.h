/* fold: a ledger with a bounded number of risks, for those who keep it. Pure.
 *
 * The costliest risks stay by name, and of what is exempt what would cost most. Of each check the
 * others are one risk together: its resource is "others", its count says how many they are, and it
 * costs what they cost. So what is kept adds up to the same score.
 */
#ifndef LOADLINE_SCORE_FOLD_H
#define LOADLINE_SCORE_FOLD_H

#include "score/result.h"

/* The resource of a risk that stands for others. No object is called so: "kind/name". */
#define FOLD_RESOURCE "others"

enum { FOLD_EXEMPT = 5 }; /* of that many places one at the most is for what is exempt */

/* Which risks are exempt and would cost most, at most `most` of them, costliest first: their places
 * in the ledger. Returns how many. Those that would cost nothing are not among them. */
uint32_t fold_exempt(struct arena *arena, const struct ledger *ledger, uint32_t most,
                     uint32_t **places);

/* The ledger itself when it has no more than `named` risks. Else one with `named` of them, in their
 * order, and behind these one a check. Everything else is that of the ledger. */
const struct ledger *ledger_fold(struct arena *arena, const struct ledger *ledger, uint32_t named);

#endif
