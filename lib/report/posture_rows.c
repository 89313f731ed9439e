#include "report/posture_rows.h"

#include "base/buf.h"
#include "kube/pod_shown.h"
#include "kube/status.h"
#include "score/exemption.h"
#include "score/state.h"

enum { IMAGES_MAX = 64 * 1024 };

struct posture_cell posture_text(struct str text)
{
    return (struct posture_cell){.type = CELL_TEXT, .text = text.n ? text : (struct str){NULL, 0}};
}

static void text(struct posture_row *row, enum posture_column column, struct str s)
{
    row->cells[column] = posture_text(s);
}

static void number(struct posture_row *row, enum posture_column column, int64_t n)
{
    row->cells[column] = (struct posture_cell){.type = CELL_NUMBER, .number = n};
}

static void hundredths(struct posture_row *row, enum posture_column column, int64_t n)
{
    row->cells[column] = (struct posture_cell){.type = CELL_HUNDREDTHS, .number = n};
}

static void ten_thousandths(struct posture_row *row, enum posture_column column, int64_t n)
{
    row->cells[column] = (struct posture_cell){.type = CELL_TEN_THOUSANDTHS, .number = n};
}

static void moment(struct posture_row *row, enum posture_column column, int64_t ms)
{
    row->cells[column] = (struct posture_cell){.type = CELL_TIME, .number = ms};
}

/* ---- the cluster ---- */

void posture_row_category(struct posture_row *row, enum category category,
                          const struct category_result *result)
{
    text(row, COLUMN_category, category_name(category));
    hundredths(row, COLUMN_lost, result->lost);
    ten_thousandths(row, COLUMN_hazard, result->hazard);
    number(row, COLUMN_checks, result->checks);
    number(row, COLUMN_evaluated, result->evaluated);
}

/* ---- workloads ---- */

static void identity(struct posture_row *row, const struct object *object)
{
    text(row, COLUMN_namespace, object->meta.namespace);
    text(row, COLUMN_name, object->meta.name);
    moment(row, COLUMN_created_at, object->meta.created);
}

static bool is_used_before(const struct container *container, container_list containers)
{
    const struct container *earlier;
    LIST_EACH (earlier, containers) {
        if (earlier == container)
            break;
        if (str_eq(earlier->image, container->image))
            return true;
    }
    return false;
}

/* Each image once. */
static struct str images_of(struct arena *arena, const struct pod_spec *spec)
{
    struct buf images = buf_init(arena, IMAGES_MAX);
    const struct container *container;
    if (!spec)
        return (struct str){NULL, 0};
    LIST_EACH (container, spec->containers) {
        if (!container->image.n || is_used_before(container, spec->containers))
            continue;
        buf_put(&images, images.n ? STR(" ") : STR(""));
        buf_put(&images, container->image);
    }
    return buf_str(&images);
}

void posture_row_deployment(struct arena *arena, struct posture_row *row,
                            const struct workload *deployment)
{
    bool told = has_replica_status(deployment), summary = deployment->object.summary;
    bool counted = told && (!summary || deployment->ready_replicas != NUMBER_ABSENT);
    int64_t updated = deployment->updated_replicas;
    identity(row, &deployment->object);
    number(row, COLUMN_desired, summary ? deployment->replicas : wanted_replicas(deployment));
    number(row, COLUMN_ready, counted ? number_or_zero(deployment->ready_replicas) : NUMBER_ABSENT);
    number(row, COLUMN_available, counted ? available_replicas(deployment) : NUMBER_ABSENT);
    number(row, COLUMN_updated, told && !summary ? number_or_zero(updated) : updated);
    text(row, COLUMN_images, images_of(arena, deployment->spec));
}

/* ---- pods ---- */

/* As kubectl counts them. */
static int64_t containers_of(const struct pod *pod)
{
    const struct container *container;
    int64_t n = 0;
    if (!pod->spec || pod->spec->partial)
        return NUMBER_ABSENT;
    LIST_EACH (container, pod->spec->containers)
        n += container_serves(container->role);
    return n;
}

static int64_t ready_containers(const struct pod *pod)
{
    const struct container_status *status;
    int64_t ready = 0;
    LIST_EACH (status, pod->containers)
        ready += container_serves(status->role) && status->ready == TRI_TRUE;
    return ready;
}

/* What kubectl shows as the status of a summary item, where that is not the phase. */
static struct str told_reason(const struct pod *pod)
{
    const struct container_status *status;
    if (pod_is_terminating(pod))
        return STR("Terminating");
    if (pod->reason.n)
        return pod->reason;
    LIST_EACH (status, pod->containers)
        if (waiting_reason(status).n)
            return waiting_reason(status);
    return (struct str){NULL, 0};
}

