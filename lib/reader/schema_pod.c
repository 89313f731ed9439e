/* PodSpec, PodStatus and what stands in them: k8s.io/api/core/v1. */
#include "kube/status.h"
#include "reader/kept_spec.h"
#include "reader/redact.h"
#include "reader/schema_types.h"

/* ---- placement ---- */

#define OF struct topology_spread
static const struct field topology_spread_fields[] = {
    POINTER("labelSelector", selector, label_selector),
    NUMBER("maxSkew", max_skew),
    NUMBER("minDomains", min_domains),
    STRING("topologyKey", topology_key),
    STRING("whenUnsatisfiable", when_unsatisfiable),
};
SCHEMA_OF(topology_spread);
#undef OF

#define OF struct pod_affinity_term
static const struct field pod_affinity_term_fields[] = {
    POINTER("labelSelector", selector, label_selector),
    POINTER("namespaceSelector", namespace_selector, label_selector),
    STRINGS("namespaces", namespaces),
    STRING("topologyKey", topology_key),
};
SCHEMA_OF(pod_affinity_term);

static const struct field weighted_affinity_term_fields[] = {
    SAME("podAffinityTerm", pod_affinity_term),
};
SCHEMA_OF(weighted_affinity_term);
#undef OF

#define OF struct toleration
static const struct field toleration_fields[] = {
    STRING("effect", effect),
    STRING("key", key),
    STRING("operator", operator),
    STRING("value", value),
};
SCHEMA_OF(toleration);
#undef OF

#define OF struct node_selector_term
static const struct field node_selector_term_fields[] = {
    LIST_OF("matchExpressions", match_expressions, selector_requirement),
};
SCHEMA_OF(node_selector_term);
#undef OF

/* ---- the spec ---- */

/* Without a key, Exists matches every taint; NoSchedule is the effect that keeps pods off a node.
 */
static bool tolerates_all(const struct pod_spec *spec)
{
    const struct toleration *toleration;
    LIST_EACH (toleration, spec->tolerations)
        if (!toleration->key.n && str_eq(toleration->operator, STR("Exists")) &&
            (!toleration->effect.n || str_eq(toleration->effect, STR("NoSchedule"))))
            return true;
    return false;
}

static bool is_os_label(struct str key)
{
    return str_eq(key, STR("kubernetes.io/os")) || str_eq(key, STR("beta.kubernetes.io/os"));
}

static bool wants_windows(const struct node_selector_term *term)
{
    const struct selector_requirement *one;
    LIST_EACH (one, term->match_expressions)
        if (is_os_label(one->key) && str_eq(one->operator, STR("In")) && one->values.n == 1 &&
            str_eq(one->values.items[0], STR("windows")))
            return true;
    return false;
}

static bool windows_nodes(const struct pod_spec_reading *reading)
{
    const struct pair *pair;
    const struct node_selector_term *term;
    LIST_EACH (pair, reading->node_selector)
        if (is_os_label(pair->key) && str_eq(pair->value, STR("windows")))
            return true;
    LIST_EACH (term, reading->node_terms)
        if (!wants_windows(term))
            return false;
    return reading->node_terms.n > 0;
}

static void add_containers(struct decoder *decoder, struct list_builder *list,
                           const container_list *containers, enum container_role role)
{
    const struct container *from;
    LIST_EACH (from, *containers) {
        struct container *container = list_builder_add(decoder, list, sizeof *container);
        bool always = str_eq(from->restart_policy, STR("Always"));
        memcpy(container, from, sizeof *container);
        container->role = role == CONTAINER_INIT && always ? CONTAINER_SIDECAR : role;
    }
}

