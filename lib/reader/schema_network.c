/* Services, endpoints, ingresses and network policies: k8s.io/api/core/v1, discovery/v1,
 * networking/v1 and their predecessors. */
#include "kube/selector.h"
#include "reader/schema_types.h"

/* ---- Service ---- */

static uint32_t count_elements(struct decoder *decoder)
{
    uint32_t n = 0;
    jr_enter(decoder->jr);
    while (decode_next(decoder) > JR_END)
        n++;
    return n;
}

#define OF struct service_port
static const struct field service_port_fields[] = {
    STRING("name", name),         NUMBER("nodePort", node_port),   NUMBER("port", port),
    STRING("protocol", protocol), TEXT("targetPort", target_port),
};
SCHEMA_OF(service_port);
#undef OF

static void note_load_balancer(struct decoder *decoder, enum jr_type type, void *structure)
{
    (void)type;
    ((struct service *)structure)->has_load_balancer = count_elements(decoder) > 0;
}

/* The first of clusterIPs is clusterIP, which a manifest may leave out. */
static void read_cluster_ips(struct decoder *decoder, enum jr_type type, void *structure)
{
    struct service *service = structure;
    jr_enter(decoder->jr);
    type = decode_next(decoder);
    if (type == JR_STRING && !service->cluster_ip.n)
        service->cluster_ip = decode_string(decoder);
    while (type > JR_END)
        type = decode_next(decoder);
}

#define OF struct service
static const struct field service_spec_fields[] = {
    STRING("clusterIP", cluster_ip),
    BY("clusterIPs", ACCEPTS(ARRAY), cluster_ip, read_cluster_ips),
    STRINGS("externalIPs", external_ips),
    STRINGS("loadBalancerSourceRanges", load_balancer_source_ranges),
    LIST_OF("ports", ports, service_port),
    PAIRS("selector", selector),
    STRING("type", type),
};
SCHEMA_OF(service_spec);

static const struct field load_balancer_status_fields[] = {
    BY("ingress", ACCEPTS(ARRAY), has_load_balancer, note_load_balancer),
};
SCHEMA_OF(load_balancer_status);

static const struct field service_status_fields[] = {
    SAME("loadBalancer", load_balancer_status),
};
SCHEMA_OF(service_status);

static const struct field service_fields[] = {
    SAME("spec", service_spec),
    SAME("status", service_status),
};
SCHEMA_OF(service);
#undef OF

/* ---- EndpointSlice and Endpoints ---- */

/* All addresses of an endpoint lead to the same place (k8s.io/api/discovery/v1, Endpoint). */
static void read_addresses(struct decoder *decoder, enum jr_type type, void *structure)
{
    struct endpoint_reading *endpoint = structure;
    bool first = true;
    jr_enter(decoder->jr);
    while ((type = decode_next(decoder)) > JR_END) {
        if (first && type == JR_STRING)
            endpoint->address = str_hash(0, jr_text(decoder->jr));
        first = false;
    }
}

#define OF struct endpoint_reading
static const struct field endpoint_conditions_fields[] = {
    BOOL("ready", ready),
};
SCHEMA_OF(endpoint_conditions);

static const struct field endpoint_fields[] = {
    BY("addresses", ACCEPTS(ARRAY), address, read_addresses),
    SAME("conditions", endpoint_conditions),
};
SCHEMA_OF(endpoint);
#undef OF

static void count_endpoints(struct decoder *decoder, enum jr_type type, void *structure)
{
    struct endpoint_slice *slice = structure;
    slice->ready = 0;
    jr_enter(decoder->jr);
    while ((type = decode_next(decoder)) > JR_END) {
        struct endpoint_reading endpoint = {TRI_ABSENT, 0};
        if (type != JR_OBJECT)
            continue;
        decode_members(decoder, &endpoint_schema, &endpoint);
        if (endpoint.ready == TRI_FALSE)
            continue;
        slice->ready++;
        slice->last_ready = endpoint.address;
    }
}

static void count_addresses(struct decoder *decoder, enum jr_type type, void *structure)
{
    struct endpoint_slice *slice = structure;
    (void)type;
    slice->ready += count_elements(decoder);
}

static void count_subsets(struct decoder *decoder, enum jr_type type, void *structure)
{
    struct endpoint_slice *slice = structure;
    slice->ready = 0;
    jr_enter(decoder->jr);
    while ((type = decode_next(decoder)) > JR_END)
        if (type == JR_OBJECT)
            decode_members(decoder, &endpoint_subset_schema, structure);
}

static void finish_slice(struct decoder *decoder, void *structure)
{
    struct endpoint_slice *slice = structure;
    (void)decoder;
    slice->service = pair_value(slice->object.meta.labels, STR("kubernetes.io/service-name"));
}

static void finish_endpoints(struct decoder *decoder, void *structure)
{
    struct endpoint_slice *slice = structure;
    (void)decoder;
    slice->service = slice->object.meta.name;
}

#define OF struct endpoint_slice
static const struct field endpoint_subset_fields[] = {
    BY("addresses", ACCEPTS(ARRAY), ready, count_addresses),
};
SCHEMA_OF(endpoint_subset);

static const struct field endpoint_slice_fields[] = {
    STRING("addressType", address_type),
    BY("endpoints", ACCEPTS(ARRAY), ready, count_endpoints),
};
SCHEMA_OF(endpoint_slice, .finish = finish_slice);

