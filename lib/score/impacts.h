/* impacts: what a ledger charged each risk, small enough to be kept for every moment.
 *
 * A list is told whole, or as what differs from another one, its base: when one risk opens, those
 * that must give a hundredth are few. What was read back is known to add up.
 */
#ifndef LOADLINE_SCORE_IMPACTS_H
#define LOADLINE_SCORE_IMPACTS_H

#include "score/result.h"

struct impact {
    uint64_t id;     /* of the risk: see risk_id_text() */
    uint32_t points; /* hundredths */
};

struct impacts {
    uint32_t lost[CATEGORY_COUNT]; /* hundredths; their sum is that of all points */
    LIST(struct impact) items;     /* by id, each once */
};

/* Risks of one id count as one. */
struct impacts impacts_of(struct arena *arena, const struct ledger *ledger);
/* Changes when any of it does; cheaper than impacts_of(). */
int64_t impacts_hash(const struct ledger *ledger);
/* 100 - what was lost, in hundredths. */
uint32_t impacts_score(const struct impacts *impacts);

/* base: NULL for a list that is told whole. */
struct str impacts_encode(struct arena *arena, const struct impacts *impacts,
                          const struct impacts *base);
/* Reads it back, beside the same base. False when it is not such bytes or does not add up. */
bool impacts_decode(struct arena *arena, struct str bytes, const struct impacts *base,
                    struct impacts *impacts);

/* Two lists side by side, by id. */
struct impacts_walk {
    const struct impact *a, *a_end, *b, *b_end;
};
struct impacts_walk impacts_walk(const struct impacts *a, const struct impacts *b);
/* The next id; the list that lacks it gives NULL. False at the end. */
bool impacts_walk_next(struct impacts_walk *walk, const struct impact **a, const struct impact **b);

#endif
