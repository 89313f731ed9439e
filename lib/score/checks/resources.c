/* Requests and limits. A limit alone becomes the request at admission; amounts of the whole pod
 * satisfy its containers; and what admission filled into every live pod counts too. */
#include "kube/pod_requests.h"
#include "kube/quantity.h"
#include "score/checks.h"
#include "score/index.h"
#include "score/state.h"
#include "score/walk.h"

/* 0 is the same as absent. */
static bool is_set(int64_t amount)
{
    return amount > 0;
}

static const struct resource_requirements *resources_of(const struct resource_requirements *given)
{
#define NOTHING_SET                                                                                \
    {                                                                                              \
        NUMBER_ABSENT, NUMBER_ABSENT, NUMBER_ABSENT, NUMBER_ABSENT                                 \
    }
    static const struct resource_requirements none = {NOTHING_SET, NOTHING_SET};
#undef NOTHING_SET
    return given ? given : &none;
}

static bool requests_cpu(const struct resource_requirements *resources)
{
    return is_set(resources->requests.cpu) || is_set(resources->limits.cpu);
}

static bool requests_memory(const struct resource_requirements *resources)
{
    return is_set(resources->requests.memory) || is_set(resources->limits.memory);
}

static bool limits_cpu(const struct resource_requirements *resources)
{
    return is_set(resources->limits.cpu);
}

static bool limits_memory(const struct resource_requirements *resources)
{
    return is_set(resources->limits.memory);
}

/* 0 is a limit too: the first byte evicts the pod. */
static bool limits_storage(const struct resource_requirements *resources)
{
    return resources->limits.ephemeral_storage != NUMBER_ABSENT;
}

/* Says fail() unless the container, its pod as a whole or all its live twins have the amount. */
static bool test_amount(struct check_context *context, struct place at,
                        bool (*has)(const struct resource_requirements *), const char *what)
{
    if (has(resources_of(at.container->resources)) || has(resources_of(at.spec->resources)) ||
        all_pods_have(context->effort, at.workload, at.container->name, has))
        return false;
    fail(context, at.container->name, "Container %" STR_FMT " has no %s.",
         STR_ARG(at.container->name), what);
    return true;
}

static bool lacks_cpu_request(struct check_context *context, struct place at)
{
    return test_amount(context, at, requests_cpu, "CPU request");
}

enum verdict check_cpu_request_missing(struct check_context *context,
                                       const struct workload *workload)
{
    return walk_containers(context, workload, ROLES_LASTING, lacks_cpu_request);
}

static bool lacks_memory_request(struct check_context *context, struct place at)
{
    return test_amount(context, at, requests_memory, "memory request");
}

enum verdict check_memory_request_missing(struct check_context *context,
                                          const struct workload *workload)
{
    return walk_containers(context, workload, ROLES_LASTING, lacks_memory_request);
}

static bool lacks_memory_limit(struct check_context *context, struct place at)
{
    return test_amount(context, at, limits_memory, "memory limit");
}

enum verdict check_memory_limit_missing(struct check_context *context,
                                        const struct workload *workload)
{
    return walk_containers(context, workload, ROLES_LASTING, lacks_memory_limit);
}

static bool lacks_cpu_limit(struct check_context *context, struct place at)
{
    return test_amount(context, at, limits_cpu, "CPU limit");
}

enum verdict check_cpu_limit_missing(struct check_context *context, const struct workload *workload)
{
    return walk_containers(context, workload, ROLES_LASTING, lacks_cpu_limit);
}

static bool lacks_storage_limit(struct check_context *context, struct place at)
{
    return test_amount(context, at, limits_storage, "limit of ephemeral storage");
}

enum verdict check_ephemeral_storage_limit_missing(struct check_context *context,
                                                   const struct workload *workload)
{
    return walk_containers(context, workload, ROLES_LASTING, lacks_storage_limit);
}

