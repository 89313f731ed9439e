/* Routes, of OpenShift and of the Gateway API: whether they are taken, where they lead, what they
 * encrypt. */
#include "kube/manifest.h"
#include "score/checks.h"
#include "score/completeness.h"
#include "score/index.h"
#include "score/policy.h"
#include "score/state.h"
#include "score/view.h"

#define ACCEPT_GRACE (10 * CLOCK_MINUTE)

static bool is_openshift(const struct traffic_route *route)
{
    return route->object.kind == KIND_ROUTE;
}

/* ---- route-not-accepted ---- */

/* A missing backend is route-backend-missing's when that can tell. */
static bool is_refusal(const struct check_context *context, const struct condition *condition)
{
    if (!str_eq(condition->status, STR("False")))
        return false;
    if (str_eq(condition->type, STR("ResolvedRefs")))
        return !str_eq(condition->reason, STR("BackendNotFound")) ||
               !completeness_covers(context, KIND_SERVICE);
    return str_eq(condition->type, STR("Accepted")) || str_eq(condition->type, STR("Admitted"));
}

static enum verdict ask_parent(struct check_context *context, const struct named_conditions *parent)
{
    const struct condition *condition;
    enum verdict verdict = NOT_EVALUATED;
    LIST_EACH (condition, parent->conditions) {
        struct str message = message_text(condition->message);
        if (is_refusal(context, condition))
            return fail(
                context, NO_CONTAINER,
                "%" STR_FMT " says %" STR_FMT " False %" STR_FMT "%s%" STR_FMT "%s%" STR_FMT ".",
                STR_ARG(parent->name.n ? parent->name : STR("The controller")),
                STR_ARG(condition->type), STR_ARG(for_time(context, condition->last_transition)),
                condition->reason.n ? ": " : "", STR_ARG(condition->reason), message.n ? ", " : "",
                STR_ARG(message));
        verdict = PASSED;
    }
    return verdict;
}

/* The controller of each Gateway that it names writes what it makes of it (gateway-api,
 * RouteParentStatus); of a Gateway that nobody has, nobody writes. */
static bool waits_for_gateway(const struct check_context *context,
                              const struct traffic_route *route)
{
    const struct parent_reference *parent;
    if (is_openshift(route) || is_manifest(&route->object) ||
        !age_exceeds(context, route->object.meta.created, ACCEPT_GRACE))
        return false;
    LIST_EACH (parent, route->parents)
        if (!parent->kind.n || str_eq(parent->kind, STR("Gateway")))
            return true;
    return false;
}

enum verdict check_route_not_accepted(struct check_context *context,
                                      const struct traffic_route *route)
{
    const struct named_conditions *parent;
    enum verdict worst = NOT_EVALUATED, one;
    LIST_EACH (parent, route->accepted_by) {
        one = ask_parent(context, parent);
        worst = one > worst ? one : worst;
    }
    if (!route->accepted_by.n && waits_for_gateway(context, route))
        return fail(context, NO_CONTAINER,
                    "No Gateway has taken it: %" STR_FMT " has not answered.",
                    STR_ARG(route->parents.items[0].name));
    return worst;
}

/* ---- route-backend-missing ---- */

static enum verdict ask_backend(struct check_context *context, const struct traffic_route *route,
                                const struct route_backend *backend)
{
    struct str own = route->object.meta.namespace;
    struct str namespace = backend->namespace.n ? backend->namespace : own;
    bool is_service = !backend->kind.n || str_eq(backend->kind, STR("Service"));
    if (!is_service || backend->group.n || !backend->name.n)
        return NOT_EVALUATED;
    if (!str_eq(namespace, own) && !view_namespace(context, namespace)->services.n)
        return NOT_EVALUATED;
    if (index_object(context->index, KIND_SERVICE, namespace, backend->name))
        return PASSED;
    return fail(context, NO_CONTAINER,
                "It leads to Service %" STR_FMT "/%" STR_FMT ", which does not exist.",
                STR_ARG(namespace), STR_ARG(backend->name));
}

enum verdict check_route_backend_missing(struct check_context *context,
                                         const struct traffic_route *route)
{
    const struct route_rule *rule;
    const struct route_backend *backend;
    enum verdict worst, one;
    if (!completeness_covers(context, KIND_SERVICE))
        return NOT_EVALUATED;
    worst = ask_backend(context, route, &route->to);
    LIST_EACH (backend, route->alternates) {
        one = ask_backend(context, route, backend);
        worst = one > worst ? one : worst;
    }
    LIST_EACH (rule, route->rules)
        LIST_EACH (backend, rule->backends) {
            one = ask_backend(context, route, backend);
            worst = one > worst ? one : worst;
        }
    return worst;
}

/* ---- route-no-tls ---- */

enum verdict check_route_no_tls(struct check_context *context, const struct traffic_route *route)
{
    if (route->object.summary)
        return NOT_EVALUATED;
    if (route->tls_termination.n)
        return PASSED;
    return fail(context, NO_CONTAINER, "It has no tls: %" STR_FMT " is served in the clear.",
                STR_ARG(route->host.n ? route->host : STR("its host")));
}
