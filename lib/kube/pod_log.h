/* pod_log: what the logs of a cluster's pods say, as far as checks read it. Logs are pushed apart
 * from snapshots: whoever keeps them puts this into the model before it is judged.
 */
#ifndef LOADLINE_KUBE_POD_LOG_H
#define LOADLINE_KUBE_POD_LOG_H

#include "kube/pod_name.h"

enum {
    POD_LOG_RECENT_MINUTES = 5,
    POD_LOG_BEFORE_MINUTES = 60,
    POD_LOG_MINUTES = POD_LOG_RECENT_MINUTES + POD_LOG_BEFORE_MINUTES, /* that are looked at */
    POD_LOG_BURST = 30 /* recent lines: fewer are no burst, whatever was before */
};

/* Of the pods of one family that pushed logs lately. */
struct pod_log {
    struct str namespace;
    struct pod_family family;
    int64_t recent; /* lines of ERROR or FATAL in the last POD_LOG_RECENT_MINUTES */
    int64_t before; /* in the POD_LOG_BEFORE_MINUTES before these; 0 where no burst can be */
};
typedef LIST(struct pod_log) pod_log_list;

void pod_logs_sort(pod_log_list logs);
/* NULL when there is none. The list is sorted. */
const struct pod_log *pod_log_find(pod_log_list logs, struct str namespace,
                                   struct pod_family family);

#endif