static const struct field endpoints_fields[] = {
    BY("subsets", ACCEPTS(ARRAY), ready, count_subsets),
};
SCHEMA_OF(endpoints, .finish = finish_endpoints);
#undef OF

/* ---- Ingress ---- */

static void note_resource(struct decoder *decoder, enum jr_type type, void *structure)
{
    (void)decoder;
    (void)type;
    ((struct ingress_backend *)structure)->resource = true;
}

/* One of them tells; the other one may be there, empty or zero. */
static void read_port_name(struct decoder *decoder, enum jr_type type, void *structure)
{
    struct str name = decode_string(decoder);
    (void)type;
    if (name.n)
        ((struct ingress_backend *)structure)->port = name;
}

static void read_port_number(struct decoder *decoder, enum jr_type type, void *structure)
{
    struct str number = decode_string(decoder);
    (void)type;
    if (number.n && !str_eq(number, STR("0")))
        ((struct ingress_backend *)structure)->port = number;
}

#define OF struct ingress_backend
static const struct field backend_port_fields[] = {
    BY("name", ACCEPTS(STRING), port, read_port_name),
    BY("number", ACCEPTS(STRING) | ACCEPTS(NUMBER), port, read_port_number),
};
SCHEMA_OF(backend_port);

static const struct field backend_service_fields[] = {
    STRING("name", service),
    SAME("port", backend_port),
};
SCHEMA_OF(backend_service);

static const struct field ingress_backend_fields[] = {
    BY("resource", ACCEPTS(OBJECT), resource, note_resource),
    SAME("service", backend_service),
    STRING("serviceName", service),
    TEXT("servicePort", port),
};
SCHEMA_OF(ingress_backend);
#undef OF

#define OF struct ingress_path
static const struct field ingress_path_fields[] = {
    INSIDE("backend", backend, ingress_backend),
    STRING("path", path),
    STRING("pathType", path_type),
};
SCHEMA_OF(ingress_path);
#undef OF

#define OF struct ingress_rule
static const struct field ingress_http_fields[] = {
    LIST_OF("paths", paths, ingress_path),
};
SCHEMA_OF(ingress_http);

static const struct field ingress_rule_fields[] = {
    STRING("host", host),
    SAME("http", ingress_http),
};
SCHEMA_OF(ingress_rule);
#undef OF

#define OF struct ingress_tls
static const struct field ingress_tls_fields[] = {
    STRINGS("hosts", hosts),
    STRING("secretName", secret_name),
};
SCHEMA_OF(ingress_tls);
#undef OF

static void finish_ingress(struct decoder *decoder, void *structure)
{
    struct ingress *ingress = structure;
    (void)decoder;
    if (!ingress->class_name.n)
        ingress->class_name =
            pair_value(ingress->object.meta.annotations, STR("kubernetes.io/ingress.class"));
}

#define OF struct ingress
static const struct field ingress_spec_fields[] = {
    POINTER("backend", default_backend, ingress_backend),
    POINTER("defaultBackend", default_backend, ingress_backend),
    STRING("ingressClassName", class_name),
    LIST_OF("rules", rules, ingress_rule),
    LIST_OF("tls", tls, ingress_tls),
};
SCHEMA_OF(ingress_spec);

static const struct field ingress_fields[] = {
    SAME("spec", ingress_spec),
};
SCHEMA_OF(ingress, .finish = finish_ingress);
#undef OF

/* ---- NetworkPolicy ---- */

#define OF struct network_policy_peer
static const struct field ip_block_fields[] = {
    STRING("cidr", cidr),
    STRINGS("except", except),
};
SCHEMA_OF(ip_block);

static const struct field network_policy_peer_fields[] = {
    SAME("ipBlock", ip_block),
    POINTER("namespaceSelector", namespace_selector, label_selector),
    POINTER("podSelector", pod_selector, label_selector),
};
SCHEMA_OF(network_policy_peer);
#undef OF

static void count_ports(struct decoder *decoder, enum jr_type type, void *structure)
{
    (void)type;
    ((struct network_policy_rule *)structure)->ports = count_elements(decoder);
}

#define OF struct network_policy_rule
static const struct field network_policy_rule_fields[] = {
    LIST_OF("from", peers, network_policy_peer),
    BY("ports", ACCEPTS(ARRAY), ports, count_ports),
    LIST_OF("to", peers, network_policy_peer),
};
SCHEMA_OF(network_policy_rule);
#undef OF

static void read_egress(struct decoder *decoder, enum jr_type type, void *structure)
{
    struct network_policy *policy = structure;
    (void)type;
    policy->has_egress = true;
    decode_list(decoder, &network_policy_rule_schema, true, &policy->egress);
}

#define OF struct network_policy
static const struct field network_policy_spec_fields[] = {
    BY("egress", ACCEPTS(ARRAY), has_egress, read_egress),
    LIST_OF("ingress", ingress, network_policy_rule),
    POINTER("podSelector", pod_selector, label_selector),
    STRINGS("policyTypes", policy_types),
};
SCHEMA_OF(network_policy_spec);

static const struct field network_policy_fields[] = {
    SAME("spec", network_policy_spec),
};
SCHEMA_OF(network_policy);
#undef OF
