/* Probes: whether the kubelet can tell that a container serves, and whether it asks the right
 * thing. */
#include "score/around.h"
#include "score/checks.h"
#include "score/view.h"
#include "score/walk.h"

/* Only pods that are meant to run for ever are probed for it. */
static bool runs_for_ever(const struct workload *workload)
{
    const struct pod_spec *spec = template_of(workload);
    return spec && (!spec->restart_policy.n || str_eq(spec->restart_policy, STR("Always")));
}

static bool lacks_readiness(struct check_context *context, struct place at)
{
    if (at.container->readiness)
        return false;
    if (context->around->has_service)
        fail_as(context, SEVERITY_HIGH, at.container->name,
                "Service %" STR_FMT " sends requests to container %" STR_FMT
                " whether or not it can serve: it has no readinessProbe.",
                STR_ARG(context->around->service), STR_ARG(at.container->name));
    else
        fail(context, at.container->name, "Container %" STR_FMT " has no readinessProbe.",
             STR_ARG(at.container->name));
    return true;
}

enum verdict check_readiness_probe_missing(struct check_context *context,
                                           const struct workload *workload)
{
    if (!runs_for_ever(workload))
        return NOT_EVALUATED;
    return walk_containers(context, workload, ROLE_MAIN, lacks_readiness);
}

static bool lacks_liveness(struct check_context *context, struct place at)
{
    if (at.container->liveness)
        return false;
    fail(context, at.container->name, "Container %" STR_FMT " has no livenessProbe.",
         STR_ARG(at.container->name));
    return true;
}

enum verdict check_liveness_probe_missing(struct check_context *context,
                                          const struct workload *workload)
{
    if (!runs_for_ever(workload))
        return NOT_EVALUATED;
    return walk_containers(context, workload, ROLE_MAIN, lacks_liveness);
}

static bool headers_are_equal(pair_list a, pair_list b)
{
    for (uint32_t i = 0; i < a.n && i < b.n; i++)
        if (!str_eq(a.items[i].key, b.items[i].key) || !str_eq(a.items[i].value, b.items[i].value))
            return false;
    return a.n == b.n;
}

static bool are_equal(struct str a, struct str b, const char *by_default)
{
    return str_eq(a.n ? a : str_of(by_default), b.n ? b : str_of(by_default));
}

/* A program may tell two probes of one path apart by a header. What is absent is as the API server
 * fills it in. */
static bool handlers_are_equal(const struct handler *a, const struct handler *b)
{
    return a->type == b->type && str_eq(a->port, b->port) && str_eq(a->host, b->host) &&
           are_equal(a->path, b->path, "/") && are_equal(a->scheme, b->scheme, "HTTP") &&
           str_eq(a->service, b->service) && a->command == b->command &&
           headers_are_equal(a->headers, b->headers);
}

static bool probes_are_identical(struct check_context *context, struct place at)
{
    const struct probe *liveness = at.container->liveness, *readiness = at.container->readiness;
    if (!liveness || !readiness || liveness->handler.type == HANDLER_NONE ||
        !handlers_are_equal(&liveness->handler, &readiness->handler))
        return false;
    fail(context, at.container->name,
         "Liveness and readiness of container %" STR_FMT
         " are asked by the same probe: when it is busy it gets killed.",
         STR_ARG(at.container->name));
    return true;
}

enum verdict check_probes_identical(struct check_context *context, const struct workload *workload)
{
    return walk_containers(context, workload, ROLES_LASTING, probes_are_identical);
}

/* ---- ports of probes ---- */

static bool is_tcp(const struct container_port *port)
{
    return !port->protocol.n || str_eq(port->protocol, STR("TCP"));
}

static bool declares_port(const struct container *container, struct str port, bool is_number,
                          int64_t number)
{
    const struct container_port *one;
    LIST_EACH (one, container->ports)
        if (is_tcp(one) && (is_number ? one->container_port == number : str_eq(one->name, port)))
            return true;
    return false;
}

/* A name that is nowhere is a mistake; an undeclared number works all the same. */
static bool probe_port_is_undeclared(struct check_context *context,
                                     const struct container *container, const struct probe *probe,
                                     const char *name)
{
    int64_t number = 0;
    if (!probe || !probe->handler.port.n)
        return false;
    bool is_number = str_to_i64(probe->handler.port, &number);
    if (declares_port(container, probe->handler.port, is_number, number))
        return false;
    fail_as(context, is_number ? SEVERITY_LOW : SEVERITY_MEDIUM, container->name,
            "The %s of container %" STR_FMT " asks port %" STR_FMT
            ", which the container does not declare.",
            name, STR_ARG(container->name), STR_ARG(probe->handler.port));
    return true;
}

static bool asks_undeclared_port(struct check_context *context, struct place at)
{
    const struct container *container = at.container;
    bool failed = false;
    failed |= probe_port_is_undeclared(context, container, container->liveness, "livenessProbe");
    failed |= probe_port_is_undeclared(context, container, container->readiness, "readinessProbe");
    failed |= probe_port_is_undeclared(context, container, container->startup, "startupProbe");
    return failed;
}

enum verdict check_probe_port_undeclared(struct check_context *context,
                                         const struct workload *workload)
{
    return walk_containers(context, workload, ROLES_LASTING, asks_undeclared_port);
}
