/* selection: which network policies and disruption budgets select which workloads.
 *
 * Worked out once a judgement, for all at once: every selector is filed under one of the labels it
 * demands, and each template and pod asks for its own labels only. So the cost grows with pods and
 * selectors, not with their product.
 *
 * A selector selects a workload when it matches the labels of its template or of one of its pods.
 */
#ifndef LOADLINE_SCORE_SELECTION_H
#define LOADLINE_SCORE_SELECTION_H

#include "score/check.h"

/* Made by judge_prepare(). */
struct selection *selection_build(struct arena *arena, const struct cluster *cluster);

/* The directions of traffic that a policy governs. */
enum { DIRECTION_INGRESS = 1, DIRECTION_EGRESS = 2 };

/* By policyTypes; when they are absent Ingress, and Egress when there is an egress key. */
unsigned policy_directions(const struct network_policy *policy);

/* Directions in which policies isolate the workload: its template, or every pod that it has. False
 * when the snapshot holds no labels of it. */
bool selection_isolation(const struct check_context *context, const struct workload *workload,
                         unsigned *directions);

/* Does the policy's podSelector match any pod or template of its namespace? */
bool selection_policy_selects(struct check_context *context, const struct network_policy *policy);
/* A podSelector that demands something and stands alone: it speaks of the policy's namespace. */
bool peer_is_local(const struct network_policy_peer *peer);
/* The same for such a peer: the n-th of the policy, ingress rules first. */
bool selection_peer_selects(struct check_context *context, const struct network_policy *policy,
                            uint32_t n);

struct selected_workload {
    const struct workload *workload;
    bool by_template;
    uint32_t pods;                  /* of its pods that match */
    struct selected_workload *next; /* in the order of cluster->roots */
};

struct budget_selection {
    struct selected_workload *first;             /* NULL: selects nothing */
    const struct pod_disruption_budget *overlap; /* another one that selects the same ... */
    const struct workload *overlap_at;           /* ... of this workload; NULL: none does */
};

/* NULL selectors, and {} in policy/v1beta1, select nothing; {} in policy/v1 selects everything. */
const struct budget_selection *selection_of_budget(struct check_context *context,
                                                   const struct pod_disruption_budget *pdb);
/* Does any budget select the workload? False when the snapshot holds no labels of it. */
bool selection_has_budget(const struct check_context *context, const struct workload *workload,
                          bool *has);

#endif
