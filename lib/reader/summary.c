#include "reader/summary.h"

#include "base/clock.h"
#include "kube/kinds.h"
#include "reader/schema_types.h"

/* ---- members at the top level of an item ---- */

static void read_metadata(struct decoder *decoder, enum jr_type type, void *structure)
{
    struct summary *summary = structure;
    (void)type;
    summary->has_metadata = true;
    decode_members(decoder, &object_meta_schema, &summary->meta);
}

/* true, "True" or "2/3", as kubectl prints it. */
static void read_ready(struct decoder *decoder, enum jr_type type, void *structure)
{
    struct summary *summary = structure;
    struct str ready, of;
    int64_t n, all;
    summary->ready = type == JR_TRUE ? TRI_TRUE : TRI_FALSE;
    if (type != JR_STRING)
        return;
    struct str text = jr_text(decoder->jr);
    summary->ready = str_eq_nocase(text, STR("true")) ? TRI_TRUE : TRI_FALSE;
    if (!str_cut(text, '/', &ready, &of) || !str_to_i64(ready, &n) || !str_to_i64(of, &all))
        return;
    summary->ready = n >= all && all > 0 ? TRI_TRUE : TRI_FALSE;
    if (summary->ready_replicas == NUMBER_ABSENT)
        summary->ready_replicas = n;
    if (summary->replicas == NUMBER_ABSENT)
        summary->replicas = all;
}

/* A list of conditions, or {"Ready": "True", ...}. */
static void read_conditions(struct decoder *decoder, enum jr_type type, void *structure)
{
    struct summary *summary = structure;
    struct list_builder list;
    const struct pair *pair;
    if (type == JR_ARRAY) {
        decode_list(decoder, &condition_schema, false, &summary->conditions);
        return;
    }
    pair_list pairs = decode_pairs(decoder, NULL, NULL);
    list = list_builder_begin(decoder);
    LIST_EACH (pair, pairs) {
        struct condition *condition = list_builder_add(decoder, &list, sizeof *condition);
        memcpy(condition, decode_absent(decoder, &condition_schema), sizeof *condition);
        condition->type = pair->key;
        condition->status = pair->value;
    }
    list_builder_end(decoder, &list, NULL, &summary->conditions);
}

#define OF struct summary
static const struct field summary_fields[] = {
    STRING("apiVersion", api_version),
    NUMBER("availableReplicas", available_replicas),
    BY("conditions", ACCEPTS(ARRAY) | ACCEPTS(OBJECT), conditions, read_conditions),
    STRING("image", image),
    STRING("kind", kind),
    PAIRS("labels", labels),
    BY("metadata", ACCEPTS(OBJECT), meta, read_metadata),
    STRING("name", name),
    STRING("namespace", namespace),
    STRING("node", node),
    STRING("nodeName", node),
    STRING("phase", phase),
    BY("ready", ACCEPTS(TRUE) | ACCEPTS(FALSE) | ACCEPTS(STRING), ready, read_ready),
    NUMBER("readyReplicas", ready_replicas),
    STRING("reason", reason),
    NUMBER("replicas", replicas),
    NUMBER("restartCount", restarts),
    NUMBER("restarts", restarts),
    STRING("status", status),
};

static void absent_summary(void *structure)
{
    struct summary *summary = structure;
    struct object_meta *meta = &summary->meta;
    meta->created = meta->deleted = TIME_NONE;
    meta->deletion_grace = meta->generation = meta->resource_version = NUMBER_ABSENT;
}

SCHEMA_OF(summary, .absent = absent_summary);
#undef OF

/* ---- into the model ---- */

static struct str either(struct str a, struct str b)
{
    return a.n ? a : b;
}

/* All that a summary tells of a template: one image. */
static struct pod_spec *partial_spec(struct reader *reader, const struct summary *summary)
{
    struct decoder *decoder = &reader->decoder;
    struct pod_spec *spec = arena_alloc(decoder->arena, pod_spec_schema.size);
    memcpy(spec, decode_absent(decoder, &pod_spec_schema), pod_spec_schema.size);
    spec->partial = true;
    spec->node_name = summary->node;
    if (summary->image.n) {
        struct container *container = ARENA_NEW(decoder->arena, struct container);
        container->image = summary->image;
        spec->containers = (container_list)LIST_SLICE(container, 1);
    }
    return spec;
}

static bool is_phase(struct str text)
{
    static const char *const phases[] = {"Pending", "Running", "Succeeded", "Failed", "Unknown"};
    for (size_t i = 0; i < sizeof phases / sizeof *phases; i++)
        if (str_eq(text, str_of(phases[i])))
            return true;
    return false;
}

