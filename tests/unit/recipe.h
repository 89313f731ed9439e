/* recipe: clusters made to order, for tests of the score: so many nodes and applications, kept so
 * well, so many of them broken. The same recipe gives the same objects.
 *
 * An application is a Deployment with its ReplicaSet, its Pods, a Service and an EndpointSlice;
 * kept well it has an account, a disruption budget and network policies too. Its pods are on nodes
 * that its number tells nothing of, each on another one; those on a dead node serve nobody.
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

    /* Applications behind the looping ones: */
    unsigned unpullable; /* whose image cannot be pulled */
    unsigned partial;    /* of whose two pods one crash-loops */
    bool privileged;     /* every application may take over its nodes */
    unsigned jobs, failed_jobs, cronjobs, bare_pods, claims;
    unsigned evicted, completed; /* pods that have ended, of nobody */
    unsigned cordoned;           /* nodes, the last ones */

    /* What a cluster has beside its applications; an agent may leave it out. */
    bool system;            /* DNS, CNI, kube-proxy, the control plane's pods, roles and bindings */
    unsigned dns, dns_down; /* replicas of DNS (0: two), and those that crash-loop */
    bool cni_down;          /* on every node */
    unsigned control_down;  /* nodes whose pods of the control plane are not ready */
    unsigned operators, degraded, unavailable; /* of OpenShift: the first ones, those behind them */
    unsigned pools, degraded_pools;            /* of its machines' configuration */
};

/* Its objects, in the arena; their times fit JUDGE_TIME. */
struct objects recipe_objects(struct arena *arena, const struct recipe *recipe);

#endif
