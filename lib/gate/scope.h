/* scope: which risks of a cluster concern the change that the gate is asked about, and how the
 * target of the change is. Pure.
 *
 * Only a snapshot tells what belongs together. So what it tells is kept as a text, with the gate's
 * summary, and the gate reads that for the target it is asked about.
 */
#ifndef LOADLINE_GATE_SCOPE_H
#define LOADLINE_GATE_SCOPE_H

#include "score/score.h"

/* Why a risk concerns the target; the nearest reason counts. */
enum scope_relation {
    SCOPE_TARGET,     /* it is the target's own */
    SCOPE_DEPENDENCY, /* of what the target leans on: Services that select it, autoscalers, claims
                         and their volumes, ConfigMaps, Secrets, its service account, quotas, and
                         webhooks that are asked about its namespace */
    SCOPE_NODE,       /* of a node that its pods are on */
    SCOPE_CLUSTER,   /* what all pods lean on is down: cluster DNS, the network of pods, the control
                        plane; ingress, where the namespace has an Ingress or a route */
    SCOPE_NAMESPACE, /* of something else in its namespace */
    SCOPE_NONE
};

struct str scope_relation_name(enum scope_relation relation); /* "target"; "" of SCOPE_NONE */

enum {
    SCOPE_TOLD_MAX = 5000,   /* of a ledger, so many risks are told apart: the costliest */
    SCOPE_WORDED_MAX = 2000, /* and so many of these kept with their words */
    SCOPE_SHOWN_MAX = 20     /* risks of an answer */
};

/* What a snapshot tells, not yet in words. In the arena; points to cluster and
 * ledger. May take too much effort, and unwinds then: see kube/effort.h. */
struct scope_draft;
struct scope_draft *scope_draft(struct arena *arena, const struct cluster *cluster,
                                const struct ledger *ledger);
/* A hash of namespaces and workloads, and of the risks that they lean on: as long as this and the
 * ledger's risks are the same, so is the text. */
uint64_t scope_hash(const struct scope_draft *draft);
/* The whole of it, in the draft's arena. Empty when it is longer than 16 MiB. */
struct str scope_text(const struct scope_draft *draft);

/* ---- for one target ---- */

struct scope_target {
    struct str namespace;
    struct str resource; /* as it was asked; empty: the namespace itself is the target */
    bool is_workload;    /* by its word; see gate_summary_find() */
    bool is_hidden;      /* the snapshot does not show its kind, likewise */
    struct str kind;     /* of the workload as the API spells it, with its name, when the */
    struct str name;     /* snapshot has it; absent: it does not */
};

struct scope_risk {
    struct risk risk; /* without what exempts it: it costs something */
    enum scope_relation relation;
    int64_t first_seen; /* TIME_NONE: scope_read() does not know */
};

struct scope {
    struct str state;                         /* of the target, in words */
    struct scope_risk risks[SCOPE_SHOWN_MAX]; /* costliest first, but its neighbours come last */
    uint32_t shown;
    uint32_t total; /* risks that concern the target, those that cost nothing among them */
    int64_t points; /* hundredths; what all of these cost */
};

/* text: of scope_text(), from whichever release; absent: none was kept. In the arena; points into
 * the text. */
struct scope *scope_read(struct arena *arena, struct str text, const struct scope_target *target);

#endif
