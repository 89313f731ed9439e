/* risk: the open and closed risks of a cluster, by stable id. */
#ifndef LOADLINE_STORE_RISK_H
#define LOADLINE_STORE_RISK_H

#include "score/score.h"
#include "service/db.h"

/* The ledger's risks become the open ones: those that were open keep when they were first seen, new
 * ones (and closed ones that are back) begin at `time`, those that are gone are closed. Only what
 * changed is written. *first_seen: one time a risk of the ledger, in its order. */
enum error risk_replace(struct db *db, struct arena *arena, struct str cluster,
                        const struct ledger *ledger, int64_t time, int64_t **first_seen);

#endif
