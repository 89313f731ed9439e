/* HorizontalPodAutoscalers. */
#include "kube/kinds.h"
#include "score/completeness.h"
#include "kube/manifest.h"
#include "score/checks.h"
#include "score/view.h"

/* ---- target ---- */

/* KIND_NONE for controllers that are not read, of extensions that is. */
static enum kind target_kind(const struct autoscaler *scaler)
{
    const uint64_t controllers = K(DEPLOYMENT) | K(STATEFULSET) | K(DAEMONSET) | K(REPLICASET) |
                                 K(REPLICATIONCONTROLLER) | K(DEPLOYMENTCONFIG) | K(ROLLOUT);
    enum kind kind = kind_find(scaler->target_kind, scaler->target_api_version);
    return controllers >> kind & 1 ? kind : KIND_NONE;
}

/* FAILED: it is known not to exist. */
static enum verdict target_exists(struct check_context *context, const struct autoscaler *scaler)
{
    enum kind kind = target_kind(scaler);
    if (kind == KIND_NONE || !scaler->target_name.n || !completeness_covers(context, kind))
        return NOT_EVALUATED;
    return find_workload(context, scaler->target_kind, scaler->object.meta.namespace,
                         scaler->target_name)
               ? PASSED
               : FAILED;
}

enum verdict check_hpa_target_missing(struct check_context *context,
                                      const struct autoscaler *scaler)
{
    enum verdict verdict = target_exists(context, scaler);
    if (verdict != FAILED)
        return verdict;
    return fail(context, NO_CONTAINER, "Its target, %" STR_FMT " \"%" STR_FMT "\", does not exist.",
                STR_ARG(scaler->target_kind), STR_ARG(scaler->target_name));
}

/* ---- replicas ---- */

enum verdict check_hpa_min_replicas_low(struct check_context *context,
                                        const struct autoscaler *scaler)
{
    if (scaler->object.summary)
        return NOT_EVALUATED;
    if (scaler->min_replicas == NUMBER_ABSENT)
        return fail(context, NO_CONTAINER, "minReplicas is not set, which means 1.");
    if (scaler->min_replicas >= 2)
        return PASSED;
    return fail(context, NO_CONTAINER, "minReplicas is %lld.", (long long)scaler->min_replicas);
}

/* Live objects always have replicas: only what the author wrote tells. */
enum verdict check_hpa_replicas_conflict(struct check_context *context,
                                         const struct workload *workload)
{
    const struct workload_view *view = view_workload(context, workload);
    const struct object *object = &workload->object;
    if (!view->autoscalers.n || object->summary || workload->synthesized)
        return NOT_EVALUATED;
    if (!object->meta.applied && !is_manifest(object))
        return NOT_EVALUATED;
    int64_t written = authored_replicas(object, workload->replicas);
    if (written == NUMBER_ABSENT)
        return PASSED;
    const struct object *scaler = &view->autoscalers.items[0]->object;
    return fail(context, NO_CONTAINER,
                "Its manifest sets replicas to %lld, and %" STR_FMT " %" STR_FMT
                " scales it: each apply undoes the scaling.",
                (long long)written, STR_ARG(scaler->kind_name), STR_ARG(scaler->meta.name));
}

/* ---- what it reports ---- */

static bool is_true(const struct condition *condition, const char *type)
{
    return str_eq(condition->type, str_of(type)) && str_eq(condition->status, STR("True"));
}

static bool is_false(const struct condition *condition, const char *type)
{
    return str_eq(condition->type, str_of(type)) && str_eq(condition->status, STR("False"));
}

static bool hinders(const struct condition *condition)
{
    if (is_true(condition, "ScalingLimited"))
        return str_eq(condition->reason, STR("TooManyReplicas"));
    return is_false(condition, "ScalingActive") || is_false(condition, "AbleToScale");
}

/* ScalingDisabled: somebody scaled the target to zero, which switches the autoscaler off. And
 * without its target it can do nothing, which is hpa-target-missing's to weigh. */
static enum severity weight_of(struct check_context *context, const struct autoscaler *scaler,
                               const struct condition *condition)
{
    bool off =
        is_false(condition, "ScalingActive") && str_eq(condition->reason, STR("ScalingDisabled"));
    bool orphaned = is_false(condition, "AbleToScale") && target_exists(context, scaler) == FAILED;
    return off || orphaned ? SEVERITY_LOW : context->check->severity;
}

/* The most severe of what hinders it, of several the first. NULL: nothing does. */
static const struct condition *worst_condition(struct check_context *context,
                                               const struct autoscaler *scaler)
{
    const struct condition *worst = NULL, *condition;
    LIST_EACH (condition, scaler->conditions)
        if (hinders(condition) &&
            (!worst || weight_of(context, scaler, condition) < weight_of(context, scaler, worst)))
            worst = condition;
    return worst;
}

/* One that may not scale at all stays where its author put it: a notice. */
enum verdict check_hpa_limited(struct check_context *context, const struct autoscaler *scaler)
{
    const struct condition *condition = worst_condition(context, scaler);
    int64_t minimum = scaler->min_replicas == NUMBER_ABSENT ? 1 : scaler->min_replicas;
    if (condition)
        return fail_as(context, weight_of(context, scaler, condition), NO_CONTAINER,
                       "%" STR_FMT " is %" STR_FMT " (%" STR_FMT "), maxReplicas %lld.",
                       STR_ARG(condition->type), STR_ARG(condition->status),
                       STR_ARG(condition->reason), (long long)scaler->max_replicas);
    if (scaler->current_replicas == NUMBER_ABSENT)
        return scaler->conditions.n ? PASSED : NOT_EVALUATED;
    if (scaler->max_replicas < 1 || scaler->current_replicas < scaler->max_replicas)
        return PASSED;
    bool fixed = scaler->max_replicas <= minimum;
    return fail_as(context, fixed ? SEVERITY_LOW : context->check->severity, NO_CONTAINER,
                   "It runs at maxReplicas, %lld%s.", (long long)scaler->max_replicas,
                   fixed ? ", which is its minimum too: it scales nothing"
                         : ": there is nothing left for more load");
}
