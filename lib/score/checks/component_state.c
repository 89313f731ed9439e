/* What the cluster itself runs on: its DNS, the network of pods, ingress, the control plane. */
#include "score/checks.h"
#include "score/component.h"
#include "kube/replicas.h"
#include "score/state.h"

#define STARTING_GRACE (2 * CLOCK_MINUTE)

/* Is it of that role, and do its status or its pods say how it is? Most workloads have none. */
static bool is_told_of(const struct check_context *context, const struct workload *workload,
                       enum component role, struct replicas *replicas)
{
    if (component_of(context, workload) != role)
        return false;
    *replicas = replicas_of(workload);
    return replicas->current || replicas->pods;
}

static bool has_failed_before(const struct pod *pod)
{
    const struct container_status *status;
    LIST_EACH (status, pod->containers)
        if (number_or_zero(status->restart_count) > 0 ||
            str_has_suffix(waiting_reason(status), STR("BackOff")))
            return true;
    return false;
}

/* Young pods that have not failed yet are given their time. */
static bool is_only_starting(const struct check_context *context, const struct workload *workload)
{
    struct pod **pod;
    if (!pods_are_starting(context, workload, STARTING_GRACE))
        return false;
    LIST_EACH (pod, workload->pods)
        if (has_failed_before(*pod))
            return false;
    return true;
}

static enum verdict fail_lacking(struct check_context *context, const struct workload *workload,
                                 const struct replicas *replicas, enum severity partly,
                                 const char *what)
{
    bool by_pods = !replicas->current || (replicas->pods && !replicas->ready);
    int64_t wanted = by_pods ? replicas->pods : replicas->wanted;
    int64_t there = by_pods ? replicas->ready : replicas->available;
    return fail_as(context, there > 0 ? partly : context->check->severity, NO_CONTAINER,
                   "%s: %lld of %lld replicas of %" STR_FMT " are ready.", what, (long long)there,
                   (long long)wanted, STR_ARG(workload->object.meta.name));
}

/* ---- cluster-dns-down ---- */

enum verdict check_cluster_dns_down(struct check_context *context, const struct workload *workload)
{
    struct replicas replicas;
    if (!is_told_of(context, workload, COMPONENT_DNS, &replicas))
        return NOT_EVALUATED;
    if (!replicas.counts)
        return component_count(context, COMPONENT_DNS)
                   ? NOT_EVALUATED
                   : fail(context, NO_CONTAINER, "Cluster DNS is scaled to zero.");
    if (replicas_missing(&replicas) <= 0 || is_only_starting(context, workload))
        return PASSED;
    return fail_lacking(context, workload, &replicas, SEVERITY_HIGH, "Cluster DNS");
}

/* ---- cluster-dns-missing ---- */

static bool has_workload_of(const struct check_context *context, enum component role)
{
    struct workload **root;
    LIST_EACH (root, context->cluster->roots)
        if (component_of(context, *root) == role)
            return true;
    return false;
}

/* The Service that pods ask by its address. What becomes of a workload behind it cluster-dns-down
 * says. */
enum verdict check_cluster_dns_missing(struct check_context *context, const struct service *service)
{
    const struct object_meta *meta = &service->object.meta;
    if (!str_eq(meta->name, STR("kube-dns")) || !is_system_namespace(meta->namespace) ||
        !service->selector.n || !service->endpoints_known)
        return NOT_EVALUATED;
    if (service->ready_endpoints || has_workload_of(context, COMPONENT_DNS))
        return PASSED;
    return fail(context, NO_CONTAINER,
                "Cluster DNS: the Service %" STR_FMT " has no endpoint, and no workload runs it.",
                STR_ARG(meta->name));
}

/* ---- cluster-network-down ---- */

/* Pods on dead nodes are those nodes' findings. */
enum verdict check_cluster_network_down(struct check_context *context,
                                        const struct workload *workload)
{
    struct replicas replicas;
    if (!is_told_of(context, workload, COMPONENT_NETWORK, &replicas) || !replicas.counts)
        return NOT_EVALUATED;
    if (replicas_missing(&replicas) <= 0 || replicas_are_stranded(&replicas) ||
        is_only_starting(context, workload))
        return PASSED;
    return fail_lacking(context, workload, &replicas, SEVERITY_HIGH, "Network of pods");
}

/* ---- cluster-ingress-down ---- */

enum verdict check_cluster_ingress_down(struct check_context *context,
                                        const struct workload *workload)
{
    struct replicas replicas;
    if (!is_told_of(context, workload, COMPONENT_INGRESS, &replicas) || !replicas.counts)
        return NOT_EVALUATED;
    if (replicas_missing(&replicas) <= 0 || is_only_starting(context, workload))
        return PASSED;
    return fail_lacking(context, workload, &replicas, SEVERITY_MEDIUM, "Ingress");
}

/* ---- control-plane-down ---- */

enum verdict check_control_plane_down(struct check_context *context,
                                      const struct workload *workload)
{
    struct replicas replicas;
    const struct control_plane_part *part = component_part(context, workload);
    if (!is_told_of(context, workload, COMPONENT_CONTROL_PLANE, &replicas) || !replicas.pods)
        return NOT_EVALUATED;
    if (replicas_missing(&replicas) < 1 || is_only_starting(context, workload))
        return PASSED;
    struct str node = workload->pods.n == 1 ? workload->pods.items[0]->node_name : STR("");
    return fail(context, NO_CONTAINER, "%" STR_FMT " is not ready on node %" STR_FMT ".",
                STR_ARG(part->name), STR_ARG(node.n ? node : STR("(unknown)")));
}
