/* checks: the prototypes of all functions in checks.def, and the words its rows are written in. */
#ifndef LOADLINE_SCORE_CHECKS_H
#define LOADLINE_SCORE_CHECKS_H

#include "score/check.h"

#define K(kind) (UINT64_C(1) << KIND_##kind)
#define NOTHING UINT64_C(0)
#define ANY     UINT64_MAX
/* All pod-bearing kinds; K(NONE) is a controller of a kind that is not read. */
#define PODS                                                                                       \
    (K(NONE) | K(POD) | K(DEPLOYMENT) | K(STATEFULSET) | K(DAEMONSET) | K(REPLICASET) |            \
     K(REPLICATIONCONTROLLER) | K(JOB) | K(CRONJOB) | K(DEPLOYMENTCONFIG) | K(ROLLOUT))

#define SUBJECT_TYPE_workload              struct workload
#define SUBJECT_TYPE_service               struct service
#define SUBJECT_TYPE_ingress               struct ingress
#define SUBJECT_TYPE_network_policy        struct network_policy
#define SUBJECT_TYPE_pdb                   struct pod_disruption_budget
#define SUBJECT_TYPE_autoscaler            struct autoscaler
#define SUBJECT_TYPE_service_account       struct service_account
#define SUBJECT_TYPE_role                  struct role
#define SUBJECT_TYPE_role_binding          struct role_binding
#define SUBJECT_TYPE_config_map            struct config_map
#define SUBJECT_TYPE_namespace             struct namespace
#define SUBJECT_TYPE_node                  struct node
#define SUBJECT_TYPE_claim                 struct persistent_volume_claim
#define SUBJECT_TYPE_volume                struct persistent_volume
#define SUBJECT_TYPE_quota                 struct resource_quota
#define SUBJECT_TYPE_webhook_configuration struct webhook_configuration
#define SUBJECT_TYPE_api_service           struct api_service
#define SUBJECT_TYPE_platform_object       struct platform_object
#define SUBJECT_TYPE_evidence              struct evidence
#define SUBJECT_TYPE_object                struct object
#define SUBJECT_TYPE_cluster               struct cluster

#define CHECK(function, id, category, severity, subject, ...)                                      \
    enum verdict check_##function(struct judge *, const SUBJECT_TYPE_##subject *);
#include "score/checks.def"
#undef CHECK

#endif
