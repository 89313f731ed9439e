/* retention: rows that are older than they may be, and what belongs to nobody any more, go: a
 * thousand at a time, with rests twice as long as the work, so that pushes hardly notice. Each
 * batch is a transaction of its own: whoever is killed leaves the rest to the next, and several may
 * run at once.
 */
#ifndef LOADLINE_STORE_RETENTION_H
#define LOADLINE_STORE_RETENTION_H

#include "service/conf.h"
#include "db/db.h"
#include "store/throttle.h"

/* What rows are removed of. */
enum retention_table {
#define PRUNE(table, column, kept) RETENTION_##table,
#include "store/prunes.def"
#undef PRUNE
    RETENTION_decision_risks,
    RETENTION_outbox,
    RETENTION_sessions,
    RETENTION_audit,
    RETENTION_silences,
    RETENTION_exemptions,
    RETENTION_rate_limit,
    RETENTION_known_addresses,
    RETENTION_links,
    RETENTION_oidc_logins,
    RETENTION_TABLES
};
const char *retention_table_name(enum retention_table table);

struct retention {
    struct db *db;
    struct db *keeper;   /* of the account that may remove entries of the audit trail */
    struct arena *arena; /* reset between pieces of work */
    const struct conf *conf;
    int64_t now;
    bool only_show; /* counts and removes nothing */
    struct throttle *throttle;
    void (*progress)(void *context); /* called now and then */
    void *context;
    uint64_t rows[RETENTION_TABLES]; /* removed, or to be removed */
    uint64_t tenants, clusters;      /* looked at */
    uint64_t removals;               /* clusters that were deleted, or whose tenant is gone */
};

/* Of all tenants: what their plans do not keep, silences that are over, and exemptions that are
 * older than the audit trail. */
enum error retention_tenants(struct retention *r);
/* Sessions that are over, counters of attempts, addresses and links of people, the audit trail;
 * rows of clusters that were deleted or whose tenant is gone. */
enum error retention_leftovers(struct retention *r);

#endif
