/* deploy_images: which images a workload had before and has now, as JSON. Pure. */
#ifndef LOADLINE_GATE_DEPLOY_IMAGES_H
#define LOADLINE_GATE_DEPLOY_IMAGES_H

#include "gate/workload_state.h"

/* [{"container": "api", "from": "api:1.4", "to": "api:1.5"}], those that differ, at most eight of
 * the first 200 containers. The earlier ones are those of that revision, when the snapshot still
 * has it; otherwise all are told, and from is null. It also is of a container that was not there,
 * and to of one that is gone. What looks like a secret is cut out. */
struct str deploy_images(struct arena *arena, const struct workload *workload,
                         struct workload_version before);

#endif
