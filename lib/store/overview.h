/* overview: clusters and deliveries of all tenants, for the operator of the service. */
#ifndef LOADLINE_STORE_OVERVIEW_H
#define LOADLINE_STORE_OVERVIEW_H

#include "db/db.h"

struct overview_cluster {
    struct str tenant, name;
    int64_t score_exact; /* hundredths */
    int64_t taken;
};

struct overview {
    size_t n;
    struct overview_cluster *clusters; /* that have been scored; by tenant and name */
    int64_t queued, gave_up;           /* messages in the outbox */
};

enum error overview_fetch(struct db *db, struct arena *arena, struct overview *overview);

#endif
