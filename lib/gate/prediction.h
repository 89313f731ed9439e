/* prediction: what a change does to the score: two ledgers beside each other. Pure.
 *
 * Points are what the score gains (a risk that is resolved) or loses (a new one), in hundredths.
 * Those of all entries add up to predicted - score, exactly. One risk more or less also moves what
 * the others cost a little; that is divided among the entries, by their points.
 */
#ifndef LOADLINE_GATE_PREDICTION_H
#define LOADLINE_GATE_PREDICTION_H

#include "score/result.h"

struct predicted_risk {
    const struct risk *risk; /* of the ledger that has it; of both, of the one with the change */
    bool resolved;           /* it is gone, or costs less; else it is new, or costs more */
    bool changed;            /* both have it */
    int64_t points;
};

struct prediction {
    int64_t score, predicted;            /* hundredths: of the snapshot, and with the change */
    LIST(struct predicted_risk) entries; /* most points first, then as risk_order() says */
};

/* score: of the snapshot when it was pushed. before, after: of what is kept of it, without the
 * change and with it. */
struct prediction prediction_of(struct arena *arena, int64_t score, const struct ledger *before,
                                const struct ledger *after);

#endif
