/* Two of a kind where one is meant: autoscalers of one target, Services of one selector, ports of
 * one name. */
#include "kube/containers.h"
#include "score/checks.h"
#include "score/view.h"

/* ---- hpa-target-shared ---- */

/* Each scales by its own metrics, and the target goes up and down between them (kubernetes.io,
 * "Horizontal Pod Autoscaling", condition AmbiguousSelector). */
enum verdict check_hpa_target_shared(struct check_context *context, const struct workload *workload)
{
    const struct workload_view *view = view_workload(context, workload);
    if (!view->autoscalers.n)
        return NOT_EVALUATED;
    if (view->autoscalers.n == 1)
        return PASSED;
    const struct object *first = &view->autoscalers.items[0]->object;
    const struct object *second = &view->autoscalers.items[1]->object;
    return fail(context, NO_CONTAINER,
                "%u autoscalers scale it: %" STR_FMT " %" STR_FMT " and %" STR_FMT " %" STR_FMT
                "%s.",
                view->autoscalers.n, STR_ARG(first->kind_name), STR_ARG(first->meta.name),
                STR_ARG(second->kind_name), STR_ARG(second->meta.name),
                view->autoscalers.n > 2 ? ", and more" : "");
}

/* ---- service-duplicate ---- */

static bool same_pairs(pair_list a, pair_list b)
{
    if (a.n != b.n)
        return false;
    for (uint32_t i = 0; i < a.n && a.items != b.items; i++)
        if (!str_eq(a.items[i].key, b.items[i].key) || !str_eq(a.items[i].value, b.items[i].value))
            return false;
    return true;
}

static bool same_ports(const struct service *a, const struct service *b)
{
    if (a->ports.n != b->ports.n)
        return false;
    for (uint32_t i = 0; i < a->ports.n; i++)
        if (a->ports.items[i].port != b->ports.items[i].port ||
            !str_eq(a->ports.items[i].protocol, b->ports.items[i].protocol) ||
            !str_eq(a->ports.items[i].target_port, b->ports.items[i].target_port))
            return false;
    return true;
}

/* A headless one, or one of another type, beside it has a purpose of its own. */
static bool is_duplicate(const struct service *a, const struct service *b)
{
    return str_eq(a->type, b->type) && !str_eq(b->cluster_ip, STR("None")) &&
           same_pairs(a->selector, b->selector) && same_ports(a, b);
}

/* Argo's Rollouts keep two alike on purpose, until they roll. */
static bool is_judged(const struct check_context *context, const struct service *service)
{
    return !service->object.summary && service->selector.n && service->ports.n &&
           !str_eq(service->cluster_ip, STR("None")) &&
           !str_eq(service->type, STR("ExternalName")) &&
           !cluster_has(context->cluster, KIND_ROLLOUT);
}

/* The later one of the two, by name, is told of. */
enum verdict check_service_duplicate(struct check_context *context, const struct service *service)
{
    const struct namespace_view *view = view_namespace(context, service->object.meta.namespace);
    if (!is_judged(context, service))
        return NOT_EVALUATED;
    for (uint32_t i = 0; i < view->services.n && i < SEARCHED_MAX; i++) {
        const struct service *other = view->services.items[i];
        if (other == service)
            break;
        if (is_judged(context, other) && is_duplicate(service, other))
            return fail(context, NO_CONTAINER,
                        "Service %" STR_FMT " has the same selector and the same ports.",
                        STR_ARG(other->object.meta.name));
    }
    return PASSED;
}

/* ---- port-name-duplicate ---- */

static bool is_named_before(const struct pod_spec *spec, const struct container *container,
                            const struct container_port *port)
{
    const struct container *other;
    const struct container_port *earlier;
    uint32_t searched = 0;
    LIST_EACH (other, spec->containers) {
        if (other->role != CONTAINER_MAIN && other->role != CONTAINER_SIDECAR)
            continue;
        LIST_EACH (earlier, other->ports) {
            if ((other == container && earlier == port) || ++searched > SEARCHED_MAX)
                return false;
            if (str_eq(earlier->name, port->name))
                return true;
        }
    }
    return false;
}

/* A Service that names the port gets the first one (k8s.io/api/core/v1, ContainerPort:
 * each named port in a pod must have a unique name). */
enum verdict check_port_name_duplicate(struct check_context *context,
                                       const struct workload *workload)
{
    const struct pod_spec *spec = template_of(workload);
    const struct container *container;
    const struct container_port *port;
    enum verdict verdict = NOT_EVALUATED;
    if (!spec)
        return NOT_EVALUATED;
    LIST_EACH (container, spec->containers) {
        if (container->role != CONTAINER_MAIN && container->role != CONTAINER_SIDECAR)
            continue;
        LIST_EACH (port, container->ports) {
            if (!port->name.n)
                continue;
            verdict = verdict == NOT_EVALUATED ? PASSED : verdict;
            if (is_named_before(spec, container, port))
                verdict = fail(context, container->name,
                               "Port name %" STR_FMT " of container %" STR_FMT
                               " stands for another port of the pod already.",
                               STR_ARG(port->name), STR_ARG(container->name));
        }
    }
    return verdict;
}
