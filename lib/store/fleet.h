/* fleet: what a list of clusters tells of each besides its own row: the alerts that fire, and the
 * last day's scores. One read for the alerts of all, and one of 288 rows a cluster for its scores.
 */
#ifndef LOADLINE_STORE_FLEET_H
#define LOADLINE_STORE_FLEET_H

#include "store/cluster.h"

enum {
    FLEET_SLOT_SECONDS = 1800,
    FLEET_SLOTS = 48, /* a day; the last one is that of now */
    FLEET_NO_SCORE = -1,
    FLEET_FIRING_MAX = 1000
};

struct fleet_cluster {
    int64_t alerts;              /* that fire */
    int16_t scores[FLEET_SLOTS]; /* the lowest of each slot, or FLEET_NO_SCORE */
};

/* One for each of the n clusters, which are sorted by name, and all that the tenant has between the
 * first and the last. Without with_scores all scores are FLEET_NO_SCORE, and cost nothing. */
enum error fleet_fetch(struct db *db, struct arena *arena, const struct cluster_row *clusters,
                       size_t n, bool with_scores, int64_t now, struct fleet_cluster **fleet);

/* An alert that fires: a rule's, or the catch-all's. */
struct firing_alert {
    struct str cluster_name;
    struct str rule;     /* id; absent: the catch-all */
    struct str kind;     /* as alert_kind_name() has it */
    int64_t threshold;   /* of a score_drop, else 0 */
    struct str subject;  /* NAMESPACE/NAME of an app; empty: the score */
    int64_t since, sent; /* sent: TIME_NONE: nobody could be told */
};

struct firing_alerts {
    size_t n;
    struct firing_alert *items;
};

/* Those of the tenant, the youngest first, at most FLEET_FIRING_MAX. cluster_name: of one cluster;
 * absent: of all. */
enum error fleet_firing(struct db *db, struct arena *arena, struct str cluster_name,
                        struct firing_alerts *alerts);

#endif
