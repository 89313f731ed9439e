/* Two of a kind where one is meant: autoscalers of one target, Services of one selector, ports of
 * one name. */
#include "kube/containers.h"
#include "score/checks.h"
#include "score/view.h"

/* ---- hpa-target-shared ---- */

/* KEDA makes a HorizontalPodAutoscaler of each of its ScaledObjects (keda.sh, "Scaling
 * Deployments"): the two are one. */
static bool is_of_scaled_object(const struct object *scaler)
{
    const struct owner_reference *owner;
    LIST_EACH (owner, scaler->meta.owners)
        if (str_eq(owner->kind, STR("ScaledObject")))
            return true;
    return false;
}

/* The autoscalers that somebody made, up to two of them in `first`. */
static uint32_t count_autoscalers(const struct workload_view *view, const struct object *first[2])
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < view->autoscalers.n; i++) {
        const struct object *scaler = &view->autoscalers.items[i]->object;
        if (is_of_scaled_object(scaler))
            continue;
        if (n < 2)
            first[n] = scaler;
        n++;
    }
    return n;
}

/* Each scales by its own metrics, and the target goes up and down between them (kubernetes.io,
 * "Horizontal Pod Autoscaling", condition AmbiguousSelector). */
enum verdict check_hpa_target_shared(struct check_context *context, const struct workload *workload)
{
    const struct workload_view *view = view_workload(context, workload);
    if (!view->autoscalers.n)
        return NOT_EVALUATED;
    const struct object *first[2];
    uint32_t n = count_autoscalers(view, first);
    if (n < 2)
        return PASSED;
    return fail(
        context, NO_CONTAINER,
        "%u autoscalers scale it: %" STR_FMT " %" STR_FMT " and %" STR_FMT " %" STR_FMT "%s.", n,
        STR_ARG(first[0]->kind_name), STR_ARG(first[0]->meta.name), STR_ARG(first[1]->kind_name),
        STR_ARG(first[1]->meta.name), n > 2 ? ", and more" : "");
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

/* What the author left out is what the API server takes (k8s.io/kubernetes/pkg/apis/core/v1,
 * SetDefaults_Service): TCP, the port's own number as its target, ClusterIP. */
static bool same_target(const struct service_port *a, const struct service_port *b)
{
    int64_t x = a->port, y = b->port;
    bool numbers = (!a->target_port.n || str_to_i64(a->target_port, &x)) &&
                   (!b->target_port.n || str_to_i64(b->target_port, &y));
    return numbers ? x == y : str_eq(a->target_port, b->target_port);
}

static bool same_or(struct str a, struct str b, struct str otherwise)
{
    return str_eq(a.n ? a : otherwise, b.n ? b : otherwise);
}

static bool same_ports(const struct service *a, const struct service *b)
{
    if (a->ports.n != b->ports.n)
        return false;
    for (uint32_t i = 0; i < a->ports.n; i++) {
        const struct service_port *x = &a->ports.items[i], *y = &b->ports.items[i];
        if (x->port != y->port || !same_or(x->protocol, y->protocol, STR("TCP")) ||
            !same_target(x, y))
            return false;
    }
    return true;
}

/* A headless one, or one of another type, beside it has a purpose of its own. */
static bool is_duplicate(const struct service *a, const struct service *b)
{
    return same_or(a->type, b->type, STR("ClusterIP")) && !str_eq(b->cluster_ip, STR("None")) &&
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
        check_spend(context, EFFORT_search, 1 + service->selector.n / 8);
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

static bool is_named_before(const struct check_context *context, const struct pod_spec *spec,
                            const struct container *container, const struct container_port *port)
{
    const struct container *other;
    const struct container_port *earlier;
    uint32_t searched = 0;
    LIST_EACH (other, spec->containers) {
        if (other->role != CONTAINER_MAIN && other->role != CONTAINER_SIDECAR)
            continue;
        check_spend(context, EFFORT_search,
                    other->ports.n < SEARCHED_MAX ? other->ports.n : SEARCHED_MAX);
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
            if (is_named_before(context, spec, container, port))
                verdict = fail(context, container->name,
                               "Port name %" STR_FMT " of container %" STR_FMT
                               " stands for another port of the pod already.",
                               STR_ARG(port->name), STR_ARG(container->name));
        }
    }
    return verdict;
}