static void pod_state(struct arena *arena, struct posture_row *row, const struct pod *pod)
{
    bool summary = pod->object.summary;
    struct pod_shown shown = summary ? (struct pod_shown){told_reason(pod), pod->summary_restarts}
                                     : pod_shown(arena, pod);
    bool is_phase = !summary && str_eq(shown.status, pod->phase);
    text(row, COLUMN_status, pod->phase);
    text(row, COLUMN_reason, is_phase ? (struct str){NULL, 0} : shown.status);
    number(row, COLUMN_ready, summary ? NUMBER_ABSENT : ready_containers(pod));
    number(row, COLUMN_restarts, shown.restarts);
}

void posture_row_pod(struct arena *arena, struct posture_row *row, const struct pod *pod)
{
    const struct workload *owner = pod->workload;
    bool owned = owner && owner->object.kind != KIND_POD;
    identity(row, &pod->object);
    pod_state(arena, row, pod);
    number(row, COLUMN_containers, containers_of(pod));
    text(row, COLUMN_node, pod->node_name);
    text(row, COLUMN_owner, owned ? resource_name(arena, &owner->object) : (struct str){NULL, 0});
    text(row, COLUMN_images, images_of(arena, pod->spec));
}

/* ---- risks ---- */

/* Also of one that has expired. */
static void exemption(struct posture_row *row, const struct risk *risk)
{
    static const struct exemption none = {.expires = TIME_NONE};
    const struct exemption *exemption = risk->exemption ? risk->exemption : &none;
    bool expired = risk->exemption && !risk->exempt;
    text(row, COLUMN_exemption_id, exemption->id);
    text(row, COLUMN_exemption_owner, exemption->owner);
    moment(row, COLUMN_exemption_expires, exemption->expires);
    text(row, COLUMN_exemption_expired, expired ? exemption->reason : (struct str){NULL, 0});
}

void posture_row_risk(struct posture_row *row, const struct risk *risk, int64_t first_seen)
{
    const struct check *payer = risk->absorbed_by;
    text(row, COLUMN_id, str_of(risk->id));
    text(row, COLUMN_check, str_of(risk->check->id));
    text(row, COLUMN_category, category_name(risk->check->category));
    text(row, COLUMN_severity, severity_name(risk->severity));
    text(row, COLUMN_scope, STR("cluster"));
    text(row, COLUMN_namespace, risk->namespace);
    text(row, COLUMN_resource, risk->resource);
    text(row, COLUMN_container, risk->container);
    text(row, COLUMN_message, risk->message);
    text(row, COLUMN_recommendation, str_of(risk->check->recommendation));
    hundredths(row, COLUMN_impact, risk->impact);
    number(row, COLUMN_count, risk->count);
    text(row, COLUMN_absorbed_by, str_of(payer ? payer->id : NULL));
    text(row, COLUMN_exempt, risk->exempt ? risk->exempt_reason : (struct str){NULL, 0});
    text(row, COLUMN_frameworks, str_of(risk->check->frameworks));
    moment(row, COLUMN_first_seen, first_seen);
    hundredths(row, COLUMN_would_cost, risk->exempt ? risk->would_cost : NUMBER_ABSENT);
    exemption(row, risk);
}

/* ---- nodes ---- */

static struct str node_status(const struct node *node)
{
    bool cordoned = node->unschedulable == TRI_TRUE;
    switch (node_ready(node)) {
    case TRI_TRUE:
        return cordoned ? STR("Ready,SchedulingDisabled") : STR("Ready");
    case TRI_FALSE:
        return cordoned ? STR("NotReady,SchedulingDisabled") : STR("NotReady");
    case TRI_ABSENT:
        break;
    }
    return (struct str){NULL, 0};
}

static int64_t whole(int64_t thousandths)
{
    return thousandths == NUMBER_ABSENT ? NUMBER_ABSENT : thousandths / 1000;
}

void posture_row_node(struct posture_row *row, const struct node *node)
{
    text(row, COLUMN_name, node->object.meta.name);
    moment(row, COLUMN_created_at, node->object.meta.created);
    text(row, COLUMN_status, node_status(node));
    text(row, COLUMN_version, node->kubelet_version);
    text(row, COLUMN_operating_system, node->operating_system);
    text(row, COLUMN_os_image, node->os_image);
    text(row, COLUMN_container_runtime, node->runtime_version);
    number(row, COLUMN_cpu_millicores, node->allocatable.cpu);
    number(row, COLUMN_memory_bytes, whole(node->allocatable.memory));
    number(row, COLUMN_pods, node->pods.n);
}
