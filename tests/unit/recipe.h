/* recipe: clusters made to order, for tests of the score: so many nodes and applications, kept so
 * well, so many of them broken. The same recipe gives the same objects.
 *
 * An application is a Deployment with its ReplicaSet, its Pods, a Service and an EndpointSlice;
 * kept well it has an account, a disruption budget and network policies too.
 */
#ifndef LOADLINE_TESTS_RECIPE_H
#define LOADLINE_TESTS_RECIPE_H

#include "objects.h"

enum care {
    CARE_NONE,   /* nothing is said but what must be */
    CARE_COMMON, /* most have requests, limits and probes; one zone, one control-plane node */
    CARE_FULL,   /* as the checks want it */
    CARE_RANDOM  /* each field by a throw */
};

struct recipe {
    const char *name;
    enum care care;
    unsigned nodes, apps;
    unsigned looping;    /* applications whose pods crash-loop, so that none is available */
    unsigned stalled;    /* of these, with a rollout that is stuck */
    unsigned dead_nodes; /* whose kubelet is gone */
    unsigned full_nodes; /* that are short of memory and disk */
    uint64_t seed;       /* of CARE_RANDOM */
};

/* Its objects, in the arena; their times fit JUDGE_TIME. */
struct objects recipe_objects(struct arena *arena, const struct recipe *recipe);

#endif