static bool overcommits_memory(struct check_context *context, struct place at)
{
    const struct resource_requirements *resources = resources_of(at.container->resources);
    int64_t request = resources->requests.memory, limit = resources->limits.memory;
    if (!is_set(request) || !is_set(limit) || request == limit)
        return false;
    struct str requested = quantity_memory_text(context->arena, request);
    struct str allowed = quantity_memory_text(context->arena, limit);
    fail(context, at.container->name,
         "Container %" STR_FMT " requests %" STR_FMT " of memory and may use %" STR_FMT
         ", %.1f times as much.",
         STR_ARG(at.container->name), STR_ARG(requested), STR_ARG(allowed),
         (double)limit / (double)request);
    return true;
}

enum verdict check_memory_request_below_limit(struct check_context *context,
                                              const struct workload *workload)
{
    return walk_containers(context, workload, ROLES_LASTING, overcommits_memory);
}

/* ---- container-usage-near-limit ---- */

enum { NEAR_LIMIT_PERCENT = 90 };

static int64_t memory_limit(const struct check_context *context, const struct pod *pod,
                            struct str name)
{
    const struct container *container = container_named(context->effort, pod->spec, name);
    if (!container || !container->resources)
        return NUMBER_ABSENT;
    return container->resources->limits.memory;
}

/* Its containers together, against the limit that they share. */
static enum verdict ask_shared_limit(struct check_context *context, const struct pod *pod,
                                     const struct pod_metrics *metrics)
{
    int64_t limit =
        pod->spec && pod->spec->resources ? pod->spec->resources->limits.memory : NUMBER_ABSENT;
    int64_t used = 0;
    const struct container_usage *usage;
    LIST_EACH (usage, metrics->containers)
        used = quantity_sum(used, usage->memory < 0 ? 0 : usage->memory);
    if (limit <= 0 || !metrics->containers.n)
        return NOT_EVALUATED;
    int percent = quantity_percent(used, limit);
    if (percent < NEAR_LIMIT_PERCENT)
        return PASSED;
    return fail(context, NO_CONTAINER,
                "Pod %" STR_FMT " uses %" STR_FMT " of %" STR_FMT " memory, %d %% of its limit.",
                STR_ARG(pod->object.meta.name), STR_ARG(quantity_memory_text(context->arena, used)),
                STR_ARG(quantity_memory_text(context->arena, limit)), percent);
}

/* Memory only: a snapshot holds one measurement, and CPU near its limit means something only when
 * it stays there. */
static enum verdict ask_usage(struct check_context *context, const struct pod *pod)
{
    const struct container_usage *usage;
    const struct pod_metrics *metrics = (const struct pod_metrics *)index_object(
        context->index, KIND_PODMETRICS, pod->object.meta.namespace, pod->object.meta.name);
    if (!metrics || !pod_is_active(pod))
        return NOT_EVALUATED;
    enum verdict verdict = ask_shared_limit(context, pod, metrics);
    if (verdict == FAILED)
        return verdict;
    LIST_EACH (usage, metrics->containers) {
        int64_t limit = memory_limit(context, pod, usage->name);
        if (limit <= 0 || usage->memory == NUMBER_ABSENT)
            continue;
        int percent = quantity_percent(usage->memory, limit);
        if (percent >= NEAR_LIMIT_PERCENT)
            return fail(context, usage->name,
                        "Container %" STR_FMT " of pod %" STR_FMT " uses %" STR_FMT " of %" STR_FMT
                        " memory, %d %% of its limit.",
                        STR_ARG(usage->name), STR_ARG(pod->object.meta.name),
                        STR_ARG(quantity_memory_text(context->arena, usage->memory)),
                        STR_ARG(quantity_memory_text(context->arena, limit)), percent);
        verdict = PASSED;
    }
    return verdict;
}

enum verdict check_container_usage_near_limit(struct check_context *context,
                                              const struct workload *workload)
{
    return each_pod(context, workload, ask_usage);
}
