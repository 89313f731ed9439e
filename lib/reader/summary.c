#include "reader/summary.h"

#include "base/clock.h"
#include "kube/kinds.h"
#include "kube/status.h"
#include "reader/schema_types.h"

/* ---- members at the top level of an item ---- */

static void read_metadata(struct decoder *decoder, enum jr_type type, void *structure)
{
    struct summary *summary = structure;
    (void)type;
    summary->has_metadata = true;
    decode_members(decoder, &object_meta_schema, &summary->meta);
}

/* The status of a condition that a word or a boolean says; absent: another word. */
static struct str condition_status(struct str word)
{
    static const char *const statuses[] = {"True", "False", "Unknown"};
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        if (str_eq_nocase(word, str_of(statuses[i])))
            return str_of(statuses[i]);
    return (struct str){NULL, 0};
}

/* true, "True", how many are ready, or "2/3" as kubectl prints it. */
static void read_ready(struct decoder *decoder, enum jr_type type, void *structure)
{
    struct summary_ready *ready = &((struct summary *)structure)->ready;
    struct str text = jr_text(decoder->jr), count, of;
    int64_t n, all;
    (void)type;
    ready->status = condition_status(text);
    if (str_cut(text, '/', &count, &of)) {
        if (!str_to_i64(count, &n) || !str_to_i64(of, &all) || n < 0 || all < 0)
            return;
        ready->status = n >= all && all > 0 ? STR("True") : STR("False");
        ready->count = n;
        ready->of = all;
        return;
    }
    if (str_to_i64(text, &n) && n >= 0)
        ready->count = n;
    if (ready->count == 0 || ready->count == 1)
        ready->status = ready->count ? STR("True") : STR("False");
}

#define OF struct condition
static void read_condition_status(struct decoder *decoder, enum jr_type type, void *structure)
{
    (void)type;
    ((struct condition *)structure)->status = condition_status(jr_text(decoder->jr));
}

static const struct field summary_condition_fields[] = {
    CONDITION_FIELDS(BY("status", ACCEPTS(STRING) | ACCEPTS(TRUE) | ACCEPTS(FALSE), status,
                        read_condition_status)),
};
SCHEMA_OF(summary_condition);
#undef OF

static void read_condition_map(struct decoder *decoder, condition_list *conditions)
{
    pair_list pairs = decode_words(decoder);
    struct list_builder list = list_builder_begin(decoder);
    const struct pair *pair;
    LIST_EACH (pair, pairs) {
        struct condition *condition = list_builder_add(decoder, &list, sizeof *condition);
        memcpy(condition, decode_absent(decoder, &summary_condition_schema), sizeof *condition);
        condition->type = pair->key;
        condition->status = condition_status(pair->value);
    }
    list_builder_end(decoder, &list, NULL, conditions);
}

/* A list of conditions, or {"Ready": "True", ...}. One without a status says nothing. */
static void read_conditions(struct decoder *decoder, enum jr_type type, void *structure)
{
    condition_list *conditions = &((struct summary *)structure)->conditions;
    uint32_t told = 0;
    if (type == JR_ARRAY)
        decode_list(decoder, &summary_condition_schema, false, conditions);
    else
        read_condition_map(decoder, conditions);
    for (uint32_t i = 0; i < conditions->n; i++)
        if (conditions->items[i].status.n)
            conditions->items[told++] = conditions->items[i];
    conditions->n = told;
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
    BY("ready", ACCEPTS(TRUE) | ACCEPTS(FALSE) | ACCEPTS(STRING) | ACCEPTS(NUMBER), ready,
       read_ready),
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
    summary->ready.count = summary->ready.of = NUMBER_ABSENT;
}

SCHEMA_OF(summary, .absent = absent_summary);
#undef OF

/* ---- into the model ---- */

static struct str either(struct str a, struct str b)
{
    return a.n ? a : b;
}

