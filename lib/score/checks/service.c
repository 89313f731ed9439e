/* Services: what they select, and what they open. */
#include "kube/selector.h"
#include "score/completeness.h"
#include "score/checks.h"
#include "score/model_text.h"
#include "score/numbered.h"

static bool is_number(struct str text)
{
    uint64_t n;
    return str_to_u64(text, &n);
}

static bool selects(const struct service *service)
{
    return service->selector.n && !str_eq(service->type, STR("ExternalName"));
}

enum verdict check_service_selects_no_pods(struct check_context *context,
                                           const struct service *service)
{
    if (!selects(service) || !completeness_covers(context, KIND_POD))
        return NOT_EVALUATED;
    const struct label_selector selector = {.match_labels = service->selector};
    if (service->workloads.n || service->pods.n ||
        numbered_is_selected(context, service->object.meta.namespace, &selector))
        return PASSED;
    struct str text = pairs_text(context->arena, service->selector);
    return fail(context, NO_CONTAINER,
                "Its selector (%" STR_FMT ") matches no pod of the namespace.", STR_ARG(text));
}

/* ---- ports ---- */

/* Init containers that have ended serve nothing; sidecars run for the pod's life. */
static bool declares(const struct check_context *context, const struct pod_spec *spec,
                     struct str name, struct str protocol)
{
    const struct container *container;
    const struct container_port *port;
    LIST_EACH (container, spec->containers) {
        check_spend(context, EFFORT_search, 1 + container->ports.n);
        if (container->role != CONTAINER_MAIN && container->role != CONTAINER_SIDECAR)
            continue;
        LIST_EACH (port, container->ports)
            if (str_eq(port->name, name) &&
                str_eq(port->protocol.n ? port->protocol : STR("TCP"), protocol))
                return true;
    }
    return false;
}

/* PASSED: some pod has the port; NOT_EVALUATED: the spec of what is selected is not there. */
static enum verdict port_declared(const struct check_context *context,
                                  const struct service *service, struct str name,
                                  struct str protocol)
{
    enum verdict verdict = NOT_EVALUATED;
    for (uint32_t i = 0; i < service->workloads.n + service->pods.n; i++) {
        const struct pod_spec *spec = i < service->workloads.n
                                          ? service->workloads.items[i]->spec
                                          : service->pods.items[i - service->workloads.n]->spec;
        if (!spec || spec->partial)
            continue;
        check_spend(context, EFFORT_search, 1);
        if (declares(context, spec, name, protocol))
            return PASSED;
        verdict = FAILED;
    }
    return verdict;
}

