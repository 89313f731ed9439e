/* What is new since a moment that the question names: "last_safe", a decision, or a time. */
#ifndef LOADLINE_VALIDATE_BASELINE_H
#define LOADLINE_VALIDATE_BASELINE_H

#include "codec/jw.h"
#include "gate/baseline.h"
#include "score/score.h"
#include "store/cluster.h"
#include "web/request.h"

struct asked_baseline {
    struct str asked;       /* as it was asked; absent: nothing was */
    struct str decision_id; /* of that moment; absent: it was not of a decision */
    int64_t time;           /* of the snapshot then; TIME_NONE: there is none */
    struct baseline baseline;
    int score; /* of what is new, which counts less with age */
};

/* Is it such a word? INVALID_FIELD. */
enum error baseline_check(struct request *r, struct str asked);
/* Judges the latest snapshot, or `after` when that is not NULL, by what was there then. Sets all
 * but score. UNKNOWN_DECISION, NO_LEDGER (it is too early). */
enum error baseline_find(struct request *r, const struct cluster_row *cluster,
                         const struct ledger *after, struct asked_baseline *b);
/* Members of the object that is open. */
void baseline_write(struct jw *w, const struct asked_baseline *b);

#endif
