/* What the cluster itself is made of, how it is limited and what happened in it:
 * k8s.io/api/core/v1, policy/v1, autoscaling/v2, storage/v1, events/v1 and others. */
#include "kube/credential_cut.h"
#include "kube/kinds.h"
#include "kube/quantity.h"
#include "reader/schema_types.h"

/* ---- nodes and namespaces ---- */

#define OF struct namespace
static const struct field namespace_status_fields[] = {
    OWN_LIST("conditions", conditions, condition),
    STRING("phase", phase),
};
SCHEMA_OF(namespace_status);

static const struct field namespace_fields[] = {
    SAME("status", namespace_status),
};
SCHEMA_OF(namespace);
#undef OF

#define OF struct taint
static const struct field taint_fields[] = {
    STRING("effect", effect),
    STRING("key", key),
    STRING("value", value),
};
SCHEMA_OF(taint);
#undef OF

#define OF struct node
static const struct field node_spec_fields[] = {
    STRING("providerID", provider_id),
    LIST_OF("taints", taints, taint),
    BOOL("unschedulable", unschedulable),
};
SCHEMA_OF(node_spec);

static const struct field node_info_fields[] = {
    STRING("containerRuntimeVersion", runtime_version),
    STRING("kubeletVersion", kubelet_version),
    STRING("operatingSystem", operating_system),
    STRING("osImage", os_image),
};
SCHEMA_OF(node_info);

static const struct field node_status_fields[] = {
    INSIDE("allocatable", allocatable, resource_list),
    OWN_LIST("conditions", conditions, condition),
    SAME("nodeInfo", node_info),
};
SCHEMA_OF(node_status);

static const struct field node_fields[] = {
    SAME("spec", node_spec),
    SAME("status", node_status),
};
SCHEMA_OF(node);
#undef OF

#define OF struct lease
static const struct field lease_spec_fields[] = {
    TIME("renewTime", renew_time),
};
SCHEMA_OF(lease_spec);

static const struct field lease_fields[] = {
    SAME("spec", lease_spec),
};
SCHEMA_OF(lease);
#undef OF

/* ---- disruption and scaling ---- */

#define OF struct pod_disruption_budget
static const struct field pdb_spec_fields[] = {
    TEXT("maxUnavailable", max_unavailable),
    TEXT("minAvailable", min_available),
    POINTER("selector", selector, label_selector),
    STRING("unhealthyPodEvictionPolicy", unhealthy_pod_eviction_policy),
};
SCHEMA_OF(pdb_spec);

static const struct field pdb_status_fields[] = {
    OWN_LIST("conditions", conditions, condition),
    NUMBER("currentHealthy", current_healthy),
    NUMBER("disruptionsAllowed", disruptions_allowed),
    NUMBER("expectedPods", expected_pods),
};
SCHEMA_OF(pdb_status);

static const struct field pdb_fields[] = {
    SAME("spec", pdb_spec),
    SAME("status", pdb_status),
};
SCHEMA_OF(pdb);
#undef OF

#define OF struct autoscaler
static const struct field scale_target_fields[] = {
    STRING("apiVersion", target_api_version),
    STRING("kind", target_kind),
    STRING("name", target_name),
};
SCHEMA_OF(scale_target);

/* The metrics themselves, and the one of autoscaling/v1. Without any the API server takes 80 % of
 * CPU, and writes that down. */
static void note_percentage(struct decoder *decoder, enum jr_type type, void *structure)
{
    (void)decoder;
    (void)type;
    ((struct autoscaler *)structure)->uses_resources = true;
}

static void note_metric(struct decoder *decoder, enum jr_type type, void *structure)
{
    struct str text = jr_text(decoder->jr);
    (void)type;
    ((struct autoscaler *)structure)->uses_resources |=
        str_eq(text, STR("Resource")) || str_eq(text, STR("ContainerResource"));
}

