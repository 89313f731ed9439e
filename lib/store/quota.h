/* quota: what the plan of a tenant allows it to keep, and how much that is.
 *
 * Bytes are counted as they are stored, about: those of snapshots, and those of history, ledgers,
 * risks, alerts that are over, their messages and pushes that are remembered. What maintenance
 * removes is not counted back. Instead, with each day that passes the count loses as many parts as
 * the plan keeps days: for who pushes evenly that is what is removed.
 */
#ifndef LOADLINE_STORE_QUOTA_H
#define LOADLINE_STORE_QUOTA_H

#include "store/tenant.h"

enum {
    QUOTA_POINT_BYTES = 200,
    QUOTA_PUSH_BYTES = 100, /* of a push that is remembered, beside its answer */
    QUOTA_LEDGER_BYTES = 60,
    QUOTA_RISK_BYTES = 600,
    QUOTA_ENDED_BYTES = 150,  /* of an alert that is over, beside what it was about */
    QUOTA_MESSAGE_BYTES = 300 /* of a message to a channel, beside its text */
};

/* Is a snapshot of so many objects, of a cluster that keeps so many bytes, within every plan,
 * whatever else its tenant keeps? Costs nothing to know. */
bool quota_is_ordinary(int64_t bytes, uint32_t objects);

struct quota {
    const struct plan *plan;
    int64_t bytes; /* kept, of all clusters */
};

enum error quota_fetch(struct db *db, struct arena *arena, struct quota *quota);

/* The count of `kept` bytes after the days between two times; TIME_NONE: there were none. */
int64_t quota_aged(int64_t kept, int64_t since, int64_t now, int64_t retention);

#endif
