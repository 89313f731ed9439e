/* policy: what an operator or an owner decides about judging. */
#ifndef LOADLINE_SCORE_POLICY_H
#define LOADLINE_SCORE_POLICY_H

#include "kube/deployed.h"
#include "kube/model.h"
#include "kube/release.h"
#include "score/exemption.h"

struct recall;

struct score_policy {
    str_list system_namespaces; /* left out of policy and history */
    bool all_namespaces;        /* nothing is left out */
    bool allow_exemptions;      /* the annotation loadline.io/exempt counts */
    exemption_list exemptions;  /* what the operator has accepted, for a time */
    str_list trusted_registries;
    str_list components; /* "role:namespace/name": see component.h */
    bool partial; /* its owner says: the snapshots show some namespaces only. Nodes are not asked
                     for */
    struct release target; /* the Kubernetes that is to take what was written; major 0: see
                              api_version.c */
    uint64_t shown_before; /* bits of enum kind: what earlier snapshots of the cluster held */
    const deployed_list *deploys; /* sorted, what was deployed before the snapshot, by which history
                                     is judged, too; NULL: the snapshot alone tells */
    const struct recall *recall;  /* what a redacted copy does not show: recall.h; or NULL */
};

/* kube-system, kube-public, kube-node-lease, loadline; exemptions off. */
struct score_policy score_policy_default(void);

#endif
