/* open_risks: a cluster's risks at a moment: what they cost then, from its ledger, and what is said
 * of them, as it was last worded.
 */
#ifndef LOADLINE_STORE_OPEN_RISKS_H
#define LOADLINE_STORE_OPEN_RISKS_H

#include "store/stored_ledger.h"

struct open_risks {
    struct risk *items;  /* costliest first */
    int64_t *first_seen; /* one a risk */
    uint32_t n;
};

/* All risks that were open at that time, in the arena; none when no ledger is kept that is so old.
 * time: row->taken for those of the latest score. A risk whose check this release does not know any
 * more has one without words. Those that cost the same are in the order of a ledger, see
 * risk_order(). */
enum error open_risks_fetch(struct db *db, struct arena *arena, struct str cluster, int64_t time,
                            struct open_risks *risks);
/* The same of a ledger that was found. Those that cost the same are in the order of their ids: it
 * does not change when risks get other words later. */
enum error open_risks_of(struct db *db, struct arena *arena, struct str cluster,
                         const struct stored_ledger *kept, struct open_risks *risks);
/* Those of a ledger that cost something and that another one lacks, costliest first. then: NULL
 * lacks all of them. Words have the costliest `worded`, 1 or more, and those that cost as much as
 * the last of these; others may have none. */
enum error open_risks_fresh(struct db *db, struct arena *arena, struct str cluster,
                            const struct stored_ledger *kept, const struct impacts *then,
                            uint32_t worded, struct open_risks *risks);

#endif
