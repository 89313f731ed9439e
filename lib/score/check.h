/* check: what a check is, and what it may do.
 *
 * A check is one row of checks.def and one function. The function looks at one object and returns
 * its verdict; when the object fails, it says so in one sentence through fail(). It is pure: the
 * cluster and the time come from the context, nothing else is asked.
 */
#ifndef LOADLINE_SCORE_CHECK_H
#define LOADLINE_SCORE_CHECK_H

#include "kube/containers.h"

enum category {
    CATEGORY_POLICY,
    CATEGORY_RUNTIME,
    CATEGORY_HISTORY,
    CATEGORY_HEALTH,
    CATEGORY_COUNT
};
enum severity { SEVERITY_CRITICAL, SEVERITY_HIGH, SEVERITY_MEDIUM, SEVERITY_LOW, SEVERITY_COUNT };

struct str category_name(enum category category); /* "policy" */
struct str severity_name(enum severity severity); /* "critical" */

enum verdict {
    NOT_EVALUATED, /* the snapshot lacks what the question needs, or it does not apply */
    PASSED,
    FAILED
};

struct around;
struct evidence;
struct check_index;
struct components;
struct grants;
struct hosts;
struct proofs;
struct selection;
struct views;
struct shown_by_pods;
struct totals;
struct score_policy;

/* What the check that is being asked has said about the object so far: fail() fills it. */
struct verdict_draft {
    uint32_t count;
    enum severity severity; /* of the row at first, then of the message kept */
    struct str container, message;
};

/* A message, and what is left of it without secrets. */
struct said {
    struct str message, cut;
};

/* From when to when a verdict stays the same as long as nothing but the time changes. */
struct validity {
    int64_t from, until; /* both included */
};

/* What a local check is told of the cluster as a whole (around.h). */
struct setting {
    uint64_t known_kinds; /* see below, of those that local checks ask for */
    int64_t server_minor; /* of the release that is to take the pods; INT64_MAX: nobody knows */
    bool has_default_priority; /* there is a PriorityClass with globalDefault */
    bool has_foreign_policies; /* there are network policies of Cilium or Calico */
};

/* One judgement of one cluster. The functions of checks read it and call fail().
 *
 * A local check (struct check) is not shown the cluster: for it what stands below "beyond" is NULL
 * or TIME_NONE, and the policy has trusted_registries only. */
struct check_context {
    struct arena *arena;   /* for what a check wants to build */
    struct effort *effort; /* the cluster's */
    const struct score_policy *policy;
    int64_t now;            /* the snapshot's time, which state.h tells checks of */
    struct validity *valid; /* NULL: nobody wants to know */
    /* Of the workload that is asked about, else NULL: view.h, around.h. */
    const struct shown_by_pods *shown;
    const struct around *around;
    struct setting setting;
    uint64_t known_kinds;      /* bits of the kinds of which nothing is missing: completeness.h */
    const struct check *check; /* the one being asked */
    struct verdict_draft *draft;
    struct said *said; /* one a check: what it has said last; see verdict.c */
    /* beyond: */
    const struct cluster *cluster;
    int64_t time;              /* of the snapshot; the only "now" there is */
    int64_t heartbeat;         /* the newest one of a node: cluster_newest_heartbeat() */
    struct check_index *index; /* objects, events and claims by name: index.h */
    const struct views *views; /* namespaces and workloads with what concerns them: view.h */
    const struct selection *selection;   /* what policies and budgets select: selection.h */
    const struct grants *grants;         /* roles and who holds them: grants.h */
    const struct hosts *hosts;           /* hosts and paths that ingresses claim: hosts.h */
    const struct components *components; /* what the cluster runs on: component.h */
    struct proofs *proofs;               /* what pods run with: proof.h */
    const struct totals *totals;         /* what all nodes or operators come to: totals.h */
    const struct around *arounds;        /* of all workloads, parallel to cluster->roots */
};

/* What a check does for one object and other objects, or for each part of an object and its other
 * parts, grows faster than their bytes: it says how much before it does it (kube/effort.h). */
static inline void check_spend(const struct check_context *context, enum effort_kind kind,
                               uint64_t steps)
{
    effort_spend(context->effort, kind, steps);
}

/* Whose list is walked: the member of union check_function of the same name. */
enum subject {
#define JUDGED(list, walked, subject, type) SUBJECT_##subject,
#include "kube/lists.def"
#undef JUDGED
    SUBJECT_evidence, /* every row of evidence.def */
    SUBJECT_object,   /* every object of the row's kinds, whatever its type */
    SUBJECT_cluster   /* once */
};

union check_function {
#define JUDGED(list, walked, subject, type)                                                        \
    enum verdict (*subject)(struct check_context *, const struct type *);
#include "kube/lists.def"
#undef JUDGED
    enum verdict (*evidence)(struct check_context *, const struct evidence *);
    enum verdict (*object)(struct check_context *, const struct object *);
    enum verdict (*cluster)(struct check_context *, const struct cluster *);
};

/* Checks of posture that see one mistake from several sides share a cause: an object pays for it
 * once. All checks of a cause have the same category and subject. */
enum cause {
    CAUSE_none,
#define CAUSE(id, text) CAUSE_##id,
#include "score/causes.def"
#undef CAUSE
    CAUSE_COUNT
};

const char *cause_text(enum cause cause); /* what it is, as a clause; "" of none */

/* What a check looks at. The verdict of a local one follows from a workload, its children,
 * revisions and pods, whether the pods' nodes are ready and when they restarted, what it is shown
 * of what is around the workload (around.h) and of the cluster (struct setting), and the time; so
 * it can be remembered (verdict_memory.h). */
enum sight {
    SEES_ALL,
    SEES_LOCAL,
    SEES_DEPLOYS /* it is local where the policy has no deploys */
};

struct check {
    const char *id;
    enum category category;
    enum severity severity;
    enum subject subject;
    enum cause cause;
    uint64_t kinds; /* bits of enum kind: objects of other kinds are not asked */
    uint64_t needs; /* kinds without which nothing can be said: not evaluated */
    enum sight sees;
    union check_function function;
    const char *title, *recommendation, *frameworks;
};

enum check_id {
#define CHECK(function, ...) CHECK_##function,
#include "score/checks.def"
#undef CHECK
    CHECK_COUNT
};

extern const struct check checks[];
/* What checks are priced in together: their cause, or a check that has none by itself. */
enum { ACCOUNT_COUNT = CAUSE_COUNT + CHECK_COUNT };
static inline uint32_t check_account(const struct check *check)
{
    uint32_t number = (uint32_t)(check - checks);
    assert(number < CHECK_COUNT);
    return check->cause != CAUSE_none ? (uint32_t)check->cause : CAUSE_COUNT + number;
}
/* NULL when there is none of that id. */
const struct check *check_find(struct str id);
/* Is it one of checks[]? What was found by another release may name others. */
bool check_is_known(const struct check *check);

/* The container of a finding that concerns the whole object. */
#define NO_CONTAINER ((struct str){0})

/* The object fails: one sentence (printf), ended by a full stop, that names the values seen.
 * container is NO_CONTAINER for what concerns the whole object. The first call for an object gives
 * container and message; each further one counts one more place (container, pod) where it fails.
 * Returns FAILED. */
enum verdict fail(struct check_context *context, struct str container, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same at another severity than the row's; of several calls the most severe gives the message.
 */
enum verdict fail_as(struct check_context *context, enum severity severity, struct str container,
                     const char *format, ...) __attribute__((format(printf, 4, 5)));

/* "deployment/api": how a finding names its object. */
struct str resource_name(struct arena *arena, const struct object *object);

#endif