static void read_metrics(struct decoder *decoder, enum jr_type type, void *structure)
{
    jr_enter(decoder->jr);
    while ((type = decode_next(decoder)) > JR_END)
        if (type == JR_OBJECT)
            decode_members(decoder, &metric_spec_schema, structure);
}

static const struct field metric_spec_fields[] = {
    BY("type", ACCEPTS(STRING), uses_resources, note_metric),
};
SCHEMA_OF(metric_spec);

/* The *Count ones are KEDA's. */
static const struct field autoscaler_spec_fields[] = {
    NUMBER("idleReplicaCount", idle_replicas),
    NUMBER("maxReplicaCount", max_replicas),
    NUMBER("maxReplicas", max_replicas),
    BY("metrics", ACCEPTS(ARRAY), uses_resources, read_metrics),
    NUMBER("minReplicaCount", min_replicas),
    NUMBER("minReplicas", min_replicas),
    SAME("scaleTargetRef", scale_target),
    BY("targetCPUUtilizationPercentage", ACCEPTS(NUMBER), uses_resources, note_percentage),
};
SCHEMA_OF(autoscaler_spec);

static const struct field autoscaler_status_fields[] = {
    OWN_LIST("conditions", conditions, condition),
    NUMBER("currentReplicas", current_replicas),
    TIME("lastScaleTime", last_scale),
};
SCHEMA_OF(autoscaler_status);

static const struct field autoscaler_fields[] = {
    SAME("spec", autoscaler_spec),
    SAME("status", autoscaler_status),
};
SCHEMA_OF(autoscaler);
#undef OF

#define OF struct priority_class
static const struct field priority_class_fields[] = {
    BOOL("globalDefault", global_default),
};
SCHEMA_OF(priority_class);
#undef OF

/* ---- quotas ---- */

static int64_t quantity_of(struct str text)
{
    int64_t quantity;
    return quantity_parse(text, &quantity) ? quantity : NUMBER_ABSENT;
}

/* Both maps are in the order of their keys. */
static void finish_quota(struct decoder *decoder, void *structure)
{
    struct quota_reading *reading = structure;
    struct list_builder list = list_builder_begin(decoder);
    const pair_list used = reading->used;
    const struct pair *hard;
    uint32_t i = 0;
    LIST_EACH (hard, reading->hard) {
        struct quota_entry *entry = list_builder_add(decoder, &list, sizeof *entry);
        while (i < used.n && str_cmp(used.items[i].key, hard->key) < 0)
            i++;
        bool known = i < used.n && str_eq(used.items[i].key, hard->key);
        *entry = (struct quota_entry){hard->key, quantity_of(hard->value),
                                      known ? quantity_of(used.items[i].value) : NUMBER_ABSENT};
    }
    list_builder_end(decoder, &list, NULL, &reading->quota.entries);
    reading->quota.scoped = reading->scopes.n || reading->scope_selector;
}

static void read_hard(struct decoder *decoder, enum jr_type type, void *structure)
{
    (void)type;
    ((struct quota_reading *)structure)->hard = decode_amounts(decoder);
}

static void read_used(struct decoder *decoder, enum jr_type type, void *structure)
{
    (void)type;
    ((struct quota_reading *)structure)->used = decode_amounts(decoder);
}

#define OF struct quota_reading
static const struct field quota_spec_fields[] = {
    POINTER("scopeSelector", scope_selector, label_selector),
    STRINGS("scopes", scopes),
};
SCHEMA_OF(quota_spec);

static const struct field quota_status_fields[] = {
    BY("hard", ACCEPTS(OBJECT), hard, read_hard),
    BY("used", ACCEPTS(OBJECT), used, read_used),
};
SCHEMA_OF(quota_status);

static const struct field resource_quota_fields[] = {
    SAME("spec", quota_spec),
    SAME("status", quota_status),
};
SCHEMA_OF(resource_quota, .kept = sizeof(struct resource_quota), .finish = finish_quota);
#undef OF

