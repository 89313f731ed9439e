/* What the operators of OpenShift and its version say of the cluster. A condition that is Unknown
 * says nothing. */
#include "score/checks.h"
#include "score/state.h"
#include "score/totals.h"

/* Tells of `condition`; `cause` is the one whose reason and message say why. */
static enum verdict tell(struct check_context *context, const struct condition *condition,
                         const struct condition *cause)
{
    struct str reason = cause->reason, message = message_text(cause->message);
    return fail(context, NO_CONTAINER,
                "%" STR_FMT " has been %" STR_FMT " %" STR_FMT "%s%" STR_FMT "%s%" STR_FMT ".",
                STR_ARG(condition->type), STR_ARG(condition->status),
                STR_ARG(for_time(context, condition->last_transition)),
                reason.n || message.n ? ": " : "", STR_ARG(reason),
                reason.n && message.n ? ", " : "", STR_ARG(message));
}

static bool is_decided(const struct condition *condition)
{
    return condition &&
           (str_eq(condition->status, STR("True")) || str_eq(condition->status, STR("False")));
}

/* ---- cluster-operator-unavailable ---- */

enum verdict check_cluster_operator_unavailable(struct check_context *context,
                                                const struct platform_object *object)
{
    const struct condition *available = condition_find(object->conditions, STR("Available"));
    if (!is_decided(available))
        return NOT_EVALUATED;
    return str_eq(available->status, STR("True")) ? PASSED : tell(context, available, available);
}

/* ---- cluster-operator-degraded ---- */

/* One that is not available is told of already. */
enum verdict check_cluster_operator_degraded(struct check_context *context,
                                             const struct platform_object *object)
{
    const struct condition *degraded = condition_find(object->conditions, STR("Degraded"));
    if (!is_decided(degraded) || condition_is(object->conditions, STR("Available"), STR("False")))
        return NOT_EVALUATED;
    return str_eq(degraded->status, STR("False")) ? PASSED : tell(context, degraded, degraded);
}

/* ---- machine-config-pool-degraded ---- */

/* Degraded sums up two others, and leaves it to them to say why. */
static const struct condition *cause_of(const struct platform_object *pool,
                                        const struct condition *degraded)
{
    const struct condition *condition;
    if (degraded->reason.n || degraded->message.n)
        return degraded;
    LIST_EACH (condition, pool->conditions)
        if (str_has_suffix(condition->type, STR("Degraded")) &&
            str_eq(condition->status, STR("True")) && (condition->reason.n || condition->message.n))
            return condition;
    return degraded;
}

enum verdict check_machine_config_pool_degraded(struct check_context *context,
                                                const struct platform_object *pool)
{
    const struct condition *degraded = condition_find(pool->conditions, STR("Degraded"));
    if (!is_decided(degraded))
        return NOT_EVALUATED;
    return str_eq(degraded->status, STR("False"))
               ? PASSED
               : tell(context, degraded, cause_of(pool, degraded));
}

/* ---- cluster-version-failing ---- */

/* An update of the control plane and the operators takes one to two hours
 * (docs.openshift.com, "Understanding OpenShift updates: update duration"). */
#define UPDATE_TIME (4 * CLOCK_HOUR)

/* It fails because of an operator, and that operator has a finding of its own. */
static bool is_told_by_operator(const struct check_context *context,
                                const struct condition *failing)
{
    return context->totals->operator_down &&
           str_has_prefix(failing->reason, STR("ClusterOperator"));
}

static enum verdict tell_as(struct check_context *context, enum severity severity,
                            const struct condition *condition, const char *what)
{
    struct str message = message_text(condition->message);
    return fail_as(context, severity, NO_CONTAINER, "%s %" STR_FMT "%s%" STR_FMT ".", what,
                   STR_ARG(for_time(context, condition->last_transition)), message.n ? ": " : "",
                   STR_ARG(message));
}

/* Failing: the cluster version operator cannot bring about what is wanted (openshift/api,
 * config/v1/types_cluster_version.go). */
enum verdict check_cluster_version_failing(struct check_context *context,
                                           const struct platform_object *version)
{
    const struct condition *failing = condition_find(version->conditions, STR("Failing"));
    const struct condition *progressing = condition_find(version->conditions, STR("Progressing"));
    if (!is_decided(failing) && !is_decided(progressing))
        return NOT_EVALUATED;
    if (failing && str_eq(failing->status, STR("True")))
        return tell_as(context,
                       is_told_by_operator(context, failing) ? SEVERITY_LOW
                                                             : context->check->severity,
                       failing, "The version of the cluster has been Failing");
    if (progressing && str_eq(progressing->status, STR("True")) &&
        age_exceeds(context, progressing->last_transition, UPDATE_TIME))
        return tell_as(context, SEVERITY_MEDIUM, progressing, "An update has been under way");
    return PASSED;
}
