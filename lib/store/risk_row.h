/* risk_row: what is said of a cluster's risks, open and closed, read back. See risk.h. */
#ifndef LOADLINE_STORE_RISK_ROW_H
#define LOADLINE_STORE_RISK_ROW_H

#include "db/db.h"
#include "score/score.h"

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
/* Those of these ids that are kept. */
enum error risk_list_of(struct db *db, struct arena *arena, struct str cluster, const uint64_t *ids,
                        size_t n, struct risk_rows *rows);
/* One without words when there is none: it is not kept any more what this risk was. */
struct risk_row risk_find(const struct risk_rows *rows, uint64_t id);

#endif