/* The STATUS column of kubectl is the phase, or the reason why a container does not run. */
static bool is_waiting_reason(struct str text)
{
    return str_has_suffix(text, STR("BackOff")) || str_has_prefix(text, STR("Err")) ||
           str_has_suffix(text, STR("ContainerError")) ||
           str_has_suffix(text, STR("ContainerConfigError")) ||
           str_eq(text, STR("InvalidImageName"));
}

static void fill_pod(struct reader *reader, const struct summary *summary, struct pod *pod)
{
    struct decoder *decoder = &reader->decoder;
    struct str status = summary->status;
    pod->spec = partial_spec(reader, summary);
    pod->phase = either(summary->phase, is_phase(status) ? status : summary->phase);
    pod->reason = either(summary->reason, is_phase(status) ? (struct str){NULL, 0} : status);
    pod->conditions = summary->conditions;
    pod->summary_restarts = summary->restarts;
    pod->summary_ready = summary->ready;
    bool waiting = is_waiting_reason(pod->reason);
    if (!waiting && !str_eq(pod->reason, STR("OOMKilled")))
        return;
    struct container_status *container = ARENA_NEW(decoder->arena, struct container_status);
    memcpy(container, decode_absent(decoder, &container_status_schema), sizeof *container);
    container->ready = summary->ready;
    container->restart_count = summary->restarts;
    if (waiting) {
        container->waiting_reason = pod->reason;
    } else {
        container->terminated = ARENA_NEW(decoder->arena, struct container_terminated);
        *container->terminated =
            (struct container_terminated){pod->reason, NUMBER_ABSENT, TIME_NONE, TIME_NONE};
    }
    pod->containers = (container_status_list)LIST_SLICE(container, 1);
}

static void fill_workload(struct reader *reader, const struct summary *summary,
                          struct workload *workload)
{
    workload->spec = partial_spec(reader, summary);
    workload->replicas = summary->replicas;
    workload->ready_replicas = summary->ready_replicas;
    workload->available_replicas = summary->available_replicas;
    workload->conditions = summary->conditions;
    if (workload->object.kind == KIND_DAEMONSET) {
        workload->desired_scheduled = summary->replicas;
        workload->replicas = NUMBER_ABSENT;
    }
}

static void fill_node(struct reader *reader, const struct summary *summary, struct node *node)
{
    struct decoder *decoder = &reader->decoder;
    bool ready = summary->ready == TRI_TRUE || str_has_prefix(summary->status, STR("Ready"));
    bool not_ready =
        summary->ready == TRI_FALSE || str_has_prefix(summary->status, STR("NotReady"));
    if (str_has(summary->status, STR("SchedulingDisabled")))
        node->unschedulable = TRI_TRUE;
    node->conditions = summary->conditions;
    if (summary->conditions.n || (!ready && !not_ready))
        return;
    struct condition *condition = ARENA_NEW(decoder->arena, struct condition);
    memcpy(condition, decode_absent(decoder, &condition_schema), sizeof *condition);
    condition->type = STR("Ready");
    condition->status = not_ready ? STR("False") : STR("True");
    node->conditions = (condition_list)LIST_SLICE(condition, 1);
}

void summary_fill(struct reader *reader, enum kind kind, const struct summary *summary,
                  void *structure)
{
    struct object *object = structure;
    object->summary = true;
    object->meta.name = summary->name;
    object->meta.namespace = summary->namespace;
    object->meta.labels = summary->labels;
    struct str phase = either(summary->phase, summary->status);
    switch (kind) {
    case KIND_POD:
        fill_pod(reader, summary, structure);
        break;
    case KIND_NODE:
        fill_node(reader, summary, structure);
        break;
    case KIND_NAMESPACE:
        ((struct namespace *)structure)->phase = phase;
        break;
    case KIND_PERSISTENTVOLUMECLAIM:
        ((struct persistent_volume_claim *)structure)->phase = phase;
        break;
    case KIND_PERSISTENTVOLUME:
        ((struct persistent_volume *)structure)->phase = phase;
        break;
    case KIND_CLUSTEROPERATOR:
    case KIND_CLUSTERVERSION:
    case KIND_MACHINECONFIGPOOL:
        ((struct platform_object *)structure)->conditions = summary->conditions;
        break;
    case KIND_GATEWAY:
        ((struct gateway *)structure)->conditions = summary->conditions;
        break;
    case KIND_CERTIFICATESIGNINGREQUEST:
    case KIND_CERTIFICATE:
    case KIND_APPLICATION:
    case KIND_KUSTOMIZATION:
    case KIND_HELMRELEASE:
        ((struct reconciled_object *)structure)->conditions = summary->conditions;
        break;
    default:
        if (kind_has_pods(kind))
            fill_workload(reader, summary, structure);
    }
}
