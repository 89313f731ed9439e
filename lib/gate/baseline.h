/* baseline: what would the score be of what was not there then? For clusters that are never SAFE,
 * and changes that are not to blame for it. Pure.
 *
 * The hazards of a score add up (docs/scoring.md): the hazard of each risk is told by its points,
 * so that of the new ones is known, whatever the old ones cost beside them.
 */
#ifndef LOADLINE_GATE_BASELINE_H
#define LOADLINE_GATE_BASELINE_H

#include "score/impacts.h"

struct baseline {
    int score; /* 0 to 100: if only the new ones were there */
    /* That were not there then and cost something, in their order. */
    LIST(const struct risk *) fresh;
};

/* then: what risks cost then; NULL: nothing is known of then, and all are new. risks: of now, with
 * their score in hundredths. */
struct baseline baseline_judge(struct arena *arena, const struct impacts *then,
                               const struct risk *risks, uint32_t n, uint32_t score_exact);

#endif
