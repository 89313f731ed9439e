/* What is used, against what is reserved and what there is; by one measurement, so memory only. */
#include "kube/containers.h"
#include "kube/pod_requests.h"
#include "kube/quantity.h"
#include "score/checks.h"
#include "score/index.h"
#include "score/state.h"
#include "score/totals.h"
#include "score/view.h"

#define SETTLING CLOCK_HOUR
#define MIB      (INT64_C(1024) * 1024 * 1000) /* in thousandths of a byte */

/* ---- memory-request-misfit ---- */

/* Far is half as much again and 256 MiB, or a quarter and 1 GiB. */
static bool is_far_over(int64_t used, int64_t request)
{
    return used - request >= 256 * MIB && used / 3 >= request / 2;
}

static bool is_far_under(int64_t used, int64_t request)
{
    return request - used >= 1024 * MIB && used < request / 4;
}

static int64_t memory_request(const struct check_context *context, const struct pod *pod,
                              struct str name)
{
    const struct container *container = container_named(context->effort, pod->spec, name);
    if (!container || !container->resources)
        return NUMBER_ABSENT;
    return container->resources->requests.memory;
}

static enum verdict ask_container(struct check_context *context, const struct pod *pod,
                                  const struct container_usage *usage)
{
    int64_t request = memory_request(context, pod, usage->name);
    if (request <= 0 || usage->memory < 0)
        return NOT_EVALUATED;
    bool over = is_far_over(usage->memory, request);
    if (!over && !is_far_under(usage->memory, request))
        return PASSED;
    return fail(context, usage->name,
                "Container %" STR_FMT " of pod %" STR_FMT " uses %" STR_FMT
                " of memory and requests %" STR_FMT "%s.",
                STR_ARG(usage->name), STR_ARG(pod->object.meta.name),
                STR_ARG(quantity_memory_text(context->arena, usage->memory)),
                STR_ARG(quantity_memory_text(context->arena, request)),
                over ? ": its node may run out" : ": nobody else can have the rest");
}

static enum verdict ask_pod(struct check_context *context, const struct pod *pod)
{
    enum verdict worst = NOT_EVALUATED, one;
    const struct container_usage *usage;
    const struct pod_metrics *metrics = (const struct pod_metrics *)index_object(
        context->index, KIND_PODMETRICS, pod->object.meta.namespace, pod->object.meta.name);
    if (!metrics || !pod_is_active(pod) ||
        !age_exceeds(context, pod->object.meta.created, SETTLING))
        return NOT_EVALUATED;
    LIST_EACH (usage, metrics->containers) {
        one = ask_container(context, pod, usage);
        worst = one > worst ? one : worst;
    }
    return worst;
}

enum verdict check_memory_request_misfit(struct check_context *context,
                                         const struct workload *workload)
{
    return each_pod(context, workload, ask_pod);
}

/* ---- node-memory-use-high ---- */

enum { HIGH_PERCENT = 90 };

enum verdict check_node_memory_use_high(struct check_context *context, const struct node *node)
{
    const struct node_metrics *metrics = (const struct node_metrics *)index_object(
        context->index, KIND_NODEMETRICS, (struct str){0}, node->object.meta.name);
    int64_t there = node->allocatable.memory;
    if (!metrics || metrics->usage.memory < 0 || there <= 0)
        return NOT_EVALUATED;
    int percent = quantity_percent(metrics->usage.memory, there);
    if (percent < HIGH_PERCENT)
        return PASSED;
    return fail(context, NO_CONTAINER,
                "%" STR_FMT " of memory are used, %d %% of the %" STR_FMT " that pods may have.",
                STR_ARG(quantity_memory_text(context->arena, metrics->usage.memory)), percent,
                STR_ARG(quantity_memory_text(context->arena, there)));
}

/* ---- hpa-maximum-beyond-room ---- */

static const struct workload *target_of(struct check_context *context,
                                        const struct autoscaler *scaler)
{
    const struct workload *target = find_workload(
        context, scaler->target_kind, scaler->object.meta.namespace, scaler->target_name);
    return target && template_of(target) ? target : NULL;
}

/* Beyond all that there is, as if nothing else ran there. */
enum verdict check_hpa_maximum_beyond_room(struct check_context *context,
                                           const struct autoscaler *scaler)
{
    const struct workload *target = target_of(context, scaler);
    struct resource_list room = context->totals->room;
    if (!target || scaler->max_replicas < 1 || room.cpu <= 0 || context->totals->may_grow)
        return NOT_EVALUATED;
    struct resource_list one = pod_requests(target->spec);
    if (one.cpu <= 0 && one.memory <= 0)
        return NOT_EVALUATED;
    bool by_cpu = one.cpu > 0 && room.cpu / one.cpu < scaler->max_replicas;
    if (!by_cpu && (one.memory <= 0 || room.memory / one.memory >= scaler->max_replicas))
        return PASSED;
    struct str text = by_cpu ? quantity_cpu_text(context->arena, one.cpu)
                             : quantity_memory_text(context->arena, one.memory);
    struct str all = by_cpu ? quantity_cpu_text(context->arena, room.cpu)
                            : quantity_memory_text(context->arena, room.memory);
    return fail(
        context, NO_CONTAINER,
        "%lld replicas of %" STR_FMT " %s each do not fit into all nodes, which have %" STR_FMT ".",
        (long long)scaler->max_replicas, STR_ARG(text), by_cpu ? "CPU" : "memory", STR_ARG(all));
}
