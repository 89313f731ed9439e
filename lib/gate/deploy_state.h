/* deploy_state: what is remembered of a cluster between two snapshots, so that it can be told what
 * was deployed: some numbers for each workload, and for each ConfigMap and Secret that one uses. As
 * bytes it takes about 30 for a workload. No name and no value is in it.
 */
#ifndef LOADLINE_GATE_DEPLOY_STATE_H
#define LOADLINE_GATE_DEPLOY_STATE_H

#include "base/list.h"
#include "gate/deploy.h"

enum { DEPLOY_WORKLOADS_MAX = 20000, DEPLOY_CONFIGS_MAX = 50000 }; /* more are not looked at */

struct deploy_config_memory {
    uint64_t key;     /* of kind, namespace and name */
    uint64_t version; /* of it, never 0 */
};

struct deploy_state {
    LIST(struct deploy_memory) workloads;
    LIST(struct deploy_config_memory) configs;
};

/* In the arena, never absent. */
struct str deploy_state_pack(struct arena *arena, const struct deploy_state *state);
/* False when these are no such bytes, or another release's: then nothing is remembered. */
bool deploy_state_unpack(struct arena *arena, struct str bytes, struct deploy_state *state);

/* How often a rollout that has stalled, or is paused for long, is looked at. */
#define DEPLOY_LOOK_MS CLOCK_MINUTE

/* From when on the next snapshot has to be compared, although it shows the same: a rollout is
 * watched. TIME_NONE: none is. taken: of the snapshot that the state was made of. */
int64_t deploy_state_due(const struct deploy_state *state, int64_t taken);

#endif
