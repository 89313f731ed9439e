/* pod_reason: the words by which a pod's status tells why it, or a container of it, does not run.
 */
#ifndef LOADLINE_KUBE_POD_REASON_H
#define LOADLINE_KUBE_POD_REASON_H

#include "base/str.h"

/* Of a container that waits: its image cannot be had; it cannot be made or started. */
bool pod_reason_is_pull(struct str reason);
bool pod_reason_is_config(struct str reason);
/* Of a container that ended: it never ran. */
bool pod_reason_is_start(struct str reason);
/* Of the pod: the kubelet or the control plane ended it, not its program. */
bool pod_reason_is_taken(struct str reason);
/* Of the pod: one of those before, or its own deadline or wishes ended it: its phase is Failed. */
bool pod_reason_is_end(struct str reason);
/* Of the pod or a container: nobody knows its state. */
bool pod_reason_is_unknown(struct str reason);

#endif
