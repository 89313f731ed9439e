/* What extensions bring: OpenShift's Route and SecurityContextConstraints, the Gateway API,
 * cert-manager, Argo CD, Flux; and CertificateSigningRequest, which is read like theirs. Their
 * schemas are closed: a Route may hold a private key, a HelmRelease the values of its chart. */
#include "reader/schema_types.h"

/* ---- Route ---- */

#define OF struct route_backend
static const struct field route_backend_fields[] = {
    STRING("group", group),
    STRING("kind", kind),
    STRING("name", name),
    STRING("namespace", namespace),
};
SCHEMA_OF(route_backend, .closed = true);
#undef OF

#define OF struct named_conditions
static const struct field router_conditions_fields[] = {
    OWN_LIST("conditions", conditions, condition),
    STRING("routerName", name),
};
SCHEMA_OF(router_conditions, .closed = true);

static const struct field parent_name_fields[] = {
    STRING("name", name),
};
SCHEMA_OF(parent_name, .closed = true);

static const struct field parent_conditions_fields[] = {
    OWN_LIST("conditions", conditions, condition),
    SAME("parentRef", parent_name),
};
SCHEMA_OF(parent_conditions, .closed = true);

static const struct field listener_conditions_fields[] = {
    OWN_LIST("conditions", conditions, condition),
    STRING("name", name),
};
SCHEMA_OF(listener_conditions, .closed = true);
#undef OF

/* A list of the same structure by another of its schemas. */
#define OWN_LIST_AS(name, member, item, sub)                                                       \
    {                                                                                              \
        .key = name, .type = FIELD_LIST, .offset = AT_LIST(member, struct item),                   \
        .accepts = ACCEPTS(ARRAY), .schema = &sub##_schema                                         \
    }

#define OF struct traffic_route
static const struct field route_tls_fields[] = {
    STRING("termination", tls_termination),
};
SCHEMA_OF(route_tls, .closed = true);

static const struct field openshift_route_spec_fields[] = {
    LIST_OF("alternateBackends", alternates, route_backend),
    STRING("host", host),
    SAME("tls", route_tls),
    INSIDE("to", to, route_backend),
};
SCHEMA_OF(openshift_route_spec, .closed = true);

static const struct field openshift_route_status_fields[] = {
    OWN_LIST_AS("ingress", accepted_by, named_conditions, router_conditions),
};
SCHEMA_OF(openshift_route_status, .closed = true);

static const struct field openshift_route_fields[] = {
    SAME("spec", openshift_route_spec),
    SAME("status", openshift_route_status),
};
SCHEMA_OF(openshift_route, .closed = true);
#undef OF

/* ---- HTTPRoute and GRPCRoute ---- */

#define OF struct parent_reference
static const struct field parent_reference_fields[] = {
    STRING("kind", kind),
    STRING("name", name),
};
SCHEMA_OF(parent_reference, .closed = true);
#undef OF

#define OF struct route_rule
static const struct field route_rule_fields[] = {
    LIST_OF_AS("backendRefs", backends, route_backend, route_backend),
};
SCHEMA_OF(route_rule, .closed = true);
#undef OF

#define OF struct traffic_route
static const struct field gateway_route_spec_fields[] = {
    LIST_OF("parentRefs", parents, parent_reference),
    LIST_OF("rules", rules, route_rule),
};
SCHEMA_OF(gateway_route_spec, .closed = true);

static const struct field gateway_route_status_fields[] = {
    OWN_LIST_AS("parents", accepted_by, named_conditions, parent_conditions),
};
SCHEMA_OF(gateway_route_status, .closed = true);

static const struct field gateway_route_fields[] = {
    SAME("spec", gateway_route_spec),
    SAME("status", gateway_route_status),
};
SCHEMA_OF(gateway_route, .closed = true);
#undef OF

/* ---- Gateway ---- */

#define OF struct gateway_listener
static const struct field routes_namespaces_fields[] = {
    STRING("from", routes_from),
};
SCHEMA_OF(routes_namespaces, .closed = true);

static const struct field allowed_routes_fields[] = {
    SAME("namespaces", routes_namespaces),
};
SCHEMA_OF(allowed_routes, .closed = true);

static const struct field gateway_listener_fields[] = {
    SAME("allowedRoutes", allowed_routes),
    STRING("name", name),
    STRING("protocol", protocol),
};
SCHEMA_OF(gateway_listener, .closed = true);
#undef OF

#define OF struct gateway
static const struct field gateway_spec_fields[] = {
    STRING("gatewayClassName", gateway_class),
    LIST_OF("listeners", listeners, gateway_listener),
};
SCHEMA_OF(gateway_spec, .closed = true);

static const struct field gateway_status_fields[] = {
    OWN_LIST("conditions", conditions, condition),
    OWN_LIST_AS("listeners", listener_conditions, named_conditions, listener_conditions),
};
SCHEMA_OF(gateway_status, .closed = true);

static const struct field gateway_fields[] = {
    SAME("spec", gateway_spec),
    SAME("status", gateway_status),
};
SCHEMA_OF(gateway, .closed = true);
#undef OF

/* ---- SecurityContextConstraints ---- */

#define OF struct security_constraints
static const struct field run_as_user_fields[] = {
    STRING("type", run_as_user),
};
SCHEMA_OF(run_as_user);

static const struct field security_constraints_fields[] = {
    BOOL("allowHostDirVolumePlugin", host_directories),
    BOOL("allowHostIPC", host_ipc),
    BOOL("allowHostNetwork", host_network),
    BOOL("allowHostPID", host_pid),
    BOOL("allowPrivilegedContainer", privileged),
    STRINGS("allowedCapabilities", capabilities),
    STRINGS("groups", groups),
    SAME("runAsUser", run_as_user),
    STRINGS("users", users),
};
SCHEMA_OF(security_constraints);
#undef OF

/* ---- what controllers bring about ---- */

#define OF struct reconciled_object
static const struct field reconciled_spec_fields[] = {
    STRING("signerName", signer),
    BOOL("suspend", suspend),
};
SCHEMA_OF(reconciled_spec, .closed = true);

static const struct field application_health_fields[] = {
    MESSAGE("message", health_message),
    STRING("status", health),
};
SCHEMA_OF(application_health, .closed = true);

static const struct field application_sync_fields[] = {
    STRING("status", sync),
};
SCHEMA_OF(application_sync, .closed = true);

static const struct field application_operation_fields[] = {
    MESSAGE("message", sync_message),
    STRING("phase", sync_phase),
};
SCHEMA_OF(application_operation, .closed = true);

static const struct field reconciled_status_fields[] = {
    OWN_LIST("conditions", conditions, condition),
    SAME("health", application_health),
    TIME("notAfter", expires),
    NUMBER("observedGeneration", observed_generation),
    SAME("operationState", application_operation),
    TIME("renewalTime", renewal),
    SAME("sync", application_sync),
};
SCHEMA_OF(reconciled_status, .closed = true);

static const struct field reconciled_object_fields[] = {
    SAME("spec", reconciled_spec),
    SAME("status", reconciled_status),
};
SCHEMA_OF(reconciled_object, .closed = true);
#undef OF
