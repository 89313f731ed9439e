/* The kinds that make pods: k8s.io/api/apps/v1, batch/v1, and ReplicationController. */
#include "reader/redact.h"
#include "reader/schema_types.h"

#define OF struct workload

/* ---- the template ---- */

static void read_template_annotations(struct decoder *decoder, enum jr_type type, void *structure)
{
    (void)type;
    ((struct workload *)structure)->template_annotations = decode_template_annotations(decoder);
}

static const struct field template_meta_fields[] = {
    BY("annotations", ACCEPTS(OBJECT), template_annotations, read_template_annotations),
    PAIRS("labels", template_labels),
};
SCHEMA_OF(template_meta);

static const struct field template_fields[] = {
    SAME("metadata", template_meta),
    POINTER("spec", spec, pod_spec),
};
SCHEMA_OF(template);

/* ---- spec ---- */

static const struct field rolling_update_fields[] = {
    TEXT("maxSurge", max_surge),
    TEXT("maxUnavailable", max_unavailable),
    NUMBER("partition", partition),
};
SCHEMA_OF(rolling_update);

static const struct field strategy_fields[] = {
    SAME("rollingParams", rolling_update),
    SAME("rollingUpdate", rolling_update),
    STRING("type", strategy),
};
SCHEMA_OF(strategy);

static const struct field job_spec_fields[] = {
    SAME("template", template),
    NUMBER("ttlSecondsAfterFinished", ttl_after_finished),
};
SCHEMA_OF(job_spec);

static const struct field job_template_fields[] = {
    SAME("spec", job_spec),
};
SCHEMA_OF(job_template);

static const struct field workload_spec_fields[] = {
    NUMBER("completions", completions),
    SAME("jobTemplate", job_template),
    NUMBER("parallelism", parallelism),
    BOOL("paused", paused),
    NUMBER("progressDeadlineSeconds", progress_deadline),
    NUMBER("replicas", replicas),
    NUMBER("revisionHistoryLimit", revision_history_limit),
    STRING("schedule", schedule),
    POINTER("selector", selector, label_selector),
    STRING("serviceName", service_name),
    NUMBER("startingDeadlineSeconds", starting_deadline),
    SAME("strategy", strategy),
    BOOL("suspend", suspend),
    SAME("template", template),
    NUMBER("ttlSecondsAfterFinished", ttl_after_finished),
    SAME("updateStrategy", strategy),
};
SCHEMA_OF(workload_spec);

/* ---- status ---- */

static const struct field workload_status_fields[] = {
    NUMBER("active", job.active),
    NUMBER("availableReplicas", available_replicas),
    TIME("completionTime", job_completion),
    OWN_LIST("conditions", conditions, condition),
    NUMBER("currentNumberScheduled", status_replicas),
    STRING("currentRevision", current_revision),
    NUMBER("desiredNumberScheduled", desired_scheduled),
    NUMBER("failed", job.failed),
    TIME("lastScheduleTime", last_schedule),
    TIME("lastSuccessfulTime", last_successful),
    NUMBER("numberAvailable", available_replicas),
    NUMBER("numberMisscheduled", misscheduled),
    NUMBER("numberReady", ready_replicas),
    NUMBER("numberUnavailable", unavailable_replicas),
    NUMBER("observedGeneration", observed_generation),
    NUMBER("readyReplicas", ready_replicas),
    NUMBER("replicas", status_replicas),
    NUMBER("succeeded", job.succeeded),
    NUMBER("unavailableReplicas", unavailable_replicas),
    STRING("updateRevision", update_revision),
    NUMBER("updatedNumberScheduled", updated_replicas),
    NUMBER("updatedReplicas", updated_replicas),
};
SCHEMA_OF(workload_status);

/* ---- the objects ---- */

static const struct field workload_fields[] = {
    SAME("spec", workload_spec),
    SAME("status", workload_status),
};
SCHEMA_OF(workload);

/* A ReplicationController's selector is a plain map. */
static void read_map_selector(struct decoder *decoder, enum jr_type type, void *structure)
{
    struct label_selector selector = {0};
    (void)type;
    selector.match_labels = decode_pairs(decoder, NULL, NULL);
    ((struct workload *)structure)->selector =
        memcpy(ARENA_NEW(decoder->arena, struct label_selector), &selector, sizeof selector);
}

static const struct field replication_controller_spec_fields[] = {
    NUMBER("replicas", replicas),
    BY("selector", ACCEPTS(OBJECT), selector, read_map_selector),
    SAME("template", template),
};
SCHEMA_OF(replication_controller_spec);

static const struct field replication_controller_fields[] = {
    SAME("spec", replication_controller_spec),
    SAME("status", workload_status),
};
SCHEMA_OF(replication_controller);

/* OpenShift's: a Deployment with the selector of a ReplicationController, which it makes. */
static const struct field deployment_config_spec_fields[] = {
    BOOL("paused", paused),
    NUMBER("replicas", replicas),
    NUMBER("revisionHistoryLimit", revision_history_limit),
    BY("selector", ACCEPTS(OBJECT), selector, read_map_selector),
    SAME("strategy", strategy),
    SAME("template", template),
};
SCHEMA_OF(deployment_config_spec);

static const struct field deployment_config_fields[] = {
    SAME("spec", deployment_config_spec),
    SAME("status", workload_status),
};
SCHEMA_OF(deployment_config);
#undef OF

/* ---- history ---- */

#define OF struct container_image
static const struct field container_image_fields[] = {
    STRING("image", image),
    STRING("name", name),
};
SCHEMA_OF(container_image);
#undef OF

static void read_revision_data(struct decoder *decoder, void *structure)
{
    decode_members(decoder, &revision_data_schema, structure);
}

static void read_or_redact_revision_data(struct decoder *decoder, enum jr_type type,
                                         void *structure)
{
    if (type == JR_OBJECT)
        redact_after(decoder, STR("{}"), read_revision_data, structure);
    else
        redact_value(decoder, STR("{}"));
}

#define OF struct controller_revision
static const struct field revision_pod_spec_fields[] = {
    LIST_OF("containers", images, container_image),
    LIST_OF("initContainers", init_images, container_image),
};
SCHEMA_OF(revision_pod_spec);

static const struct field revision_template_fields[] = {
    SAME("spec", revision_pod_spec),
};
SCHEMA_OF(revision_template);

static const struct field revision_spec_fields[] = {
    SAME("template", revision_template),
};
SCHEMA_OF(revision_spec);

static const struct field revision_data_fields[] = {
    SAME("spec", revision_spec),
};
SCHEMA_OF(revision_data);

static const struct field controller_revision_fields[] = {
    BY("data", ACCEPTS_ALL, images, read_or_redact_revision_data),
    NUMBER("revision", revision),
};
SCHEMA_OF(controller_revision);
#undef OF