static void finish_pod_spec(struct decoder *decoder, void *structure)
{
    struct pod_spec_reading *reading = structure;
    struct pod_spec *spec = &reading->spec;
    struct list_builder list;
    spec->tolerates_all = tolerates_all(spec);
    spec->windows_nodes = windows_nodes(reading);
    if (reading->init.n || reading->ephemeral.n) {
        container_list main = LIST_SLICE(spec->containers.items, spec->containers.n);
        list = list_builder_begin(decoder);
        add_containers(decoder, &list, &main, CONTAINER_MAIN);
        add_containers(decoder, &list, &reading->init, CONTAINER_INIT);
        add_containers(decoder, &list, &reading->ephemeral, CONTAINER_EPHEMERAL);
        list_builder_end(decoder, &list, &container_schema, &spec->containers);
    }
    if (reading->preferred.n) {
        const struct pod_affinity_term *term;
        list = list_builder_begin(decoder);
        LIST_EACH (term, spec->anti_affinity)
            memcpy(list_builder_add(decoder, &list, sizeof *term), term, sizeof *term);
        LIST_EACH (term, reading->preferred)
            memcpy(list_builder_add(decoder, &list, sizeof *term), term, sizeof *term);
        list_builder_end(decoder, &list, &pod_affinity_term_schema, &spec->anti_affinity);
    }
}

#define OF struct pod_spec_reading
static const struct field pod_anti_affinity_fields[] = {
    LIST_OF_AS("preferredDuringSchedulingIgnoredDuringExecution", preferred, pod_affinity_term,
               weighted_affinity_term),
    LIST_OF("requiredDuringSchedulingIgnoredDuringExecution", spec.anti_affinity,
            pod_affinity_term),
};
SCHEMA_OF(pod_anti_affinity);

static const struct field node_selector_terms_fields[] = {
    LIST_OF("nodeSelectorTerms", node_terms, node_selector_term),
};
SCHEMA_OF(node_selector_terms);

static const struct field node_affinity_fields[] = {
    SAME("requiredDuringSchedulingIgnoredDuringExecution", node_selector_terms),
};
SCHEMA_OF(node_affinity);

static const struct field affinity_fields[] = {
    SAME("nodeAffinity", node_affinity),
    SAME("podAntiAffinity", pod_anti_affinity),
};
SCHEMA_OF(affinity);

static const struct field pod_os_fields[] = {
    STRING("name", spec.os_name),
};
SCHEMA_OF(pod_os);

static const struct field pod_spec_fields[] = {
    SAME("affinity", affinity),
    BOOL("automountServiceAccountToken", spec.automount_service_account_token),
    LIST_OF("containers", spec.containers, container),
    LIST_OF("ephemeralContainers", ephemeral, container),
    BOOL("hostIPC", spec.host_ipc),
    BOOL("hostNetwork", spec.host_network),
    BOOL("hostPID", spec.host_pid),
    BOOL("hostUsers", spec.host_users),
    NAMES("imagePullSecrets", spec.image_pull_secrets),
    LIST_OF("initContainers", init, container),
    STRING("nodeName", node_name),
    PAIRS("nodeSelector", node_selector),
    SAME("os", pod_os),
    POINTER("overhead", spec.overhead, resource_list),
    STRING("priorityClassName", spec.priority_class),
    POINTER("resources", spec.resources, resource_requirements),
    STRING("restartPolicy", spec.restart_policy),
    NAMES("schedulingGates", spec.scheduling_gates),
    POINTER("securityContext", spec.security, security_context),
    STRING("serviceAccount", spec.service_account),
    STRING("serviceAccountName", spec.service_account_name),
    BOOL("shareProcessNamespace", spec.share_process_namespace),
    LIST_OF("tolerations", spec.tolerations, toleration),
    LIST_OF("topologySpreadConstraints", spec.topology_spread, topology_spread),
    LIST_OF("volumes", spec.volumes, volume),
};
SCHEMA_OF(pod_spec, .kept = sizeof(struct pod_spec), .finish = finish_pod_spec);
#undef OF

/* ---- the status ---- */

#define OF struct container_terminated
static const struct field container_terminated_fields[] = {
    NUMBER("exitCode", exit_code), TIME("finishedAt", finished), STRING("reason", reason),
    NUMBER("signal", signal),      TIME("startedAt", started),
};
SCHEMA_OF(container_terminated);
#undef OF

#define OF struct container_waiting
static const struct field container_waiting_fields[] = {
    MESSAGE("message", message),
    STRING("reason", reason),
};
SCHEMA_OF(container_waiting);
#undef OF

#define OF struct container_status
static const struct field container_last_state_fields[] = {
    POINTER("terminated", last_terminated, container_terminated),
};
SCHEMA_OF(container_last_state);

static const struct field container_running_fields[] = {
    TIME("startedAt", running_since),
};
SCHEMA_OF(container_running);