/* A number needs no declaration: only names can miss. */
enum verdict check_service_target_port_unmatched(struct check_context *context,
                                                 const struct service *service)
{
    const struct service_port *port;
    enum verdict verdict = NOT_EVALUATED;
    if (!selects(service))
        return NOT_EVALUATED;
    LIST_EACH (port, service->ports) {
        if (!port->target_port.n || is_number(port->target_port))
            continue;
        struct str protocol = port->protocol.n ? port->protocol : STR("TCP");
        enum verdict one = port_declared(context, service, port->target_port, protocol);
        if (one == FAILED)
            fail(context, NO_CONTAINER,
                 "Port %lld goes to \"%" STR_FMT "\", a name that no container port (%" STR_FMT
                 ") of its pods has.",
                 (long long)port->port, STR_ARG(port->target_port), STR_ARG(protocol));
        verdict = one > verdict ? one : verdict;
    }
    return verdict;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* IANA_SVC_NAME in what matters here. */
static bool name_is_valid(struct str name)
{
    bool letter = false;
    for (size_t i = 0; i < name.n; i++)
        letter |= is_letter(name.p[i]);
    return letter && name.n <= 15;
}

static bool bad_name(struct check_context *context, struct str container, struct str name,
                     const char *field)
{
    if (!name.n || name_is_valid(name))
        return false;
    fail(context, container, "%s \"%" STR_FMT "\" is %s.", field, STR_ARG(name),
         name.n > 15 ? "longer than 15 characters" : "a name without a letter");
    return true;
}

static bool bad_number(struct check_context *context, struct str container, int64_t number,
                       const char *field)
{
    if (number == NUMBER_ABSENT || (number >= 1 && number <= 65535))
        return false;
    fail(context, container, "%s %lld is not between 1 and 65535.", field, (long long)number);
    return true;
}

static enum verdict service_ports(struct check_context *context, const struct service *service)
{
    const struct service_port *port;
    bool bad = false;
    LIST_EACH (port, service->ports) {
        int64_t target;
        bad |= bad_number(context, NO_CONTAINER, port->port, "port");
        if (port->node_port) /* 0: none */
            bad |= bad_number(context, NO_CONTAINER, port->node_port, "nodePort");
        if (str_to_i64_saturated(port->target_port, &target))
            bad |= bad_number(context, NO_CONTAINER, target, "targetPort");
        else
            bad |= bad_name(context, NO_CONTAINER, port->target_port, "targetPort");
    }
    return bad ? FAILED : service->ports.n ? PASSED : NOT_EVALUATED;
}

static enum verdict container_ports(struct check_context *context, const struct workload *workload)
{
    const struct container *container;
    const struct container_port *port;
    enum verdict verdict = NOT_EVALUATED;
    bool bad = false;
    if (!workload->spec)
        return NOT_EVALUATED;
    LIST_EACH (container, workload->spec->containers)
        LIST_EACH (port, container->ports) {
            verdict = PASSED;
            bad |= bad_number(context, container->name, port->container_port, "containerPort");
            bad |= bad_name(context, container->name, port->name, "port name");
            if (port->host_port) /* 0: none */
                bad |= bad_number(context, container->name, port->host_port, "hostPort");
        }
    return bad ? FAILED : verdict;
}

enum verdict check_service_port_invalid(struct check_context *context, const struct object *object)
{
    if (object->kind == KIND_SERVICE)
        return service_ports(context, (const struct service *)object);
    return container_ports(context, (const struct workload *)object);
}

/* ---- what is open to the outside ---- */

/* A summary item that names no type does not say that there is none. */
static bool type_known(const struct service *service)
{
    return service->type.n || !service->object.summary;
}

enum verdict check_service_node_port(struct check_context *context, const struct service *service)
{
    const struct service_port *port;
    if (!type_known(service))
        return NOT_EVALUATED;
    if (!str_eq(service->type, STR("NodePort")))
        return PASSED;
    LIST_EACH (port, service->ports)
        if (port->node_port > 0)
            return fail(context, NO_CONTAINER,
                        "Type NodePort: port %lld is open on every node as %lld.",
                        (long long)port->port, (long long)port->node_port);
    return fail(context, NO_CONTAINER, "Type NodePort opens its ports on every node.");
}

/* Annotations by which cloud controllers are told to keep the balancer private. value NULL: any
 * but "false". */
static const struct {
    const char *key, *value;
} internal_balancers[] = {
    {"service.beta.kubernetes.io/aws-load-balancer-internal", NULL},
    {"service.beta.kubernetes.io/aws-load-balancer-scheme", "internal"},
    {"service.beta.kubernetes.io/azure-load-balancer-internal", NULL},
    {"networking.gke.io/load-balancer-type", "Internal"},
    {"cloud.google.com/load-balancer-type", "Internal"},
    {"service.beta.kubernetes.io/oci-load-balancer-internal", NULL},
    {"service.kubernetes.io/ibm-load-balancer-cloud-provider-ip-type", "private"},
    {"service.beta.kubernetes.io/openstack-internal-load-balancer", NULL},
    {"service.beta.kubernetes.io/do-loadbalancer-network", "INTERNAL"},
    {"service.beta.kubernetes.io/alibaba-cloud-loadbalancer-address-type", "intranet"},
    {"service.kubernetes.io/qcloud-loadbalancer-internal-subnetid", NULL},
    {"load-balancer.hetzner.cloud/disable-public-network", NULL},
};

static bool is_internal(const struct service *service)
{
    pair_list annotations = service->object.meta.annotations;
    for (size_t i = 0; i < sizeof internal_balancers / sizeof *internal_balancers; i++) {
        struct str value = pair_value(annotations, str_of(internal_balancers[i].key));
        const char *wanted = internal_balancers[i].value;
        if (wanted ? str_eq_nocase(value, str_of(wanted))
                   : value.n && !str_eq_nocase(value, STR("false")))
            return true;
    }
    return false;
}

/* "0.0.0.0/0", "::/0", and any other spelling of them; blanks around it are allowed
 * (k8s.io/kubernetes/pkg/apis/core/validation, ValidateService). */
static bool is_everywhere(struct str range)
{
    return str_has_suffix(str_trim(range), STR("/0"));
}

/* As they were told before the spec had a field for them. */
static struct str older_ranges(const struct service *service)
{
    return pair_value(service->object.meta.annotations,
                      STR("service.beta.kubernetes.io/load-balancer-source-ranges"));
}

static bool is_limited(const struct service *service)
{
    const struct str *range;
    struct str part, older = older_ranges(service);
    LIST_EACH (range, service->load_balancer_source_ranges)
        if (is_everywhere(*range))
            return false;
    if (service->load_balancer_source_ranges.n || !older.n)
        return service->load_balancer_source_ranges.n > 0;
    while (older.n) {
        str_cut(older, ',', &part, &older);
        if (is_everywhere(part))
            return false;
    }
    return true;
}

enum verdict check_service_load_balancer_open(struct check_context *context,
                                              const struct service *service)
{
    if (!type_known(service))
        return NOT_EVALUATED;
    if (!str_eq(service->type, STR("LoadBalancer")) || is_internal(service) || is_limited(service))
        return PASSED;
    if (service->load_balancer_source_ranges.n || older_ranges(service).n)
        return fail(context, NO_CONTAINER,
                    "Type LoadBalancer; its loadBalancerSourceRanges allow every address.");
    return fail(context, NO_CONTAINER,
                "Type LoadBalancer without loadBalancerSourceRanges and not marked as internal.");
}

enum verdict check_service_external_ips(struct check_context *context,
                                        const struct service *service)
{
    if (service->object.summary)
        return NOT_EVALUATED;
    if (!service->external_ips.n)
        return PASSED;
    struct str addresses = list_text(context->arena, service->external_ips);
    return fail(context, NO_CONTAINER, "It takes the traffic of external IPs: %" STR_FMT ".",
                STR_ARG(addresses));
}
