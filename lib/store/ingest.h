/* ingest: a scored snapshot becomes rows, all of them or none. */
#ifndef LOADLINE_STORE_INGEST_H
#define LOADLINE_STORE_INGEST_H

#include "gate/scope.h"
#include "score/api_use.h"
#include "score/score.h"
#include "store/audit.h"
#include "store/cluster_queue.h"
#include "store/push.h"
#include "store/snapshot.h"

struct ingest {
    struct str cluster_name;
    bool known;                 /* there was such a cluster a moment ago */
    bool has_watched;           /* and decisions about it whose outcome is awaited */
    struct cluster_queue queue; /* where the push waits when the cluster is locked */
    int64_t received;           /* arrival */
    int64_t taken;              /* the time it was judged at: the newest is the cluster's latest */
    const struct snapshot_copy *copy; /* the redacted document */
    const struct cluster *cluster;
    const struct ledger *ledger;
    const api_use_list *api_use;             /* for the gate */
    const struct scope_draft *scope;         /* for the gate */
    uint32_t risks_named;                    /* at least 100; more are folded: score/fold.h */
    int64_t check_set;                       /* score_version() */
    int64_t alert_repeat_ms, alert_clear_ms; /* see alert.h */
    struct push_id id;
    struct str answer;           /* what the client is told, remembered when the push has an id */
    struct audit_entry creation; /* added to the audit trail when the cluster is new */
};

/* One transaction: history point, ledger, snapshot, cluster summary, risk changes, gate summary,
 * deploys, alerts; the cluster itself when it is new. A snapshot older than another adds its
 * history point and ledger only. IDEMPOTENCY_CONFLICT: the push is remembered (push.h), and nothing
 * was stored. NO_SNAPSHOT: the copy is a delta, and its base another by now; nothing was stored.
 * CLUSTER_BUSY: too many wait for the cluster. PLAN_LIMIT when the cluster is new and the plan has
 * no slot left. */
enum error ingest_store(struct db *db, struct arena *arena, const struct ingest *in);

#endif
