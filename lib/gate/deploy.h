/* deploy: what happened to a workload between two snapshots: was it deployed, and how did its
 * rollout go on? What has to be remembered of it is a few numbers. Only what is sure. Pure.
 *
 * STARTED: another template, of image or anything else, or a workload that was made since.
 *
 * ROLLED_BACK: the template before the last one.
 *
 * CHANGED: other replicas, or another version of a ConfigMap or Secret that its template uses. Seen
 * together with another template they are a part of that.
 *
 * FINISHED: a rollout is through, and no replica is missing.
 *
 * STALLED: its controller has given it up, or it is not through after OUTCOME_FINISH_MS.
 *
 * Neither: for so long nothing has shown whether it is. It is not watched any more then.
 */
#ifndef LOADLINE_GATE_DEPLOY_H
#define LOADLINE_GATE_DEPLOY_H

#include "gate/workload_state.h"

enum deploy_event {
    DEPLOY_NONE,
    DEPLOY_STARTED,
    DEPLOY_ROLLED_BACK,
    DEPLOY_CHANGED,
    DEPLOY_FINISHED,
    DEPLOY_STALLED,
    DEPLOY_EVENTS
};
struct str deploy_event_name(enum deploy_event event); /* empty of DEPLOY_NONE */
/* DEPLOY_NONE: it is not the name of one. */
enum deploy_event deploy_event_find(struct str name);

/* Bits: what has changed. */
enum deploy_change {
    DEPLOY_CREATED = 1,
    DEPLOY_IMAGE = 2,
    DEPLOY_TEMPLATE = 4, /* with the same images */
    DEPLOY_SCALE = 8,
    DEPLOY_CONFIGURATION = 16
};
/* "image scale"; in the arena. */
struct str deploy_changes_text(struct arena *arena, unsigned changes);

enum deploy_phase { DEPLOY_IDLE, DEPLOY_ROLLING, DEPLOY_STUCK, DEPLOY_PHASES };

enum { DEPLOY_DECISION = 16 }; /* bytes of a decision's id */

/* Kinds of workloads that are deployed. */
enum deploy_kind {
    DEPLOY_DEPLOYMENT,
    DEPLOY_STATEFULSET,
    DEPLOY_DAEMONSET,
    DEPLOY_CRONJOB,
    DEPLOY_DEPLOYMENTCONFIG,
    DEPLOY_ROLLOUT,
    DEPLOY_KINDS
};

/* What is remembered of a workload. */
struct deploy_memory {
    enum deploy_kind kind;
    uint64_t key;                     /* of kind, namespace and name */
    struct workload_version version;  /* that was deployed last; */
    struct workload_version previous; /* before that; 0: not known, or rolled back: when it comes
                                         again, that is another try */
    int64_t replicas;                 /* that it should have; NUMBER_ABSENT: not known */
    uint64_t cause;                   /* hash of what its author said last; 0: nothing */
    enum deploy_phase phase;          /* of its rollout; */
    int64_t began;                    /* when that was first seen; TIME_NONE when it is over */
    bool has_decision;                /* the gate was asked about it; */
    char decision[DEPLOY_DECISION];
};

/* What a snapshot shows of it. */
struct deploy_sight {
    enum deploy_kind kind;
    uint64_t key;
    struct workload_version version;
    int64_t replicas; /* NUMBER_ABSENT also where an autoscaler sets them */
    uint64_t cause;
    bool rolls; /* its pods follow its template, so that a rollout can be watched */
    bool paused;
    bool complete, stuck; /* see workload_state.h */
    bool unsure; /* that it is complete: nothing is missing, but no snapshot shows that all is there
                  */
    bool created;    /* after the snapshot before */
    bool configured; /* a ConfigMap or Secret that its template uses is another one */
};

struct deploy_step {
    enum deploy_event change;   /* STARTED, ROLLED_BACK, CHANGED or NONE */
    enum deploy_event progress; /* FINISHED, STALLED or NONE; comes after the change */
    unsigned changes;           /* bits, of the change */
    int64_t began;              /* of the rollout that either is about; TIME_NONE: of none */
    bool has_cause;             /* its author has said something new */
    struct deploy_memory next;  /* with the decision of `was`, unless another rollout began */
};

/* was: NULL: nothing is remembered of it. taken: of the snapshot. */
struct deploy_step deploy_judge(const struct deploy_memory *was, const struct deploy_sight *now,
                                int64_t taken);

#endif
