/* view: what is in a namespace, and what concerns a workload. Built once a judgement, in its
 * arena, read-only afterwards; no look-up walks a whole list.
 */
#ifndef LOADLINE_SCORE_VIEW_H
#define LOADLINE_SCORE_VIEW_H

#include "score/check.h"

/* Made by judge_prepare(). */
struct views *views_build(struct arena *arena, const struct cluster *cluster);

/* ---- a namespace and what is in it ---- */

struct namespace_view {
    struct str name;                /* "" for objects that name none: manifests */
    const struct namespace *object; /* NULL: not in the snapshot */
    /* Slices of the cluster's lists, in their order. */
    LIST(struct pod *) pods;
#define JUDGED(list, walked, subject, type) LIST(struct type *) walked;
#include "kube/lists.def"
#undef JUDGED
    bool summary_policies; /* some are summary items, which do not say whom they govern */
    bool summary_budgets;  /* likewise, whom they protect */
};

/* Never NULL: a namespace that nothing is in has an empty view. */
const struct namespace_view *view_namespace(const struct check_context *context, struct str name);

/* ---- a workload and what concerns it ---- */

/* A container that only live pods have (ephemeral, or injected at admission), recognised sidecars
 * of a mesh or agent left out. */
struct live_container {
    const struct pod *pod;
    const struct container *container;
};

/* What its pods show of a workload that its template does not. */
struct shown_by_pods {
    LIST(struct live_container) live;
    bool has_succeeded; /* one of its pods; of what is known from its pods only */
};

struct workload_view {
    uint32_t ordinal;                      /* of the workload in cluster->roots */
    LIST(struct service *) services;       /* that select its template or one of its pods */
    LIST(struct autoscaler *) autoscalers; /* whose target it is */
    struct shown_by_pods shown;
};

/* For a workload of cluster->roots. Never NULL. What the pods of the one that is asked about show,
 * context->shown has. */
const struct workload_view *view_workload(const struct check_context *context,
                                          const struct workload *workload);

/* The lowest number of replicas that its autoscalers may leave, of several the highest;
 * NUMBER_ABSENT: it has none. */
int64_t autoscaled_minimum(const struct check_context *context, const struct workload *workload);
/* Is it one of its autoscalers that may leave it without replicas? KEDA does so, although the
 * HorizontalPodAutoscaler that it makes beside has a minimum of one. */
bool may_rest_at_zero(const struct check_context *context, const struct workload *workload);

/* kind as the API spells it; ReplicaSets and Jobs that have an owner are found too. NULL: none, or
 * no name was given. */
const struct workload *find_workload(const struct check_context *context, struct str kind,
                                     struct str namespace, struct str name);

/* The account a pod runs under: "default" when it names none. */
struct str service_account_of(const struct pod_spec *spec);
/* Can a ConfigMap or Secret of this namespace be called missing when it is not in the snapshot? Not
 * when the kind was not collected, nor when other namespaces show the map that every namespace has
 * (kube-root-ca.crt) and this one does not: then what is in it was not collected. */
bool namespace_is_complete(const struct check_context *context, enum kind kind,
                           struct str namespace);
/* Is there a PriorityClass with globalDefault? */
bool has_default_priority(const struct check_context *context);
/* Does a pod-bearing object of the snapshot run under this account? */
bool service_account_is_used(const struct check_context *context,
                             const struct service_account *account);

#endif
