/* pod_requests: what a pod reserves on its node, as the scheduler and the kubelet add it up. */
#ifndef LOADLINE_KUBE_POD_REQUESTS_H
#define LOADLINE_KUBE_POD_REQUESTS_H

#include "kube/pod.h"

/* The larger of all main containers with all sidecars, and of each run-once init container with
 * the sidecars started before it; what the pod level requests takes its place; then the overhead. A
 * limit stands for a request that is absent, that of the pod level where no container has any. CPU
 * and memory, in thousandths, never absent. */
struct resource_list pod_requests(const struct pod_spec *spec);
/* What its main containers and sidecars may use together, or its pod level says; what has no limit
 * counts as nothing. CPU and memory, in thousandths, never absent. */
struct resource_list pod_limits(const struct pod_spec *spec);
int64_t pod_memory_limit(const struct pod_spec *spec);
/* Both stop at INT64_MAX instead of wrapping. */
int64_t quantity_sum(int64_t a, int64_t b);
struct resource_list resource_sum(struct resource_list a, struct resource_list b);

#endif
