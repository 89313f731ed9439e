/* Whether autoscalers have a source of the metrics that they go by. */
#include "kube/manifest.h"
#include "score/checks.h"
#include "score/index.h"
#include "score/state.h"

static bool is_api_served(const struct check_context *context, const char *name)
{
    return index_object(context->index, KIND_APISERVICE, (struct str){0}, str_of(name)) != NULL;
}

/* CPU and memory of pods come from metrics.k8s.io, which metrics-server or another program serves.
 * Every API server has v1.apps, so a snapshot without it does not hold all APIServices. */
enum verdict check_metrics_api_missing(struct check_context *context, const struct cluster *cluster)
{
    struct autoscaler **scaler;
    const struct autoscaler *first = NULL;
    uint32_t n = 0;
    if (!is_api_served(context, "v1.apps"))
        return NOT_EVALUATED;
    LIST_EACH (scaler, cluster->autoscalers) {
        if (!(*scaler)->uses_resources || is_manifest(&(*scaler)->object))
            continue;
        if (condition_is((*scaler)->conditions, STR("ScalingActive"), STR("True")))
            return PASSED;
        first = first ? first : *scaler;
        n++;
    }
    if (!first)
        return NOT_EVALUATED;
    if (is_api_served(context, "v1beta1.metrics.k8s.io") ||
        is_api_served(context, "v1.metrics.k8s.io"))
        return PASSED;
    return fail(context, NO_CONTAINER,
                "Nothing serves metrics.k8s.io, and %u autoscaler%s by CPU or memory: %" STR_FMT
                "/%" STR_FMT ".",
                n, n == 1 ? " goes" : "s go", STR_ARG(first->object.meta.namespace),
                STR_ARG(first->object.meta.name));
}
