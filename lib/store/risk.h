/* risk: what is said of a cluster's risks, open and closed, by stable id. What each cost is the
 * ledger's business: see ledger.h.
 */
#ifndef LOADLINE_STORE_RISK_H
#define LOADLINE_STORE_RISK_H

#include "score/score.h"
#include "store/cluster.h"

/* The rows that are kept of a cluster's risks, open and closed, for each that a ledger may name. */
enum { RISK_ROWS_PER_NAME = 4 };

/* The ledger's risks become the open ones: those that were open keep when they were first seen, new
 * ones (and closed ones that are back) begin at row->taken, those that are gone are closed at
 * row->newest: no ledger that has them is later. Only what changed is written. *first_seen: one
 * time a risk of the ledger, in its order. Counts in row what is new. */
enum error risk_replace(struct db *db, struct arena *arena, struct cluster_row *row,
                        const struct ledger *ledger, int64_t **first_seen);
/* Of a snapshot that is not the latest: risks that were never seen are kept as closed ones. */
enum error risk_note(struct db *db, struct arena *arena, struct cluster_row *row,
                     const struct ledger *ledger);
/* Removes the risks that were closed first, when there are more rows than that: of a cluster whose
 * objects have other names in each snapshot. Their words are forgotten, and no points. */
enum error risk_trim(struct db *db, struct arena *arena, struct cluster_row *row, int64_t most);

struct risk_row {
    uint64_t id;      /* risk_id_parse() */
    struct risk risk; /* its impact is 0 */
    int64_t first_seen;
    int64_t closed; /* TIME_NONE: open */
};

struct risk_rows {
    size_t n;
    struct risk_row *items; /* by id */
};

/* The risks that were open at that time or later, as they were last worded. */
enum error risk_list(struct db *db, struct arena *arena, struct str cluster, int64_t since,
                     struct risk_rows *rows);
/* One without words when there is none: it is not kept any more what this risk was. */
struct risk_row risk_find(const struct risk_rows *rows, uint64_t id);

#endif
