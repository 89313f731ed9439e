/* What Argo CD and Flux say of the applications that they keep in step with a repository. */
#include "score/checks.h"
#include "score/state.h"

#define FLUX_GRACE (10 * CLOCK_MINUTE)

static bool is_argo(const struct reconciled_object *object)
{
    return object->object.kind == KIND_APPLICATION;
}

/* Flux' Ready condition is about an older spec until it has looked at this one, which the condition
 * itself tells: the object's own number rises with a success only. */
static const struct condition *flux_ready(const struct reconciled_object *object)
{
    const struct condition *ready = condition_find(object->conditions, STR("Ready"));
    if (!ready || object->suspend == TRI_TRUE)
        return NULL;
    int64_t seen = ready->observed_generation != NUMBER_ABSENT ? ready->observed_generation
                                                               : object->observed_generation;
    return seen == NUMBER_ABSENT || seen >= object->object.meta.generation ? ready : NULL;
}

/* Reasons of Ready=False that are no failure of its own (fluxcd/pkg apis/meta, kustomize-controller
 * and helm-controller API references). */
static bool is_underway(const struct condition *ready)
{
    static const char *const reasons[] = {"Progressing", "ProgressingWithRetry",
                                          "DependencyNotReady", "Suspended", NULL};
    return str_in(ready->reason, reasons);
}

static bool is_unhealthy(const struct condition *ready)
{
    return str_eq(ready->reason, STR("HealthCheckFailed"));
}

/* Each try makes Ready Unknown for its time, so of what is tried again and again that condition is
 * never old. */
static bool is_tried_again(const struct reconciled_object *object)
{
    const struct condition *reconciling = condition_find(object->conditions, STR("Reconciling"));
    return reconciling && str_eq(reconciling->reason, STR("ProgressingWithRetry"));
}

static bool has_failed(const struct check_context *context, const struct reconciled_object *object,
                       const struct condition *ready)
{
    return str_eq(ready->status, STR("False")) && !is_underway(ready) &&
           (is_tried_again(object) || age_exceeds(context, ready->last_transition, FLUX_GRACE));
}

static enum verdict tell(struct check_context *context, const char *what, struct str reason,
                         struct str message)
{
    message = message_text(message);
    return fail(context, NO_CONTAINER, "%s%s%" STR_FMT "%s%" STR_FMT ".", what,
                reason.n || message.n ? ": " : "", STR_ARG(reason),
                reason.n && message.n ? ", " : "", STR_ARG(message));
}

/* ---- gitops-sync-failed ---- */

/* Conditions of an Application have no status: an error is there or not (argo-cd,
 * pkg/apis/application/v1alpha1/types.go). */
static enum verdict ask_argo_sync(struct check_context *context,
                                  const struct reconciled_object *object)
{
    const struct condition *condition;
    bool failed =
        str_eq(object->sync_phase, STR("Failed")) || str_eq(object->sync_phase, STR("Error"));
    if (!object->sync.n && !object->conditions.n)
        return NOT_EVALUATED;
    LIST_EACH (condition, object->conditions)
        if (str_has_suffix(condition->type, STR("Error")))
            return tell(context, "Argo CD cannot apply it", condition->type, condition->message);
    if (failed && !str_eq(object->sync, STR("Synced")))
        return tell(context, "The last sync has failed", object->sync_phase, object->sync_message);
    return PASSED;
}

enum verdict check_gitops_sync_failed(struct check_context *context,
                                      const struct reconciled_object *object)
{
    if (is_argo(object))
        return ask_argo_sync(context, object);
    const struct condition *ready = flux_ready(object);
    const struct condition *stalled = condition_find(object->conditions, STR("Stalled"));
    if (!ready)
        return NOT_EVALUATED;
    if (stalled && str_eq(stalled->status, STR("True")))
        return tell(context, "Flux has given up", stalled->reason, stalled->message);
    if (!has_failed(context, object, ready) || is_unhealthy(ready))
        return PASSED;
    return tell(context, "Flux cannot apply it", ready->reason, ready->message);
}

/* ---- gitops-out-of-sync ---- */

enum verdict check_gitops_out_of_sync(struct check_context *context,
                                      const struct reconciled_object *object)
{
    if (!object->sync.n || str_eq(object->sync, STR("Unknown")))
        return NOT_EVALUATED;
    if (!str_eq(object->sync, STR("OutOfSync")))
        return PASSED;
    return fail(context, NO_CONTAINER, "What runs is not what the repository says.");
}

/* ---- gitops-degraded ---- */

static enum verdict ask_argo_health(struct check_context *context,
                                    const struct reconciled_object *object)
{
    if (!object->health.n || str_eq(object->health, STR("Unknown")))
        return NOT_EVALUATED;
    if (!str_eq(object->health, STR("Degraded")) && !str_eq(object->health, STR("Missing")))
        return PASSED;
    return tell(context, "Argo CD says of its objects", object->health, object->health_message);
}

enum verdict check_gitops_degraded(struct check_context *context,
                                   const struct reconciled_object *object)
{
    if (is_argo(object))
        return ask_argo_health(context, object);
    const struct condition *ready = flux_ready(object);
    if (!ready || str_eq(ready->status, STR("Unknown")))
        return NOT_EVALUATED;
    if (!has_failed(context, object, ready) || !is_unhealthy(ready))
        return PASSED;
    return tell(context, "Flux says that its objects are not well", ready->reason, ready->message);
}
