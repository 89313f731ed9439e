/* decision: answers of the deployment gate, kept. */
#ifndef LOADLINE_STORE_DECISION_H
#define LOADLINE_STORE_DECISION_H

#include "db/db.h"
#include "gate/override.h"
#include "store/keyset.h"
#include "store/stored_outcome.h"

struct decision_row {
    struct str id;
    struct str cluster; /* our id */
    struct str key;     /* id of the API key that asked */
    int64_t time;
    struct str decision;
    int64_t score, score_time, risks_total;
    struct str resource, namespace, action, image, user, source; /* absent is stored as '' */
    struct str findings; /* JSON array: of the snapshot's age and of the change */
    struct str message;  /* as the caller was told it; empty: of before it was kept */
    struct str reasons;  /* JSON array of strings, likewise */
    struct str risks;    /* of the cluster: JSON objects, a line each */
    int64_t risks_hash;  /* of these lines */
    bool risks_kept;     /* an earlier decision has stored them: decisions share them */
    struct str target;   /* the workload that it is about, to be watched; absent: none */
    struct str override; /* id of the one that held; absent: none did */
};

/* Adds them. They are of the tenant. */
enum error decision_add(struct db *db, struct arena *arena, const struct decision_row *const *rows,
                        size_t n);

/* One that is read back; its cluster is told by name, risks_hash and risks_kept are not set. */
struct kept_decision {
    struct decision_row row;
    struct str cluster_name;
    struct str key_name;           /* absent: the key is gone */
    struct stored_outcome outcome; /* what became of it */
    struct override override;      /* the one that held; without an id: none did */
};

struct kept_decisions {
    size_t n;
    struct kept_decision *items; /* newest first */
};

enum { DECISION_RISKS_ALL = 1000 };

struct decision_filter {
    struct str cluster;  /* our id; absent: of all clusters */
    struct str decision; /* absent: any; as is source */
    struct str source;
    int64_t from, to; /* both included */
    struct keyset page;
    int64_t risks; /* of each, the costliest so many */
};

enum error decision_list(struct db *db, struct arena *arena, const struct decision_filter *filter,
                         struct kept_decisions *decisions);
/* With all of its risks; NULL when the tenant has none of that id. */
enum error decision_find(struct db *db, struct arena *arena, struct str id,
                         struct kept_decision **decision);

/* When a decision was made, by the time of its snapshot. */
struct decision_moment {
    struct str id;
    int64_t score_time;
};
/* Of the decision of that id about the cluster (by our own id), or of the last one that was SAFE
 * when there is no id. NULL: there is none. */
enum error decision_moment(struct db *db, struct arena *arena, struct str cluster, struct str id,
                           struct decision_moment **moment);

#endif
