/* deploy_compare: what was deployed between two snapshots of a cluster, as it is told and kept. The
 * same snapshot and state give the same bytes. Pure.
 */
#ifndef LOADLINE_GATE_DEPLOY_COMPARE_H
#define LOADLINE_GATE_DEPLOY_COMPARE_H

#include "gate/deploy_scan.h"

enum {
    DEPLOY_FOUND_MAX = 500, /* events of one snapshot; those of what comes later by its name are not
                               told */
    DEPLOY_TEXT_MAX = 255,  /* bytes of a name, and of who it was */
    DEPLOY_CAUSE_MAX = 500
};

/* An event. Texts have no secrets that can be told by their look; they are never absent. */
struct deploy_found {
    struct str kind, namespace, name;
    enum deploy_event event;
    unsigned changes;                   /* enum deploy_change */
    struct str images;                  /* JSON: [{"container", "from", "to"}]; from and to: null */
    struct str configs;                 /* JSON: ["configmap/api-env"] */
    int64_t replicas_from, replicas_to; /* NUMBER_ABSENT unless it was scaled */
    struct str revision;                /* see workload_state.h */
    int64_t began;                      /* of the rollout; TIME_NONE: it is about none */
    struct str by, cause;               /* see kube/deployed_by.h; cause: when it is a new one */
    uint32_t workload;                  /* place in the new state */
};

struct deploy_compared {
    struct deploy_state state; /* to be remembered */
    LIST(struct deploy_found) found;
};

/* was: NULL: nothing is remembered; then nothing is found. before: time of the snapshot of which
 * `was` is; taken: of this one. Sets what the scan leaves to it. In the arena. */
struct deploy_compared deploy_compare(struct arena *arena, const struct deploy_state *was,
                                      struct deploy_scan *scan, int64_t before, int64_t taken);

#endif
