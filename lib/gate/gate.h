/* gate: may this change go ahead now? The cluster's score, how old it is, and what there is to say
 * about the change give SAFE, WARN or BLOCK, with reasons. Pure.
 */
#ifndef LOADLINE_GATE_GATE_H
#define LOADLINE_GATE_GATE_H

#include "gate/override.h"
#include "gate/rollout.h"
#include "kube/release.h"
#include "score/score.h"

enum gate_check {
#define GATE_CHECK(name, ...) GATE_##name,
#include "gate/gate_checks.def"
#undef GATE_CHECK
    GATE_CHECKS
};

/* What somebody wants to do. Absent: not told. */
struct gate_change {
    struct str resource, namespace, action, image;
};

enum gate_target_state {
    GATE_TARGET_NOT_ASKED, /* no resource is named, or it is no workload */
    GATE_TARGET_MISSING,   /* a workload that the snapshot does not have */
    GATE_TARGET_HIDDEN,    /* one that may be there: the snapshot does not show its kind */
    GATE_TARGET_FOUND
};

struct gate_target {
    enum gate_target_state state;
    struct str kind, name;
    int64_t desired, available; /* NUMBER_ABSENT: not known */
    bool rolling;               /* a rollout goes on */
};

/* An API version in use that some release of Kubernetes 1 does not serve. */
struct gate_api {
    struct str kind, api_version, replacement; /* replacement empty: nothing */
    struct str namespace, resource;            /* one of the objects that were written for it */
    int64_t removed;                           /* the first minor without it */
    int64_t objects;
};
typedef LIST(struct gate_api) gate_api_list;

/* Is the cluster about to run another release? */
struct gate_upgrade {
    struct release target; /* major 0: not asked */
    bool known; /* the snapshot's API versions are known: it is not of before they were kept */
    gate_api_list apis;
};

/* What the score will be with the manifest of the change. */
struct gate_forecast {
    bool asked;
    int score; /* of the prediction, which counts less with age as the score does */
    struct rollout rollout;
};

struct gate_question {
    struct gate_change change;
    struct gate_upgrade upgrade;
    struct gate_target target;
    struct gate_forecast forecast;
    override_list overrides; /* of the cluster */
    str_list namespaces;     /* that the change is to; see override_for() */
    struct str cluster_name;
    struct str verdict; /* of the snapshot; absent: it was scored before verdicts were kept */
    bool partial;       /* the snapshot shows some namespaces only */
    int score;          /* of the snapshot */
    int64_t risks;      /* of the snapshot */
    int64_t now;
    int64_t age;         /* of the snapshot, ms */
    int64_t stale_warn;  /* of an older one no score is SAFE ... */
    int64_t stale_block; /* ... and of one older than this none is better than BLOCK */
};

struct gate_finding {
    struct risk risk;
    bool of_change; /* not of the cluster */
};

struct gate_answer {
    int score; /* what the cluster's counts by now */
    enum decision decision;
    struct gate_finding findings[GATE_CHECKS];
    uint32_t findings_n;
    gate_api_list removed;           /* that the target of an upgrade does not serve */
    struct str message;              /* one or two sentences for people */
    str_list reasons;                /* the score, what it will be, then what was found */
    int predicted;                   /* with the manifest, when one was asked about */
    const struct override *override; /* that lets the change go ahead; NULL: none does */
};

/* What a score counts when its snapshot is that old; ages as of struct gate_question. */
int gate_score_at_age(int score, int64_t age, int64_t stale_warn, int64_t stale_block);

/* In the arena; may point into the question. */
struct gate_answer *gate_judge(struct arena *arena, const struct gate_question *question);

#endif
