/* component: the workloads that a cluster itself runs on: cluster DNS, the network of pods,
 * ingress, the control plane, and add-ons that others lean on. They are known by name
 * (components.def and the policy's), and by what they are:
 *
 *   DNS      the Service kube-dns of a system namespace selects it
 *   NETWORK  a DaemonSet that tolerates every taint and mounts a CNI directory of its node
 */
#ifndef LOADLINE_SCORE_COMPONENT_H
#define LOADLINE_SCORE_COMPONENT_H

#include "score/check.h"

enum component {
    COMPONENT_NONE,
    COMPONENT_DNS,
    COMPONENT_NETWORK,
    COMPONENT_INGRESS,
    COMPONENT_CONTROL_PLANE,
    COMPONENT_ADDON,
    COMPONENT_COUNT
};

/* A part of the control plane: "etcd", and how many static pods run it. */
struct control_plane_part {
    struct str name;
    uint32_t replicas, down;
};

/* Looks at every workload once. The context keeps what comes of it. */
struct components *components_build(const struct check_context *context);

/* Of a topmost workload. */
enum component component_of(const struct check_context *context, const struct workload *workload);
/* "etcd": which part of the control plane a static pod is; absent: none. */
struct str component_control_plane(const struct workload *workload);
/* How many workloads of that role are not scaled to zero. */
uint32_t component_count(const struct check_context *context, enum component role);
/* Of a workload of the control plane. */
const struct control_plane_part *component_part(const struct check_context *context,
                                                const struct workload *workload);

/* Is it one of the cluster's own, as kube-system? */
bool is_system_namespace(struct str namespace);

/* May the policy name a component so? "dns:kube-system/my-dns"; the other roles are network,
 * ingress. */
bool component_word_is_valid(struct str word);

#endif
