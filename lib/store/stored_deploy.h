/* stored_deploy: what was deployed (gate/deploy.h), as pushes have told, kept.
 */
#ifndef LOADLINE_STORE_STORED_DEPLOY_H
#define LOADLINE_STORE_STORED_DEPLOY_H

#include "gate/deploy_compare.h"
#include "kube/deployed.h"
#include "store/cluster.h"
#include "store/keyset.h"
#include "store/stored_outcome.h"

enum {
    DEPLOYS_KEPT_MAX = 10000, /* rows of a cluster; the oldest go */
    DEPLOY_BYTES = 400        /* of a row, about: store/quota.h */
};
/* A decision of the gate is about a deploy when it was made so long before, at most. */
#define DEPLOY_DECIDED_MS CLOCK_HOUR

/* Adds what was deployed between the snapshot of `before` and this one, which is the cluster's
 * latest, in its transaction and under the lock of the cluster. row: taken is of this snapshot;
 * sets deploys_hash, deploys_due and kept_bytes, which the caller stores. When nothing
 * was deployed and no rollout is watched it asks the database nothing. */
enum error deploy_note(struct db *db, struct arena *arena, struct cluster_row *row,
                       const struct cluster *model, const struct workload_state *states,
                       int64_t before);

/* What checks read of those before the snapshot of that time (kube/deployed.h), sorted; n: 0 when
 * there is none. */
enum error deploy_recent(struct db *db, struct arena *arena, struct str cluster, int64_t time,
                         deployed_list *list);

/* One that is read back. */
struct kept_deploy {
    int64_t at;
    struct str id;
    struct str kind, namespace, name;
    struct str event, changes;
    struct str images, configuration;   /* JSON */
    int64_t replicas_from, replicas_to; /* -1: it was not scaled */
    struct str revision;
    int64_t began; /* TIME_NONE: it is about no rollout */
    struct str by, cause;
    struct str decision_id; /* absent: the gate was not asked, or nobody knows any more; */
    struct str decision;    /* what it said */
    struct stored_outcome outcome;
};

struct kept_deploys {
    size_t n;
    struct kept_deploy *items; /* newest first */
};

struct deploy_filter {
    struct str cluster;                      /* our id */
    struct str namespace, kind, name, event; /* absent: any */
    int64_t from, to;                        /* both included */
    struct keyset page;
};

enum error deploy_list(struct db *db, struct arena *arena, const struct deploy_filter *filter,
                       struct kept_deploys *deploys);

#endif
