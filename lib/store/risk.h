/* risk: what is said of a cluster's risks, open and closed, by stable id, and how it is kept: see
 * risk_row.h for how it is read. What each cost is the ledger's business: see ledger.h.
 */
#ifndef LOADLINE_STORE_RISK_H
#define LOADLINE_STORE_RISK_H

#include "score/score.h"
#include "store/cluster.h"
#include "store/risk_content.h"

/* The rows that are kept of a cluster's risks, open and closed, for each that a ledger may name. */
enum { RISK_ROWS_PER_NAME = 4 };

/* The ledger's risks become the open ones: those that were open keep when they were first seen, new
 * ones (and closed ones that are back) begin at row->taken, those that are gone are closed at
 * row->newest: no ledger that has them is later. Only what changed is written, and only what may
 * have changed is read: *hashes are to be stored with the gate's summary and tell the next time.
 * *first_seen: one time a risk of the ledger, in its order; TIME_NONE: it was not read. Counts in
 * row what is new. */
enum error risk_replace(struct db *db, struct arena *arena, struct cluster_row *row,
                        const struct ledger *ledger, struct risk_hashes *hashes,
                        int64_t **first_seen);
/* Reads what is missing in first_seen of n risks of the ledger. */
enum error risk_first_seen(struct db *db, struct arena *arena, const struct cluster_row *row,
                           const struct ledger *ledger, const uint32_t *which, size_t n,
                           int64_t *first_seen);
/* The same of ids alone, in their order; TIME_NONE: no such risk is kept by name. */
enum error risk_first_seen_of(struct db *db, struct arena *arena, struct str cluster,
                              const struct str *ids, size_t n, int64_t *first_seen);
/* Of a snapshot that is not the latest: risks that were never seen are kept as closed ones. Sends
 * only those that may not have been. */
enum error risk_note(struct db *db, struct arena *arena, struct cluster_row *row,
                     const struct ledger *ledger);
/* Removes the risks that were closed first, when there are more rows than that: of a cluster whose
 * objects have other names in each snapshot. Their words are forgotten, and no points. */
enum error risk_trim(struct db *db, struct arena *arena, struct cluster_row *row, int64_t most);

#endif
