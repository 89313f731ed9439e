/* Whether Services have somebody to answer, and containers room to breathe. */
#include "kube/quantity.h"
#include "score/checks.h"
#include "score/index.h"
#include "score/state.h"

/* ---- service-no-ready-endpoints, service-single-endpoint ---- */

static bool has_selector(const struct service *service)
{
    return service->selector.n && !str_eq(service->type, STR("ExternalName"));
}

static uint32_t active_pods(const struct service *service)
{
    uint32_t n = 0;
    struct pod **pod;
    LIST_EACH (pod, service->pods)
        n += pod_is_active(*pod);
    return n;
}

enum verdict check_service_no_ready_endpoints(struct judge *judge, const struct service *service)
{
    uint32_t pods = active_pods(service);
    if (!has_selector(service) || !service->endpoints_known || !pods)
        return NOT_EVALUATED;
    if (service->ready_endpoints)
        return PASSED;
    return fail(judge, NO_CONTAINER, "The Service selects %u pod%s, none of them is ready.", pods,
                pods == 1 ? "" : "s");
}

enum verdict check_service_single_endpoint(struct judge *judge, const struct service *service)
{
    if (!has_selector(service) || !service->endpoints_known || !service->ready_endpoints)
        return NOT_EVALUATED;
    if (service->ready_endpoints > 1)
        return PASSED;
    return fail(judge, NO_CONTAINER, "Only one endpoint is ready.");
}

/* ---- container-usage-near-limit ---- */

enum { NEAR_LIMIT_PERCENT = 90 };

static int64_t memory_limit(const struct pod *pod, struct str name)
{
    const struct container *container = pod_container(pod, name);
    if (!container || !container->resources)
        return NUMBER_ABSENT;
    return container->resources->limits.memory;
}

/* Memory only: a snapshot holds one measurement, and CPU near its limit means something only when
 * it stays there. */
static enum verdict ask_usage(struct judge *judge, const struct pod *pod)
{
    enum verdict verdict = NOT_EVALUATED;
    const struct container_usage *usage;
    const struct pod_metrics *metrics = (const struct pod_metrics *)index_object(
        judge->index, KIND_PODMETRICS, pod->object.meta.namespace, pod->object.meta.name);
    if (!metrics || !pod_is_active(pod))
        return NOT_EVALUATED;
    LIST_EACH (usage, metrics->containers) {
        int64_t limit = memory_limit(pod, usage->name);
        if (limit <= 0 || usage->memory == NUMBER_ABSENT)
            continue;
        double percent = 100.0 * (double)usage->memory / (double)limit;
        if (percent >= NEAR_LIMIT_PERCENT)
            return fail(judge, usage->name,
                        "Container %" STR_FMT " of pod %" STR_FMT " uses %" STR_FMT " of %" STR_FMT
                        " memory, %d %% of its limit.",
                        STR_ARG(usage->name), STR_ARG(pod->object.meta.name),
                        STR_ARG(quantity_memory_text(judge->arena, usage->memory)),
                        STR_ARG(quantity_memory_text(judge->arena, limit)), (int)percent);
        verdict = PASSED;
    }
    return verdict;
}

enum verdict check_container_usage_near_limit(struct judge *judge, const struct workload *workload)
{
    return each_pod(judge, workload, ask_usage);
}
