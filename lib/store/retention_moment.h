/* retention_moment: how old rows of a cluster may be, by the word that store/prunes.def has for
 * each table. */
#ifndef LOADLINE_STORE_RETENTION_MOMENT_H
#define LOADLINE_STORE_RETENTION_MOMENT_H

#include "service/conf.h"

/* The words are told in store/prunes.def. */
enum kept { KEPT_PLAN, KEPT_POINTS, KEPT_CHUNK, KEPT_LEDGER, KEPT_TEXT, KEPT_LOGS, KEPT_DAY };

struct retention_terms {
    const struct conf *conf;
    int64_t now;
    int64_t plan_days;           /* of the tenant's plan */
    int64_t ledger_base, rolled; /* see struct cluster_row */
};

/* Rows of before that moment go. */
int64_t retention_moment(const struct retention_terms *terms, enum kept kept);

#endif
