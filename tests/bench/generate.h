/* generate: snapshots of clusters of any size, always the same ones, for benches.
 *
 * A cluster is one List as `kubectl get -A -o json` prints it: Nodes (one for 30 pods), Deployments
 * (one for 5 pods) and Pods with what real ones carry: probes, resources, environment, volumes,
 * tolerations, conditions, container states. One pod of 40 crash-loops. As compact JSON a pod is
 * about 9.6 KB; pretty (indented by four, managedFields in it) about 50 KB.
 */
#ifndef LOADLINE_TESTS_BENCH_GENERATE_H
#define LOADLINE_TESTS_BENCH_GENERATE_H

#include "base/arena.h"
#include "codec/source.h"

struct generate {
    unsigned pods;
    bool pretty;
    bool plain;       /* variables come from secrets only: nothing has to be redacted */
    unsigned variant; /* from 1: one pod more crash-loops, another one in each variant */
    /* A cluster that lives: so many of 1,000 pods are other ones in each round than in the round
     * before; the same pods each time or, drifting, some each time. */
    unsigned changing, round;
    bool drifting;
};

/* The JSON text, object by object, into a sink. False when the sink refuses. */
bool generate_snapshot(struct generate what, struct sink sink);
/* The same as gzip (level 6, what agents send), in the arena. Aborts when it does not fit. */
struct str generate_gzip(struct arena *arena, struct generate what);

#endif
