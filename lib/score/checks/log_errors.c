/* What the logs of the pods tell. */
#include "score/checks.h"

enum {
    BURST_FACTOR = 4, /* as many times the rate of the hour before */
    FAMILIES_MAX = 16
};

/* The logs of one workload: those of its pods, also of pods that are gone. */
struct workload_logs {
    const struct pod_log *families[FAMILIES_MAX];
    uint32_t n;
    int64_t recent, before;
};

static void add_family(struct workload_logs *logs, const struct check_context *context,
                       struct str namespace, struct pod_family family)
{
    const struct pod_log *log = pod_log_find(context->cluster->pod_logs, namespace, family);
    for (uint32_t i = 0; i < logs->n; i++)
        if (logs->families[i] == log)
            return;
    if (!log || logs->n == FAMILIES_MAX)
        return;
    logs->families[logs->n++] = log;
    logs->recent += log->recent;
    logs->before += log->before;
}

/* The family that its kind gives it, and those that its pods' names are of: an operator may name
 * them as it likes, and long names are shortened. */
static struct workload_logs logs_of(const struct check_context *context,
                                    const struct workload *workload)
{
    const struct object_meta *meta = &workload->object.meta;
    struct workload_logs logs = {0};
    unsigned shapes = workload->object.kind == KIND_NONE ? 0 : pod_shapes_of(workload->object.kind);
    struct pod **pod;
    for (unsigned shape = 0; shape < POD_SHAPE_COUNT; shape++)
        if (shapes >> shape & 1)
            add_family(&logs, context, meta->namespace,
                       (struct pod_family){meta->name, (enum pod_shape)shape});
    LIST_EACH (pod, workload->pods)
        add_family(&logs, context, meta->namespace, pod_family_of((*pod)->object.meta.name));
    return logs;
}

enum verdict check_log_error_burst(struct check_context *context, const struct workload *workload)
{
    if (!context->cluster->pod_logs.n)
        return NOT_EVALUATED;
    struct workload_logs logs = logs_of(context, workload);
    if (!logs.n)
        return NOT_EVALUATED;
    if (logs.recent < POD_LOG_BURST ||
        logs.recent * POD_LOG_BEFORE_MINUTES <= BURST_FACTOR * logs.before * POD_LOG_RECENT_MINUTES)
        return PASSED;
    return fail(context, NO_CONTAINER, "%lld ERROR lines in %d min, %lld in the hour before.",
                (long long)logs.recent, POD_LOG_RECENT_MINUTES, (long long)logs.before);
}
