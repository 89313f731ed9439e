/* workload_state: what the gate remembers of a workload: is it well, and which version of it is
 * there. As a line of text it is kept with the cluster, and with a decision about it. Pure.
 */
#ifndef LOADLINE_GATE_WORKLOAD_STATE_H
#define LOADLINE_GATE_WORKLOAD_STATE_H

#include "base/buf.h"
#include "kube/model.h"

struct workload_state {
    struct str kind, namespace, name;
    int64_t desired, available; /* NUMBER_ABSENT: not known */
    bool rolling;               /* a rollout is in progress */
    struct str revision; /* name of the ReplicaSet or ControllerRevision of the template; empty: not
                            shown */
    struct str images;   /* a hash of the names and images of its containers; empty: not shown */
    bool stuck;          /* its controller has given up on the rollout */
    bool unsure; /* that all its pods follow the template, and are available, is not shown. Not kept
                    in the line */
};

/* Of a topmost workload; in the arena, or of the workload. */
struct workload_state workload_state_of(struct arena *arena, const struct workload *workload);

/* Of each of the cluster's workloads, in its order; empty where it is not topmost. */
const struct workload_state *workload_states(struct arena *arena, const struct cluster *cluster);
/* Is it one of these? */
bool workload_is_topmost(const struct workload *workload);

/* Goes on with a hash: of all that its line tells. */
uint64_t workload_state_hash(uint64_t hash, const struct workload_state *state);
/* A line, with its end. What looks like a secret is cut out of names. */
void workload_state_put(struct arena *arena, struct buf *out, const struct workload_state *state);
/* The line without its end; points into it. One of before revisions were kept has none. */
struct workload_state workload_state_read(struct str line);

/* Which template it has, by hashes of the revision and of the images; 0: not known. */
struct workload_version {
    uint64_t revision, images;
};
struct workload_version workload_version_of(const struct workload_state *state);
/* Is it another template? What is not known of one of the two is not compared. */
bool workload_version_differs(struct workload_version a, struct workload_version b);

/* The same of two states. */
bool workload_state_differs(const struct workload_state *a, const struct workload_state *b);
/* Is the template known, so that it can be compared? */
bool workload_state_is_known(const struct workload_state *state);
/* Is its rollout through, and no replica missing? */
bool workload_state_is_complete(const struct workload_state *state);

#endif
