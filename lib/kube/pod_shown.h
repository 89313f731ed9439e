/* pod_shown: what kubectl prints of a pod as its status and restarts: printPod() of
 * kubernetes/pkg/printers/internalversion.
 */
#ifndef LOADLINE_KUBE_POD_SHOWN_H
#define LOADLINE_KUBE_POD_SHOWN_H

#include "base/arena.h"
#include "kube/model.h"

struct pod_shown {
    struct str status; /* the phase when nothing tells more; absent without either */
    int64_t restarts;  /* of init containers until they are through, then of the others */
};

/* Of a pod that is no summary item. What it makes of several parts is in `arena`. */
struct pod_shown pod_shown(struct arena *arena, const struct pod *pod);

#endif