static int64_t either_number(int64_t a, int64_t b)
{
    return a == NUMBER_ABSENT ? b : a;
}

/* All that a summary tells of a template: one image. */
static struct pod_spec *partial_spec(struct reader *reader, const struct summary *summary)
{
    struct decoder *decoder = &reader->decoder;
    struct pod_spec *spec = arena_alloc(decoder->arena, pod_spec_schema.size);
    memcpy(spec, decode_absent(decoder, &pod_spec_schema), pod_spec_schema.size);
    spec->partial = true;
    if (summary->image.n) {
        struct container *container = ARENA_NEW(decoder->arena, struct container);
        container->image = summary->image;
        spec->containers = (container_list)LIST_SLICE(container, 1);
    }
    return spec;
}

/* How many replicas are ready: all that are wanted (`of`), none, or as many as are said. Those that
 * are available are ready. */
static int64_t ready_replicas(const struct summary *summary, int64_t of)
{
    struct str ready = summary->ready.status;
    int64_t told = either_number(summary->ready_replicas, summary->ready.count);
    if (told == NUMBER_ABSENT)
        told = summary->available_replicas;
    if (told == NUMBER_ABSENT && str_eq(ready, STR("True")))
        told = of;
    return told == NUMBER_ABSENT && str_eq(ready, STR("False")) ? 0 : told;
}

static void fill_workload(struct reader *reader, const struct summary *summary,
                          struct workload *workload)
{
    workload->spec = partial_spec(reader, summary);
    workload->replicas = either_number(summary->replicas, summary->ready.of);
    workload->ready_replicas = ready_replicas(summary, workload->replicas);
    workload->available_replicas = summary->available_replicas;
    workload->conditions = summary->conditions;
    if (workload->object.kind == KIND_DAEMONSET) {
        workload->desired_scheduled = workload->replicas;
        workload->replicas = NUMBER_ABSENT;
    }
}

/* The status of Ready that the STATUS column of kubectl begins with: "NotReady,SchedulingDisabled".
 */
static struct str ready_of_column(struct str column)
{
    static const struct {
        const char *word, *status;
    } rows[] = {{"Ready", "True"}, {"NotReady", "False"}, {"Unknown", "Unknown"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct str word = str_of(rows[i].word);
        if (str_eq_nocase(str_sub(column, 0, word.n), word))
            return str_of(rows[i].status);
    }
    return (struct str){NULL, 0};
}

/* Of two words the worse one. */
static struct str node_status(const struct summary *summary)
{
    struct str ready = summary->ready.status;
    struct str column = ready_of_column(either(summary->status, summary->phase));
    if (str_eq(ready, STR("False")) || !column.n || str_eq(column, STR("True")))
        return either(ready, column);
    return column;
}

static void add_ready(struct decoder *decoder, const struct summary *summary, struct str status,
                      condition_list *conditions)
{
    uint32_t n = conditions->n;
    struct condition *all = ARENA_ARRAY(decoder->arena, n + 1, struct condition);
    if (n)
        memcpy(all, conditions->items, n * sizeof *all);
    memcpy(&all[n], decode_absent(decoder, &summary_condition_schema), sizeof *all);
    all[n].type = STR("Ready");
    all[n].status = status;
    all[n].reason = summary->reason;
    *conditions = (condition_list)LIST_SLICE(all, n + 1);
}

static void fill_node(struct reader *reader, const struct summary *summary, struct node *node)
{
    struct str status = node_status(summary);
    if (str_has(summary->status, STR("SchedulingDisabled")))
        node->unschedulable = TRI_TRUE;
    node->conditions = summary->conditions;
    if (status.n && !condition_find(node->conditions, STR("Ready")))
        add_ready(&reader->decoder, summary, status, &node->conditions);
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
        ((struct pod *)structure)->spec = partial_spec(reader, summary);
        ((struct pod *)structure)->node_name = summary->node;
        summary_fill_pod(&reader->decoder, summary, structure);
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
