/* stored_override: overrides of the gate (gate/override.h), those that hold and those that are
 * over.
 */
#ifndef LOADLINE_STORE_STORED_OVERRIDE_H
#define LOADLINE_STORE_STORED_OVERRIDE_H

#include "db/db.h"
#include "gate/override.h"
#include "store/keyset.h"

enum {
    OVERRIDES_MAX = 100, /* of a tenant, that hold */
    OVERRIDE_REASON_MAX = 500,
    OVERRIDE_NAMESPACE_MAX = 255
};

struct stored_override {
    struct override override;
    struct str cluster_name;
    struct str ended_by;
    int64_t ended; /* early; TIME_NONE: it was not */
};

struct stored_overrides {
    size_t n;
    struct stored_override *items;
};

struct override_filter {
    struct str id;           /* absent: any */
    struct str cluster_name; /* absent: of all clusters */
    bool with_ended;         /* and those that are over */
    int64_t now;
    struct keyset page;
};

/* Of the tenant, newest first. */
enum error override_page(struct db *db, struct arena *arena, const struct override_filter *filter,
                         struct stored_overrides *overrides);
/* Of a cluster, by our own id, that hold. */
enum error override_list_holding(struct db *db, struct arena *arena, struct str cluster,
                                 int64_t now, override_list *overrides);
/* Of the tenant that hold. */
enum error override_count(struct db *db, struct arena *arena, int64_t now, int64_t *count);
/* Inside a transaction: nobody else changes it until its end. NULL when the tenant has none of that
 * id that holds. */
enum error override_lock(struct db *db, struct arena *arena, struct str id, int64_t now,
                         struct stored_override **override);
/* Sets the id. cluster: our own id; it is locked. */
enum error override_create(struct db *db, struct arena *arena, struct str cluster,
                           struct override *override);
enum error override_end(struct db *db, struct str id, struct str by, int64_t now);

#endif
