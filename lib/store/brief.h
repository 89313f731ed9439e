/* brief: what the deployment gate needs to know of a cluster. Made at ingest and stored ready, so
 * that an answer costs one read.
 */
#ifndef LOADLINE_STORE_BRIEF_H
#define LOADLINE_STORE_BRIEF_H

#include "score/score.h"
#include "db/db.h"

enum { BRIEF_RISKS_MAX = 100, BRIEF_REASONS_MAX = 3 };

/* Lines, each ended by a newline. */
struct brief {
    struct str reasons;   /* the costliest risks in words, at most BRIEF_REASONS_MAX */
    struct str risks;     /* the costliest ones as JSON objects, at most BRIEF_RISKS_MAX */
    int64_t risks_hash;   /* of these lines */
    bool risks_kept;      /* a decision has kept them already; set by brief_fetch() */
    struct str workloads; /* see brief_workload() */
};

/* NULL when there is none. */
enum error brief_fetch(struct db *db, struct arena *arena, struct str cluster,
                       struct brief **brief);
enum error brief_put(struct db *db, struct str cluster, const struct brief *brief);

/* The lines of a judged cluster. first_seen: one a risk of the ledger. */
struct brief brief_of(struct arena *arena, const struct cluster *cluster,
                      const struct ledger *ledger, const int64_t *first_seen);
/* Changes when any risk or workload changes. */
int64_t brief_hash(struct arena *arena, const struct cluster *cluster, const struct ledger *ledger);

struct brief_workload {
    struct str kind, namespace, name;
    int64_t desired, available; /* NUMBER_ABSENT: not known */
    bool rolling;               /* a rollout is in progress */
};

/* The workload that `resource` names: "deployment/api", "deploy/api", "deployments/api", or "api"
 * alone for the first workload of that name. False when the snapshot has none, or resource names a
 * kind that is no workload: *is_workload tells. */
bool brief_find(const struct brief *brief, struct str namespace, struct str resource,
                struct brief_workload *found, bool *is_workload);

#endif