const struct schema limit_range_schema = {.id = SCHEMA_limit_range,
                                          .size = sizeof(struct resource_quota),
                                          .kept = sizeof(struct resource_quota)};

/* ---- events and metrics ---- */

enum { MESSAGE_MAX = 256 };

static void read_message(struct decoder *decoder, enum jr_type type, void *structure)
{
    struct event *event = structure;
    (void)type;
    struct str text = credential_cut(decoder->scratch, jr_text(decoder->jr));
    event->message = intern_string(decoder->intern, str_utf8_prefix(text, MESSAGE_MAX));
}

static int64_t first_time(const int64_t *times, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (times[i] != TIME_NONE)
            return times[i];
    return TIME_NONE;
}

/* An event is in the namespace of what it is about; those of cluster-scoped objects are in
 * "default", and some writers name that as the object's, too. */
static struct str involved_namespace(const struct event *event)
{
    enum kind kind = kind_find(event->involved_kind, STR(""));
    if (kind_is_cluster_wide(kind))
        return (struct str){0};
    return event->involved_namespace.n || kind == KIND_NONE ? event->involved_namespace
                                                            : event->object.meta.namespace;
}

static void finish_event(struct decoder *decoder, void *structure)
{
    struct event_reading *reading = structure;
    struct event *event = &reading->event;
    (void)decoder;
    if (event->count < reading->series_count)
        event->count = reading->series_count;
    if (event->count < 1)
        event->count = 1;
    event->first =
        first_time((int64_t[]){event->first, reading->event_time, event->object.meta.created}, 3);
    event->last = first_time((int64_t[]){reading->series_last, event->last, reading->event_time,
                                         event->object.meta.created},
                             4);
    event->involved_namespace = involved_namespace(event);
}

#define OF struct event_reading
static const struct field event_series_fields[] = {
    NUMBER("count", series_count),
    TIME("lastObservedTime", series_last),
};
SCHEMA_OF(event_series);

static const struct field involved_object_fields[] = {
    STRING("kind", event.involved_kind),
    STRING("name", event.involved_name),
    STRING("namespace", event.involved_namespace),
};
SCHEMA_OF(involved_object);

/* core/v1 and, under other names, events.k8s.io. */
static const struct field event_fields[] = {
    NUMBER("count", event.count),
    NUMBER("deprecatedCount", event.count),
    TIME("deprecatedFirstTimestamp", event.first),
    TIME("deprecatedLastTimestamp", event.last),
    TIME("eventTime", event_time),
    TIME("firstTimestamp", event.first),
    SAME("involvedObject", involved_object),
    TIME("lastTimestamp", event.last),
    BY("message", ACCEPTS(STRING), event.message, read_message),
    BY("note", ACCEPTS(STRING), event.message, read_message),
    STRING("reason", event.reason),
    SAME("regarding", involved_object),
    SAME("series", event_series),
    STRING("type", event.type),
};
SCHEMA_OF(event, .kept = sizeof(struct event), .finish = finish_event);
#undef OF

#define OF struct container_usage
static const struct field usage_fields[] = {
    QUANTITY("cpu", cpu),
    QUANTITY("memory", memory),
};
SCHEMA_OF(usage);

static const struct field container_usage_fields[] = {
    STRING("name", name),
    SAME("usage", usage),
};
SCHEMA_OF(container_usage);
#undef OF

#define OF struct pod_metrics
static const struct field pod_metrics_fields[] = {
    OWN_LIST("containers", containers, container_usage),
};
SCHEMA_OF(pod_metrics);
#undef OF

#define OF struct resource_usage
static const struct field resource_usage_fields[] = {
    QUANTITY("memory", memory),
};
SCHEMA_OF(resource_usage);
#undef OF

#define OF struct node_metrics
static const struct field node_metrics_fields[] = {
    INSIDE("usage", usage, resource_usage),
};
SCHEMA_OF(node_metrics);
#undef OF
