/* pod_name: what the name of a pod tells of the controller that made it.
 *
 * Kubernetes names pods after their controllers by fixed rules, so a name alone, as a log line
 * carries it, mostly leads back to the workload, also when the pod is long gone. Names that were
 * shortened (controllers of more than about 45 characters) do not.
 */
#ifndef LOADLINE_KUBE_POD_NAME_H
#define LOADLINE_KUBE_POD_NAME_H

#include "kube/meta.h"

/* The database holds these numbers: none is ever changed. */
enum pod_shape {
    POD_SHAPE_ALONE = 0,      /* NAME, or no rule that is known */
    POD_SHAPE_DEPLOYMENT = 1, /* NAME-HASH-RANDOM */
    POD_SHAPE_RANDOM = 2,  /* NAME-RANDOM: of a DaemonSet, ReplicaSet, ReplicationController, Job */
    POD_SHAPE_ORDINAL = 3, /* NAME-0: of a StatefulSet */
    POD_SHAPE_SCHEDULED = 4, /* NAME-MINUTES-RANDOM: of a CronJob */
    POD_SHAPE_COUNT
};

/* Pods whose names differ only in what the controller made up. */
struct pod_family {
    struct str base; /* NAME */
    enum pod_shape shape;
};

/* base points into the pod's name. */
struct pod_family pod_family_of(struct str pod);

/* The shapes (1 << shape) that names of pods have that a controller of this kind makes; all of them
 * for KIND_NONE. */
unsigned pod_shapes_of(enum kind kind);

#endif
