/* stored_ledger: which points each risk of a cluster cost, at any moment that is kept. */
#ifndef LOADLINE_STORE_STORED_LEDGER_H
#define LOADLINE_STORE_STORED_LEDGER_H

#include "score/impacts.h"
#include "store/cluster.h"

/* One that is kept. */
struct stored_ledger {
    int64_t time;      /* of the snapshot whose ledger it is */
    int64_t check_set; /* score_version() then */
    int64_t formula;   /* SCORE_FORMULA then */
    struct impacts impacts;
};

/* Keeps the ledger of the history's point at `time`, when it differs from the one before or is the
 * first of its day (UTC). Updates newest, ledger_base, ledger_hash and kept_bytes of row, which the
 * caller stores. The caller holds the cluster's lock, and the point is in the history. */
enum error stored_ledger_put(struct db *db, struct arena *arena, struct cluster_row *row,
                             int64_t time, const struct ledger *ledger, int64_t check_set);

/* The ledger as it was at that time; NULL when none is kept that is so old. */
enum error stored_ledger_find(struct db *db, struct arena *arena, struct str cluster, int64_t time,
                              struct stored_ledger **kept);
/* The time of the oldest that is kept; TIME_NONE when there is none. */
enum error stored_ledger_oldest(struct db *db, struct arena *arena, struct str cluster,
                                int64_t *time);

#endif