static const struct field container_state_fields[] = {
    SAME("running", container_running),
    POINTER("terminated", terminated, container_terminated),
    POINTER("waiting", waiting, container_waiting),
};
SCHEMA_OF(container_state);

static const struct field container_status_fields[] = {
    SAME("lastState", container_last_state),
    STRING("name", name),
    BOOL("ready", ready),
    NUMBER("restartCount", restart_count),
    BOOL("started", started),
    SAME("state", container_state),
};
SCHEMA_OF(container_status);
#undef OF

/* ---- the pod ---- */

static bool is_sidecar(const struct pod_spec *spec, struct str name)
{
    const struct container *container;
    if (spec)
        LIST_EACH (container, spec->containers)
            if (container->role == CONTAINER_SIDECAR && str_eq(container->name, name))
                return true;
    return false;
}

static void add_statuses(struct decoder *decoder, struct list_builder *list,
                         const struct pod_spec *spec, const container_status_list *statuses,
                         enum container_role role)
{
    const struct container_status *from;
    LIST_EACH (from, *statuses) {
        struct container_status *status = list_builder_add(decoder, list, sizeof *status);
        *status = *from;
        status->role =
            role == CONTAINER_INIT && is_sidecar(spec, from->name) ? CONTAINER_SIDECAR : role;
    }
}

static void absent_pod(void *structure)
{
    ((struct pod_reading *)structure)->pod.summary_restarts = NUMBER_ABSENT;
}

/* The statuses of all containers in one list. */
static void merge_statuses(struct decoder *decoder, struct pod_reading *reading)
{
    struct pod *pod = &reading->pod;
    container_status_list main = LIST_SLICE(pod->containers.items, pod->containers.n);
    struct list_builder list = list_builder_begin(decoder);
    add_statuses(decoder, &list, pod->spec, &main, CONTAINER_MAIN);
    add_statuses(decoder, &list, pod->spec, &reading->init, CONTAINER_INIT);
    add_statuses(decoder, &list, pod->spec, &reading->ephemeral, CONTAINER_EPHEMERAL);
    list_builder_end(decoder, &list, NULL, &pod->containers);
}

static void finish_pod(struct decoder *decoder, void *structure)
{
    struct pod_reading *reading = structure;
    if (reading->has_spec.of) {
        reading->pod.node_name = reading->has_spec.of->node_name;
        reading->pod.spec = reading->has_spec.of->spec;
    } else if (reading->has_spec.read) {
        finish_pod_spec(decoder, &reading->spec);
        reading->pod.node_name = reading->spec.node_name;
        reading->pod.spec = (void *)intern_block(decoder->intern, &pod_spec_schema,
                                                 &reading->spec.spec, sizeof reading->spec.spec);
    }
    if (reading->init.n || reading->ephemeral.n)
        merge_statuses(decoder, reading);
    pod_note_status(&reading->pod);
}

static void read_pod_spec(struct decoder *decoder, enum jr_type type, void *structure)
{
    struct pod_reading *reading = structure;
    uint64_t from = jr_offset(decoder->jr);
    (void)type;
    reading->has_spec.of = kept_spec_take(decoder);
    if (reading->has_spec.of)
        return;
    reading->has_spec.read = true;
    memcpy(&reading->spec, decode_absent(decoder, &pod_spec_schema), sizeof reading->spec);
    decode_members(decoder, &pod_spec_schema, &reading->spec);
    kept_spec_note(decoder, from);
}

#define OF struct pod_reading
static const struct field pod_status_fields[] = {
    OWN_LIST("conditions", pod.conditions, condition),
    OWN_LIST("containerStatuses", pod.containers, container_status),
    OWN_LIST("ephemeralContainerStatuses", ephemeral, container_status),
    OWN_LIST("initContainerStatuses", init, container_status),
    MESSAGE("message", pod.message),
    STRING("phase", pod.phase),
    STRING("reason", pod.reason),
    TIME("startTime", pod.start_time),
};
SCHEMA_OF(pod_status);

static const struct field pod_fields[] = {
    BY("spec", ACCEPTS(OBJECT), has_spec, read_pod_spec),
    SAME("status", pod_status),
};
SCHEMA_OF(pod, .kept = sizeof(struct pod), .absent = absent_pod, .finish = finish_pod);
#undef OF
