/* status: what is true of an object by its status, as Kubernetes' own controllers read it. No
 * clock, no verdict.
 */
#ifndef LOADLINE_KUBE_STATUS_H
#define LOADLINE_KUBE_STATUS_H

#include "kube/model.h"

/* ---- conditions ---- */

/* NULL when there is none of that type. */
const struct condition *condition_find(condition_list conditions, struct str type);
/* Is there one of that type with that status? */
bool condition_is(condition_list conditions, struct str type, struct str status);

/* ---- pods ---- */

/* Works out what the next three say, and what else is told by the containers together. Whoever
 * makes a pod calls it once, when its status is there. */
void pod_note_status(struct pod *pod);
/* Has the pod a status that containers can be judged by: not terminating, not ended? */
bool pod_is_active(const struct pod *pod);
bool pod_has_ended(const struct pod *pod); /* Succeeded or Failed */
/* By its condition Ready; by its containers where there is none. */
bool pod_is_ready(const struct pod *pod);
bool pod_is_terminating(const struct pod *pod);
/* Does it run on a node of the snapshot that says that it is not ready? Its readiness is the node's
 * fault. */
bool pod_is_on_lost_node(const struct pod *pod);
/* Is it on such a node, and was it well before? What a container waited for already is its own
 * fault. */
bool pod_is_stranded(const struct pod *pod);
/* Is the container there for as long as the pod: a main one, or a sidecar? */
bool container_serves(enum container_role role);
/* Was it gone when the kubelet looked for it? Its exit code is 255 then. NULL: it has not ended. */
bool container_was_lost(const struct container_terminated *end);
/* Does the container wait for something that went wrong, and not only for its turn to start? */
bool container_cannot_start(const struct container_status *status);
/* What a summary item says of the state: "CrashLoopBackOff", "Running"; absent for others. */
struct str pod_summary_state(const struct pod *pod);

/* ---- workloads and nodes ---- */

/* Is status older than spec, so that its numbers say nothing? */
bool status_is_stale(const struct workload *workload);
/* spec.replicas, 1 when absent. */
int64_t wanted_replicas(const struct workload *workload);
/* Has its controller written a status, or the summary item its replicas? */
bool has_replica_status(const struct workload *workload);
/* availableReplicas; readyReplicas where a summary item or a DaemonSet does not tell them. */
int64_t available_replicas(const struct workload *workload);
/* A number of a spec or status: 0 when absent, as the API leaves zeros out, or negative; and never
 * so large that a sum could overflow. */
int64_t number_or_zero(int64_t number);
/* Has the Job reached its goal, or failed for good? */
bool job_is_over(const struct workload *job);
/* How many of its pods the snapshot shows that have not ended. */
int64_t pods_not_ended(const struct workload *workload);
/* How many pods it has on nodes that are not ready. */
int64_t pods_on_lost_nodes(const struct workload *workload);

/* TRI_ABSENT: a summary item that does not say. No Ready condition at all counts as not ready. */
enum tri node_ready(const struct node *node);

#endif
