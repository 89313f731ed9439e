/* ended_alert: alerts that are over. What fires is store/fleet.h's. */
#ifndef LOADLINE_STORE_ENDED_ALERT_H
#define LOADLINE_STORE_ENDED_ALERT_H

#include "alert/alert.h"
#include "db/db.h"
#include "store/keyset.h"

struct ended_alert {
    struct str id;
    struct str cluster_name;
    struct str rule;     /* id, of a rule that may be gone; absent: the catch-all */
    struct str kind;     /* as alert_kind_name() has it */
    int64_t threshold;   /* of a score_drop; 0: there was none, or no such rule any more */
    struct str subject;  /* NAMESPACE/NAME of an app; empty: the score */
    int64_t since, sent; /* sent: TIME_NONE: nobody was told */
    int64_t ended;
    int64_t recovered; /* 0: its rule was deleted, disabled or changed while it fired */
};

struct ended_alerts {
    size_t n;
    struct ended_alert *items;
};

struct ended_alert_filter {
    struct str cluster_name; /* absent: of all */
    int64_t from, to;        /* when they ended, both included */
    struct keyset page;
};

/* Keeps states of that cluster (our id) that a snapshot of the time `taken` has ended, judged by
 * that setup. Within the transaction that drops them. */
enum error ended_alert_keep(struct db *db, struct arena *arena, struct str cluster,
                            const struct alert_setup *setup, const alert_state_list *states,
                            int64_t taken);
/* The tenant's, the last to end first. */
enum error ended_alert_list(struct db *db, struct arena *arena,
                            const struct ended_alert_filter *filter, struct ended_alerts *alerts);

#endif
