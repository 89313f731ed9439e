/* log_lines: lines of the logs of pods, as they were pushed, and what of them the scorer reads. */
#ifndef LOADLINE_STORE_LOG_LINES_H
#define LOADLINE_STORE_LOG_LINES_H

#include "reader/log_push.h"
#include "kube/pod_log.h"
#include "db/db.h"
#include "store/push.h"

/* How much a cluster may push: a bucket of so many bytes that runs dry in so many seconds. 0 bytes:
 * no limit. A line counts its message and LOG_ROW_BYTES. So does what else a push leaves behind: a
 * container that is new with its names, a minute in which a workload has errors for the first time
 * with the workload's, and a push that is remembered with its answer. */
struct log_limit {
    int64_t bytes, seconds;
};

enum { LOG_ROW_BYTES = 100 };

struct log_added {
    uint64_t duplicates; /* lines that were there before */
    int64_t wait;        /* of LOG_LIMIT: seconds until there is room */
};

/* What is remembered of a push that has an id (store/push.h): what it is answered. */
struct log_answer {
    const struct push_id *id;
    struct str (*write)(void *context,
                        const struct log_added *added); /* called in the transaction */
    void *context;
};

/* Adds the lines to a cluster of the tenant, all or none; those that are there already stay as they
 * are. now: of arrival. UNKNOWN_CLUSTER, LOG_LIMIT; IDEMPOTENCY_CONFLICT: the push is remembered,
 * and nothing was stored. */
enum error log_lines_add(struct db *db, struct arena *arena, struct str cluster_name,
                         const struct log_push *push, int64_t now, struct log_limit limit,
                         const struct log_answer *answer, struct log_added *added);

/* What the cluster's logs say at that time, sorted. Empty for a cluster that is not known. */
enum error log_lines_recent(struct db *db, struct arena *arena, struct str cluster_name,
                            int64_t time, pod_log_list *logs);

#endif
